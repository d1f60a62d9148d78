// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/random.hpp"
#include "run/plane_shapes.hpp"
#include "run/state.hpp"

namespace sidestep {

RouteGoal shape_of(const GoalPlan& plan);
/// Straight distance to the nearest part of a goal [m]; 0 in its area.
double distance_to(const RouteGoal& goal, Vec2 from);
/// The point of a goal to walk straight to; `lateral` in [0, 1) spreads a crowd along a line.
Vec2 straight_target(const RouteGoal& goal, Vec2 from, double radius, double lateral);

/// A random point of a convex ring.
Vec2 point_in_convex(std::span<const Vec2> ring, const RandomKey& key);

/// The number of the shared goal of a stage on this floor; none if it has no goals there.
std::uint32_t shared_goal(const SimulationState& state, const StagePlan& stage,
                          std::uint16_t floor);

/// The part of the way from -> to, in [0, 1], after which the stage's goal is reached; none if it
/// is not.
std::optional<float> find_arrival(const SimulationState& state, const Traveller& traveller,
                                  Vec2 from, Vec2 to);

}  // namespace sidestep
