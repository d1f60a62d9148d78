// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What cones promise, and what they do not: pairs that keep to them, watched until the horizon.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "constraints/cones-inl.hpp"
#include "sidestep/geometry.hpp"
#include "simd/one_double.hpp"
#include "support/seeded_random.hpp"

namespace sidestep::test {
namespace {

using namespace one_double;

Vec2 out(const lane::Vec2<V>& a)
{
    return {hn::GetLane(a.x), hn::GetLane(a.y)};
}
double size(Vec2 a)
{
    return std::sqrt(dot(a, a));
}
auto ties_right()
{
    return lane::ties_to(D(), PassingSide::right);
}

lane::Pair<V> pair_of(const MovingDisc& a, const MovingDisc& b)
{
    return {in(b.position - a.position), in(a.velocity - b.velocity), in(a.radius + b.radius)};
}
lane::PairCone<V> cone_of(const MovingDisc& a, const MovingDisc& b, double share, double horizon)
{
    return lane::pair_cone(D(), pair_of(a, b), in(a.velocity), in(share), in(horizon),
                           ties_right());
}
bool inside(const lane::Region<V>& region, Vec2 v, double depth = 0.0)
{
    return holds(lane::inside_region(D(), region, in(v), in(depth)));
}

/// Smallest gap between the rims [m] within `time` [s] when both keep these velocities.
double least_gap(const MovingDisc& a, const MovingDisc& b, Vec2 v_a, Vec2 v_b, double time)
{
    const Vec2 P = b.position - a.position;
    const Vec2 x = v_a - v_b;
    const double speed_sq = dot(x, x);
    const double t = speed_sq > 0.0 ? std::clamp(dot(P, x) / speed_sq, 0.0, time) : 0.0;
    return size(P - x * t) - (a.radius + b.radius);
}

struct Meeting {
    MovingDisc a;
    MovingDisc b;
    double horizon = 1.0;
};

/// Two who are apart, often on a collision course, sometimes exactly head on.
Meeting random_meeting(std::uint64_t seed)
{
    SeededRandom random(seed);
    Meeting m;
    m.a = {random.in_box(5.0), random.in_disc(2.0), random.uniform(0.1, 0.6), 3};
    m.b.radius = random.uniform(0.1, 0.6);
    m.b.id = 8;
    const double R = m.a.radius + m.b.radius;
    const Vec2 way = random.direction();
    m.b.position = m.a.position + way * (R * (1.0 + random.log_uniform(1e-3, 10.0)));
    m.b.velocity = random.in_disc(2.0);
    if (random.chance(0.3)) m.b.velocity = m.a.velocity - way * random.uniform(0.1, 4.0);
    m.horizon = random.log_uniform(0.2, 6.0);
    return m;
}

/// v, or its nearest point in the half-plane where it is outside.
Vec2 kept_to(const lane::HalfPlane<V>& plane, Vec2 v)
{
    const Vec2 n = out(plane.normal);
    const double missing = dot(out(plane.point) - v, n);
    return missing > 0.0 ? v + n * missing : v;
}

enum class Rule { safe, orca };

lane::HalfPlane<V> line_of(Rule rule, const MovingDisc& a, const MovingDisc& b, double horizon,
                           double share)
{
    const lane::Shares<V> shares{in(share), in(share)};
    const lane::PairIds ids{&a.id, &b.id};
    const V t_res = in(0.5);
    return rule == Rule::safe
               ? lane::safe_half_plane(D(), pair_of(a, b), in(a.velocity), in(horizon), t_res,
                                       shares, in(0.0), ids, ties_right())
               : lane::orca_half_plane(D(), pair_of(a, b), in(a.velocity), in(horizon), t_res,
                                       shares, in(0.0), ids, ties_right());
}

TEST(ConeSafety, pairs_that_keep_to_their_lines_do_not_collide_within_the_horizon)
{
    for (const Rule rule : {Rule::safe, Rule::orca}) {
        std::size_t conflicts = 0, active = 0;
        double least = 1e9;
        for (std::uint64_t seed = 0; seed < 10000; ++seed) {
            SCOPED_TRACE((rule == Rule::safe ? "safe, seed " : "orca, seed ") +
                         std::to_string(seed));
            const Meeting m = random_meeting(seed);
            SeededRandom random(seed + 1000000);
            const double share = random.chance(0.5) ? 0.5 : random.uniform(0.0, 1.0);
            const auto line_a = line_of(rule, m.a, m.b, m.horizon, share);
            const auto line_b = line_of(rule, m.b, m.a, m.horizon, 1.0 - share);
            conflicts += least_gap(m.a, m.b, m.a.velocity, m.b.velocity, m.horizon) < 0.0;
            for (int choice = 0; choice < 4; ++choice) {
                const Vec2 want_a = choice == 0 ? m.a.velocity : random.in_disc(4.0);
                const Vec2 want_b = choice == 0 ? m.b.velocity : random.in_disc(4.0);
                const Vec2 v_a = kept_to(line_a, want_a);
                const Vec2 v_b = kept_to(line_b, want_b);
                active += size(v_a - want_a) > 0.0 || size(v_b - want_b) > 0.0;
                const double gap = least_gap(m.a, m.b, v_a, v_b, m.horizon);
                least = std::min(least, gap);
                ASSERT_GE(gap, -1e-9);
            }
        }
        EXPECT_GT(conflicts, 2000u);
        EXPECT_GT(active, 10000u);
        EXPECT_LT(least, 1e-6);  // and the lines are not safe by being far off
    }
}

TEST(ConeSafety, the_printed_theorem_fails_for_cut_cones_and_safe_lines_do_not)
{
    // Both conditions of ClearPath-1 hold for both agents, A being slow enough and B past a leg.
    const MovingDisc a{{0, 0}, {1.0, 0.2}, 0.5, 0};
    const MovingDisc b{{4, 0}, {-1.0, 0.0}, 0.5, 1};
    const double T = 1.0;
    const Vec2 v_a{1.4, 0.2}, v_b{-4.0, -1.0};
    const auto cone_a = cone_of(a, b, 0.5, T);
    const auto cone_b = cone_of(b, a, 0.5, T);
    for (const bool of_a : {true, false}) {
        const auto& cone = of_a ? cone_a : cone_b;
        EXPECT_FALSE(inside(lane::linear_region(D(), cone), of_a ? v_a : v_b));
        EXPECT_FALSE(inside(lane::side_region(D(), cone), of_a ? v_a : v_b));
    }
    const auto test = vo_contains({b.position - a.position, 1.0, v_a - v_b}, T);
    ASSERT_TRUE(test && test->time_to_collision);
    EXPECT_TRUE(test->inside);
    EXPECT_NEAR(*test->time_to_collision, 0.616, 5e-4);

    const Vec2 safe_a = kept_to(line_of(Rule::safe, a, b, T, 0.5), v_a);
    const Vec2 safe_b = kept_to(line_of(Rule::safe, b, a, T, 0.5), v_b);
    EXPECT_GE(least_gap(a, b, safe_a, safe_b, T), -1e-12);
    EXPECT_GT(size(safe_a - v_a) + size(safe_b - v_b), 0.1);
}

TEST(ConeSafety, a_reciprocal_cone_cut_at_tau_instead_of_twice_tau_lets_pairs_collide)
{
    const MovingDisc a{{0, 0}, {1, 0}, 0.5, 0};
    const MovingDisc b{{4, 0}, {-1, 0}, 0.5, 1};
    const double tau = 2.0;
    const Vec2 v{1.4, 0.0};  // and B the mirror image
    // s / T with s = 1/2 and T = tau / 2 is the unscaled cut 1 / tau.
    EXPECT_FALSE(inside(lane::round_region(D(), cone_of(a, b, 0.5, tau / 2)), v));
    EXPECT_FALSE(inside(lane::round_region(D(), cone_of(b, a, 0.5, tau / 2)), v * -1.0));
    EXPECT_LT(least_gap(a, b, v, v * -1.0, tau), -0.5);
    // The right cut forbids it, and what it just allows meets at tau.
    EXPECT_TRUE(inside(lane::round_region(D(), cone_of(a, b, 0.5, tau)), v));
    const Vec2 slow{0.75, 0.0};
    EXPECT_FALSE(inside(lane::round_region(D(), cone_of(a, b, 0.5, tau)), slow));
    EXPECT_NEAR(least_gap(a, b, slow, slow * -1.0, tau), 0.0, 1e-12);
}

TEST(ConeSafety, the_round_region_is_the_velocity_obstacle_and_the_linear_one_contains_it)
{
    std::size_t forbidden = 0, only_linear = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Meeting m = random_meeting(seed);
        SeededRandom random(seed + 2000000);
        const double share = random.one_of({1.0, 0.5, random.uniform(0.05, 1.0)});
        const auto cone = cone_of(m.a, m.b, share, m.horizon);
        const auto round = lane::round_region(D(), cone);
        const auto linear = lane::linear_region(D(), cone);
        const Vec2 apex = m.a.velocity * (1.0 - share) + m.b.velocity * share;
        const Encounter pair{m.b.position - m.a.position, m.a.radius + m.b.radius, {}};
        for (int i = 0; i < 20; ++i) {
            const Vec2 v = random.chance(0.5) ? random.in_disc(3.0)
                                              : apex + pair.rel_pos * random.uniform(0.0, 1.0) +
                                                    random.in_disc(0.5);
            Encounter told = pair;
            told.rel_vel = (v - apex) * (1.0 / share);
            const double distance = share * vo_project(told, m.horizon)->signed_distance;
            if (std::fabs(distance) < 1e-9) continue;
            const bool meets = vo_contains(told, m.horizon)->inside;
            ASSERT_EQ(meets, distance < 0.0);
            ASSERT_EQ(inside(round, v), meets);
            // Deeper than a depth: the region shrinks by it, up to corners.
            ASSERT_EQ(inside(round, v, 1e-3), distance < -1e-3) << distance;
            ASSERT_TRUE(!meets || inside(linear, v));
            forbidden += meets;
            only_linear += !meets && inside(linear, v);
        }
    }
    std::printf("%zu forbidden, %zu more by the linear cut\n", forbidden, only_linear);
    EXPECT_GT(forbidden, 5000u);
    EXPECT_GT(only_linear, 100u);
}

TEST(ConeSafety, an_uncertain_velocity_grows_the_round_region_by_its_radius)
{
    std::size_t forbidden = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Meeting m = random_meeting(seed);
        SeededRandom random(seed + 3000000);
        const double rho = random.uniform(0.0, 0.5);
        const auto cone = cone_of(m.a, m.b, 1.0, m.horizon);
        const auto round = lane::enlarge_region(D(), lane::round_region(D(), cone), in(rho));
        const auto linear = lane::enlarge_region(D(), lane::linear_region(D(), cone), in(rho));
        for (int i = 0; i < 20; ++i) {
            const Vec2 v = random.in_disc(4.0);
            const auto exit = vo_uncertain(
                {m.b.position - m.a.position, m.a.radius + m.b.radius, v - m.b.velocity}, m.horizon,
                rho);
            if (std::fabs(exit->signed_distance) < 1e-9) continue;
            ASSERT_EQ(inside(round, v), exit->inside());
            ASSERT_TRUE(!exit->inside() || inside(linear, v));
            forbidden += exit->inside();
        }
    }
    EXPECT_GT(forbidden, 2000u);
}

