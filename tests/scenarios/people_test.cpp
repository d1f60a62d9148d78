// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/scenario_text.hpp"

// Mixed crowds, people who are walking at the start, and people who change while it runs.

namespace sidestep::test {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

/// How many walkers have which profile.
std::map<std::string, int> count_profiles(const RecordedNotes& notes)
{
    std::map<std::string, int> numbers;
    for (const RecordedWalker& walker : notes.walkers) ++numbers[walker.profile];
    return numbers;
}

double trait_of(const Simulation& simulation, std::uint32_t id, const char* name)
{
    const auto agent = simulation.world().find(id);
    EXPECT_TRUE(agent);
    const auto value = simulation.world().trait(*agent, name);
    EXPECT_TRUE(value) << name;
    return value ? *value : 0.0;
}

std::string lattice_of(int columns, const std::string& profile)
{
    return "[[agents]]\nlattice = { columns = " + std::to_string(columns) +
           " }\nprofile = " + profile + "\n";
}

// ------------------------------------------------------------------------------ populations

TEST(Population, has_exactly_the_numbers_of_its_shares)
{
    Simulation simulation =
        must_simulate("format = 1\n[world]\nduration = 1\n" + lattice_of(50, "\"street\""));
    EXPECT_THAT(count_profiles(simulation.take_notes()),
                UnorderedElementsAre(Pair("hurried", 5), Pair("strolling", 10), Pair("phone", 35)));
}

TEST(Population, rounds_by_the_largest_remainder)
{
    // 7 people: 3.5, 2.1, 1.4 -> 4, 2, 1
    Simulation simulation =
        must_simulate("format = 1\n" + lattice_of(7, "{ elder = 0.5, child = 0.3, phone = 0.2 }"));
    EXPECT_THAT(count_profiles(simulation.take_notes()),
                UnorderedElementsAre(Pair("elder", 4), Pair("child", 2), Pair("phone", 1)));
    // One person, and a share that is larger by a hair.
    Simulation one =
        must_simulate("format = 1\n" +
                      lattice_of(1, "{ phone = 0.3333333, elder = 0.3333333, child = 0.3333334 }"));
    EXPECT_THAT(count_profiles(one.take_notes()), ElementsAre(Pair("child", 1)));
    // Of equal remainders the first of the file, which need not be the first of the alphabet.
    Simulation tie = must_simulate(
        "format = 1\n" + lattice_of(5, "{ strolling = 0.25, phone = 0.25, elder = 0.5 }"));
    EXPECT_THAT(count_profiles(tie.take_notes()),
                UnorderedElementsAre(Pair("strolling", 1), Pair("phone", 1), Pair("elder", 3)));
    Simulation pair = must_simulate("format = 1\n" + lattice_of(1, "{ phone = 0.5, elder = 0.5 }"));
    EXPECT_THAT(count_profiles(pair.take_notes()), ElementsAre(Pair("phone", 1)));
}

std::vector<std::string> order_of(const std::string& text, const SimulationOptions& options = {})
{
    std::vector<std::string> order;
    Simulation simulation = must_simulate(text, options);
    for (const RecordedWalker& walker : simulation.take_notes().walkers)
        order.push_back(walker.profile);
    return order;
}

TEST(Population, is_dealt_out_in_an_order_that_depends_on_the_seed)
{
    const std::string text = "format = 1\n" + lattice_of(40, "\"street\"");
    const auto order = order_of(text);
    EXPECT_EQ(order, order_of(text));
    EXPECT_NE(order, order_of(text, {.seed = 2}));
    // Not in blocks, which would have two borders, in whatever order. At random there are 18.
    int borders = 0;
    for (std::size_t i = 1; i < order.size(); ++i) borders += order[i] != order[i - 1] ? 1 : 0;
    EXPECT_GE(borders, 9);
}

TEST(Population, gives_everybody_the_traits_of_its_part)
{
    Simulation simulation = must_simulate("format = 1\n" + lattice_of(20, "\"street\""));
    std::map<std::string, double> speeds{{"hurried", 1.7}, {"strolling", 0.9}, {"phone", 1.1}};
    for (const RecordedWalker& walker : simulation.take_notes().walkers) {
        EXPECT_EQ(walker.preferred_speed, speeds[walker.profile]);
        EXPECT_FLOAT_EQ(static_cast<float>(trait_of(
                            simulation, static_cast<std::uint32_t>(walker.id), "preferred_speed")),
                        static_cast<float>(speeds[walker.profile]));
    }
}

TEST(Population, of_a_source_is_drawn_for_each_newcomer)
{
    Simulation simulation = must_simulate(R"(format = 1
[world]
duration = 60
[[goals]]
name = "out"
point = [30, 0]
[[sources]]
area = { box = [0, 0, 20, 20] }
rate = 5
count = 200
profile = { hurried = 0.25, elder = 0.75 }
exit = "out"
)");
    (void)simulation.take_notes();
    RecordedNotes all;
    while (!simulation.finished() && all.walkers.size() < 200) {
        simulation.step();
        for (const RecordedWalker& walker : simulation.take_notes().walkers)
            all.walkers.push_back(walker);
    }
    auto numbers = count_profiles(all);
    EXPECT_EQ(numbers["hurried"] + numbers["elder"], 200);
    EXPECT_NEAR(numbers["hurried"], 50, 20);  // three standard deviations
}

TEST(Population, keeps_its_traits_with_another_model)
{
    Simulation simulation =
        must_simulate("format = 1\n" + lattice_of(10, "\"street\""), {.model = "seek"});
    EXPECT_EQ(simulation.summary().model, "seek");
    EXPECT_THAT(count_profiles(simulation.take_notes()),
                UnorderedElementsAre(Pair("hurried", 1), Pair("strolling", 2), Pair("phone", 7)));
    std::multiset<float> times;
    for (std::uint32_t id = 0; id < 10; ++id)
        times.insert(static_cast<float>(trait_of(simulation, id, "observation_time")));
    EXPECT_THAT(times, ElementsAre(0.3f, 0.5f, 0.5f, 2.5f, 2.5f, 2.5f, 2.5f, 2.5f, 2.5f, 2.5f));
}

TEST(Population, of_several_models_is_mixed)
{
    Simulation simulation = must_simulate("format = 1\n[profiles.robot]\nmodel = \"seek\"\n" +
                                          lattice_of(4, "{ robot = 0.5, elder = 0.5 }"));
    EXPECT_EQ(simulation.summary().model, "mixed");
}

TEST(Population, means_the_preset_by_default_unless_the_file_has_a_profile_of_that_name)
{
    const std::string mix = lattice_of(2, "{ default = 0.5, elder = 0.5 }");
    Simulation preset = must_simulate("format = 1\n" + mix);
    for (const RecordedWalker& walker : preset.take_notes().walkers) {
        const auto id = static_cast<std::uint32_t>(walker.id);
        EXPECT_NEAR(trait_of(preset, id, "planning_radius"),
                    walker.profile == "default" ? 0.38 : 0.42, 1e-6);
    }
    const Simulation named = must_simulate("format = 1\n" + lattice_of(1, "\"default\""));
    EXPECT_NEAR(trait_of(named, 0, "planning_radius"), 0.38, 1e-6);
    const Simulation own = must_simulate("format = 1\n[profiles.default]\nplanning_radius = 0.7\n" +
                                         lattice_of(1, "\"default\""));
    EXPECT_NEAR(trait_of(own, 0, "planning_radius"), 0.7, 1e-6);
    const Simulation none = must_simulate("format = 1\n[[agents]]\nposition = [0, 0]\n");
    EXPECT_EQ(trait_of(none, 0, "planning_radius"), 0.0);
}

TEST(Population, rounds_what_it_draws_of_whole_numbers)
{
    const Simulation simulation = must_simulate(
        "format = 1\n[profiles.default]\nmax_neighbours = { uniform = [2, 9] }\n"
        "[[agents]]\nlattice = { columns = 20 }\n");
    std::set<double> numbers;
    for (std::uint32_t id = 0; id < 20; ++id) {
        numbers.insert(trait_of(simulation, id, "max_neighbours"));
        EXPECT_EQ(*numbers.rbegin(), std::floor(*numbers.rbegin()));
    }
    EXPECT_GT(numbers.size(), 3u);
    EXPECT_GE(*numbers.begin(), 2.0);
    EXPECT_LE(*numbers.rbegin(), 9.0);
}

// ------------------------------------------------------------------------------- velocities

TEST(Velocity, that_must_change_too_fast_is_counted)
{
    Simulation simulation = must_simulate(R"(format = 1
[world]
duration = 1
[profiles.default]
max_acceleration = 0.1
[[floors]]
box = [0, 0, 10, 10]
[[agents]]
position = [9, 5]
velocity = [2, 0]
)");
    std::uint64_t exceeded = 0;
    while (!simulation.finished()) exceeded += simulation.step().acceleration_exceeded;
    EXPECT_GT(exceeded, 0u);
    EXPECT_EQ(simulation.summary().acceleration_exceeded, exceeded);
}

TEST(Velocity, is_that_of_the_file_at_the_start)
{
    Simulation simulation = must_simulate(R"(format = 1
[[goals]]
name = "far"
point = [30, 40]
[[agents]]
position = [0, 0]
goal = "far"
velocity = "preferred"
[[agents]]
position = [10, 0]
velocity = [0.5, -1]
[[agents]]
position = [20, 0]
goal = "far"
pre_movement = 5
velocity = "preferred"
)");
    const auto velocity = [&](std::uint32_t id) {
        return simulation.world().agent(*simulation.world().find(id))->velocity;
    };
    EXPECT_NEAR(velocity(0).x, 1.34 * 0.6, 1e-6);
    EXPECT_NEAR(velocity(0).y, 1.34 * 0.8, 1e-6);
    EXPECT_EQ(velocity(1), (Vec2{0.5, -1.0}));
    EXPECT_EQ(velocity(2), (Vec2{0.0, 0.0}));  // still waits
    RecordedFrame frame;
    simulation.fill(frame);
    EXPECT_NEAR(frame.agents[0].orientation.x, 0.6, 1e-6);
    EXPECT_NEAR(frame.agents[1].orientation.y, -1.0 / std::sqrt(1.25), 1e-6);
}

// ------------------------------------------------------------------------------------ roles

/// The share that one agent takes towards another.
double share_of(const Simulation& simulation, std::uint32_t of, std::uint32_t towards)
{
    const World& world = simulation.world();
    const auto share = world.share(*world.find(of), *world.find(towards));
    EXPECT_TRUE(share);
    return share ? *share : -1.0;
}

TEST(Role, gives_each_of_some_a_share_towards_each_of_others)
{
    const Simulation simulation = must_simulate(R"(format = 1
[[agents]]
name = "a"
positions = [[0, 0], [2, 0]]
[[agents]]
name = "b"
positions = [[4, 0], [6, 0]]
[[roles]]
of = "b"
towards = "a"
share = 0.8
)");
    for (const std::uint32_t a : {0u, 1u}) {
        for (const std::uint32_t b : {2u, 3u}) {
            EXPECT_NEAR(share_of(simulation, b, a), 0.8, 1e-6);
            EXPECT_NEAR(share_of(simulation, a, b), 0.2, 1e-6);
        }
    }
    EXPECT_EQ(share_of(simulation, 0, 1), 0.5);
}

TEST(Role, is_drawn_for_each_two_of_the_same_agents)
{
    const std::string text = R"(format = 1
[[agents]]
name = "all-of-us"
lattice = { columns = 8 }
[[roles]]
of = "all-of-us"
towards = "all-of-us"
share = { uniform = [0.2, 0.75] }
)";
    const Simulation simulation = must_simulate(text);
    const Simulation again = must_simulate(text);
    const Simulation other = must_simulate(text, {.seed = 2});
    std::set<double> shares;
    int changed = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
        for (std::uint32_t j = i + 1; j < 8; ++j) {
            const double share = share_of(simulation, i, j);
            EXPECT_GE(share, 0.2 - 1e-6);
            EXPECT_LE(share, 0.75 + 1e-6);
            EXPECT_NEAR(share + share_of(simulation, j, i), 1.0, 1e-6);
            EXPECT_EQ(share, share_of(again, i, j));
            changed += share != share_of(other, i, j) ? 1 : 0;
            shares.insert(share);
        }
    }
    EXPECT_EQ(shares.size(), 28u);
    EXPECT_EQ(changed, 28);
}

