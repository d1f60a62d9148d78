// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Agents that must turn before they go: exact arrival times and paths, without stepping [RICKS14].
//
// An agent drives forward only: x' = v cos th, y' = v sin th, |th'| <= turn_rate, v' between
// -braking and acceleration, 0 <= v <= max_speed. It starts at the origin, heading along +x; a
// destination is given in this frame (x ahead, y to the left). A manoeuvre has three phases:
//
//   1  only if the bearing of the destination exceeds the threshold: turn at full rate towards it
//      until the bearing equals the threshold, at rest or braking to rest;
//   2  turn at full rate and accelerate until the heading points at the destination;
//   3  go straight, up to max_speed, through the destination or to a stop at it.
//
// Times, places and headings come from closed forms and one root of three fixed iterations; the
// best threshold has a closed form too. All units are SI, angles in radians, counter-clockwise.
// Headings are relative to the start and not wrapped: they may exceed pi, and are negative for
// destinations to the right. A destination straight behind is reached by turning left.
//
// Every function checks its input and returns an Error where it makes no sense. Results have the
// same bits on every machine, and a batch has the bits of its rows one at a time. docs/turning.md
// derives the formulas and says what is optimal and what is not.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// What a body can do. Numbers up to 1e30; those > 0 from 1e-30 on.
struct TurningLimits {
    double max_speed = 1.0;     ///< v_m > 0 [m/s]
    double acceleration = 1.0;  ///< a > 0 [m/s2]; max_speed turn_rate / acceleration at most 1e9
    double turn_rate = 1.0;     ///< w >= 0 [rad/s]; at 0 only what is straight ahead is reached
    double braking = 1.0;       ///< b_m > 0 [m/s2]
};

/// Where to, and from which speed.
struct TurningTask {
    Vec2 destination{};  ///< in the agent's frame [m]: x ahead, y to the left
    double speed = 0.0;  ///< v_0 in [0, max_speed] [m/s]
    TurningLimits limits{};
    bool stop = false;  ///< arrive at rest; otherwise pass through at any speed
};

enum class ArrivalKind : std::uint8_t {
    pre,          ///< faces the destination before full speed is reached
    post,         ///< faces it on the circle at full speed
    unreachable,  ///< never faces it: circles about it for ever
    cannot_stop,  ///< faces it too near and too fast to stop there
};

/// How a manoeuvre goes. Where it never arrives, `time` is infinite; what is unknown is 0.
struct Arrival {
    ArrivalKind kind = ArrivalKind::unreachable;
    double turn_time = 0.0;   ///< end of phase 1 [s]
    double face_time = 0.0;   ///< end of phase 2, from the start [s]; infinite if unreachable
    Vec2 face_place;          ///< where it faces the destination [m]
    double heading = 0.0;     ///< from then on [rad]
    double face_speed = 0.0;  ///< at face_place [m/s]
    double straight = 0.0;    ///< length of phase 3 [m]
    double end_speed = 0.0;   ///< on arrival [m/s]
    double time = 0.0;        ///< of arrival [s]

    bool arrives() const { return kind == ArrivalKind::pre || kind == ArrivalKind::post; }
};

/// Where the agent is at some time.
struct TurningState {
    Vec2 place;            ///< in the frame of the start [m]
    double heading = 0.0;  ///< [rad], not wrapped
    double speed = 0.0;    ///< [m/s]
};

/// The manoeuvre with this threshold >= 0 [rad]: phase 1 ends at this bearing. From the bearing of
/// the destination on, all thresholds give the same path.
Result<Arrival> arrival(const TurningTask& task, double threshold);

/// The same where phase 1 brakes and turns for brake_time >= 0 [s] (turning on the spot once at
/// rest) instead of up to a bearing: a moving agent needs this, for its bearing may first grow.
Result<Arrival> arrival_after_braking(const TurningTask& task, double brake_time);

/// Where the agent of arrival(task, threshold) is at t >= 0 [s]. After arrival it stays; without
/// one it circles on. An agent that cannot stop is known up to face_time: an Error beyond.
Result<TurningState> turning_state(const TurningTask& task, double threshold, double t);

/// The same of arrival_after_braking(task, brake_time).
Result<TurningState> turning_state_after_braking(const TurningTask& task, double brake_time,
                                                 double t);

struct BestThreshold {
    double threshold = 0.0;  ///< [rad], at most the bearing of the destination
    double time = 0.0;       ///< of arrival with it [s]
};

/// The threshold of the earliest arrival (BestAT). From rest: closed form, never unreachable where
/// turn_rate > 0, a relative 1e-7 below the exact value because just above it the destination may
/// be unreachable. From speed > 0: a numerical search; best_brake is then never worse.
Result<BestThreshold> best_threshold(const TurningTask& task);

struct BestBrake {
    double brake_time = 0.0;  ///< [s]
    double time = 0.0;        ///< of arrival with it [s]
};

/// How long a moving agent brakes and turns before it accelerates, for the earliest arrival.
/// Passing through: the switching law, see switching_bearing, or a search where that is better. To
/// a stop from speed > 0: a numerical search.
Result<BestBrake> best_brake(const TurningTask& task);

/// The optimal law in one number, for an agent that decides anew in every step: while the bearing
/// of a destination at this distance [m] exceeds the answer [rad], in [0, pi], brake and turn; else
/// accelerate and turn, straight on once it is faced. With `stop` only from speed 0.
Result<double> switching_bearing(double distance, double speed, const TurningLimits& limits,
                                 bool stop = false);

// ---------------------------------------------------------------- many at once

/// Tasks as columns of equal length. Of the last five, a column of one number holds for all rows.
struct TurningColumns {
    std::span<const double> x, y;  ///< destinations [m]
    std::span<const double> speed, max_speed, acceleration, turn_rate, braking;
    bool stop = false;
};

/// Columns of Arrival; one that is empty is not written.
struct ArrivalColumns {
    std::span<ArrivalKind> kind;
    std::span<double> turn_time, face_time, face_x, face_y, heading, face_speed, straight,
        end_speed, time;
};

/// Columns of TurningState; one that is empty is not written.
struct StateColumns {
    std::span<double> x, y, heading, speed;
};

/// arrival() of each row; `threshold` has one number per row, or one for all. An Error names the
/// first row that is wrong, counted from 0, and then nothing was written.
Result<void> arrivals(const TurningColumns& tasks, std::span<const double> threshold,
                      const ArrivalColumns& out);

/// turning_state() of each row at t, likewise one number per row or one for all.
Result<void> turning_states(const TurningColumns& tasks, std::span<const double> threshold,
                            std::span<const double> t, const StateColumns& out);

/// best_threshold() of each row; an empty `time` is not written, and saves more than half of the
/// work.
Result<void> best_thresholds(const TurningColumns& tasks, std::span<double> threshold,
                             std::span<double> time);

}  // namespace sidestep
