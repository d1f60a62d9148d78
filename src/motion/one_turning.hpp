// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The lane code of manoeuvres with one lane of double. Input is checked before.

#include "motion/brake_turn.hpp"
#include "motion/turning_lanes-inl.hpp"
#include "sidestep/nonholonomic.hpp"
#include "simd/one_double.hpp"

namespace sidestep::one_turning {

using namespace one_double;

inline lane::TurningBody<V> in(const TurningLimits& limits)
{
    return {one_double::in(limits.max_speed), one_double::in(limits.acceleration),
            one_double::in(limits.turn_rate), one_double::in(limits.braking)};
}

inline lane::TaskLanes<V> in(const TurningTask& task)
{
    return lane::task_on_left(D(), in(task.limits), one_double::in(task.destination),
                              one_double::in(task.speed));
}

inline BrakeTurn brake_turn(const TurningTask& task)
{
    return {{task.destination.x, std::fabs(task.destination.y)},
            task.speed,
            task.limits.braking,
            task.limits.turn_rate};
}

/// Phase 2 from a pose of braking: towards the side on which the destination is then.
inline lane::PhaseTwo<V> phase_two(const BrakePose& pose)
{
    const double side = pose.destination.y < 0.0 ? -1.0 : 1.0;
    return {one_double::in(pose.time),
            one_double::in(pose.place),
            one_double::in(pose.heading),
            one_double::in(pose.speed),
            one_double::in(Vec2{pose.destination.x, std::fabs(pose.destination.y)}),
            one_double::in(side)};
}

inline Arrival out(const lane::ArrivalLanes<V>& a)
{
    return {static_cast<ArrivalKind>(static_cast<int>(one_double::out(a.kind))),
            one_double::out(a.turn_time),
            one_double::out(a.face_time),
            one_double::out(a.face_place),
            one_double::out(a.heading),
            one_double::out(a.face_speed),
            one_double::out(a.straight),
            one_double::out(a.end_speed),
            one_double::out(a.time)};
}

inline TurningState out(const lane::Pose<V>& pose)
{
    return {one_double::out(pose.place), one_double::out(pose.heading),
            one_double::out(pose.speed)};
}

inline Arrival arrival(const TurningTask& task, double threshold)
{
    return out(lane::arrival_lanes(D(), in(task), one_double::in(threshold), task.stop));
}

inline Arrival arrival_after_braking(const TurningTask& task, double brake_time)
{
    const BrakePose pose = brake_for(brake_turn(task), brake_time);
    return out(lane::arrival_from(D(), in(task), phase_two(pose), task.stop));
}

}  // namespace sidestep::one_turning
