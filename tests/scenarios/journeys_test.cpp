// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "support/scenario_text.hpp"

// Journeys, sources, zones, bodies and events, each told in a few lines of a scenario.

namespace sidestep::test {
namespace {

Vec2 place_of(const Simulation& simulation, std::uint32_t id)
{
    const auto handle = simulation.world().find(id);
    return handle ? simulation.world().agent(*handle)->position : Vec2{NAN, NAN};
}

TEST(Journeys, a_walk_along_a_corridor_takes_its_length_over_the_speed)
{
    Simulation simulation = must_simulate(R"(
format = 1
[[floors]]
box = [0, 0, 45, 2]
[[goals]]
name = "end"
line = [[42, 0], [42, 2]]
[profiles.default]
preferred_speed = 1.33
[[agents]]
position = [2, 1]
exit = "end"
)");
    const RunSummary summary = run_to_end(simulation);
    EXPECT_EQ(summary.left, 1u);
    EXPECT_NEAR(summary.last_arrival, 40.0 / 1.33, 0.02);
    EXPECT_NEAR(summary.mean_path_ratio, 1.0, 0.01);
    EXPECT_EQ(summary.stalls, 0u);
    EXPECT_EQ(summary.wall_penetrations, 0u);
}

TEST(Journeys, an_exit_line_on_the_outline_is_an_opening)
{
    Simulation simulation = must_simulate(R"(
format = 1
[[floors]]
box = [0, 0, 8, 5]
[[goals]]
name = "door"
line = [[8, 2], [8, 3]]
[[agents]]
area = { box = [1, 0.5, 6, 4.5] }
count = 20
exit = "door"
)");
    const RunSummary summary = run_to_end(simulation);
    EXPECT_EQ(summary.left, 20u);
    EXPECT_EQ(summary.wall_penetrations, 0u);
    EXPECT_LT(summary.last_arrival, 40.0);
}

TEST(Journeys, nobody_sets_off_before_the_pre_movement_time)
{
    Simulation simulation = must_simulate(R"(
format = 1
[[floors]]
box = [0, 0, 8, 5]
[[goals]]
name = "door"
line = [[0, 2], [0, 3]]
[[agents]]
positions = [[2, 1], [4, 2.5], [6, 4]]
pre_movement = { choice = [3, 3] }
exit = "door"
)");
    std::map<std::uint32_t, Vec2> starts;
    for (std::uint32_t id = 0; id < 3; ++id) starts[id] = place_of(simulation, id);
    while (simulation.world().time() < 3.0 - 1e-9) simulation.step();
    for (const auto& [id, start] : starts) EXPECT_EQ(place_of(simulation, id), start);
    simulation.step();
    simulation.step();
    for (const auto& [id, start] : starts) EXPECT_NE(place_of(simulation, id), start);
    EXPECT_EQ(run_to_end(simulation).left, 3u);
}

TEST(Journeys, stages_follow_each_other_and_a_wait_lasts_as_long_as_it_says)
{
    Simulation simulation = must_simulate(R"(
format = 1
[[goals]]
name = "kiosk"
point = [10, 0]
[[goals]]
name = "home"
point = [10, 10]
[profiles.default]
preferred_speed = 1.0
[journeys.errand]
stages = [{ waypoint = "kiosk" }, { wait = 5 }, { stay = "home" }]
[[agents]]
position = [0, 0]
journey = "errand"
)");
    const RunSummary summary = run_to_end(simulation);
    EXPECT_EQ(summary.arrived, 1u);
    EXPECT_EQ(summary.present, 1u);
    // 10 m less the reach of 0.25, 5 s, some 10 m less the reach again
    EXPECT_NEAR(summary.last_arrival, 9.75 + 5.0 + 9.75, 0.2);
}

TEST(Journeys, lead_back_from_far_outside_a_plan_in_the_open)
{
    // The cart pushes him 30 m away; nothing is there, and he walks back.
    Simulation simulation = must_simulate(R"(
format = 1
[world]
duration = 120
[[walls]]
polygon = [[3, -1], [4, -1], [4, 1], [3, 1]]
[[goals]]
name = "house"
point = [6, 0]
[[bodies]]
name = "plough"
outline = [[0, -5], [1, -5], [1, 5], [0, 5]]
path = [[1, 0], [-40, 0], [-40, 60]]
speed = 3
[[agents]]
position = [-1, 0]
goal = "house"
)");
    double farthest = 0.0;
    while (!simulation.finished()) {
        simulation.step();
        farthest = std::min(farthest, place_of(simulation, 0).x);
    }
    EXPECT_LT(farthest, -25.0);
    EXPECT_EQ(simulation.summary().arrived, 1u);
    EXPECT_EQ(simulation.summary().without_goal, 0u);
}

TEST(Journeys, a_journey_that_repeats_goes_on_for_ever)
{
    Simulation simulation = must_simulate(R"(
format = 1
[world]
duration = 60
[[goals]]
name = "a"
point = [0, 0]
[[goals]]
name = "b"
point = [6, 0]
[journeys.patrol]
repeat = true
stages = [{ waypoint = "b" }, { waypoint = "a" }]
[[agents]]
position = [0, 0]
journey = "patrol"
)");
    double farthest = 0.0;
    int turns = 0;
    bool going = true;
    while (!simulation.finished()) {
        simulation.step();
        const double x = place_of(simulation, 0).x;
        farthest = std::max(farthest, x);
        if (going && x > 5.5) {
            going = false;
            ++turns;
        }
        if (!going && x < 0.5) going = true;
    }
    EXPECT_NEAR(simulation.world().time(), 60.0, 1e-6);
    EXPECT_LT(farthest, 6.01);
    EXPECT_GE(turns, 6);  // 60 s at 1.34 m/s over 2 x 5.5 m
    EXPECT_EQ(simulation.summary().arrived, 0u);
}

TEST(Journeys, zones_slow_people_down_by_their_factor)
{
    const std::string text = R"(
format = 1
[[floors]]
box = [0, 0, 14, 2]
[[goals]]
name = "end"
line = [[12, 0], [12, 2]]
[profiles.default]
preferred_speed = 1.0
[[agents]]
position = [2, 1]
exit = "end"
)";
    Simulation level = must_simulate(text);
    Simulation stair = must_simulate(text + R"(
[[zones]]
name = "stair"
area = { box = [2, 0, 12, 2] }
speed_factor = 0.5
)");
    EXPECT_NEAR(run_to_end(level).last_arrival, 10.0, 0.05);
    EXPECT_NEAR(run_to_end(stair).last_arrival, 20.0, 0.1);
}

TEST(Sources, bring_as_many_as_rate_and_schedule_say)
{
    Simulation simulation = must_simulate(R"(
format = 1
[world]
duration = 40
[[floors]]
box = [0, 0, 30, 6]
[[goals]]
name = "end"
line = [[30, 0], [30, 6]]
[[sources]]
name = "steady"
area = { box = [1, 1, 4, 5] }
rate = 0.5
from = 2
until = 12
exit = "end"
[[sources]]
name = "train"
area = { box = [5, 1, 9, 5] }
schedule = [[5, 3], [6.5, 4]]
exit = "end"
)");
    std::map<int, std::uint64_t> spawned;  // by hundredths of a second
    while (!simulation.finished()) {
        simulation.step();
        const RunSummary now = simulation.summary();
        spawned[static_cast<int>(std::lround(now.sim_time * 100.0))] = now.spawned;
    }
    EXPECT_EQ(spawned.at(200), 0u);
    EXPECT_EQ(spawned.at(205), 1u);  // the first at 2 s
    EXPECT_EQ(spawned.at(405), 2u);  // one every 2 s
    EXPECT_EQ(spawned.at(505), 2u + 3u);
    EXPECT_EQ(spawned.at(660), 3u + 3u + 4u);
    const RunSummary summary = simulation.summary();
    EXPECT_EQ(summary.spawned, 6u + 7u);  // at 2, 4, ..., 12 s
    EXPECT_EQ(summary.left, summary.spawned);
    EXPECT_LT(summary.sim_time, 40.0) << "ends when nobody is left and nobody will come";
}

TEST(Sources, wait_where_there_is_no_room_and_say_so)
{
    Simulation simulation = must_simulate(R"(
format = 1
[world]
duration = 5
[[floors]]
box = [0, 0, 2, 2]
[[sources]]
area = { box = [0, 0, 2, 2] }
schedule = [[0, 500]]
)");
    simulation.step();
    const RunSummary summary = simulation.summary();
    EXPECT_GT(summary.spawned, 3u);
    EXPECT_LT(summary.spawned, 30u);
    EXPECT_EQ(summary.spawned + summary.waiting_to_enter, 500u);
    EXPECT_EQ(summary.deepest_overlap, 0.0);
}

TEST(ScriptedBodies, shuttle_along_their_path_whoever_is_in_the_way)
{
    Simulation simulation = must_simulate(R"(
format = 1
[world]
duration = 30
[[bodies]]
name = "cart"
radius = 0.5
path = [[0, 0], [10, 0]]
speed = 1
mode = "shuttle"
from = 5
[[agents]]
position = [5, 0.1]
)");
    // The body is no agent; what it does to one shows.
    const Vec2 before = place_of(simulation, 0);
    while (simulation.world().time() < 5.0) simulation.step();
    EXPECT_EQ(place_of(simulation, 0), before);
    double closest = HUGE_VAL;
    while (!simulation.finished()) {
        simulation.step();
        const double t = simulation.world().time() - 5.0;
        const double travelled = std::fmod(t, 20.0);
        const Vec2 cart{travelled <= 10.0 ? travelled : 20.0 - travelled, 0.0};
        const Vec2 apart = place_of(simulation, 0) - cart;
        closest = std::min(closest, std::sqrt(dot(apart, apart)));
    }
    EXPECT_LT(closest, 0.9) << "the cart came past";
    EXPECT_GT(closest, 0.7 - 0.01) << "and nobody was run over";
}

constexpr const char* kTwoDoors = R"(
format = 1
[world]
duration = 60
[[floors]]
box = [0, 0, 10, 10]
[[floors]]
box = [-3, 4, -0.2, 6]
[[doors]]
name = "west"
polygon = [[-0.2, 4.4], [0, 4.4], [0, 5.6], [-0.2, 5.6]]
[[goals]]
name = "outside-west"
area = { box = [-3, 4, -2, 6] }
[[goals]]
name = "east"
line = [[10, 4.4], [10, 5.6]]
[[agents]]
name = "one"
position = [3, 5]
exit = ["outside-west", "east"]
)";

