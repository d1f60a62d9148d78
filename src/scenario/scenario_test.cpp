// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sidestep/scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "support/scenario_texts.hpp"

namespace sidestep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using test::read_bad;
using test::read_good;
using test::value_of;

// ---------------------------------------------------------------------------------- [world]

TEST(Scenario, has_the_documented_defaults)
{
    const Scenario s = read_good("format = 1\n");
    EXPECT_EQ(s.world.name, "test");
    EXPECT_EQ(s.world.step, 0.05);
    EXPECT_EQ(s.world.output, 0.1);
    EXPECT_EQ(s.world.duration, 600);
    EXPECT_EQ(s.world.seed, 1u);
    EXPECT_EQ(s.world.passing_side, PassingSide::right);
    EXPECT_EQ(s.world.overlapping_starts, OverlappingStarts::reject);
    ASSERT_THAT(s.profiles, SizeIs(1));
    EXPECT_EQ(s.profiles[0].name, "default");
    EXPECT_EQ(s.profiles[0].model, "orca");
    EXPECT_THAT(s.profiles[0].values, IsEmpty());
    EXPECT_THAT(s.floors, IsEmpty());
    EXPECT_THAT(s.agents, IsEmpty());
}

TEST(Scenario, takes_every_key_of_the_world)
{
    const Scenario s = read_good(R"(format = 1
[world]
name = "hall"
description = "two lines\nof text"
figure = "Fig. 3"
step = 0.1
output = 0.3
duration = 12.5
seed = 9223372036854775807
passing_side = "left"
overlapping_starts = "separate"
origin = [690001, 5330000]
)");
    EXPECT_EQ(s.world.name, "hall");
    EXPECT_EQ(s.world.description, "two lines\nof text");
    EXPECT_EQ(s.world.figure, "Fig. 3");
    EXPECT_EQ(s.world.step, 0.1);
    EXPECT_EQ(s.world.output, 0.3);
    EXPECT_EQ(s.world.duration, 12.5);
    EXPECT_EQ(s.world.seed, 9223372036854775807u);
    EXPECT_EQ(s.world.passing_side, PassingSide::left);
    EXPECT_EQ(s.world.overlapping_starts, OverlappingStarts::separate);
    EXPECT_EQ(s.world.origin, (Vec2{690001, 5330000}));
}

TEST(Scenario, takes_the_output_nearest_to_a_tenth_of_a_second_where_none_is_given)
{
    EXPECT_EQ(read_good("format = 1\n[world]\nstep = 0.25\n").world.output, 0.25);
    EXPECT_DOUBLE_EQ(read_good("format = 1\n[world]\nstep = 0.03\n").world.output, 0.09);
}

TEST(Scenario, keeps_every_bit_of_a_number)
{
    const Scenario s = read_good(
        "format = 1\n[[agents]]\nposition = [0.1, -1.7976931348623157e3]\n"
        "[[agents]]\nposition = [1e-300, 0.30000000000000004]\n");
    EXPECT_EQ(s.agents[0].positions[0], (Vec2{0.1, -1.7976931348623157e3}));
    EXPECT_EQ(s.agents[1].positions[0], (Vec2{1e-300, 0.30000000000000004}));
}

TEST(Scenario, puts_the_origin_in_the_middle_of_everything_in_whole_metres)
{
    const Scenario s = read_good(
        "format = 1\n[[floors]]\nbox = [690000, 10, 690011, 20]\n"
        "[[goals]]\nname = \"a\"\npoint = [690100.4, 15]\n");
    EXPECT_EQ(s.world.origin, (Vec2{690050, 15}));
}

// ------------------------------------------------------------------------------------- plan

