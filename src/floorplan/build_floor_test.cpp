// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "floorplan/floorplan.hpp"

namespace sidestep {
namespace {

using Ring = std::vector<Vec2>;

Ring box(double x0, double y0, double x1, double y1)
{
    return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

double area_of(const Ring& ring)
{
    double sum = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        sum += det(ring[i] - ring[0], ring[(i + 1) % ring.size()] - ring[0]);
    }
    return 0.5 * std::abs(sum);
}

double area_of(const std::vector<Polygon>& polygons)
{
    double sum = 0;
    for (const Polygon& polygon : polygons) {
        sum += area_of(polygon.shell);
        for (const Ring& hole : polygon.holes) sum -= area_of(hole);
    }
    return sum;
}

double area_of(const NavigationMesh& mesh)
{
    double sum = 0;
    for (const auto& t : mesh.triangles) {
        const Vec2 a = mesh.vertices[t[0]];
        sum += 0.5 * det(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a);
    }
    return sum;
}

/// Every promise of NavigationMesh.
void check_mesh(const BuiltFloor& floor)
{
    const NavigationMesh& mesh = floor.mesh;
    ASSERT_EQ(mesh.triangles.size(), mesh.neighbours.size());
    ASSERT_EQ(mesh.triangles.size(), mesh.door.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& v = mesh.triangles[t];
        ASSERT_GT(det(mesh.vertices[v[1]] - mesh.vertices[v[0]],
                      mesh.vertices[v[2]] - mesh.vertices[v[0]]),
                  0.0);
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint32_t n = mesh.neighbours[t][e];
            if (n == kNoTriangle) continue;
            ASSERT_LT(n, mesh.triangles.size());
            bool back = false;
            for (std::size_t k = 0; k < 3; ++k) {
                back =
                    back || (mesh.neighbours[n][k] == t && mesh.triangles[n][k] == v[(e + 1) % 3] &&
                             mesh.triangles[n][(k + 1) % 3] == v[e]);
            }
            ASSERT_TRUE(back) << "triangles " << t << " and " << n << " do not share an edge";
        }
    }
    const double area = area_of(floor.space);
    EXPECT_NEAR(area_of(mesh), area, 1e-5 * (1.0 + area));
    for (const Polygon& polygon : floor.space) EXPECT_FALSE(find_fault(polygon));
}

BuiltFloor build(const FloorInput& input)
{
    auto floor = build_floor(input);
    EXPECT_TRUE(floor) << floor.error().message;
    if (!floor) return {};
    check_mesh(*floor);
    return std::move(*floor);
}

std::size_t count_walls(const NavigationMesh& mesh)
{
    std::size_t count = 0;
    for (const auto& n : mesh.neighbours)
        count += static_cast<std::size_t>(std::ranges::count(n, kNoTriangle));
    return count;
}

TEST(BuildFloor, joins_floors_and_takes_solids_away)
{
    FloorInput input;
    input.floors = {{box(0, 0, 4, 4), {}}, {box(4, 0, 8, 4), {box(5, 1, 6, 2)}}};
    input.solids = {box(1, 1, 2, 2), box(7, 3, 9, 5)};
    const BuiltFloor floor = build(input);
    ASSERT_EQ(floor.space.size(), 1u);
    EXPECT_EQ(floor.space[0].holes.size(), 2u);
    EXPECT_NEAR(area_of(floor.space), 32 - 1 - 1 - 1, 1e-9);
    EXPECT_FALSE(floor.open_plane);
}

TEST(BuildFloor, keeps_the_numbers_of_the_file)
{
    FloorInput input;
    input.floors = {{{{0.1, 0.2}, {12.3, 0.2}, {12.3, 7.77}, {0.1, 7.77}}, {}}};
    for (Vec2& p : input.floors[0].shell) p = {p.x + 1e6, p.y - 2e6};
    const BuiltFloor floor = build(input);
    ASSERT_EQ(floor.mesh.vertices.size(), 4u);
    for (const Vec2 p : input.floors[0].shell) {
        EXPECT_TRUE(std::ranges::find_if(floor.mesh.vertices, [&](Vec2 v) {
                        return std::abs(v.x - p.x) < 1e-9 && std::abs(v.y - p.y) < 1e-9;
                    }) != floor.mesh.vertices.end());
    }
    for (Vec2& p : input.floors[0].shell) p = {p.x - 1e6, p.y + 2e6};
    input.floors[0].shell = {{0.1, 0.2}, {12.3, 0.2}, {12.3, 7.77}, {0.1, 7.77}};
    for (const Vec2 v : build(input).mesh.vertices) {
        EXPECT_TRUE(std::ranges::find(input.floors[0].shell, v) != input.floors[0].shell.end());
    }
}

TEST(BuildFloor, makes_the_open_plane_a_box_round_everything)
{
    FloorInput input;
    input.points = {{0, 0}, {5, 3}};
    const BuiltFloor floor = build(input);
    EXPECT_TRUE(floor.open_plane);
    EXPECT_EQ(floor.mesh.triangles.size(), 2u);
    EXPECT_NEAR(area_of(floor.mesh), 25 * 23, 1e-9);
    input.solids = {box(1, 1, 2, 2)};
    EXPECT_NEAR(area_of(build(input).mesh), 25 * 23 - 1, 1e-9);
    EXPECT_EQ(build({}).mesh.triangles.size(), 2u);
}

TEST(BuildFloor, opens_the_wall_behind_an_exit_line_only)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 5), {}}};
    input.exits = {{Vec2{10, 1}, Vec2{10, 3}}};
    EXPECT_NEAR(area_of(build(input).space), 50 + 2 * kExitDepth, 1e-6);
    input.exits = {{Vec2{0.0005, 3}, Vec2{0.0005, 1}}};  // within 1 mm, the other way round
    EXPECT_NEAR(area_of(build(input).space), 50 + 2 * kExitDepth, 2e-3);
    input.exits = {{Vec2{5, 1}, Vec2{5, 3}}};  // inside
    EXPECT_NEAR(area_of(build(input).space), 50, 1e-9);
    input.exits = {{Vec2{10, 4}, Vec2{10, 6}}};  // longer than the outline
    EXPECT_NEAR(area_of(build(input).space), 50, 1e-9);
    input.exits = {{Vec2{10, 1}, Vec2{10, 1}}};
    EXPECT_NEAR(area_of(build(input).space), 50, 1e-9);
}

