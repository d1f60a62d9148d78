// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "solid/nearest_allowed.hpp"

#include <limits>

namespace sidestep {

namespace {

/// Lines that meet at an angle whose sine is below this are parallel [1].
constexpr double kParallelSine = 1e-12;

}  // namespace

void NearestAllowed::add(const SpeedLine& line) noexcept
{
    const Spot along{-line.towards.y, line.towards.x};
    const Spot foot = wanted_ - line.towards * (dot(wanted_, line.towards) - line.most);
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count_; ++i) {
        const double slope = dot(along, lines_[i].towards);
        if (std::fabs(slope) < kParallelSine) continue;
        const double at = (lines_[i].most - dot(foot, lines_[i].towards)) / slope;
        (slope > 0.0 ? high : low) = slope > 0.0 ? std::min(high, at) : std::max(low, at);
    }
    // By rounding alone the clip can be empty: where three lines meet in a point.
    const double place = low > high ? 0.5 * (low + high) : std::clamp(0.0, low, high);
    answer_ = foot + along * place;
    lines_[count_++] = line;
}

}  // namespace sidestep
