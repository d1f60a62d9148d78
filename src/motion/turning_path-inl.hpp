// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The path of an agent that turns at full rate, faces its destination and goes straight, across
// lanes of double: one lane is one manoeuvre. docs/turning.md has the derivation; §n and (n) are
// the sections and equations of [RICKS14]. Letters: v_m full speed, a acceleration, w turn rate,
// v_0 first speed, u = w t turned angle, b = a / w^2 and R = v_m / w lengths, (p, q) the
// destination in the agent's frame: p ahead, q to the left.
//
//     accelerating arc (involute of a circle)  ->  circle of radius R  ->  straight line
//              q falls to 0: `pre`                  or here: `post`
//
// Destinations are on the left or straight ahead (q >= 0); mirrors of the others are.
#if defined(SIDESTEP_MOTION_TURNING_PATH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MOTION_TURNING_PATH_INL_HPP
#undef SIDESTEP_MOTION_TURNING_PATH_INL_HPP
#else
#define SIDESTEP_MOTION_TURNING_PATH_INL_HPP
#endif

#include <hwy/highway.h>

#include <limits>

#include "simd/trig-inl.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
struct TurningBody {
    V v_max, accel, rate, braking;
};

/// How far a turning agent came: `ahead` along its heading at the end, `aside` to the right of it.
template <class V>
struct Swept {
    V ahead, aside;
    SinCosLanes<V> heading;
};

/// The arc of a time t, an angle u = w t and a speed v_0 + accel t. Nothing cancels for small u:
/// the quotients (u - sin u) / u^2 and the like come from series there.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Swept<V> sweep(D d, V speed, V accel, V t, V u)
{
    const V one = hn::Set(d, 1.0), half = hn::Set(d, 0.5);
    const auto small = hn::Abs(u) < hn::Set(d, 0.3);
    const V z = u * u;
    const V sine_rest = polynomial(d, z, kSineSeries);
    const V inverse = one / hn::IfThenElse(small, one, u);
    const V inverse_sq = inverse * inverse;
    const SinCosLanes<V> turned = sin_cos_lanes(d, u);
    const V s1 = hn::IfThenElse(small, one + z * sine_rest, turned.sin * inverse);
    const V s2 = hn::IfThenElse(small, half - z * polynomial(d, z, kCosineSeries),
                                (one - turned.cos) * inverse_sq);
    const V c2 = hn::IfThenElse(small, hn::Neg(u * sine_rest), (u - turned.sin) * inverse_sq);
    const V way = speed * t, gain = accel * (t * t);
    return {way * s1 + gain * s2, way * (u * s2) + gain * c2, turned};
}

/// End of such an arc in the frame of its start.
template <class V>
HWY_INLINE Vec2<V> place_after(const Swept<V>& arc)
{
    return {arc.ahead * arc.heading.cos + arc.aside * arc.heading.sin,
            arc.ahead * arc.heading.sin - arc.aside * arc.heading.cos};
}

/// The destination, given in the frame of the start, as the agent sees it after the arc.
template <class V>
HWY_INLINE Vec2<V> seen_after(const Swept<V>& arc, const Vec2<V>& destination)
{
    const SinCosLanes<V>& h = arc.heading;
    return {destination.x * h.cos + destination.y * h.sin - arc.ahead,
            destination.y * h.cos - destination.x * h.sin + arc.aside};
}

/// When an agent that turns left and accelerates faces its destination.
template <class D, class V = hn::Vec<D>>
struct Facing {
    V time, angle, straight, speed;
    hn::Mask<D> faced, pre;
};

