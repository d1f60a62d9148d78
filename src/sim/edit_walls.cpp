// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <new>

#include "sim/bodies.hpp"
#include "sim/checks.hpp"
#include "sim/kept_state.hpp"

// Editing walls and bodies between steps. Each call checks everything, takes the memory it needs,
// and only then writes.

namespace sidestep {

namespace {

Error dead_wall()
{
    return {ErrorCode::dead_handle,
            "no such wall: it was removed, or the handle is of another world"};
}

Error dead_body()
{
    return {ErrorCode::dead_handle,
            "no such body: it was removed, or the handle is of another world"};
}

/// The edges of a wall about the world's origin. Vertices are rounded to float first, so that
/// directions and convexity are those of the points that kernels see.
Result<std::vector<WallEdge<double>>> local_edges(const WorldState& world,
                                                  std::span<const Vec2> vertices, WallKind kind)
{
    std::vector<Vec2> local;
    local.reserve(vertices.size());
    for (const Vec2& vertex : vertices) {
        if (auto error = check_position(world, vertex, "vertex")) return *error;
        local.push_back({double{local_x(world, vertex.x)}, double{local_y(world, vertex.y)}});
    }
    return make_wall_edges(kind, local);
}

std::optional<Error> ensure_wall_room(WorldState& world, std::size_t all_edges,
                                      std::size_t own_edges) noexcept
{
    // In large steps: thousands of walls are added one by one.
    const bool grows = world.wall_index.edges.capacity() < all_edges;
    if (auto error = ensure_line_room(world, grows ? all_edges + all_edges / 2 : all_edges,
                                      world.bodies.bodies.size()))
        return error;
    if (!world.edges_before.reserve(own_edges) || !world.edges_after.reserve(own_edges))
        return out_of_memory();
    return std::nullopt;
}

Result<WallHandle> add_checked_wall(WorldState& world, const WallSpec& spec, Vec2 velocity)
{
    if (auto error = check_level(spec.level)) return *error;
    auto edges = local_edges(world, spec.vertices, spec.kind);
    if (!edges) return edges.error();
    const std::size_t count = edges->size();
    if (auto error = ensure_wall_room(world, world.walls.edge_count + count, count)) return *error;

    WallTable& table = world.walls;
    table.free_walls.reserve(table.walls.size() + 1);
    std::vector<Vec2> vertices = spec.vertices;
    std::uint32_t index = static_cast<std::uint32_t>(table.walls.size());
    if (table.free_walls.empty()) {
        table.walls.emplace_back();
    } else {
        index = table.free_walls.back();
        table.free_walls.pop_back();
    }
    Wall& wall = table.walls[index];
    wall.live = true;
    wall.kind = spec.kind;
    wall.level = spec.level;
    wall.velocity = velocity;
    wall.moved = {};
    wall.vertices = std::move(vertices);
    wall.set_edges(std::move(*edges));
    table.edge_count += count;
    world.walls_changed = true;
    world.pending_wall_pushes += expel_agents(world, index);
    return WallHandle{index, wall.generation};
}

void drop_wall(WorldState& world, std::uint32_t index) noexcept
{
    Wall& wall = world.walls.walls[index];
    world.walls.edge_count -= wall.edges.size();
    wall.live = false;
    ++wall.generation;
    wall.vertices = {};
    wall.edges = {};
    world.walls.free_walls.push_back(index);  // room was taken when the wall was added
    world.walls_changed = true;
}

/// How a wall gets to its new place: past everything in between, or not.
enum class WallTravel { sweeps, jumps };

/// Gives a wall its new place and moves agents out of its way.
Result<void> replace_wall(WorldState& world, std::uint32_t index, std::span<const Vec2> vertices,
                          WallTravel travel)
{
    Wall& wall = world.walls.walls[index];
    auto edges = local_edges(world, vertices, wall.kind);
    if (!edges) return edges.error();
    const std::size_t all = world.walls.edge_count - wall.edges.size() + edges->size();
    if (auto error = ensure_wall_room(world, all, std::max(wall.edges.size(), edges->size())))
        return *error;
    std::vector<Vec2> kept(vertices.begin(), vertices.end());

    // Edges correspond where there are as many, and the vertices were given in the same sense.
    const bool same_edges = wall.edges.size() == edges->size() &&
                            infer_wall_kind(wall.vertices) == infer_wall_kind(vertices);
    copy_edges(wall, index, world.edges_before);
    wall.vertices = std::move(kept);
    wall.set_edges(std::move(*edges));
    wall.moved = {};
    world.walls.edge_count = all;
    world.walls_changed = true;
    copy_edges(wall, index, world.edges_after);
    world.pending_wall_pushes +=
        carry_agents(world, index, same_edges && travel == WallTravel::sweeps);
    return {};
}

std::vector<Vec2> vertices_now(const Wall& wall)
{
    std::vector<Vec2> vertices = wall.vertices;
    for (Vec2& vertex : vertices) vertex = {vertex.x + wall.moved.x, vertex.y + wall.moved.y};
    return vertices;
}

Result<BodyHandle> add_checked_body(WorldState& world, const BodySpec& spec)
{
    if (auto error = check_velocity(spec.velocity, "velocity")) return *error;
    if (auto error = check_level(spec.level)) return *error;
    const bool is_disc = spec.outline.empty();
    if (is_disc) {
        if (auto error = check_position(world, spec.position, "position")) return *error;
        if (!(spec.radius > 0.0 && spec.radius <= 100.0)) {
            return Error{
                ErrorCode::out_of_range,
                "radius of a body must be above 0 and at most 100 m, got " + to_words(spec.radius)};
        }
    }
    BodyTable& table = world.bodies;
    table.bodies.reserve(table.bodies.size() + 1);
    table.free_bodies.reserve(table.bodies.size() + 1);
    if (auto error = ensure_line_room(world, world.walls.edge_count, table.bodies.size() + 1))
        return *error;
    WallHandle wall{};
    if (!is_disc) {
        const auto added =
            add_checked_wall(world, {spec.outline, WallKind::solid, spec.level}, spec.velocity);
        if (!added) return added.error();
        wall = *added;
    }
    std::uint32_t index = static_cast<std::uint32_t>(table.bodies.size());
    if (table.free_bodies.empty()) {
        table.bodies.emplace_back();
    } else {
        index = table.free_bodies.back();
        table.free_bodies.pop_back();
        lose_name(world, index, true);
    }
    Body& body = table.bodies[index];
    const std::uint32_t generation = body.generation;
    body = {generation,    true, spec.level,         spec.position, is_disc ? spec.radius : 0.0,
            spec.velocity, wall, spec.always_noticed};
    return BodyHandle{index, generation};
}

}  // namespace

Result<WallHandle> World::add_wall(const WallSpec& spec)
{
    return answer([&] { return add_checked_wall(*state_, spec, {}); });
}

Result<void> World::move_wall(WallHandle wall, std::span<const Vec2> vertices)
{
    return answer([&]() -> Result<void> {
        if (!alive(wall)) return dead_wall();
        return replace_wall(*state_, wall.index, vertices, WallTravel::sweeps);
    });
}

Result<void> World::remove_wall(WallHandle wall)
{
    return answer([&]() -> Result<void> {
        if (!alive(wall)) return dead_wall();
        for (const Body& body : state_->bodies.bodies) {
            if (body.live && body.wall == wall)
                return dead_wall();  // belongs to a body, which has its own handle
        }
        drop_wall(*state_, wall.index);
        return {};
    });
}

bool World::alive(WallHandle wall) const
{
    return state_->walls.find(wall) != nullptr;
}

Result<std::vector<Vec2>> World::wall_vertices(WallHandle handle) const
{
    return answer([&]() -> Result<std::vector<Vec2>> {
        const Wall* wall = state_->walls.find(handle);
        if (wall == nullptr) return dead_wall();
        return vertices_now(*wall);
    });
}

Result<BodyHandle> World::add_body(const BodySpec& spec)
{
    return answer([&] { return add_checked_body(*state_, spec); });
}

Result<void> World::set_body_velocity(BodyHandle handle, Vec2 velocity)
{
    return answer([&]() -> Result<void> {
        if (!alive(handle)) return dead_body();
        if (auto error = check_velocity(velocity, "velocity")) return *error;
        Body& body = state_->bodies.bodies[handle.index];
        body.velocity = velocity;
        if (!body.is_disc()) {
            state_->walls.walls[body.wall.index].velocity = velocity;
            state_->walls_changed = true;
        }
        return {};
    });
}

Result<void> World::teleport_body(BodyHandle handle, Vec2 position)
{
    return answer([&]() -> Result<void> {
        if (!alive(handle)) return dead_body();
        if (auto error = check_position(*state_, position, "position")) return *error;
        Body& body = state_->bodies.bodies[handle.index];
        if (body.is_disc()) {
            body.position = position;
            return {};
        }
        std::vector<Vec2> vertices = vertices_now(state_->walls.walls[body.wall.index]);
        const Vec2 shift{position.x - vertices.front().x, position.y - vertices.front().y};
        for (Vec2& vertex : vertices) vertex = {vertex.x + shift.x, vertex.y + shift.y};
        return replace_wall(*state_, body.wall.index, vertices, WallTravel::jumps);
    });
}

Result<void> World::remove_body(BodyHandle handle)
{
    return answer([&]() -> Result<void> {
        if (!alive(handle)) return dead_body();
        Body& body = state_->bodies.bodies[handle.index];
        if (!body.is_disc()) drop_wall(*state_, body.wall.index);
        body.live = false;
        ++body.generation;
        body.wall = {};
        state_->bodies.free_bodies.push_back(
            handle.index);  // room was taken when the body was added
        return {};
    });
}

bool World::alive(BodyHandle body) const
{
    return state_->bodies.find(body) != nullptr;
}

Result<Vec2> World::body_position(BodyHandle handle) const
{
    return answer([&]() -> Result<Vec2> {
        const Body* body = state_->bodies.find(handle);
        if (body == nullptr) return dead_body();
        if (body->is_disc()) return body->position;
        const Wall& wall = state_->walls.walls[body->wall.index];
        return Vec2{wall.vertices.front().x + wall.moved.x, wall.vertices.front().y + wall.moved.y};
    });
}

}  // namespace sidestep
