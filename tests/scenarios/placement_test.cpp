// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/scenario_text.hpp"

// Who starts where, and what is said when that cannot be.

namespace sidestep::test {
namespace {

using testing::HasSubstr;

std::vector<Vec2> places_of(const Simulation& simulation)
{
    RecordedFrame frame;
    simulation.fill(frame);
    std::vector<Vec2> places;
    for (const RecordedAgent& agent : frame.agents) places.push_back(agent.position);
    return places;
}

double smallest_distance(const std::vector<Vec2>& places)
{
    double smallest = HUGE_VAL;
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const Vec2 apart = places[i] - places[j];
            smallest = std::min(smallest, std::sqrt(dot(apart, apart)));
        }
    }
    return smallest;
}

TEST(Placement, fills_an_area_at_random_without_overlap)
{
    for (const int count : {1, 30, 150, 380}) {  // 380 of 0.21 m in 81 m2 cover 65 %
        SCOPED_TRACE(count);
        Simulation simulation = must_simulate(
            "format = 1\n[[floors]]\nbox = [0, 0, 9, 9]\n[[agents]]\n"
            "area = { box = [0, 0, 9, 9] }\ncount = " +
            std::to_string(count) + "\n");
        const std::vector<Vec2> places = places_of(simulation);
        ASSERT_EQ(places.size(), static_cast<std::size_t>(count));
        EXPECT_GE(smallest_distance(places), 0.42 - 1e-6);
        Vec2 mean{};
        for (const Vec2 place : places) {
            mean += place / count;
            EXPECT_GE(std::min(place.x, place.y), 0.2 - 1e-5);
            EXPECT_LE(std::max(place.x, place.y), 8.8 + 1e-5);
        }
        if (count >= 30) {
            EXPECT_NEAR(mean.x, 4.5, 1.0);
            EXPECT_NEAR(mean.y, 4.5, 1.0);
        }
    }
}

// Rounding once left a third of these places. The tightest packing of the plane has 1,443 in 200
// m2; the rows along the walls cost some.
TEST(Placement, fills_the_tightest_lattice)
{
    const std::string room =
        "format = 1\n[[floors]]\nbox = [0, 0, 20, 10]\n[[agents]]\n"
        "area = { box = [0, 0, 20, 10] }\ncount = ";
    Simulation full = must_simulate(room + "1222\n");
    const std::vector<Vec2> places = places_of(full);
    ASSERT_EQ(places.size(), 1222u);
    EXPECT_GE(smallest_distance(places), 0.4 - 1e-5);
    const Made too_many = make_simulation(room + "1300\n");
    ASSERT_EQ(too_many.problems.size(), 1u);
    EXPECT_THAT(too_many.problems[0].message, HasSubstr("room for only 1222 of 1300 agents"));
}

TEST(Placement, says_for_how_many_room_was_found_where_not_all_fit)
{
    const Made made = make_simulation(
        "format = 1\n[[floors]]\nbox = [0, 0, 3, 3]\n[[agents]]\n"
        "area = { box = [0, 0, 3, 3] }\ncount = 1000\n");
    EXPECT_FALSE(made.simulation);
    ASSERT_EQ(made.problems.size(), 1u);
    EXPECT_THAT(made.problems[0].message,
                HasSubstr("of 1000 agents of radius 0.2 m in the area of 9 m2"));
    EXPECT_EQ(made.problems[0].at.line, 4u);
}

TEST(Placement, rings_and_lattices_stand_where_they_are_told)
{
    Simulation ring = must_simulate(
        "format = 1\n[[agents]]\ncount = 8\n"
        "ring = { centre = [10, 20], radius = 5 }\ngoal = \"opposite\"\n");
    const auto places = places_of(ring);
    ASSERT_EQ(places.size(), 8u);
    EXPECT_NEAR(places[0].x, 15.0, 1e-5);
    EXPECT_NEAR(places[0].y, 20.0, 1e-5);
    EXPECT_NEAR(places[2].x, 10.0, 1e-5);
    EXPECT_NEAR(places[2].y, 25.0, 1e-5);
    Simulation lattice = must_simulate(
        "format = 1\n[[agents]]\n"
        "lattice = { centre = [0, 0], columns = 3, rows = 2, spacing = 2 }\n");
    const auto grid = places_of(lattice);
    ASSERT_EQ(grid.size(), 6u);
    EXPECT_EQ(grid[0], (Vec2{-2.0, -1.0}));
    EXPECT_EQ(grid[5], (Vec2{2.0, 1.0}));
}

