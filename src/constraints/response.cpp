// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "constraints/response.hpp"

#include "math/exp_log.hpp"

namespace sidestep {
namespace {

/// t / delta up to which a power series is summed: 1 - e^-z and then t - g lose digits there.
constexpr double kSeriesLimit = 0.5;
/// Terms of the series: the next one is below 1e-17 of the sum for z <= kSeriesLimit.
constexpr int kSeriesTerms = 14;

/// k / t = 1 - (1 - e^-z) / z = z/2! - z^2/3! + z^3/4! - ...
double told_fraction(double z)
{
    double term = 0.5 * z;
    double sum = 0.0;
    for (int i = 3; i < 3 + kSeriesTerms; ++i) {
        sum += term;
        term = -term * z / static_cast<double>(i);
    }
    return sum;
}

}  // namespace

Response response_after(double t, double delta)
{
    if (!(t > 0.0)) return {0.0, 0.0};
    if (!(delta > 0.0)) return {0.0, t};
    const double z = t / delta;  // infinite for the smallest delta: e^-z is 0 then
    if (z <= kSeriesLimit) {
        const double told = t * told_fraction(z);
        return {t - told, told};
    }
    const double kept = delta * (1.0 - portable_exp(-z));
    return {kept, t - kept};
}

}  // namespace sidestep
