// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// [[groups]] of scenario files in motion: who is in which, and that they keep together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/run_scene.hpp"
#include "support/scenario_text.hpp"
#include "support/steering.hpp"

namespace sidestep::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::uint32_t> ids_of(const World& world, GroupHandle group)
{
    std::vector<std::uint32_t> ids;
    const auto members = world.group_members(group);
    for (const AgentHandle member : *members) ids.push_back(world.agent(member)->id);
    return ids;
}

/// Ids of those who walk with an agent, itself among them; nobody where it walks alone.
std::vector<std::uint32_t> company_of(const World& world, std::uint32_t id)
{
    const auto agent = world.find(id);
    if (!agent) return {};
    const auto group = world.group_of(*agent);
    if (!group || !*group) return {};
    return ids_of(world, **group);
}

/// When each agent arrived [s].
std::map<std::int64_t, double> run_for_arrivals(Simulation& simulation)
{
    std::map<std::int64_t, double> arrivals;
    (void)simulation.take_notes();  // from now on they are kept
    while (!simulation.finished()) {
        if (simulation.step().fault) {
            ADD_FAILURE() << "a fault";
            break;
        }
        for (const RecordedEnd& end : simulation.take_notes().ends) arrivals[end.id] = end.time;
    }
    return arrivals;
}

/// From the first arrival of the agents [first, last) to the last one [s].
double spread(const std::map<std::int64_t, double>& arrivals, std::int64_t first, std::int64_t last)
{
    std::vector<double> times;
    for (std::int64_t id = first; id < last; ++id) {
        const auto found = arrivals.find(id);
        if (found == arrivals.end()) {
            ADD_FAILURE() << "agent " << id << " did not arrive";
            return HUGE_VAL;
        }
        times.push_back(found->second);
    }
    const auto [low, high] = std::minmax_element(times.begin(), times.end());
    return *high - *low;
}

constexpr const char* kHall = R"(format = 1
[world]
duration = 60
[[goals]]
name = "end"
line = [[40, 0], [40, 8]]
[[floors]]
box = [0, 0, 40, 8]
)";

TEST(GroupsOfAFile, are_all_of_their_agents_or_so_many_to_a_group)
{
    const std::string agents = std::string(kHall) + R"(
[[agents]]
name = "class"
lattice = { centre = [4, 4], columns = 7, spacing = 1 }
exit = "end"
[[agents]]
name = "teacher"
position = [9, 4]
exit = "end"
[[groups]]
)";
    Simulation one = must_simulate(agents +
                                   "agents = [\"class\", \"teacher\"]\n"
                                   "formation = \"leader\"\nleader = \"teacher\"\n");
    EXPECT_THAT(company_of(one.world(), 3), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));

    Simulation threes = must_simulate(agents + "agents = \"class\"\nsize = 3\n");
    EXPECT_THAT(company_of(threes.world(), 0), ElementsAre(0, 1, 2));
    EXPECT_THAT(company_of(threes.world(), 4), ElementsAre(3, 4, 5));
    EXPECT_THAT(company_of(threes.world(), 6), ElementsAre());  // one is left over
    EXPECT_THAT(company_of(threes.world(), 7), ElementsAre());
    const RecordedNotes notes = threes.take_notes();
    ASSERT_EQ(notes.events.size(), 1u);
    EXPECT_EQ(notes.events[0].kind, "group");
    EXPECT_EQ(notes.events[0].text, "agents 0, 1, 2; 3, 4, 5 walk together, abreast");
}

TEST(GroupsOfAFile, set_off_together_when_the_last_is_ready)
{
    Simulation simulation = must_simulate(std::string(kHall) + R"(
[[agents]]
name = "pair"
positions = [[2, 3], [2, 5]]
exit = "end"
pre_movement = { uniform = [1, 9] }
[[agents]]
name = "late"
position = [1, 4]
exit = "end"
pre_movement = 12
[[groups]]
agents = ["pair", "late"]
)");
    while (simulation.world().time() < 11.9) simulation.step();
    for (const std::uint32_t id : {0u, 1u, 2u})
        EXPECT_EQ(simulation.world().agent(*simulation.world().find(id))->velocity, Vec2{});
    while (simulation.world().time() < 13.0) simulation.step();
    for (const std::uint32_t id : {0u, 1u, 2u})
        EXPECT_GT(simulation.world().agent(*simulation.world().find(id))->velocity.x, 0.3);
}

TEST(GroupsOfAFile, come_out_of_a_source_together_and_end_with_their_last_member)
{
    Simulation simulation = must_simulate(std::string(kHall) + R"(
[[sources]]
name = "door"
area = { box = [0.5, 1, 4, 7] }
rate = 1
count = 8
exit = "end"
[[groups]]
agents = "door"
size = 3
formation = "v"
)");
    simulation.step();
    EXPECT_EQ(simulation.summary().spawned, 0u);  // one is due, three come
    while (simulation.world().time() < 2.1) simulation.step();
    EXPECT_THAT(company_of(simulation.world(), 1), ElementsAre(0, 1, 2));
    while (simulation.world().time() < 7.1) simulation.step();
    EXPECT_THAT(company_of(simulation.world(), 4), ElementsAre(3, 4, 5));
    EXPECT_THAT(company_of(simulation.world(), 7), ElementsAre(6, 7));  // the last are fewer
    const GroupHandle first = **simulation.world().group_of(*simulation.world().find(0));
    const RunSummary summary = run_to_end(simulation);
    EXPECT_EQ(summary.left, 8u);
    EXPECT_FALSE(simulation.world().alive(first));
}

