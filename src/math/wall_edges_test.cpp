// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "math/wall_edges.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace sidestep {
namespace {

using Loop = std::vector<Vec2>;

const Loop kSquare{{0, 0}, {2, 0}, {2, 2}, {0, 2}};                 // counter-clockwise
const Loop kAngle{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};  // concave at (1, 1)

std::string error_of(WallKind kind, const Loop& loop)
{
    const auto edges = make_wall_edges(kind, loop);
    return edges ? "none" : edges.error().message;
}

TEST(WallEdges, keep_the_free_side_to_the_right_whatever_the_order_of_the_vertices)
{
    const Loop reversed(kSquare.rbegin(), kSquare.rend());
    for (const Loop& loop : {kSquare, reversed}) {
        for (const WallKind kind : {WallKind::solid, WallKind::room}) {
            const auto edges = make_wall_edges(kind, loop);
            ASSERT_TRUE(edges);
            ASSERT_EQ(edges->size(), 4u);
            for (const WallEdge<double>& e : *edges) {
                // The centre (1, 1) is to the left of a solid's edges and to the right of a room's.
                const double side = (e.b.x - e.a.x) * (1 - e.a.y) - (e.b.y - e.a.y) * (1 - e.a.x);
                EXPECT_EQ(side > 0, kind == WallKind::solid);
                EXPECT_EQ(e.a_convex, kind == WallKind::solid);
                EXPECT_EQ(e.b_convex, kind == WallKind::solid);
                EXPECT_FALSE(e.second_copy);
            }
        }
    }
}

TEST(WallEdges, know_their_neighbours_and_concave_corners)
{
    const auto edges = make_wall_edges(WallKind::solid, kAngle);
    ASSERT_TRUE(edges);
    ASSERT_EQ(edges->size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
        const WallEdge<double>& e = (*edges)[i];
        const WallEdge<double>& next = (*edges)[(i + 1) % 6];
        EXPECT_EQ(e.b.x, next.a.x);
        EXPECT_EQ(e.next_dir.x, next.direction.x);
        EXPECT_EQ(e.next_dir.y, next.direction.y);
        EXPECT_EQ(next.prev_dir.x, e.direction.x);
        EXPECT_EQ(e.b_convex, next.a_convex);
        EXPECT_EQ(e.a_convex, i != 3);
        EXPECT_DOUBLE_EQ(std::hypot(e.direction.x, e.direction.y), 1.0);
    }
}

TEST(WallEdges, of_a_thin_wall_run_both_ways_with_convex_ends)
{
    const auto edges = make_wall_edges(WallKind::thin, Loop{{1, 1}, {4, 5}});
    ASSERT_TRUE(edges);
    ASSERT_EQ(edges->size(), 2u);
    const WallEdge<double>& there = (*edges)[0];
    const WallEdge<double>& back = (*edges)[1];
    EXPECT_EQ(there.direction.x, 0.6);
    EXPECT_EQ(there.direction.y, 0.8);
    EXPECT_EQ(there.next_dir.x, -0.6);
    EXPECT_EQ(there.prev_dir.y, -0.8);
    EXPECT_EQ(back.a.x, there.b.x);
    EXPECT_EQ(back.direction.x, -0.6);
    EXPECT_TRUE(there.a_convex && there.b_convex && back.a_convex && back.b_convex);
    EXPECT_FALSE(there.second_copy);
    EXPECT_TRUE(back.second_copy);
}

TEST(WallEdges, count_a_straight_vertex_as_convex)
{
    const auto edges =
        make_wall_edges(WallKind::solid, Loop{{-2, 2}, {0, 2}, {2, 2}, {2, 4}, {-2, 4}});
    ASSERT_TRUE(edges);
    EXPECT_TRUE((*edges)[0].b_convex);
}

TEST(WallEdges, have_unit_directions_for_tiny_and_huge_walls)
{
    for (const double size : {1e-200, 1e-12, 1.0, 1e12, 1e60}) {
        const auto edges = make_wall_edges(WallKind::thin, Loop{{0, 0}, {3 * size, 4 * size}});
        ASSERT_TRUE(edges);
        EXPECT_NEAR((*edges)[0].direction.x, 0.6, 1e-15) << size;
        EXPECT_NEAR((*edges)[0].direction.y, 0.8, 1e-15) << size;
    }
}

TEST(WallEdges, infer_the_kind_from_the_vertices)
{
    EXPECT_EQ(infer_wall_kind(kSquare), WallKind::solid);
    EXPECT_EQ(infer_wall_kind(Loop(kSquare.rbegin(), kSquare.rend())), WallKind::room);
    EXPECT_EQ(infer_wall_kind(Loop{{0, 0}, {1, 0}}), WallKind::thin);
}

TEST(WallEdges, reject_what_is_no_wall_and_say_where)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(error_of(WallKind::solid, {}), "a polygon has at least 3 vertices, got 0");
    EXPECT_EQ(error_of(WallKind::room, {{0, 0}, {1, 0}}),
              "a polygon has at least 3 vertices, got 2");
    EXPECT_EQ(error_of(WallKind::thin, {{0, 0}}), "a thin wall has 2 vertices, got 1");
    EXPECT_EQ(error_of(WallKind::thin, kSquare), "a thin wall has 2 vertices, got 4");
    EXPECT_EQ(error_of(WallKind::thin, {{1, 2}, {1, 2}}), "edge 0 has no length at (1, 2)");
    EXPECT_EQ(error_of(WallKind::solid, {{0, 0}, {1, 0}, {1, 1}, {0, 0}}),
              "edge 3 has no length at (0, 0)");
    EXPECT_EQ(error_of(WallKind::solid, {{0, 0}, {nan, 0}, {1, 1}}),
              "vertex 1 is not finite: (nan, 0)");
    EXPECT_EQ(error_of(WallKind::thin, {{-1.7e308, 0}, {1.7e308, 0}}),
              "vertex 0 is too far out: (-1.7e+308, 0)");
}

