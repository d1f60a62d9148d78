// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "navigation/routes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "floorplan/floorplan.hpp"

namespace sidestep {
namespace {

using Ring = std::vector<Vec2>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Ring box(double x0, double y0, double x1, double y1)
{
    return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

Routes make_routes(const FloorInput& input)
{
    auto floor = build_floor(input);
    EXPECT_TRUE(floor) << floor.error().message;
    return Routes(floor->mesh, input.doors.size());
}

double size_of(Vec2 v)
{
    return std::hypot(v.x, v.y);
}

/// Two rooms and a wall of 0.2 m with gaps.
FloorInput two_rooms(std::vector<std::array<double, 2>> gaps)
{
    FloorInput input;
    input.floors = {{box(0, 0, 5, 10), {}}, {box(5.2, 0, 10, 10), {}}};
    for (const auto& gap : gaps) input.floors.push_back({box(5, gap[0], 5.2, gap[1]), {}});
    return input;
}

TEST(Routes, go_straight_to_what_is_in_sight)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 10), {}}};
    Routes routes = make_routes(input);
    const std::uint32_t goal = routes.add_goal({{{9, 1}}, {}, {}});
    routes.prepare(goal, 0.2);
    EXPECT_NEAR(routes.distance(goal, {1, 1}, 0.2), 8.0, 1e-12);
    RouteMemory memory;
    const Heading heading = routes.steer(goal, {1, 1}, 0.2, 0.5, memory);
    EXPECT_TRUE(heading.reachable);
    EXPECT_TRUE(heading.goal_ahead);
    EXPECT_NEAR(heading.direction.x, 1.0, 1e-12);
    EXPECT_NEAR(heading.distance, 8.0, 1e-12);
    const Heading there = routes.steer(goal, {9, 1}, 0.2, 0.5, memory);
    EXPECT_TRUE(there.reachable);
    EXPECT_EQ(there.direction, (Vec2{0, 0}));
    EXPECT_EQ(there.distance, 0.0);
}

TEST(Routes, turn_round_the_nearer_corner_and_say_on_which_side)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 10), {}}};
    input.solids = {box(4, -1, 6, 8)};
    Routes routes = make_routes(input);
    const std::uint32_t goal = routes.add_goal({{{9, 1}}, {}, {}});
    routes.prepare(goal, 0.2);
    const double expected = std::hypot(3, 7) + 2 + std::hypot(3, 7);
    EXPECT_NEAR(routes.distance(goal, {1, 1}, 0.2), expected, 1e-9);
    RouteMemory memory;
    const Heading heading = routes.steer(goal, {1, 1}, 0.2, 0.0, memory);
    EXPECT_FALSE(heading.goal_ahead);
    EXPECT_NEAR(heading.distance, expected, 1e-9);
    // The corner stays on the right, by the radius and a little more.
    const Vec2 to_corner = Vec2{4, 8} - Vec2{1, 1};
    EXPECT_GT(det(to_corner, heading.direction), 0.2 - 1e-9);
    EXPECT_LT(det(to_corner, heading.direction), 0.25);
    const Heading wide = routes.steer(goal, {1, 1}, 0.2, 0.9, memory);
    EXPECT_GT(det(to_corner, wide.direction), 0.5) << "the habit is worth some of the 2 m there";
}

TEST(Routes, close_gaps_to_those_who_do_not_fit)
{
    Routes routes = make_routes(two_rooms({{1, 1.3}, {8, 8.5}}));
    const Vec2 from{4, 1.15}, to{6, 1.15};
    const std::uint32_t goal = routes.add_goal({{to}, {}, {}});
    for (const double radius : {0.1, 0.2, 0.3}) routes.prepare(goal, radius);
    EXPECT_NEAR(routes.distance(goal, from, 0.1), 2.0, 1e-9);
    EXPECT_GT(routes.distance(goal, from, 0.2), 13.0);
    EXPECT_LT(routes.distance(goal, from, 0.2), 15.0);
    EXPECT_EQ(routes.distance(goal, from, 0.3), kInfinity);
    routes.prepare(goal, 0.15);
    routes.prepare(goal, 0.25);
    EXPECT_NEAR(routes.distance(goal, from, 0.15), 2.0, 1e-9) << "exactly as wide as the gap";
    EXPECT_TRUE(std::isfinite(routes.distance(goal, from, 0.25)));
    RouteMemory memory;
    EXPECT_FALSE(routes.steer(goal, from, 0.3, 0.5, memory).reachable);
    EXPECT_EQ(routes.find_path(from, to, 0.1).size(), 1u);
    EXPECT_EQ(routes.find_path(from, to, 0.2).size(), 3u);
    EXPECT_TRUE(routes.find_path(from, to, 0.3).empty());
}

