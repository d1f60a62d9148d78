// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/run_scene.hpp"
#include "support/scenario_text.hpp"

// What a simulation tells a recording besides where everybody is.

namespace sidestep::test {
namespace {

using ::testing::ElementsAre;

/// Runs to the end and takes notes after every step, as a recording does.
RecordedNotes run_with_notes(Simulation& simulation)
{
    RecordedNotes all = simulation.take_notes();
    while (!simulation.finished()) {
        simulation.step();
        RecordedNotes notes = simulation.take_notes();
        const auto move_to = [](auto& from, auto& to) {
            to.insert(to.end(), from.begin(), from.end());
        };
        move_to(notes.events, all.events);
        move_to(notes.walkers, all.walkers);
        move_to(notes.ends, all.ends);
    }
    return all;
}

std::vector<std::string> in_words(const std::vector<RecordedEnd>& ends)
{
    std::vector<std::string> words;
    for (const RecordedEnd& end : ends) {
        words.push_back(std::to_string(end.id) + " " + end.kind + " " + end.place +
                        (end.is_arrival ? " arrived" : ""));
    }
    std::sort(words.begin(), words.end());
    return words;
}

TEST(Notes, tell_when_somebody_crossed_the_line_within_the_step)
{
    Simulation simulation = must_simulate(R"(
format = 1
[world]
step = 0.25
output = 1
[[floors]]
box = [0, 0, 45, 2]
[[goals]]
name = "end"
line = [[42, 0], [42, 2]]
[profiles.slow]
radius = 0.25
preferred_speed = 0.7
[[agents]]
name = "one"
position = [2, 1]
profile = "slow"
pre_movement = 3
exit = "end"
)");
    const RecordedNotes notes = run_with_notes(simulation);
    ASSERT_EQ(notes.walkers.size(), 1u);
    const RecordedWalker& walker = notes.walkers[0];
    EXPECT_EQ(walker.id, 0);
    EXPECT_EQ(walker.radius, 0.25);
    EXPECT_EQ(walker.preferred_speed, 0.7);
    EXPECT_EQ(walker.group, "one");
    EXPECT_EQ(walker.profile, "slow");
    EXPECT_EQ(walker.model, "orca");
    ASSERT_EQ(notes.ends.size(), 1u);
    const RecordedEnd& end = notes.ends[0];
    EXPECT_EQ(end.id, 0);
    EXPECT_EQ(end.kind, "left");
    EXPECT_EQ(end.place, "end");
    EXPECT_EQ(end.set_off, 3.0);
    EXPECT_NEAR(end.shortest_way, 40.0, 1e-3);
    EXPECT_TRUE(end.is_arrival);
    EXPECT_NEAR(end.time, simulation.summary().last_arrival, 1e-9);
    EXPECT_GT(std::abs(std::remainder(end.time, 0.25)), 1e-3) << "not at the end of a step";
}

constexpr const char* kAllKinds = R"(
format = 1
[world]
duration = 30
[[floors]]
box = [0, 0, 20, 10]
[[doors]]
name = "shutter"
polygon = [[9, 4], [9.5, 4], [9.5, 5], [9, 5]]
[[zones]]
name = "mud"
area = { box = [8, 0, 9, 1] }
speed_factor = 0.5
[[goals]]
name = "west"
line = [[0, 4], [0, 6]]
[[goals]]
name = "east"
line = [[20, 4], [20, 6]]
[[goals]]
name = "desk"
point = [10, 9]
[[goals]]
name = "kiosk"
area = { box = [14, 1, 15, 2] }
[[goals]]
name = "nobody's"
point = [1, 9]
[journeys.round]
stages = [{ waypoint = "kiosk" }, { exit = ["west", "east"] }]
[[bodies]]
name = "cart"
radius = 0.4
path = [[2, 8], [6, 8]]
speed = 0.5
mode = "shuttle"
[[bodies]]
name = "trolley"
outline = [[-0.5, -0.2], [0.5, -0.2], [0.5, 0.2], [-0.5, 0.2]]
path = [[16, 8], [18, 8]]
speed = 1
from = 2
[[agents]]
name = "pair"
positions = [[3, 5], [17, 5]]
exit = ["west", "east"]
[[agents]]
position = [10, 6]
goal = "desk"
[[agents]]
name = "statue"
position = [5, 2]
[[agents]]
name = "lost"
position = [2, 2]
goal = "desk"
[[agents]]
name = "shopper"
position = [13, 3]
journey = "round"
[[sources]]
area = { box = [11, 1, 12, 2] }
schedule = [[2, 1]]
exit = "east"
[[events]]
time = 1
remove = "lost"
)";

TEST(Notes, tell_of_everybody_once_when_they_come_and_once_when_they_end)
{
    Simulation simulation = must_simulate(kAllKinds);
    const RecordedNotes notes = run_with_notes(simulation);
    std::vector<std::string> groups;
    for (const RecordedWalker& walker : notes.walkers) groups.push_back(walker.group);
    EXPECT_THAT(groups,
                ElementsAre("pair", "pair", "agents.1", "statue", "lost", "shopper", "sources.0"));
    EXPECT_THAT(in_words(notes.ends), ElementsAre("0 left west arrived", "1 left east arrived",
                                                  "2 stays desk arrived", "3 stays ", "4 removed ",
                                                  "5 left east arrived", "6 left east arrived"));
    EXPECT_TRUE(std::is_sorted(notes.ends.begin(), notes.ends.end(),
                               [](const auto& a, const auto& b) { return a.time < b.time; }));
    ASSERT_EQ(notes.events.size(), 1u);
    EXPECT_EQ(notes.events[0].kind, "agents-removed");
}

TEST(Notes, are_not_kept_where_nobody_takes_them)
{
    Simulation silent = must_simulate(kAllKinds);
    while (!silent.finished()) silent.step();
    const RecordedNotes notes = silent.take_notes();
    EXPECT_EQ(notes.walkers.size(), 2u);  // who is still there
    EXPECT_THAT(in_words(notes.ends), ElementsAre("2 stays desk arrived", "3 stays "));
    EXPECT_EQ(notes.events.size(), 1u);

    Simulation told = must_simulate(kAllKinds);
    run_with_notes(told);
    EXPECT_EQ(told.state_hash(), silent.state_hash());
}

TEST(Notes, name_the_parts_of_the_plan_by_what_people_do_there)
{
    const RecordingInfo info = must_simulate(kAllKinds).recording_info();
    std::vector<std::string> places;
    for (const auto& place : info.places) {
        places.push_back(place.kind + " " + place.name + " " + place.wkt);
    }
    EXPECT_THAT(places, ElementsAre("exit west LINESTRING (0 4, 0 6)",
                                    "exit east LINESTRING (20 4, 20 6)", "stay desk POINT (10 9)",
                                    "waypoint kiosk POLYGON ((14 1, 15 1, 15 2, 14 2, 14 1))",
                                    "door shutter POLYGON ((9 4, 9.5 4, 9.5 5, 9 5, 9 4))",
                                    "zone mud POLYGON ((8 0, 9 0, 9 1, 8 1, 8 0))"));
}

TEST(Notes, name_the_walls_of_an_open_plane)
{
    const RecordingInfo info = must_simulate(R"(
format = 1
[[walls]]
line = [[-2, 1], [0, 1], [0, 3]]
[[walls]]
box = [4, 0, 5, 1]
[[agents]]
position = [0, 0]
)")
                                   .recording_info();
    std::vector<std::string> places;
    for (const auto& place : info.places) places.push_back(place.kind + " " + place.wkt);
    EXPECT_THAT(places, ElementsAre("wall LINESTRING (-2 1, 0 1, 0 3)",
                                    "wall POLYGON ((4 0, 5 0, 5 1, 4 1, 4 0))"));
}

TEST(Notes, say_where_bodies_are_in_each_frame)
{
    Simulation simulation = must_simulate(kAllKinds);
    const RecordingInfo info = simulation.recording_info();
    ASSERT_EQ(info.bodies.size(), 2u);
    EXPECT_EQ(info.bodies[0].name, "cart");
    EXPECT_EQ(info.bodies[0].radius, 0.4);
    EXPECT_TRUE(info.bodies[0].outline.empty());
    EXPECT_EQ(info.bodies[1].radius, 0.0);
    EXPECT_EQ(info.bodies[1].outline.size(), 4u);
    RecordedFrame frame;
    simulation.fill(frame);
    EXPECT_THAT(frame.bodies, ElementsAre(Vec2{2, 8}, Vec2{16, 8}));
    while (simulation.world().time() < 3.0 - 1e-9) simulation.step();
    simulation.fill(frame);
    ASSERT_EQ(frame.bodies.size(), 2u);
    EXPECT_NEAR(frame.bodies[0].x, 3.5, 1e-4);
    EXPECT_NEAR(frame.bodies[0].y, 8.0, 1e-4);
    EXPECT_NEAR(frame.bodies[1].x, 17.0, 1e-4);
    EXPECT_NEAR(frame.bodies[1].y, 8.0, 1e-4);
}

struct WayRound {
    RunSummary summary;
    RecordedNotes notes;
};

WayRound go_round(const std::vector<Override>& overrides, SimulationOptions options = {},
                  bool walkers_only = false)
{
    auto scenario = read_scene("way-round", overrides);
    EXPECT_TRUE(scenario);
    if (walkers_only) scenario->agents.erase(scenario->agents.begin());
    Problems problems;
    auto simulation = Simulation::create(*scenario, options, problems);
    EXPECT_TRUE(simulation) << list(problems);
    WayRound result;
    result.notes = run_with_notes(*simulation);
    result.summary = simulation->summary();
    return result;
}

TEST(WayRound, is_found_by_those_who_stand_before_a_crowd)
{
    const WayRound on = go_round({});
    EXPECT_EQ(on.summary.left, 40u);
    EXPECT_GE(on.summary.replans, 30u);
    const WayRound off = go_round({{"world.deadlock_policy", "off"}});
    EXPECT_EQ(off.summary.left, 0u);
    EXPECT_EQ(off.summary.replans, 0u);
    EXPECT_TRUE(off.notes.events.empty());
}

TEST(WayRound, is_not_taken_where_nobody_stands)
{
    const WayRound free = go_round({}, {}, true);
    EXPECT_EQ(free.summary.left, 40u);
    EXPECT_EQ(free.summary.replans, 0u);
    EXPECT_LT(free.summary.mean_path_ratio, 1.1);
}

TEST(WayRound, is_looked_for_sooner_by_the_impatient)
{
    const auto first = [](const WayRound& run) {
        for (const RecordedEvent& event : run.notes.events) {
            if (event.kind == "replan") return event.time;
        }
        return HUGE_VAL;
    };
    const double patient = first(go_round({}));
    const double impatient = first(go_round({{"profiles.default.replan_time", "2"}}));
    EXPECT_LT(impatient, patient - 2.0);
    EXPECT_GT(impatient, 2.0);
}

TEST(WayRound, is_the_same_for_any_number_of_threads)
{
    const WayRound one = go_round({}, {.threads = 1, .isa = Isa::scalar});
    const WayRound four = go_round({}, {.threads = 4});
    EXPECT_EQ(one.summary.state_hash, four.summary.state_hash);
    EXPECT_EQ(one.summary.replans, four.summary.replans);
    ASSERT_EQ(one.notes.events.size(), four.notes.events.size());
    for (std::size_t i = 0; i < one.notes.events.size(); ++i)
        EXPECT_EQ(one.notes.events[i].text, four.notes.events[i].text);
}

TEST(Notes, tell_what_people_do_about_a_stall_as_often_as_it_is_counted)
{
    const WayRound run = go_round({});
    const auto count = [&](std::string_view kind) {
        return static_cast<std::uint64_t>(
            std::count_if(run.notes.events.begin(), run.notes.events.end(),
                          [&](const RecordedEvent& event) { return event.kind == kind; }));
    };
    EXPECT_GT(count("side-step"), 0u);
    EXPECT_EQ(count("side-step"), run.summary.side_steps);
    EXPECT_EQ(count("yield"), run.summary.yields);
    EXPECT_EQ(count("replan"), run.summary.replans);
    EXPECT_EQ(count("back-up"), run.summary.back_ups);
    EXPECT_TRUE(std::is_sorted(run.notes.events.begin(), run.notes.events.end(),
                               [](const auto& a, const auto& b) { return a.time < b.time; }));
    // Once in a stall, not once in a step: 64 people for 60 s.
    EXPECT_LT(run.notes.events.size(), 64u * 10u);
}

TEST(Notes, of_an_evacuation_have_one_walker_and_one_end_for_each)
{
    const auto scenario = read_scene("evac-1k", {{"agents", "150"}});
    ASSERT_TRUE(scenario);
    Problems problems;
    auto simulation = Simulation::create(*scenario, {}, problems);
    ASSERT_TRUE(simulation) << list(problems);
    const RecordedNotes notes = run_with_notes(*simulation);
    ASSERT_EQ(notes.walkers.size(), 150u);
    ASSERT_EQ(notes.ends.size(), 150u);
    std::vector<std::int64_t> ids;
    double travelled = 0.0;
    for (const RecordedEnd& end : notes.ends) {
        ids.push_back(end.id);
        EXPECT_EQ(end.kind, "left");
        EXPECT_TRUE(end.place == "exit-1" || end.place == "exit-2") << end.place;
        travelled += end.time - end.set_off;
    }
    std::sort(ids.begin(), ids.end());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        EXPECT_EQ(ids[i], static_cast<std::int64_t>(i));
        EXPECT_EQ(notes.walkers[i].id, static_cast<std::int64_t>(i));
    }
    const RunSummary summary = simulation->summary();
    EXPECT_NEAR(travelled / 150.0, summary.mean_travel_time, 1e-9);
    EXPECT_EQ(notes.ends.back().time, summary.last_arrival);
}

}  // namespace
}  // namespace sidestep::test