TEST(Scenario, reads_floors_walls_doors_and_areas)
{
    const Scenario s = read_good(R"~(format = 1
[[floors]]
box = [0, 0, 10, 8]
holes = [[[2, 2], [4, 2], [4, 4]]]
[[floors]]
polygon = { polygon = [[10, 0], [12, 0], [12, 8], [10, 8]], holes = [[[11, 1], [11.5, 1], [11.5, 2]]] }
level = 2
[[floors]]
polygon = { wkt = "MULTIPOLYGON(((20 0, 21 0, 21 1, 20 0)), ((30 0, 31 0, 31 1, 30 0)))" }
[[walls]]
polygon = [[5, 5], [6, 5], [6, 6], [5, 6], [5, 5]]
[[walls]]
line = [[0, 4], [1, 4], [1, 5]]
level = 2
[[walls]]
box = [7, 7, 8, 8]
[[doors]]
name = "door"
polygon = { box = [1, 1, 1.2, 2] }
open = false
[[areas]]
name = "west"
area = { box = [0, 0, 1, 8] }
[[areas]]
name = "again"
area = "west"
level = 2
)~");
    ;
    ASSERT_THAT(s.floors, SizeIs(4));
    EXPECT_THAT(s.floors[0].polygon.shell,
                ElementsAre(Vec2{0, 0}, Vec2{10, 0}, Vec2{10, 8}, Vec2{0, 8}));
    EXPECT_THAT(s.floors[0].polygon.holes,
                ElementsAre(ElementsAre(Vec2{2, 2}, Vec2{4, 2}, Vec2{4, 4})));
    EXPECT_EQ(s.floors[0].at, (TextPlace{2, 1}));
    EXPECT_EQ(s.floors[1].level, 2);
    EXPECT_THAT(s.floors[1].polygon.holes, SizeIs(1));
    EXPECT_THAT(s.floors[3].polygon.shell, SizeIs(3));
    ASSERT_THAT(s.walls, SizeIs(3));
    EXPECT_EQ(s.walls[0].kind, WallKind::solid);
    EXPECT_THAT(s.walls[0].vertices, SizeIs(4)) << "the last point repeated the first";
    EXPECT_EQ(s.walls[1].kind, WallKind::thin);
    EXPECT_THAT(s.walls[1].vertices, ElementsAre(Vec2{0, 4}, Vec2{1, 4}, Vec2{1, 5}));
    EXPECT_EQ(s.walls[1].level, 2);
    ASSERT_THAT(s.doors, SizeIs(1));
    EXPECT_EQ(s.doors[0].name, "door");
    EXPECT_FALSE(s.doors[0].open);
    EXPECT_THAT(s.doors[0].polygon, SizeIs(4));
    ASSERT_THAT(s.areas, SizeIs(2));
    EXPECT_EQ(s.areas[1].polygons[0].shell, s.areas[0].polygons[0].shell);
    EXPECT_EQ(s.areas[1].level, 2);
}

TEST(Scenario, unfolds_a_layout_and_takes_its_size_for_agents_without_a_count)
{
    const Scenario s = read_good(R"(format = 1
[layout]
kind = "office"
agents = 120
[[agents]]
area = "rooms"
exit = ["exit-1", "exit-2"]
)");
    EXPECT_EQ(s.layout, "office");
    EXPECT_THAT(s.floors, testing::Not(IsEmpty()));
    ASSERT_THAT(s.agents, SizeIs(1));
    EXPECT_EQ(s.agents[0].count, 120u);
    EXPECT_THAT(s.agents[0].area, testing::Not(IsEmpty()));
    EXPECT_THAT(s.journeys[s.agents[0].journey].stages[0].goals, SizeIs(2));
}

// --------------------------------------------------------------------------------- profiles

TEST(Scenario, reads_every_form_of_a_distribution)
{
    const Scenario s = read_good(R"(format = 1
[profiles.b]
radius = 0.3
planning_radius = { uniform = [0.3, 0.4] }
preferred_speed = { normal = [1.34, 0.26], min = 0.5, max = 2.2 }
max_speed = { log_normal = [0.7, 0.1] }
rank = { choice = [1, 2], weights = [1, 3] }
max_acceleration = inf
time_horizon = { choice = [2, 3] }
[profiles.a]
model = "seek"
)");
    ASSERT_THAT(s.profiles, SizeIs(3));
    EXPECT_EQ(s.profiles[0].name, "default");
    EXPECT_EQ(s.profiles[1].name, "a");
    EXPECT_EQ(s.profiles[1].model, "seek");
    const ProfilePlan& b = s.profiles[2];
    using Kind = Distribution::Kind;
    EXPECT_EQ(value_of(b, "radius")->kind, Kind::constant);
    EXPECT_EQ(value_of(b, "radius")->first, 0.3);
    EXPECT_EQ(value_of(b, "planning_radius")->kind, Kind::uniform);
    EXPECT_EQ(value_of(b, "planning_radius")->second, 0.4);
    EXPECT_EQ(value_of(b, "preferred_speed")->kind, Kind::normal);
    EXPECT_EQ(value_of(b, "preferred_speed")->low, 0.5);
    EXPECT_EQ(value_of(b, "preferred_speed")->high, 2.2);
    EXPECT_EQ(value_of(b, "max_speed")->kind, Kind::log_normal);
    EXPECT_EQ(value_of(b, "max_speed")->low, 0.0) << "cut off at the range of the trait";
    EXPECT_EQ(value_of(b, "max_speed")->high, 50.0);
    EXPECT_THAT(value_of(b, "rank")->values, ElementsAre(1, 2));
    EXPECT_THAT(value_of(b, "rank")->weights, ElementsAre(1, 3));
    EXPECT_EQ(value_of(b, "max_acceleration")->first, std::numeric_limits<double>::infinity());
    EXPECT_THAT(value_of(b, "time_horizon")->weights, ElementsAre(1, 1));
    EXPECT_EQ(value_of(b, "neighbour_range"), nullptr);
}

