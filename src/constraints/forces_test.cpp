// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Social forces against their potentials and in degenerate places.
#include "sidestep/forces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "simd/exp-inl.hpp"
#include "simd/one_double.hpp"

namespace sidestep {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

double length(Vec2 a)
{
    return std::sqrt(dot(a, a));
}

/// Numbers that are the same in every run.
class Draw {
public:
    double between(double low, double high)
    {
        return low + (high - low) * static_cast<double>(engine_()) / 4294967296.0;
    }
    Vec2 vector(double most) { return {between(-most, most), between(-most, most)}; }
    WalkingPair pair() { return {vector(3), vector(1.5), vector(3), vector(1.5)}; }

private:
    std::mt19937 engine_{7};
};

/// Minus the gradient of an energy at p, by central differences.
Vec2 downhill(const std::function<double(Vec2)>& energy, Vec2 p)
{
    const double h = 1e-6;
    return {(energy(p - Vec2{h, 0}) - energy(p + Vec2{h, 0})) / (2 * h),
            (energy(p - Vec2{0, h}) - energy(p + Vec2{0, h})) / (2 * h)};
}

TEST(ExpLanes, is_the_exponential_in_both_kinds_of_numbers)
{
    namespace lane = HWY_NAMESPACE;
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::CappedTag<double, 1> wide;
    const hn::CappedTag<float, 1> narrow;
    for (double x = -700.0; x <= 700.0; x += 0.37)
        EXPECT_NEAR(hn::GetLane(lane::exp_lanes(wide, hn::Set(wide, x))) / std::exp(x), 1.0, 2e-15)
            << x;
    for (float x = -86.0f; x <= 87.5f; x += 0.037f)
        EXPECT_NEAR(
            double{hn::GetLane(lane::exp_lanes(narrow, hn::Set(narrow, x)))} / std::exp(double{x}),
            1.0, 4e-7)
            << x;
    EXPECT_EQ(hn::GetLane(lane::exp_lanes(wide, hn::Set(wide, 0.0))), 1.0);
    EXPECT_EQ(hn::GetLane(lane::exp_lanes(wide, hn::Set(wide, -1e4))), 0.0);
    EXPECT_EQ(hn::GetLane(lane::exp_lanes(wide, hn::Set(wide, 1e4))), kInf);
    EXPECT_EQ(hn::GetLane(lane::exp_lanes(narrow, hn::Set(narrow, -1e4f))), 0.0f);
}

// verification: core-12.
TEST(SocialForces, of_two_are_equal_and_opposite_where_directions_count_alike)
{
    Draw draw;
    const RepulsionLaw law{.strength = 2.0, .reach = 0.3, .anisotropy = 1.0};
    for (int i = 0; i < 1000; ++i) {
        const WalkingPair ij = draw.pair();
        const WalkingPair ji{ij.p_j, ij.v_j, ij.p_i, ij.v_i};
        const auto opposite = [&](Vec2 a, Vec2 b) {
            EXPECT_NEAR(a.x + b.x, 0.0, 1e-12 * std::max(1.0, length(a)));
            EXPECT_NEAR(a.y + b.y, 0.0, 1e-12 * std::max(1.0, length(a)));
        };
        opposite(*sf_circ(ij.p_i, ij.v_i, 0.2, ij.p_j, 0.3, law),
                 *sf_circ(ji.p_i, ji.v_i, 0.3, ji.p_j, 0.2, law));
        opposite(*sf_ell2(ij, 0.5, law), *sf_ell2(ji, 0.5, law));
        opposite(*sf_contact(ij, 1.5, 1.0, 1.2e5, 2.4e5), *sf_contact(ji, 1.0, 1.5, 1.2e5, 2.4e5));
        const Vec2 x = ij.p_i - ij.p_j;
        const Vec2 v = ij.v_i - ij.v_j;
        opposite(sf_power(x, v, 0.5, 1.5, 3.0)->force,
                 sf_power(x * -1.0, v * -1.0, 0.5, 1.5, 3.0)->force);
    }
}

TEST(SocialForces, of_ellipses_are_the_gradient_of_their_potential)
{
    Draw draw;
    for (int i = 0; i < 300; ++i) {
        const WalkingPair pair = draw.pair();
        const RepulsionLaw law{
            .strength = draw.between(0.1, 5), .reach = draw.between(0.2, 3), .anisotropy = 1.0};
        for (const bool relative : {false, true}) {
            const double look_ahead = relative ? 0.5 : 2.0;
            const Vec2 ahead = (relative ? pair.v_j - pair.v_i : pair.v_j) * look_ahead;
            const auto axis = [&](Vec2 p) {
                const Vec2 d = p - pair.p_j;
                const double sum = length(d) + length(d - ahead);
                return 0.5 * std::sqrt(sum * sum - dot(ahead, ahead));
            };
            if (axis(pair.p_i) < 0.1) continue;  // kept at 0.05 nearer to the way
            const Vec2 want = downhill(
                [&](Vec2 p) { return law.strength * law.reach * std::exp(-axis(p) / law.reach); },
                pair.p_i);
            const Vec2 got =
                relative ? *sf_ell2(pair, look_ahead, law) : *sf_ell1(pair, look_ahead, law);
            EXPECT_NEAR(got.x, want.x, 1e-6 * std::max(1.0, length(want)));
            EXPECT_NEAR(got.y, want.y, 1e-6 * std::max(1.0, length(want)));
        }
    }
}

TEST(SocialForces, of_a_foreseen_collision_are_the_gradient_of_its_energy)
{
    Draw draw;
    int met = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec2 x = draw.vector(4);
        const Vec2 v = draw.vector(2);
        const auto energy = [&](Vec2 at) {
            const auto found = sf_power(at, v, 0.6, 1.5, 3.0);
            if (!found->time_to_collision) return 0.0;
            const double t = *found->time_to_collision;
            return 1.5 / (t * t) * std::exp(-t / 3.0);
        };
        const auto found = sf_power(x, v, 0.6, 1.5, 3.0);
        // At the rim of the cone the gradient is infinite, at contact the energy is.
        const double miss = std::fabs(x.x * v.y - x.y * v.x) / length(v);
        if (!found->time_to_collision || *found->time_to_collision < 0.1 || miss > 0.55) continue;
        ++met;
        const Vec2 want = downhill(energy, x);
        EXPECT_NEAR(found->force.x, want.x, 2e-5 * std::max(1.0, length(want)));
        EXPECT_NEAR(found->force.y, want.y, 2e-5 * std::max(1.0, length(want)));
    }
    EXPECT_GT(met, 100);
}

