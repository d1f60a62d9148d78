// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "math/box_tree.hpp"

namespace sidestep {

bool BoxTree::reserve(std::size_t leaves) noexcept
{
    return nodes_.reserve(leaves + leaves / 7 + kMaxHeight +
                          1);  // leaves + leaves/8 + leaves/64 + ...
}

void BoxTree::set_leaves(std::size_t leaves) noexcept
{
    leaves_ = leaves;
    height_ = 0;
    first_[0] = 0;
    count_[0] = leaves;
    while (count_[height_] > 1) {
        first_[height_ + 1] = first_[height_] + count_[height_];
        count_[height_ + 1] = (count_[height_] + kFanOut - 1) / kFanOut;
        ++height_;
    }
    nodes_.resize(first_[height_] + count_[height_]);
}

void BoxTree::refit() noexcept
{
    for (std::uint32_t height = 1; height <= height_; ++height) {
        for (std::size_t node = 0; node < count_[height]; ++node) {
            BoxNode merged;
            const std::size_t end = std::min((node + 1) * kFanOut, count_[height - 1]);
            for (std::size_t child = node * kFanOut; child < end; ++child) {
                merged = merge(merged, nodes_[first_[height - 1] + child]);
            }
            nodes_[first_[height] + node] = merged;
        }
    }
}

}  // namespace sidestep
