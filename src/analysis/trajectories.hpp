// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "sidestep/analysis.hpp"

namespace sidestep {

/// Frames, one after another, into columns.
class TrajectoryCollector {
public:
    explicit TrajectoryCollector(RecordingInfo info);

    /// Frames come in the order of their numbers, agents in that of their ids. False: more rows
    /// than can be counted.
    bool add(const RecordedFrame& frame);
    /// All of it, with notes and the rows of each walker.
    Trajectories finish(RecordedNotes notes);

private:
    Trajectories made_;
    std::unordered_map<std::int64_t, std::uint32_t> index_of_;  ///< looked up, never iterated
};

}  // namespace sidestep