TEST(SocialForces, from_behind_count_by_the_anisotropy)
{
    const RepulsionLaw law{.strength = 2.0, .reach = 0.3, .anisotropy = 0.2};
    const auto push = [&](Vec2 v, Vec2 from) {
        return length(*sf_circ({}, v, 0.2, from, 0.3, law));
    };
    const double whole = 2.0 * std::exp(-0.5 / 0.3);
    EXPECT_NEAR(push({1, 0}, {1, 0}), whole, 1e-12);
    EXPECT_NEAR(push({1, 0}, {0, 1}), whole * 0.6, 1e-12);
    EXPECT_NEAR(push({1, 0}, {-1, 0}), whole * 0.2, 1e-12);
    // Who stands looks everywhere.
    EXPECT_NEAR(push({0, 0}, {-1, 0}), whole, 1e-12);
    EXPECT_NEAR(push({9e-10, 0}, {-1, 0}), whole, 1e-12);
    EXPECT_NEAR(push({2e-9, 0}, {-1, 0}), whole * 0.2, 1e-12);
}

TEST(SocialForces, at_one_place_have_no_direction)
{
    const RepulsionLaw law{.strength = 2.0, .reach = 0.3, .anisotropy = 0.2};
    EXPECT_EQ(*sf_circ({1, 1}, {1, 0}, 0.2, {1, 1}, 0.3, law), (Vec2{0, 0}));
    EXPECT_EQ(*sf_contact({{1, 1}, {1, 0}, {1, 1}, {0, 0}}, 0.2, 0.3, 1.2e5, 2.4e5), (Vec2{0, 0}));
    EXPECT_EQ(*sf_ell2({{1, 1}, {1, 0}, {1, 1}, {1, 0}}, 0.5, law), (Vec2{0, 0}));
    // Of an ellipse only one of two directions is missing: 2 e^(-0.05 / 0.3) * 0.5 / 0.2, and half
    // of what is between the front and the back counts.
    const Vec2 along = *sf_ell2({{1, 1}, {1, 0}, {1, 1}, {0, 0}}, 0.5, law);
    EXPECT_NEAR(along.x, 0.6 * 2.0 * std::exp(-0.05 / 0.3) * 0.5 / 0.2, 1e-12);
    EXPECT_EQ(along.y, 0.0);
}

