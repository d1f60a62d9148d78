// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/voronoi.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "analysis/convex_clip.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {
namespace {

/// Cells of all, none for those off the floor.
std::vector<std::optional<VoronoiCell>> cells_of(const std::vector<Vec2>& walkers,
                                                 const std::string& wkt, double cutoff)
{
    const auto floor = read_walkable_area(wkt);
    EXPECT_TRUE(floor) << floor.error().message;
    FloorCutter cutter(*floor);
    VoronoiSites sites;
    sites.build(walkers, cutoff);
    std::vector<std::optional<VoronoiCell>> cells(walkers.size());
    for (std::size_t i = 0; i < walkers.size(); ++i) {
        VoronoiCell cell;
        sites.make_cell(i, cell);
        if (cutter.cut(walkers[i], cell)) cells[i] = cell;
    }
    return cells;
}

std::vector<double> areas_of(const std::vector<Vec2>& walkers, const std::string& wkt,
                             double cutoff)
{
    std::vector<double> areas;
    for (const auto& cell : cells_of(walkers, wkt, cutoff)) {
        areas.push_back(cell ? cell->area() : 0.0);
    }
    return areas;
}

constexpr double kNear = 1e-12;

TEST(VoronoiCell, of_one_walker_alone_is_a_dodecagon_of_three_square_radii)
{
    EXPECT_NEAR(areas_of({{5, 5}}, "", 1.0)[0], 3.0, kNear);
    EXPECT_NEAR(areas_of({{5, 5}}, "", 2.0)[0], 12.0, 4 * kNear);
    const auto cell = *cells_of({{5, 5}}, "", 2.0)[0];
    ASSERT_EQ(cell.ring.size(), kCutoffCorners);
    EXPECT_EQ(cell.ring[0], (Vec2{2, 0}));
    EXPECT_EQ(cell.ring[3], (Vec2{0, 2}));
}

TEST(VoronoiCell, is_half_of_a_square_for_each_of_two_walkers)
{
    const auto areas = areas_of({{1, 2}, {3, 2}}, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))", 100.0);
    EXPECT_NEAR(areas[0], 8.0, kNear);
    EXPECT_NEAR(areas[1], 8.0, kNear);
}

TEST(VoronoiCell, follows_the_bisector_of_unequal_places)
{
    // bisector x = 1.5 of a room 4 wide and 2 high
    const auto areas = areas_of({{0.5, 1}, {2.5, 1}}, "POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0))", 50.0);
    EXPECT_NEAR(areas[0], 3.0, kNear);
    EXPECT_NEAR(areas[1], 5.0, kNear);
}

TEST(VoronoiCell, works_for_walkers_on_one_line)
{
    const auto areas =
        areas_of({{1, 1}, {2, 1}, {4, 1}, {7, 1}}, "POLYGON ((0 0, 8 0, 8 2, 0 2, 0 0))", 50.0);
    EXPECT_NEAR(areas[0], 3.0, kNear);
    EXPECT_NEAR(areas[1], 3.0, kNear);
    EXPECT_NEAR(areas[2], 5.0, kNear);
    EXPECT_NEAR(areas[3], 5.0, kNear);
}

TEST(VoronoiCell, in_a_corner_is_a_quarter_of_the_cut_off)
{
    // At the corner itself, and 0.1 m from both walls.
    const std::string room = "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0))";
    EXPECT_NEAR(areas_of({{0, 0}}, room, 1.0)[0], 0.75, kNear);
    // A quarter, two strips of the dodecagon along the axes, and a square:
    // the strip 0 <= y <= 0.1 right of the axis goes to the edge from (1, 0) to (cos 30, 1/2).
    const double slope = (1.0 - std::sqrt(0.75)) / 0.5;
    const double strip = 0.1 * (1.0 + (1.0 - 0.1 * slope)) / 2.0;
    EXPECT_NEAR(areas_of({{0.1, 0.1}}, room, 1.0)[0], 0.75 + 2.0 * strip + 0.01, kNear);
}

