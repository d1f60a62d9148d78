// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/wall_index.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/wall_tables.hpp"

namespace sidestep {
namespace {

using test::SeededRandom;

using test::random_walls;
using test::Walls;

TEST(WallIndex, finds_what_looking_at_every_edge_finds_in_the_same_order)
{
    std::size_t hits = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        const double size = random.log_uniform(0.5, 200.0);
        const Vec2 centre = random.one_of({Vec2{}, Vec2{3900.0, -3900.0}, Vec2{-700.0, 12.0}});
        Walls walls = random_walls(random, random.below(120), size, centre);
        walls.build();
        for (int query = 0; query < 40; ++query) {
            Vec2 at = centre + random.in_box(1.2 * size);
            if (random.chance(0.2) && !walls.table.walls.empty()) {  // exactly on a vertex
                const Wall& wall = walls.table.walls[random.below(walls.table.walls.size())];
                at = wall.vertices[random.below(wall.vertices.size())];
            }
            if (random.chance(0.2)) at = {std::round(at.x), std::round(at.y)};  // in line with some
            const auto x = static_cast<float>(at.x);
            const auto y = static_cast<float>(at.y);
            const auto level = static_cast<std::uint16_t>(random.below(4));
            const auto reach = static_cast<float>(random.log_uniform(0.01, 2.0 * size));
            const auto horizon = static_cast<float>(random.one_of({0.0, 1.0, 3.0}));
            const auto found = walls.found(x, y, level, reach, horizon);
            ASSERT_EQ(found, walls.expected(x, y, level, reach, horizon))
                << at.x << ", " << at.y << " level " << level;
            hits += found.size();
        }
    }
    EXPECT_GT(hits, 100'000u);
}

TEST(WallIndex, is_empty_without_walls)
{
    Walls walls;
    walls.build();
    EXPECT_EQ(walls.index.size(), 0u);
    EXPECT_TRUE(walls.found(0.0f, 0.0f, 0, 1e6f, 1.0f).empty());
}

TEST(WallIndex, sees_a_wall_that_comes_fast_from_farther_away)
{
    Walls walls;
    walls.add(WallKind::thin, {{5, -1}, {5, 1}}, 0, {-3, 0});
    walls.build();
    EXPECT_TRUE(walls.found(0.0f, 0.0f, 0, 1.0f, 1.0f).empty());
    EXPECT_EQ(walls.found(0.0f, 0.0f, 0, 2.0f, 1.0f).size(), 1u);
}

TEST(WallIndex, shows_an_agent_one_of_the_two_ways_of_a_thin_wall)
{
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        const Vec2 a = random.in_box(50.0);
        const Vec2 b = random.in_box(50.0);
        Walls walls;
        walls.add(WallKind::thin, {a, b});
        walls.build();
        // As nearly in line with it as rounding allows, on it or beyond its ends.
        const Vec2 p = a + (b - a) * random.uniform(-1.0, 2.0);
        EXPECT_EQ(
            walls.found(static_cast<float>(p.x), static_cast<float>(p.y), 0, 300.0f, 0.0f).size(),
            1u);
    }
}

TEST(WallIndex, measures_distances_and_sides_as_double_does)
{
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        Walls walls;
        walls.add(WallKind::thin, {random.in_box(20.0), random.in_box(20.0)});
        const WallEdgeRow row = edge_row(walls.table.walls[0], 0, random.below(2));
        const auto x = static_cast<float>(random.uniform(-20.0, 20.0));
        const auto y = static_cast<float>(random.uniform(-20.0, 20.0));
        const Vec2 a{row.shape.a.x, row.shape.a.y};
        const Vec2 e = Vec2{row.shape.b.x, row.shape.b.y} - a;
        const Vec2 w = Vec2{x, y} - a;
        const double t = std::clamp(dot(w, e) / dot(e, e), 0.0, 1.0);
        const Vec2 off = w - e * t;
        EXPECT_NEAR(std::sqrt(dist_sq(row, x, y)), std::sqrt(dot(off, off)), 2e-5);
        if (std::fabs(det(e, w)) > 1e-3) {
            EXPECT_EQ(faces(row, x, y), det(e, w) < 0.0);
        }
    }
}

}  // namespace
}  // namespace sidestep
