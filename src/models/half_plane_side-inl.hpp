// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The side on which an agent of its own mind passes those it meets head on.
//
// In a frontal encounter it turns its preferred velocity a little to that side, which also breaks
// exact ties. Frontal: the two walk against each other, are about to come close, and neither is
// beside the other yet. Agents that do as their world does turn nothing.
#if defined(SIDESTEP_MODELS_HALF_PLANE_SIDE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_HALF_PLANE_SIDE_INL_HPP
#undef SIDESTEP_MODELS_HALF_PLANE_SIDE_INL_HPP
#else
#define SIDESTEP_MODELS_HALF_PLANE_SIDE_INL_HPP
#endif

#include <hwy/highway.h>

#include <cmath>

#include "models/half_plane_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Cosine and sine of the turn, 3 degrees.
inline constexpr float kTurnCosine = 0.99862953f;
inline constexpr float kTurnSine = 0.05233596f;
/// Headings against each other: the cosine between them is below this.
inline constexpr float kFrontal = -0.5f;
/// Passing closer than this beyond the radii [m] is an encounter.
inline constexpr float kPassingRoom = 0.5f;
/// Sooner than this [s].
inline constexpr float kEncounterTime = 4.0f;

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
    const Vec2<float> theirs = unit_of(other.vx, other.vy);
    if (!(heading.x * theirs.x + heading.y * theirs.y < kFrontal)) return false;
    const float px = other.x - lanes.x[l];
    const float py = other.y - lanes.y[l];
    const float room = lanes.radius[l] + other.radius + kPassingRoom;
    if (!(std::fabs(heading.x * py - heading.y * px) < room)) return false;
    // Time to collision of discs with that room; 0 where they are that close already.
    const float x = lanes.vx[l] - other.vx;
    const float y = lanes.vy[l] - other.vy;
    const float closing = px * x + py * y;
    if (!(closing > 0.0f)) return false;  // they have passed
    const float gap = px * px + py * py - room * room;
    if (gap <= 0.0f) return true;
    const float discriminant = closing * closing - (x * x + y * y) * gap;
    return discriminant > 0.0f && gap < kEncounterTime * (closing + std::sqrt(discriminant));
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
