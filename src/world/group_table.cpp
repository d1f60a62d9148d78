// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/group_table.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace sidestep {

namespace {

auto place_of(Group& group, std::uint32_t id)
{
    return std::lower_bound(
        group.members.begin(), group.members.end(), id,
        [](const Group::Member& member, std::uint32_t other) { return member.id < other; });
}

}  // namespace

void insert_member(Group& group, const Group::Member& member) noexcept
{
    SIDESTEP_ASSERT(group.members.size() < group.members.capacity());
    group.members.insert(place_of(group, member.id), member);
}

void erase_member(Group& group, std::uint32_t id) noexcept
{
    const auto found = place_of(group, id);
    if (found != group.members.end() && found->id == id) group.members.erase(found);
    if (group.leader == id) group.leader = kNoAgent;
}

}  // namespace sidestep
