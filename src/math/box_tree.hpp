// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "base/column.hpp"

namespace sidestep {

/// Axis-parallel box; empty where min > max.
struct Box {
    float min_x, min_y, max_x, max_y;
};

/// A box that contains nothing and is far from everything.
inline constexpr Box kEmptyBox{1e18f, 1e18f, -1e18f, -1e18f};

/// Squared distance between two boxes, 0 where they meet.
inline float dist_sq(const Box& a, const Box& b)
{
    const float dx = std::max(std::max(a.min_x - b.max_x, b.min_x - a.max_x), 0.0f);
    const float dy = std::max(std::max(a.min_y - b.max_y, b.min_y - a.max_y), 0.0f);
    return dx * dx + dy * dy;
}

inline Box merge(const Box& a, const Box& b)
{
    return {std::min(a.min_x, b.min_x), std::min(a.min_y, b.min_y), std::max(a.max_x, b.max_x),
            std::max(a.max_y, b.max_y)};
}

/// What a node says of the rows below it.
struct BoxNode {
    Box box = kEmptyBox;
    float max_radius = 0.0f;  ///< largest radius of a disc centred in the box
    std::uint16_t min_level = 0xffff;
    std::uint16_t max_level = 0;
    float max_speed = 0.0f;  ///< that any of these discs has or may choose [m/s]
};

inline BoxNode merge(const BoxNode& a, const BoxNode& b)
{
    return {merge(a.box, b.box), std::max(a.max_radius, b.max_radius),
            std::min(a.min_level, b.min_level), std::max(a.max_level, b.max_level),
            std::max(a.max_speed, b.max_speed)};
}

/// An implicit 8-ary tree of boxes over leaves that are already in space order: node j of height h
/// covers the leaves [j 8^h, (j+1) 8^h). No pointers, no cell size, nothing to tune to density;
/// refitted in one sweep when things have moved. Serves agents (a leaf is eight rows) and walls (a
/// leaf is eight edges) alike. Nodes are columns, and the eight below one are contiguous and
/// aligned, so that a kernel looks at all of them at once (simd/box_walk-inl.hpp).
class BoxTree {
public:
    static constexpr std::size_t kFanOut = 8;
    static constexpr std::size_t kMaxHeight = 11;  ///< 8^11 leaves: more than 32-bit rows can fill

    /// Room for this many leaves; false where memory is short.
    [[nodiscard]] bool reserve(std::size_t leaves) noexcept;
    /// Sets the number of leaves; needs room. Their boxes are the caller's to write, followed by
    /// refit().
    void set_leaves(std::size_t leaves) noexcept;
    void set_leaf(std::size_t i, const BoxNode& node) noexcept { set_node(i, node); }
    BoxNode leaf(std::size_t i) const { return node(i); }
    std::size_t leaves() const { return leaves_; }
    /// Of all leaves; needs one.
    BoxNode root() const { return node(first_[height_]); }
    std::size_t bytes() const noexcept;
    /// Boxes above the leaves, from the leaves.
    void refit() noexcept;
    /// Another number after each refit: what was learnt of the tree before is out of date.
    std::uint64_t version() const { return version_; }

    /// Calls `visit(leaf)` for every leaf whose node satisfies `wanted(node)`, in leaf order;
    /// `wanted` must be true for a node whenever it is true for something below it.
    template <class Wanted, class Visit>
    void walk(Wanted&& wanted, Visit&& visit) const
    {
        if (leaves_ == 0) return;
        struct Place {
            std::uint32_t node;
            std::uint32_t height;
        };
        Place stack[kFanOut * kMaxHeight + 1];
        std::size_t depth = 0;
        stack[depth++] = {0, height_};
        while (depth > 0) {
            const Place place = stack[--depth];
            if (!wanted(node(first_[place.height] + place.node))) continue;
            if (place.height == 0) {
                visit(static_cast<std::size_t>(place.node));
                continue;
            }
            const std::size_t begin = std::size_t{place.node} * kFanOut;
            const std::size_t end = std::min(begin + kFanOut, count_[place.height - 1]);
            for (std::size_t child = end; child > begin;
                 --child) {  // backwards, so that the first is popped first
                stack[depth++] = {static_cast<std::uint32_t>(child - 1), place.height - 1};
            }
        }
    }

    // For kernels: the nodes of height h are [first(h), first(h) + their number), in groups of
    // eight that are filled up with empty boxes.
    std::uint32_t height() const { return height_; }
    std::size_t first(std::uint32_t height) const { return first_[height]; }
    const float* min_x() const { return min_x_.data(); }
    const float* min_y() const { return min_y_.data(); }
    const float* max_x() const { return max_x_.data(); }
    const float* max_y() const { return max_y_.data(); }
    const float* max_radius() const { return max_radius_.data(); }
    bool holds_level(std::size_t node, std::uint16_t level) const
    {
        return min_level_[node] <= level && level <= max_level_[node];
    }

private:
    BoxNode node(std::size_t i) const
    {
        return {{min_x_[i], min_y_[i], max_x_[i], max_y_[i]},
                max_radius_[i],
                min_level_[i],
                max_level_[i],
                max_speed_[i]};
    }
    void set_node(std::size_t i, const BoxNode& node) noexcept
    {
        min_x_[i] = node.box.min_x;
        min_y_[i] = node.box.min_y;
        max_x_[i] = node.box.max_x;
        max_y_[i] = node.box.max_y;
        max_radius_[i] = node.max_radius;
        min_level_[i] = node.min_level;
        max_level_[i] = node.max_level;
        max_speed_[i] = node.max_speed;
    }
    template <class Visit>
    void for_each_column(Visit&& visit)
    {
        for (Column<float>* column :
             {&min_x_, &min_y_, &max_x_, &max_y_, &max_radius_, &max_speed_})
            visit(*column);
        visit(min_level_);
        visit(max_level_);
    }

    // Leaves first, then each height above.
    Column<float> min_x_, min_y_, max_x_, max_y_, max_radius_, max_speed_;
    Column<std::uint16_t> min_level_, max_level_;
    std::array<std::size_t, kMaxHeight + 1> first_{};
    std::array<std::size_t, kMaxHeight + 1> count_{};
    std::uint32_t height_ = 0;
    std::size_t leaves_ = 0;
    std::uint64_t version_ = 0;
};

}  // namespace sidestep
