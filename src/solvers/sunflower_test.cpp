// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/sunflower.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sidestep {
namespace {

TEST(Sunflower, points_are_those_of_the_formula)
{
    EXPECT_NEAR(sunflower_point(0, 250).x, std::sqrt(0.5 / 250), 1e-15);
    EXPECT_EQ(sunflower_point(0, 250).y, 0.0);
    // Point 105 - 3 of 250 at 2 m/s, as a sampled choice is known to give it.
    EXPECT_NEAR(2.0 * sunflower()[102].x, 1.241451561107943, 1e-9);
    EXPECT_NEAR(2.0 * sunflower()[102].y, -0.31432152554772813, 1e-9);
    for (const Vec2& point : sunflower()) EXPECT_LT(std::hypot(point.x, point.y), 1.0);
}

}  // namespace
}  // namespace sidestep
