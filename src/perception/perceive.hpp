// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "neighbours/neighbours.hpp"
#include "perception/hiding_edges.hpp"
#include "perception/memory.hpp"
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
// whether they are seen or not; the memory holds 16 (see Memory). Fewer do where somebody's list
// and memory are full before its neighbours end: then those who are farther change nothing.
//
// Most agents look all round and only at other agents: for them each of the listed is a lane
// (hidden_lanes-inl.hpp, recall_lanes-inl.hpp). Whatever else there may be is seen one by one, by
// perceive_alone; the answers are the same.

/// What perception reads.
struct PerceptionInput {
    const AgentTable& agents;
    const Column<Profile>& profiles;
    const SightPool& sights;
    const WallIndex& walls;
    const BodyTable& bodies;
    Vec2 origin;
    double dt;           ///< [s]
    float largest_body;  ///< no radius is larger [m]
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

    // Of the leaf.
    HidingEdges edges_near;
    MemoryTimes times{};  ///< of the agent before
    MemorySteps steps{};

    // Of one agent at a time.
    Column<BodyInSight> bodies{};   ///< room for all bodies
    Column<std::uint32_t> edges{};  ///< room for all wall edges
};

/// How many of the nearest had to be looked at by somebody.
enum class Looked : std::uint8_t {
    few,      ///< as many as it can remember, or all there are
    many,     ///< more of those listed
    too_few,  ///< more than were listed
};

/// Where the lists were too short they are to be found again, to their full length, and perceived
/// again. `explain`, where set, is told whom lane `explain_lane` does not avoid, and why;
/// it needs full lists. Bodies are not listed there: their lines tell of them.
using Perceive = Looked (*)(const PerceptionInput& input, std::size_t leaf, NeighbourLists& lists,
                            Perceived& perceived, Explanation* explain, std::size_t explain_lane);
Perceive perceive_for(Isa isa);

/// The same for one agent whose sight is limited, whatever limits it.
Looked perceive_alone(const PerceptionInput& input, std::size_t leaf, std::size_t lane,
                      NeighbourLists& lists, Perceived& perceived, Explanation* explain);

/// Stores what the leaf perceived, once it has chosen. An agent's memory is read by nobody else, so
/// that this may happen while other leaves still perceive.
void remember(const Perceived& perceived, std::size_t leaf, const AgentTable& agents,
              SightPool& sights) noexcept;

}  // namespace sidestep
