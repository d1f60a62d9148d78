// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recording/sqlite_file.hpp"
#include "recording/sqlite_rows.hpp"
#include "sidestep/recording.hpp"
#include "sidestep/result.hpp"

namespace sidestep {

/// A row of sidestep_frames.
struct ListedFrame {
    std::int64_t number = 0;
    std::uint64_t hash = 0;
    std::int64_t rows = 0;
    /// Row of trajectory_data at which it begins, where that is known.
    std::optional<std::int64_t> first_row;
};

/// A row of sidestep_levels.
struct LevelChange {
    std::int64_t frame = 0, id = 0;
    std::uint16_t level = 0;
};

/// All that a file of ours says besides trajectories, each part compared with its hash.
struct SqliteHead {
    RecordingInfo info;
    RecordedNotes notes;
    std::vector<ListedFrame> frames;    ///< in their order
    std::vector<LevelChange> levels;    ///< in the order of frames
    std::optional<double> asked_fps{};  ///< where the file has lost its own
    // As the file says, whatever its hash: what the hash of a frame must be right with.
    std::size_t bodies = 0;         ///< in each frame
    std::uint16_t usual_level = 0;  ///< of agents that `levels` says nothing of
    bool is_closed = true;
    /// That were written, in `frames` or not; none where the file does not tell.
    std::optional<std::uint64_t> frame_count{};
};

Result<void> read_head(SqliteFile& file, DamageLog& damage, SqliteHead& head);

/// Frames per second as the file says; none where it does not, or nothing sensible.
std::optional<double> read_fps(SqliteFile& file);
/// The value of a key of `metadata` as text.
std::optional<std::string> read_metadata(SqliteFile& file, std::string_view key);

}  // namespace sidestep
