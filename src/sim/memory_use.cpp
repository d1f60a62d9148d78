// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/world_state.hpp"

namespace sidestep {

namespace {

template <class T>
std::size_t bytes_of(const Column<T>& column)
{
    return column.capacity() * sizeof(T);
}

template <class T>
std::size_t bytes_of(const std::vector<T>& values)
{
    return values.capacity() * sizeof(T);
}

template <class First, class Second, class... Rest>
std::size_t bytes_of(const First& first, const Second& second, const Rest&... rest)
{
    return bytes_of(first) + bytes_of(second, rest...);
}

std::size_t agent_bytes(const AgentTable& a)
{
    std::size_t bytes =
        bytes_of(a.x, a.y, a.record, a.remainder_x, a.remainder_y, a.preferred_vx, a.preferred_vy,
                 a.next_vx, a.next_vy, a.goal_x, a.goal_y, a.profile, a.slot, a.heading_x,
                 a.heading_y, a.next_turn, a.way_ahead, a.waited, a.stall_clock, a.stall_answer,
                 a.body_contact, a.leaf_level, a.leaf_model, a.slots, a.free_slots) +
        a.ids.bytes();
    for (const Column<float>& column : a.overrides) bytes += bytes_of(column);
    return bytes;
}

std::size_t worker_bytes(const WorkerState& worker)
{
    const ModelScratch& m = worker.model;
    return sizeof(WorkerState) +
           bytes_of(m.perceived.unnoticed_bodies, m.perceived.bodies, m.perceived.edges, m.lines.nx,
                    m.lines.ny, m.lines.c, m.lines.projected, m.lines.source, m.lines.source_kind,
                    m.regions) +
           m.walls.bytes();
}

std::size_t wall_bytes(const WallTable& table)
{
    std::size_t bytes = bytes_of(table.walls, table.free_walls);
    for (const Wall& wall : table.walls) bytes += bytes_of(wall.vertices, wall.edges);
    return bytes;
}

}  // namespace

MemoryUse World::memory() const
{
    const WorldState& w = *state_;
    MemoryUse use;
    use.agents = agent_bytes(w.agents) + bytes_of(w.sort.keys, w.sort.source) +
                 bytes_of(w.negotiation.wanted_vx, w.negotiation.wanted_vy, w.negotiation.second_vx,
                          w.negotiation.second_vy, w.negotiation.is_cut, w.push.near, w.push.turns,
                          w.search_reach_sq, w.search_looks_far);
    use.sight = w.sights.bytes() + bytes_of(w.agents.sight);
    use.shares = bytes_of(w.shares.entries);
    use.groups = bytes_of(w.agents.group, w.agents.group_vx, w.agents.group_vy, w.groups.groups,
                          w.groups.free_groups);
    for (const Group& group : w.groups.groups) use.groups += bytes_of(group.members);
    use.other = sizeof(WorldState) +
                bytes_of(w.profiles, w.edges_before, w.edges_after, w.bodies.bodies,
                         w.bodies.free_bodies, w.watches) +
                w.space.bytes() + w.wall_index.bytes() + wall_bytes(w.walls) +
                worker_bytes(*w.dry_run);
    for (const auto& worker : w.worker_states) use.other += worker_bytes(*worker);
    return use;
}

}  // namespace sidestep
