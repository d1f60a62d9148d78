// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// How far the agents of a leaf look, and how many they list: read once where all are alike.
#if defined(SIDESTEP_NEIGHBOURS_LEAF_LIMITS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_NEIGHBOURS_LEAF_LIMITS_INL_HPP
#undef SIDESTEP_NEIGHBOURS_LEAF_LIMITS_INL_HPP
#else
#define SIDESTEP_NEIGHBOURS_LEAF_LIMITS_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "neighbours/candidates-inl.hpp"
#include "neighbours/neighbours.hpp"
#include "world/leaf_profile.hpp"
#include "world/limited_sight.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What the agents of a leaf may list.
struct LeafLimits {
    alignas(kColumnAlignment) float range_sq[kLeafRows];  ///< negative where a row holds nobody
    alignas(kColumnAlignment) float cap_lanes[kLeafRows];
    alignas(kColumnAlignment) std::uint32_t cap[kLeafRows];
    bool is_short[kLeafRows];  ///< a full search would list more
    std::uint32_t most;        ///< largest cap
    std::uint32_t fewest;      ///< least cap of the living
    float farthest_sq;         ///< largest range_sq
};

/// How many the agent in a row lists in this search.
struct SearchCap {
    std::uint32_t cap;
    bool is_short;  ///< a full search would list more
};

HWY_INLINE SearchCap cap_of(const NeighbourInput& input, std::size_t row)
{
    const std::uint32_t full = search_cap(input.agents, input.profiles, row);
    if (input.depth != SearchDepth::first) return {full, false};
    const std::uint32_t cap = first_search_cap(input.agents, input.profiles, row);
    return {cap, cap < full};
}

/// Limits of a leaf whose agents have all of them alike.
HWY_INLINE LeafLimits common_limits(const NeighbourInput& input, std::size_t leaf)
{
    const FloatLanes d;
    const RowLanes di;
    const hn::RebindToUnsigned<FloatLanes> du;
    const AgentTable& agents = input.agents;
    const std::size_t first = leaf * kLeafRows;
    const float range = param_of(agents, input.profiles, first, kNeighbourRange);
    const float range_sq = range * range;
    const auto [cap, is_short] = cap_of(input, first);
    LeafLimits limits;
    std::fill_n(limits.is_short, kLeafRows, is_short);
    bool any = false;
    for (std::size_t i = 0; i < kLeafRows; i += hn::Lanes(d)) {
        const auto holds = hn::Load(d, agents.x.data() + first + i) < hn::Set(d, 0.5f * kFarAway);
        const auto caps = hn::IfThenElseZero(hn::RebindMask(du, holds), hn::Set(du, cap));
        hn::Store(hn::IfThenElse(holds, hn::Set(d, range_sq), hn::Set(d, -1.0f)), d,
                  limits.range_sq + i);
        hn::Store(caps, du, limits.cap + i);
        hn::Store(hn::ConvertTo(d, hn::BitCast(di, caps)), d, limits.cap_lanes + i);
        any = any || !hn::AllFalse(d, holds);
    }
    limits.most = limits.fewest = any ? cap : 0;
    limits.farthest_sq = any ? range_sq : -1.0f;
    return limits;
}

inline HWY_NOINLINE LeafLimits limits_of_each(const NeighbourInput& input, std::size_t leaf)
{
    const AgentTable& agents = input.agents;
    const std::size_t first = leaf * kLeafRows;
    LeafLimits limits;
    limits.most = 0;
    limits.fewest = kNeighbourListCapacity;
    limits.farthest_sq = -1.0f;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = first + lane;
        const float range = param_of(agents, input.profiles, row, kNeighbourRange);
        const float range_sq = range * range;
        const auto [cap, is_short] = cap_of(input, row);
        const bool holds = agents.holds(row);
        limits.is_short[lane] = holds && is_short;
        limits.range_sq[lane] = holds ? range_sq : -1.0f;
        limits.cap[lane] = holds ? cap : 0;
        limits.cap_lanes[lane] = static_cast<float>(limits.cap[lane]);
        if (!holds) continue;
        limits.most = std::max(limits.most, cap);
        limits.fewest = std::min(limits.fewest, cap);
        limits.farthest_sq = std::max(limits.farthest_sq, range_sq);
    }
    limits.fewest = std::min(limits.fewest, limits.most);  // of nobody: none
    return limits;
}

HWY_INLINE LeafLimits limits_of(const NeighbourInput& input, std::size_t leaf)
{
    const bool alike = common_profile(input.agents, input.profiles, leaf,
                                      {kNeighbourRange, kMaxNeighbours, kObservationTime,
                                       kFieldOfView, kSight}) != nullptr;
    return HWY_LIKELY(alike) ? common_limits(input, leaf) : limits_of_each(input, leaf);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
