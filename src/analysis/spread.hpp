// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "sidestep/analysis.hpp"

namespace sidestep {

/// The q-quantile of n > 0 values in ascending order: the value at q (n - 1), between two of them
/// on the straight line.
template <class Number>
double quantile_of(std::span<const Number> values, double q)
{
    const double at = q * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const auto low = static_cast<double>(values[below]);
    return low + (at - static_cast<double>(below)) * (static_cast<double>(values[above]) - low);
}

/// Reorders `values`; what is not finite is passed over.
template <class Number>
Spread make_spread(std::vector<Number>& values)
{
    std::erase_if(values, [](Number v) { return !std::isfinite(v); });
    Spread spread;
    spread.count = values.size();
    if (values.empty()) return spread;
    std::sort(values.begin(), values.end());  // so that the sum has one order
    double sum = 0.0;
    for (const Number v : values) sum += static_cast<double>(v);
    const std::span<const Number> sorted(values);
    spread.mean = sum / static_cast<double>(values.size());
    spread.min = static_cast<double>(values.front());
    spread.p5 = quantile_of(sorted, 0.05);
    spread.median = quantile_of(sorted, 0.5);
    spread.p95 = quantile_of(sorted, 0.95);
    spread.max = static_cast<double>(values.back());
    return spread;
}

}  // namespace sidestep
