// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "support/seeded_random.hpp"
#include "world/agent_table.hpp"
#include "world/wall_index.hpp"

namespace sidestep::test {

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
        ASSERT_TRUE(scratch.reserve(table.edge_count, kLeafRows));
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
inline Walls random_walls(SeededRandom& random, std::size_t count, double size, Vec2 centre)
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

}  // namespace sidestep::test
