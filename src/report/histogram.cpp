// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/histogram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/text.hpp"

namespace sidestep {
namespace {

constexpr std::size_t kIntervals = 20;

std::string draw_bars(Runs runs, std::span<const std::vector<std::uint32_t>> counts, double low,
                      double width, const std::string& x_title, const std::string& y_title,
                      const std::string& label)
{
    std::size_t intervals = 1;
    double most = 1.0;
    for (const auto& list : counts) {
        intervals = std::max(intervals, list.size());
        for (const std::uint32_t n : list) most = std::max(most, static_cast<double>(n));
    }
    const double high = low + width * static_cast<double>(intervals);
    Plot plot(make_axis(x_title, low, high, Plot::kXSteps, AxisEnds::tight),
              make_axis(y_title, 0.0, most, Plot::kYSteps, AxisEnds::round, AxisValues::whole),
              label);
    for (std::size_t run = 0; run < counts.size(); ++run) {
        for (std::size_t i = 0; i < counts[run].size(); ++i) {
            if (counts[run][i] == 0) continue;
            const double from = low + width * static_cast<double>(i);
            std::string title = fmt::format("{} to {}: {}", to_short(from), to_short(from + width),
                                            group_digits(counts[run][i]));
            if (runs.size() > 1) title = runs[run].label + ", " + title;
            plot.bar(from, from + width, static_cast<double>(counts[run][i]), run, title, run,
                     counts.size());
        }
    }
    return plot.finish();
}

}  // namespace

std::string draw_histogram(Runs runs, std::span<const std::vector<double>> values,
                           const std::string& x_title, const std::string& y_title,
                           const std::string& label)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const auto& list : values) {
        for (const double value : list) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    const Axis axis = make_axis({}, low, high, kIntervals);
    const double width = axis.ticks.size() > 1 ? axis.ticks[1] - axis.ticks[0] : 1.0;
    const auto intervals =
        static_cast<std::size_t>(std::max(1.0, std::round((axis.high - axis.low) / width)));
    std::vector<std::vector<std::uint32_t>> counts(values.size());
    for (std::size_t run = 0; run < values.size(); ++run) {
        counts[run].assign(intervals, 0);
        for (const double value : values[run]) {
            const double place = std::clamp((value - axis.low) / width, 0.0, 1e9);
            ++counts[run][std::min(static_cast<std::size_t>(place), intervals - 1)];
        }
    }
    return draw_bars(runs, counts, axis.low, width, x_title, y_title, label);
}

std::string draw_counts(Runs runs, std::span<const std::vector<std::uint32_t>> counts, double width,
                        const std::string& x_title, const std::string& y_title,
                        const std::string& label)
{
    return draw_bars(runs, counts, 0.0, width, x_title, y_title, label);
}

}  // namespace sidestep
