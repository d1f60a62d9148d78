// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The leaves that a search of one leaf looks at. Eight leaves with a common parent lie together and
// are searched one after the other: the tree is walked once for all of them, as far as any of them
// is expected to look, and each picks its own from the list that came of it. Where there are more
// than the list holds, or the tree is one such group, each search walks the tree itself.
#if defined(SIDESTEP_NEIGHBOURS_NEAR_LEAVES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_NEIGHBOURS_NEAR_LEAVES_INL_HPP
#undef SIDESTEP_NEIGHBOURS_NEAR_LEAVES_INL_HPP
#else
#define SIDESTEP_NEIGHBOURS_NEAR_LEAVES_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "neighbours/candidates-inl.hpp"
#include "neighbours/neighbours.hpp"
#include "simd/box_walk-inl.hpp"
#include "simd/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// How much farther [1] than the last time is looked at first, squared: people move.
inline constexpr float kReachMargin = 1.15f;
/// The same where the last time fewer were listed: a crowd has twice as many within twice this.
inline constexpr float kFullReach = 2.0f * kReachMargin;

/// Lists the leaves of a level that come near any of the group's, or whose agents can touch one of
/// theirs.
inline HWY_NOINLINE void find_near_leaves(const BoxTree& tree, std::size_t group,
                                          std::uint16_t level, float reach_sq, NearLeaves& near)
{
    near.tree_version = tree.version();
    near.group = group;
    near.level = level;
    near.reach_sq = reach_sq;
    near.count = 0;
    near.complete = true;
    near.max_radius = 0.0f;
    const std::size_t node = tree.first(1) + group;
    const Box box{tree.min_x()[node], tree.min_y()[node], tree.max_x()[node], tree.max_y()[node]};
    const float radius = tree.max_radius()[node];
    walk_near<1>(tree, box, radius, level, reach_sq, [&](std::size_t other) {
        const std::size_t first = other * BoxTree::kFanOut;
        std::uint32_t left = near_boxes(tree, first, box, radius, reach_sq);
        if (near.count + BoxTree::kFanOut > NearLeaves::kMost) near.complete = false;
        if (!near.complete) return;
        for (; left != 0; left &= left - 1) {
            const std::size_t leaf = first + hwy::Num0BitsBelowLS1Bit_Nonzero32(left);
            if (!tree.holds_level(leaf, level)) continue;
            const std::size_t i = near.count++;
            near.min_x[i] = tree.min_x()[leaf];
            near.min_y[i] = tree.min_y()[leaf];
            near.max_x[i] = tree.max_x()[leaf];
            near.max_y[i] = tree.max_y()[leaf];
            near.radius[i] = tree.max_radius()[leaf];
            near.max_radius = std::max(near.max_radius, near.radius[i]);
            near.leaf[i] = static_cast<std::int32_t>(leaf);
        }
    });
    for (std::size_t i = near.count; i % kLeafRows != 0; ++i) {  // far from everything
        near.min_x[i] = near.min_y[i] = kEmptyBox.min_x;
        near.max_x[i] = near.max_y[i] = kEmptyBox.max_x;
        near.radius[i] = 0.0f;
        near.leaf[i] = 0;
    }
}

/// Asks for what searches and models will read of the agents in these leaves. In large worlds it is
/// in no near cache yet, and one leaf after the other would wait for the few lines that are new.
HWY_INLINE void fetch_ahead(const AgentTable& agents, const NearLeaves& near)
{
    constexpr std::size_t kRecordsOfLine = 64 / sizeof(AgentRecord);
    for (std::size_t i = 0; i < near.count; ++i) {
        const std::size_t first = static_cast<std::size_t>(near.leaf[i]) * kLeafRows;
        __builtin_prefetch(agents.x.data() + first);
        __builtin_prefetch(agents.y.data() + first);
        for (std::size_t row = first; row < first + kLeafRows; row += kRecordsOfLine)
            __builtin_prefetch(agents.record.data() + row);
    }
}

/// Whether `near` has all leaves that a search of this one has to look at; looks for them if not.
HWY_INLINE bool know_near_leaves(const NeighbourInput& input, std::size_t leaf, float reach_sq,
                                 NeighbourScratch& scratch)
{
    const BoxTree& tree = input.tree;
    if (tree.height() < 2) return false;
    NearLeaves& near = scratch.near;
    const std::size_t group = leaf / BoxTree::kFanOut;
    const std::uint16_t level = input.agents.leaf_level[leaf];
    if (near.tree_version == tree.version() && near.group == group && near.level == level &&
        reach_sq <= near.reach_sq)
        return near.complete;
    float farthest_sq = reach_sq;
    if (scratch.leaf_reach_sq != nullptr) {
        const std::size_t end = std::min((group + 1) * BoxTree::kFanOut, tree.leaves());
        for (std::size_t i = group * BoxTree::kFanOut; i < end; ++i)
            farthest_sq = std::max(farthest_sq, scratch.leaf_reach_sq[i] * kReachMargin);
    }
    find_near_leaves(tree, group, level, farthest_sq, near);
    fetch_ahead(input.agents, near);
    return near.complete;
}

/// Calls `visit(leaf)` for the leaves of `near` but `own_leaf` that come near its box, or whose
/// agents can touch one of a radius of `own_radius` in it. They are listed first: how many there
/// are of each eight cannot be foreseen, and a loop over them would end as a surprise each time.
template <class Visit>
HWY_INLINE void visit_near_leaves(const NearLeaves& near, std::size_t own_leaf,
                                  const LeafReach& own, float reach_sq, float own_radius,
                                  Visit&& visit)
{
    const FloatLanes d;
    const RowLanes di;
    const RowV itself = hn::Set(di, static_cast<std::int32_t>(own_leaf));
    std::int32_t leaves[NearLeaves::kMost + kLeafRows];
    std::size_t count = 0;
    const FloatV zero = hn::Zero(d);
    const FloatV radius = hn::Set(d, own_radius);
    const FloatV least_sq = hn::Set(d, reach_sq);
    for (std::size_t i = 0; i < near.count; i += hn::Lanes(d)) {
        const FloatV dx = hn::Max(hn::Max(hn::Load(d, near.min_x + i) - own.max_x,
                                          own.min_x - hn::Load(d, near.max_x + i)),
                                  zero);
        const FloatV dy = hn::Max(hn::Max(hn::Load(d, near.min_y + i) - own.max_y,
                                          own.min_y - hn::Load(d, near.max_y + i)),
                                  zero);
        const FloatV touch = hn::Load(d, near.radius + i) + radius;
        const RowV leaf = hn::Load(di, near.leaf + i);
        const auto other = hn::RebindMask(d, hn::Ne(leaf, itself));
        const Packing<FloatLanes> wanted(
            d, hn::And(other, dx * dx + dy * dy <= hn::Max(least_sq, touch * touch)));
        hn::StoreU(wanted.pack(di, leaf), di, leaves + count);
        count += wanted.count();
    }
    for (std::size_t i = 0; i < count; ++i) visit(static_cast<std::size_t>(leaves[i]));
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
