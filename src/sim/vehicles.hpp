// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/world_state.hpp"

namespace sidestep {

/// By how much the ground of a vehicle reaches beyond its body, at most [m]; 0 without any.
double longest_ground(const WorldState& world) noexcept;

/// What vehicles of a leaf would do alone; their wishes become what that shows to the models.
void plan_vehicles(const WorldState& world, std::size_t leaf, WorkerState& worker) noexcept;

/// Turns the velocities that were chosen for vehicles of a leaf into commands that they can follow,
/// and that keep to the ground which is theirs.
void steer_vehicles(const WorldState& world, std::size_t leaf, WorkerState& worker);

}  // namespace sidestep
