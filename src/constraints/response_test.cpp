// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Motion with a first-order lag, and who is met on the way.
#include "constraints/response.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Response, divides_the_time_between_the_velocity_kept_and_the_one_told)
{
    for (const double delta : {1e-3, 0.1, 0.8, 2.0, 7.9, 8.1, 1e3, 1e9}) {
        for (const double t : {1e-6, 0.05, 1.0, 4.0, 60.0}) {
            const Response r = response_after(t, delta);
            EXPECT_DOUBLE_EQ(r.kept + r.told, t);
            EXPECT_NEAR(r.kept, -delta * std::expm1(-t / delta), 4e-15 * t) << delta << ' ' << t;
            EXPECT_GE(r.kept, 0.0);
            EXPECT_GE(r.told, 0.0);
        }
    }
}

TEST(Response, keeps_its_digits_where_hardly_any_time_has_passed)
{
    // k = t^2 / (2 delta) to first order; t - delta (1 - e^-z) would leave nothing of it.
    const double t = 1e-6;
    EXPECT_NEAR(response_after(t, 1e3).told / (t * t / 2e3), 1.0, 1e-9);
}

TEST(Response, turns_at_once_without_a_lag_and_never_with_an_infinite_one)
{
    EXPECT_EQ(response_after(3.0, 0.0).told, 3.0);
    EXPECT_EQ(response_after(3.0, 0.0).kept, 0.0);
    EXPECT_EQ(response_after(3.0, 5e-324).told, 3.0);
    EXPECT_EQ(response_after(3.0, kInf).kept, 3.0);
    EXPECT_EQ(response_after(3.0, kInf).told, 0.0);
    EXPECT_EQ(response_after(0.0, 0.8).kept, 0.0);
    EXPECT_EQ(response_after(0.0, 0.8).told, 0.0);
}

TEST(AvoContains, is_the_velocity_obstacle_of_the_wanted_velocity_without_a_lag)
{
    // Far from the boundary the 4001 moments find what the exact test finds.
    for (int i = 0; i < 64; ++i) {
        const double angle = 0.1 * i;
        const Vec2 wanted{1.5 * std::cos(angle), 1.5 * std::sin(angle)};
        const Encounter now{{4, 1}, 1, {-3, 2}};
        const auto exact = vo_project({now.rel_pos, now.radius, wanted}, 4.0);
        if (std::fabs(exact->signed_distance) < 1e-3) continue;
        EXPECT_EQ(avo_contains(now, wanted, 0.0, 4.0)->inside, exact->inside()) << i;
        EXPECT_EQ(avo_contains(now, wanted, 1e-9, 4.0)->inside, exact->inside()) << i;
    }
}

TEST(AvoContains, is_the_velocity_obstacle_of_the_present_velocity_with_an_infinite_lag)
{
    const Encounter ahead{{4, 0}, 1, {1, 0}};
    const auto test = avo_contains(ahead, {-5, 0}, kInf, 4.0);
    EXPECT_TRUE(test->inside);
    EXPECT_NEAR(test->min_dist, 0.0, 1e-12);
    EXPECT_FALSE(avo_contains(ahead, {-5, 0}, kInf, 2.9)->inside);
}

TEST(AvoContains, meets_who_cannot_turn_away_in_time)
{
    // 2 m of air at 2 m/s: turning back works with a lag of 0.2 s, not with one of 5 s.
    const Encounter ahead{{3, 0}, 1, {2, 0}};
    EXPECT_FALSE(avo_contains(ahead, {-2, 0}, 0.2, 5.0)->inside);
    EXPECT_TRUE(avo_contains(ahead, {-2, 0}, 5.0, 5.0)->inside);
}

TEST(AvoContains, looks_at_now_and_at_the_horizon)
{
    EXPECT_TRUE(avo_contains({{0.5, 0}, 1, {-1, 0}}, {-1, 0}, 0.5, 2.0)->inside);  // overlaps now
    EXPECT_EQ(avo_contains({{0.5, 0}, 1, {-1, 0}}, {-1, 0}, 0.5, 2.0)->min_dist, 0.5);
    EXPECT_FALSE(avo_contains({{1, 0}, 1, {0, 0}}, {0, 0}, 0.5, 2.0)->inside);  // touches
    EXPECT_FALSE(avo_contains({{0, 0}, 0, {0, 0}}, {0, 0}, 0.5, 2.0)->inside);  // points
    EXPECT_DOUBLE_EQ(avo_contains({{4, 0}, 1, {1, 0}}, {1, 0}, 0.5, 2.0)->min_dist, 2.0);
}

TEST(AvoContains, rejects_bad_input)
{
    const Encounter pair{{4, 0}, 1, {1, 0}};
    EXPECT_FALSE(avo_contains(pair, {1, 0}, -0.1, 2.0));
    EXPECT_FALSE(avo_contains(pair, {1, 0}, kNan, 2.0));
    EXPECT_FALSE(avo_contains(pair, {1, 0}, 0.5, 0.0));
    EXPECT_FALSE(avo_contains(pair, {1, 0}, 0.5, kInf));
    EXPECT_FALSE(avo_contains(pair, {kNan, 0}, 0.5, 2.0));
    EXPECT_FALSE(avo_contains({{4, 0}, -1, {1, 0}}, {1, 0}, 0.5, 2.0));
}

}  // namespace
}  // namespace sidestep
