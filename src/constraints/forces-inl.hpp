// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Social forces: what pushes a pedestrian, as accelerations [m/s2].
//
//     goal          (v0 e - v) / tau            towards the preferred velocity, [SF95]
//     others        W A e^(-gap / B) n          round, [SF07]; or by ellipses along the other's way
//     anticipation  -grad of k t^-2 e^(-t/t0)   by the time t to collision, [KSG14]
//     contact       k g n + kappa g slip t      of bodies that press each other, [SF00]
//
// In: where the other is, as the offset d = p_i - p_j [m] from it to the pedestrian, velocities,
// radii. n = unit(d) points away from the other, gap = |d| - r_i - r_j, g = max(0, -gap).
//
// One lane is one pair; all cases are computed and selected by masks. Lanes that are not used only
// have to be finite with B, tau, t0 > 0.
#if defined(SIDESTEP_CONSTRAINTS_FORCES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_CONSTRAINTS_FORCES_INL_HPP
#undef SIDESTEP_CONSTRAINTS_FORCES_INL_HPP
#else
#define SIDESTEP_CONSTRAINTS_FORCES_INL_HPP
#endif

#include <hwy/highway.h>

#include <limits>

#include "constraints/velocity_obstacle-inl.hpp"
#include "simd/exp-inl.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Slower than this [m/s] somebody looks nowhere: all directions count alike.
inline constexpr double kLooksNowhere = 1e-9;
/// Least semi-minor axis of an ellipse [m]: on the way itself the force would be infinite.
inline constexpr double kLeastAxis = 0.05;

/// A repulsion that falls with distance.
template <class V>
struct Repulsion {
    V strength;    // A [m/s2], at gap 0
    V reach;       // B [m], on which it falls to 1/e
    V anisotropy;  // lambda in [0, 1]: what counts of a push from behind
};

/// Towards the preferred velocity `wish` within the relaxation time tau [s], [SF95].
template <class V>
HWY_INLINE Vec2<V> goal_force(const Vec2<V>& v, const Vec2<V>& wish, V tau)
{
    return (wish - v) / tau;
}

/// W = lambda + (1 - lambda)(1 + cos phi) / 2, [SF07]: what lies in the direction of walking counts
/// whole. `away` is the unit vector from the other; phi is the angle between v and -away.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V anisotropy_weight(D d, const Vec2<V>& v, const Vec2<V>& away, V lambda)
{
    using T = hn::TFromD<D>;
    const V one = hn::Set(d, T(1));
    const V speed = length(v);
    const V cosine = hn::Neg(divide_or_zero(d, dot(v, away), speed));
    const V weight = lambda + (one - lambda) * (one + cosine) * hn::Set(d, T(0.5));
    return hn::IfThenElse(speed < hn::Set(d, T(kLooksNowhere)), one, weight);
}

/// A e^(-gap / B) [m/s2].
template <class D, class V = hn::Vec<D>>
HWY_INLINE V falling_push(D d, V strength, V reach, V gap)
{
    return strength * exp_lanes(d, hn::Neg(gap) / reach);
}

/// The round repulsion, [SF07]: along `away`, by the gap between the rims.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> circular_force(D d, const Vec2<V>& away, V gap, const Vec2<V>& v,
                                  const Repulsion<V>& push)
{
    const V weight = anisotropy_weight(d, v, away, push.anisotropy);
    return away * (weight * falling_push(d, push.strength, push.reach, gap));
}

/// The repulsion of an ellipse whose foci are the other's place and where it will be, `ahead` [m]
/// on: the negative gradient of A B e^(-b / B), b the semi-minor axis through the pedestrian,
/// [SF95]. ahead = v_j Dt (I) or, of [SF07], (v_j - v_i) Dt (II). b is never below
/// kLeastAxis.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> elliptical_force(D d, const Vec2<V>& offset, const Vec2<V>& ahead,
                                    const Vec2<V>& v, const Repulsion<V>& push)
{
    using T = hn::TFromD<D>;
    const Vec2<V> later = offset - ahead;
    const V sum = length(offset) + length(later);
    const V b_sq = hn::Max(sq(sum) - length_sq(ahead), hn::Zero(d));
    const V b =
        hn::Max(hn::Set(d, T(0.5)) * hn::Sqrt(b_sq), hn::Set(d, static_cast<T>(kLeastAxis)));
    const Vec2<V> away = unit_or_zero(d, offset);
    const V weight = anisotropy_weight(d, v, away, push.anisotropy);
    const V size = weight * falling_push(d, push.strength, push.reach, b) * sum;
    return (away + unit_or_zero(d, later)) * (size / (hn::Set(d, T(4)) * b));
}

