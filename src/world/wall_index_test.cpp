// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/wall_index.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

using test::SeededRandom;

/// Which edge: wall, number in the wall.
using EdgeName = std::pair<std::uint32_t, std::uint32_t>;

/// Walls without a world around them, and their index.
struct Walls {
    WallTable table;
    WallIndex index;
    WallScratch scratch;

    void add(WallKind kind, const std::vector<Vec2>& vertices, std::uint16_t level = 0,
             Vec2 velocity = {})
    {
        std::vector<Vec2> rounded;
        for (const Vec2& v : vertices)
            rounded.push_back({static_cast<float>(v.x), static_cast<float>(v.y)});
        auto edges = make_wall_edges(kind, rounded);
        if (!edges) return;  // a random outline that crosses itself
        Wall wall;
        wall.live = true;
        wall.kind = kind;
        wall.level = level;
        wall.velocity = velocity;
        wall.vertices = rounded;
        wall.set_edges(*std::move(edges));
        table.edge_count += wall.edges.size();
        table.walls.push_back(std::move(wall));
    }

    void build()
    {
        ASSERT_TRUE(reserve(index, table.edge_count));
        ASSERT_TRUE(scratch.hits.reserve(table.edge_count));
        rebuild(index, table);
    }

    std::vector<EdgeName> found(float x, float y, std::uint16_t level, float reach, float horizon)
    {
        find_walls(index, x, y, level, reach, horizon, scratch);
        std::vector<EdgeName> names;
        for (const WallHit& hit : scratch.hits)
            names.emplace_back(index.edges[hit.row].wall, index.edges[hit.row].number);
        return names;
    }

    /// The same by looking at every edge of the table, and at the numbers that the contract names.
    std::vector<EdgeName> expected(float x, float y, std::uint16_t level, float reach,
                                   float horizon) const
    {
        std::vector<std::tuple<float, std::uint32_t, std::uint32_t>> in_reach;
        for (std::uint32_t w = 0; w < table.walls.size(); ++w) {
            const Wall& wall = table.walls[w];
            if (!wall.live || wall.level != level) continue;
            for (std::uint32_t i = 0; i < wall.edges.size(); ++i) {
                const WallEdgeRow row = edge_row(wall, w, i);
                const float speed =
                    std::sqrt(row.velocity.x * row.velocity.x + row.velocity.y * row.velocity.y);
                const float own_reach = reach + horizon * speed;
                const float distance = dist_sq(row, x, y);
                if (faces(row, x, y) && distance <= own_reach * own_reach)
                    in_reach.emplace_back(distance, w, i);
            }
        }
        std::sort(in_reach.begin(), in_reach.end());
        std::vector<EdgeName> names;
        for (const auto& [distance, w, i] : in_reach) names.emplace_back(w, i);
        return names;
    }
};

/// Blocks, rooms and thin walls on three levels about a centre; a tenth of them moves, a tenth is
/// gone again.
Walls random_walls(SeededRandom& random, std::size_t count, double size, Vec2 centre)
{
    Walls walls;
    for (std::size_t i = 0; i < count; ++i) {
        const auto level = static_cast<std::uint16_t>(random.below(3));
        const Vec2 velocity = random.chance(0.1) ? random.in_box(5.0) : Vec2{};
        Vec2 at = centre + random.in_box(size);
        if (random.chance(0.3))
            at = {std::round(at.x), std::round(at.y)};  // walls that share corners and lines
        if (random.chance(0.4)) {
            const Vec2 to =
                random.chance(0.5) ? at + Vec2{1.0, 0.0} : at + random.in_box(0.4 * size + 0.5);
            walls.add(WallKind::thin, {at, to}, level, velocity);
        } else {
            const double s = random.uniform(0.1, 0.2 * size + 0.2);
            const std::vector<Vec2> outline = {at, at + Vec2{s, 0}, at + Vec2{s, s},
                                               at + Vec2{0.4 * s, 0.3 * s}, at + Vec2{0, s}};
            walls.add(random.chance(0.2) ? WallKind::room : WallKind::solid, outline, level,
                      velocity);
        }
    }
    for (Wall& wall : walls.table.walls) {
        if (!random.chance(0.1)) continue;
        wall.live = false;
        walls.table.edge_count -= wall.edges.size();
    }
    return walls;
}

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
