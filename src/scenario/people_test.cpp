// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sidestep/scenario.hpp"
#include "support/scenario_texts.hpp"

// Choices, presets, populations, roles, and events that change people.

namespace sidestep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::UnorderedElementsAre;

using test::read_bad;
using test::read_good;

std::map<std::string, double> constants_of(const ProfilePlan& profile)
{
    std::map<std::string, double> values;
    for (const auto& [name, value] : profile.values) {
        EXPECT_EQ(value.kind, Distribution::Kind::constant) << name;
        EXPECT_TRUE(values.emplace(name, value.first).second) << name << " twice";
    }
    return values;
}

/// Names of profiles and their shares.
std::map<std::string, double> shares_of(const Scenario& s, const std::vector<MixPart>& mix)
{
    std::map<std::string, double> shares;
    for (const MixPart& part : mix) shares[s.profiles[part.profile].name] = part.share;
    return shares;
}

// ---------------------------------------------------------------------------------- choices

TEST(Choices, are_words_that_stand_for_their_place_in_the_list)
{
    const Scenario s = read_good(R"(format = 1
[profiles.default]
model = "personality"
acceleration_mode = "clamp"
sight = "body"
when_stuck = "wait_clamped"
)");
    EXPECT_THAT(constants_of(s.profiles[0]),
                UnorderedElementsAre(Pair("acceleration_mode", 1.0), Pair("sight", 2.0),
                                     Pair("when_stuck", 1.0)));
}

TEST(Choices, name_the_words_where_another_is_written)
{
    const Problems problems = read_bad("format = 1\n[profiles.default]\nsight = \"boddy\"\n");
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_EQ(problems[0].message,
              "sight must be \"through_walls\" or \"centre\" or \"body\", got 'boddy'");
    EXPECT_THAT(problems[0].hint, HasSubstr("'body'"));
    EXPECT_EQ(problems[0].at, (TextPlace{3, 9}));
}

TEST(Choices, are_no_numbers)
{
    const Problems problems = read_bad("format = 1\n[profiles.default]\nacceleration_mode = 1\n");
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_EQ(problems[0].code, "wrong-type");
    EXPECT_EQ(problems[0].hint, "words: disc, clamp, brake, avo");
}

// ---------------------------------------------------------------------------------- presets

TEST(Presets, come_before_the_values_of_the_profile)
{
    const Scenario s = read_good(R"(format = 1
[profiles.grandmother]
preset = "elder"
preferred_speed = 0.8
radius = 0.22
)");
    ASSERT_THAT(s.profiles, SizeIs(2));
    EXPECT_EQ(s.profiles[1].preset, "elder");
    EXPECT_THAT(
        constants_of(s.profiles[1]),
        UnorderedElementsAre(Pair("rank", 3.0), Pair("alpha", 0.6), Pair("preferred_speed", 0.8),
                             Pair("max_acceleration", 0.8), Pair("observation_time", 0.7),
                             Pair("planning_radius", 0.42), Pair("radius", 0.22)));
}

TEST(Presets, stand_on_what_the_default_profile_says_of_everybody)
{
    const Scenario s = read_good(R"(format = 1
[profiles.default]
model = "rcap"
radius = 0.3
preferred_speed = 1.5
[profiles.other]
radius = 0.4
[[agents]]
position = [0, 0]
profile = "phone"
[[agents]]
position = [1, 0]
profile = "phone"
)");
    ASSERT_THAT(s.profiles, SizeIs(3));
    EXPECT_EQ(s.profiles[1].model, "rcap");  // a profile that names no model has the default's too
    EXPECT_FALSE(constants_of(s.profiles[1]).contains("preferred_speed"));
    EXPECT_EQ(s.profiles[2].name, "phone");
    EXPECT_EQ(s.profiles[2].model, "rcap");
    EXPECT_EQ(constants_of(s.profiles[2]).at("field_of_view_deg"), 90.0);
    EXPECT_EQ(constants_of(s.profiles[2]).at("radius"), 0.3);
    EXPECT_EQ(constants_of(s.profiles[2]).at("preferred_speed"), 1.1);
    EXPECT_EQ(s.agents[0].profile, 2u);
    EXPECT_EQ(s.agents[1].profile, 2u);
}