TEST(BuildFloor, opens_exits_on_slanted_outlines)
{
    const double c = 0.6, s = 0.8;
    const auto turn = [&](double x, double y) { return Vec2{c * x - s * y, s * x + c * y}; };
    FloorInput input;
    input.floors = {{{turn(0, 0), turn(10, 0), turn(10, 5), turn(0, 5)}, {}}};
    input.exits = {{turn(10, 1), turn(10, 3)}};
    EXPECT_NEAR(area_of(build(input).space), 50 + 2 * kExitDepth, 1e-4);
}

TEST(BuildFloor, leaves_no_slit_between_pieces_that_touch_along_a_slanted_line)
{
    for (int degrees = 1; degrees < 360; degrees += 7) {
        SCOPED_TRACE(degrees);
        const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
        const auto turned = [&](Ring ring) {
            for (Vec2& p : ring) p = {c * p.x - s * p.y + 317.5, s * p.x + c * p.y - 88.25};
            return ring;
        };
        FloorInput input;
        double expected = 0;
        for (int i = 0; i < 6; ++i) {
            input.floors.push_back({turned(box(6.2 * i, 0, 6.2 * i + 6, 5)), {}});
            expected += 30;
            if (i == 5) continue;
            Ring link = box(6.2 * i + 6, 1 + 0.3 * i, 6.2 * i + 6.2, 2 + 0.3 * i);
            if (i % 2 == 0) {
                input.floors.push_back({turned(link), {}});
            } else {
                input.doors.push_back(turned(link));
            }
            expected += 0.2;
        }
        const BuiltFloor floor = build(input);
        EXPECT_EQ(floor.space.size(), 1u);
        EXPECT_EQ(floor.space[0].holes.size(), 0u);
        EXPECT_NEAR(area_of(floor.space), expected, 1e-3);
        EXPECT_EQ(floor.space[0].shell.size(), 6u * 4 + 5u * 4) << "and no sliver either";
    }
}

