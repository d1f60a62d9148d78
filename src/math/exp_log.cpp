// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "math/exp_log.hpp"

#include <cmath>
#include <limits>

namespace sidestep {
namespace {

// ln 2 = kLn2 (33 bits, so that up to 2^20 times it is exact) + kLn2Tail.
constexpr double kLn2 = 6.93147180369123816490e-01;
constexpr double kLn2Tail = 1.90821492927058770002e-10;
constexpr double kInverseLn2 = 1.4426950408889634;
constexpr double kSqrtHalf = 0.7071067811865476;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Above the first e^x overflows, below the second even the smallest subnormal is too large.
constexpr double kLargestExponent = 709.79;
constexpr double kSmallestExponent = -745.2;

}  // namespace

double portable_exp(double x)
{
    if (std::isnan(x)) return x;
    if (x > kLargestExponent) return kInfinity;
    if (x < kSmallestExponent) return 0.0;
    const double k = std::floor(x * kInverseLn2 + 0.5);
    const double r = (x - k * kLn2) - k * kLn2Tail;  // |r| <= 0.35
    // Taylor series; the first term left out is below 1e-18.
    double sum = 1.0;
    for (int n = 14; n >= 2; --n) sum = 1.0 + r * sum / n;
    const double result = 1.0 + r * sum;
    // Two steps: 2^1024 is no double, yet 2^1024 * 0.9 is one.
    const int half = static_cast<int>(k) / 2;
    return std::ldexp(std::ldexp(result, half), static_cast<int>(k) - half);
}

double portable_log(double x)
{
    if (std::isnan(x) || x < 0.0) return std::numeric_limits<double>::quiet_NaN();
    if (x == 0.0) return -kInfinity;
    if (x == kInfinity) return x;
    int exponent = 0;
    double m = std::frexp(x, &exponent);
    if (m < kSqrtHalf) {  // so that m is near 1 and nothing cancels against the exponent
        m *= 2.0;
        --exponent;
    }
    // log m = 2 artanh f; |f| <= 0.172, the first term left out is below 1e-19.
    const double f = (m - 1.0) / (m + 1.0);
    const double z = f * f;
    double sum = 0.0;
    for (int n = 25; n >= 3; n -= 2) sum = z * (1.0 / n + sum);
    const double log_m = 2.0 * f + 2.0 * f * sum;
    return exponent * kLn2 + (log_m + exponent * kLn2Tail);
}

}  // namespace sidestep