TEST(Scenario, accepts_the_ends_of_the_range_and_the_words_of_every_trait)
{
    for (const ParamInfo& trait : traits()) {
        SCOPED_TRACE(trait.name);
        for (const std::string_view word : trait.choices) {
            read_good("format = 1\n[profiles.default]\n" + std::string(trait.name) + " = \"" +
                      std::string(word) + "\"\n");
        }
        for (const float end : {trait.min, trait.max}) {
            if (!trait.choices.empty()) continue;
            read_good("format = 1\n[profiles.default]\n" + std::string(trait.name) + " = " +
                      testing::PrintToString(end) + "\n");
        }
    }
}

// ------------------------------------------------------------------------ goals and journeys

TEST(Scenario, reads_goals_and_stages_of_every_kind)
{
    const Scenario s = read_good(R"(format = 1
[[goals]]
name = "p"
point = [1, 2]
reach = 0.5
level = 3
[[goals]]
name = "l"
line = [[1, 2], [3, 2]]
[[goals]]
name = "a"
area = { box = [0, 0, 1, 1] }
[layout]
kind = "city"
agents = 100
[journeys.all]
stages = [{ waypoint = "p" }, { waypoint = ["p", "a"] }, { wait = { uniform = [1, 2] } }, { exit = "l" }]
[journeys.back]
stages = [{ waypoint = "p" }, { waypoint = "a" }]
repeat = true
[journeys.opposite]
stages = [{ stay = "opposite", centre = [3, 4] }]
[journeys.roam]
stages = [{ roam = "crossings" }]
[journeys.stand]
stages = [{ stay = true }]
[journeys.walk]
stages = [{ walk_deg = 90 }]
)");
    const std::size_t n = s.goals.size();
    ASSERT_GE(n, 3u);
    const GoalPlan& point = s.goals[n - 3];
    EXPECT_EQ(point.kind, GoalPlan::Kind::point);
    EXPECT_EQ(point.point, (Vec2{1, 2}));
    EXPECT_EQ(point.reach, 0.5);
    EXPECT_EQ(point.level, 3);
    EXPECT_EQ(s.goals[n - 2].kind, GoalPlan::Kind::line);
    EXPECT_EQ(s.goals[n - 2].line[1], (Vec2{3, 2}));
    EXPECT_EQ(s.goals[n - 1].kind, GoalPlan::Kind::area);
    EXPECT_EQ(s.goals[n - 1].reach, 0.25);

    using Kind = StagePlan::Kind;
    ASSERT_THAT(s.journeys, SizeIs(6));
    const JourneyPlan& all = s.journeys[0];
    EXPECT_EQ(all.name, "all");
    ASSERT_THAT(all.stages, SizeIs(4));
    EXPECT_EQ(all.stages[0].kind, Kind::waypoint);
    EXPECT_THAT(all.stages[1].goals, ElementsAre(n - 3, n - 1));
    EXPECT_EQ(all.stages[2].kind, Kind::wait);
    EXPECT_EQ(all.stages[2].seconds.second, 2);
    EXPECT_EQ(all.stages[3].kind, Kind::exit);
    EXPECT_FALSE(all.repeat);
    EXPECT_TRUE(s.journeys[1].repeat);
    EXPECT_TRUE(s.journeys[2].stages[0].opposite);
    EXPECT_EQ(s.journeys[2].stages[0].centre, (Vec2{3, 4}));
    EXPECT_EQ(s.journeys[3].stages[0].kind, Kind::roam);
    EXPECT_EQ(s.journeys[4].stages[0].kind, Kind::stay);
    EXPECT_THAT(s.journeys[4].stages[0].goals, IsEmpty());
    EXPECT_EQ(s.journeys[5].stages[0].kind, Kind::walk);
    EXPECT_EQ(s.journeys[5].stages[0].direction.first, 90);
}

