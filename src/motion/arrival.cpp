// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The questions of sidestep/nonholonomic.hpp about one given manoeuvre, answered by the lane code.
#include <cmath>

#include "motion/check_turning.hpp"
#include "motion/one_turning.hpp"

namespace sidestep {
namespace {

using namespace one_turning;

/// A time that is equal but for this part of it is the same: who asks for the state at face_time
/// may have written it down with ten digits.
constexpr double kSameTime = 1e-9;

/// In phase 1 of a moving agent.
TurningState braking_state(const TurningTask& task, double t)
{
    const BrakePose pose = brake_for(brake_turn(task), t);
    const double side = task.destination.y < 0.0 ? -1.0 : 1.0;
    return {{pose.place.x, side * pose.place.y}, side * pose.heading, pose.speed};
}

Result<TurningState> state_from(const TurningTask& task, const lane::PhaseTwo<V>& from, double t)
{
    if (t < one_double::out(from.time) && task.speed > 0.0) return braking_state(task, t);
    if (task.stop) {
        const Arrival a = out(lane::arrival_from(D(), in(task), from, true));
        if (a.kind == ArrivalKind::cannot_stop && t > a.face_time * (1.0 + kSameTime))
            return Error{ErrorCode::invalid_argument,
                         "t must be at most t_face: the agent cannot stop at D"};
    }
    return out(lane::state_from(D(), in(task), from, one_double::in(t), task.stop));
}

}  // namespace

Result<Arrival> arrival(const TurningTask& task, double threshold)
{
    InputCheck c;
    if (check_threshold(check(c, task), threshold).failed()) return c.error();
    return one_turning::arrival(task, threshold);
}

Result<Arrival> arrival_after_braking(const TurningTask& task, double brake_time)
{
    InputCheck c;
    if (check_time(check(c, task), "tb", brake_time).failed()) return c.error();
    return one_turning::arrival_after_braking(task, brake_time);
}

Result<TurningState> turning_state(const TurningTask& task, double threshold, double t)
{
    InputCheck c;
    if (check_time(check_threshold(check(c, task), threshold), "t", t).failed()) return c.error();
    return state_from(task, lane::turn_first(D(), in(task), one_double::in(threshold)), t);
}

Result<TurningState> turning_state_after_braking(const TurningTask& task, double brake_time,
                                                 double t)
{
    InputCheck c;
    if (check_time(check_time(check(c, task), "tb", brake_time), "t", t).failed()) return c.error();
    return state_from(task, phase_two(brake_for(brake_turn(task), brake_time)), t);
}

Result<double> switching_bearing(double distance, double speed, const TurningLimits& limits,
                                 bool stop)
{
    InputCheck c;
    c.require(distance >= 0.0 && distance <= kLargestTurning, "Dr",
              "must be >= 0 and at most 1e30");
    check_speed(check(c, limits), speed, limits);
    c.require(!stop || speed == 0.0, "v0", "must be 0 to a stop: no law is known for others");
    if (c.failed()) return c.error();
    return one_double::out(
        lane::best_bearing(D(), in(limits), one_double::in(distance), one_double::in(speed), stop));
}

}  // namespace sidestep
