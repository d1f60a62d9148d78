// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/walls.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/outline.hpp"
#include "analysis/overlaps.hpp"
#include "floorplan/floorplan.hpp"
#include "support/trajectory_cases.hpp"

namespace sidestep {
namespace {

using test::one_thread;
using test::TrajectoryMaker;

/// An L with a pillar, a second room that touches it at a corner, all far from (0, 0).
constexpr const char* kPlan =
    "MULTIPOLYGON (((500000 100, 500012 100, 500012 104, 500004 104, 500004 110, 500000 110, "
    "500000 "
    "100), (500002 101, 500003 101, 500003 102, 500002 102, 500002 101)), ((500012 104, 500015 "
    "104, "
    "500015 108, 500012 108, 500012 104)))";

WallResult walls_of(const Trajectories& t, double radius = 0.2)
{
    std::vector<std::string> notes;
    const LevelFloors floors = LevelFloors::read(t.info, notes);
    EXPECT_TRUE(notes.empty());
    return measure_walls(t, floors, radii_of(t, radius), one_thread());
}

double distance_to_ring(const std::vector<Vec2>& ring, Vec2 p)
{
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 a = ring[i];
        const Vec2 d = ring[(i + 1) % ring.size()] - a;
        const Vec2 r = p - a;
        const double t = std::clamp((r.x * d.x + r.y * d.y) / (d.x * d.x + d.y * d.y), 0.0, 1.0);
        least = std::min(least, std::hypot(r.x - t * d.x, r.y - t * d.y));
    }
    return least;
}

double distance_to_outline(const std::vector<Polygon>& polygons, Vec2 p)
{
    double least = std::numeric_limits<double>::infinity();
    for (const Polygon& polygon : polygons) {
        least = std::min(least, distance_to_ring(polygon.shell, p));
        for (const auto& hole : polygon.holes) least = std::min(least, distance_to_ring(hole, p));
    }
    return least;
}

TEST(Outline, tells_side_and_distance_as_brute_force_does)
{
    const auto floor = read_walkable_area(kPlan);
    ASSERT_TRUE(floor);
    for (const std::size_t cells : {1u, 7u, 100u, 1'000'000u}) {
        const Outline outline(*floor, 0.7, cells);
        test::SeededRandom random(cells);
        for (int i = 0; i < 4000; ++i) {
            Vec2 p = {random.uniform(499999, 500016), random.uniform(99, 111)};
            if (i % 4 == 0) p = {std::round(p.x), std::round(p.y)};  // on corners and walls
            const Outline::Spot spot = outline.look(p);
            const double distance = distance_to_outline(floor->polygons, p - floor->origin);
            EXPECT_EQ(spot.on_floor, distance < 1e-9 || covers(floor->polygons, p - floor->origin))
                << p.x << " " << p.y;
            if (!spot.on_floor) continue;
            if (spot.distance < 0.7 || distance < 0.7) {
                EXPECT_NEAR(spot.distance, distance, 1e-9) << p.x << " " << p.y;
            }
        }
    }
}

TEST(Outline, is_crossed_by_moves_through_it_and_not_by_those_that_touch_it)
{
    const auto floor = read_walkable_area(
        "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), "
        "(4 4, 6 4, 6 6, 4 6, 4 4))");
    ASSERT_TRUE(floor);
    for (const std::size_t cells : {1u, 10000u}) {
        const Outline outline(*floor, 0.3, cells);
        EXPECT_TRUE(outline.crosses({5, 3}, {5, 7}));  // through the pillar
        EXPECT_TRUE(outline.crosses({5, 3.99}, {5, 4.01}));
        EXPECT_TRUE(outline.crosses({9, 5}, {11, 5}));  // out of the room
        EXPECT_TRUE(outline.crosses({-50, 5}, {50, 5.5}));
        EXPECT_FALSE(outline.crosses({5, 3}, {5, 4}));  // up to the wall
        EXPECT_FALSE(outline.crosses({2, 4}, {8, 4}));  // along it
        EXPECT_FALSE(outline.crosses({3, 5}, {5, 3}));  // past a corner, exactly
        EXPECT_FALSE(outline.crosses({1, 1}, {9, 1}));
        EXPECT_FALSE(outline.crosses({20, 0}, {20, 10}));  // outside
        EXPECT_FALSE(outline.crosses({5, 5}, {5, 5}));
    }
}

TEST(Walls, count_rows_off_the_floor_in_the_wall_and_moves_through_it)
{
    TrajectoryMaker maker(10.0, "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))");
    maker.frame(0, {{1, {5, 5}}, {2, {0.195, 5}}, {3, {0.15, 5}}});  // free; 5 mm; 5 cm in the wall
    maker.frame(1, {{1, {5, -0.1}}, {2, {0.2, 5}}, {3, {0.2, 5}}});
    maker.frame(2, {{1, {5, -0.2}}});
    maker.frame(3, {{1, {5, 1}}});
    const WallResult walls = walls_of(maker.finish());
    EXPECT_TRUE(walls.has_walls);
    EXPECT_EQ(walls.centres_outside, 2u);
    EXPECT_EQ(walls.crossings, 2u);
    EXPECT_EQ(walls.penetrations, 3u);
    EXPECT_NEAR(walls.deepest, 0.05, 1e-12);
}

TEST(Walls, find_who_steps_through_a_slit_of_two_millimetres)
{
    TrajectoryMaker maker(10.0,
                          "POLYGON ((0 0, 10 0, 10 10, 5.001 10, 5.001 2, 4.999 2, 4.999 10, 0 "
                          "10, 0 0))");
    for (int i = 0; i < 60; ++i) maker.frame(i, {{1, {2 + 0.11 * i, 6}}, {2, {2 + 0.11 * i, 1}}});
    const WallResult walls = walls_of(maker.finish(), 0.0);
    EXPECT_EQ(walls.crossings, 1u);
    EXPECT_EQ(walls.centres_outside, 0u);
}

TEST(Walls, are_those_of_the_level_and_none_in_an_open_plane)
{
    TrajectoryMaker maker(10.0, "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))");
    maker.info.levels.push_back({7, ""});
    maker.frame(0, {{1, {50, 50}, 7}, {2, {50, 50}, 9}});
    EXPECT_EQ(walls_of(maker.finish()).centres_outside, 0u);
    EXPECT_TRUE(walls_of(maker.finish()).has_walls);
    EXPECT_FALSE(walls_of(TrajectoryMaker().frame(0, {{1, {0, 0}}}).finish()).has_walls);
}

TEST(Walls, are_not_known_of_a_geometry_that_is_empty)
{
    TrajectoryMaker maker(10.0, "POLYGON EMPTY");
    EXPECT_FALSE(walls_of(maker.frame(0, {{1, {0, 0}}}).finish()).has_walls);
}

}  // namespace
}  // namespace sidestep
