// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/text_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "recording/text_lines.hpp"

namespace sidestep {
namespace {

/// How far from a frame a time may lie [frames].
constexpr double kTimeTolerance = 0.1;
/// Times nearer to each other than this are one moment, written twice [s].
constexpr double kSmallestStep = 1e-3;
/// A rate that is measured comes this near to the one that is meant [1].
constexpr double kRateTolerance = 1e-4;
/// Frame numbers of files that make sense; twice that still is a whole number in a double.
constexpr double kLargestFrame = 4503599627370496.0;  // 2^52

bool comes_before(const CollectedRow& a, const CollectedRow& b)
{
    return std::tie(a.frame, a.id) < std::tie(b.frame, b.id);
}

// ------------------------------------------------------------------------------------------- times

/// Frame n is at origin + n / fps.
struct FrameClock {
    double fps = 0.0;
    double origin = 0.0;

    double frames_at(double time) const { return (time - origin) * fps; }
    bool fits(double time) const
    {
        const double at = frames_at(time);
        return std::abs(at) < kLargestFrame && std::abs(at - std::round(at)) <= kTimeTolerance;
    }
};

bool fits_all(const FrameClock& clock, std::span<const double> times)
{
    return std::all_of(times.begin(), times.end(), [&](double t) { return clock.fits(t); });
}

/// Moments of sorted times.
std::vector<double> distinct(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    std::vector<double> moments;
    for (const double t : times) {
        if (moments.empty() || t - moments.back() > kSmallestStep) moments.push_back(t);
    }
    return moments;
}

/// Frames per second of at least two moments: the smallest step says how many frames apart they
/// are, and the longer the span the better they say how long a frame is.
double measure_rate(std::span<const double> moments)
{
    double step = moments[1] - moments[0];
    for (std::size_t i = 2; i < moments.size(); ++i) {
        step = std::min(step, moments[i] - moments[i - 1]);
    }
    for (const double t : moments.subspan(1)) {
        const double span = t - moments[0];
        const double frames = std::round(span / step);
        if (std::abs(span / step - frames) <= kTimeTolerance) step = span / frames;
    }
    return 1.0 / step;
}

/// What `rate` is likely meant to be: a whole number, one of television (30000/1001), a whole
/// number of milliseconds; else itself.
std::array<double, 4> likely_rates(double rate)
{
    const double ntsc = 1000.0 / 1001.0;
    return {std::round(rate), std::round(rate / ntsc) * ntsc, 1000.0 / std::round(1000.0 / rate),
            rate};
}

FrameClock find_clock(std::span<const double> moments, std::optional<double> fps)
{
    std::vector<double> rates;
    if (fps) {
        rates = {*fps};
    } else {
        const double rate = measure_rate(moments);
        for (const double likely : likely_rates(rate)) {
            if (std::abs(likely / rate - 1.0) < kRateTolerance) rates.push_back(likely);
        }
    }
    for (const double rate : rates) {
        for (const double origin : {0.0, moments.front()}) {
            if (fits_all({rate, origin}, moments)) return {rate, origin};
        }
    }
    return {rates.front(), moments.front()};  // some do not fit
}

// ------------------------------------------------------------------------------------------ frames

class CollectedText final : public RecordingSource {
public:
    explicit CollectedText(CollectedRows rows) : rows_(std::move(rows))
    {
        info.fps = *rows_.fps;
        std::set<std::uint16_t> levels;
        for (const CollectedRow& row : rows_.rows) levels.insert(row.level);
        for (const std::uint16_t level : levels) info.levels.push_back({level, ""});
    }

    Result<bool> next(RecordedFrame& frame) override
    {
        frame = {};
        const std::vector<CollectedRow>& rows = rows_.rows;
        if (next_ == rows.size()) return false;
        frame.number = rows[next_].frame;
        for (; next_ < rows.size() && rows[next_].frame == frame.number; ++next_) {
            const CollectedRow& row = rows[next_];
            frame.agents.push_back({row.id, row.level, {row.x, row.y}, {}});
        }
        return true;
    }

private:
    CollectedRows rows_;
    std::size_t next_ = 0;
};

}  // namespace

Result<void> number_frames(CollectedRows& rows)
{
    const std::vector<double> moments = distinct(rows.times);
    if (moments.size() < 2 && !rows.fps) {
        return text_error(rows.path, "one moment does not say how many frames make a second",
                          "say it with --fps");
    }
    const FrameClock clock = find_clock(moments, rows.fps);
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const double time = rows.times[i];
        if (!clock.fits(time)) {
            return text_error(
                rows.path, rows.rows[i].line,
                fmt::format("the time {} s falls between two frames, at {} a second", time,
                            clock.fps),
                "times must be multiples of one step; --fps says how many frames make "
                "a second");
        }
        rows.rows[i].frame = std::llround(clock.frames_at(time));
    }
    rows.fps = clock.fps;
    return {};
}

Result<void> sort_rows(CollectedRows& rows)
{
    std::vector<CollectedRow>& r = rows.rows;
    if (!std::is_sorted(r.begin(), r.end(), comes_before)) {
        std::sort(r.begin(), r.end(), comes_before);
    }
    const auto twice = std::adjacent_find(r.begin(), r.end(), [](const auto& a, const auto& b) {
        return a.frame == b.frame && a.id == b.id;
    });
    if (twice == r.end()) return {};
    const auto [first, second] = std::minmax(twice->line, std::next(twice)->line);
    return text_error(
        rows.path, second,
        fmt::format("agent {} is in frame {} already, in line {}", twice->id, twice->frame, first),
        "--columns says which column is which: frame,id,x,y");
}

std::unique_ptr<RecordingSource> open_rows(CollectedRows rows)
{
    return std::make_unique<CollectedText>(std::move(rows));
}

}  // namespace sidestep
