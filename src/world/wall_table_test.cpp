// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/wall_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

using test::SeededRandom;

Wall make_wall(WallKind kind, const std::vector<Vec2>& vertices)
{
    Wall wall;
    wall.live = true;
    wall.kind = kind;
    wall.vertices = vertices;
    auto edges = make_wall_edges(kind, vertices);
    EXPECT_TRUE(edges);
    if (edges) wall.set_edges(*std::move(edges));
    return wall;
}

const std::vector<Vec2> kAngle = {{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 4}, {0, 4}};

TEST(WallTable, knows_what_is_inside_a_solid_with_a_concave_corner)
{
    const Wall wall = make_wall(WallKind::solid, kAngle);
    EXPECT_TRUE(inside_solid(wall, 0.5f, 0.5f));
    EXPECT_TRUE(inside_solid(wall, 3.5f, 0.5f));
    EXPECT_TRUE(inside_solid(wall, 0.5f, 3.5f));
    EXPECT_FALSE(inside_solid(wall, 2.0f, 2.0f));
    EXPECT_FALSE(inside_solid(wall, -0.5f, 0.5f));
    EXPECT_FALSE(inside_solid(wall, 4.5f, 0.5f));
    EXPECT_FALSE(inside_solid(wall, 2.0f, 1.0f + 1e-6f));
    EXPECT_TRUE(inside_solid(wall, 2.0f, 1.0f - 1e-6f));
}

TEST(WallTable, knows_it_whatever_way_round_the_vertices_were_given)
{
    const std::vector<Vec2> reversed(kAngle.rbegin(), kAngle.rend());
    const Wall one = make_wall(WallKind::solid, kAngle);
    const Wall other = make_wall(WallKind::solid, reversed);
    SeededRandom random(3);
    for (int i = 0; i < 2000; ++i) {
        const auto x = static_cast<float>(random.uniform(-1.0, 5.0));
        const auto y = static_cast<float>(random.uniform(-1.0, 5.0));
        const bool in_angle = x > 0 && y > 0 && x < 4 && y < 4 && (x < 1 || y < 1);
        EXPECT_EQ(inside_solid(one, x, y), in_angle) << x << ", " << y;
        EXPECT_EQ(inside_solid(other, x, y), in_angle) << x << ", " << y;
    }
}

TEST(WallTable, keeps_the_free_side_of_every_edge_to_the_right)
{
    // A step to the right of an edge's middle is outside a solid and inside a room.
    for (const WallKind kind : {WallKind::solid, WallKind::room}) {
        const Wall wall = make_wall(kind, kAngle);
        const Wall solid = make_wall(WallKind::solid, kAngle);
        for (std::size_t i = 0; i < wall.edges.size(); ++i) {
            const WallEdgeRow row = edge_row(wall, 7, i);
            EXPECT_EQ(row.wall, 7u);
            EXPECT_EQ(row.number, i);
            const float x = 0.5f * (row.shape.a.x + row.shape.b.x) + 0.1f * row.shape.direction.y;
            const float y = 0.5f * (row.shape.a.y + row.shape.b.y) - 0.1f * row.shape.direction.x;
            EXPECT_EQ(inside_solid(solid, x, y), kind == WallKind::room) << "edge " << i;
        }
    }
}

TEST(WallTable, moves_edges_and_inside_along_with_a_body)
{
    Wall wall = make_wall(WallKind::solid, kAngle);
    wall.velocity = {1.5, -0.5};
    wall.moved = {10.0, -20.0};
    EXPECT_FALSE(inside_solid(wall, 0.5f, 0.5f));
    EXPECT_TRUE(inside_solid(wall, 10.5f, -19.5f));
    const WallEdgeRow row = edge_row(wall, 0, 0);
    EXPECT_EQ(row.shape.a.x, 10.0f);
    EXPECT_EQ(row.shape.a.y, -20.0f);
    EXPECT_EQ(row.shape.b.x, 14.0f);
    EXPECT_EQ(row.velocity.x, 1.5f);
    EXPECT_EQ(row.velocity.y, -0.5f);
}

TEST(WallTable, answers_for_a_place_only_with_live_solids_of_its_level)
{
    WallTable table;
    table.walls.push_back(make_wall(WallKind::room, kAngle));
    table.walls.push_back(make_wall(WallKind::solid, kAngle));
    table.walls[1].level = 2;
    EXPECT_EQ(solid_wall_around(table, 0.5f, 0.5f, 0), nullptr);
    EXPECT_EQ(solid_wall_around(table, 0.5f, 0.5f, 2), &table.walls[1]);
    table.walls[1].live = false;
    EXPECT_EQ(solid_wall_around(table, 0.5f, 0.5f, 2), nullptr);
}

TEST(WallTable, forgets_a_handle_with_the_wall)
{
    WallTable table;
    table.walls.push_back(make_wall(WallKind::solid, kAngle));
    EXPECT_EQ(table.find({0, 0}), &table.walls[0]);
    EXPECT_EQ(table.find({0, 1}), nullptr);
    EXPECT_EQ(table.find({1, 0}), nullptr);
    EXPECT_EQ(table.find({}), nullptr);
    table.walls[0].live = false;
    EXPECT_EQ(table.find({0, 0}), nullptr);
}

}  // namespace
}  // namespace sidestep
