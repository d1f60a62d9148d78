// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The wall cases that a step uses and that `solve` does not show: pushing, moving walls, both
// copies of thin walls.
#include "constraints/wall_lines-inl.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

namespace lane = HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 1>;

struct Line {
    Vec2 q, n;
    bool exists, contact;
};

Line line_of(const WallEdge<double>& edge, Vec2 p, Vec2 v, double r, double tau_o, double push_time,
             Vec2 o = {})
{
    const D d;
    const auto e = lane::broadcast_edge(d, edge, Point<double>{o.x, o.y});
    const auto at = lane::set2(d, p.x, p.y);
    const auto l = lane::wall_line(d, e, at, lane::set2(d, v.x, v.y), hn::Set(d, r),
                                   hn::Set(d, tau_o), hn::Set(d, push_time), lane::faces(d, e, at));
    return {{hn::GetLane(l.point.x), hn::GetLane(l.point.y)},
            {hn::GetLane(l.normal.x), hn::GetLane(l.normal.y)},
            !hn::AllFalse(d, l.exists),
            !hn::AllFalse(d, l.contact)};
}

std::vector<WallEdge<double>> thin(Vec2 a, Vec2 b)
{
    const Vec2 ends[] = {a, b};
    return *make_wall_edges(WallKind::thin, ends);
}

TEST(WallLines, push_an_agent_out_of_the_band_within_the_push_time)
{
    const auto wall = thin({-2, 0}, {2, 0});
    const Line above = line_of(wall[1], {0, 0.3}, {0, -1}, 0.5, 1, 0.1);
    ASSERT_TRUE(above.exists);
    EXPECT_TRUE(above.contact);
    EXPECT_EQ(above.n, (Vec2{0, 1}));
    EXPECT_NEAR(above.q.y, 2.0, 1e-12);  // 0.2 m in 0.1 s
    const Line end = line_of(wall[0], {2.3, 0}, {-1, 0}, 0.5, 1, 0.1);
    ASSERT_TRUE(end.exists);
    EXPECT_DOUBLE_EQ(end.n.x, 1.0);
    EXPECT_NEAR(end.q.x, 2.0, 1e-12);
    const Line touching = line_of(wall[1], {0, 0.5}, {0, -1}, 0.5, 1, 0.1);
    EXPECT_DOUBLE_EQ(touching.q.y, 0.0);
}

TEST(WallLines, push_an_agent_that_stands_on_the_wall_to_its_right_side)
{
    const auto wall = thin({-2, 0}, {2, 0});
    const Line first = line_of(wall[0], {0.5, 0}, {0, 0}, 0.5, 1, 0.1);
    ASSERT_TRUE(first.exists);
    EXPECT_EQ(first.n, (Vec2{0, -1}));
    EXPECT_DOUBLE_EQ(first.q.y, -5.0);
    EXPECT_FALSE(line_of(wall[1], {0.5, 0}, {0, 0}, 0.5, 1, 0.1).exists);
}

TEST(WallLines, exactly_one_copy_of_a_thin_wall_faces_an_agent)
{
    const D d;
    for (int k = 0; k < 2000; ++k) {
        const Vec2 a{2.9 + 0.001 * k, 0.3};
        const Vec2 b{-2.4, 2.2 + 0.0007 * k};
        const auto wall = thin(a, b);
        for (const double s : {-0.3, -0.1, 0.2, 0.5, 1.1, 1.7}) {  // all nearly in line with it
            const Vec2 p = a + (b - a) * s;
            const auto at = lane::set2(d, p.x, p.y);
            const bool first =
                !hn::AllFalse(d, lane::faces(d, lane::broadcast_edge(d, wall[0]), at));
            const bool second =
                !hn::AllFalse(d, lane::faces(d, lane::broadcast_edge(d, wall[1]), at));
            ASSERT_NE(first, second) << k << ' ' << s;
        }
    }
}

