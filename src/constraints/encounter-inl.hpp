// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Who meets whom head on: the two walk against each other, are about to come close, and neither is
// beside the other yet. There people keep to a side.
#if defined(SIDESTEP_CONSTRAINTS_ENCOUNTER_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_CONSTRAINTS_ENCOUNTER_INL_HPP
#undef SIDESTEP_CONSTRAINTS_ENCOUNTER_INL_HPP
#else
#define SIDESTEP_CONSTRAINTS_ENCOUNTER_INL_HPP
#endif

#include <hwy/highway.h>

#include "constraints/velocity_obstacle-inl.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Headings against each other: the cosine between them is below this.
inline constexpr float kFrontal = -0.5f;
/// Passing closer than this beyond the radii [m] is an encounter.
inline constexpr float kPassingRoom = 0.5f;
/// Sooner than this [s].
inline constexpr float kEncounterTime = 4.0f;

/// Lanes in which A, whose heading is this unit vector, meets B, which walks at `other_v`, head on.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> meets_head_on(D d, const Pair<V>& pair, const Vec2<V>& heading,
                                     const Vec2<V>& other_v)
{
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const Vec2<V>& P = pair.rel_pos;
    const V room = pair.radius + hn::Set(d, T(kPassingRoom));
    const auto against = dot(heading, unit_or_zero(d, other_v)) < hn::Set(d, T(kFrontal));
    const auto in_the_way = hn::Abs(det(heading, P)) < room;
    // Time to collision of discs with that room; 0 where they are that close already.
    const V closing = dot(P, pair.rel_vel);
    const V gap = length_sq(P) - sq(room);
    const V discriminant = sq(closing) - length_sq(pair.rel_vel) * gap;
    const auto hits = discriminant > zero;
    const V root = hn::Sqrt(hn::IfThenElseZero(hits, discriminant));
    const auto soon = hn::And(hits, gap < hn::Set(d, T(kEncounterTime)) * (closing + root));
    const auto close = hn::Or(gap <= zero, soon);
    return hn::And(hn::And(against, in_the_way), hn::And(closing > zero, close));
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