TEST(Routes, find_passages_between_a_pillar_and_a_wall_too_narrow)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 4), {}}};
    input.solids = {{{5, 0.5}, {6, 2}, {5, 3.2}, {4, 2}}};  // 0.5 m below, 0.8 m above
    Routes routes = make_routes(input);
    const std::uint32_t goal = routes.add_goal({{{9, 0.2}}, {}, {}});
    for (const double radius : {0.2, 0.3, 0.45}) routes.prepare(goal, radius);
    EXPECT_NEAR(routes.distance(goal, {1, 0.2}, 0.2), 8.0, 1e-9);
    EXPECT_GT(routes.distance(goal, {1, 0.2}, 0.3), 8.5);
    EXPECT_EQ(routes.distance(goal, {1, 0.2}, 0.45), kInfinity);
}

TEST(Routes, follow_doors)
{
    FloorInput input = two_rooms({{8, 9}});
    input.doors = {box(5, 1, 5.2, 2)};
    Routes routes = make_routes(input);
    const std::uint32_t goal = routes.add_goal({{{9, 1.5}}, {}, {}});
    const Vec2 from{1, 1.5}, in_door{5.1, 1.5};
    routes.prepare(goal, 0.2);
    EXPECT_NEAR(routes.distance(goal, from, 0.2), 8.0, 1e-9);

    routes.set_door(0, false);
    routes.prepare(goal, 0.2);
    EXPECT_GT(routes.distance(goal, from, 0.2), 15.0);
    EXPECT_NE(routes.locate(in_door), kNoTriangle);
    EXPECT_EQ(routes.distance(goal, in_door, 0.2), kInfinity);
    RouteMemory memory;
    EXPECT_FALSE(routes.steer(goal, in_door, 0.2, 0.5, memory).reachable);
    EXPECT_EQ(routes.find_path(from, {9, 1.5}, 0.2).size(), 3u);

    routes.set_door(0, true);
    routes.prepare(goal, 0.2);
    EXPECT_NEAR(routes.distance(goal, from, 0.2), 8.0, 1e-9);
    routes.set_door(7, false);  // no such door
    routes.prepare(goal, 0.2);
    EXPECT_NEAR(routes.distance(goal, from, 0.2), 8.0, 1e-9);
}

TEST(Routes, lead_to_the_nearest_part_of_a_goal)
{
    Routes routes = make_routes(two_rooms({{1, 2}}));
    RouteGoal parts;
    parts.points = {{1, 9}};
    parts.lines = {{Vec2{9, 0}, Vec2{9, 10}}};
    parts.areas = {{box(0, 0, 1, 1), {}}};
    const std::uint32_t goal = routes.add_goal(parts);
    routes.prepare(goal, 0.2);
    EXPECT_NEAR(routes.distance(goal, {1, 8}, 0.2), 1.0, 1e-9);
    EXPECT_NEAR(routes.distance(goal, {7, 5.1}, 0.2), 2.0, 1e-9);
    EXPECT_EQ(routes.distance(goal, {0.5, 0.5}, 0.2), 0.0) << "inside the area";
    EXPECT_NEAR(routes.distance(goal, {2, 0.6}, 0.2), 1.0, 0.02);
    const std::uint32_t nowhere = routes.add_goal({{{50, 50}}, {}, {}});
    routes.prepare(nowhere, 0.2);
    EXPECT_EQ(routes.distance(nowhere, {1, 8}, 0.2), kInfinity);
}

TEST(Routes, reach_areas_whose_outline_lies_outside_the_floor)
{
    Routes routes = make_routes(two_rooms({{1, 2}}));
    const std::uint32_t goal = routes.add_goal({{}, {}, {{box(5.1, -5, 20, 20), {}}}});
    routes.prepare(goal, 0.2);
    EXPECT_TRUE(std::isfinite(routes.distance(goal, {1, 8}, 0.2)));
    EXPECT_EQ(routes.distance(goal, {9, 8}, 0.2), 0.0);
}