TEST(BuildFloor, makes_doors_pieces_of_their_own)
{
    FloorInput input;
    input.floors = {{box(0, 0, 5, 5), {}}, {box(5.2, 0, 10, 5), {}}};
    input.doors = {box(5, 2, 5.2, 3)};
    const BuiltFloor floor = build(input);
    ASSERT_EQ(floor.space.size(), 1u);
    double area = 0;
    for (std::size_t t = 0; t < floor.mesh.triangles.size(); ++t) {
        if (floor.mesh.door[t] == kNoDoor) continue;
        EXPECT_EQ(floor.mesh.door[t], 0);
        const auto& v = floor.mesh.triangles[t];
        area += 0.5 * det(floor.mesh.vertices[v[1]] - floor.mesh.vertices[v[0]],
                          floor.mesh.vertices[v[2]] - floor.mesh.vertices[v[0]]);
    }
    EXPECT_NEAR(area, 0.2, 1e-9);
}

TEST(BuildFloor, makes_thin_walls_edges_that_nobody_crosses)
{
    FloorInput input;
    input.floors = {{box(0, 0, 10, 10), {}}};
    const std::size_t outline = count_walls(build(input).mesh);
    EXPECT_EQ(outline, 4u);
    input.thin = {{{2, 5}, {8, 5}}};
    const BuiltFloor floor = build(input);
    EXPECT_EQ(count_walls(floor.mesh), 6u) << "one edge, two sides";
    EXPECT_EQ(floor.space[0].holes.size(), 0u);
    EXPECT_NEAR(area_of(floor.mesh), 100, 1e-9);
    input.thin = {{{2, 5}, {8, 5}, {8, 7}}, {{5, 2}, {5, 8}}};  // bent and crossing
    EXPECT_EQ(count_walls(build(input).mesh), 4u + 2 * 5);
    input.thin = {{{0, 0}, {10, 0}}, {{0, 5}, {12, 5}}, {{3, 3}, {3, 3}}, {{1, 1}}};
    EXPECT_EQ(count_walls(build(input).mesh), 6u + 2) << "on the outline, and from wall to wall";
}

TEST(BuildFloor, finds_every_piece_of_many_thin_walls_of_all_lengths)
{
    std::mt19937 random(11);
    const auto between = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
    };
    FloorInput input;
    input.floors = {{box(0, 0, 100, 100), {}}};
    double expected = 2 * 2 * 90.0 + 400;  // both sides, and the outline
    input.thin = {{{5, 50.5}, {95, 50.5}}, {{20.5, 5}, {20.5, 95}}};
    for (int i = 0; i < 400; ++i) {
        const double size = i % 10 == 0 ? 20.0 : 1.5;
        const Vec2 a{between(21, 79), between(21, 79)};
        const Vec2 b{a.x + between(-size, size), a.y + between(-size, size)};
        input.thin.push_back({a, b});
        expected += 2 * std::hypot(b.x - a.x, b.y - a.y);
    }
    const NavigationMesh mesh = build(input).mesh;
    double found = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t e = 0; e < 3; ++e) {
            if (mesh.neighbours[t][e] != kNoTriangle) continue;
            const Vec2 a = mesh.vertices[mesh.triangles[t][e]];
            const Vec2 b = mesh.vertices[mesh.triangles[t][(e + 1) % 3]];
            found += std::hypot(b.x - a.x, b.y - a.y);
        }
    }
    EXPECT_NEAR(found, expected, 0.01);
}

TEST(BuildFloor, takes_holes_that_touch_the_shell_anywhere)
{
    FloorInput input;
    for (const Ring& hole :
         {Ring{{0, 0}, {2, 1}, {1, 2}}, Ring{{5, 0}, {6, 2}, {4, 2}}, Ring{{4, 0}, {6, 0}, {5, 2}},
          Ring{{0, 0}, {2, 0}, {2, 2}, {0, 2}}, Ring{{5, 0}, {6, 5}, {5, 10}, {4, 5}},
          Ring{{-1, 4}, {11, 4}, {11, 6}, {-1, 6}}}) {
        input.floors = {{box(0, 0, 10, 10), {hole}}};
        build(input);
        input.floors = {{box(0, 0, 10, 10), {}}};
        input.solids = {hole};
        build(input);
        input.solids.clear();
    }
    // Two holes that touch each other in a vertex and in the middle of an edge.
    input.floors = {
        {box(0, 0, 10, 10),
         {{{2, 2}, {4, 2}, {4, 4}}, {{4, 4}, {6, 4}, {6, 6}}, {{5, 4}, {6, 2}, {4.5, 2}}}}};
    build(input);
}

