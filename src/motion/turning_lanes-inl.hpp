// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Whole answers across lanes of double, from a task to an arrival, a state or the best threshold:
// one lane for single questions, many for columns.
#if defined(SIDESTEP_MOTION_TURNING_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MOTION_TURNING_LANES_INL_HPP
#undef SIDESTEP_MOTION_TURNING_LANES_INL_HPP
#else
#define SIDESTEP_MOTION_TURNING_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <limits>

#include "motion/brake_turn.hpp"
#include "motion/switching_bearing-inl.hpp"
#include "motion/turning_path-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A task on the left; `side` is -1 where the given one is on the right.
template <class V>
struct TaskLanes {
    TurningBody<V> body;
    Vec2<V> destination;
    V speed, side;
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE TaskLanes<V> task_on_left(D d, const TurningBody<V>& body, const Vec2<V>& destination,
                                     V speed)
{
    const V one = hn::Set(d, 1.0);
    const V side = hn::IfThenElse(destination.y < hn::Zero(d), hn::Neg(one), one);
    return {body, {destination.x, hn::Abs(destination.y)}, speed, side};
}

/// Phase 1 of the lanes in `who`, which move: each has a root of its own.
template <class D, class V = hn::Vec<D>>
HWY_NOINLINE void brake_lanes(D d, const TaskLanes<V>& task, V bearing, hn::Mask<D> who,
                              PhaseTwo<V>& next)
{
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    alignas(64) double rows[6][kLanes], chosen[kLanes];
    const V columns[6] = {task.destination.x, task.destination.y, task.speed,
                          task.body.braking,  task.body.rate,     bearing};
    for (int i = 0; i < 6; ++i) hn::Store(columns[i], d, rows[i]);
    hn::Store(hn::IfThenElseZero(who, hn::Set(d, 1.0)), d, chosen);
    alignas(64) double found[7][kLanes] = {};
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        if (chosen[l] == 0.0) continue;
        const BrakePose pose =
            brake_until({{rows[0][l], rows[1][l]}, rows[2][l], rows[3][l], rows[4][l]}, rows[5][l]);
        const double values[7] = {pose.time,  pose.place.x,       pose.place.y,      pose.heading,
                                  pose.speed, pose.destination.x, pose.destination.y};
        for (int i = 0; i < 7; ++i) found[i][l] = values[i];
    }
    V* const fields[7] = {&next.time,  &next.place.x,       &next.place.y,      &next.heading,
                          &next.speed, &next.destination.x, &next.destination.y};
    for (int i = 0; i < 7; ++i) *fields[i] = hn::IfThenElse(who, hn::Load(d, found[i]), *fields[i]);
}

/// Phase 1: on the spot from rest, braking otherwise, until the bearing equals the threshold.
template <class D, class V = hn::Vec<D>>
HWY_INLINE PhaseTwo<V> turn_first(D d, const TaskLanes<V>& task, V threshold)
{
    const V zero = hn::Zero(d), one = hn::Set(d, 1.0);
    const V bearing = arc_tangent_lanes(d, task.destination.y, task.destination.x);
    const auto turns = hn::And(bearing > threshold, task.body.rate > zero);
    PhaseTwo<V> next{zero, zero2(d), zero, task.speed, task.destination, one};
    if (hn::AllFalse(d, turns)) return next;
    const V angle = hn::IfThenElseZero(turns, bearing - threshold);
    const V distance = length(task.destination);
    const SinCosLanes<V> at = sin_cos_lanes(d, threshold);
    next.time = divide_or_zero(d, angle, task.body.rate);
    next.heading = angle;
    next.destination =
        select(turns, Vec2<V>{distance * at.cos, distance * at.sin}, task.destination);
    const auto moving = hn::And(turns, task.speed > zero);
    if (!hn::AllFalse(d, moving)) brake_lanes(d, task, threshold, moving, next);
    return next;
}

