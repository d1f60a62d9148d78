// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/trajectories.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

// Small recordings for pictures and reports.

inline constexpr const char* kRoomWkt =
    "POLYGON ((0 0, 10 0, 10 6, 0 6, 0 0), (4 2, 6 2, 6 4, 4 4, 4 2))";

/// `people` walk east through a room at 1 m/s, one above the other, for `frames` tenths of a
/// second; each leaves through "east" at the end.
inline Trajectories walk_east(std::size_t people, std::size_t frames, Vec2 origin = {},
                              const std::string& wkt = kRoomWkt)
{
    RecordingInfo info;
    info.fps = 10.0;
    info.levels = {{0, wkt}};
    info.facts = {{"scene", "walk-east"}, {"model", "orca"}, {"state_hash", "0123456789abcdef"}};
    TrajectoryCollector collector(info);
    for (std::size_t f = 0; f < frames; ++f) {
        RecordedFrame frame;
        frame.number = static_cast<std::int64_t>(f);
        for (std::size_t i = 0; i < people; ++i) {
            frame.agents.push_back({.id = static_cast<std::int64_t>(i) + 1,
                                    .position = origin + Vec2{0.5 + 0.1 * static_cast<double>(f),
                                                              0.4 + 0.5 * static_cast<double>(i)}});
        }
        collector.add(frame);
    }
    RecordedNotes notes;
    for (std::size_t i = 0; i < people; ++i) {
        const auto id = static_cast<std::int64_t>(i) + 1;
        notes.walkers.push_back({id, 0.2, 1.0, i % 2 == 0 ? "even" : "odd", "default", "orca"});
        notes.ends.push_back({.id = id,
                              .time = 0.1 * static_cast<double>(frames),
                              .kind = "left",
                              .place = "east",
                              .is_arrival = true});
    }
    Trajectories made = collector.finish(std::move(notes));
    made.name = "walk.sqlite";
    return made;
}

}  // namespace sidestep