TEST(Placement, names_who_starts_in_a_wall)
{
    const Made made = make_simulation(R"(format = 1
[[floors]]
box = [0, 0, 10, 10]
[[walls]]
polygon = [[4, 4], [6, 4], [6, 6], [4, 6]]
[[agents]]
positions = [[1, 1], [5, 5], [6.1, 5], [12, 5]]
)");
    ASSERT_EQ(made.problems.size(), 3u) << all_of(made.problems);
    EXPECT_THAT(made.problems[0].message, HasSubstr("(agent 1) starts inside a wall"));
    EXPECT_THAT(made.problems[0].message, HasSubstr("(5, 5)"));
    EXPECT_THAT(made.problems[1].message, HasSubstr("(agent 2) starts 0.1 m into a wall"));
    EXPECT_THAT(made.problems[2].message,
                HasSubstr("(agent 3) starts inside a wall or off the floor"));
    EXPECT_EQ(made.problems[0].at.line, 6u);
}

std::string with_policy(const std::string& policy)
{
    return "format = 1\n[world]\noverlapping_starts = \"" + policy +
           "\"\nduration = 10\n[[agents]]\n"
           "positions = [[0, 0], [0.3, 0], [5, 5], [5, 5.1], [9, 9]]\n";
}

TEST(OverlappingStarts, are_rejected_by_naming_the_pair)
{
    const Made made = make_simulation(with_policy("reject"));
    ASSERT_EQ(made.problems.size(), 2u) << all_of(made.problems);
    EXPECT_THAT(made.problems[0].message,
                HasSubstr("agent 0 at (0, 0) and agent 1 at (0.3, 0) overlap by 0.1 m"));
    EXPECT_THAT(made.problems[1].message, HasSubstr("agent 2 at (5, 5) and agent 3 at (5, 5.1)"));
    EXPECT_THAT(made.problems[0].hint, HasSubstr("separate"));
}

TEST(OverlappingStarts, are_moved_apart_a_little_if_asked)
{
    Simulation simulation = must_simulate(with_policy("separate"));
    const auto places = places_of(simulation);
    EXPECT_GE(smallest_distance(places), 0.4 - 1e-3);
    const std::vector<Vec2> asked{{0, 0}, {0.3, 0}, {5, 5}, {5, 5.1}, {9, 9}};
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const Vec2 moved = places[i] - asked[i];
        EXPECT_LE(std::sqrt(dot(moved, moved)), 0.5);
    }
}

TEST(OverlappingStarts, of_a_heap_are_undone_within_two_seconds_at_walking_speed)
{
    std::string text =
        "format = 1\n[world]\noverlapping_starts = \"separate\"\nduration = 10\n"
        "[[agents]]\npositions = [";
    for (int i = 0; i < 20; ++i) text += "[1, 1], ";
    Simulation simulation = must_simulate(text + "]\n");
    while (simulation.world().time() < 2.0) {
        simulation.step();
        const AgentColumns columns = simulation.world().columns();
        for (std::size_t row = 0; row < columns.rows; ++row)
            EXPECT_LE(std::hypot(columns.record[row].vx, columns.record[row].vy), 2.0f * 1.000001f);
    }
    EXPECT_GE(smallest_distance(places_of(simulation)), 0.4 - 2e-3);
}

