// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// A walk of a box tree that looks at the eight boxes below a node at once.
#if defined(SIDESTEP_SIMD_BOX_WALK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SIMD_BOX_WALK_INL_HPP
#undef SIDESTEP_SIMD_BOX_WALK_INL_HPP
#else
#define SIDESTEP_SIMD_BOX_WALK_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "math/box_tree.hpp"
#include "simd/mask_bits-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Which of the eight nodes from `first` on come within `reach_sq` of a box, or whose discs can
/// touch one of radius `own_radius` in it.
HWY_INLINE std::uint32_t near_boxes(const BoxTree& tree, std::size_t first, const Box& own,
                                    float own_radius, float reach_sq)
{
    const hn::CappedTag<float, BoxTree::kFanOut> d;
    const auto zero = hn::Zero(d);
    std::uint32_t near = 0;
    for (std::size_t i = 0; i < BoxTree::kFanOut; i += hn::Lanes(d)) {
        const std::size_t at = first + i;
        const auto dx = hn::Max(hn::Max(hn::Load(d, tree.min_x() + at) - hn::Set(d, own.max_x),
                                        hn::Set(d, own.min_x) - hn::Load(d, tree.max_x() + at)),
                                zero);
        const auto dy = hn::Max(hn::Max(hn::Load(d, tree.min_y() + at) - hn::Set(d, own.max_y),
                                        hn::Set(d, own.min_y) - hn::Load(d, tree.max_y() + at)),
                                zero);
        const auto touch = hn::Load(d, tree.max_radius() + at) + hn::Set(d, own_radius);
        const auto reach = hn::Max(hn::Set(d, reach_sq), touch * touch);
        near |= mask_bits(d, dx * dx + dy * dy <= reach) << i;
    }
    return near;
}

/// Calls `visit(leaf)` for the leaves of this level that come near `own` (near_boxes), in leaf
/// order; or `visit(node)` for the nodes of height kTo, which must be below the root. `reach_sq` is
/// read again at every node: it may shrink while leaves are visited, and then fewer of the later
/// ones are.
template <std::uint32_t kTo = 0, class Visit>
HWY_INLINE void walk_near(const BoxTree& tree, const Box& own, float own_radius,
                          std::uint16_t level, const float& reach_sq, Visit&& visit)
{
    if (tree.leaves() == 0) return;
    struct Group {
        std::size_t first;   ///< node
        std::uint32_t left;  ///< those of the eight that are still to be gone into
    };
    Group groups[BoxTree::kMaxHeight + 1];
    std::uint32_t height = tree.height() == 0 ? 0 : tree.height() - 1;
    const std::uint32_t top = height;
    groups[height] = {tree.first(height),
                      near_boxes(tree, tree.first(height), own, own_radius, reach_sq)};
    for (;;) {
        Group& group = groups[height];
        if (group.left == 0) {
            if (height == top) return;
            ++height;
            continue;
        }
        const std::size_t node = group.first + hwy::Num0BitsBelowLS1Bit_Nonzero32(group.left);
        group.left &= group.left - 1;
        if (!tree.holds_level(node, level)) continue;
        const std::size_t number = node - tree.first(height);
        if (height == kTo) {
            visit(number);
            continue;
        }
        --height;
        const std::size_t first = tree.first(height) + number * BoxTree::kFanOut;
        groups[height] = {first, near_boxes(tree, first, own, own_radius, reach_sq)};
    }
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