/// The force of a collision that is foreseen.
template <class V>
struct Anticipation {
    V time;         // to the collision [s], infinite where there is none, 0 where they overlap
    Vec2<V> force;  // [m/s2]; 0 where there is no collision ahead
};

/// The negative gradient of k t^-2 e^(-t / t0), t the time to collision, [KSG14]; k [m2],
/// t0 > 0 [s], may be infinite. Times below `least` [s] count as `least`.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Anticipation<V> anticipatory_force(D d, const Pair<V>& pair, V k, V t0, V least)
{
    using T = hn::TFromD<D>;
    const V one = hn::Set(d, T(1));
    const V zero = hn::Zero(d);
    const V time = time_to_collision(d, pair);
    const auto ahead =
        hn::AndNot(overlaps(d, pair), time < hn::Set(d, std::numeric_limits<T>::infinity()));

    const Vec2<V>& v = pair.rel_vel;
    const V a = length_sq(v);
    const V b = dot(pair.rel_pos, v);
    const V c = length_sq(pair.rel_pos) - sq(pair.radius);
    const V root = hn::Sqrt(hn::IfThenElseZero(ahead, hn::Max(sq(b) - a * c, zero)));
    // grad t = (-v + (b v - a P) / root) / a
    const Vec2<V> turn = v * b - pair.rel_pos * a;
    const Vec2<V> gradient{
        divide_or_zero(d, divide_or_zero(d, turn.x, root) - v.x, a),
        divide_or_zero(d, divide_or_zero(d, turn.y, root) - v.y, a),
    };
    const V t = hn::IfThenElse(ahead, hn::Max(time, least), one);
    const V size = k * exp_lanes(d, hn::Neg(t / t0)) / sq(t) * (hn::Set(d, T(2)) / t + one / t0);
    return {time, select(ahead, gradient * size, zero2(d))};
}

/// How deep bodies are in each other [m], 0 where they do not touch.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V depth_of(D d, V gap)
{
    return hn::Max(hn::Neg(gap), hn::Zero(d));
}

/// What bodies that press each other do to one of them, [SF00] eq. (2): they push apart, and rub
/// along each other. `rel_vel` = v_j - v_i; k [kg/s2] and kappa [kg/(m s)] give N.
template <class V>
HWY_INLINE Vec2<V> contact_force(const Vec2<V>& away, V depth, const Vec2<V>& rel_vel, V k, V kappa)
{
    const Vec2<V> along = left(away);
    return away * (k * depth) + along * (kappa * depth * dot(rel_vel, along));
}

/// Point of the segment from a to b nearest to p.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> nearest_of_segment(D d, const Vec2<V>& p, const Vec2<V>& a, const Vec2<V>& b)
{
    const Vec2<V> edge = b - a;
    const V along = divide_or_zero(d, dot(p - a, edge), length_sq(edge));
    const V one = hn::Set(d, hn::TFromD<D>(1));
    const Vec2<V> inside = a + edge * along;
    return select(along <= hn::Zero(d), a, select(along >= one, b, inside));
}

/// The velocity after `dt` [s] of a goal term that is taken implicitly and forces f [m/s2] that are
/// not: (v + dt (wish / tau + f)) / (1 + dt / tau). Never overshoots the wish, whatever dt.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> relaxed_velocity(D d, const Vec2<V>& v, const Vec2<V>& wish,
                                    const Vec2<V>& force, V tau, V dt)
{
    const V one = hn::Set(d, hn::TFromD<D>(1));
    return (v + (wish / tau + force) * dt) / (one + dt / tau);
}

/// `a` shortened to `most` where it is longer.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> at_most(D d, const Vec2<V>& a, V most)
{
    const V one = hn::Set(d, hn::TFromD<D>(1));
    const V len = length(a);
    const auto longer = len > most;
    return select(longer, a * (most / hn::IfThenElse(longer, len, one)), a);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
