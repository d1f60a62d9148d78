// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/check_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>

#include "analysis/level_floors.hpp"
#include "analysis/track.hpp"

namespace sidestep {
namespace {

constexpr double kMaxLength = 1e6;  // [m] of anything to measure with

Result<void> check_length(std::string_view what, double value, double least, double most)
{
    if (value >= least && value <= most) return {};
    return Error{ErrorCode::out_of_range,
                 fmt::format("{} must be from {:g} to {:g} m, got {}", what, least, most, value)};
}

Result<void> check_name(std::string_view kind, const std::string& name,
                        std::set<std::string>& names)
{
    if (name.empty()) {
        return Error{ErrorCode::invalid_argument, fmt::format("a {} needs a name", kind)};
    }
    if (!names.insert(name).second) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("there are two {}s named '{}'", kind, name)};
    }
    return {};
}

Result<void> check_lines(const AnalysisOptions& options)
{
    std::set<std::string> names;
    for (const MeasureLine& line : options.lines) {
        if (auto named = check_name("line", line.name, names); !named) return named;
        const Vec2 along = line.b - line.a;
        if (!std::isfinite(along.x) || !std::isfinite(along.y)) {
            return Error{ErrorCode::invalid_argument,
                         fmt::format("line '{}' has an end that is not finite", line.name)};
        }
        if (!is_somewhere(line.a) || !is_somewhere(line.b)) {
            return Error{ErrorCode::out_of_range,
                         fmt::format("line '{}' reaches farther than {:g} m from (0, 0)", line.name,
                                     kFarthest)};
        }
        if (along.x == 0.0 && along.y == 0.0) {
            return Error{ErrorCode::invalid_argument,
                         fmt::format("line '{}' has no length: both ends are ({:g}, {:g})",
                                     line.name, line.a.x, line.a.y)};
        }
    }
    return {};
}

/// First entry 0, ascending, the last one the number of rows.
bool is_index(const std::vector<std::size_t>& begin, std::size_t groups, std::size_t rows)
{
    return begin.size() == groups + 1 && begin.front() == 0 && begin.back() == rows &&
           std::is_sorted(begin.begin(), begin.end());
}

}  // namespace

Result<void> check_options(const AnalysisOptions& options)
{
    const Result<void> lengths[] = {
        check_length("the radius", options.radius, 0.0, kMaxLength),
        check_length("the cell of the maps", options.cell, 1e-3, kMaxLength),
        check_length("the range of encounters", options.encounter_range, 1e-3, kMaxLength),
    };
    for (const Result<void>& length : lengths) {
        if (!length) return length;
    }
    if (options.lane_axis && !std::isfinite(*options.lane_axis)) {
        return Error{ErrorCode::invalid_argument, "the axis of lanes is not finite"};
    }
    std::set<std::string> names;
    for (const MeasureArea& area : options.areas) {
        if (auto named = check_name("area", area.name, names); !named) return named;
    }
    return check_lines(options);
}

Result<void> check_trajectories(const Trajectories& t)
{
    const auto refuse = [&](std::string_view what) {
        return Error{ErrorCode::invalid_argument, fmt::format("{}: {}", t.name, what)};
    };
    const std::size_t rows = t.position.size();
    if (!(t.info.fps > 0.0 && std::isfinite(t.info.fps)))
        return refuse("the frames per second must be > 0");
    if (rows > 0xffffffffu) return refuse("there are too many rows");
    if (t.walker.size() != rows || t.level.size() != rows || t.walker_row.size() != rows ||
        !is_index(t.frame_begin, t.frames.size(), rows) ||
        !is_index(t.walker_begin, t.walkers.size(), rows))
        return refuse("the columns do not fit together");
    if (std::adjacent_find(t.frames.begin(), t.frames.end(), std::greater_equal<>()) !=
        t.frames.end())
        return refuse("the numbers of frames do not ascend");
    for (std::size_t w = 0; w < t.walkers.size(); ++w) {
        for (std::size_t i = t.walker_begin[w]; i < t.walker_begin[w + 1]; ++i) {
            const bool is_first = i == t.walker_begin[w];
            if (t.walker_row[i] >= rows || t.walker[t.walker_row[i]] != w ||
                (!is_first && t.walker_row[i] <= t.walker_row[i - 1]))
                return refuse("the rows of walkers do not fit");
        }
        if (t.walkers[w].radius > kMaxLength)
            return refuse(fmt::format("walker {} has a radius of {:g} m", t.walkers[w].id,
                                      t.walkers[w].radius));
    }
    for (std::size_t row = 0; row < rows; ++row) {
        if (is_somewhere(t.position[row])) continue;
        const std::size_t frame = FrameCursor(t).frame_of(row);
        return refuse(
            fmt::format("walker {} is at ({:g}, {:g}) in frame {}: positions must be "
                        "finite and at most {:g} m from (0, 0)",
                        t.walkers[t.walker[row]].id, t.position[row].x, t.position[row].y,
                        t.frames[frame], kFarthest));
    }
    return {};
}

Result<void> check_levels(const AnalysisOptions& options, const Trajectories& t)
{
    if (t.info.levels.empty()) return {};
    std::set<std::uint16_t> levels;
    for (const RecordingInfo::Level& level : t.info.levels) levels.insert(level.level);
    const auto check = [&](std::string_view kind, const auto& measured) -> Result<void> {
        const std::uint16_t level = measured.level;
        if (levels.count(level) != 0 || std::count(t.level.begin(), t.level.end(), level) != 0)
            return {};
        return Error{
            ErrorCode::invalid_argument,
            fmt::format("{} '{}': the recording has no level {}", kind, measured.name, level)};
    };
    for (const MeasureLine& line : options.lines) {
        if (auto checked = check("line", line); !checked) return checked;
    }
    for (const MeasureArea& area : options.areas) {
        if (auto checked = check("area", area); !checked) return checked;
    }
    return {};
}

}  // namespace sidestep
