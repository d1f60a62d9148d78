// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "analysis/power.hpp"
#include "math/input_checks.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {
namespace {

/// [m/s] Below this relative speed the distance does not change: it is as close now as ever.
constexpr double kNoRelativeMotion = 1e-12;

}  // namespace

Result<ClosestApproach> closest_approach(Vec2 pos_a, Vec2 vel_a, Vec2 pos_b, Vec2 vel_b)
{
    InputCheck c;
    c.finite("pa", pos_a).finite("va", vel_a).finite("pb", pos_b).finite("vb", vel_b);
    if (c.failed()) return c.error();
    const double px = pos_b.x - pos_a.x;
    const double py = pos_b.y - pos_a.y;
    const double vx = vel_b.x - vel_a.x;
    const double vy = vel_b.y - vel_a.y;
    const double speed_sq = vx * vx + vy * vy;
    const bool still = std::sqrt(speed_sq) <= kNoRelativeMotion;
    const double t = still ? 0.0 : std::max(0.0, -(px * vx + py * vy) / speed_sq);
    const double x = px + t * vx;
    const double y = py + t * vy;
    return ClosestApproach{t, std::sqrt(x * x + y * y)};
}

Result<double> walking_energy(std::span<const Vec2> velocities, double dt, double mass)
{
    InputCheck c;
    c.positive("dt", dt).not_negative("m", mass);
    double sum = 0.0;
    for (const Vec2 v : velocities) {
        c.finite("v", v);
        sum += kStandingPower + kWalkingPower * (v.x * v.x + v.y * v.y);
    }
    if (c.failed()) return c.error();
    return mass * sum * dt;
}

}  // namespace sidestep