TEST(Events, a_door_that_closes_sends_people_to_the_other_one)
{
    Simulation open = must_simulate(kTwoDoors);
    Simulation closes = must_simulate(std::string(kTwoDoors) + R"(
[[events]]
time = 1
close = "west"
)");
    double west = HUGE_VAL;
    while (!open.finished()) {
        open.step();
        if (open.world().size() > 0) west = std::min(west, place_of(open, 0).x);
    }
    EXPECT_LT(west, -1.5);
    double closed_west = HUGE_VAL;
    double east = 0.0;
    while (!closes.finished()) {
        closes.step();
        if (closes.world().size() == 0) break;
        closed_west = std::min(closed_west, place_of(closes, 0).x);
        east = std::max(east, place_of(closes, 0).x);
    }
    EXPECT_GE(closed_west, 0.2 - 1e-3) << "no step into the closed door";
    EXPECT_GT(east, 9.8);
    EXPECT_EQ(closes.summary().left, 1u);
    const auto events = closes.take_notes().events;
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].kind, "door-closed");
    EXPECT_NEAR(events[0].time, 1.0, 1e-9);
}

TEST(Events, a_door_that_opens_ends_the_waiting_of_those_without_a_way)
{
    const std::string text = R"(
format = 1
[world]
duration = 60
[[floors]]
box = [0, 0, 5, 5]
[[floors]]
box = [5.2, 0, 10, 5]
[[doors]]
name = "middle"
polygon = [[5, 2], [5.2, 2], [5.2, 3.2], [5, 3.2]]
open = true
[[goals]]
name = "far"
point = [9, 2.5]
[[agents]]
position = [1, 1]
goal = "far"
[[events]]
time = 0.5
close = "middle"
)";
    Simulation stays = must_simulate(text);
    const RunSummary stuck = run_to_end(stays);
    EXPECT_EQ(stuck.arrived, 0u);
    EXPECT_EQ(stuck.without_goal, 1u);
    EXPECT_NEAR(stuck.sim_time, 60.0, 1e-6);
    Simulation opens = must_simulate(text + R"(
[[events]]
time = 20
open = "middle"
)");
    const RunSummary free = run_to_end(opens);
    EXPECT_EQ(free.arrived, 1u);
    EXPECT_EQ(free.without_goal, 0u);
    EXPECT_GT(free.last_arrival, 20.0);
}

