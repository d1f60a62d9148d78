// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The bearing at which an agent should begin to accelerate, across lanes of double. Replaces the
// fits of [RICKS14] §6 (15) to (17) by closed forms: docs/turning.md derives them.
//
// Everything is in units of b = a / w^2: rho the distance, l the speed w v / a, k that of full
// speed, ua = k - l the angle turned until then. h(u) is the distance from the start to the tangent
// at turned angle u, lam(u) the progress along it: h' = lam, lam' = speed - h. Three cases:
//
//   tangent  far away: straight on from the angle u0, whatever the distance
//   pre      straight on before full speed is reached
//   edge     near: the agent just sweeps through the destination, and one that begins to accelerate
//            any earlier never reaches it
#if defined(SIDESTEP_MOTION_SWITCHING_BEARING_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MOTION_SWITCHING_BEARING_INL_HPP
#undef SIDESTEP_MOTION_SWITCHING_BEARING_INL_HPP
#else
#define SIDESTEP_MOTION_SWITCHING_BEARING_INL_HPP
#endif

#include <hwy/highway.h>

#include "motion/turning_path-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The answer is so much smaller than the exact one, relatively: at the edge anything larger is
/// unreachable, and roots are only known to some 1e-12. Costs at most a relative 1e-7 of the time.
inline constexpr double kEdgeMargin = 1e-7;
/// Agents that turn by more until full speed differ no more: they start at a bearing of pi, or
/// before it matters.
inline constexpr double kLongestTurn = 6.0;

/// Of y + sin y = x for x in [0, kLongestTurn - pi]: the angle u0 = pi + y at which an agent with
/// u0 - sin u0 = pi + x goes straight. Newton's method from the series of the inverse.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V late_tangent(D d, V x)
{
    const V x_sq = x * x;
    V y = x * (hn::Set(d, 0.5) + x_sq * (hn::Set(d, 1.0 / 96.0) + x_sq * hn::Set(d, 1.0 / 1920.0)));
    for (int round = 0; round < 4; ++round) {
        const SinCosLanes<V> at = sin_cos_lanes(d, y);
        y = y - (y + at.sin - x) / (hn::Set(d, 1.0) + at.cos);
    }
    return y;
}

/// What the start and the destination have in common, per lane.
template <class V>
struct SwitchCase {
    V rho, l, k, ua;
    V ib;  ///< a / b_m to a stop, 0 passing through
};

/// h and lam before full speed.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Swept<V> early_tangent(D d, V l, V u)
{
    return sweep(d, l, hn::Set(d, 1.0), u, u);
}

/// Turned angle at which the sum of squares of h and lam + extra is rho^2, before full speed, where
/// extra is the way that braking needs (edge) or that lacks to the best speed (pre).
template <class D, class M, class V = hn::Vec<D>>
HWY_INLINE V early_angle(D d, const SwitchCase<V>& c, M pre, V start, V least, V most, V& h,
                         V& along)
{
    const V one = hn::Set(d, 1.0), two = hn::Set(d, 2.0), half = hn::Set(d, 0.5);
    V u = hn::Min(hn::Max(start, least), most);
    const V goal = hn::Sqrt(c.l * c.l + two * c.rho);
    for (int round = 0;; ++round) {
        const Swept<V> at = early_tangent(d, c.l, u);
        const V speed = c.l + u;
        const V late = speed - at.heading.sin;  // the speed of which u is the best angle
        const V extra = half * hn::IfThenElse(pre, (one + c.ib) * late * late - speed * speed,
                                              c.ib * speed * speed);
        const V extra_slope =
            hn::IfThenElse(pre, (one + c.ib) * late * (one - at.heading.cos) - speed, c.ib * speed);
        h = at.aside;
        along = at.ahead + extra;
        if (round == 4) return u;
        // Newton's method on sqrt(l^2 + 2 g), g the distance: nearly linear in u from any speed.
        const V g = hn::Sqrt(h * h + along * along);
        const V root = hn::Sqrt(c.l * c.l + two * g);
        const V slope = h * at.ahead + along * (speed - h + extra_slope);
        const V miss = two * (g - c.rho) / (root + goal);
        u = hn::Min(hn::Max(u - divide_or_zero(d, miss * root * g, slope), least), most);
    }
}

