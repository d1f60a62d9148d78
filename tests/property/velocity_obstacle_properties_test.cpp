// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What velocity obstacles and ORCA half-planes promise, on random encounters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "property/program_cases.hpp"
#include "sidestep/geometry.hpp"

namespace sidestep::test {
namespace {

constexpr std::uint64_t kCases = 3000;

struct RandomPair {
    MovingDisc a;
    MovingDisc b;
    double tau;

    Encounter seen_by_a() const
    {
        return {b.position - a.position, a.radius + b.radius, a.velocity - b.velocity};
    }
    Encounter seen_by_b() const
    {
        return {a.position - b.position, a.radius + b.radius, b.velocity - a.velocity};
    }
};

/// Two discs apart; some nearly touch, some move along the line between them, some not at all.
RandomPair random_pair(std::uint64_t seed)
{
    SeededRandom random(seed);
    RandomPair c;
    c.a = {random.in_disc(5.0), random.in_disc(2.0), random.uniform(0.1, 0.8), 1};
    c.b = {{}, random.in_disc(2.0), random.uniform(0.1, 0.8), 2};
    const double R = c.a.radius + c.b.radius;
    const double gap = random.chance(0.2) ? 1e-6 : random.uniform(0.01, 6.0);
    c.b.position = c.a.position + random.direction() * (R + gap);
    if (random.chance(0.1)) c.b.velocity = c.a.velocity;
    if (random.chance(0.2))
        c.a.velocity = c.b.velocity + (c.b.position - c.a.position) * random.uniform(-0.5, 1.5);
    c.tau = random.uniform(0.3, 8.0);
    return c;
}

template <class T>
T value(const Result<T>& result)
{
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? *result : T{};
}

bool inside(const Encounter& pair, double tau)
{
    return value(vo_contains(pair, tau)).inside;
}

bool keeps(const OrcaLine& line, Vec2 v)
{
    return dot(v - line.point, line.normal) >= 0.0;
}

TEST(VelocityObstacle, of_a_against_b_is_the_negative_of_b_against_a)
{
    std::size_t hits = 0;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomPair c = random_pair(seed);
        for (const double tau : {c.tau, std::numeric_limits<double>::infinity()}) {
            ASSERT_EQ(inside(c.seen_by_a(), tau), inside(c.seen_by_b(), tau));
        }
        hits += inside(c.seen_by_a(), c.tau);
    }
    EXPECT_GE(hits, kCases / 10);
    EXPECT_LE(hits, kCases * 9 / 10);
}

TEST(VelocityObstacle, a_velocity_outside_keeps_the_discs_apart_until_tau_and_one_inside_does_not)
{
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomPair c = random_pair(seed);
        const Encounter pair = c.seen_by_a();
        double closest = std::sqrt(dot(pair.rel_pos, pair.rel_pos));
        for (int k = 0; k <= 2000; ++k) {
            const Vec2 at = pair.rel_pos - pair.rel_vel * (c.tau * k / 2000.0);
            closest = std::min(closest, std::sqrt(dot(at, at)));
        }
        if (inside(pair, c.tau)) {
            ASSERT_LE(closest,
                      pair.radius + 2.0 * c.tau * 4.0 / 2000.0);  // up to half a step of the sweep
        } else {
            ASSERT_GE(closest, pair.radius - 1e-9 * std::max(1.0, pair.radius));
        }
    }
}

TEST(VelocityObstacle, the_exit_ends_on_the_boundary_and_its_sign_tells_inside_from_outside)
{
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomPair c = random_pair(seed);
        const VelocityObstacleExit exit = value(vo_project(c.seen_by_a(), c.tau));
        ASSERT_NEAR(dot(exit.normal, exit.normal), 1.0, 1e-14);
        Encounter moved = c.seen_by_a();
        const Vec2 boundary = moved.rel_vel + exit.u;
        moved.rel_vel = boundary + exit.normal * 1e-7;
        ASSERT_FALSE(inside(moved, c.tau));
        moved.rel_vel = boundary - exit.normal * 1e-7;
        ASSERT_TRUE(inside(moved, c.tau));
        if (std::fabs(exit.signed_distance) > 1e-12) {
            ASSERT_EQ(exit.inside(), inside(c.seen_by_a(), c.tau));
        }
    }
}