TEST(Role, of_the_last_table_holds)
{
    const Simulation simulation = must_simulate(R"(format = 1
[[agents]]
name = "a"
position = [0, 0]
[[agents]]
name = "b"
position = [4, 0]
[[roles]]
of = "a"
towards = "b"
share = 0.1
[[roles]]
of = "b"
towards = "a"
share = 0.6
)");
    EXPECT_NEAR(share_of(simulation, 0, 1), 0.4, 1e-6);
}

// ----------------------------------------------------------------------------------- events

constexpr const char* kTwoGroups = R"(format = 1
[world]
duration = 4
[profiles.default]
model = "orca"
preferred_speed = { uniform = [1.0, 1.2] }
[profiles.runner]
model = "rcap"
preferred_speed = { uniform = [2.5, 3.0] }
max_speed = 4
[[agents]]
name = "a"
positions = [[0, 0], [0, 3]]
journey = "east"
[[agents]]
name = "b"
positions = [[0, 20], [0, 23]]
journey = "east"
[journeys.east]
stages = [{ walk_deg = 0 }]
[[events]]
time = 1
)";

/// The run two seconds in, and what it said about its event.
struct Changed {
    Simulation simulation;
    std::string text;
};

Changed run_event(const std::string& event, const SimulationOptions& options = {})
{
    Changed changed{must_simulate(kTwoGroups + event, options), {}};
    while (changed.simulation.world().time() < 2.0) changed.simulation.step();
    const RecordedNotes notes = changed.simulation.take_notes();
    EXPECT_EQ(notes.events.size(), 1u);
    if (!notes.events.empty()) {
        EXPECT_EQ(notes.events[0].kind, "agents-changed");
        EXPECT_NEAR(notes.events[0].time, 1.0, 1e-9);
        changed.text = notes.events[0].text;
    }
    return changed;
}

