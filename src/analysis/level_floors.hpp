// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/voronoi.hpp"
#include "sidestep/recording.hpp"
#include "sidestep/result.hpp"

namespace sidestep {

/// Farther than this from (0, 0) is nowhere [m]: rows, lines and areas there are refused, and
/// floors that reach there are not known. Nearer, cells of a millimetre can still be counted
/// exactly.
inline constexpr double kFarthest = 1e9;

inline bool is_somewhere(Vec2 p)
{
    return std::abs(p.x) <= kFarthest && std::abs(p.y) <= kFarthest;
}

/// The floors of a recording, by level.
class LevelFloors {
public:
    /// A geometry that cannot be read is an open plane, and a note says so.
    static LevelFloors read(const RecordingInfo& info, std::vector<std::string>& notes);
    /// A level that the recording says nothing of is an open plane.
    const WalkableArea& at(std::uint16_t level) const;
    /// Those that the recording names, in the order of their levels.
    const std::map<std::uint16_t, WalkableArea>& all() const { return floors_; }

private:
    std::map<std::uint16_t, WalkableArea> floors_;
    WalkableArea plane_;
};

/// The cutters of one worker, made when they are first asked for.
class LevelCutters {
public:
    explicit LevelCutters(const LevelFloors& floors) : floors_(&floors) {}
    FloorCutter& at(std::uint16_t level)
    {
        return cutters_.try_emplace(level, floors_->at(level)).first->second;
    }

private:
    const LevelFloors* floors_;
    std::map<std::uint16_t, FloorCutter> cutters_;
};

/// The cut-off of the options must be a length.
Result<void> check_cutoff(double cutoff);

}  // namespace sidestep
