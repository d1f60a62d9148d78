// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/level_floors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sidestep {
namespace {

Result<WalkableArea> read_floor(const std::string& wkt)
{
    auto floor = read_walkable_area(wkt);
    if (!floor) return floor;
    for (const Polygon& polygon : floor->polygons) {
        const auto is_here = [&](Vec2 corner) { return is_somewhere(corner + floor->origin); };
        if (std::all_of(polygon.shell.begin(), polygon.shell.end(), is_here)) continue;
        return Error{ErrorCode::out_of_range,
                     fmt::format("it reaches farther than {:g} m from (0, 0)", kFarthest)};
    }
    return floor;
}

}  // namespace

LevelFloors LevelFloors::read(const RecordingInfo& info, std::vector<std::string>& notes)
{
    LevelFloors floors;
    for (const RecordingInfo::Level& level : info.levels) {
        auto floor = read_floor(level.wkt);
        if (!floor) {
            notes.push_back(
                fmt::format("the geometry of level {} is passed over, as if there were "
                            "no walls: {}",
                            level.level, floor.error().message));
        }
        floors.floors_[level.level] = floor ? *std::move(floor) : WalkableArea{};
    }
    return floors;
}

const WalkableArea& LevelFloors::at(std::uint16_t level) const
{
    const auto found = floors_.find(level);
    return found == floors_.end() ? plane_ : found->second;
}

Result<void> check_cutoff(double cutoff)
{
    if (cutoff > 0.0 && cutoff <= kFarthest) return {};
    return Error{
        ErrorCode::out_of_range,
        fmt::format("the cut-off of Voronoi cells must be > 0 m and at most {:g} m, got {}",
                    kFarthest, cutoff)};
}

}  // namespace sidestep
