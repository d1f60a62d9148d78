// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/walls.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "analysis/outline.hpp"
#include "analysis/track.hpp"

namespace sidestep {
namespace {

/// Less deep in a wall is contact, not penetration [m].
constexpr double kPenetration = 0.01;
constexpr std::size_t kMaxCells = 1u << 21;  // of all levels
constexpr std::size_t kLeastCells = 64;      // of a level

/// By level; null: an open plane, or nobody is there.
using Outlines = std::vector<std::unique_ptr<const Outline>>;

Outlines make_outlines(const Trajectories& t, const LevelFloors& floors, double reach)
{
    std::vector<std::uint8_t> is_used(0x10000, 0);
    for (const std::uint16_t level : t.level) is_used[level] = 1;
    std::size_t used = 0;
    for (const auto& [level, floor] : floors.all()) used += is_used[level];
    Outlines outlines(0x10000);
    for (const auto& [level, floor] : floors.all()) {
        if (is_used[level] == 0 || floor.open_plane) continue;
        outlines[level] =
            std::make_unique<const Outline>(floor, reach, std::max(kLeastCells, kMaxCells / used));
    }
    return outlines;
}

void measure_track(const Trajectories& t, const Outlines& outlines, const Track& track,
                   double radius, WallResult& result)
{
    double room_before = 0.0;
    for (std::size_t i = 0; i < track.size(); ++i) {
        const std::uint32_t row = track.row[i];
        const Outline* outline = outlines[t.level[row]].get();
        if (outline == nullptr) continue;
        const Vec2 position = t.position[row];
        const Outline::Spot spot = outline->look(position);
        const double depth = radius - spot.distance;
        const double room = std::min(spot.distance, outline->reach());  // no outline is nearer
        if (!spot.on_floor) ++result.centres_outside;
        if (!spot.on_floor || depth > kPenetration) ++result.penetrations;
        if (spot.on_floor) result.deepest = std::max(result.deepest, depth);
        if (i > 0 && track.joined[i] != 0) {
            const Vec2 before = t.position[track.row[i - 1]];
            const Vec2 move = position - before;
            const double length = std::sqrt(move.x * move.x + move.y * move.y);
            const bool is_free = length < std::max(room_before, room);
            if (!is_free && outline->crosses(before, position)) ++result.crossings;
        }
        room_before = room;
    }
}

}  // namespace

WallResult measure_walls(const Trajectories& t, const LevelFloors& floors,
                         const std::vector<double>& radii, Workers& workers)
{
    double reach = 0.0;
    for (const double radius : radii) reach = std::max(reach, radius);
    const Outlines outlines = make_outlines(t, floors, reach);
    std::vector<WallResult> parts(t.walkers.size());
    for_each_track(t, workers, [&](std::size_t w, const Track& track) {
        measure_track(t, outlines, track, radii[w], parts[w]);
    });
    WallResult result;
    for (const auto& [level, floor] : floors.all()) result.has_walls |= !floor.open_plane;
    for (const WallResult& part : parts) {
        result.centres_outside += part.centres_outside;
        result.crossings += part.crossings;
        result.penetrations += part.penetrations;
        result.deepest = std::max(result.deepest, part.deepest);
    }
    return result;
}

}  // namespace sidestep
