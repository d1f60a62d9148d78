// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "motion/vehicle.hpp"

#include "motion/turning_path-inl.hpp"
#include "simd/one_double.hpp"

namespace sidestep {

namespace {

constexpr double kPi = 3.141592653589793;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Part of a limit that is left to rounding [1].
constexpr double kSpare = 1e-6;
/// A speed is stored as two floats along a heading of two floats: some 4 roundings of 6e-8, in both
/// of the frames that an acceleration is computed from.
constexpr double kSpeedRounding = 5e-7;
/// Part by which the circle that is kept free is wider than the smallest [1].
constexpr double kCircleSpare = 1e-3;
/// Below this sine of a turn the arc of a step is straight up to 1e-6 m.
constexpr double kStraight = 1e-4;
/// The same for a heading [rad].
constexpr double kHeadingRounding = 3e-7;

/// The way of a time t [s] in which the speed changes evenly and the heading by u [rad]: ahead and
/// to the left of the first heading. The lane code of turning paths with one lane.
Spot way_of(double speed, double change, double t, double u)
{
    if (!(t > 0.0)) return {};
    using namespace one_double;
    const Vec2 end =
        out(lane::place_after(lane::sweep(D(), in(speed), in(change / t), in(t), in(u))));
    return {end.x, end.y};
}

}  // namespace

double angle_between(const Spot& from, const Spot& to) noexcept
{
    const double sine = det(from, to);
    const double cosine = dot(from, to);
    if (cosine >= std::fabs(sine)) return arc_sine(sine);
    const double side = sine < 0.0 ? -1.0 : 1.0;  // straight behind is to the left
    if (cosine <= -std::fabs(sine)) return side * (kPi - arc_sine(std::fabs(sine)));
    return side * (0.5 * kPi - arc_sine(cosine));
}

Spot turned(const Spot& heading, double angle) noexcept
{
    const SinCos by = sin_cos(angle);
    const Spot turned{heading.x * by.cos - heading.y * by.sin,
                      heading.x * by.sin + heading.y * by.cos};
    return turned * (1.0 / length(turned));
}

Pose pose_of(const AgentTable& agents, std::size_t row) noexcept
{
    const AgentRecord& record = agents.record[row];
    const Spot stored{agents.heading_x[row], agents.heading_y[row]};
    const double size = length(stored);
    const Spot heading = size > 0.0 ? stored * (1.0 / size) : Spot{1.0, 0.0};
    return {{record.x, record.y}, heading, std::max(dot(heading, {record.vx, record.vy}), 0.0)};
}

double Reach::most_turn(double speed) const
{
    if (curvature == kInfinity) return rate_turn;
    // The chord that a heading is compared with is shorter than the arc by (turn)^2 / 24.
    const double way = std::min(now, speed) * dt;
    const double bend = curvature * way;
    const double most = bend * (1.0 - bend * bend / 24.0) * (1.0 - kSpare) - kHeadingRounding;
    return std::min(rate_turn, std::max(most, 0.0));
}

Command Reach::nearest(Command command) const
{
    command.speed = std::clamp(command.speed, least_speed, most_speed);
    const double most = most_turn(command.speed);
    command.turn = std::clamp(command.turn, -most, most);
    return command;
}

Reach reach_of(const VehicleLimits& limits, double speed, double dt) noexcept
{
    Reach reach;
    reach.dt = dt;
    reach.now = speed;
    const double rounding = kSpeedRounding * limits.max_speed / dt;
    const double braking = limits.braking * (1.0 - kSpare) - rounding;
    reach.braking = std::max(braking, 0.5 * limits.braking);
    reach.least_speed = std::max(speed - reach.braking * dt, 0.0);
    const double more = limits.acceleration * dt * (1.0 - kSpare) - kSpeedRounding * speed;
    reach.most_speed =
        std::min(speed + std::max(more, 0.0), limits.max_speed * (1.0 - kSpeedRounding));
    reach.most_speed = std::max(reach.most_speed, reach.least_speed);
    const double turn = limits.turn_rate * dt * (1.0 - kSpare) - kHeadingRounding;
    reach.rate_turn = std::min(std::max(turn, 0.0), kPi);
    reach.curvature = limits.curvature;
    if (limits.keeps_circle) {
        // A circle that it can drive at any speed, whatever is left to rounding.
        const double bend = std::min(limits.curvature * limits.max_speed * dt, 1.0);
        const double widest = limits.curvature * (1.0 - bend * bend / 24.0) * (1.0 - kCircleSpare);
        reach.circle = std::max(1.0 / widest, limits.max_speed / limits.turn_rate);
    }
    return reach;
}

Arc arc_of(const Pose& pose, const Reach& reach, const Command& command) noexcept
{
    // Who stops does so as early as it can, and stands for the rest of the step: a stop that takes
    // the whole step would be longer than the way that is kept free for it.
    const bool stops = command.speed == 0.0;
    const double time = stops ? std::min(pose.speed / reach.braking, reach.dt) : reach.dt;
    const double change = command.speed - pose.speed;  // [m/s]
    const double angle = command.turn * (time / reach.dt);
    const Spot way = way_of(pose.speed, change, time, angle);
    const Spot aside{-pose.heading.y, pose.heading.x};
    Arc arc;
    arc.end = pose.heading * way.x + aside * way.y;
    arc.heading = turned(pose.heading, command.turn);
    arc.corner = corner_of(arc.end, pose.heading, turned(pose.heading, angle));
    return arc;
}

Spot corner_of(const Spot& end, const Spot& first, const Spot& last) noexcept
{
    // a first = end - b last
    const double sine = det(first, last);
    if (std::fabs(sine) < kStraight) return end * 0.5;
    return first * (det(end, last) / sine);
}

double stopping_speed(double distance, const Reach& reach) noexcept
{
    // v dt/2 + now dt/2 + v^2/(2 b) = distance
    const double half = 0.5 * reach.dt;
    const double rest = distance - reach.now * half;
    if (!(rest > 0.0)) return 0.0;
    if (reach.braking == kInfinity) return rest / half;
    return reach.braking * (std::sqrt(half * half + 2.0 * rest / reach.braking) - half);
}

}  // namespace sidestep
