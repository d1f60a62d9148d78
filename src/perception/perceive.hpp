// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "neighbours/neighbours.hpp"
#include "world/agent_table.hpp"
#include "world/body_table.hpp"
#include "world/sight_table.hpp"
#include "world/wall_index.hpp"

namespace sidestep {

// Who counts.
//
// In: the neighbours of a leaf, nearest first, and what each of the eight remembers of whom it has
// seen. Out: the same lists with those only that the agent avoids (in its field of view, not hidden
// by a wall, seen for longer than its observation time), the disc bodies it has noticed, and the
// memory it will have after this step. Nothing of the world is changed: `remember` does that, once
// everybody has perceived the same snapshot.

/// What perception reads.
struct PerceptionInput {
    const AgentTable& agents;
    const Column<Profile>& profiles;
    const SightPool& sights;
    const WallIndex& walls;
    const BodyTable& bodies;
    Vec2 origin;
    double dt;  ///< [s]
};

/// What the eight agents of a leaf perceived; per worker, the next leaf overwrites it.
struct Perceived {
    SightTable memory[kLeafRows];             ///< of those that own a table
    std::uint32_t crowded = 0;                ///< pairs taken as observed because a table is full
    Column<std::uint8_t> unnoticed_bodies{};  ///< per body a bit for each lane that ignores it
};

/// How many neighbours the search shall list for an agent: more than it may avoid, where some of
/// them may not count.
std::size_t search_cap(const AgentTable& agents, const Column<Profile>& profiles, std::size_t row);

/// `explain`, where set, is told whom lane `explain_lane` does not avoid, and why.
void perceive(const PerceptionInput& input, std::size_t leaf, NeighbourLists& lists,
              Perceived& perceived, Explanation* explain, std::size_t explain_lane);

/// Stores what the leaf perceived.
void remember(const Perceived& perceived, std::size_t leaf, const AgentTable& agents,
              SightPool& sights) noexcept;

}  // namespace sidestep
