// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/bodies.hpp"

#include "motion/wall_contact.hpp"

namespace sidestep {

namespace {

Box box_around(const Column<WallEdgeRow>& edges)
{
    Box box = kEmptyBox;
    for (const WallEdgeRow& row : edges) {
        const auto& [a, b] = std::pair{row.shape.a, row.shape.b};
        box = merge(box, Box{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)});
    }
    return box;
}

/// Puts an agent where a wall left it, or as far on the way as other walls allow.
void put(WorldState& world, std::size_t row, const Carried& carried, std::uint32_t wall) noexcept
{
    if (world.walls_changed) {
        rebuild(world.wall_index, world.walls);
        world.walls_changed = false;
    }
    AgentRecord& record = world.agents.record[row];
    const float dx = carried.x - record.x;
    const float dy = carried.y - record.y;
    const float radius = param_of(world.agents, world.profiles, row, kRadius);
    const float share =
        free_share(world.wall_index, record.x, record.y, dx, dy, radius, world.agents.leaf_level[row / kLeafRows], wall);
    record.x += share * dx;
    record.y += share * dy;
    world.agents.x[row] = record.x;
    world.agents.y[row] = record.y;
    world.agents.remainder_x[row] = world.agents.remainder_y[row] = 0.0f;
}

/// Calls displace(row) -> Carried for all agents of the wall's level within the box, and puts those that it moves.
template <class Displace>
std::uint64_t displace_agents(WorldState& world, std::uint32_t wall, const Box& box, Displace&& displace) noexcept
{
    std::uint64_t moved = 0;
    for (std::size_t row = 0; row < world.agents.rows(); ++row) {
        const float x = world.agents.x[row];
        const float y = world.agents.y[row];
        if (x < box.min_x || x > box.max_x || y < box.min_y || y > box.max_y) continue;
        if (world.agents.leaf_level[row / kLeafRows] != world.walls.walls[wall].level) continue;
        const Carried carried = displace(row, x, y);
        if (!carried.moved) continue;
        put(world, row, carried, wall);
        ++moved;
    }
    return moved;
}

float wall_radius(const WorldState& world, std::size_t row)
{
    return param_of(world.agents, world.profiles, row, kRadius) + param_of(world.agents, world.profiles, row, kWallClearance);
}

}  // namespace

void copy_edges(const Wall& wall, std::uint32_t index, Column<WallEdgeRow>& rows) noexcept
{
    rows.clear();
    for (std::size_t edge = 0; edge < wall.edges.size(); ++edge) rows.push_back(edge_row(wall, index, edge));
}

std::uint64_t carry_agents(WorldState& world, std::uint32_t index) noexcept
{
    const Box swept = merge(box_around(world.edges_before), box_around(world.edges_after));
    return displace_agents(world, index, swept, [&](std::size_t row, float x, float y) {
        return carry(world.edges_before.span(), world.edges_after.span(), x, y, wall_radius(world, row));
    });
}

std::uint64_t expel_agents(WorldState& world, std::uint32_t index) noexcept
{
    const Wall& wall = world.walls.walls[index];
    if (wall.kind != WallKind::solid) return 0;
    copy_edges(wall, index, world.edges_after);
    return displace_agents(world, index, box_around(world.edges_after), [&](std::size_t row, float x, float y) {
        return inside_solid(wall, x, y) ? expel(world.edges_after.span(), x, y, wall_radius(world, row)) : Carried{};
    });
}

std::uint64_t move_bodies(WorldState& world) noexcept
{
    std::uint64_t carried = 0;
    for (Body& body : world.bodies.bodies) {
        if (!body.live || body.velocity == Vec2{}) continue;
        if (body.is_disc()) {
            body.position.x += body.velocity.x * world.options.dt;
            body.position.y += body.velocity.y * world.options.dt;
            continue;
        }
        Wall& wall = world.walls.walls[body.wall.index];
        copy_edges(wall, body.wall.index, world.edges_before);
        wall.moved.x += body.velocity.x * world.options.dt;
        wall.moved.y += body.velocity.y * world.options.dt;
        copy_edges(wall, body.wall.index, world.edges_after);
        world.walls_changed = true;
        carried += carry_agents(world, body.wall.index);
    }
    return carried;
}

}  // namespace sidestep