TEST(Routes, lead_out_of_the_holes_of_an_area)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 10), {}}};
    Routes routes = make_routes(input);
    const Ring hole = box(3, 3, 7, 7), turned{hole.rbegin(), hole.rend()};
    for (const Ring& each : {hole, turned}) {
        const std::uint32_t goal = routes.add_goal({{}, {}, {{box(1, 1, 9, 9), {each}}}});
        routes.prepare(goal, 0.2);
        EXPECT_NEAR(routes.distance(goal, {4, 5}, 0.2), 1.0, 0.1);
        EXPECT_NEAR(routes.distance(goal, {5, 6.5}, 0.2), 0.5, 0.1);
        EXPECT_NEAR(routes.distance(goal, {0.4, 5}, 0.2), 0.6, 0.1);
        EXPECT_EQ(routes.distance(goal, {2, 5}, 0.2), 0.0);
        RouteMemory memory;
        EXPECT_LT(routes.steer(goal, {4, 5}, 0.2, 0.5, memory).direction.x, -0.9);
        for (const double lateral : {0.0, 0.3, 0.5, 0.7, 0.99}) {
            Vec2 p{4, 5};
            for (int i = 0; i < 2000; ++i)
                p += routes.steer(goal, p, 0.2, lateral, memory).direction * 0.02;
            EXPECT_EQ(routes.distance(goal, p, 0.2), 0.0) << p.x << " " << p.y;
        }
    }
}

TEST(Routes, spread_over_the_width_of_an_exit)
{
    FloorInput input;
    input.floors = {{box(0, 0, 20, 10), {}}};
    input.exits = {{Vec2{20, 2}, Vec2{20, 8}}};
    Routes routes = make_routes(input);
    const std::uint32_t goal = routes.add_goal({{}, {{Vec2{20, 2}, Vec2{20, 8}}}, {}});
    routes.prepare(goal, 0.2);
    RouteMemory memory;
    const auto crosses_at = [&](double lateral) {  // the line, if it goes straight on from (2, 5)
        const Vec2 direction = routes.steer(goal, {2, 5}, 0.2, lateral, memory).direction;
        return 5 + 18 * direction.y / direction.x;
    };
    EXPECT_GT(crosses_at(0.99) - crosses_at(0.0), 4.0);
    EXPECT_GT(crosses_at(0.0), 2.2);
    EXPECT_LT(crosses_at(0.99), 7.8);
    EXPECT_LT(routes.steer(goal, {19.9, 5}, 0.2, 0.99, memory).direction.y, 0.2)
        << "to a point behind the line, where the floor goes on";
    EXPECT_NEAR(routes.distance(goal, {2, 5}, 0.2), 18.0, 1e-9);
}

TEST(Routes, find_points_on_edges_on_vertices_and_a_little_outside)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 10), {box(3, 3, 6, 6)}}};
    const auto floor = build_floor(input);
    ASSERT_TRUE(floor) << floor.error().message;
    const NavigationMesh& mesh = floor->mesh;
    Routes routes(mesh, 0);
    const std::uint32_t goal = routes.add_goal({{{9, 9}}, {}, {}});
    routes.prepare(goal, 0.2);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec2 a = mesh.vertices[mesh.triangles[t][i]];
            const Vec2 b = mesh.vertices[mesh.triangles[t][(i + 1) % 3]];
            for (const Vec2 p :
                 {a, (a + b) / 2, a + (b - a) * (1.0 / 3), a + Vec2{1e-3, 0}, a - Vec2{0, 1e-3}}) {
                EXPECT_NE(routes.locate(p), kNoTriangle);
                for (std::uint32_t hint = 0; hint < mesh.triangles.size(); ++hint) {
                    RouteMemory memory;
                    memory.triangle = hint;
                    const Heading heading = routes.steer(goal, p, 0.2, 0.5, memory);
                    EXPECT_TRUE(heading.reachable) << p.x << " " << p.y;
                    EXPECT_NEAR(size_of(heading.direction), 1.0, 1e-9) << p.x << " " << p.y;
                }
            }
        }
    }
    EXPECT_EQ(routes.locate({-0.5, 5}), kNoTriangle);
    EXPECT_EQ(routes.locate({4.5, 4.5}), kNoTriangle);
    EXPECT_EQ(routes.locate({NAN, 4.5}), kNoTriangle);
    RouteMemory memory;
    const Heading back = routes.steer(goal, {-0.5, 5}, 0.2, 0.5, memory);
    EXPECT_TRUE(back.reachable) << "pushed off the floor";
    EXPECT_NEAR(back.direction.x, 1.0, 1e-9);
    EXPECT_FALSE(routes.steer(goal, {-5, 5}, 0.2, 0.5, memory).reachable);
    EXPECT_FALSE(routes.steer(goal, {NAN, 5}, 0.2, 0.5, memory).reachable);
}