TEST(OverlappingStarts, of_thousands_in_one_spot_are_refused_at_once)
{
    // Two groups, each at its own points: the same points.
    std::string text = "format = 1\n";
    for (int group = 0; group < 2; ++group) {
        text +=
            "[[agents]]\nlattice = { centre = [0, 0], columns = 200, rows = 200, spacing = 0.01 "
            "}\n";
    }
    const Made made = make_simulation(text);
    ASSERT_EQ(made.problems.size(), 6u);
    EXPECT_THAT(made.problems[5].message, HasSubstr("at least 99995 more pairs overlap"));
}

TEST(Placement, refuses_a_source_that_nobody_fits_into)
{
    const Made made = make_simulation(R"(format = 1
[[floors]]
box = [0, 0, 10, 10]
[[sources]]
area = { box = [20, 20, 30, 30] }
rate = 1
)");
    ASSERT_EQ(made.problems.size(), 1u) << all_of(made.problems);
    EXPECT_THAT(made.problems[0].message, HasSubstr("sources.0: nobody of radius 0.2 m fits"));
}

TEST(Unreachable, goals_are_told_with_agent_and_goal)
{
    const Made made = make_simulation(R"(format = 1
[[floors]]
box = [0, 0, 5, 5]
[[floors]]
box = [6, 0, 10, 5]
[[goals]]
name = "exit-a"
line = [[10, 2], [10, 3]]
[[agents]]
name = "locked-in"
area = { box = [1, 1, 4, 4] }
count = 3
exit = "exit-a"
[[agents]]
name = "free"
position = [8, 2]
exit = "exit-a"
)");
    ASSERT_EQ(made.problems.size(), 1u) << all_of(made.problems);
    EXPECT_THAT(
        made.problems[0].message,
        HasSubstr("agents.0 'locked-in': 3 of 3 agents cannot reach goal 'exit-a'; the first "
                  "is agent 0"));
    EXPECT_EQ(made.problems[0].at.line, 9u);
}

TEST(Unreachable, a_passage_narrower_than_the_agent_is_no_way)
{
    const auto with_radius = [](const std::string& radius) {
        return R"(format = 1
[[floors]]
box = [0, 0, 10, 5]
[[walls]]
polygon = [[5, 0], [5.2, 0], [5.2, 2.2], [5, 2.2]]
[[walls]]
polygon = [[5, 2.8], [5.2, 2.8], [5.2, 5], [5, 5]]
[[goals]]
name = "far"
point = [8, 2.5]
[[agents]]
position = [2, 2.5]
goal = "far"
[profiles.default]
radius = )" + radius;
    };
    EXPECT_TRUE(make_simulation(with_radius("0.29")).simulation);
    const Made wide = make_simulation(with_radius("0.31"));
    ASSERT_EQ(wide.problems.size(), 1u) << all_of(wide.problems);
    EXPECT_THAT(wide.problems[0].message, HasSubstr("cannot reach goal 'far'"));
}

TEST(Unreachable, goals_in_walls_and_close_to_walls_are_told)
{
    const Made buried = make_simulation(R"(format = 1
[[floors]]
box = [0, 0, 10, 10]
[[walls]]
polygon = [[4, 4], [6, 4], [6, 6], [4, 6]]
[[goals]]
name = "buried"
point = [5, 5]
[[agents]]
position = [1, 1]
goal = "buried"
)");
    ASSERT_GE(buried.problems.size(), 1u);
    EXPECT_THAT(buried.problems[0].message,
                HasSubstr("goal 'buried' at (5, 5) lies inside a wall or off the floor"));
    const Made hugging = make_simulation(R"(format = 1
[[floors]]
box = [0, 0, 10, 10]
[[goals]]
name = "corner"
point = [0.01, 5]
reach = 0.1
[[agents]]
position = [1, 1]
goal = "corner"
)");
    ASSERT_EQ(hugging.problems.size(), 1u) << all_of(hugging.problems);
    EXPECT_THAT(hugging.problems[0].message, HasSubstr("goal 'corner' is 0.01 m from a wall"));
}