/// Where q has its first zero while the agent accelerates. In units of b, q = l + u - B sin(u -
/// psi) (of Kepler's kind) with l = w v_0 / a: convex and falling on [least, most], and nowhere
/// else does it come down to 0. Three steps of Laguerre's kind from the better of two starts.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V first_faced(D d, const TurningBody<V>& body, const Vec2<V>& destination, V speed,
                         V inverse_b, V psi, V big_b, V big_s, V at_lowest, V q_lowest, V most)
{
    const V zero = hn::Zero(d), two = hn::Set(d, 2.0);
    const V least = hn::Max(psi, zero);
    const V l = body.rate * speed / body.accel;
    const auto seen_at = [&](V t) HWY_ATTR {
        return seen_after(sweep(d, speed, body.accel, t, body.rate * t), destination);
    };
    const auto clamp = [&](V u) HWY_ATTR { return hn::Min(hn::Max(u, least), most); };
    // Exact where the path only just faces the destination, and far above elsewhere.
    const V drop = hn::Max(zero, hn::Neg(two * (q_lowest * inverse_b)));
    const V grazing = clamp(at_lowest - hn::Sqrt(drop / big_s));
    // Exact for a destination far away.
    V far = least;
    for (int round = 0; round < 2; ++round) far = psi + arc_sine_lanes(d, (far + l) / big_b);
    far = clamp(far);
    const Vec2<V> from_grazing = seen_at(grazing / body.rate);
    const Vec2<V> from_far = seen_at(far / body.rate);
    const auto take_far = hn::Abs(from_far.y) < hn::Abs(from_grazing.y);
    V t = hn::IfThenElse(take_far, far, grazing) / body.rate;
    Vec2<V> seen = select(take_far, from_far, from_grazing);
    const V first = least / body.rate, last = most / body.rate;
    for (int round = 0; round < 3; ++round) {
        if (round > 0) seen = seen_at(t);
        const V slope = body.rate * seen.x;                                        // -q'
        const V bend = body.rate * (speed + body.accel * t - body.rate * seen.y);  // q''
        const V root = hn::Sqrt(hn::Max(zero, slope * slope - two * seen.y * bend));
        t = hn::Min(hn::Max(t + divide_or_zero(d, two * seen.y, slope + root), first), last);
    }
    return t;
}

