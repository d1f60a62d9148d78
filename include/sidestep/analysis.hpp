// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// When and how close two walkers will pass if nobody changes velocity.
struct ClosestApproach {
    double time = 0.0;      ///< from now [s], 0 if they separate already
    double distance = 0.0;  ///< between centres then [m]
};

/// Projected closest approach of a and b: positions [m], velocities [m/s], all finite.
Result<ClosestApproach> closest_approach(Vec2 pos_a, Vec2 vel_a, Vec2 pos_b, Vec2 vel_b);

/// Energy of a walk [J] given one velocity per step of dt > 0 [s] and the walker's mass >= 0 [kg]:
/// m * sum (2.23 + 1.26 |v|^2) dt, a fit for people on level ground.
Result<double> walking_energy(std::span<const Vec2> velocities, double dt, double mass);

}  // namespace sidestep
