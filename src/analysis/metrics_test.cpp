// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "sidestep/analysis.hpp"

namespace sidestep {
namespace {

TEST(ClosestApproach, of_walkers_at_the_same_velocity_is_now)
{
    const auto c = closest_approach({0, 0}, {1, 1}, {3, 4}, {1, 1});
    ASSERT_TRUE(c);
    EXPECT_EQ(c->time, 0.0);
    EXPECT_EQ(c->distance, 5.0);
}

TEST(ClosestApproach, of_walkers_who_separate_is_now_and_of_walkers_who_meet_is_ahead)
{
    EXPECT_EQ(closest_approach({0, 0}, {-1, 0}, {2, 0}, {1, 0})->time, 0.0);
    const auto ahead = closest_approach({0, 0}, {1, 0}, {5, 0.3}, {-1, 0});
    EXPECT_DOUBLE_EQ(ahead->time, 2.5);
    EXPECT_DOUBLE_EQ(ahead->distance, 0.3);
}

TEST(ClosestApproach, rejects_what_is_not_finite)
{
    EXPECT_FALSE(closest_approach({std::numeric_limits<double>::quiet_NaN(), 0}, {}, {}, {}));
}

TEST(WalkingEnergy, is_lowest_per_metre_at_a_brisk_walk)
{
    const auto per_metre = [](double speed) {
        const std::vector<Vec2> velocities(100, Vec2{speed, 0});
        return *walking_energy(velocities, 0.1, 70.0) / (speed * 10.0);
    };
    EXPECT_NEAR(per_metre(1.3303), 234.7, 0.1);
    EXPECT_GT(per_metre(1.0), per_metre(1.33));
    EXPECT_GT(per_metre(1.8), per_metre(1.33));
}

TEST(WalkingEnergy, of_no_steps_is_zero_and_bad_input_is_an_error)
{
    EXPECT_EQ(*walking_energy({}, 0.1, 70.0), 0.0);
    EXPECT_FALSE(walking_energy({}, 0.0, 70.0));
    EXPECT_FALSE(walking_energy({}, 0.1, -1.0));
    const std::vector<Vec2> bad{{std::numeric_limits<double>::infinity(), 0}};
    EXPECT_FALSE(walking_energy(bad, 0.1, 70.0));
}

}  // namespace
}  // namespace sidestep
