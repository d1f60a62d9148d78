// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "world/agent_table.hpp"
#include "world/group_table.hpp"
#include "world/wall_index.hpp"

namespace sidestep {

// What people who walk together do to each other, [CMSC425].
//
// In: where the members of a group are, how they move and what they prefer, from the snapshot a
// step starts with. Out: for each member what the group adds to its preferred velocity. No model
// knows of groups: each takes the sum for what the agent wants, so that groups walk with all of
// them, and with a filter.
//
//        o       o         the V: each slot s L(h) to the side of the centroid C, and
//          o   o     ^     0.4 (|s| - mean|s|) ahead of it: the apex is at the rear
//            o       | h   and everybody sees everybody
//
// Of a group acceleration a_g [m/s2] the wish is preferred velocity + tau a_g, with the relaxation
// time tau of social forces. Their goal term (wish - v) / tau then is (preferred - v) / tau + a_g:
// exactly what the specification adds to the other forces; and models that choose a velocity feel
// the same pull. What they need besides is written where it is done: they follow at once, without
// inertia.
//
// Only those who are on their way count, on each level for themselves. One whose preferred velocity
// is zero has arrived, or waits for something else: it is not moved and nobody waits for it.

struct GroupInput {
    const AgentTable& agents;
    const Column<Profile>& profiles;
    const WallIndex& walls;
    float dt;
    PassingSide passing_side;
};

/// A member and what its group adds to its preferred velocity.
struct GroupPull {
    std::uint32_t row = kNoRow;
    Point<float> change{};  ///< [m/s]
};

/// Fills `pulls`, which has room for all members, and returns how many there are: one for each, in
/// any order.
std::size_t lead_group(const GroupInput& input, const Group& group, GroupPull* pulls) noexcept;

}  // namespace sidestep
