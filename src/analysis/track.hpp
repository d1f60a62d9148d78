// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "parallel/workers.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

// The rows of a walker come in stretches without a gap: successive rows of one level, each about as
// long after the one before as is usual in the recording. Where there is a gap (a frame without the
// walker, or another level) nothing is known of what happened between, so that no speed, length or
// crossing is taken over it.

/// The usual difference of the frame numbers of two successive rows of a walker, at least 1.
std::uint64_t usual_spacing(const Trajectories& trajectories);

/// The largest difference of the frame numbers of two rows without a gap between them.
inline std::uint64_t longest_step(std::uint64_t usual)
{
    return usual + usual / 2;
}

/// Which frame a row belongs to, quickly for rows that come in ascending order.
class FrameCursor {
public:
    explicit FrameCursor(const Trajectories& trajectories) : begin_(trajectories.frame_begin) {}

    std::size_t frame_of(std::size_t row)
    {
        if (row < begin_[frame_] || row >= begin_[frame_ + 1]) {
            const bool is_next =
                frame_ + 2 < begin_.size() && row >= begin_[frame_ + 1] && row < begin_[frame_ + 2];
            frame_ = is_next ? frame_ + 1 : search(row);
        }
        return frame_;
    }

private:
    std::size_t search(std::size_t row) const
    {
        const auto after = std::upper_bound(begin_.begin(), begin_.end(), row);
        return static_cast<std::size_t>(after - begin_.begin()) - 1;
    }

    const std::vector<std::size_t>& begin_;
    std::size_t frame_ = 0;
};

/// The rows of one walker with their frames, and where its stretches are.
struct Track {
    std::vector<std::uint32_t> row;
    std::vector<std::uint32_t> frame;  ///< index into Trajectories::frames
    std::vector<std::uint8_t> joined;  ///< to the row before: no gap between; the first is not

    std::size_t size() const { return row.size(); }
    /// First row beyond the stretch that begins at `first`.
    std::size_t end_of_stretch(std::size_t first) const
    {
        std::size_t end = first + 1;
        while (end < size() && joined[end] != 0) ++end;
        return end;
    }
};

/// Fills `track`, which keeps its memory, with the rows of a walker.
void read_track(const Trajectories& trajectories, std::size_t walker, std::uint64_t spacing,
                Track& track);

/// Of each row: 1 where it is joined to the one before.
std::vector<std::uint8_t> joined_rows(const Trajectories& trajectories, Workers& workers);

/// body(walker, track) for each walker, in parallel. A walker writes only what is its own.
template <class Body>
void for_each_track(const Trajectories& trajectories, Workers& workers, Body&& body)
{
    constexpr std::size_t kBlock = 32;  // walkers
    const std::uint64_t spacing = usual_spacing(trajectories);
    const std::size_t count = trajectories.walkers.size();
    std::vector<Track> tracks(workers.count());
    parallel_for(workers, (count + kBlock - 1) / kBlock,
                 [&](std::size_t block, std::uint32_t worker) {
                     const std::size_t last = std::min(count, (block + 1) * kBlock);
                     for (std::size_t w = block * kBlock; w < last; ++w) {
                         read_track(trajectories, w, spacing, tracks[worker]);
                         body(w, std::as_const(tracks[worker]));
                     }
                 });
}

}  // namespace sidestep