TEST(GroupsOfAFile, lose_those_who_are_sent_elsewhere)
{
    const auto after_event = [](const std::string& agents) {
        Simulation simulation = must_simulate(std::string(kHall) + R"(
[[goals]]
name = "back"
line = [[0, 0], [0, 8]]
[[agents]]
name = "a"
positions = [[5, 3], [5, 4]]
exit = "end"
[[agents]]
name = "b"
positions = [[5, 5], [5, 6]]
exit = "end"
[[groups]]
agents = ["a", "b"]
[[events]]
time = 1
exit = "back"
)" + agents);
        while (simulation.world().time() < 1.2) simulation.step();
        return company_of(simulation.world(), 0);
    };
    EXPECT_THAT(after_event("agents = \"b\"\n"), ElementsAre(0, 1));
    EXPECT_THAT(after_event(""), ElementsAre(0, 1, 2, 3));  // all of them: together still
}

/// NIST 2.9: a room of 10 x 20 m with an exit of 1.0 m.
std::string nist_2_9(const std::string& traits)
{
    std::string text = R"(format = 1
[world]
duration = 200
[[floors]]
box = [0, 0, 10, 20]
[[floors]]
box = [4.5, -1, 5.5, 0]
[[goals]]
name = "exit"
line = [[4.5, 0], [5.5, 0]]
[[groups]]
agents = ["fast", "slow"]
)";
    const auto add = [&](const std::string& name, const std::string& speed, int count,
                         const std::string& area) {
        text += "[profiles." + name + "]\npreferred_speed = " + speed + "\n" + traits;
        text += "[[agents]]\nname = \"" + name + "\"\ncount = " + std::to_string(count) +
                "\narea = { box = " + area + " }\nprofile = \"" + name + "\"\nexit = \"exit\"\n";
    };
    add("fast", "1.25", 4, "[0.5, 16, 9.5, 19.5]");
    add("slow", "0.5", 1, "[0.5, 16, 9.5, 19.5]");
    add("strangers", "0.2", 10, "[0.5, 8, 9.5, 12]");
    return text;
}

TEST(Nist2_9, members_of_a_group_arrive_within_ten_seconds_of_each_other)
{
    struct Case {
        std::string model;
        std::string traits;
        std::uint64_t seeds;
    };
    const Case cases[] = {
        {"orca", "", 5},
        {"personality", "", 5},
        // Discs of 0.2 m, as the catalogue has them. With the personal space of rcap, 0.38 m,
        // people stall in an exit of 1.0 m also where nobody is in a group: 63 to 73 s for the 15
        // of them (12 seeds), where orca takes 60.
        {"rcap", "planning_radius = 0.2\n", 5},
    };
    for (const Case& each : cases) {
        for (std::uint64_t seed = 1; seed <= each.seeds; ++seed) {
            SCOPED_TRACE(each.model + ", seed " + std::to_string(seed));
            SimulationOptions options;
            options.model = each.model;
            options.seed = seed;
            Simulation simulation = must_simulate(nist_2_9(each.traits), options);
            const auto arrivals = run_for_arrivals(simulation);
            EXPECT_EQ(arrivals.size(), 15u);
            EXPECT_LT(spread(arrivals, 0, 5), 10.0);
        }
    }
    // Each for itself the slow one comes some 24 s after the first.
    std::string alone = nist_2_9("");
    alone.erase(alone.find("[[groups]]"), std::string_view("[[groups]]\nagents = [\"fast\", "
                                                           "\"slow\"]\n")
                                              .size());
    Simulation simulation = must_simulate(alone);
    EXPECT_GT(spread(run_for_arrivals(simulation), 0, 5), 15.0);
}

TEST(FamilyDoor, keeps_the_family_together_through_the_door)
{
    for (const std::string& model : avoiding_models()) {
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            SCOPED_TRACE(model + ", seed " + std::to_string(seed));
            const auto scenario = read_scene("family-door");
            ASSERT_TRUE(scenario);
            Problems problems;
            SimulationOptions options;
            options.model = model;
            options.seed = seed;
            auto together = Simulation::create(*scenario, options, problems);
            ASSERT_TRUE(together) << list(problems);
            EXPECT_LT(spread(run_for_arrivals(*together), 0, 4), 3.0);
        }
    }
    auto scenario = read_scene("family-door");
    ASSERT_TRUE(scenario);
    scenario->groups.clear();
    Problems problems;
    auto alone = Simulation::create(*scenario, {}, problems);
    ASSERT_TRUE(alone) << list(problems);
    EXPECT_GT(spread(run_for_arrivals(*alone), 0, 4), 5.0);
}

TEST(TourGroup, follows_its_guide_to_the_museum)
{
    const auto scenario = read_scene("tour-group");
    ASSERT_TRUE(scenario);
    Problems problems;
    auto simulation = Simulation::create(*scenario, {}, problems);
    ASSERT_TRUE(simulation) << list(problems);
    // On the way to the fountain nobody is farther than 6 m from the guide.
    while (simulation->world().time() < 16.0) {
        simulation->step();
        const World& world = simulation->world();
        const Vec2 guide = world.agent(*world.find(0))->position;
        for (std::uint32_t id = 1; id < 9; ++id) {
            const Vec2 way = world.agent(*world.find(id))->position - guide;
            ASSERT_LT(dot(way, way), 36.0) << id << " at " << world.time();
        }
    }
    EXPECT_LT(spread(run_for_arrivals(*simulation), 0, 9), 6.0);
}

}  // namespace
}  // namespace sidestep::test