/// Solves for the first instant the heading points at the destination; destination.y >= 0.
/// Differs from [RICKS14] §4.1: who is faced early but left of the line of (4) counts as faced.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Facing<D> face(D d, const TurningBody<V>& given, const Vec2<V>& destination, V speed)
{
    const V zero = hn::Zero(d), one = hn::Set(d, 1.0), two = hn::Set(d, 2.0);
    const V two_pi = hn::Set(d, 2.0 * kPi);
    const auto can_turn = given.rate > zero;
    TurningBody<V> body = given;
    body.rate = hn::IfThenElse(can_turn, given.rate, one);
    const auto ahead = hn::And(destination.y == zero, destination.x >= zero);

    const V t_full = (body.v_max - speed) / body.accel, u_full = body.rate * t_full;
    const Vec2<V> at_full = seen_after(sweep(d, speed, body.accel, t_full, u_full), destination);

    const V inverse_b = body.rate * body.rate / body.accel;
    const V x = destination.x * inverse_b;
    const V y = (destination.y - speed / body.rate) * inverse_b;
    const V s_sq = x * (x + two) + y * y;
    const V big_s = hn::Sqrt(hn::Max(s_sq, zero));
    const V big_b = hn::Sqrt(hn::Max((x + one) * (x + one) + y * y, one));
    V psi = arc_tangent_lanes(d, y, x + one);
    psi = hn::IfThenElse(hn::And(psi < zero, x < zero), psi + two_pi, psi);
    const V at_lowest = psi + arc_tangent_lanes(d, big_s, one);

    const auto by_full = at_full.y <= zero;
    auto pre = hn::And(hn::And(s_sq > zero, at_lowest >= zero),
                       hn::And(psi <= u_full, hn::Or(by_full, at_lowest < u_full)));
    pre = hn::AndNot(ahead, hn::And(pre, can_turn));
    V time = zero, angle = zero, straight = destination.x, reached = speed;
    if (!hn::AllFalse(d, pre)) {
        const V t_lowest = at_lowest / body.rate;
        const V q_lowest =
            seen_after(sweep(d, speed, body.accel, t_lowest, at_lowest), destination).y;
        pre = hn::And(pre, hn::Or(by_full, q_lowest <= zero));
        const V most = hn::IfThenElse(by_full, hn::Min(at_lowest, u_full), at_lowest);
        const V t = first_faced(d, body, destination, speed, inverse_b, psi, big_b, big_s,
                                at_lowest, q_lowest, most);
        const V u = body.rate * t;
        const Vec2<V> seen = seen_after(sweep(d, speed, body.accel, t, u), destination);
        time = hn::IfThenElse(pre, t, time);
        angle = hn::IfThenElse(pre, u, angle);
        straight = hn::IfThenElse(pre, hn::Max(seen.x, zero), straight);
        reached = hn::IfThenElse(pre, hn::Min(speed + body.accel * t, body.v_max), reached);
    }
    // On the circle, [RICKS14] §4.2: e is the length of the tangent, dl the angle to its foot.
    const V p = at_full.x, q = at_full.y, radius = body.v_max / body.rate;
    const V e_sq = p * p + q * (q - two * radius);
    const auto post = hn::AndNot(hn::Or(ahead, pre), hn::And(can_turn, e_sq >= zero));
    if (!hn::AllFalse(d, post)) {
        const V e = hn::Sqrt(hn::Max(e_sq, zero));
        // (p + i (q - R)) (e + i R) has the angle dl; its imaginary part without cancellation.
        const V across =
            hn::IfThenElse(p > zero, q * (e - radius * divide_or_zero(d, q - two * radius, p + e)),
                           radius * (p - e) + q * e);
        V dl = arc_tangent_lanes(d, across, p * e + radius * (radius - q));
        // What rounding put just before the start of the circle is its start, no full turn.
        dl = hn::IfThenElse(dl < hn::Set(d, -1e-12), dl + two_pi, hn::Max(dl, zero));
        time = hn::IfThenElse(post, t_full + dl / body.rate, time);
        angle = hn::IfThenElse(post, u_full + dl, angle);
        straight = hn::IfThenElse(post, e, straight);
        reached = hn::IfThenElse(post, body.v_max, reached);
    }
    return {time, angle, straight, reached, hn::Or(hn::Or(ahead, pre), post), hn::Or(ahead, pre)};
}

