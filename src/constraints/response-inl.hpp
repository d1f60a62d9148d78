// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The velocity obstacle of a body that takes up a new velocity as a first-order lag (see
// constraints/response.hpp for the motion).
//
// In: a pair, the relative velocity A wants, and the moments to look at. While B keeps its velocity
// the wanted relative velocity is x' = v'_A - v_B, and after the time t the centres are
//
//     P - g x - k x'        apart (x = rel_vel, P = rel_pos).
//
// Out: how near they come, and when they first touch. Between the moments nothing is looked at: a
// contact that is shorter than their distance may be missed. For delta -> 0 the set of x' with a
// contact is VO^tau.
//
// One lane is one pair.
#if defined(SIDESTEP_CONSTRAINTS_RESPONSE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_CONSTRAINTS_RESPONSE_INL_HPP
#undef SIDESTEP_CONSTRAINTS_RESPONSE_INL_HPP
#else
#define SIDESTEP_CONSTRAINTS_RESPONSE_INL_HPP
#endif

#include <hwy/highway.h>

#include <limits>
#include <span>

#include "constraints/response.hpp"
#include "constraints/velocity_obstacle-inl.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Vector from A's centre to B's at the sampled moment, while A responds to the wanted relative
/// velocity [m].
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> gap_after(D d, const Pair<V>& pair, const Vec2<V>& wanted,
                             const ResponseSample<hn::TFromD<D>>& moment)
{
    return pair.rel_pos - wanted * hn::Set(d, moment.wanted) -
           pair.rel_vel * hn::Set(d, moment.present);
}

/// What a look at all moments gives.
template <class V>
struct ResponseSweep {
    V least_sq;  // smallest squared distance of the centres [m^2]
    V contact;   // first moment at which the discs overlap [s], infinite if at none
};

/// Looks at the moments in their order; without any nothing comes near. Touching is no contact.
template <class D, class V = hn::Vec<D>>
HWY_INLINE ResponseSweep<V> sweep_response(D d, const Pair<V>& pair, const Vec2<V>& wanted,
                                           std::span<const ResponseSample<hn::TFromD<D>>> moments)
{
    const V never = hn::Set(d, std::numeric_limits<hn::TFromD<D>>::infinity());
    const V radius_sq = sq(pair.radius);
    ResponseSweep<V> sweep{never, never};
    for (const auto& moment : moments) {
        const V dist_sq = length_sq(gap_after(d, pair, wanted, moment));
        const auto first = hn::And(dist_sq < radius_sq, hn::Eq(sweep.contact, never));
        sweep.contact = hn::IfThenElse(first, hn::Set(d, moment.time), sweep.contact);
        sweep.least_sq = hn::Min(sweep.least_sq, dist_sq);
    }
    return sweep;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