// ----------------------------------------------------------------------- agents and sources

TEST(Scenario, places_agents_in_every_way)
{
    const Scenario s = read_good(R"(format = 1
[layout]
kind = "stadium"
agents = 200
[[agents]]
name = "one"
position = [1, 2]
level = 4
[[agents]]
positions = [[1, 2], [3, 4]]
[[agents]]
area = { box = [0, 0, 4, 4] }
count = 1e1
gap = 0.1
pre_movement = { uniform = [0, 5] }
velocity_jitter = 1e-4
[[agents]]
lattice = { centre = [5, 6], columns = 3, rows = 2, spacing = 0.5, angle_deg = 30 }
[[agents]]
ring = { centre = [1, 1], radius = 7, angle_deg = 90 }
count = 12
[[agents]]
places = "seats"
count = 20
)");
    using Placement = AgentsPlan::Placement;
    ASSERT_THAT(s.agents, SizeIs(6));
    EXPECT_EQ(s.agents[0].name, "one");
    EXPECT_EQ(s.agents[0].count, 1u);
    EXPECT_EQ(s.agents[0].level, 4);
    EXPECT_FALSE(s.agents[0].choose);
    EXPECT_EQ(s.agents[1].count, 2u);
    EXPECT_EQ(s.agents[2].placement, Placement::area);
    EXPECT_EQ(s.agents[2].count, 10u);
    EXPECT_EQ(s.agents[2].gap, 0.1);
    EXPECT_EQ(s.agents[2].pre_movement.second, 5);
    EXPECT_EQ(s.agents[2].velocity_jitter, 1e-4);
    EXPECT_EQ(s.agents[3].placement, Placement::lattice);
    EXPECT_EQ(s.agents[3].count, 6u);
    EXPECT_EQ(s.agents[3].columns, 3u);
    EXPECT_EQ(s.agents[3].rows, 2u);
    EXPECT_EQ(s.agents[3].centre, (Vec2{5, 6}));
    EXPECT_EQ(s.agents[3].spacing, 0.5);
    EXPECT_EQ(s.agents[3].angle_deg, 30);
    EXPECT_EQ(s.agents[4].placement, Placement::ring);
    EXPECT_EQ(s.agents[4].ring_radius, 7);
    EXPECT_EQ(s.agents[4].count, 12u);
    EXPECT_EQ(s.agents[5].placement, Placement::positions);
    EXPECT_TRUE(s.agents[5].choose);
    EXPECT_EQ(s.agents[5].count, 20u);
    EXPECT_GE(s.agents[5].positions.size(), 200u);
}

TEST(Scenario, keeps_journeys_apart_whose_goals_only_sound_alike)
{
    const Scenario s = read_good(R"(format = 1
[[goals]]
name = "a"
point = [9, 9]
[[goals]]
name = "b"
point = [9, 0]
[[goals]]
name = "a, b"
point = [0, 9]
[[agents]]
position = [0, 0]
exit = ["a", "b"]
[[agents]]
position = [1, 0]
exit = "a, b"
)");
    EXPECT_THAT(s.journeys[s.agents[0].journey].stages[0].goals, ElementsAre(0, 1));
    EXPECT_THAT(s.journeys[s.agents[1].journey].stages[0].goals, ElementsAre(2));
}

