// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "perception/look.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "support/agent_tables.hpp"

namespace sidestep {
namespace {

/// One observer at (1, 1) of level 1, with walls about it.
class LookTest : public ::testing::Test {
protected:
    LookTest() : table_(1, 0, 1)
    {
        table_.add_profile(0, 0.2f, 0.0f, 50.0f, 10.0f);
        table_.add({.id = 5, .x = 1.0f, .y = 1.0f, .level = 1});
        if (!table_.agents.heading_x.reserve(kLeafRows) ||
            !table_.agents.heading_y.reserve(kLeafRows))
            throw std::bad_alloc();
        table_.agents.heading_x.resize(kLeafRows, 0.0f);
        table_.agents.heading_y.resize(kLeafRows, 0.0f);
    }

    void face(float x, float y)
    {
        table_.agents.heading_x[0] = x;
        table_.agents.heading_y[0] = y;
    }

    /// Vertices are relative to the observer.
    void add_wall(WallKind kind, std::vector<Vec2> vertices, std::uint16_t level = 1)
    {
        for (Vec2& vertex : vertices) vertex = {vertex.x + 1.0, vertex.y + 1.0};
        Wall wall;
        wall.live = true;
        wall.kind = kind;
        wall.level = level;
        auto edges = make_wall_edges(kind, vertices);
        if (!edges) throw std::runtime_error(edges.error().message);
        wall.set_edges(std::move(*edges));
        walls_.walls.push_back(std::move(wall));
    }

    /// What it makes of somebody of radius 0.25 at this place, relative to itself.
    Sighting at(double x, double y, float fov_deg = 360.0f, Sight sight = Sight::centre)
    {
        WallIndex index;
        Column<std::uint32_t> edges;
        if (!reserve(index, 100) || !edges.reserve(100)) throw std::bad_alloc();
        rebuild(index, walls_);
        Look look(table_.agents, {0.0f, fov_deg, sight}, 0, index, edges);
        const Target target{static_cast<float>(1.0 + x), static_cast<float>(1.0 + y), 0.25f};
        look.gather(1, [&](std::size_t) { return target; });
        return look.at(target);
    }

