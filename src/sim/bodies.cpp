// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/bodies.hpp"

#include "motion/wall_carry.hpp"

namespace sidestep {

namespace {

Box box_around(const Column<WallEdgeRow>& edges)
{
    Box box = kEmptyBox;
    for (const WallEdgeRow& row : edges) {
        const auto& [a, b] = std::pair{row.shape.a, row.shape.b};
        box = merge(box, Box{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x),
                             std::max(a.y, b.y)});
    }
    return box;
}

bool comes_into(const Box& box, float x, float y, float reach)
{
    return x + reach >= box.min_x && x - reach <= box.max_x && y + reach >= box.min_y &&
           y - reach <= box.max_y;
}

/// Calls displace(x, y, radius) -> Carried for all agents of a level whose bodies come into the
/// box, and puts those that it moves, and, where bodies are solid, whom these push; returns how
/// many.
template <class Displace>
std::uint64_t displace_agents(WorldState& world, std::uint16_t level, const Box& box,
                              Displace&& displace) noexcept
{
    std::uint64_t moved = 0;
    const bool solid = world.has_solid_bodies();
    bool pushes = false;
    world.push.near.clear();
    for (std::size_t row = 0; row < world.agents.rows(); ++row) {
        if (!world.agents.holds(row) || world.agents.leaf_level[row / kLeafRows] != level) continue;
        const float x = world.agents.x[row];
        const float y = world.agents.y[row];
        const float radius = param_of(world.agents, world.profiles, row, kRadius);
        if (solid && comes_into(box, x, y, radius + kPushedOnWithin))
            world.push.near.push_back({static_cast<std::uint32_t>(row), x, y, radius, 0});
        if (!comes_into(box, x, y, radius)) continue;
        const Carried carried = displace(x, y, radius);
        if (!carried.moved) continue;
        put_agent(world, row, carried.x, carried.y);
        if (solid) world.push.near.back().is_pushed = 1;
        pushes = solid;
        ++moved;
    }
    return pushes ? moved + push_on(world, level) : moved;
}

void refresh_wall_index(WorldState& world) noexcept
{
    if (!world.walls_changed) return;
    rebuild(world.wall_index, world.walls);
    world.walls_changed = false;
}

MovingWall moving_wall(const WorldState& world, std::uint32_t index)
{
    const Wall& wall = world.walls.walls[index];
    return {world.edges_before.span(),
            world.edges_after.span(),
            wall.kind,
            {world.wall_index, wall.level, index},
            world.walls};
}

std::uint64_t push_by_disc(WorldState& world, const Body& body, Vec2 displacement) noexcept
{
    refresh_wall_index(world);
    const Spot centre{body.position.x - world.options.origin.x,
                      body.position.y - world.options.origin.y};
    const auto x = static_cast<float>(centre.x);
    const auto y = static_cast<float>(centre.y);
    const auto to_x = static_cast<float>(centre.x + displacement.x);
    const auto to_y = static_cast<float>(centre.y + displacement.y);
    const auto r = static_cast<float>(body.radius);
    const Box swept{std::min(x, to_x) - r, std::min(y, to_y) - r, std::max(x, to_x) + r,
                    std::max(y, to_y) + r};
    return displace_agents(world, body.level, swept, [&](float px, float py, float radius) {
        return carry_by_disc({world.wall_index, body.level}, centre,
                             {displacement.x, displacement.y}, body.radius, px, py, radius);
    });
}

}  // namespace

void copy_edges(const Wall& wall, std::uint32_t index, Column<WallEdgeRow>& rows) noexcept
{
    rows.clear();
    for (std::size_t edge = 0; edge < wall.edges.size(); ++edge)
        rows.push_back(edge_row(wall, index, edge));
}

std::uint64_t carry_agents(WorldState& world, std::uint32_t index, bool same_edges) noexcept
{
    refresh_wall_index(world);
    const MovingWall wall = moving_wall(world, index);
    const Box swept = merge(box_around(world.edges_before), box_around(world.edges_after));
    return displace_agents(world, wall.others.level, swept, [&](float x, float y, float radius) {
        Carried carried = same_edges ? carry(wall, x, y, radius) : Carried{false, x, y};
        if (!is_misplaced(wall, carried.x, carried.y)) return carried;
        const Carried expelled = expel(wall, carried.x, carried.y, radius);
        return expelled.moved ? expelled : carried;
    });
}

std::uint64_t expel_agents(WorldState& world, std::uint32_t index) noexcept
{
    const Wall& added = world.walls.walls[index];
    if (added.kind != WallKind::solid || world.agents.live == 0) return 0;
    world.edges_before.clear();
    copy_edges(added, index, world.edges_after);
    refresh_wall_index(world);
    const MovingWall wall = moving_wall(world, index);
    return displace_agents(
        world, added.level, box_around(world.edges_after), [&](float x, float y, float radius) {
            return is_misplaced(wall, x, y) ? expel(wall, x, y, radius) : Carried{};
        });
}

std::uint64_t move_bodies(WorldState& world) noexcept
{
    std::uint64_t carried = 0;
    for (Body& body : world.bodies.bodies) {
        if (!body.live || body.velocity == Vec2{}) continue;
        const Vec2 displacement{body.velocity.x * world.options.dt,
                                body.velocity.y * world.options.dt};
        if (body.is_disc()) {
            carried += push_by_disc(world, body, displacement);
            body.position = {body.position.x + displacement.x, body.position.y + displacement.y};
            continue;
        }
        Wall& wall = world.walls.walls[body.wall.index];
        copy_edges(wall, body.wall.index, world.edges_before);
        wall.moved = {wall.moved.x + displacement.x, wall.moved.y + displacement.y};
        copy_edges(wall, body.wall.index, world.edges_after);
        world.walls_changed = true;
        carried += carry_agents(world, body.wall.index, true);
    }
    return carried;
}

}  // namespace sidestep