TEST(Orca,
     two_agents_that_keep_to_their_half_planes_never_collide_and_nothing_more_could_be_allowed)
{
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomPair c = random_pair(seed);
        SeededRandom random(seed + 1);
        const double w = random.uniform(0.0, 1.0);
        const OrcaLine for_a = value(orca_line(c.a, c.b, c.tau, 0.1, w));
        const OrcaLine for_b = value(orca_line(c.b, c.a, c.tau, 0.1, 1.0 - w));
        ASSERT_NEAR(for_a.normal.x, -for_b.normal.x, 1e-12);
        ASSERT_NEAR(for_a.normal.y, -for_b.normal.y, 1e-12);
        Encounter pair = c.seen_by_a();
        const Vec2 across{-for_a.normal.y, for_a.normal.x};
        for (int k = 0; k < 50; ++k) {
            const double along_a = random.uniform(-3.0, 3.0);
            const double along_b = random.uniform(-3.0, 3.0);
            const double deep_a = 1e-12 + random.uniform(0.0, 1.0) * (k % 3);
            const double deep_b = 1e-12 + random.uniform(0.0, 1.0) * (k % 2);
            const Vec2 v_a = for_a.point + across * along_a + for_a.normal * deep_a;
            const Vec2 v_b = for_b.point + across * along_b + for_b.normal * deep_b;
            pair.rel_vel = v_a - v_b;
            ASSERT_FALSE(inside(pair, c.tau));
        }
        // A velocity of A outside by 1e-3 collides with some velocity that B may take.
        const double outside = 1e-3;
        const Vec2 v_a = for_a.point - for_a.normal * outside + across * random.uniform(-2.0, 2.0);
        const Vec2 boundary = c.a.velocity - c.b.velocity + for_a.u;
        const Vec2 v_b = v_a - (boundary - for_a.normal * (0.5 * outside));
        ASSERT_TRUE(keeps(for_b, v_b));
        pair.rel_vel = v_a - v_b;
        ASSERT_TRUE(inside(pair, c.tau));
    }
}

/// Area of { v in the disc of radius q about `centre` : v on the allowed side }, by slices.
double area_by_slices(Vec2 centre, double q, const OrcaLine& line)
{
    const double h = dot(line.point - centre, line.normal);
    constexpr int kSlices = 4000;
    double sum = 0.0;
    for (int k = 0; k < kSlices; ++k) {
        // Slices are equal in the angle, so that the ends of the disc are resolved.
        const double angle = 3.141592653589793 * (k + 0.5) / kSlices;
        if (-q * std::cos(angle) >= h) sum += 2.0 * q * q * std::sin(angle) * std::sin(angle);
    }
    return sum * 3.141592653589793 / kSlices;
}

TEST(Orca, shares_are_fair_exactly_when_they_are_equal_or_nothing_is_at_stake)
{
    std::size_t unequal = 0;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomPair c = random_pair(seed);
        SeededRandom random(seed + 2);
        const double q = random.uniform(0.2, 2.0);
        const double w = random.chance(0.3) ? 0.5 : random.uniform(0.0, 1.0);
        const FairAreas areas = value(fair_area(c.seen_by_a(), c.tau, w, q));
        const OrcaLine for_a = value(orca_line(c.a, c.b, c.tau, 0.1, w));
        const OrcaLine for_b = value(orca_line(c.b, c.a, c.tau, 0.1, 1.0 - w));
        ASSERT_NEAR(areas.a, area_by_slices(c.a.velocity, q, for_a), 4e-3 * q * q);
        ASSERT_NEAR(areas.b, area_by_slices(c.b.velocity, q, for_b), 4e-3 * q * q);
        const double depth = dot(for_a.u, for_a.normal);
        const double h_a = std::clamp(w * depth, -q, q);
        const double h_b = std::clamp((1.0 - w) * depth, -q, q);
        if (w == 0.5 || h_a == h_b) {
            ASSERT_DOUBLE_EQ(areas.a, areas.b);
        } else if (std::fabs(h_a - h_b) > 1e-3 * q &&
                   std::min(std::fabs(h_a), std::fabs(h_b)) < 0.99 * q) {
            ASSERT_GT(std::fabs(areas.a - areas.b), 1e-7);
            ++unequal;
        }
    }
    EXPECT_GE(unequal, kCases / 10);
}

/// A boundary point of VO^tau and the outward normal there.
struct BoundaryPoint {
    Vec2 at;
    Vec2 normal;
};