double speed_of(const Simulation& simulation, std::uint32_t id)
{
    const Vec2 v = simulation.world().agent(*simulation.world().find(id))->velocity;
    return std::sqrt(dot(v, v));
}

TEST(Event, sets_traits_of_some_agents)
{
    const Changed done = run_event(
        "agents = \"b\"\nset = { preferred_speed = 1.8, acceleration_mode = \"clamp\" }\n");
    EXPECT_EQ(done.text, "2 agents get preferred_speed = 1.8, acceleration_mode = clamp");
    EXPECT_LT(speed_of(done.simulation, 0), 1.21);
    EXPECT_NEAR(speed_of(done.simulation, 2), 1.8, 1e-5);
    EXPECT_NEAR(speed_of(done.simulation, 3), 1.8, 1e-5);
    EXPECT_EQ(trait_of(done.simulation, 3, "acceleration_mode"), 1.0);
    EXPECT_EQ(trait_of(done.simulation, 0, "acceleration_mode"), 0.0);
}

TEST(Event, sets_parameters_where_the_model_has_them)
{
    const Changed done =
        run_event("set = { time_horizon = 7 }\n", {.model = "seek"});  // which has none
    EXPECT_EQ(done.text, "0 agents get time_horizon = 7");
    const Changed orca = run_event("set = { time_horizon = 7 }\narea = { box = [0, -1, 9, 9] }\n");
    EXPECT_EQ(orca.text, "2 agents get time_horizon = 7");
    EXPECT_EQ(trait_of(orca.simulation, 1, "time_horizon"), 7.0);
    EXPECT_EQ(trait_of(orca.simulation, 2, "time_horizon"), 2.0);
}

