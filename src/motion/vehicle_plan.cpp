// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "motion/vehicle.hpp"
#include "sidestep/nonholonomic.hpp"

// Where a vehicle would drive alone, and what it makes of the velocity that its model chose.

namespace sidestep {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Wishes slower than this [m/s] are none: it stands and keeps its heading.
constexpr double kWants = 1e-3;

/// A speed that is changed like this [m/s2] is changed at once.
constexpr double kAtOnce = 1e6;

/// Farther than this [m] is far: the best threshold hardly depends on it any more.
constexpr double kFar = 1e4;

/// The bearing from which on a vehicle brakes and turns rather than speeds up while it turns [rad].
double threshold_of(const Pose& pose, const VehicleLimits& limits, const Errand& errand,
                    double speed)
{
    if (errand.threshold < kInfinity) return errand.threshold;
    const TurningLimits turning{speed, std::min(limits.acceleration, kAtOnce), limits.turn_rate,
                                std::min(limits.braking, kAtOnce)};
    const auto best =
        switching_bearing(std::min(errand.distance, kFar), std::min(pose.speed, speed), turning);
    return best ? *best : 0.0;
}

/// One that cannot turn on the spot turns towards its goal as tightly as it must, unless the goal
/// is inside the circle that it would drive: then it first goes straight on, away from it.
Command plan_on_circles(const Reach& reach, double bearing, const Errand& errand, double speed)
{
    const double radius = 1.0 / reach.curvature;
    Command command = reach.nearest({speed, bearing});
    if (errand.distance < 2.0 * radius) {
        const SinCos at = sin_cos(bearing);
        const Spot goal{errand.distance * at.cos, errand.distance * std::fabs(at.sin)};
        const Spot off = goal - Spot{0.0, radius};
        if (dot(off, off) < radius * radius * (1.0 - 1e-3)) command.turn = 0.0;
    }
    return command;
}

/// One that turns on the spot follows the switching law of the earliest arrival.
Command plan_on_the_spot(const Pose& pose, const VehicleLimits& limits, const Reach& reach,
                         double bearing, const Errand& errand, double speed)
{
    const double beyond = std::fabs(bearing) - threshold_of(pose, limits, errand, speed);
    if (beyond <= 0.0) return reach.nearest({speed, bearing});
    // Where it gets to the threshold within the step it speeds up for the rest of it.
    const double braking = std::min(beyond / reach.rate_turn, 1.0);
    const double faster = std::min(speed, reach.most_speed) - reach.now;
    const double slower = reach.least_speed - reach.now;
    const double change = braking * slower + (1.0 - braking) * std::max(faster, slower);
    return reach.nearest({reach.now + change, bearing});
}

}  // namespace

Plan plan_step(const Pose& pose, const VehicleLimits& limits, const Reach& reach,
               const Errand& errand) noexcept
{
    const double speed = length(errand.wish);
    if (!(speed > kWants)) return {reach.nearest({0.0, 0.0}), {}};
    const double bearing = angle_between(pose.heading, errand.wish * (1.0 / speed));
    Plan plan;
    plan.command = limits.turns_on_the_spot()
                       ? plan_on_the_spot(pose, limits, reach, bearing, errand, speed)
                       : plan_on_circles(reach, bearing, errand, speed);
    const bool slows =
        plan.command.speed < std::min(pose.speed, speed) || plan.command.speed == 0.0;
    plan.preferred = turned(pose.heading, plan.command.turn) * (slows ? plan.command.speed : speed);
    return plan;
}

Command track(const Pose& pose, const Reach& reach, const Spot& chosen, const Plan& plan) noexcept
{
    const double speed = length(chosen);
    if (chosen.x == plan.preferred.x && chosen.y == plan.preferred.y) return plan.command;
    if (reach.circle > 0.0) {
        // It goes on at its own speed, for its circle is kept free: only the direction counts.
        if (!(speed > kFollowed)) return plan.command;
        const double bearing = angle_between(pose.heading, chosen * (1.0 / speed));
        return reach.nearest({plan.command.speed, bearing});
    }
    const double ahead = dot(chosen, pose.heading);
    // Who turns on the spot is in nobody's way: to face elsewhere in between would only keep it
    // there.
    const bool turns_round = plan.preferred.x == 0.0 && plan.preferred.y == 0.0 &&
                             pose.speed == 0.0 && plan.command.turn != 0.0;
    if (!(speed > kFollowed) || ahead < 0.0 || turns_round)
        return reach.nearest({turns_round ? 0.0 : std::max(ahead, 0.0), plan.command.turn});
    const double bearing = angle_between(pose.heading, chosen * (1.0 / speed));
    const double turn = std::clamp(bearing, -reach.rate_turn, reach.rate_turn);
    // Of the velocities along that heading the nearest to the chosen one.
    return reach.nearest({dot(chosen, turned(pose.heading, turn)), turn});
}

}  // namespace sidestep
