// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/checks.hpp"

// Who walks together, edited between steps. The group has its members, and the row of each member
// names the group. Memory is taken before anything is written.

namespace sidestep {

namespace {

Error dead_group()
{
    return {ErrorCode::dead_handle,
            "no such group: it was removed, or the handle is of another world"};
}

Error too_many()
{
    return {ErrorCode::out_of_range,
            "a group has at most " + std::to_string(kMostMembers) + " members"};
}

/// Room for the columns that groups need.
bool reserve_columns(WorldState& world) noexcept
{
    AgentTable& agents = world.agents;
    const std::size_t rows = agents.record.capacity();
    return agents.group.reserve(rows) && agents.group_vx.reserve(rows) &&
           agents.group_vy.reserve(rows);
}

/// From here on each row has a group, or none. Needs room.
void start_columns(AgentTable& agents) noexcept
{
    if (!agents.group.empty()) return;
    agents.group.resize(agents.rows(), kNoGroup);
    agents.group_vx.resize(agents.rows(), 0.0f);
    agents.group_vy.resize(agents.rows(), 0.0f);
}

std::uint32_t group_index(const AgentTable& agents, std::size_t row)
{
    return agents.group.empty() ? kNoGroup : agents.group[row];
}

void leave_group(WorldState& world, std::size_t row) noexcept
{
    AgentTable& agents = world.agents;
    const std::uint32_t index = group_index(agents, row);
    if (index == kNoGroup) return;
    erase_member(world.groups.groups[index], agents.record[row].id);
    agents.group[row] = kNoGroup;
    agents.group_vx[row] = agents.group_vy[row] = 0.0f;
}

/// Needs room for one more member, and the columns.
void join_group(WorldState& world, std::size_t row, std::uint32_t index) noexcept
{
    leave_group(world, row);
    AgentTable& agents = world.agents;
    insert_member(world.groups.groups[index], {agents.record[row].id, agents.slot[row]});
    agents.group[row] = index;
}

/// The rows of those who are to be members: all live, and nobody twice.
Result<std::vector<std::uint32_t>> rows_of_members(const WorldState& world, const GroupSpec& spec)
{
    if (spec.members.size() > kMostMembers) return too_many();
    std::vector<std::uint32_t> rows;
    for (const AgentHandle member : spec.members) {
        const std::uint32_t row = world.agents.row_of(member);
        if (row == kNoRow) return dead_agent();
        if (std::find(rows.begin(), rows.end(), row) != rows.end()) {
            return Error{ErrorCode::invalid_argument,
                         "agent " + std::to_string(world.agents.record[row].id) +
                             " is named twice as a member"};
        }
        rows.push_back(row);
    }
    return rows;
}

std::optional<Error> check_leader(const GroupSpec& spec)
{
    const bool follows = spec.formation == Formation::leader;
    if (!follows && !spec.leader) return std::nullopt;
    if (!follows) return Error{ErrorCode::invalid_argument, "only Formation::leader has a leader"};
    const auto& members = spec.members;
    if (spec.leader && std::find(members.begin(), members.end(), *spec.leader) != members.end())
        return std::nullopt;
    return Error{ErrorCode::invalid_argument,
                 "Formation::leader needs a leader that is one of the members"};
}

}  // namespace

void forget_group(WorldState& world, std::size_t row) noexcept
{
    leave_group(world, row);
}

Result<GroupHandle> World::add_group(const GroupSpec& spec)
{
    return answer([&]() -> Result<GroupHandle> {
        if (spec.formation > Formation::leader)
            return Error{ErrorCode::invalid_argument, "no such formation"};
        if (auto error = check_leader(spec)) return *error;
        const auto rows = rows_of_members(*state_, spec);
        if (!rows) return rows.error();
        if (!reserve_columns(*state_)) return out_of_memory();
        GroupTable& table = state_->groups;
        table.free_groups.reserve(table.groups.size() + 1);
        std::vector<Group::Member> members;
        members.reserve(rows->size());
        std::uint32_t index = static_cast<std::uint32_t>(table.groups.size());
        if (table.free_groups.empty()) {
            table.groups.emplace_back();
        } else {
            index = table.free_groups.back();
            table.free_groups.pop_back();
        }
        Group& group = table.groups[index];
        group.live = true;
        group.formation = spec.formation;
        group.members = std::move(members);
        start_columns(state_->agents);
        for (const std::uint32_t row : *rows) join_group(*state_, row, index);
        group.leader =
            spec.leader ? state_->agents.record[state_->agents.row_of(*spec.leader)].id : kNoAgent;
        return GroupHandle{index, group.generation};
    });
}

Result<void> World::remove_group(GroupHandle handle)
{
    return answer([&]() -> Result<void> {
        if (!alive(handle)) return dead_group();
        Group& group = state_->groups.groups[handle.index];
        while (!group.members.empty())
            leave_group(*state_, state_->agents.slots[group.members.back().slot].row);
        group.live = false;
        ++group.generation;
        group.members = {};
        state_->groups.free_groups.push_back(handle.index);  // room was taken with the group
        return {};
    });
}

Result<void> World::set_group(AgentHandle agent, GroupHandle handle)
{
    return answer([&]() -> Result<void> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        if (!alive(handle)) return dead_group();
        if (group_index(state_->agents, row) == handle.index) return {};
        Group& group = state_->groups.groups[handle.index];
        if (group.members.size() >= kMostMembers) return too_many();
        group.members.reserve(group.members.size() + 1);
        if (!reserve_columns(*state_)) return out_of_memory();
        start_columns(state_->agents);
        join_group(*state_, row, handle.index);
        return {};
    });
}

Result<void> World::clear_group(AgentHandle agent)
{
    return answer([&]() -> Result<void> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        leave_group(*state_, row);
        return {};
    });
}

bool World::alive(GroupHandle group) const
{
    return state_->groups.find(group) != nullptr;
}

Result<std::optional<GroupHandle>> World::group_of(AgentHandle agent) const
{
    return answer([&]() -> Result<std::optional<GroupHandle>> {
        const std::uint32_t row = state_->agents.row_of(agent);
        if (row == kNoRow) return dead_agent();
        const std::uint32_t index = group_index(state_->agents, row);
        if (index == kNoGroup) return std::optional<GroupHandle>{};
        return std::optional(GroupHandle{index, state_->groups.groups[index].generation});
    });
}

Result<std::vector<AgentHandle>> World::group_members(GroupHandle handle) const
{
    return answer([&]() -> Result<std::vector<AgentHandle>> {
        const Group* group = state_->groups.find(handle);
        if (group == nullptr) return dead_group();
        std::vector<AgentHandle> members;
        for (const Group::Member& member : group->members)
            members.push_back({member.slot, state_->agents.slots[member.slot].generation});
        return members;
    });
}

}  // namespace sidestep
