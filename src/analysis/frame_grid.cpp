// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/frame_grid.hpp"

namespace sidestep {

void FrameGrid::build(const Trajectories& t, std::size_t frame, double cell)
{
    const std::size_t begin = t.frame_begin[frame];
    const std::size_t end = t.frame_begin[frame + 1];
    entries_.clear();
    if (begin == end) return;
    Vec2 low = t.position[begin];
    Vec2 high = low;
    for (std::size_t row = begin; row < end; ++row) {
        const Vec2 p = t.position[row];
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    origin_ = low;
    // A little larger, so that rounding cannot put two cells between two within the range. Where
    // even 24 bits do not number the cells they are larger still: slower, and as right.
    cell_ =
        std::max(cell * (1.0 + 1e-9), std::max(high.x - low.x, high.y - low.y) / (0.5 * kMaxCells));
    for (std::size_t row = begin; row < end; ++row) {
        const Vec2 p = t.position[row];
        entries_.push_back({key_of(p, t.level[row]), static_cast<std::uint32_t>(row), p});
    }
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
        return a.key != b.key ? a.key < b.key : a.row < b.row;
    });
}

}  // namespace sidestep