TEST(WallEdges, reject_loops_that_cross_touch_or_fold_back)
{
    // A bow tie.
    EXPECT_EQ(error_of(WallKind::solid, {{0, 0}, {2, 2}, {2, 0}, {0, 2}}),
              "edge 0 from (0, 0) to (2, 2) meets edge 2 from (2, 0) to (0, 2)");
    // A vertex on another edge.
    EXPECT_EQ(error_of(WallKind::solid, {{0, 0}, {4, 0}, {4, 3}, {2, 0}, {0, 3}}),
              "edge 0 from (0, 0) to (4, 0) meets edge 3 from (2, 0) to (0, 3)");
    // Neighbours on top of each other, and a polygon without area.
    EXPECT_EQ(error_of(WallKind::solid, {{0, 0}, {4, 0}, {2, 0}, {2, 3}}),
              "edge 0 and edge 1 lie on each other at (4, 0)");
    EXPECT_NE(error_of(WallKind::solid, {{0, 0}, {1, 1}, {2, 2}}), "none");
    // Edges that lie on each other without being neighbours.
    EXPECT_NE(
        error_of(WallKind::solid, {{0, 0}, {4, 0}, {4, 2}, {3, 2}, {3, 0}, {1, 0}, {1, 2}, {0, 2}}),
        "none");
    // A concave corner is fine.
    EXPECT_EQ(error_of(WallKind::solid, kAngle), "none");
}

TEST(WallEdges, accept_a_large_polygon_quickly)
{
    Loop ring;
    for (int i = 0; i < 20000; ++i)
        ring.push_back({100 * std::cos(i * 3.14159e-4), 100 * std::sin(i * 3.14159e-4)});
    EXPECT_TRUE(make_wall_edges(WallKind::solid, ring));
}

}  // namespace
}  // namespace sidestep