/// The straight end of a way: speeds up to `peak`, keeps it, and to a stop brakes.
template <class D, class V = hn::Vec<D>>
struct Straight {
    V time, speeding, peak, end_speed;
    hn::Mask<D> possible;  ///< not too near to stop
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE Straight<D> go_straight(D d, const TurningBody<V>& body, V way, V speed, bool stop)
{
    const V zero = hn::Zero(d), two = hn::Set(d, 2.0);
    const V speed_sq = speed * speed;
    const V v_sq = body.v_max * body.v_max;
    if (!stop) {
        const V long_way = (v_sq - speed_sq) / (two * body.accel);
        const V end_speed = hn::Sqrt(speed_sq + two * body.accel * way);
        const auto reaches_full = way > long_way;
        const V speeding = hn::IfThenElse(reaches_full, (body.v_max - speed) / body.accel,
                                          divide_or_zero(d, two * way, speed + end_speed));
        const V cruising = hn::IfThenElseZero(reaches_full, (way - long_way) / body.v_max);
        const V peak = hn::IfThenElse(reaches_full, body.v_max, hn::Min(end_speed, body.v_max));
        return {speeding + cruising, speeding, peak, peak, way >= zero};
    }
    const auto possible = speed_sq <= two * body.braking * way;
    const V peak_sq =
        body.braking * (two * body.accel * way + speed_sq) / (body.accel + body.braking);
    const V peak = hn::Max(speed, hn::Sqrt(hn::Min(peak_sq, v_sq)));
    const V peak_used_sq = hn::Min(peak_sq, v_sq);
    const V speeding = (peak - speed) / body.accel;
    const V cruise_way =
        way - (peak_used_sq - speed_sq) / (two * body.accel) - peak_used_sq / (two * body.braking);
    const V cruising = hn::IfThenElseZero(peak_sq > v_sq, hn::Max(cruise_way, zero) / body.v_max);
    return {speeding + cruising + peak / body.braking, speeding, peak, zero, possible};
}

/// Where phase 2 begins: a pose in the frame of the task, and the destination seen from there.
/// `side` is -1 where that lies to the right: everything after is then mirrored.
template <class V>
struct PhaseTwo {
    V time;
    Vec2<V> place;
    V heading, speed;
    Vec2<V> destination;
    V side;
};

/// A whole manoeuvre from phase 2 on. Times count from the start of phase 2.
template <class D, class V = hn::Vec<D>>
struct Manoeuvre {
    Facing<D> facing;
    Straight<D> straight;
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE Manoeuvre<D> manoeuvre(D d, const TurningBody<V>& body, const PhaseTwo<V>& from,
                                  bool stop)
{
    const Facing<D> facing = face(d, body, from.destination, from.speed);
    // What is never faced has no straight end; 0 keeps its lane finite.
    const V way = hn::IfThenElseZero(facing.faced, facing.straight);
    return {facing, go_straight(d, body, way, facing.speed, stop)};
}

template <class V>
HWY_INLINE Vec2<V> turned_by(const SinCosLanes<V>& h, const Vec2<V>& a)
{
    return {a.x * h.cos - a.y * h.sin, a.x * h.sin + a.y * h.cos};
}

/// A pose in the frame of the task.
template <class V>
struct Pose {
    Vec2<V> place;
    V heading, speed;
};

/// The pose at t >= 0 of phase 2, not beyond the arrival.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Pose<V> pose_at(D d, const TurningBody<V>& body, const PhaseTwo<V>& from,
                           const Manoeuvre<D>& way, bool stop, V t)
{
    const V zero = hn::Zero(d), half = hn::Set(d, 0.5);
    const Facing<D>& facing = way.facing;
    const V turning = hn::IfThenElse(facing.faced, hn::Min(t, facing.time), t);
    const V speeding = hn::Min(turning, (body.v_max - from.speed) / body.accel);
    const V circling = turning - speeding;
    const V u_speeding = body.rate * speeding, u_circling = body.rate * circling;
    const Swept<V> arc = sweep(d, from.speed, body.accel, speeding, u_speeding);
    const Swept<V> circle = sweep(d, body.v_max, zero, circling, u_circling);
    Vec2<V> place = place_after(arc) + turned_by(arc.heading, place_after(circle));
    const V u = hn::IfThenElse(hn::And(facing.faced, t >= facing.time), facing.angle,
                               u_speeding + u_circling);
    const V turning_speed = hn::Min(from.speed + body.accel * speeding, body.v_max);

    const Straight<D>& straight = way.straight;
    const V s = hn::IfThenElseZero(facing.faced, t - turning);
    const V gaining = hn::Min(s, straight.speeding);
    const V gained = facing.speed + body.accel * gaining;
    V along =
        (facing.speed + half * body.accel * gaining) * gaining + straight.peak * (s - gaining);
    V speed = hn::IfThenElse(s >= straight.speeding, straight.peak, gained);
    if (stop) {
        const V left = hn::Max(straight.time - s, zero);
        const auto brakes = left * body.braking < straight.peak;
        along = hn::IfThenElse(brakes, facing.straight - half * body.braking * left * left, along);
        speed = hn::IfThenElse(brakes, left * body.braking, speed);
    }
    speed = hn::IfThenElse(s > zero, speed, turning_speed);
    const SinCosLanes<V> last = sin_cos_lanes(d, u);
    along = hn::IfThenElseZero(s > zero, along);
    place = place + Vec2<V>{along * last.cos, along * last.sin};
    place.y = place.y * from.side;
    const SinCosLanes<V> first = sin_cos_lanes(d, from.heading);
    return {from.place + turned_by(first, place), from.heading + from.side * u, speed};
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
