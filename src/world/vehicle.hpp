// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>

#include "math/trig.hpp"
#include "world/agent_table.hpp"

namespace sidestep {

// A vehicle has a heading, drives forward along it and turns within limits. Everybody else walks in
// any direction at once. Which of the two an agent is follows from its traits alone: one whose
// turns are not limited at all is no vehicle, whatever its motion is called.

/// What a vehicle can do. Infinite where there is no limit.
struct VehicleLimits {
    double max_speed = 0.0;     ///< [m/s]
    double acceleration = 0.0;  ///< [m/s2]
    double braking = 0.0;       ///< [m/s2]
    double turn_rate = 0.0;     ///< [rad/s]
    double curvature = 0.0;     ///< of its path [1/m]
    bool keeps_circle = false;  ///< free, rather than the way on which it stops

    bool turns_on_the_spot() const { return curvature == std::numeric_limits<double>::infinity(); }
};

/// `value_of(trait)` gives the value of a trait.
template <class ValueOf>
VehicleLimits vehicle_limits(ValueOf&& value_of)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    VehicleLimits limits{double{value_of(kMaxSpeed)},
                         double{value_of(kMaxAcceleration)},
                         double{value_of(kBraking)},
                         double{value_of(kTurnRate)},
                         kInfinity,
                         false};
    if (limits.braking == kInfinity) limits.braking = limits.acceleration;
    switch (static_cast<Motion>(value_of(kMotion))) {
        case Motion::free: limits.turn_rate = kInfinity; break;
        case Motion::unicycle:
            if (value_of(kTurningRadius) > 0.0f)
                limits.curvature = 1.0 / double{value_of(kTurningRadius)};
            break;
        case Motion::bicycle:
            if (value_of(kWheelbase) > 0.0f) {
                const SinCos steering = sin_cos(double{value_of(kMaxSteering)});
                limits.curvature = steering.sin / (steering.cos * double{value_of(kWheelbase)});
            }
            break;
    }
    const auto ground = static_cast<GroundKind>(value_of(kGround));
    limits.keeps_circle = limits.curvature < kInfinity && ground != GroundKind::stopping_way;
    return limits;
}

/// Whether an agent of these traits is a vehicle.
template <class ValueOf>
bool is_vehicle(ValueOf&& value_of)
{
    if (static_cast<Motion>(value_of(kMotion)) == Motion::free) return false;
    const VehicleLimits limits = vehicle_limits(value_of);
    return std::min(limits.turn_rate, limits.curvature) < std::numeric_limits<double>::infinity();
}

inline VehicleLimits vehicle_limits(const AgentTable& agents, const Column<Profile>& profiles,
                                    std::size_t row)
{
    return vehicle_limits(
        [&](std::size_t param) { return param_of(agents, profiles, row, param); });
}

}  // namespace sidestep