TEST(Events, agents_are_removed_and_sent_elsewhere_by_group_and_area)
{
    Simulation simulation = must_simulate(R"(
format = 1
[world]
duration = 40
[[goals]]
name = "east"
point = [20, 0]
[[goals]]
name = "north"
point = [0, 20]
[[agents]]
name = "stay"
positions = [[0, -5], [3, -5]]
[[agents]]
name = "walkers"
positions = [[0, 0], [0, 2]]
goal = "east"
[[events]]
time = 2
exit = "north"
agents = "walkers"
[[events]]
time = 3
remove = "stay"
area = { box = [-1, -6, 1, -4] }
)");
    const RunSummary summary = run_to_end(simulation);
    EXPECT_EQ(summary.spawned, 4u);
    EXPECT_EQ(summary.removed, 1u);
    EXPECT_EQ(summary.left, 2u);
    EXPECT_EQ(summary.present, 1u);
    EXPECT_EQ(summary.arrived, 2u);
    EXPECT_EQ(summary.bystanders, 2u);
}

TEST(Events, find_those_who_wait_and_were_never_to_walk)
{
    Simulation simulation = must_simulate(R"(
format = 1
[world]
duration = 60
[[goals]]
name = "east"
point = [10, 0]
[[agents]]
name = "late"
position = [0, 0]
pre_movement = 30
[[events]]
time = 2
goal = "east"
agents = "late"
)");
    const RunSummary summary = run_to_end(simulation);
    EXPECT_EQ(summary.arrived, 1u);
    EXPECT_GT(summary.sim_time, 9.0);
    EXPECT_LT(summary.sim_time, 12.0);
}

