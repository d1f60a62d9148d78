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

// Who counts, [RCAP10].
//
// In: the neighbours of a leaf, nearest first, and what each of the eight remembers of whom it has
// seen. Out: the same lists with those only that the agent avoids (in its field of view, not hidden
// by a wall, seen for longer than its observation time; of these the nearest max_neighbours), the
// disc bodies it has noticed, and the memory it will have after this step. Nothing of the world is
// changed: `remember` does that. Agents without such traits keep their lists as they are. Bodies
// that touch are noticed at once, out of view or not: two people with phones walk into each other,
// but not through each other.
//
// Limits: of those in range the search lists the 32 nearest (or max_neighbours, if that is more),
// whether they are seen or not; the memory holds 16 (see Memory).

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

/// Bodies are noticed from beyond neighbour_range: from where they can come into contact within
/// this time [s], the longest horizon a model can have: what a model minds can be seen.
inline constexpr float kBodySightTime = 60.0f;

/// A disc body that an agent sees.
struct BodyInSight {
    float dist_sq;  ///< between centres [m2]
    std::uint32_t index;
};

/// What the eight agents of a leaf perceived; per worker, the next leaf overwrites it.
struct Perceived {
    SightTable memory[kLeafRows];             ///< of those that own a table
    std::uint32_t crowded = 0;                ///< pairs taken as observed because a table is full
    Column<std::uint8_t> unnoticed_bodies{};  ///< per body a bit for each lane that ignores it;
                                              ///< empty: nobody ignores any

    // Of one agent at a time.
    Column<BodyInSight> bodies{};   ///< room for all bodies
    Column<std::uint32_t> edges{};  ///< room for all wall edges
};

/// `explain`, where set, is told whom lane `explain_lane` does not avoid, and why. Bodies are not
/// listed there: their lines tell of them.
void perceive(const PerceptionInput& input, std::size_t leaf, NeighbourLists& lists,
              Perceived& perceived, Explanation* explain, std::size_t explain_lane);

/// Stores what the leaf perceived, once it has chosen. An agent's memory is read by nobody else, so
/// that this may happen while other leaves still perceive.
void remember(const Perceived& perceived, std::size_t leaf, const AgentTable& agents,
              SightPool& sights) noexcept;

}  // namespace sidestep