/// Arrival of sidestep/nonholonomic.hpp across lanes. kind: 0 pre, 1 post, 2 unreachable, 3 cannot
/// stop.
template <class V>
struct ArrivalLanes {
    V kind, turn_time, face_time;
    Vec2<V> face_place;
    V heading, face_speed, straight, end_speed, time;
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE ArrivalLanes<V> arrival_from(D d, const TaskLanes<V>& task, const PhaseTwo<V>& from,
                                        bool stop)
{
    const V zero = hn::Zero(d), one = hn::Set(d, 1.0), two = hn::Set(d, 2.0);
    const V never = hn::Set(d, std::numeric_limits<double>::infinity());
    const Manoeuvre<D> way = manoeuvre(d, task.body, from, stop);
    const auto faced = way.facing.faced;
    const auto arrives = hn::And(faced, way.straight.possible);
    const V heading = from.heading + from.side * way.facing.angle;
    const SinCosLanes<V> h = sin_cos_lanes(d, heading);
    const V left = way.facing.straight;
    ArrivalLanes<V> a;
    a.kind = hn::IfThenElse(
        faced, hn::IfThenElse(arrives, hn::IfThenElse(way.facing.pre, zero, one), two + one), two);
    a.turn_time = from.time;
    const V face_time = from.time + way.facing.time;
    a.face_time = hn::IfThenElse(faced, face_time, never);
    a.face_place.x = hn::IfThenElseZero(faced, task.destination.x - left * h.cos);
    a.face_place.y = hn::IfThenElseZero(faced, (task.destination.y - left * h.sin) * task.side);
    a.heading = hn::IfThenElseZero(faced, heading * task.side);
    a.face_speed = hn::IfThenElseZero(faced, way.facing.speed);
    a.straight = hn::IfThenElseZero(faced, left);
    a.end_speed = hn::IfThenElseZero(arrives, way.straight.end_speed);
    a.time = hn::IfThenElse(arrives, face_time + way.straight.time, never);
    return a;
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE ArrivalLanes<V> arrival_lanes(D d, const TaskLanes<V>& task, V threshold, bool stop)
{
    return arrival_from(d, task, turn_first(d, task, threshold), stop);
}

/// Pose at t from phase 2 on (and of an agent that turned on the spot before), in the frame given.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Pose<V> state_from(D d, const TaskLanes<V>& task, const PhaseTwo<V>& from, V t,
                              bool stop)
{
    const V zero = hn::Zero(d);
    const Manoeuvre<D> way = manoeuvre(d, task.body, from, stop);
    const auto arrives = hn::And(way.facing.faced, way.straight.possible);
    const V end = way.facing.time + way.straight.time;
    V since = hn::Max(t - from.time, zero);
    // Of one that cannot stop nothing is known once it faces its destination.
    const auto too_late = hn::AndNot(way.straight.possible, way.facing.faced);
    since = hn::IfThenElse(too_late, hn::Min(since, way.facing.time), since);
    const auto arrived = hn::And(arrives, since >= end);
    Pose<V> pose = pose_at(d, task.body, from, way, stop, hn::IfThenElse(arrived, end, since));
    pose.place = select(arrived, task.destination, pose.place);
    pose.speed = hn::IfThenElse(arrived, way.straight.end_speed, pose.speed);
    pose.heading = hn::IfThenElse(t < from.time, task.body.rate * t, pose.heading);
    pose.place.y = pose.place.y * task.side;
    pose.heading = pose.heading * task.side;
    return pose;
}

/// BestAT from rest: at most the bearing of the destination.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V best_threshold_lanes(D d, const TaskLanes<V>& task, bool stop)
{
    const V bearing = arc_tangent_lanes(d, task.destination.y, task.destination.x);
    const V best = best_bearing(d, task.body, length(task.destination), hn::Zero(d), stop);
    return hn::Min(bearing, best);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