TEST(Events, a_door_that_is_shut_at_the_start_and_opens_later_is_a_way)
{
    const std::string text = R"(
format = 1
[world]
duration = 60
[[floors]]
box = [0, 0, 5, 5]
[[floors]]
box = [5.2, 0, 10, 5]
[[doors]]
name = "middle"
polygon = [[5, 2], [5.2, 2], [5.2, 3.2], [5, 3.2]]
open = false
[[goals]]
name = "far"
point = [9, 2.5]
[[agents]]
position = [1, 1]
goal = "far"
)";
    EXPECT_FALSE(make_simulation(text).simulation);
    Simulation simulation = must_simulate(text + "[[events]]\ntime = 10\nopen = \"middle\"\n");
    const RunSummary summary = run_to_end(simulation);
    EXPECT_EQ(summary.arrived, 1u);
    EXPECT_GT(summary.last_arrival, 10.0);
}

TEST(Events, that_concern_nobody_any_more_do_not_keep_a_run_going)
{
    Simulation simulation = must_simulate(R"(
format = 1
[world]
duration = 100
[[goals]]
name = "east"
point = [5, 0]
[[agents]]
position = [0, 0]
exit = "east"
[[events]]
time = 90
remove = "all"
)");
    EXPECT_LT(run_to_end(simulation).sim_time, 10.0);
}

TEST(Levels, of_goals_count_for_arrivals_too)
{
    // The goal of level 1 lies on the way of level 0.
    Simulation simulation = must_simulate(R"(
format = 1
[[floors]]
box = [0, 0, 20, 2]
[[floors]]
box = [0, 0, 20, 2]
level = 1
[[goals]]
name = "near-upstairs"
line = [[5, 0], [5, 2]]
level = 1
[[goals]]
name = "far"
line = [[18, 0], [18, 2]]
[profiles.default]
preferred_speed = 1.0
[[agents]]
position = [1, 1]
exit = ["near-upstairs", "far"]
)");
    EXPECT_NEAR(run_to_end(simulation).last_arrival, 17.0, 0.1);
}