TEST(Presets, yield_to_a_profile_of_the_same_name)
{
    const Scenario s = read_good(R"(format = 1
[profiles.elder]
preferred_speed = 0.5
[[agents]]
position = [0, 0]
profile = "elder"
)");
    ASSERT_THAT(s.profiles, SizeIs(2));
    EXPECT_THAT(constants_of(s.profiles[1]), ElementsAre(Pair("preferred_speed", 0.5)));
}

// ------------------------------------------------------------------------------ populations

TEST(Populations, mix_presets_and_profiles_by_shares)
{
    const Scenario s = read_good(R"(format = 1
[profiles.robot]
model = "seek"
[populations.station]
robot = 0.25
hurried = 0.75
[[agents]]
lattice = { columns = 4 }
profile = "station"
)");
    EXPECT_THAT(shares_of(s, s.agents[0].mix),
                UnorderedElementsAre(Pair("hurried", 0.75), Pair("robot", 0.25)));
    EXPECT_EQ(s.profiles[s.agents[0].mix[0].profile].model, "seek");  // in the order of the file
    EXPECT_EQ(s.profiles[s.agents[0].mix[1].profile].model, "orca");
}

TEST(Populations, are_shipped_and_can_be_written_where_they_are_used)
{
    const Scenario s = read_good(R"(format = 1
[[agents]]
lattice = { columns = 4 }
profile = "street"
[[sources]]
area = { box = [9, 9, 12, 12] }
rate = 1
profile = { elder = 0.5, child = 0.5 }
)");
    EXPECT_THAT(
        shares_of(s, s.agents[0].mix),
        UnorderedElementsAre(Pair("hurried", 0.1), Pair("strolling", 0.2), Pair("phone", 0.7)));
    EXPECT_THAT(shares_of(s, s.sources[0].mix),
                UnorderedElementsAre(Pair("elder", 0.5), Pair("child", 0.5)));
}

TEST(Populations, must_add_up_to_one_within_a_millionth)
{
    const auto with = [](const std::string& share) {
        return "format = 1\n[populations.p]\nelder = 0.5\nchild = " + share + "\n";
    };
    read_good(with("0.5000009"));
    const Problems problems = read_bad(with("0.4"));
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_EQ(problems[0].code, "bad-shares");
    EXPECT_EQ(problems[0].message, "the shares of [populations.p] add up to 0.9, not to 1");
    EXPECT_EQ(problems[0].hint, "the rest is 0.1");
    EXPECT_THAT(read_bad(with("0.500002")), SizeIs(1));
}

TEST(Populations, keep_an_exit_wide_enough_for_the_widest_of_them)
{
    const Problems problems = read_bad(R"(format = 1
[profiles.wide]
radius = 1
[[floors]]
box = [0, 0, 10, 8]
[[goals]]
name = "out"
line = [[10, 3], [10, 4]]
[[agents]]
area = { box = [0, 0, 4, 8] }
count = 2
profile = { elder = 0.5, wide = 0.5 }
exit = "out"
)");
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_EQ(problems[0].code, "narrow-exit");
    EXPECT_THAT(problems[0].message, HasSubstr("'wide'"));
}

// ------------------------------------------------------------------------------------ groups

TEST(GroupTables, name_agents_or_a_source)
{
    const Scenario s = read_good(R"(format = 1
[[agents]]
name = "a"
positions = [[0, 0], [2, 0]]
[[agents]]
name = "b"
position = [4, 0]
[[agents]]
name = "c"
positions = [[6, 0], [8, 0], [9, 0]]
[[sources]]
name = "s"
area = { box = [5, 5, 9, 9] }
rate = 1
[[groups]]
agents = ["b", "a"]
formation = "leader"
leader = "b"
[[groups]]
agents = "c"
[[groups]]
agents = "s"
size = 3
formation = "v"
)");
    ASSERT_THAT(s.groups, SizeIs(3));
    EXPECT_EQ(s.groups[0].agents, (std::vector<std::uint32_t>{1, 0}));
    EXPECT_EQ(s.groups[0].formation, Formation::leader);
    EXPECT_EQ(s.groups[0].leader, 1u);
    EXPECT_EQ(s.groups[0].size, 0u);
    EXPECT_EQ(s.groups[1].formation, Formation::abreast);
    EXPECT_FALSE(s.groups[1].leader);
    EXPECT_EQ(s.groups[2].source, 0u);
    EXPECT_EQ(s.groups[2].size, 3u);
    EXPECT_EQ(s.groups[2].formation, Formation::v);
}

