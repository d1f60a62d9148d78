// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/voronoi.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "analysis/measure_shape.hpp"
#include "floorplan/floorplan.hpp"
#include "floorplan/geos.hpp"
#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

using test::SeededRandom;

/// A room with everything in it: pillars, walls that end in it, rooms beside it, slanted by chance.
std::string random_room(SeededRandom& random, double side)
{
    const GeosContext geos;
    const double angle = random.chance(0.5) ? 0.0 : random.uniform(0.0, 1.5);
    const Vec2 shift = random.chance(0.5) ? Vec2{} : random.in_box(3000.0);
    const auto place = [&](double x, double y) {
        return Vec2{x * std::cos(angle) - y * std::sin(angle),
                    x * std::sin(angle) + y * std::cos(angle)} +
               shift;
    };
    const auto box = [&](double x0, double y0, double x1, double y1) {
        return geos.make_polygon(
            std::array<Vec2, 4>{place(x0, y0), place(x1, y0), place(x1, y1), place(x0, y1)});
    };
    Geometry floor = box(0, 0, side, side);
    const std::size_t walls = random.below(12);
    for (std::size_t i = 0; i < walls; ++i) {
        const double x = random.uniform(-1.0, side), y = random.uniform(-1.0, side);
        const double thick = random.log_uniform(0.002, 0.6), length = random.uniform(0.2, 4.0);
        const bool is_upright = random.chance(0.5);
        const Geometry wall =
            is_upright ? box(x, y, x + thick, y + length) : box(x, y, x + length, y + thick);
        floor = geos.own(GEOSDifference_r(geos.get(), floor.get(), wall.get()));
    }
    return to_wkt(geos.polygons_of(floor.get()));
}

std::vector<Vec2> random_crowd(SeededRandom& random, const WalkableArea& floor, std::size_t count)
{
    std::vector<Polygon> polygons = floor.polygons;
    std::vector<Vec2> crowd;
    double low_x = 1e9, low_y = 1e9, high_x = -1e9, high_y = -1e9;
    for (const Polygon& polygon : polygons) {
        for (const Vec2 p : polygon.shell) {
            low_x = std::min(low_x, p.x), high_x = std::max(high_x, p.x);
            low_y = std::min(low_y, p.y), high_y = std::max(high_y, p.y);
        }
    }
    while (crowd.size() < count) {
        const double x = random.uniform(low_x, high_x);
        const Vec2 p{x, random.uniform(low_y, high_y)};
        if (covers(polygons, p)) crowd.push_back(p + floor.origin);
    }
    return crowd;
}

/// The same by the whole diagram of GEOS and two intersections; none where the walker is in none
/// of the parts.
class GeosOracle {
public:
    GeosOracle(const std::vector<Vec2>& crowd, const WalkableArea& floor) : floor_(&floor)
    {
        std::vector<Geometry> points, shapes;
        for (const Vec2 p : crowd) points.push_back(make_point(p - floor.origin));
        for (const Polygon& polygon : floor.polygons) shapes.push_back(geos_.make_polygon(polygon));
        area_ = geos_.collect(GEOS_MULTIPOLYGON, std::move(shapes));
        const Geometry sites = geos_.collect(GEOS_MULTIPOINT, std::move(points));
        const Geometry around = geos_.own(GEOSBuffer_r(geos_.get(), area_.get(), 50.0, 2));
        diagram_ = geos_.own(GEOSVoronoiDiagram_r(geos_.get(), sites.get(), around.get(), 0.0, 0));
    }

    Geometry cell_of(Vec2 walker, double cutoff) const
    {
        const Geometry point = make_point(walker - floor_->origin);
        const Geometry disc = geos_.own(GEOSBuffer_r(geos_.get(), point.get(), cutoff, 3));
        const int cells = GEOSGetNumGeometries_r(geos_.get(), diagram_.get());
        for (int i = 0; i < cells; ++i) {
            const GEOSGeometry* cell = GEOSGetGeometryN_r(geos_.get(), diagram_.get(), i);
            if (GEOSContains_r(geos_.get(), cell, point.get()) != 1) continue;
            const Geometry near = geos_.own(GEOSIntersection_r(geos_.get(), cell, disc.get()));
            const Geometry both =
                geos_.own(GEOSIntersection_r(geos_.get(), near.get(), area_.get()));
            const int parts = GEOSGetNumGeometries_r(geos_.get(), both.get());
            for (int k = 0; k < parts; ++k) {
                const GEOSGeometry* part = GEOSGetGeometryN_r(geos_.get(), both.get(), k);
                if (GEOSCovers_r(geos_.get(), part, point.get()) == 1)
                    return geos_.own(GEOSGeom_clone_r(geos_.get(), part));
            }
        }
        return geos_.own(nullptr);
    }