TEST(Scenario, takes_the_level_of_a_named_area_where_its_user_says_none)
{
    const Scenario s = read_good(R"(format = 1
[[areas]]
name = "up"
area = { box = [0, 0, 4, 4] }
level = 2
[[areas]]
name = "alias"
area = "up"
[[areas]]
name = "anywhere"
area = { box = [0, 0, 4, 4] }
[[floors]]
polygon = "alias"
[[walls]]
polygon = "up"
[[doors]]
name = "door"
polygon = "up"
[[goals]]
name = "goal"
area = "up"
[[agents]]
area = "alias"
count = 1
exit = "goal"
level = 2
[[agents]]
area = "anywhere"
count = 1
level = 1
[[sources]]
area = "up"
rate = 1
exit = "goal"
[[zones]]
area = "up"
speed_factor = 0.5
)");
    EXPECT_EQ(s.areas[1].level, 2);
    EXPECT_EQ(s.floors.at(0).level, 2);
    EXPECT_EQ(s.walls.at(0).level, 2);
    EXPECT_EQ(s.doors.at(0).level, 2);
    EXPECT_EQ(s.goals.at(0).level, 2);
    EXPECT_EQ(s.agents.at(0).level, 2);
    EXPECT_EQ(s.agents.at(1).level, 1);
    EXPECT_EQ(s.sources.at(0).level, 2);
    EXPECT_EQ(s.zones.at(0).level, 2);
}

TEST(Scenario, gives_agents_a_journey_for_exit_goal_and_nothing_and_shares_equal_ones)
{
    const Scenario s = read_good(R"(format = 1
[[goals]]
name = "a"
point = [9, 9]
[profiles.fast]
max_speed = 3
[[agents]]
position = [0, 0]
exit = "a"
profile = "fast"
[[agents]]
position = [1, 0]
exit = ["a"]
[[agents]]
position = [2, 0]
goal = "opposite"
centre = [1, 1]
[[agents]]
position = [3, 0]
[[agents]]
position = [4, 0]
goal = "a"
)");
    using Kind = StagePlan::Kind;
    const auto stage = [&](std::size_t i) -> const StagePlan& {
        return s.journeys[s.agents[i].journey].stages.at(0);
    };
    EXPECT_EQ(s.agents[0].journey, s.agents[1].journey);
    EXPECT_EQ(stage(0).kind, Kind::exit);
    EXPECT_THAT(stage(0).goals, ElementsAre(0));
    EXPECT_TRUE(stage(2).opposite);
    EXPECT_EQ(stage(2).centre, (Vec2{1, 1}));
    EXPECT_EQ(stage(3).kind, Kind::stay);
    EXPECT_THAT(stage(3).goals, IsEmpty());
    EXPECT_FALSE(stage(3).opposite);
    EXPECT_EQ(stage(4).kind, Kind::stay);
    EXPECT_THAT(stage(4).goals, ElementsAre(0));
    EXPECT_EQ(s.agents[0].profile, 1u);
    EXPECT_EQ(s.agents[1].profile, 0u);
}

TEST(Scenario, reads_sources_zones_bodies_events_and_expectations)
{
    const Scenario s = read_good(R"(format = 1
[[goals]]
name = "a"
point = [9, 9]
[[doors]]
name = "d"
polygon = [[0, 0], [1, 0], [1, 1]]
[[sources]]
name = "in"
area = { box = [0, 0, 1, 1] }
rate = 0.5
from = 3
until = 30
count = 7
exit = "a"
[[sources]]
area = { box = [0, 0, 1, 1] }
schedule = [[0, 20], [60, 10]]
[[zones]]
area = { box = [0, 0, 1, 1] }
speed_factor = 0.5
[[bodies]]
outline = [[-1, -1], [1, -1], [1, 1]]
path = [[0, 0], [5, 0]]
speed = 2
mode = "loop"
from = 4
[[bodies]]
radius = 0.7
path = [[0, 0]]
[[events]]
time = 3
close = "d"
[[events]]
time = 4
remove = "all"
area = { box = [0, 0, 1, 1] }
[[events]]
time = 5
exit = "a"
agents = "in"
[expect]
last_arrival_max = 60
all_left = true
)");
    ASSERT_THAT(s.sources, SizeIs(2));
    EXPECT_EQ(s.sources[0].rate, 0.5);
    EXPECT_EQ(s.sources[0].from, 3);
    EXPECT_EQ(s.sources[0].until, 30);
    EXPECT_EQ(s.sources[0].count, 7u);
    EXPECT_EQ(s.sources[1].rate, 0);
    EXPECT_THAT(s.sources[1].schedule,
                ElementsAre(std::pair{0.0, std::uint64_t{20}}, std::pair{60.0, std::uint64_t{10}}));
    EXPECT_EQ(s.zones.at(0).speed_factor, 0.5);
    ASSERT_THAT(s.bodies, SizeIs(2));
    EXPECT_THAT(s.bodies[0].outline, SizeIs(3));
    EXPECT_EQ(s.bodies[0].mode, BodyPlan::Mode::loop);
    EXPECT_EQ(s.bodies[0].from, 4);
    EXPECT_EQ(s.bodies[1].radius, 0.7);
    EXPECT_THAT(s.bodies[1].outline, IsEmpty());
    ASSERT_THAT(s.events, SizeIs(3));
    EXPECT_EQ(s.events[0].action, EventPlan::Action::close);
    EXPECT_EQ(s.events[0].door, 0u);
    EXPECT_EQ(s.events[1].action, EventPlan::Action::remove);
    EXPECT_EQ(s.events[1].agents, std::nullopt);
    EXPECT_THAT(s.events[1].area, SizeIs(1));
    EXPECT_EQ(s.events[2].action, EventPlan::Action::journey);
    EXPECT_EQ(s.events[2].agents, "in");
    EXPECT_EQ(s.journeys[s.events[2].journey].stages[0].kind, StagePlan::Kind::exit);
    ASSERT_THAT(s.expect, SizeIs(2));
    EXPECT_EQ(s.expect[0].key, "all_left");
    EXPECT_EQ(s.expect[0].value, 1);
    EXPECT_EQ(s.expect[1].value, 60);
    EXPECT_EQ(s.expect[1].at, (TextPlace{43, 20}));
}