BoundaryPoint random_boundary_point(const Encounter& pair, double tau, SeededRandom& random)
{
    const double dist = std::sqrt(dot(pair.rel_pos, pair.rel_pos));
    const double half_angle = std::asin(pair.radius / dist);
    const Vec2 e = pair.rel_pos / dist;
    const auto turned = [&](double angle) {
        return Vec2{e.x * std::cos(angle) - e.y * std::sin(angle),
                    e.x * std::sin(angle) + e.y * std::cos(angle)};
    };
    constexpr double kHalfPi = 1.5707963267948966;
    if (random.chance(
            0.5)) {  // the arc between the points of contact of the legs, on the near side
        const double from = kHalfPi + half_angle;
        const Vec2 n = turned(random.uniform(from, 4.0 * kHalfPi - from));
        return {pair.rel_pos / tau + n * (pair.radius / tau), n};
    }
    const double sign = random.chance(0.5) ? 1.0 : -1.0;
    const double start = std::sqrt((dist - pair.radius) * (dist + pair.radius)) / tau;
    return {turned(sign * half_angle) * (start + random.uniform(0.0, 4.0)),
            turned(sign * (half_angle + kHalfPi))};
}

TEST(Orca, no_other_equal_split_leaves_the_worse_off_agent_more_room)
{
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomPair c = random_pair(seed);
        const Encounter pair = c.seen_by_a();
        SeededRandom random(seed + 3);
        const VelocityObstacleExit exit = value(vo_project(pair, c.tau));
        for (int k = 0; k < 50; ++k) {
            const BoundaryPoint other = random_boundary_point(pair, c.tau, random);
            ASSERT_GE(dot(other.at - pair.rel_vel, other.normal) / 2.0,
                      dot(exit.u, exit.normal) / 2.0 - 1e-9);
        }
    }
}

TEST(Orca, shares_above_one_are_safe_in_a_conflict_and_unsafe_without_one)
{
    std::size_t conflicts = 0, free_cases = 0;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomPair c = random_pair(seed);
        SeededRandom random(seed + 4);
        const double w = random.uniform(0.05, 0.95);
        const double excess = random.uniform(1e-3, 0.05);
        const OrcaLine for_a = value(orca_line(c.a, c.b, c.tau, 0.1, w));
        const OrcaLine for_b =
            value(orca_line(c.b, c.a, c.tau, 0.1, std::min(1.0, 1.0 - w + excess)));
        const double depth = dot(for_a.u, for_a.normal);
        if (std::fabs(depth) < 1e-3) continue;
        Encounter pair = c.seen_by_a();
        pair.rel_vel = for_a.point - for_b.point;  // both at the edge of what they may do
        if (depth > 0.0) {
            ++conflicts;
            ASSERT_FALSE(inside(pair, c.tau));
        } else if (-depth * excess < pair.radius / c.tau) {
            ++free_cases;
            ASSERT_TRUE(inside(pair, c.tau));
        }
    }
    EXPECT_GE(conflicts, kCases / 10);
    EXPECT_GE(free_cases, kCases / 10);
}

TEST(UncertainNeighbour,
     a_velocity_outside_the_enlarged_obstacle_is_safe_against_every_velocity_in_the_disc)
{
    std::size_t gained = 0;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const RandomPair c = random_pair(seed);
        SeededRandom random(seed + 5);
        const double rho = random.uniform(0.0, 0.8);
        const Encounter pair = c.seen_by_a();
        const VelocityObstacleExit plain = value(vo_project(pair, c.tau));
        const VelocityObstacleExit exit = value(vo_uncertain(pair, c.tau, rho));
        ASSERT_NEAR(exit.signed_distance, plain.signed_distance - rho, 1e-12);
        Encounter other = pair;
        bool any_inside = false;
        for (int k = 0; k < 200; ++k) {
            other.rel_vel = pair.rel_vel + random.in_disc(rho);
            any_inside = any_inside || inside(other, c.tau);
        }
        other.rel_vel = pair.rel_vel - exit.normal * (rho - 1e-9);  // the worst of them
        any_inside = any_inside || inside(other, c.tau);
        if (std::fabs(exit.signed_distance) > 1e-6) {
            ASSERT_EQ(exit.inside(), any_inside);
        }
        gained += exit.inside() && !plain.inside();
    }
    EXPECT_GE(gained, kCases / 20);
}

}  // namespace
}  // namespace sidestep::test
