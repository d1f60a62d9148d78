// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "floorplan/triangulate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace sidestep {
namespace {

using Segment = std::array<std::uint32_t, 2>;

bool has_fixed_edge(const Triangulation& all, std::uint32_t a, std::uint32_t b)
{
    for (std::size_t t = 0; t < all.triangles.size(); ++t) {
        for (std::size_t i = 0; i < 3; ++i) {
            if (all.triangles[t][i] == a && all.triangles[t][(i + 1) % 3] == b)
                return all.fixed[t][i];
        }
    }
    return false;
}

void check(const Triangulation& all)
{
    ASSERT_EQ(all.triangles.size(), 2 * all.points.size() - 6) << "Euler, four corners on the hull";
    for (std::uint32_t t = 0; t < all.triangles.size(); ++t) {
        const auto& v = all.triangles[t];
        ASSERT_EQ(orientation(all.points[v[0]], all.points[v[1]], all.points[v[2]]), 1);
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t n = all.neighbours[t][i];
            if (n == kNoNeighbour) continue;
            const auto back = std::ranges::find(all.neighbours[n], t) - all.neighbours[n].begin();
            ASSERT_LT(back, 3);
            ASSERT_EQ(all.triangles[n][static_cast<std::size_t>(back)], v[(i + 1) % 3]);
            ASSERT_EQ(all.fixed[n][static_cast<std::size_t>(back)], all.fixed[t][i]);
        }
    }
}

TEST(Triangulate, takes_points_and_segments_in_any_position)
{
    for (unsigned seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        // Few places: many points on one line and on one circle.
        const std::int64_t size = seed % 3 == 0 ? 6 : seed % 3 == 1 ? 40 : 1000000000;
        std::set<LatticePoint> places;
        for (int i = 0; i < 40; ++i) {
            places.insert({static_cast<std::int64_t>(random()) % size,
                           static_cast<std::int64_t>(random()) % size});
        }
        const std::vector<LatticePoint> points(places.begin(), places.end());
        // Segments that share ends at most.
        std::vector<Segment> segments;
        for (int i = 0; i < 60; ++i) {
            const Segment s{static_cast<std::uint32_t>(random() % points.size()),
                            static_cast<std::uint32_t>(random() % points.size())};
            const bool crosses = std::ranges::any_of(segments, [&](const Segment& o) {
                const auto side = [&](const Segment& line, std::uint32_t p) {
                    return orientation(points[line[0]], points[line[1]], points[p]);
                };
                return side(s, o[0]) * side(s, o[1]) < 0 && side(o, s[0]) * side(o, s[1]) < 0;
            });
            if (s[0] != s[1] && !crosses) segments.push_back(s);
        }
        TriangulationFault fault;
        const auto all = triangulate(points, segments, fault);
        ASSERT_TRUE(all);
        check(*all);
        for (const auto& [a, b] : segments) {
            bool through = false;  // another point lies on it: then its pieces are edges
            for (std::uint32_t p = 0; p < points.size(); ++p) {
                through = through ||
                          (p != a && p != b && orientation(points[a], points[b], points[p]) == 0);
            }
            EXPECT_TRUE(through || has_fixed_edge(*all, a, b));
        }
    }
}

TEST(Triangulate, is_delaunay_where_no_segment_is_in_the_way)
{
    std::mt19937 random(1);
    std::set<LatticePoint> places;
    while (places.size() < 60)
        places.insert({static_cast<std::int64_t>(random()) % 100000,
                       static_cast<std::int64_t>(random()) % 100000});
    const std::vector<LatticePoint> points(places.begin(), places.end());
    TriangulationFault fault;
    const auto all = triangulate(points, {}, fault);
    ASSERT_TRUE(all);
    check(*all);
    for (const auto& t : all->triangles) {
        // The circle round the triangle, in long double: none of the others is well inside.
        const auto x = [&](std::uint32_t i) { return static_cast<long double>(all->points[i].x); };
        const auto y = [&](std::uint32_t i) { return static_cast<long double>(all->points[i].y); };
        const long double bx = x(t[1]) - x(t[0]), by = y(t[1]) - y(t[0]);
        const long double cx = x(t[2]) - x(t[0]), cy = y(t[2]) - y(t[0]);
        const long double d = 2 * (bx * cy - by * cx);
        const long double ux = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / d;
        const long double uy = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / d;
        for (std::uint32_t p = 0; p < all->points.size(); ++p) {
            const long double px = x(p) - x(t[0]) - ux, py = y(p) - y(t[0]) - uy;
            EXPECT_GT(px * px + py * py, (ux * ux + uy * uy) * (1 - 1e-9L));
        }
    }
}

TEST(Triangulate, refuses_segments_that_cross)
{
    const std::vector<LatticePoint> points{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {5, 20}};
    const std::vector<Segment> segments{{0, 2}, {1, 3}};
    TriangulationFault fault;
    EXPECT_FALSE(triangulate(points, segments, fault));
    const std::vector<Segment> twice{{0, 2}, {2, 0}, {0, 2}};
    EXPECT_TRUE(triangulate(points, twice, fault));
    EXPECT_TRUE(triangulate({}, {}, fault));
}

}  // namespace
}  // namespace sidestep