// ------------------------------------------------------------------------------------ roles

TEST(Roles, are_between_blocks_of_agents)
{
    const Scenario s = read_good(R"(format = 1
[[agents]]
name = "a"
position = [0, 0]
[[agents]]
name = "b"
position = [2, 0]
[[roles]]
of = "b"
towards = "a"
share = 0.25
[[roles]]
of = "a"
towards = "a"
share = { uniform = [0.2, 0.75] }
)");
    ASSERT_THAT(s.roles, SizeIs(2));
    EXPECT_EQ(s.roles[0].of, 1u);
    EXPECT_EQ(s.roles[0].towards, 0u);
    EXPECT_EQ(s.roles[0].share.first, 0.25);
    EXPECT_EQ(s.roles[1].of, s.roles[1].towards);
    EXPECT_EQ(s.roles[1].share.kind, Distribution::Kind::uniform);
}

TEST(Roles, are_refused_for_more_pairs_than_can_be_kept)
{
    const Problems problems = read_bad(R"(format = 1
[[agents]]
name = "many"
lattice = { columns = 1001, rows = 1 }
[[roles]]
of = "many"
towards = "many"
share = 0.3
)");
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_EQ(problems[0].message, "roles of more than 1000000 pairs of agents");
}

// ------------------------------------------------------------------------------- the others

TEST(Agents, can_be_walking_at_the_start)
{
    const Scenario s = read_good(R"(format = 1
[[agents]]
position = [0, 0]
velocity = [1.5, -0.5]
[[agents]]
position = [5, 0]
velocity = "preferred"
)");
    EXPECT_EQ(s.agents[0].velocity, (Vec2{1.5, -0.5}));
    EXPECT_FALSE(s.agents[0].starts_at_full_pace);
    EXPECT_TRUE(s.agents[1].starts_at_full_pace);
}

TEST(Bodies, can_be_noticed_by_everybody)
{
    const Scenario s = read_good(R"(format = 1
[[bodies]]
radius = 1
path = [[0, 0]]
always_noticed = true
[[bodies]]
radius = 1
path = [[5, 0]]
)");
    EXPECT_TRUE(s.bodies[0].always_noticed);
    EXPECT_FALSE(s.bodies[1].always_noticed);
}

TEST(Events, change_people_by_values_preset_profile_and_model)
{
    using Action = EventPlan::Action;
    const Scenario s = read_good(R"(format = 1
[[agents]]
name = "a"
position = [0, 0]
[[events]]
time = 1
agents = "a"
set = { preferred_speed = 2.0, acceleration_mode = "brake", time_horizon = 4, max_acceleration = inf }
[[events]]
time = 2
preset = "hurried"
[[events]]
time = 3
profile = "phone"
[[events]]
time = 4
model = "seek"
)");
    ASSERT_THAT(s.events, SizeIs(4));
    EXPECT_EQ(s.events[0].action, Action::set);
    EXPECT_EQ(s.events[0].agents, "a");
    EXPECT_THAT(
        s.events[0].values,
        UnorderedElementsAre(Pair("preferred_speed", 2.0), Pair("acceleration_mode", 2.0),
                             Pair("time_horizon", 4.0),
                             Pair("max_acceleration", std::numeric_limits<double>::infinity())));
    EXPECT_EQ(s.events[1].action, Action::preset);
    EXPECT_EQ(s.events[1].name, "hurried");
    EXPECT_THAT(s.events[1].values, testing::Contains(Pair("preferred_speed", 1.7)));
    EXPECT_EQ(s.events[2].action, Action::profile);
    EXPECT_EQ(s.profiles[s.events[2].profile].name, "phone");
    EXPECT_EQ(s.events[3].action, Action::model);
    EXPECT_EQ(s.events[3].name, "seek");
}

TEST(Journeys, can_end_some_way_before_the_opposite_point)
{
    const Scenario s = read_good(R"(format = 1
[journeys.across]
stages = [{ exit = "opposite", reach = 2 }]
)");
    EXPECT_EQ(s.journeys.back().stages[0].reach, 2.0);
}

}  // namespace
}  // namespace sidestep
