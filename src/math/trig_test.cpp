// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "math/trig.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace sidestep {
namespace {

std::uint64_t bits_of(double x)
{
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

TEST(Trig, agrees_with_the_standard_library_up_to_the_largest_angle_an_id_gives)
{
    double x = 1e-12;
    for (int i = 0; i < 20000; ++i, x *= 1.0025) {
        if (x > 1.1e10) x = 1e-12 * (1.0 + i);
        for (const double a : {x, -x}) {
            const SinCos s = sin_cos(a);
            ASSERT_NEAR(s.sin, std::sin(a), 1e-15) << a;
            ASSERT_NEAR(s.cos, std::cos(a), 1e-15) << a;
        }
    }
}

TEST(Trig, is_exact_at_zero_and_close_at_multiples_of_a_quarter_turn)
{
    EXPECT_EQ(sin_cos(0.0).sin, 0.0);
    EXPECT_EQ(sin_cos(0.0).cos, 1.0);
    for (int k = -9; k <= 9; ++k) {
        const double a = k * 1.5707963267948966;
        EXPECT_NEAR(sin_cos(a).sin, std::sin(a), 2e-16) << k;
        EXPECT_NEAR(sin_cos(a).cos, std::cos(a), 2e-16) << k;
    }
}

/// Written down once: whoever computes other bits would step to another state hash.
TEST(Trig, has_these_bits)
{
    EXPECT_EQ(bits_of(sin_cos(1.0).sin), bits_of(0x1.aed548f090ceep-1));
    EXPECT_EQ(bits_of(sin_cos(1.0).cos), bits_of(0x1.14a280fb5068cp-1));
    EXPECT_EQ(bits_of(sin_cos(2.399963229728653).sin), bits_of(0x1.59d9dd253cc13p-1));
    EXPECT_EQ(bits_of(sin_cos(2.399963229728653).cos), bits_of(-0x1.798869e0de833p-1));
    EXPECT_EQ(bits_of(sin_cos(1.0307763e10).sin), bits_of(-0x1.c045b06d39eddp-1));
    EXPECT_EQ(bits_of(sin_cos(1.0307763e10).cos), bits_of(-0x1.eec1ae055a5ep-2));
}

TEST(ArcSine, agrees_with_the_standard_library)
{
    for (int i = -20000; i <= 20000; ++i) {
        const double x = i / 20000.0;
        ASSERT_NEAR(arc_sine(x), std::asin(x), 1e-15) << x;
        ASSERT_EQ(arc_sine(-x), -arc_sine(x)) << x;
    }
    EXPECT_EQ(arc_sine(0.0), 0.0);
    EXPECT_EQ(arc_sine(1.0), 1.5707963267948966);
}

TEST(ArcSine, takes_what_rounding_put_beyond_its_ends_for_the_end)
{
    EXPECT_EQ(arc_sine(1.0 + 1e-9), arc_sine(1.0));
    EXPECT_EQ(arc_sine(-1.0 - 1e-9), arc_sine(-1.0));
}

TEST(ApartDirection, sends_the_two_agents_opposite_ways)
{
    for (std::uint32_t id = 0; id < 1000; ++id) {
        const Vec2 low = apart_direction(id, id + 1 + id % 7);
        const Vec2 high = apart_direction(id + 1 + id % 7, id);
        EXPECT_EQ(low.x, -high.x);
        EXPECT_EQ(low.y, -high.y);
        EXPECT_NEAR(low.x * low.x + low.y * low.y, 1.0, 1e-15);
    }
}

TEST(ApartDirection, follows_the_golden_angle_of_the_smaller_id)
{
    EXPECT_EQ(apart_direction(0, 1), (Vec2{1.0, 0.0}));
    const Vec2 n = apart_direction(3, 2);
    EXPECT_NEAR(n.x, -0.08742572471695975, 1e-15);
    EXPECT_NEAR(n.y, 0.9961710408648278, 1e-15);
    const Vec2 last = apart_direction(4294967295u, 4294967294u);
    EXPECT_NEAR(last.x, -std::cos(2.399963229728653 * 4294967294.0), 1e-15);
}

TEST(ApartDirection, is_mirrored_where_one_keeps_to_the_left)
{
    const Vec2 right = apart_direction(5, 9, PassingSide::right);
    const Vec2 left = apart_direction(5, 9, PassingSide::left);
    EXPECT_EQ(left, (Vec2{right.x, -right.y}));
}

}  // namespace
}  // namespace sidestep
