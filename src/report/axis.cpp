// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/axis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/text.hpp"

namespace sidestep {
namespace {

/// The smallest of 1, 2, 5 times a power of ten that is not below `least`.
double round_step(double least)
{
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= least * (1.0 - 1e-9)) return factor * power;
    }
    return 10.0 * power;
}

}  // namespace

std::string Axis::label(double tick) const
{
    if (decimals > 6 || std::fabs(tick) >= 1e9) return to_short(tick);
    return to_fixed(tick, decimals);
}

Axis make_axis(std::string title, double low, double high, std::size_t most, AxisEnds ends,
               AxisValues values)
{
    if (!std::isfinite(low) || !std::isfinite(high) || high < low) low = 0.0, high = 1.0;
    const double size = std::max(std::fabs(low), std::fabs(high));
    if (high - low <= size * 1e-9) high = low + std::max(1.0, size * 1e-6);
    double step = round_step((high - low) / static_cast<double>(most));
    if (values == AxisValues::whole) step = std::max(step, 1.0);
    Axis axis;
    axis.title = std::move(title);
    axis.low = low;
    axis.high = high;
    if (ends == AxisEnds::round) {
        axis.low = std::floor(low / step + 1e-9) * step;
        axis.high = std::ceil(high / step - 1e-9) * step;
        if (axis.high <= axis.low) axis.high = axis.low + step;
    }
    axis.decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    const double first = std::ceil(axis.low / step - 1e-9), last = axis.high / step + 1e-9;
    for (double i = first; i <= last && axis.ticks.size() <= most + 2; i += 1.0) {
        axis.ticks.push_back(i * step);
    }
    return axis;
}

}  // namespace sidestep
