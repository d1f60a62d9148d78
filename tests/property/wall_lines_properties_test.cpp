// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What wall lines promise: who keeps to them does not touch the wall before tau_o, standing still
// is never forbidden, and a line is not stricter than the wall asks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "property/program_cases.hpp"
#include "sidestep/geometry.hpp"

namespace sidestep::test {
namespace {

struct WallScene {
    WallPolygon wall;
    Vec2 position;
    Vec2 velocity;
    double radius;
    double tau_o;
};

double distance_to_segment(Vec2 p, Vec2 a, Vec2 b)
{
    const Vec2 e = b - a;
    const double s = std::clamp(dot(p - a, e) / dot(e, e), 0.0, 1.0);
    return distance(p, a + e * s);
}

double distance_to_wall(const WallPolygon& wall, Vec2 p)
{
    double closest = distance_to_segment(p, wall[0], wall[1]);
    for (std::size_t i = 1; i < wall.size(); ++i) {
        closest = std::min(closest, distance_to_segment(p, wall[i], wall[(i + 1) % wall.size()]));
    }
    return closest;
}

/// Smallest distance from the wall while moving from p with v for a time tau.
double closest_on_the_way(const WallPolygon& wall, Vec2 p, Vec2 v, double tau)
{
    constexpr int kSteps = 400;
    double closest = distance_to_wall(wall, p);
    for (int k = 1; k <= kSteps; ++k)
        closest = std::min(closest, distance_to_wall(wall, p + v * (tau * k / kSteps)));
    return closest;
}

bool inside_polygon(const WallPolygon& wall, Vec2 p)
{
    bool odd = false;
    for (std::size_t i = 0; i < wall.size(); ++i) {
        const Vec2 a = wall[i];
        const Vec2 b = wall[(i + 1) % wall.size()];
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y))
            odd = !odd;
    }
    return odd;
}

/// A thin wall, a star-shaped block with convex and concave corners, or the same as a room; the
/// agent is on the free side and not in contact.
WallScene random_scene(std::uint64_t seed)
{
    SeededRandom random(seed);
    for (;;) {
        WallScene s;
        const double turn = random.uniform(0.0, 6.28);
        const std::size_t kind = random.below(3);
        if (kind == 0) {
            s.wall = {random.in_disc(3.0), random.in_disc(3.0)};
            if (distance(s.wall[0], s.wall[1]) < 0.05) continue;
        } else {
            const std::size_t corners = 3 + random.below(6);
            for (std::size_t i = 0; i < corners; ++i) {
                const double angle = turn + 6.283185307179586 * static_cast<double>(i) /
                                                static_cast<double>(corners);
                s.wall.push_back(Vec2{std::cos(angle), std::sin(angle)} * random.uniform(0.7, 3.0));
            }
            if (kind == 2) std::reverse(s.wall.begin(), s.wall.end());
        }
        s.position = random.in_disc(5.0);
        s.velocity = random.in_disc(2.0);
        s.radius = random.uniform(0.1, 0.5);
        s.tau_o = random.uniform(0.4, 3.0);
        if (kind == 0 && random.chance(0.2)) {  // in line with the wall
            const double k =
                random.chance(0.5) ? random.uniform(1.2, 3.0) : random.uniform(-2.0, -0.2);
            s.position = s.wall[0] + (s.wall[1] - s.wall[0]) * k;
        }
        if (kind != 0 && inside_polygon(s.wall, s.position) != (kind == 2)) continue;
        if (distance_to_wall(s.wall, s.position) < s.radius + 1e-3) continue;
        return s;
    }
}

std::vector<HalfPlane> lines_of(const WallScene& s, Vec2 velocity)
{
    const std::vector<WallPolygon> walls{s.wall};
    const auto lines = obstacle_lines(s.position, velocity, s.radius, s.tau_o, walls);
    EXPECT_TRUE(lines) << (lines ? "" : lines.error().message);
    return lines ? *lines : std::vector<HalfPlane>{};
}

bool keeps(const std::vector<HalfPlane>& lines, Vec2 v)
{
    return std::all_of(lines.begin(), lines.end(),
                       [&](const HalfPlane& l) { return dot(v - l.point, l.normal) >= -1e-12; });
}

constexpr std::uint64_t kScenes = 3000;

TEST(WallLines, who_keeps_to_them_does_not_touch_the_wall)
{
    std::size_t checked = 0, with_lines = 0;
    for (std::uint64_t seed = 0; seed < kScenes; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const WallScene s = random_scene(seed);
        const std::vector<HalfPlane> lines = lines_of(s, s.velocity);
        with_lines += !lines.empty();
        SeededRandom random(seed + 9);
        for (int k = 0; k < 60; ++k) {
            const Vec2 v = k == 0 ? s.velocity : random.in_disc(3.0);
            if (!keeps(lines, v)) continue;
            ++checked;
            // A wall counts as covered by another line up to 1e-5 m/s.
            ASSERT_GE(closest_on_the_way(s.wall, s.position, v, s.tau_o), s.radius - 1e-4)
                << "velocity " << v.x << ", " << v.y;
        }
    }
    EXPECT_GE(checked, kScenes * 10);
    EXPECT_GE(with_lines, kScenes * 9 / 10);
}

TEST(WallLines, a_velocity_just_beyond_the_point_of_a_line_touches_the_wall)
{
    for (std::uint64_t seed = 0; seed < kScenes; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const WallScene s = random_scene(seed);
        for (const HalfPlane& line : lines_of(s, s.velocity)) {
            const Vec2 v = line.point - line.normal * 1e-3;
            ASSERT_LT(closest_on_the_way(s.wall, s.position, v, s.tau_o), s.radius);
        }
    }
}

TEST(WallLines, made_about_zero_always_allow_to_stand_still)
{
    for (std::uint64_t seed = 0; seed < kScenes; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const WallScene s = random_scene(seed);
        ASSERT_TRUE(keeps(lines_of(s, {}), {}));
    }
}

TEST(WallLines, an_agent_that_moves_towards_the_wall_always_gets_a_line)
{
    std::size_t hits = 0;
    for (std::uint64_t seed = 0; seed < kScenes; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const WallScene s = random_scene(seed);
        if (closest_on_the_way(s.wall, s.position, s.velocity, s.tau_o) > s.radius - 1e-3) continue;
        ++hits;
        const std::vector<HalfPlane> lines = lines_of(s, s.velocity);
        ASSERT_FALSE(keeps(lines, s.velocity));
    }
    EXPECT_GE(hits, kScenes / 10);
}

}  // namespace
}  // namespace sidestep::test
