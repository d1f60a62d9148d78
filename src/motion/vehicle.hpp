// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "motion/edge_geometry.hpp"
#include "world/vehicle.hpp"

namespace sidestep {

// What a vehicle makes of a wanted velocity.
//
// A command is two numbers for one step: the speed at its end and the angle turned during it. In
// between the speed changes evenly and so does the heading, so that the way is the exact arc of
// [RICKS14] (docs/vehicles.md), not a polygon of straight steps. Limits are kept with a few ulp to
// spare: speeds and headings are stored as floats, and whoever computes accelerations and turns
// from those in double still finds them within a relative 1e-6.

/// Where a vehicle is, which way it faces, and how fast it goes.
struct Pose {
    Spot place{};            ///< [m] about the origin
    Spot heading{1.0, 0.0};  ///< unit vector
    double speed = 0.0;      ///< [m/s], >= 0
};

Pose pose_of(const AgentTable& agents, std::size_t row) noexcept;

struct Command {
    double speed = 0.0;  ///< at the end of the step [m/s]
    double turn = 0.0;   ///< during it [rad], to the left
};

/// What a vehicle can do in the coming step.
struct Reach {
    double dt = 0.0;           ///< [s]
    double now = 0.0;          ///< its speed [m/s]
    double least_speed = 0.0;  ///< by braking as hard as it can [m/s]
    double most_speed = 0.0;
    double rate_turn = 0.0;  ///< most turn that its turn rate allows [rad]
    double curvature = 0.0;  ///< [1/m]
    double braking = 0.0;    ///< that it can count on [m/s2]; infinite: it stops at once
    double circle = 0.0;  ///< radius of the circle that it keeps free [m], or 0: its stopping way

    /// Most it can turn if it ends the step at this speed [rad]: what its smallest circle allows at
    /// the slower of both speeds, so that no instant of the step exceeds it.
    double most_turn(double speed) const;
    /// The nearest command that it can follow.
    Command nearest(Command command) const;
};

Reach reach_of(const VehicleLimits& limits, double speed, double dt) noexcept;

/// The way that it needs to stop from this speed [m].
inline double stopping_distance(double speed, double braking)
{
    return speed * speed / (2.0 * braking);
}

/// The way of one step.
struct Arc {
    Spot end{};      ///< displacement [m]
    Spot corner{};   ///< where the tangents at both ends meet: the arc is within 0, corner, end
    Spot heading{};  ///< at the end, unit vector
};

/// Where the tangents at the ends of a displacement meet, from unit vector `first` to `last`.
Spot corner_of(const Spot& end, const Spot& first, const Spot& last) noexcept;

/// Needs a command within reach.
Arc arc_of(const Pose& pose, const Reach& reach, const Command& command) noexcept;

/// Angle from one unit vector to another [rad], in (-pi, pi].
double angle_between(const Spot& from, const Spot& to) noexcept;

/// The unit vector turned to the left by this angle [rad].
Spot turned(const Spot& heading, double angle) noexcept;

// ------------------------------------------------------------------------------------------ wishes

/// Where a vehicle wants to go.
struct Errand {
    Spot wish{};             ///< velocity it would take if it could [m/s]
    double distance = 0.0;   ///< straight to where that leads [m]; infinite: far
    double threshold = 0.0;  ///< trait turn_threshold [rad]
};

/// What it does about it, alone in the world: the command on the best way, and the velocity that it
/// shows its model as preferred: at the wished speed along the heading it will have, or 0 where it
/// turns on the spot.
struct Plan {
    Command command{};
    Spot preferred{};  ///< [m/s]
};

Plan plan_step(const Pose& pose, const VehicleLimits& limits, const Reach& reach,
               const Errand& errand) noexcept;

/// Slower than this [m/s] a chosen velocity has no direction worth turning to.
inline constexpr double kFollowed = 0.1;

/// The command whose velocity is nearest to the one that was chosen [m/s]. Where that is too slow
/// to have a direction, or behind, the vehicle turns as planned.
Command track(const Pose& pose, const Reach& reach, const Spot& chosen, const Plan& plan) noexcept;

/// Fastest end of a step from which one that goes straight to a place at this distance can stop
/// there [m/s].
double stopping_speed(double distance, const Reach& reach) noexcept;

}  // namespace sidestep