TEST(ConeSafety, both_agents_of_a_pair_see_the_same_obstacle_from_its_two_sides)
{
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Meeting m = random_meeting(seed);
        const auto of_a = cone_of(m.a, m.b, 1.0, m.horizon);
        const auto of_b = cone_of(m.b, m.a, 1.0, m.horizon);
        SeededRandom random(seed + 4000000);
        for (int i = 0; i < 10; ++i) {
            const Vec2 x = random.in_disc(4.0);  // relative velocity; for B it is -x
            for (const bool round : {true, false}) {
                const auto a =
                    round ? lane::round_region(D(), of_a) : lane::linear_region(D(), of_a);
                const auto b =
                    round ? lane::round_region(D(), of_b) : lane::linear_region(D(), of_b);
                // Within 1e-9 of the boundary either may be right.
                if (inside(a, m.b.velocity + x, 1e-9) != inside(a, m.b.velocity + x)) continue;
                if (inside(b, m.a.velocity - x, 1e-9) != inside(b, m.a.velocity - x)) continue;
                ASSERT_EQ(inside(a, m.b.velocity + x), inside(b, m.a.velocity - x));
            }
        }
        // Opposite sides of one axis, and of one line out of the cone.
        const auto mid_a = cone_of(m.a, m.b, 0.5, m.horizon);
        const auto mid_b = cone_of(m.b, m.a, 0.5, m.horizon);
        ASSERT_EQ(out(mid_a.side), out(mid_b.side) * -1.0);
        ASSERT_NEAR(size(out(mid_a.apex) - out(mid_b.apex)), 0.0, 1e-15);
        const auto line_a = line_of(Rule::safe, m.a, m.b, m.horizon, 0.5);
        const auto line_b = line_of(Rule::safe, m.b, m.a, m.horizon, 0.5);
        ASSERT_EQ(out(line_a.normal), out(line_b.normal) * -1.0);
    }
}

