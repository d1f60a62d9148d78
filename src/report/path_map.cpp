// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analysis/track.hpp"
#include "report/map.hpp"
#include "report/plot.hpp"

namespace sidestep {
namespace {

/// Corners of all ways on a map; beyond them walkers are left out.
constexpr std::size_t kMostCorners = 60'000;
/// Ways drawn one by one, so that those that lie on each other add up; more are drawn in bundles.
constexpr std::size_t kMostSingle = 1500;
/// Ways are simplified by at most this part of the plan's width.
constexpr double kTolerance = 1.0 / 1600.0;

struct Corner {
    double x = 0.0, y = 0.0;
};

double distance_to_line(Corner p, Corner a, Corner b)
{
    const double dx = b.x - a.x, dy = b.y - a.y, length_sq = dx * dx + dy * dy;
    const double along =
        length_sq > 0.0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length_sq, 0.0, 1.0)
                        : 0.0;
    return std::hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

/// Keeps the corners without which a line would be off by more than the tolerance (Douglas and
/// Peucker), without recursion.
std::vector<Corner> simplify(const std::vector<Corner>& line, double tolerance)
{
    if (line.size() < 3) return line;
    std::vector<bool> keeps(line.size(), false);
    keeps.front() = keeps.back() = true;
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, line.size() - 1}};
    while (!open.empty()) {
        const auto [first, last] = open.back();
        open.pop_back();
        double farthest = tolerance;
        std::size_t split = first;
        for (std::size_t i = first + 1; i < last; ++i) {
            const double distance = distance_to_line(line[i], line[first], line[last]);
            if (distance > farthest) farthest = distance, split = i;
        }
        if (split == first) continue;
        keeps[split] = true;
        open.emplace_back(first, split);
        open.emplace_back(split, last);
    }
    std::vector<Corner> out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (keeps[i]) out.push_back(line[i]);
    }
    return out;
}

struct Way {
    std::uint8_t series = 0;
    std::string path;
    std::size_t corners = 0;
};

/// Path data in units of the simplification, so that numbers are short.
void append_path(const std::vector<Corner>& line, double unit, Way& way)
{
    std::int64_t last_x = 0, last_y = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const std::int64_t x = std::llround(line[i].x / unit), y = std::llround(line[i].y / unit);
        if (i == 0) {
            fmt::format_to(std::back_inserter(way.path), "M{} {}l", x, y);
        } else {
            fmt::format_to(std::back_inserter(way.path), "{}{} {}", i > 1 ? " " : "", x - last_x,
                           y - last_y);
        }
        last_x = x;
        last_y = y;
    }
    way.corners += line.size();
}

/// Nothing is drawn over a gap: nobody knows the way between.
Way make_way(const Trajectories& t, const Plan& plan, std::uint16_t level, const Track& track,
             double tolerance)
{
    Way way;
    std::vector<Corner> line;
    const auto flush = [&] {
        if (line.size() > 1) append_path(simplify(line, tolerance), tolerance, way);
        line.clear();
    };
    for (std::size_t i = 0; i < track.size(); ++i) {
        const std::uint32_t row = track.row[i];
        if (track.joined[i] == 0) flush();
        if (t.level[row] != level) continue;
        const MapPoint at = plan.to_map(t.position[row]);
        line.push_back({static_cast<double>(at.x), static_cast<double>(at.y)});
    }
    flush();
    return way;
}

}  // namespace

PathsOnMap draw_paths(const Trajectories& t, const Plan& plan, std::size_t level,
                      std::span<const std::uint8_t> series)
{
    const double tolerance =
        std::max(1.0, std::floor(static_cast<double>(plan.map_width()) * kTolerance));
    const std::uint64_t spacing = usual_spacing(t);
    Track track;
    std::vector<Way> ways;
    std::size_t corners = 0;
    for (std::size_t w = 0; w < t.walkers.size(); ++w) {
        read_track(t, w, spacing, track);
        Way way = make_way(t, plan, plan.levels[level].level, track, tolerance);
        if (way.corners == 0) continue;
        way.series = series[w];
        corners += way.corners;
        ways.push_back(std::move(way));
    }
    PathsOnMap out;
    out.of_walkers = ways.size();
    if (ways.empty()) return out;
    const std::size_t stride = corners / kMostCorners + 1;
    std::vector<Way> kept;
    for (std::size_t i = 0; i < ways.size(); i += stride) kept.push_back(std::move(ways[i]));
    out.walkers = kept.size();

    const std::size_t bundle = kept.size() / kMostSingle + 1;
    std::stable_sort(kept.begin(), kept.end(),
                     [](const Way& a, const Way& b) { return a.series < b.series; });
    out.content = fmt::format("<g class=\"ways{}\" transform=\"scale({})\">\n",
                              kept.size() > 300 ? " many" : "", tolerance);
    for (std::size_t i = 0; i < kept.size();) {
        const std::uint8_t colour = kept[i].series;
        fmt::format_to(std::back_inserter(out.content), "<path class=\"s{}\" d=\"",
                       colour % kSeries);
        for (std::size_t n = 0; n < bundle && i < kept.size() && kept[i].series == colour; ++n) {
            out.content += kept[i++].path;
        }
        out.content += "\"/>\n";
    }
    out.content += "</g>\n";
    return out;
}

}  // namespace sidestep