TEST(Routes, know_the_way_of_those_who_were_pushed_off_the_floor)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 10), {}}};
    input.solids = {box(4, -1, 6, 8)};
    Routes routes = make_routes(input);
    const Vec2 to{9, 1};
    const std::uint32_t goal = routes.add_goal({{to}, {}, {}});
    routes.prepare(goal, 0.2);
    for (const double off : {0.02, 0.3, 0.99}) {
        for (const Vec2 from : {Vec2{-off, 1}, Vec2{1, -off}, Vec2{4 + off, 1}}) {
            SCOPED_TRACE(from.x);
            RouteMemory memory;
            const Heading heading = routes.steer(goal, from, 0.2, 0.5, memory);
            ASSERT_TRUE(heading.reachable);
            EXPECT_NEAR(routes.distance(goal, from, 0.2), heading.distance, 1e-9);
            const auto path = routes.find_path(from, to, 0.2);
            ASSERT_FALSE(path.empty());
            std::size_t next = 0;
            EXPECT_TRUE(routes.follow(path, next, from, 0.2, 0.5, memory).reachable);
        }
    }
    EXPECT_EQ(routes.distance(goal, {-1.01, 5}, 0.2), kInfinity);
    EXPECT_TRUE(routes.find_path({-1.01, 5}, to, 0.2).empty());
    EXPECT_TRUE(routes.find_path(to, {-0.3, 5}, 0.2).empty()) << "a goal off the floor";
}

TEST(Routes, do_not_pass_where_walls_touch_in_a_point)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 10), {}}};
    input.solids = {{{-1, -1}, {5, 5}, {-1, 11}, {-2, 5}}, {{5, 5}, {11, -1}, {12, 5}, {11, 11}}};
    Routes routes = make_routes(input);
    const std::uint32_t goal = routes.add_goal({{{5, 8}}, {}, {}});
    routes.prepare(goal, 0.0);
    EXPECT_EQ(routes.distance(goal, {5, 2}, 0.0), kInfinity);
    EXPECT_NEAR(routes.distance(goal, {5, 6}, 0.0), 2.0, 1e-9);
}

TEST(Routes, never_cross_a_wall_without_thickness)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 10), {}}};
    input.thin = {{{5, 0}, {5, 4}, {5, 9}}};
    Routes routes = make_routes(input);
    const std::uint32_t goal = routes.add_goal({{{6, 1}}, {}, {}});
    routes.prepare(goal, 0.2);
    EXPECT_NEAR(routes.distance(goal, {4, 1}, 0.2), 2 * std::hypot(1, 8), 1e-9);
    // Goals and agents on the wall itself: along it, round its end.
    const std::uint32_t on_wall = routes.add_goal({{{5, 4}}, {}, {}});
    routes.prepare(on_wall, 0.2);
    const double near = routes.distance(on_wall, {4, 4}, 0.2),
                 far = routes.distance(on_wall, {6, 4}, 0.2);
    EXPECT_NEAR(std::min(near, far), 1.0, 1e-9);
    EXPECT_NEAR(std::max(near, far), 5 + std::hypot(1, 5), 1e-9);
}

TEST(Routes, tell_who_was_pushed_to_the_other_side_of_a_walls_end)
{
    // Out of the row below, round the end of its wall and up; p is in the row above.
    FloorInput input;
    input.floors = {{box(0, 0, 10, 10), {}}};
    input.thin = {{{5, 5}, {10, 5}}, {{5.1, 6}, {10, 6}}};
    Routes routes = make_routes(input);
    const std::vector<PathCorner> path = routes.find_path({9, 4}, {5, 9}, 0.2);
    ASSERT_EQ(path.size(), 2u);
    EXPECT_EQ(path[0].place, (Vec2{5, 5}));
    for (const auto& [p, astray] : {std::pair{Vec2{9, 4}, false}, std::pair{Vec2{5.3, 4.7}, false},
                                    std::pair{Vec2{5.6, 5.3}, true}}) {
        SCOPED_TRACE(p.y);
        std::size_t next = 0;
        RouteMemory memory;
        const Heading heading = routes.follow(path, next, p, 0.2, 0.3, memory);
        EXPECT_EQ(next, 0u);
        EXPECT_TRUE(heading.reachable);
        EXPECT_EQ(heading.astray, astray);
    }
}

