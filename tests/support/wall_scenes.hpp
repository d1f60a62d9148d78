// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random places full of walls, and crowds in them.

#include <memory>

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"
#include "support/wall_oracle.hpp"

namespace sidestep::test {

inline Vec2 turned(Vec2 v, double angle)
{
    return {v.x * std::cos(angle) - v.y * std::sin(angle),
            v.x * std::sin(angle) + v.y * std::cos(angle)};
}

/// The outline turned by an angle [rad] about 0 and then shifted.
inline std::vector<Vec2> placed(std::vector<Vec2> outline, Vec2 at, double angle)
{
    for (Vec2& v : outline) v = turned(v, angle) + at;
    return outline;
}

inline std::vector<Vec2> rectangle(Vec2 low, Vec2 high)
{
    return {low, {high.x, low.y}, high, {low.x, high.y}};
}

/// A random outline of about this size: blocks and slabs, triangles, and shapes with concave
/// corners. Counter-clockwise.
inline std::vector<Vec2> random_outline(SeededRandom& random, double size)
{
    const double s = size;
    const double w = size * random.uniform(0.1, 0.9);
    switch (random.below(6)) {
        case 0: return rectangle({-s / 2, -s / 2}, {s / 2, s / 2});
        case 1: return rectangle({-s / 2, -0.02}, {s / 2, 0.02});  // slab
        case 2:
            return {{-s / 2, -s / 3}, {s / 2, -s / 3}, {random.uniform(-s, s), s / 2}};  // triangle
        case 3: return {{0, 0}, {s, 0}, {s, w}, {w, w}, {w, s}, {0, s}};                 // L
        case 4:
            return {{0, 0},         {s, 0},     {s, s}, {s - w / 3, s}, {s - w / 3, w / 3},
                    {w / 3, w / 3}, {w / 3, s}, {0, s}};                     // U
        default: return {{-s / 2, 0}, {0, -w / 4}, {s / 2, 0}, {0, w / 2}};  // kite
    }
}

/// A world with walls, and an inspector that knows them.
struct WallScene {
    World world;
    std::unique_ptr<WallInspector> inspector;
    std::vector<WallHandle> handles;

    explicit WallScene(WorldOptions options = {})
        : world(make_world(std::move(options))), inspector(std::make_unique<WallInspector>(world))
    {}

    std::size_t add(const WallSpec& spec)
    {
        handles.push_back(must(world.add_wall(spec)));
        inspector->walls.push_back(to_oracle(spec, world.origin()));
        return handles.size() - 1;
    }

    /// Adds a wall among people; the first thing that is wrong afterwards.
    std::string add_among(const WallSpec& spec)
    {
        inspector->look();
        add(spec);
        return inspector->find_fault_after_adding();
    }

    /// Moves a wall; the first thing that is wrong afterwards.
    std::string move(std::size_t wall, const std::vector<Vec2>& vertices)
    {
        inspector->look();
        must(world.move_wall(handles[wall], vertices));
        const OracleWall& old = inspector->walls[wall];
        return inspector->find_fault_after_move(
            wall, to_oracle({vertices, old.kind, old.level}, world.origin()));
    }

    /// Steps; the first thing that is wrong afterwards.
    std::string step()
    {
        inspector->look();
        last = world.step();
        if (last.fault) return "fault: " + last.fault->cause;
        return inspector->find_fault_after_step(last);
    }

    StepReport last;
};

/// Whether a disc is free of all walls of level 0, and inside its rooms.
inline bool is_free(const std::vector<OracleWall>& walls, Vec2 p, double radius)
{
    for (const OracleWall& wall : walls) {
        if (wall.level != 0) continue;
        if (wall.kind == WallKind::solid && is_inside(wall, p)) return false;
        if (wall.kind == WallKind::room && !is_inside(wall, p)) return false;
        if (distance_to_wall(wall, p) < radius) return false;
    }
    return true;
}

/// A room with a random plan: blocks, slabs, thin walls that may touch and leave gaps of any width.
inline void add_random_walls(WallScene& scene, SeededRandom& random, double size)
{
    const double angle = random.chance(0.5) ? 0.0 : random.uniform(-3.0, 3.0);
    const Vec2 centre = scene.world.origin();
    const double s = size;
    std::vector<Vec2> room = rectangle({-s, -s}, {s, s});
    if (random.chance(0.4))
        room = {{-s, -s}, {s, -s}, {s, 0.2 * s}, {0.3 * s, 0.2 * s}, {0.3 * s, s}, {-s, s}};  // L
    scene.add({placed(room, centre, angle), WallKind::room});
    for (std::size_t i = random.below(6); i > 0; --i) {
        const auto outline = random_outline(random, random.uniform(0.5, 0.6 * size));
        const double turn = random.chance(0.3) ? angle : random.uniform(-3.0, 3.0);
        scene.add({placed(outline, centre + random.in_box(size), turn), WallKind::solid});
    }
    for (std::size_t i = random.below(6); i > 0; --i) {
        const OracleWall& other =
            scene.inspector->walls[random.below(scene.inspector->walls.size())];
        const Vec2 from = random.chance(0.5) ? other.vertices[random.below(other.vertices.size())]
                                             : centre + random.in_box(size);
        const Vec2 to = random.chance(0.3) ? Vec2{from.x, centre.y + random.uniform(-size, size)}
                                           : centre + random.in_box(size);
        if (norm(to - from) > 0.1) scene.add({{from, to}, WallKind::thin});
    }
}

/// Up to `count` agents of mixed traits where there is room, with goals anywhere, also behind
/// walls.
inline std::vector<AgentHandle> add_random_crowd(WallScene& scene, SeededRandom& random,
                                                 std::size_t count, double size)
{
    std::vector<AgentHandle> agents;
    for (std::size_t i = 0; i < count; ++i) {
        const double radius = random.one_of({0.1, 0.2, 0.3});
        const Vec2 at = scene.world.origin() + random.in_box(size);
        if (!is_free(scene.inspector->walls, at, radius + 1e-5)) continue;
        const AgentHandle agent = must(scene.world.add(
            {.position = at, .goal = scene.world.origin() + random.in_box(1.5 * size)}));
        const double speed = random.one_of({0.7, 1.4, 4.0});
        must(scene.world.set_radius(agent, radius));
        must(scene.world.set_preferred_speed(agent, speed));
        must(scene.world.set_max_speed(agent, speed * random.one_of({1.0, 1.5})));
        if (random.chance(0.3))
            must(scene.world.set_trait(agent, "max_acceleration", random.one_of({0.3, 1.5, 8.0})));
        if (random.chance(0.3)) must(scene.world.set_model(agent, "seek"));
        agents.push_back(agent);
    }
    return agents;
}

}  // namespace sidestep::test
