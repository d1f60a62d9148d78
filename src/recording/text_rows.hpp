// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recording/format.hpp"

namespace sidestep {

// Text files of others come in any order, most of them walker by walker: their rows are collected
// and sorted before the first frame is handed out. Files of ours need none of this
// (text_sealed.hpp).

struct CollectedRow {
    std::int64_t frame = 0, id = 0;
    double x = 0.0, y = 0.0;  ///< [m]
    std::uint32_t line = 0;   ///< of the file, for messages
    std::uint16_t level = 0;
};

struct CollectedRows {
    std::string path;
    std::vector<CollectedRow> rows;
    std::vector<double> times;  ///< of each row [s], where the file has those instead of frames
    std::optional<double> fps;
};

/// Sorts by frame and id. Two rows of one agent in one frame are an Error.
Result<void> sort_rows(CollectedRows& rows);

/// Frames out of times: fps, where it is not known, out of the smallest step between two times.
/// Times must fall on frames, within a tenth of one. Frames count from time 0 or, where times fit
/// no such frames, from the first time.
Result<void> number_frames(CollectedRows& rows);

/// Sorted rows with a known fps, frame by frame.
std::unique_ptr<RecordingSource> open_rows(CollectedRows rows);

}  // namespace sidestep
