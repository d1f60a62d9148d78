// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "recording/format.hpp"
#include "sidestep/result.hpp"

namespace sidestep {

/// Frames on their way from the run to the file. A run that is faster than the disk waits here, so
/// that memory stays bounded whatever the disk does.
class FrameQueue {
public:
    /// Frames that may be under way, those being written included.
    static constexpr std::size_t kMaxFrames = 8;
    /// The same in memory [bytes]; a single larger frame passes alone.
    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

    /// Waits for room, then hands over. After a failure nothing is taken: that Error comes back.
    std::optional<Error> push(RecordedItem item);
    /// All that waits, in order; waits for something. Empty: closed, and all has been taken.
    std::vector<RecordedItem> take();
    /// What was taken last has been written (or given up): there is room again.
    void release();
    /// Nothing comes any more; `take` ends when all is taken.
    void close();
    /// Writing has failed for good. The first failure is kept.
    void fail(Error error);
    std::optional<Error> failure() const;
    std::size_t frames() const;  ///< under way

private:
    bool has_room(bool is_frame) const;

    mutable std::mutex mutex_;
    std::condition_variable work_, room_;
    std::vector<RecordedItem> waiting_;
    std::size_t frames_ = 0, bytes_ = 0;              ///< waiting and taken
    std::size_t taken_frames_ = 0, taken_bytes_ = 0;  ///< of these, taken and not released
    bool closed_ = false;
    std::optional<Error> failure_;
};

}  // namespace sidestep