    double area(const Geometry& shape) const
    {
        double area = 0.0;
        GEOSArea_r(geos_.get(), shape.get(), &area);
        return area;
    }

    double common_area(const Geometry& shape, Polygon other) const
    {
        const auto about_origin = [&](std::vector<Vec2>& ring) {
            for (Vec2& p : ring) p -= floor_->origin;
        };
        about_origin(other.shell);
        for (std::vector<Vec2>& hole : other.holes) about_origin(hole);
        const Geometry polygon = geos_.make_polygon(other);
        const Geometry both =
            geos_.own(GEOSIntersection_r(geos_.get(), shape.get(), polygon.get()));
        return area(both);
    }

private:
    Geometry make_point(Vec2 p) const
    {
        return geos_.own(GEOSGeom_createPointFromXY_r(geos_.get(), p.x, p.y));
    }

    const WalkableArea* floor_;
    GeosContext geos_;
    Geometry area_, diagram_;
};

TEST(Voronoi, cells_of_random_crowds_in_random_rooms_are_those_of_geos)
{
    std::size_t compared = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        const auto floor = read_walkable_area(random_room(random, 8.0));
        ASSERT_TRUE(floor) << floor.error().message;
        const auto crowd = random_crowd(random, *floor, 1 + random.below(60));
        const double cutoff = random.one_of({0.5, 1.0, 1.7, 30.0});
        const GeosOracle oracle(crowd, *floor);
        FloorCutter cutter(*floor);
        VoronoiSites sites;
        sites.build(crowd, cutoff);
        for (std::size_t i = 0; i < crowd.size(); ++i) {
            VoronoiCell cell;
            sites.make_cell(i, cell);
            ASSERT_TRUE(cutter.cut(crowd[i], cell));
            const Geometry expected = oracle.cell_of(crowd[i], cutoff);
            ASSERT_TRUE(expected);
            EXPECT_NEAR(cell.area(), oracle.area(expected), 1e-8) << "walker " << i;
            ++compared;
        }
    }
    EXPECT_GT(compared, 1000u);
}

TEST(Voronoi, cells_fill_the_floor_where_nothing_is_cut_off)
{
    for (std::uint64_t seed = 100; seed < 130; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        const double width = random.log_uniform(0.5, 200.0),
                     height = random.log_uniform(0.5, 200.0);
        const Polygon room{{{0, 0}, {width, 0}, {width, height}, {0, height}}, {}};
        const auto floor = read_walkable_area(to_wkt(std::array<Polygon, 1>{room}));
        ASSERT_TRUE(floor);
        const auto crowd = random_crowd(random, *floor, 1 + random.below(300));
        FloorCutter cutter(*floor);
        VoronoiSites sites;
        sites.build(crowd, 1000.0);
        double sum = 0.0;
        for (std::size_t i = 0; i < crowd.size(); ++i) {
            VoronoiCell cell;
            sites.make_cell(i, cell);
            ASSERT_TRUE(cutter.cut(crowd[i], cell));
            sum += cell.area();
        }
        EXPECT_NEAR(sum / (width * height), 1.0, 1e-11);
    }
}

