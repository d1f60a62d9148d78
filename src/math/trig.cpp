// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "math/trig.hpp"

#include <algorithm>
#include <cmath>

namespace sidestep {
namespace {

// 2 pi = kTwoPi + kTwoPiTail up to 6e-33: after up to 2e9 whole turns the error stays below 1e-23.
constexpr double kTwoPi = 6.283185307179586;
constexpr double kTwoPiTail = 2.4492935982947064e-16;
// pi/2 = kHalfPi (33 bits, so that 1..4 times it is exact) + kHalfPiTail.
constexpr double kHalfPi = 1.57079632673412561417e+00;
constexpr double kHalfPiTail = 6.07710050650619224932e-11;
constexpr double kGoldenAngle = 2.399963229728653;

// Taylor series on [-pi/4, pi/4]; the first term left out is below 1e-19.
double sin_kernel(double x)
{
    const double z = x * x;
    double s = 1.0 / 355687428096000.0;  // 1/17!
    s = s * z - 1.0 / 1307674368000.0;
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    return x + x * (z * s);
}

double cos_kernel(double x)
{
    const double z = x * x;
    double c = -1.0 / 6402373705728000.0;  // 1/18!
    c = c * z + 1.0 / 20922789888000.0;
    c = c * z - 1.0 / 87178291200.0;
    c = c * z + 1.0 / 479001600.0;
    c = c * z - 1.0 / 3628800.0;
    c = c * z + 1.0 / 40320.0;
    c = c * z - 1.0 / 720.0;
    c = c * z + 1.0 / 24.0;
    const double half = 0.5 * z;
    const double head = 1.0 - half;
    return head + ((1.0 - head) - half + z * (z * c));  // the bracket holds what head lost
}

/// For |x| <= 1/2: a few terms of the series, then Newton's method on the sine, which doubles the
/// correct digits each time.
double arc_sine_near_zero(double x)
{
    const double z = x * x;
    double y = x + x * z * (1.0 / 6.0 + z * (3.0 / 40.0 + z * (15.0 / 336.0)));
    for (int round = 0; round < 2; ++round) y -= (sin_kernel(y) - x) / cos_kernel(y);
    return y;
}

}  // namespace

SinCos sin_cos(double x)
{
    const double turn = std::fmod(x, kTwoPi);  // exact, in (-2 pi, 2 pi)
    const double turns = std::floor((x - turn) / kTwoPi + 0.5);
    const double quarters = std::floor(turn / (0.25 * kTwoPi) + 0.5);
    const double angle =
        (turn - quarters * kHalfPi) - (quarters * kHalfPiTail + turns * kTwoPiTail);
    const double s = sin_kernel(angle);
    const double c = cos_kernel(angle);
    switch ((static_cast<int>(quarters) % 4 + 4) % 4) {
        case 0: return {s, c};
        case 1: return {c, -s};
        case 2: return {-s, -c};
        default: return {-c, s};
    }
}

double arc_sine(double x)
{
    const double size = std::min(std::fabs(x), 1.0);
    if (size <= 0.5) return arc_sine_near_zero(x);
    // The sine of half the angle that lacks to a right one has no steep end.
    const double angle = 0.25 * kTwoPi - 2.0 * arc_sine_near_zero(std::sqrt(0.5 * (1.0 - size)));
    return x < 0.0 ? -angle : angle;
}

Vec2 apart_direction(std::uint32_t id_a, std::uint32_t id_b, PassingSide side)
{
    const SinCos th = sin_cos(kGoldenAngle * static_cast<double>(std::min(id_a, id_b)));
    const double sign = id_a > id_b ? -1.0 : 1.0;
    const double mirror = side == PassingSide::left ? -1.0 : 1.0;
    return {sign * th.cos, sign * mirror * th.sin};
}

}  // namespace sidestep