TEST(SocialForces, of_a_wall_come_from_its_nearest_point)
{
    const auto push = [](Vec2 p, Vec2 a, Vec2 b) { return *sf_wall(p, a, b, 0.25, 5.0, 0.1); };
    EXPECT_NEAR(push({1, 0.5}, {0, 0}, {3, 0}).y, 5.0 * std::exp(-2.5), 1e-12);
    const Vec2 corner = push({-0.3, 0.4}, {0, 0}, {3, 0});
    EXPECT_NEAR(corner.x, -0.6 * 5.0 * std::exp(-2.5), 1e-12);
    EXPECT_NEAR(corner.y, 0.8 * 5.0 * std::exp(-2.5), 1e-12);
    EXPECT_NEAR(push({3.3, -0.4}, {0, 0}, {3, 0}).y, -0.8 * 5.0 * std::exp(-2.5), 1e-12);
    // On it, whether rounding sees that or not: to the left.
    EXPECT_NEAR(push({1, 0}, {0, 0}, {3, 0}).y, 5.0 * std::exp(2.5), 1e-9);
    EXPECT_NEAR(push({1, 0}, {3, 0}, {0, 0}).y, -5.0 * std::exp(2.5), 1e-9);
    EXPECT_NEAR(push({3, 0}, {0, 0}, {3, 0}).y, 5.0 * std::exp(2.5), 1e-9);
    const Vec2 oblique = push({0.1, 0.3}, {0, 0}, {0.7, 2.1});
    EXPECT_NEAR(oblique.x, -3.0 / std::sqrt(10.0) * 5.0 * std::exp(2.5), 1e-9);
    EXPECT_NEAR(oblique.y, 1.0 / std::sqrt(10.0) * 5.0 * std::exp(2.5), 1e-9);
    // A wall of no length pushes like a corner.
    EXPECT_NEAR(push({0, 0.5}, {0, 0}, {0, 0}).y, 5.0 * std::exp(-2.5), 1e-12);
    EXPECT_FALSE(sf_wall({1, 1}, {1, 1}, {1, 1}, 0.25, 5.0, 0.1));
}

TEST(SocialForces, foresee_no_collision_where_there_is_none)
{
    const auto none = [](Vec2 x, Vec2 v) {
        const auto found = *sf_power(x, v, 0.6, 1.5, 3.0);
        EXPECT_EQ(found.force, (Vec2{0, 0}));
        return found.time_to_collision;
    };
    EXPECT_FALSE(none({4, 0}, {1, 0}));         // they part
    EXPECT_FALSE(none({4, 0}, {0, 0}));         // nobody moves
    EXPECT_FALSE(none({4, 0.6}, {-1, 0}));      // a tangent
    EXPECT_EQ(none({0.4, 0.1}, {-1, 0}), 0.0);  // they overlap
    EXPECT_EQ(none({0.6, 0}, {-1, 0}), 0.0);    // they touch
    EXPECT_EQ(none({0, 0}, {0, 0}), 0.0);
}

TEST(SocialForces, relax_to_the_preferred_velocity_without_going_past_it)
{
    for (const double dt : {0.01, 0.1, 1.0, 100.0}) {
        const auto end = *sf_step(
            {.velocity = {}, .v0 = 1.34, .direction = {1, 0}, .tau = 0.5, .dt = dt, .v_max = 2.0});
        EXPECT_NEAR(end.velocity.x, 1.34 * dt / (dt + 0.5), 1e-12);
        EXPECT_NEAR(end.position.x, end.velocity.x * dt, 1e-12);
    }
    const auto fast = *sf_step(
        {.velocity = {3, 4}, .v0 = 0.0, .direction = {1, 0}, .tau = 1e3, .dt = 0.1, .v_max = 2.0});
    EXPECT_NEAR(fast.velocity.x, 1.2, 1e-12);
    EXPECT_NEAR(fast.velocity.y, 1.6, 1e-12);
    const auto stopped = *sf_step(
        {.velocity = {3, 4}, .v0 = 1.0, .direction = {1, 0}, .tau = 0.5, .dt = 0.1, .v_max = 0.0});
    EXPECT_EQ(stopped.velocity, (Vec2{0, 0}));
}

TEST(SocialForces, refuse_what_makes_no_sense)
{
    const RepulsionLaw law{.strength = 2.0, .reach = 0.3, .anisotropy = 0.2};
    EXPECT_FALSE(sf_goal({}, 1.0, {1, 0}, 0.0));
    EXPECT_FALSE(sf_circ({}, {}, -0.1, {1, 0}, 0.2, law));
    EXPECT_FALSE(sf_circ({}, {}, 0.1, {1, 0}, 0.2, {2.0, 0.0, 0.2}));
    EXPECT_FALSE(sf_circ({}, {}, 0.1, {1, 0}, 0.2, {2.0, 0.3, 1.2}));
    EXPECT_FALSE(sf_circ({}, {}, 1e6, {1, 0}, 0.2, law));  // e^3e6
    EXPECT_FALSE(sf_ell1({}, -1.0, law));
    EXPECT_FALSE(sf_contact({}, 0.2, 0.2, -1.0, 0.0));
    EXPECT_FALSE(sf_power({4, 0}, {-1, 0}, 0.6, 1.5, 0.0));
    EXPECT_FALSE(sf_wall({}, {kInf, 0}, {1, 0}, 0.2, 5.0, 0.1));
    EXPECT_FALSE(sf_step({.tau = 0.5, .dt = 0.0, .v_max = 1.0}));
}

}  // namespace
}  // namespace sidestep
