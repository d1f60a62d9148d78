// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The side on which an agent of its own mind passes those it meets head on.
//
// In a frontal encounter it turns its preferred velocity a little to that side, which also breaks
// exact ties. Agents that do as their world does turn nothing.
#if defined(SIDESTEP_MODELS_HALF_PLANE_SIDE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_HALF_PLANE_SIDE_INL_HPP
#undef SIDESTEP_MODELS_HALF_PLANE_SIDE_INL_HPP
#else
#define SIDESTEP_MODELS_HALF_PLANE_SIDE_INL_HPP
#endif

#include <hwy/highway.h>

#include <cmath>

#include "constraints/encounter-inl.hpp"
#include "models/half_plane_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Cosine and sine of the turn, 3 degrees.
inline constexpr float kTurnCosine = 0.99862953f;
inline constexpr float kTurnSine = 0.05233596f;

/// Unit vector, or 0.
HWY_INLINE Vec2<float> unit_of(float x, float y)
{
    const float length = std::sqrt(x * x + y * y);
    return length > 0.0f ? Vec2<float>{x / length, y / length} : Vec2<float>{0.0f, 0.0f};
}

/// Whether lane l meets `other` head on; `heading` is where it goes or wants to.
HWY_INLINE bool meets_head_on(const Lanes& lanes, std::size_t l, const Vec2<float>& heading,
                              const AgentRecord& other)
{
    const hn::CappedTag<float, 1> d;
    const auto in = [&](float x, float y) { return set2(d, x, y); };
    const Vec2<hn::Vec<decltype(d)>> other_v = in(other.vx, other.vy);
    const Pair<hn::Vec<decltype(d)>> pair{
        .rel_pos = in(other.x, other.y) - in(lanes.x[l], lanes.y[l]),
        .rel_vel = in(lanes.vx[l], lanes.vy[l]) - other_v,
        .radius = hn::Set(d, lanes.radius[l]) + hn::Set(d, other.radius)};
    return !hn::AllFalse(d, meets_head_on(d, pair, in(heading.x, heading.y), other_v));
}

/// Turns the wish of a lane with a side of its own where it meets somebody head on, and says so.
HWY_INLINE bool turn_aside(const Snapshot& snapshot, Lanes& lanes, std::size_t l,
                           const NeighbourLists& lists, std::size_t lane)
{
    const std::uint32_t side = lanes.record[l]->flags & (kPassesRight | kPassesLeft);
    if (HWY_LIKELY(side == 0)) return false;
    const float wish_x = lanes.preferred_vx[l];
    const float wish_y = lanes.preferred_vy[l];
    Vec2<float> heading = unit_of(lanes.vx[l], lanes.vy[l]);
    if (heading.x == 0.0f && heading.y == 0.0f) heading = unit_of(wish_x, wish_y);
    bool meets = false;
    for (std::size_t i = 0; i < lists.count[lane] && !meets; ++i)
        meets = meets_head_on(lanes, l, heading, snapshot.agents.record[lists.row[lane][i]]);
    if (!meets) return false;
    const float sine = side == kPassesLeft ? kTurnSine : -kTurnSine;
    lanes.preferred_vx[l] = wish_x * kTurnCosine - wish_y * sine;
    lanes.preferred_vy[l] = wish_x * sine + wish_y * kTurnCosine;
    return true;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
