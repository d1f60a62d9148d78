// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/world_state.hpp"

namespace sidestep {

/// Fills world.edges_before or world.edges_after with the edges of a wall where it is now. Needs
/// room.
void copy_edges(const Wall& wall, std::uint32_t index, Column<WallEdgeRow>& rows) noexcept;

/// Moves the agents that are in the way of wall `index` from edges_before to edges_after; returns
/// how many. Where these are not the same edges, the wall is taken from the one place and put to
/// the other.
std::uint64_t carry_agents(WorldState& world, std::uint32_t index, bool same_edges) noexcept;

/// Moves the agents that the new solid wall `index` has inside it; returns how many.
std::uint64_t expel_agents(WorldState& world, std::uint32_t index) noexcept;

/// Bodies go on by one step, whoever is in the way; returns how many agents they carried along.
std::uint64_t move_bodies(WorldState& world) noexcept;

}  // namespace sidestep