TEST(VoronoiCell, in_a_thin_corridor_is_a_strip)
{
    // 0.5 wide, far narrower than the cut-off: from bisector to bisector.
    const auto areas =
        areas_of({{2, 0.25}, {3, 0.25}, {4, 0.25}}, "POLYGON ((0 0, 9 0, 9 0.5, 0 0.5, 0 0))", 1.5);
    EXPECT_NEAR(areas[1], 0.5, kNear);
}

TEST(VoronoiCell, stays_on_its_own_side_of_a_wall)
{
    // A hairpin: two legs 1 m wide, 0.1 m between them, joined 6 m away. The strip of the dodecagon
    // |y| <= 0.5 ends at its edges from (1.2, 0) to (1.2 cos 30, 0.6) and their mirror images.
    const std::string hairpin = "POLYGON ((0 0, 10 0, 10 2.1, 0 2.1, 0 1.1, 9 1.1, 9 1, 0 1, 0 0))";
    const double slope = 1.2 * (1.0 - std::sqrt(0.75)) / 0.6;
    EXPECT_NEAR(areas_of({{3, 0.5}}, hairpin, 1.2)[0], 4.0 * (0.6 - slope * 0.125), kNear);
    // Two rooms with a wall of 0.1 between: the cell stays in its own.
    const std::string rooms =
        "MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2, 0 0)), ((2.1 0, 4.1 0, 4.1 2, 2.1 2, 2.1 0)))";
    const auto areas = areas_of({{1.9, 1}}, rooms, 40.0);
    EXPECT_NEAR(areas[0], 4.0, kNear);
}

TEST(VoronoiCell, is_the_joined_part_where_a_wall_ends_inside_of_it)
{
    // A wall 0.2 thick from the left side of a square, ending at x = 3 of 4; the walker is below.
    // All of it is joined round the wall's end, less the wall itself.
    const std::string square = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 2.2, 3 2.2, 3 2, 0 2, 0 0))";
    EXPECT_NEAR(areas_of({{1, 1}}, square, 40.0)[0], 16.0 - 0.6, 1e-9);
    // The bisector with one to the right at x = 2 cuts the part above off.
    const auto areas = areas_of({{1, 1}, {3, 1}}, square, 40.0);
    EXPECT_NEAR(areas[0], 4.0, 1e-9);
    EXPECT_NEAR(areas[1], 16.0 - 0.6 - 4.0 - 2.0 * 1.8, 1e-9);
}

TEST(VoronoiCell, goes_round_a_pillar_and_leaves_it_out)
{
    const std::string room =
        "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (2.5 2.5, 3 2.5, 3 3, 2.5 3, 2.5 2.5))";
    const auto cell = cells_of({{2, 2}}, room, 40.0)[0];
    ASSERT_TRUE(cell);
    EXPECT_EQ(cell->holes.size(), 1u);
    EXPECT_NEAR(cell->area(), 15.75, 1e-9);
}

TEST(VoronoiCell, ends_at_a_wall_that_has_a_corner_on_the_way)
{
    // The same wall, once as one edge and once as two.
    const auto one = areas_of({{1, 0.2}}, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))", 1.0);
    const auto two = areas_of({{1, 0.2}}, "POLYGON ((0 0, 1.1 0, 4 0, 4 4, 0 4, 0 0))", 1.0);
    EXPECT_NEAR(one[0], two[0], 1e-12);
}

TEST(VoronoiCell, of_a_walker_off_the_floor_is_none_but_it_shapes_those_of_others)
{
    const std::string room = "POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0))";
    const auto cells = cells_of({{1, 1}, {5, 1}, {90, 90}}, room, 50.0);
    EXPECT_FALSE(cells[1]);
    EXPECT_FALSE(cells[2]);
    ASSERT_TRUE(cells[0]);
    EXPECT_NEAR(cells[0]->area(), 6.0, kNear);  // up to x = 3
}