TEST(BuildFloor, survives_slivers_and_repeated_points)
{
    FloorInput input;
    input.floors = {
        {{{0, 0}, {0, 0}, {10, 0}, {10, 0}, {10, 10}, {10, 10 + 1e-12}, {0, 10}, {0, 0}}, {}}};
    input.solids = {{{5, 5}, {5, 5}, {6, 5}, {6, 5 + 1e-12}},
                    {{2, 2}, {3, 2}, {3, 2}, {3, 3}, {2, 3}, {2, 2}},
                    {{3 + 1e-12, 2}, {4, 2}, {4, 3}, {3 + 1e-12, 3}}};
    EXPECT_NEAR(area_of(build(input).space), 98, 1e-6);
}

TEST(BuildFloor, says_what_is_wrong)
{
    FloorInput input;
    input.floors = {{box(0, 0, 1, 1), {}}};
    input.solids = {box(-1, -1, 2, 2)};
    auto floor = build_floor(input);
    ASSERT_FALSE(floor);
    EXPECT_NE(floor.error().message.find("left free"), std::string::npos);
    input.solids = {{{0, 0}, {NAN, 1}, {1, 1}}};
    EXPECT_FALSE(build_floor(input));
    input.solids = {box(1e7, 0, 1e7 + 1, 1)};
    EXPECT_FALSE(build_floor(input));
}

TEST(BuildFloor, is_the_same_every_time)
{
    FloorInput input;
    input.floors = {{box(0, 0, 30, 20), {}}};
    for (int i = 0; i < 8; ++i)
        input.solids.push_back({{3.0 * i + 1.1, 3}, {3.0 * i + 2.7, 4.3}, {3.0 * i + 1.3, 5.9}});
    input.thin = {{{1, 10}, {29, 11}}};
    input.doors = {box(10, 12, 12, 13)};
    EXPECT_EQ(build_floor(input)->mesh_hash, build_floor(input)->mesh_hash);
    const std::uint64_t before = build_floor(input)->mesh_hash;
    input.solids[0][0].x += 1e-3;
    EXPECT_NE(build_floor(input)->mesh_hash, before);
}

/// Floors of random junk: overlapping, self-crossing, touching, on a coarse grid so that much
/// coincides, or with coordinates that nearly do.
FloorInput random_floor(std::mt19937& random)
{
    const auto unit = [&] { return static_cast<double>(random()) / 4294967296.0; };
    const int style = static_cast<int>(random() % 4);
    const double shift = random() % 5 == 0 ? 1e6 : 0.0;
    const auto coordinate = [&] {
        double value = 20 * unit();
        if (style == 0) value = std::floor(value);
        if (style == 1) value = std::floor(value) + 1e-9 * unit();
        if (style == 2) value = std::floor(value) + 2e-6 * unit();
        return value + shift;
    };
    const auto points = [&](std::size_t count) {
        Ring ring(count);
        for (Vec2& p : ring) p = {coordinate(), coordinate()};
        return ring;
    };
    FloorInput input;
    for (std::size_t i = random() % 3 + 1; i > 0; --i) {
        Polygon floor{points(3 + random() % 10), {}};
        for (std::size_t h = random() % 3; h > 0; --h)
            floor.holes.push_back(points(3 + random() % 4));
        input.floors.push_back(floor);
    }
    for (std::size_t i = random() % 4; i > 0; --i) input.solids.push_back(points(random() % 8));
    for (std::size_t i = random() % 4; i > 0; --i) input.thin.push_back(points(random() % 5));
    for (std::size_t i = random() % 3; i > 0; --i) input.doors.push_back(points(3 + random() % 3));
    for (std::size_t i = random() % 3; i > 0; --i)
        input.exits.push_back({Vec2{coordinate(), coordinate()}, Vec2{coordinate(), coordinate()}});
    return input;
}

void build_junk(unsigned from, unsigned to)
{
    unsigned built = 0;
    for (unsigned seed = from; seed < to; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const auto floor = build_floor(random_floor(random));
        if (!floor) {
            EXPECT_FALSE(floor.error().message.empty());
            continue;
        }
        ++built;
        check_mesh(*floor);
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(built, (to - from) * 95 / 100);
}

TEST(BuildFloor, builds_or_refuses_random_junk)
{
    build_junk(0, 200);
}

TEST(BuildFloorLong, builds_or_refuses_random_junk)
{
    build_junk(200, 2200);
}

}  // namespace
}  // namespace sidestep