    test::TestTable table_;
    WallTable walls_;
};

TEST_F(LookTest, the_edge_of_the_field_of_view_is_in_view)
{
    face(0.0f, 1.0f);
    EXPECT_EQ(at(2.0, 2.0, 90.0f), Sighting::seen);
    EXPECT_EQ(at(-2.0, 2.0, 90.0f), Sighting::seen);
    EXPECT_EQ(at(2.0, 1.999, 90.0f), Sighting::out_of_view);
    EXPECT_EQ(at(-2.0, 1.999, 90.0f), Sighting::out_of_view);
    EXPECT_EQ(at(3.0, 0.0, 180.0f), Sighting::seen);
    EXPECT_EQ(at(3.0, -0.001, 180.0f), Sighting::out_of_view);
    EXPECT_EQ(at(2.0, -2.0, 270.0f), Sighting::seen);
    EXPECT_EQ(at(1.999, -2.0, 270.0f), Sighting::out_of_view);
    EXPECT_EQ(at(0.0, -2.0, 359.0f), Sighting::out_of_view);
    EXPECT_EQ(at(0.0, -2.0, 360.0f), Sighting::seen);
}

TEST_F(LookTest, a_field_of_view_of_nothing_shows_what_is_straight_ahead)
{
    face(0.3f, 0.0f);
    EXPECT_EQ(at(4.0, 0.0, 0.0f), Sighting::seen);
    EXPECT_EQ(at(4.0, 0.001, 0.0f), Sighting::out_of_view);
    EXPECT_EQ(at(-4.0, 0.0, 0.0f), Sighting::out_of_view);
}

TEST_F(LookTest, without_a_heading_and_at_the_same_place_everybody_is_in_view)
{
    EXPECT_EQ(at(-3.0, 1.0, 10.0f), Sighting::seen);
    face(1.0f, 0.0f);
    EXPECT_EQ(at(0.0, 0.0, 10.0f), Sighting::seen);
    EXPECT_EQ(at(-3.0, 1.0, 10.0f), Sighting::out_of_view);
}

TEST_F(LookTest, a_wall_across_the_line_of_sight_hides)
{
    add_wall(WallKind::thin, {{2.0, -1.0}, {2.0, 1.0}});
    EXPECT_EQ(at(4.0, 0.0), Sighting::behind_wall);
    EXPECT_EQ(at(1.5, 0.0), Sighting::seen);
    EXPECT_EQ(at(-4.0, 0.0), Sighting::seen);
    EXPECT_EQ(at(4.0, 0.0, 360.0f, Sight::through_walls), Sighting::seen);
}

TEST_F(LookTest, the_end_of_a_wall_hides_who_is_exactly_behind_it)
{
    add_wall(WallKind::thin, {{2.0, 1.0}, {2.0, 3.0}});
    EXPECT_EQ(at(4.0, 2.0), Sighting::behind_wall);  // through (2, 1)
    EXPECT_EQ(at(4.0, 1.999), Sighting::seen);
    EXPECT_EQ(at(2.0, 2.0), Sighting::behind_wall);  // on the wall
}

TEST_F(LookTest, a_wall_in_line_with_the_line_of_sight_hides_nobody)
{
    add_wall(WallKind::thin, {{1.0, 0.0}, {3.0, 0.0}});
    EXPECT_EQ(at(4.0, 0.0), Sighting::seen);
    EXPECT_EQ(at(4.0, 0.1), Sighting::seen);
    EXPECT_EQ(at(2.0, 0.0), Sighting::seen);
    add_wall(WallKind::thin, {{1.0, 0.0}, {3.0, 0.5}});
    EXPECT_EQ(at(4.0, 0.0), Sighting::behind_wall);  // the second one begins on the line
}

TEST_F(LookTest, a_solid_wall_hides_and_its_inside_is_not_seen)
{
    add_wall(WallKind::solid, {{1.0, -1.0}, {2.0, -1.0}, {2.0, 1.0}, {1.0, 1.0}});
    EXPECT_EQ(at(3.0, 0.0), Sighting::behind_wall);
    EXPECT_EQ(at(0.5, 3.0), Sighting::seen);
    EXPECT_EQ(at(3.0, 3.0), Sighting::behind_wall);  // its corner touches the line
}

TEST_F(LookTest, a_wall_of_another_level_hides_nobody)
{
    add_wall(WallKind::thin, {{2.0, -1.0}, {2.0, 1.0}}, 0);
    EXPECT_EQ(at(4.0, 0.0), Sighting::seen);
}

TEST_F(LookTest, one_shoulder_is_enough_to_see_the_body)
{
    add_wall(WallKind::thin, {{2.0, -0.1}, {2.0, 3.0}});
    EXPECT_EQ(at(4.0, 0.0), Sighting::behind_wall);
    // The right shoulder, at (4, -0.25), is seen past the end of the wall: its line passes at
    // -0.125.
    EXPECT_EQ(at(4.0, 0.0, 360.0f, Sight::body), Sighting::seen);
    EXPECT_EQ(at(4.0, 0.1, 360.0f, Sight::body), Sighting::behind_wall);
}

TEST_F(LookTest, the_left_shoulder_counts_as_well)
{
    add_wall(WallKind::thin, {{2.0, 0.1}, {2.0, -3.0}});
    EXPECT_EQ(at(4.0, 0.0, 360.0f, Sight::body), Sighting::seen);
    EXPECT_EQ(at(4.0, -0.1, 360.0f, Sight::body), Sighting::behind_wall);
}

TEST_F(LookTest, a_shoulder_beside_a_wall_is_found_where_centres_are_not_near_it)
{
    // Both centres are clear of the box of this wall; only the line to the shoulder meets it.
    add_wall(WallKind::thin, {{3.0, -0.4}, {3.0, 0.1}});
    add_wall(WallKind::thin, {{3.0, 0.15}, {3.0, 0.9}});
    EXPECT_EQ(at(4.0, 0.0, 360.0f, Sight::body), Sighting::behind_wall);
    EXPECT_EQ(at(4.0, 0.16, 360.0f, Sight::body), Sighting::seen);  // the centre, through the gap
}

}  // namespace
}  // namespace sidestep
