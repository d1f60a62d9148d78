// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sidestep/world.hpp"

namespace sidestep {

/// People who walk together.
struct Group {
    struct Member {
        std::uint32_t id;
        std::uint32_t slot;  ///< of the agent; stays where rows move
    };
    std::uint32_t generation = 0;
    bool live = false;
    Formation formation = Formation::abreast;
    std::uint32_t leader = kNoAgent;  ///< id of the member that others follow, if any
    std::vector<Member> members;      ///< in the order of ids; at most kMostMembers
};

/// The groups, at rest. An agent is in one at most, which its row names.
struct GroupTable {
    std::vector<Group> groups;
    std::vector<std::uint32_t> free_groups;  ///< room for all of them

    const Group* find(GroupHandle handle) const
    {
        if (handle.index >= groups.size()) return nullptr;
        const Group& group = groups[handle.index];
        return group.live && group.generation == handle.generation ? &group : nullptr;
    }
};

/// Puts a member in its place. Needs room; it must not be there yet.
void insert_member(Group& group, const Group::Member& member) noexcept;

/// Takes the agent with this id out; a group that loses its leader has none from then on.
void erase_member(Group& group, std::uint32_t id) noexcept;

}  // namespace sidestep