TEST(WallLines, of_a_moving_wall_are_those_of_a_wall_at_rest_in_its_frame)
{
    const Vec2 loop[] = {{-1, 2}, {1, 2}, {1, 4}, {-1, 4}};
    const auto edges = *make_wall_edges(WallKind::solid, loop);
    const Vec2 o{0.4, -0.7};
    for (const auto& edge : edges) {
        for (const Vec2 v : {Vec2{0, 1}, Vec2{1.5, 0.5}, Vec2{-1, 2}}) {
            const Line rest = line_of(edge, {0.3, 1}, v - o, 0.4, 2, 0.1);
            const Line moving = line_of(edge, {0.3, 1}, v, 0.4, 2, 0.1, o);
            ASSERT_EQ(rest.exists, moving.exists);
            if (!rest.exists) continue;
            EXPECT_NEAR(moving.n.x, rest.n.x, 1e-12);
            EXPECT_NEAR(moving.q.x, rest.q.x + o.x, 1e-12);
            EXPECT_NEAR(moving.q.y, rest.q.y + o.y, 1e-12);
        }
    }
    // A wall that comes nearer pushes: the agent in contact has to move with it at least.
    const Line contact = line_of(edges[0], {0, 1.6}, {0, 0}, 0.4, 2, 0.0, o);
    EXPECT_TRUE(contact.contact);
    EXPECT_NEAR(contact.q.y, -0.7, 1e-12);
}

TEST(WallLines, about_the_walls_own_velocity_allow_to_move_with_it)
{
    const auto wall = thin({-1, 2}, {1, 2});
    const Vec2 o{0.5, -1};
    for (const Vec2 p : {Vec2{0, 0}, Vec2{-3, 1.9}, Vec2{1.2, 1}}) {
        const Line l = line_of(wall[0], p, o, 0.4, 1, 0.1, o);
        if (!l.exists) continue;
        EXPECT_GE(dot(o - l.q, l.n), -1e-12);
    }
}

TEST(WallLines, gathered_edges_equal_broadcast_ones)
{
    const Vec2 loop[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    const auto edges = *make_wall_edges(WallKind::solid, loop);
    const D d;
    for (const auto& edge : edges) {
        const WallEdge<double>* one[] = {&edge};
        const Point<double> velocity[] = {{0.25, -1}};
        const auto gathered = lane::gather_edges(d, one, velocity);
        const auto expected = lane::broadcast_edge(d, edge, velocity[0]);
        EXPECT_EQ(hn::GetLane(gathered.a.x), hn::GetLane(expected.a.x));
        EXPECT_EQ(hn::GetLane(gathered.next_dir.y), hn::GetLane(expected.next_dir.y));
        EXPECT_EQ(hn::GetLane(gathered.velocity.y), -1.0);
        EXPECT_EQ(hn::AllFalse(d, gathered.a_convex), !edge.a_convex);
        EXPECT_EQ(hn::AllFalse(d, gathered.b_convex), !edge.b_convex);
        EXPECT_EQ(hn::AllFalse(d, gathered.second_copy), true);
    }
}

TEST(ObstacleLines, a_room_keeps_its_agents_in)
{
    const std::vector<WallPolygon> room{{{0, 0}, {0, 4}, {4, 4}, {4, 0}}};  // clockwise
    const auto lines = obstacle_lines({2, 2}, {0, 0}, 0.5, 1.0, room);
    ASSERT_TRUE(lines);
    ASSERT_EQ(lines->size(), 4u);
    for (const HalfPlane& l : *lines) {
        EXPECT_TRUE(l.hard);
        EXPECT_NEAR(dot(l.normal, l.point), -1.5, 1e-12);
    }
}

TEST(ObstacleLines, only_walls_in_range_count)
{
    const std::vector<WallPolygon> walls{{{-1, 3}, {1, 3}}, {{-1, -5}, {1, -5}}};
    EXPECT_EQ(obstacle_lines({0, 0}, {0, 1}, 0.5, 1, walls)->size(), 2u);
    EXPECT_EQ(obstacle_lines({0, 0}, {0, 1}, 0.5, 1, walls, 3.0)->size(), 1u);
    EXPECT_EQ(obstacle_lines({0, 0}, {0, 1}, 0.5, 1, walls, 2.9)->size(), 0u);
}

TEST(ObstacleLines, an_agent_inside_a_block_gets_no_line_and_a_bad_polygon_is_an_error)
{
    const std::vector<WallPolygon> block{{{0, 0}, {4, 0}, {4, 4}, {0, 4}}};
    EXPECT_TRUE(obstacle_lines({2, 2}, {0, 1}, 0.5, 1, block)->empty());
    const std::vector<WallPolygon> bow_tie{{{0, 0}, {2, 2}, {2, 0}, {0, 2}}};
    const auto error = obstacle_lines({5, 5}, {0, 1}, 0.5, 1, bow_tie);
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().message.substr(0, 17), "polygon 0: edge 0");
}

}  // namespace
}  // namespace sidestep