TEST(Event, gives_a_preset)
{
    const Changed done = run_event("agents = \"a\"\npreset = \"hurried\"\n");
    EXPECT_EQ(done.text, "2 agents get preset 'hurried'");
    EXPECT_NEAR(speed_of(done.simulation, 0), 1.7, 1e-5);
    EXPECT_FLOAT_EQ(static_cast<float>(trait_of(done.simulation, 0, "planning_radius")), 0.33f);
    EXPECT_LT(speed_of(done.simulation, 2), 1.21);
}

TEST(Event, gives_a_profile_with_traits_drawn_for_each)
{
    const Changed done = run_event("agents = \"a\"\nprofile = \"runner\"\n");
    EXPECT_EQ(done.text, "2 agents get profile 'runner'");
    EXPECT_EQ(done.simulation.world().agent(*done.simulation.world().find(0))->model, "rcap");
    const double first = trait_of(done.simulation, 0, "preferred_speed");
    const double second = trait_of(done.simulation, 1, "preferred_speed");
    EXPECT_GE(first, 2.5);
    EXPECT_GE(second, 2.5);
    EXPECT_NE(first, second);
    EXPECT_EQ(trait_of(done.simulation, 0, "max_speed"), 4.0);
    // The same as if it had come with that profile.
    Simulation born = must_simulate(kTwoGroups + std::string("remove = \"b\"\n"), {},
                                    {{"agents.0.profile", "runner"}});
    EXPECT_EQ(trait_of(born, 0, "preferred_speed"), first);
}