TEST(Unreachable, lines_that_no_body_can_cross_are_told)
{
    const auto with_line = [](const std::string& line, const std::string& more = "") {
        return "format = 1\n[[floors]]\nbox = [0, 0, 12, 8]\n[[goals]]\nname = \"door\"\nline = " +
               line + "\n[[agents]]\nposition = [3, 4]\nexit = \"door\"\n" + more;
    };
    EXPECT_TRUE(make_simulation(with_line("[[12, 3], [12, 5]]")).simulation);
    for (const std::string& text :
         {with_line("[[11.9, 3], [11.9, 5]]"), with_line("[[12, 7], [12, 9]]"),
          with_line("[[12, 3], [12, 5]]", "[[walls]]\nline = [[12, 2], [12, 6]]\n")}) {
        const Made made = make_simulation(text);
        ASSERT_GE(made.problems.size(), 1u) << text;
        EXPECT_THAT(made.problems[0].message, HasSubstr("cannot cross this line")) << text;
    }
}

TEST(Unreachable, sources_in_sealed_rooms_and_goals_in_corners_are_told)
{
    const Made sealed = make_simulation(R"(format = 1
[[floors]]
box = [0, 0, 5, 5]
[[floors]]
box = [6, 0, 10, 5]
[[goals]]
name = "out"
line = [[10, 2], [10, 3]]
[[sources]]
area = { box = [1, 1, 4, 4] }
rate = 1
exit = "out"
)");
    ASSERT_EQ(sealed.problems.size(), 1u) << all_of(sealed.problems);
    EXPECT_THAT(sealed.problems[0].message, HasSubstr("sources.0: nobody can get from"));
    const Made corner = make_simulation(
        "format = 1\n[[floors]]\nbox = [0, 0, 12, 8]\n[[goals]]\nname = \"c\"\npoint = [0, 0]\n"
        "[[agents]]\nposition = [3, 4]\ngoal = \"c\"\n");
    ASSERT_EQ(corner.problems.size(), 1u) << all_of(corner.problems);
    EXPECT_THAT(corner.problems[0].message, HasSubstr("cannot get within 0.25 m of it"));
}

TEST(Placement, gives_way_to_those_whose_places_are_given_wherever_they_are_in_the_file)
{
    Simulation simulation = must_simulate(R"(format = 1
[[floors]]
box = [0, 0, 4, 4]
[[agents]]
area = { box = [0, 0, 4, 4] }
count = 25
[[agents]]
positions = [[2, 2], [1, 1], [3, 3], [1, 3], [3, 1]]
)");
    const auto places = places_of(simulation);
    ASSERT_EQ(places.size(), 30u);
    EXPECT_GE(smallest_distance(places), 0.42 - 1e-6);
    EXPECT_EQ(places[25], (Vec2{2, 2}));
}

TEST(Placement, knows_closed_doors_bodies_and_areas_off_the_floor)
{
    const Made made = make_simulation(R"(format = 1
[[floors]]
box = [0, 0, 5, 5]
[[floors]]
box = [5.2, 0, 10, 5]
[[doors]]
name = "middle"
polygon = [[5, 2], [5.2, 2], [5.2, 3.2], [5, 3.2]]
open = false
[[bodies]]
name = "cart"
radius = 0.5
path = [[8, 2]]
[[agents]]
positions = [[5.1, 2.2], [4.9, 3], [8.3, 2]]
[[agents]]
area = { box = [50, 50, 60, 60] }
count = 3
)");
    ASSERT_EQ(made.problems.size(), 4u) << all_of(made.problems);
    EXPECT_THAT(made.problems[0].message, HasSubstr("agents.0 (agent 0) starts inside a wall"));
    EXPECT_THAT(made.problems[1].message, HasSubstr("(agent 1) starts 0.1 m into a wall"));
    EXPECT_THAT(made.problems[2].message, HasSubstr("(agent 2) starts in body 'cart'"));
    EXPECT_THAT(made.problems[3].message, HasSubstr("agents.1: its area lies off the floor"));
}

}  // namespace
}  // namespace sidestep::test
