// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sidestep/analysis.hpp"

namespace sidestep {

/// The rows of one frame sorted into square cells, level by level, for pairs within a range. There
/// is no table of cells: rows are sorted by (level, y cell, x cell), so that wide and empty plans
/// cost nothing; the row of cells above is found by a second finger that only moves on.
class FrameGrid {
public:
    /// Sorts rows [frame_begin[frame], frame_begin[frame + 1]) into cells of side `cell` > 0 [m];
    /// their positions are finite. Memory is kept from call to call.
    void build(const Trajectories& trajectories, std::size_t frame, double cell);

    /// visit(row_a, row_b, distance_sq) once for each pair of one level whose distance is at most
    /// `range` <= cell [m], row_a < row_b. The order is fixed by the positions.
    template <class Visit>
    void for_each_pair(double range, Visit&& visit) const;

private:
    struct Entry {
        std::uint64_t key;
        std::uint32_t row;
        Vec2 position;
    };
    static constexpr std::uint64_t kCellBits = 24;
    static constexpr std::uint64_t kRowOfCells = std::uint64_t{1} << kCellBits;
    /// Cells count from 1, so that the one before and the one after a cell are in the same row.
    static constexpr double kMaxCells = static_cast<double>(kRowOfCells - 8);

    static std::uint64_t index_of(double offset, double cell)
    {
        return 1 +
               static_cast<std::uint64_t>(std::clamp(std::floor(offset / cell), 0.0, kMaxCells));
    }
    std::uint64_t key_of(Vec2 p, std::uint16_t level) const
    {
        return ((std::uint64_t{level} << kCellBits | index_of(p.y - origin_.y, cell_))
                << kCellBits) |
               index_of(p.x - origin_.x, cell_);
    }

    std::vector<Entry> entries_;  ///< by (key, row)
    Vec2 origin_{};
    double cell_ = 1.0;
};

template <class Visit>
void FrameGrid::for_each_pair(double range, Visit&& visit) const
{
    const double range_sq = range * range;
    const std::size_t count = entries_.size();
    const auto meet = [&](const Entry& a, const Entry& b) {
        const double dx = b.position.x - a.position.x;
        const double dy = b.position.y - a.position.y;
        const double distance_sq = dx * dx + dy * dy;
        if (distance_sq <= range_sq)
            visit(std::min(a.row, b.row), std::max(a.row, b.row), distance_sq);
    };
    std::size_t above = 0;  // first of the cells above that can matter
    for (std::size_t i = 0; i < count; ++i) {
        const Entry& a = entries_[i];
        for (std::size_t j = i + 1; j < count && entries_[j].key <= a.key + 1; ++j)
            meet(a, entries_[j]);
        while (above < count && entries_[above].key < a.key + kRowOfCells - 1) ++above;
        for (std::size_t j = above; j < count && entries_[j].key <= a.key + kRowOfCells + 1; ++j)
            meet(a, entries_[j]);
    }
}

}  // namespace sidestep