TEST(Levels, do_not_see_each_other)
{
    Simulation simulation = must_simulate(R"(
format = 1
[[floors]]
box = [0, 0, 20, 2]
[[floors]]
box = [0, 0, 20, 2]
level = 1
[[goals]]
name = "east"
line = [[19, 0], [19, 2]]
[[goals]]
name = "west"
line = [[1, 0], [1, 2]]
level = 1
[profiles.default]
preferred_speed = 1.0
[[agents]]
position = [1, 1]
exit = "east"
[[agents]]
position = [19, 1]
exit = "west"
level = 1
)");
    const RunSummary summary = run_to_end(simulation);
    EXPECT_EQ(summary.left, 2u);
    EXPECT_NEAR(summary.last_arrival, 18.0, 0.05) << "nobody had to step aside";
}

TEST(Simulations, have_the_same_hash_for_any_number_of_threads_and_instruction_set)
{
    const std::string text = R"(
format = 1
[world]
duration = 20
seed = 7
[[floors]]
box = [0, 0, 30, 20]
[[walls]]
polygon = [[14, 5], [16, 5], [16, 15], [14, 15]]
[[walls]]
line = [[5, 0], [5, 12]]
[[goals]]
name = "door"
line = [[30, 9], [30, 11]]
[profiles.default]
preferred_speed = { normal = [1.34, 0.26], min = 0.5, max = 2.2 }
[[agents]]
area = { box = [0.5, 0.5, 13, 19.5] }
count = 300
exit = "door"
pre_movement = { uniform = [0, 4] }
[[sources]]
area = { box = [0.5, 0.5, 4, 19.5] }
rate = 3
goal = "door"
)";
    std::set<std::uint64_t> hashes;
    for (const std::uint32_t threads : {1u, 2u, 4u}) {
        Simulation simulation = must_simulate(text, {.threads = threads});
        hashes.insert(run_to_end(simulation).state_hash);
    }
    for (const Isa isa : available_isas()) {
        Simulation simulation = must_simulate(text, {.isa = isa});
        hashes.insert(run_to_end(simulation).state_hash);
    }
    EXPECT_EQ(hashes.size(), 1u);
    Simulation other = must_simulate(text, {.seed = 8});
    EXPECT_EQ(hashes.count(run_to_end(other).state_hash), 0u);
}

TEST(Expectations, are_measured_and_told)
{
    Simulation simulation = must_simulate(R"(
format = 1
[[goals]]
name = "east"
point = [10, 0]
[[agents]]
position = [0, 0]
goal = "east"
[expect]
all_arrived = true
last_arrival_max = 5
wall_penetrations_max = 0
)");
    run_to_end(simulation);
    const auto results = simulation.check_expectations();
    ASSERT_EQ(results.size(), 3u);
    EXPECT_TRUE(results[0].met);
    EXPECT_FALSE(results[1].met);
    EXPECT_NEAR(results[1].measured, 9.75 / 1.34, 0.1);
    EXPECT_NE(results[1].message.find("expected at most 5 s"), std::string::npos)
        << results[1].message;
    EXPECT_TRUE(results[2].met);
}

TEST(Expectations, are_all_measured_and_none_is_met_by_people_who_never_arrive)
{
    std::string text = R"(
format = 1
[world]
duration = 2
[[goals]]
name = "east"
point = [100, 0]
[[agents]]
position = [0, 0]
goal = "east"
[expect]
)";
    for (const ExpectInfo& info : expectations()) {
        const bool is_flag = info.key.starts_with("all_");
        text += std::string(info.key) + (is_flag ? " = true\n" : " = 50\n");
    }
    Simulation simulation = must_simulate(text);
    run_to_end(simulation);
    const auto results = simulation.check_expectations();
    EXPECT_EQ(results.size(), expectations().size());
    for (const ExpectResult& result : results) {
        const bool about_arrivals = result.expect.key == "last_arrival_max" ||
                                    result.expect.key == "mean_travel_time_max" ||
                                    result.expect.key == "path_ratio_max";
        EXPECT_FALSE(about_arrivals && result.met) << result.message;
    }
}

}  // namespace
}  // namespace sidestep::test