/// A* in [0, pi] without its margin. rho >= 0, 0 <= l <= k, k > 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exact_switching_bearing(D d, SwitchCase<V> c)
{
    const V zero = hn::Zero(d), one = hn::Set(d, 1.0), two = hn::Set(d, 2.0);
    const V half = hn::Set(d, 0.5), pi = hn::Set(d, kPi);
    c.ua = hn::Min(c.ua, hn::Set(d, kLongestTurn));
    c.k = c.l + c.ua;
    const V rho_sq = c.rho * c.rho;
    const V braking_way = half * c.ib * c.k * c.k;
    const auto late = c.ua > pi;

    // The circle at full speed is about (cx, cy): there h = k + cx sin u - cy cos u.
    const Swept<V> unit = sweep(d, zero, one, c.ua, c.ua);  // from rest: 1 - cos ua, ua - sin ua
    const V cx = hn::Neg(unit.ahead), cy = c.l + unit.heading.sin;
    V u0 = half * (pi + c.ua);
    const SinCosLanes<V> at_u0 = sin_cos_lanes(d, u0);
    V h0 = c.k + cx * at_u0.sin - cy * at_u0.cos;
    V along0 = cx * at_u0.cos + cy * at_u0.sin + braking_way;
    if (!hn::AllFalse(d, late)) {
        const V late_u0 = pi + late_tangent(d, hn::Max(c.ua - pi, zero));
        const Swept<V> at = early_tangent(d, c.l, late_u0);
        const V speed = c.l + late_u0;
        const V extra = half * ((one + c.ib) * c.k * c.k - speed * speed);
        u0 = hn::IfThenElse(late, late_u0, u0);
        h0 = hn::IfThenElse(late, at.aside, h0);
        along0 = hn::IfThenElse(late, at.ahead + extra, along0);
    }
    const V far_sq = h0 * h0 + along0 * along0;
    // At half a turn the way of an agent that turns long is farthest from its start, nearly: nearer
    // destinations are swept, if at all. From rest `far` is beyond that, from a high speed it may
    // not be.
    const V speed_pi = c.l + pi;
    const V h_pi = two * c.l + pi, along_pi = two + half * c.ib * speed_pi * speed_pi;
    const V near_sq = h_pi * h_pi + along_pi * along_pi;
    const auto beyond = rho_sq > near_sq;
    const auto tangent = hn::AndNot(hn::AndNot(beyond, late), rho_sq >= far_sq);
    V bearing = u0 - arc_sine_lanes(d, divide_or_zero(d, h0, c.rho));
    if (!hn::AllTrue(d, tangent)) {
        const auto pre = hn::And(late, beyond);
        // Full speed is reached before the destination is swept: closed form.
        const V ahead_full = c.l * unit.heading.sin + unit.ahead;
        const V along_full = ahead_full + braking_way;
        const V h_full = c.l * unit.ahead + unit.aside;
        const auto on_circle = hn::AndNot(late, rho_sq > h_full * h_full + along_full * along_full);
        // A turn v on the circle adds excess to the square of the distance, and nothing cancels,
        // also much nearer than the circle is wide: bend (1 - cos v) + gain sin v = excess / 2.
        const V to_centre = c.k - h_full;
        const V bend = c.k * to_centre - braking_way * ahead_full;
        const V gain = c.k * ahead_full + braking_way * to_centre;
        const V half_excess =
            half * hn::Max(rho_sq - h_full * h_full - along_full * along_full, zero);
        const V root =
            hn::Sqrt(hn::Max(gain * gain + (two * bend - half_excess) * half_excess, zero));
        const V turn = two * arc_tangent_lanes(d, half_excess, gain + root);
        const SinCosLanes<V> at = sin_cos_lanes(d, turn);
        const Swept<V> round = sweep(d, c.k, zero, turn, turn);
        V u = c.ua + turn;
        V h = h_full * at.cos + ahead_full * at.sin + round.aside;
        V along = ahead_full * at.cos - h_full * at.sin + round.ahead + braking_way;
        if (!hn::AllTrue(d, hn::Or(on_circle, tangent))) {
            const V s =
                two * c.rho / (hn::Sqrt(c.l * c.l + two * c.rho) + c.l) / hn::Sqrt(one + c.ib);
            const V near = hn::Sqrt(near_sq), far = hn::Sqrt(far_sq);
            const V part = divide_or_zero(d, c.rho - near, far - near);
            const V start = hn::IfThenElse(pre, pi + (u0 - pi) * part,
                                           s * (one + s * s * hn::Set(d, 1.0 / 72.0)));
            V h_early = zero, along_early = zero;
            const V u_early =
                early_angle(d, c, pre, start, hn::IfThenElseZero(pre, pi),
                            hn::IfThenElse(pre, u0, hn::Min(c.ua, pi)), h_early, along_early);
            u = hn::IfThenElse(on_circle, u, u_early);
            h = hn::IfThenElse(on_circle, h, h_early);
            along = hn::IfThenElse(on_circle, along, along_early);
        }
        bearing = hn::IfThenElse(tangent, bearing, u - arc_tangent_lanes(d, h, along));
    }
    return hn::Min(hn::Max(bearing, zero), pi);
}

/// The bearing above which an agent at this distance [m] and speed [m/s] keeps turning (and
/// braking) before it accelerates, with its margin. To a stop only from rest. Pi where nothing
/// turns.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V best_bearing(D d, const TurningBody<V>& body, V distance, V speed, bool stop)
{
    const V zero = hn::Zero(d), pi = hn::Set(d, kPi);
    const auto can_turn = body.rate > zero;
    const V rate = hn::IfThenElse(can_turn, body.rate, hn::Set(d, 1.0));
    const V per_speed = rate / body.accel;
    SwitchCase<V> c;
    c.rho = distance * (rate * per_speed);
    c.l = speed * per_speed;
    c.k = body.v_max * per_speed;
    c.ua = hn::Max((body.v_max - speed) * per_speed, zero);
    c.ib = stop ? body.accel / body.braking : zero;
    const V bearing = exact_switching_bearing(d, c) * hn::Set(d, 1.0 - kEdgeMargin);
    return hn::IfThenElse(can_turn, bearing, pi);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
