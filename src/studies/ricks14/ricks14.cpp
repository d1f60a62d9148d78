// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "studies/ricks14/ricks14.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/plot.hpp"

namespace sidestep::ricks14 {

Arrival arrive(Vec2 destination, double threshold)
{
    return *arrival({.destination = destination}, threshold);
}

double best_threshold_to(Vec2 destination)
{
    return best_threshold({.destination = destination})->threshold;
}

double best_bearing(double distance)
{
    return *switching_bearing(distance, 0.0, {});
}

std::vector<Vec2> grid()
{
    std::vector<Vec2> points;
    for (int row = 0; row < kGridRows; ++row)
        for (int column = 0; column < kGridColumns; ++column)
            points.push_back(grid_point(column, row));
    return points;
}

std::vector<double> grid_times(double threshold)
{
    std::vector<double> times;
    for (const Vec2 point : grid()) times.push_back(arrive(point, threshold).time);
    return times;
}

std::vector<double> best_grid_times()
{
    std::vector<double> times;
    for (const Vec2 point : grid()) times.push_back(best_threshold({.destination = point})->time);
    return times;
}

double simulated_time(Vec2 destination, double dt)
{
    const double most = std::ceil(100.0 / dt);
    double x = 0.0, y = 0.0, heading = 0.0, v = 0.0;
    for (double step = 0.0; step <= most; step += 1.0) {
        const double dx = destination.x - x, dy = destination.y - y;
        if (std::sqrt(dx * dx + dy * dy) <= dt) return step * dt;
        x += v * std::cos(heading) * dt;
        y += v * std::sin(heading) * dt;
        double lacks = std::atan2(destination.y - y, destination.x - x) - heading;
        lacks -= 2.0 * kPi * std::floor(lacks / (2.0 * kPi) + 0.5);
        if (lacks == -kPi) lacks = kPi;
        heading += std::clamp(lacks, -dt, dt);
        v = std::min(1.0, v + dt);
    }
    return kNever;
}

double printed_face_time(Vec2 d)
{
    return (std::sqrt(d.x * d.x + 2.0 * d.y) - d.x) / d.y;
}

double corrected_face_time(Vec2 d)
{
    return 2.0 * d.y / (d.x + std::sqrt(d.x * d.x + 2.0 * d.y * d.y));
}

double printed_arrival_time(Vec2 d)
{
    // (4), with its slip put right: left of the line a destination counts as faced late.
    const double line = d.y * std::cos(1.0) - d.x * std::sin(1.0) + 1.0 - std::sin(1.0);
    if (line >= 0.0 || d.y == 0.0) return arrive(d, kPi).time;
    const double t = printed_face_time(d);  // (1) and (2): place and speed then
    const double x = std::cos(t) + t * std::sin(t) - 1.0, y = std::sin(t) - t * std::cos(t);
    const double v = std::min(t, 1.0);
    const double left = std::hypot(d.x - x, d.y - y), to_full = 0.5 * (1.0 - v * v);
    if (left <= to_full) return t + std::sqrt(v * v + 2.0 * left) - v;
    return t + (1.0 - v) + (left - to_full);
}

double Spread::share_within(double bound) const
{
    const auto within = std::count_if(values.begin(), values.end(),
                                      [&](double v) { return std::fabs(v) <= bound; });
    return static_cast<double>(within) / static_cast<double>(count);
}

double Spread::deviation_of_size() const
{
    const double square = deviation * deviation + mean * mean;  // mean of the squares
    return std::sqrt(square - mean_size * mean_size);
}

Spread spread_of(std::vector<double> values)
{
    Spread spread;
    std::erase_if(values, [](double v) { return !std::isfinite(v); });
    spread.count = values.size();
    const auto count = static_cast<double>(values.size());
    for (const double v : values) {
        spread.mean += v / count;
        spread.mean_size += std::fabs(v) / count;
    }
    for (const double v : values) spread.deviation += (v - spread.mean) * (v - spread.mean) / count;
    spread.deviation = std::sqrt(spread.deviation);
    spread.values = std::move(values);
    return spread;
}

std::string draw_errors(const Spread& spread, double low, double high, double width,
                        const std::string& x_title, const std::string& label)
{
    const int bins = static_cast<int>(std::lround((high - low) / width));
    std::vector<double> counts(static_cast<std::size_t>(bins), 0.0);
    for (const double v : spread.values) {
        const auto bin = static_cast<int>(std::floor((v - low) / width));
        counts[static_cast<std::size_t>(std::clamp(bin, 0, bins - 1))] += 1.0;
    }
    const double top = *std::max_element(counts.begin(), counts.end());
    Plot plot(
        make_axis(x_title, low, high, Plot::kXSteps, AxisEnds::tight),
        make_axis("destinations", 0.0, top, Plot::kYSteps, AxisEnds::round, AxisValues::whole),
        label);
    for (int i = 0; i < bins; ++i) {
        const double from = low + width * i;
        plot.bar(from, from + width, counts[static_cast<std::size_t>(i)], 0,
                 fmt::format("{:.3f} to {:.3f}: {}", from, from + width,
                             counts[static_cast<std::size_t>(i)]));
    }
    return plot.finish();
}

}  // namespace sidestep::ricks14
