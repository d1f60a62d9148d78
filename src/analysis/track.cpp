// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/track.hpp"

namespace sidestep {
namespace {

/// As many pairs of rows, evenly spread, decide what is usual.
constexpr std::size_t kSpacingSample = 65536;
/// [frames] So that half as much again is a number, too.
constexpr std::uint64_t kMaxSpacing = std::uint64_t{1} << 62;

/// In unsigned numbers, as the frames of strangers may be anywhere; numbers ascend.
std::uint64_t spacing_of(const Trajectories& t, std::size_t frame, std::size_t later)
{
    return static_cast<std::uint64_t>(t.frames[later]) -
           static_cast<std::uint64_t>(t.frames[frame]);
}

}  // namespace

std::uint64_t usual_spacing(const Trajectories& t)
{
    const std::size_t stride = 1 + t.walker_row.size() / kSpacingSample;
    FrameCursor cursor(t);
    std::vector<std::uint64_t> spacings;
    for (std::size_t w = 0; w + 1 < t.walker_begin.size(); ++w) {
        const std::size_t begin = t.walker_begin[w];
        // the first multiple of the stride that has a row of the walker before it
        for (std::size_t i = (begin / stride + 1) * stride; i < t.walker_begin[w + 1];
             i += stride) {
            const std::size_t before = cursor.frame_of(t.walker_row[i - 1]);
            spacings.push_back(spacing_of(t, before, cursor.frame_of(t.walker_row[i])));
        }
    }
    if (spacings.empty()) return 1;
    const auto middle = spacings.begin() + static_cast<std::ptrdiff_t>((spacings.size() - 1) / 2);
    std::nth_element(spacings.begin(), middle, spacings.end());
    return std::clamp<std::uint64_t>(*middle, 1, kMaxSpacing);
}

void read_track(const Trajectories& t, std::size_t walker, std::uint64_t spacing, Track& track)
{
    const std::size_t begin = t.walker_begin[walker];
    const std::size_t count = t.walker_begin[walker + 1] - begin;
    track.row.assign(t.walker_row.begin() + static_cast<std::ptrdiff_t>(begin),
                     t.walker_row.begin() + static_cast<std::ptrdiff_t>(begin + count));
    track.frame.resize(count);
    track.joined.assign(count, 0);
    FrameCursor cursor(t);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t row = track.row[i];
        track.frame[i] = static_cast<std::uint32_t>(cursor.frame_of(row));
        if (i == 0) continue;
        const std::uint64_t gap = spacing_of(t, track.frame[i - 1], track.frame[i]);
        const bool is_near = gap > 0 && gap <= longest_step(spacing);
        track.joined[i] = is_near && t.level[row] == t.level[track.row[i - 1]] ? 1 : 0;
    }
}

std::vector<std::uint8_t> joined_rows(const Trajectories& t, Workers& workers)
{
    std::vector<std::uint8_t> joined(t.position.size(), 0);
    for_each_track(t, workers, [&](std::size_t, const Track& track) {
        for (std::size_t i = 0; i < track.size(); ++i) joined[track.row[i]] = track.joined[i];
    });
    return joined;
}

}  // namespace sidestep
