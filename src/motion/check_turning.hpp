// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "math/input_checks.hpp"
#include "sidestep/nonholonomic.hpp"

namespace sidestep {

/// Border of sidestep/nonholonomic.hpp. Between these ends no product of the formulas overflows.
inline constexpr double kLargestTurning = 1e30, kSmallestTurning = 1e-30;
/// An agent that turns by more [rad] while it gains (loses) full speed is no agent but a slip of
/// units; each turn of losing speed costs a look for the end of phase 1.
inline constexpr double kMostTurned = 1e9, kMostTurnedBraking = 1e6;

inline bool is_turning_size(double x)
{
    return x >= kSmallestTurning && x <= kLargestTurning;
}

inline InputCheck& check(InputCheck& c, const TurningLimits& limits)
{
    constexpr const char* kRule = "must be > 0, from 1e-30 to 1e30";
    c.require(is_turning_size(limits.max_speed), "vm", kRule);
    c.require(is_turning_size(limits.acceleration), "a", kRule);
    c.require(limits.turn_rate == 0.0 || is_turning_size(limits.turn_rate), "w",
              "must be 0 or from 1e-30 to 1e30");
    c.require(is_turning_size(limits.braking), "bm", kRule);
    return c.require(limits.turn_rate * limits.max_speed <= kMostTurned * limits.acceleration,
                     "w vm / a", "must be at most 1e9");
}

inline InputCheck& check_speed(InputCheck& c, double speed, const TurningLimits& limits)
{
    c.require(speed >= 0.0 && speed <= limits.max_speed, "v0", "must be in [0, vm]");
    return c.require(limits.turn_rate * speed <= kMostTurnedBraking * limits.braking, "w v0 / bm",
                     "must be at most 1e6");
}

inline InputCheck& check(InputCheck& c, const TurningTask& task)
{
    c.require(std::fabs(task.destination.x) <= kLargestTurning &&
                  std::fabs(task.destination.y) <= kLargestTurning,
              "D", "must be finite and at most 1e30 in magnitude");
    return check_speed(check(c, task.limits), task.speed, task.limits);
}

inline InputCheck& check_threshold(InputCheck& c, double threshold)
{
    return c.require(threshold >= 0.0 && threshold <= kLargestTurning, "at",
                     "must be >= 0 and at most 1e30");
}

inline InputCheck& check_time(InputCheck& c, const char* name, double t)
{
    return c.require(t >= 0.0 && t <= kLargestTurning, name, "must be >= 0 and at most 1e30");
}

}  // namespace sidestep