TEST(ConeSafety, velocities_outside_the_round_region_keep_the_discs_apart_for_the_horizon)
{
    std::size_t looked_at = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Meeting m = random_meeting(seed);
        const auto region = lane::round_region(D(), cone_of(m.a, m.b, 1.0, m.horizon));
        SeededRandom random(seed + 5000000);
        const double R = m.a.radius + m.b.radius;
        for (int i = 0; i < 5; ++i) {
            const Vec2 v = random.in_disc(3.0);
            if (inside(region, v)) continue;
            ++looked_at;
            for (int k = 0; k <= 100; ++k) {
                const double t = m.horizon * k / 100;
                const Vec2 gap = (m.b.position - m.a.position) - (v - m.b.velocity) * t;
                ASSERT_GE(size(gap), R - 1e-9 * std::max(1.0, R));
            }
        }
    }
    EXPECT_GT(looked_at, 5000u);
}

struct Oscillation {
    int reversals = 0;
    double variation = 0.0;
    double least_gap = 1e9;
};

/// Two who walk towards each other and choose anew every quarter of a second.
Oscillation head_on(double share)
{
    MovingDisc a{{-5, 0}, {1.3, 0}, 0.5, 0}, b{{5, 0.02}, {-1.3, 0}, 0.5, 1};
    Oscillation result;
    std::optional<Vec2> before;
    double last = 0.0;
    for (int step = 0; step < 60; ++step) {
        const auto choose = [&](const MovingDisc& own, const MovingDisc& other, Vec2 wish) {
            const auto chosen = vo_exact({.agent = own,
                                          .neighbours = {&other, 1},
                                          .tau = 4.0,
                                          .share = share,
                                          .v_max = 2.0,
                                          .preferred = wish,
                                          .t_res = 0.25});
            EXPECT_TRUE(chosen && chosen->feasible);
            return chosen->velocity;
        };
        const Vec2 v_a = choose(a, b, {1.3, 0}), v_b = choose(b, a, {-1.3, 0});
        a.velocity = v_a;
        b.velocity = v_b;
        a.position = a.position + v_a * 0.25;
        b.position = b.position + v_b * 0.25;
        result.least_gap = std::min(result.least_gap, size(b.position - a.position) - 1.0);
        if (before) {
            const Vec2 change = v_a - *before;
            result.variation += std::fabs(change.x) + std::fabs(change.y);
            if (std::fabs(change.y) > 1e-6) {
                result.reversals += change.y * last < 0.0;
                last = change.y;
            }
        }
        before = v_a;
    }
    return result;
}

TEST(ConeSafety, plain_obstacles_make_a_pair_oscillate_and_reciprocal_ones_do_not)
{
    const Oscillation plain = head_on(1.0);
    const Oscillation reciprocal = head_on(0.5);
    std::printf("plain: %d reversals, variation %.3f; reciprocal: %d, %.3f\n", plain.reversals,
                plain.variation, reciprocal.reversals, reciprocal.variation);
    EXPECT_GE(plain.reversals, 8);
    EXPECT_LE(reciprocal.reversals, 1);
    EXPECT_NEAR(plain.variation, 4.18, 0.05);
    EXPECT_NEAR(reciprocal.variation, 0.139, 0.002);
    EXPECT_GE(plain.least_gap, -1e-9);
    EXPECT_GE(reciprocal.least_gap, -1e-9);
}

}  // namespace
}  // namespace sidestep::test