// ---------------------------------------------------------------------------------- problems

TEST(Problem, is_written_with_file_line_column_and_hint)
{
    EXPECT_EQ(to_text(Problem{"code", "it is wrong", "a.toml", {3, 7}, "do this"}),
              "error: a.toml:3:7: it is wrong\nhint: do this");
    EXPECT_EQ(to_text(Problem{"code", "it is wrong", "a.toml", {}, ""}),
              "error: a.toml: it is wrong");
    EXPECT_EQ(to_text(Problem{"code", "it is wrong", "", {}, ""}), "error: it is wrong");
}

TEST(Scenario, accepts_a_byte_order_mark_and_windows_line_ends)
{
    const Scenario s = read_good(
        "\xEF\xBB\xBF"
        "format = 1\r\n[world]\r\nseed = 7\r\n");
    EXPECT_EQ(s.world.seed, 7u);
    const Problems problems = read_bad(
        "\xEF\xBB\xBF"
        "format = 2\n");
    EXPECT_EQ(problems.at(0).at, (TextPlace{1, 10}));
}

TEST(Scenario, keeps_places_where_comments_are_left_out_for_their_number)
{
    std::string text = "format = 1 # one\n";
    while (text.size() < (std::size_t{2} << 20))
        text += "  # a comment with \"quotes\" and 'such\n";
    const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
    const Problems problems =
        read_bad(text + "[world] # here\nname = \"a # b\"\nseed = -1 # there\n");
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_EQ(problems[0].at, (TextPlace{lines + 3, 8}));
    EXPECT_EQ(read_good(text + "[world]\nname = \"a # b\"").world.name, "a # b");
}

TEST(Scenario, refuses_files_in_a_text)
{
    const Problems problems =
        read_bad("format = 1\n[[floors]]\npolygon = { file = \"plan.geojson\" }\n");
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_THAT(problems[0].message, HasSubstr("names no files"));
}

TEST(Scenario, counts_problems_beyond_a_thousand)
{
    std::string text = "format = 1\n";
    for (int i = 0; i < 1500; ++i) text += "key" + std::to_string(i) + " = 1\n";
    const Problems problems = read_bad(text);
    ASSERT_THAT(problems, SizeIs(1001));
    EXPECT_EQ(problems.back().message, "500 more problems are not shown");
}

TEST(NearestName, finds_slips_and_nothing_far)
{
    const std::vector<std::string_view> names{"radius", "preferred_speed", "exit"};
    EXPECT_EQ(nearest_name("raduis", names), "radius");
    EXPECT_EQ(nearest_name("prefered-speed", names), "preferred_speed");
    EXPECT_EQ(nearest_name("exti", names), "exit");
    EXPECT_EQ(nearest_name("colour", names), "");
    EXPECT_EQ(nearest_name("", names), "");
    EXPECT_EQ(nearest_name(std::string(100000, 'a'), names), "");
}

}  // namespace
}  // namespace sidestep
