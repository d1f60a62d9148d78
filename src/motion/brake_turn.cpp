// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "motion/brake_turn.hpp"

#include <algorithm>
#include <cmath>

#include "motion/turning_path-inl.hpp"
#include "simd/one_double.hpp"

namespace sidestep {
namespace {

using namespace one_double;

struct Turned {
    double sin, cos;
};

Turned turned(double angle)
{
    const auto lanes = lane::sin_cos_lanes(D(), in(angle));
    return {out(lanes.sin), out(lanes.cos)};
}

/// How far the line of sight `bearing` is to the right of the destination [m]: falls through 0 when
/// the bearing is reached. Its slope is that with the turned angle.
struct Sight {
    double value, slope;
};

Sight sight_at(const BrakeTurn& turn, Turned bearing, double u)
{
    const double t = u / turn.rate;
    const BrakePose pose = brake_for(turn, t);
    const double p = pose.destination.x, q = pose.destination.y;
    return {q * bearing.cos - p * bearing.sin,
            pose.speed / turn.rate * bearing.sin - (p * bearing.cos + q * bearing.sin)};
}

/// The zero of a piece where the value falls from left to right, to rounding.
double falling_zero(const BrakeTurn& turn, Turned bearing, double left, double right)
{
    double u = 0.5 * (left + right);
    for (int round = 0; round < 80 && right - left > 1e-15 * right; ++round) {
        const Sight at = sight_at(turn, bearing, u);
        (at.value > 0.0 ? left : right) = u;
        const double newton = u - at.value / at.slope;
        // A step that ends on the bracket is accepted: Newton's method has then converged.
        const double next = newton >= left && newton <= right ? newton : 0.5 * (left + right);
        if (next == u) break;
        u = next;
    }
    return u;
}

}  // namespace

double bearing_to_left(Vec2 destination)
{
    const double bearing = out(lane::arc_tangent_lanes(D(), in(destination.y), in(destination.x)));
    return bearing < 0.0 ? bearing + 2.0 * lane::kPi : bearing;
}

BrakePose brake_for(const BrakeTurn& turn, double t)
{
    const double moving = std::min(t, turn.speed / turn.braking);
    const auto arc =
        lane::sweep(D(), in(turn.speed), in(-turn.braking), in(moving), in(turn.rate * moving));
    BrakePose pose;
    pose.time = t;
    pose.place = out(lane::place_after(arc));
    pose.heading = turn.rate * t;
    pose.speed = moving < t ? 0.0 : std::max(0.0, turn.speed - turn.braking * t);
    const Turned h = turned(pose.heading);
    const double dx = turn.destination.x - pose.place.x, dy = turn.destination.y - pose.place.y;
    pose.destination = {dx * h.cos + dy * h.sin, dy * h.cos - dx * h.sin};
    if (moving == t) pose.destination = out(lane::seen_after(arc, in(turn.destination)));
    return pose;
}

BrakePose brake_until(const BrakeTurn& turn, double bearing)
{
    const Turned at = turned(bearing);
    const double stop_time = turn.speed / turn.braking, end = turn.rate * stop_time;
    // Stationary points of the line of sight: cos(u + bearing - psi) = g cos(bearing) / B.
    const double g = -turn.braking / (turn.rate * turn.rate);
    const double x = turn.destination.x + g, y = turn.destination.y - turn.speed / turn.rate;
    const double length = std::sqrt(x * x + y * y);
    const double psi = out(lane::arc_tangent_lanes(D(), in(y), in(x)));
    double left = 0.0, found = -1.0;
    const auto look_up_to = [&](double right) {
        if (found < 0.0 && right > left) {
            if (sight_at(turn, at, right).value <= 0.0) found = falling_zero(turn, at, left, right);
            left = right;
        }
    };
    const double cosine = g * at.cos;
    if (length > std::fabs(cosine)) {
        const double sine = std::sqrt((length - cosine) * (length + cosine));
        const double half = out(lane::arc_tangent_lanes(D(), in(sine), in(cosine)));
        const double two_pi = 2.0 * lane::kPi;
        double middle = psi - bearing;
        middle -= two_pi * std::floor((middle + half) / two_pi);  // the first whose end is ahead
        for (; middle - half < end && found < 0.0; middle += two_pi) {
            look_up_to(std::min(middle - half, end));
            look_up_to(std::min(middle + half, end));
        }
    }
    look_up_to(end);

    BrakePose pose = brake_for(turn, found >= 0.0 ? found / turn.rate : stop_time);
    if (found < 0.0) {  // at rest: the remainder on the spot
        double rest = bearing_to_left(pose.destination) - bearing;
        if (rest < 0.0) rest += 2.0 * lane::kPi;
        if (rest > lane::kPi + 1e-6) rest = 0.0;  // rounding: it is there already
        pose.time = stop_time + rest / turn.rate;
        pose.heading = end + rest;
        pose.speed = 0.0;
    }
    const double distance = std::sqrt(pose.destination.x * pose.destination.x +
                                      pose.destination.y * pose.destination.y);
    pose.destination = {distance * at.cos, distance * at.sin};
    return pose;
}

}  // namespace sidestep