TEST(VoronoiCell, is_shared_by_walkers_at_one_point)
{
    const auto cells =
        cells_of({{1, 1}, {3, 1}, {1, 1}, {1, 1}}, "POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0))", 50.0);
    for (const std::size_t i : {0u, 2u, 3u}) {
        ASSERT_TRUE(cells[i]);
        EXPECT_EQ(cells[i]->sharers, 3u);
        EXPECT_NEAR(cells[i]->full_area, 4.0, kNear);
        EXPECT_NEAR(cells[i]->area(), 4.0 / 3.0, kNear);
    }
    EXPECT_EQ(cells[1]->sharers, 1u);
    EXPECT_NEAR(cells[1]->area(), 4.0, kNear);
}

TEST(VoronoiCell, is_halved_between_walkers_that_are_nearly_at_one_point)
{
    const auto areas = areas_of({{1.0, 1.0}, {1.0 + 1e-15, 1.0}}, "", 1.0);
    EXPECT_NEAR(areas[0], 1.5, 1e-9);
    EXPECT_NEAR(areas[1], 1.5, 1e-9);
}

TEST(VoronoiCell, of_a_walker_on_the_outline_is_what_lies_on_the_floor)
{
    const std::string room = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))";
    EXPECT_NEAR(areas_of({{2, 0}}, room, 1.0)[0], 1.5, kNear);
    EXPECT_NEAR(areas_of({{4, 2}}, room, 1.0)[0], 1.5, kNear);
}

TEST(VoronoiCell, keeps_its_digits_far_from_the_origin)
{
    const std::string room =
        "POLYGON ((500000 5600000, 500004 5600000, 500004 5600004, 500000 5600004, 500000 "
        "5600000))";
    const auto areas = areas_of({{500001, 5600002}, {500003, 5600002}}, room, 100.0);
    EXPECT_NEAR(areas[0], 8.0, 1e-9);
    EXPECT_NEAR(areas[1], 8.0, 1e-9);
}

TEST(WalkableArea, is_mended_and_united)
{
    // A bow tie, and two overlapping boxes.
    const auto tie = read_walkable_area("POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))");
    ASSERT_TRUE(tie);
    EXPECT_EQ(tie->polygons.size(), 2u);
    const auto boxes = read_walkable_area(
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0)), POLYGON ((1 0, 3 0, 3 2, 1 2, 1 "
        "0)))");
    ASSERT_TRUE(boxes);
    ASSERT_EQ(boxes->polygons.size(), 1u);
    EXPECT_TRUE(boxes->polygons[0].holes.empty());
}

TEST(WalkableArea, without_an_inside_is_an_error_and_of_nothing_an_open_plane)
{
    for (const char* wkt : {"", "POLYGON EMPTY"}) {
        const auto plane = read_walkable_area(wkt);
        ASSERT_TRUE(plane) << wkt;
        EXPECT_TRUE(plane->open_plane) << wkt;
    }
    for (const char* wkt : {"POINT (1 2)", "POLYGON ((0 0, 1 1, 2 2, 0 0))", "POLYGON ((0 0, 1",
                            "nonsense", "POLYGON ((0 0, nan 0, 1 1, 0 0))"}) {
        EXPECT_FALSE(read_walkable_area(wkt)) << wkt;
    }
}

TEST(ClipRing, leaves_the_area_of_what_is_not_convex_right)
{
    // A U, cut below its bottom: two legs of 1 x 1 are left, joined by edges without area.
    std::vector<Vec2> ring{{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    std::vector<Vec2> spare;
    EXPECT_TRUE(clip_ring(ring, {0, -1}, -1.0, spare));
    EXPECT_NEAR(signed_area(ring), 2.0, 1e-15);
    EXPECT_FALSE(clip_ring(ring, {0, -1}, -1.0, spare));
    EXPECT_TRUE(clip_ring(ring, {0, 1}, 0.5, spare));
    EXPECT_TRUE(ring.empty());
}

}  // namespace
}  // namespace sidestep
