// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sidestep {

/// A scale from `low` to `high` with ticks at round numbers inside it.
struct Axis {
    std::string title;  ///< with its unit: "time [s]"
    double low = 0.0, high = 1.0;
    std::vector<double> ticks;
    int decimals = 0;  ///< of the labels

    std::string label(double tick) const;
    /// 0 at `low`, 1 at `high`.
    double place(double value) const { return (value - low) / (high - low); }
};

enum class AxisValues { real, whole };
/// Whether an axis ends at its values or at the round numbers around them.
enum class AxisEnds { tight, round };

/// At most `most` (>= 2) steps between ticks. An empty or senseless range becomes a small one.
Axis make_axis(std::string title, double low, double high, std::size_t most,
               AxisEnds ends = AxisEnds::round, AxisValues values = AxisValues::real);

}  // namespace sidestep
