// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "math/exp_log.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace sidestep {
namespace {

constexpr long double kAllowed = 1e-14L;

long double relative_error(double ours, long double exact)
{
    return exact == 0.0L ? std::fabs(ours) : std::fabs((ours - exact) / exact);
}

TEST(PortableExp, agrees_with_long_double_over_the_whole_range)
{
    for (std::uint64_t i = 0; i < 200000; ++i) {
        const double x = -708.0 + 1417.0 * random_unit({.seed = 1, .subject = i});
        ASSERT_LT(relative_error(portable_exp(x), std::exp(static_cast<long double>(x))), kAllowed)
            << x;
    }
}

TEST(PortableExp, agrees_with_long_double_near_zero)
{
    for (std::uint64_t i = 0; i < 100000; ++i) {
        const double x = 2.0 * random_unit({.seed = 2, .subject = i}) - 1.0;
        ASSERT_LT(relative_error(portable_exp(x), std::exp(static_cast<long double>(x))), kAllowed)
            << x;
    }
    EXPECT_EQ(portable_exp(0.0), 1.0);
}

TEST(PortableExp, ends_in_zero_and_infinity)
{
    EXPECT_EQ(portable_exp(710.0), std::numeric_limits<double>::infinity());
    EXPECT_EQ(portable_exp(-746.0), 0.0);
    EXPECT_TRUE(std::isfinite(portable_exp(709.78)));
    EXPECT_TRUE(std::isnan(portable_exp(std::nan(""))));
}

TEST(PortableLog, agrees_with_long_double_over_all_magnitudes)
{
    for (std::uint64_t i = 0; i < 200000; ++i) {
        const int exponent = static_cast<int>(random_bits({.seed = 3, .subject = i}) % 2098) - 1074;
        const double x = std::ldexp(1.0 + random_unit({.seed = 4, .subject = i}), exponent);
        if (!std::isfinite(x) || x == 0.0) continue;
        ASSERT_LT(relative_error(portable_log(x), std::log(static_cast<long double>(x))), kAllowed)
            << x;
    }
}

TEST(PortableLog, keeps_its_digits_near_one)
{
    for (std::uint64_t i = 0; i < 100000; ++i) {
        const double x = 1.0 + std::ldexp(2.0 * random_unit({.seed = 5, .subject = i}) - 1.0,
                                          -static_cast<int>(i % 50));
        if (x <= 0.0) continue;
        ASSERT_LT(relative_error(portable_log(x), std::log(static_cast<long double>(x))), kAllowed)
            << x;
    }
    EXPECT_EQ(portable_log(1.0), 0.0);
}

TEST(PortableLog, has_the_usual_ends)
{
    EXPECT_EQ(portable_log(0.0), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(portable_log(std::numeric_limits<double>::infinity()),
              std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(portable_log(-1.0)));
}

}  // namespace
}  // namespace sidestep
