// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/pair_sweep.hpp"

namespace sidestep {

void PairFinder::sort_by_key(std::size_t first_row, std::size_t end_row)
{
    begin_.assign(end_row - first_row + 1, 0);
    for (const NearPair& pair : found_) ++begin_[pair.row_a - first_row + 1];
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    sorted_.resize(found_.size());
    // begin_[i] becomes the end of row i, which is the beginning of the next
    for (const NearPair& pair : found_) sorted_[begin_[pair.row_a - first_row]++] = pair;
    std::uint32_t first = 0;
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
        std::sort(sorted_.begin() + first, sorted_.begin() + begin_[i],
                  [](const NearPair& a, const NearPair& b) { return a.key < b.key; });
        first = begin_[i];
    }
}

}  // namespace sidestep
