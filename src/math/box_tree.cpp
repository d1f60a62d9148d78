// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "math/box_tree.hpp"

namespace sidestep {

namespace {

/// Nodes of a height with those that fill up its last group.
std::size_t in_whole_groups(std::size_t nodes)
{
    return (nodes + BoxTree::kFanOut - 1) / BoxTree::kFanOut * BoxTree::kFanOut;
}

}  // namespace

bool BoxTree::reserve(std::size_t leaves) noexcept
{
    // leaves + leaves/8 + leaves/64 + ..., and a group for each height
    const std::size_t nodes = leaves + leaves / 7 + kFanOut * (kMaxHeight + 1);
    bool enough = true;
    for_each_column([&](auto& column) { enough = enough && column.reserve(nodes); });
    return enough;
}

void BoxTree::set_leaves(std::size_t leaves) noexcept
{
    leaves_ = leaves;
    height_ = 0;
    first_[0] = 0;
    count_[0] = leaves;
    while (count_[height_] > 1) {
        first_[height_ + 1] = first_[height_] + in_whole_groups(count_[height_]);
        count_[height_ + 1] = (count_[height_] + kFanOut - 1) / kFanOut;
        ++height_;
    }
    const std::size_t nodes = first_[height_] + in_whole_groups(count_[height_]);
    for_each_column([&](auto& column) { column.resize(nodes); });
    for (std::uint32_t height = 0; height <= height_; ++height) {
        for (std::size_t i = count_[height]; i < in_whole_groups(count_[height]); ++i)
            set_node(first_[height] + i, {});
    }
}

std::size_t BoxTree::bytes() const noexcept
{
    return min_x_.capacity() * (6 * sizeof(float) + 2 * sizeof(std::uint16_t));
}

void BoxTree::refit() noexcept
{
    ++version_;
    for (std::uint32_t height = 1; height <= height_; ++height) {
        for (std::size_t i = 0; i < count_[height]; ++i) {
            BoxNode merged;
            for (std::size_t child = 0; child < kFanOut; ++child)
                merged = merge(merged, node(first_[height - 1] + i * kFanOut + child));
            set_node(first_[height] + i, merged);
        }
    }
}

}  // namespace sidestep