TEST(Event, gives_a_model_unless_the_run_wants_one_for_all)
{
    const Changed done = run_event("agents = \"a\"\nmodel = \"seek\"\n");
    EXPECT_EQ(done.text, "2 agents get model 'seek'");
    EXPECT_EQ(done.simulation.world().agent(*done.simulation.world().find(0))->model, "seek");
    EXPECT_EQ(done.simulation.world().agent(*done.simulation.world().find(2))->model, "orca");
    const Changed kept = run_event("agents = \"a\"\nmodel = \"seek\"\n", {.model = "rcap"});
    EXPECT_EQ(kept.text, "0 agents get model 'seek'");
    EXPECT_EQ(kept.simulation.world().agent(*kept.simulation.world().find(0))->model, "rcap");
}

TEST(Event, that_makes_people_wider_sends_them_another_way)
{
    // A wall with a gap of 0.8 m ahead and a wide one 6 m to the side.
    Simulation simulation = must_simulate(R"(format = 1
[world]
duration = 60
[[floors]]
box = [-10, -10, 10, 10]
[[walls]]
polygon = [[-0.1, -10], [0.1, -10], [0.1, -0.4], [-0.1, -0.4]]
[[walls]]
polygon = [[-0.1, 0.4], [0.1, 0.4], [0.1, 6], [-0.1, 6]]
[[agents]]
position = [-8, 0]
exit = "opposite"
[[events]]
time = 1
set = { radius = 0.5 }
)",
                                          {});
    while (!simulation.finished()) ASSERT_FALSE(simulation.step().fault);
    EXPECT_EQ(simulation.summary().left, 1u);
    EXPECT_LT(simulation.world().time(), 40.0);
}

}  // namespace
}  // namespace sidestep::test