TEST(Routes, follow_a_path_of_ones_own_round_its_corners)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 10), {}}};
    input.solids = {box(4, -1, 6, 8)};
    Routes routes = make_routes(input);
    const Vec2 to{9, 1};
    Vec2 p{1, 1};
    const std::vector<PathCorner> path = routes.find_path(p, to, 0.2);
    ASSERT_EQ(path.size(), 3u);
    EXPECT_EQ(path[0].place, (Vec2{4, 8}));
    EXPECT_EQ(path[0].turn, -1);
    EXPECT_EQ(path[1].place, (Vec2{6, 8}));
    EXPECT_EQ(path[2].place, to);
    EXPECT_EQ(path[2].turn, 0);
    EXPECT_NEAR(path[0].beyond, 2 + std::hypot(3, 7), 1e-9);

    std::size_t next = 0;
    RouteMemory memory;
    double walked = 0;
    while (walked < 25) {
        const Heading heading = routes.follow(path, next, p, 0.2, 0.3, memory);
        ASSERT_TRUE(heading.reachable) << p.x << " " << p.y;
        if (heading.distance < 0.03) break;
        p += heading.direction * 0.02;
        walked += 0.02;
        ASSERT_NE(routes.locate(p), kNoTriangle);
    }
    EXPECT_LT(walked, 1.1 * (path[0].beyond + std::hypot(3, 7)));
    EXPECT_EQ(next, 2u);

    next = 1;  // pushed back behind the wall: the next corner is out of sight
    EXPECT_FALSE(routes.follow(path, next, {1, 1}, 0.2, 0.3, memory).reachable);
    EXPECT_TRUE(routes.find_path({1, 1}, {5, 5}, 0.2).empty()) << "inside the wall";
    next = 0;
    EXPECT_FALSE(routes.follow({}, next, {1, 1}, 0.2, 0.3, memory).reachable);
}

TEST(Routes, answer_the_same_to_many_threads)
{
    FloorInput input;
    input.floors = {{box(0, 0, 30, 30), {}}};
    for (int i = 0; i < 25; ++i) {
        input.solids.push_back(
            box(6.0 * (i % 5) + 2, 6.0 * (i / 5) + 2, 6.0 * (i % 5) + 4.5, 6.0 * (i / 5) + 4));
    }
    Routes routes = make_routes(input);
    const std::uint32_t goal = routes.add_goal({{{29, 29}}, {}, {}});
    routes.prepare(goal, 0.2);
    std::array<double, 4> sums{};
    std::vector<std::thread> threads;
    for (double& sum : sums) {
        threads.emplace_back([&] {
            RouteMemory memory;
            for (int i = 0; i < 2000; ++i) {
                const Vec2 p{0.5 + 29.0 * (i % 61) / 61, 0.5 + 29.0 * (i % 53) / 53};
                const Heading heading = routes.steer(goal, p, 0.2, 0.01 * (i % 100), memory);
                if (heading.reachable) sum += heading.distance + heading.direction.x;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
    EXPECT_GT(sums[0], 1000.0);
}

TEST(Routes, say_no_where_nothing_was_prepared)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 10), {}}};
    Routes routes = make_routes(input);
    RouteMemory memory;
    EXPECT_FALSE(routes.steer(3, {1, 1}, 0.2, 0.5, memory).reachable);
    EXPECT_EQ(routes.distance(3, {1, 1}, 0.2), kInfinity);
    const std::uint32_t goal = routes.add_goal({{{9, 1}}, {}, {}});
    EXPECT_FALSE(routes.steer(goal, {1, 1}, 0.2, 0.5, memory).reachable);
    Routes empty(NavigationMesh{}, 0);
    EXPECT_EQ(empty.locate({0, 0}), kNoTriangle);
    empty.prepare(empty.add_goal({{{9, 1}}, {}, {}}), 0.2);
    EXPECT_EQ(empty.distance(0, {0, 0}, 0.2), kInfinity);
    EXPECT_TRUE(empty.find_path({0, 0}, {1, 1}, 0.2).empty());
}

}  // namespace
}  // namespace sidestep