TEST(Voronoi, shares_of_cells_in_areas_of_any_shape_are_those_of_geos)
{
    const std::array<std::string, 4> shapes{
        "POLYGON ((1 1, 4 1, 4 3, 1 3, 1 1))", "POLYGON ((0.5 0.5, 7 2, 6 6, 1 5, 0.5 0.5))",
        "POLYGON ((1 1, 6 1, 6 2, 2 2, 2 5, 6 5, 6 6, 1 6, 1 1))",
        "POLYGON ((0 0, 8 0, 8 8, 0 8, 0 0), (2 2, 3 5, 5 5, 4 2, 2 2), (6 6, 6 7, 7 7, 7 6, 6 "
        "6))"};
    for (std::uint64_t seed = 200; seed < 216; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        const auto floor = read_walkable_area(
            "POLYGON ((0 0, 8 0, 8 8, 0 8, 0 0), (3 3, 3 4, 5 4, 5 3, 3 3), (1 6, 1.4 6, 1.4 7, 1 "
            "6))");
        ASSERT_TRUE(floor);
        auto shape = MeasureShape::read(shapes[seed % shapes.size()]);
        ASSERT_TRUE(shape) << shape.error().message;
        const auto crowd = random_crowd(random, *floor, 1 + random.below(40));
        const double cutoff = random.one_of({0.8, 2.5});
        const GeosOracle oracle(crowd, *floor);
        FloorCutter cutter(*floor);
        VoronoiSites sites;
        sites.build(crowd, cutoff);
        for (std::size_t i = 0; i < crowd.size(); ++i) {
            VoronoiCell cell;
            sites.make_cell(i, cell);
            ASSERT_TRUE(cutter.cut(crowd[i], cell));
            const Geometry expected = oracle.cell_of(crowd[i], cutoff);
            ASSERT_TRUE(expected);
            EXPECT_NEAR(shape->overlap(cell, crowd[i]),
                        oracle.common_area(expected, shape->polygon()), 1e-9);
        }
    }
}

TEST(Voronoi, tiles_of_a_large_plan_give_the_same_cells_as_the_plan_itself)
{
    // Pillars in a hall: thousands of edges, so that it is cut into tiles many times over.
    SeededRandom random(7);
    Polygon hall{{{0, 0}, {120, 0}, {120, 90}, {0, 90}}, {}};
    for (int i = 0; i < 40; ++i) {
        for (int k = 0; k < 30; ++k) {
            const double x = 1.0 + 2.95 * i + random.uniform(0, 1), y = 1.0 + 2.95 * k;
            const double half = random.uniform(0.05, 0.5);
            hall.holes.push_back({{x - half, y - half},
                                  {x + half, y - half},
                                  {x + half, y + half},
                                  {x - half, y + half}});
        }
    }
    const auto floor = read_walkable_area(to_wkt(std::array<Polygon, 1>{hall}));
    ASSERT_TRUE(floor) << floor.error().message;
    const auto crowd = random_crowd(random, *floor, 400);
    FloorCutter tiles(*floor);
    VoronoiSites sites;
    sites.build(crowd, 1.0);
    const GeosContext geos;
    for (std::size_t i = 0; i < crowd.size(); ++i) {
        VoronoiCell cell;
        sites.make_cell(i, cell);
        // The hall round the walker alone.
        std::vector<Vec2> ring;
        for (const Vec2 corner : cell.ring) ring.push_back(crowd[i] + corner);
        Geometry whole = geos.make_polygon(ring);
        for (const std::vector<Vec2>& hole : hall.holes) {
            const Vec2 apart = hole.front() - crowd[i];
            if (dot(apart, apart) > 9.0) continue;
            const Geometry pillar = geos.make_polygon(hole);
            whole = geos.own(GEOSDifference_r(geos.get(), whole.get(), pillar.get()));
        }
        const Geometry walls = geos.make_polygon(hall.shell);
        whole = geos.own(GEOSIntersection_r(geos.get(), whole.get(), walls.get()));
        const Geometry point =
            geos.own(GEOSGeom_createPointFromXY_r(geos.get(), crowd[i].x, crowd[i].y));
        double expected = 0.0;
        const int parts = GEOSGetNumGeometries_r(geos.get(), whole.get());
        for (int k = 0; k < parts; ++k) {
            const GEOSGeometry* part = GEOSGetGeometryN_r(geos.get(), whole.get(), k);
            if (GEOSCovers_r(geos.get(), part, point.get()) == 1)
                GEOSArea_r(geos.get(), part, &expected);
        }
        ASSERT_TRUE(tiles.cut(crowd[i], cell));
        EXPECT_NEAR(cell.area(), expected, 1e-9) << "walker " << i;
    }
}

}  // namespace
}  // namespace sidestep
