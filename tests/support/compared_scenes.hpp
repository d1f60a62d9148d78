// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Scenes as values, to be put into several worlds that are compared.

#include <cmath>
#include <limits>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {

/// All that goes into a world.
struct Scene {
    std::vector<ProfileSpec> profiles;
    std::vector<AgentSpec> agents;
    std::vector<WallSpec> walls;
    std::vector<BodySpec> bodies;
};

inline std::vector<AgentHandle> fill(World& world, const Scene& scene)
{
    for (const ProfileSpec& profile : scene.profiles) must(world.add_profile(profile));
    for (const WallSpec& wall : scene.walls) must(world.add_wall(wall));
    for (const BodySpec& body : scene.bodies) must(world.add_body(body));
    return must(world.add(scene.agents));
}

inline std::vector<Vec2> rectangle(Vec2 centre, double half_x, double half_y)
{
    return {centre + Vec2{-half_x, -half_y}, centre + Vec2{half_x, -half_y},
            centre + Vec2{half_x, half_y}, centre + Vec2{-half_x, half_y}};
}

inline bool inside(Vec2 p, Vec2 centre, double half_x, double half_y)
{
    return std::abs(p.x - centre.x) < half_x && std::abs(p.y - centre.y) < half_y;
}

/// A bit of everything: two levels, a room with pillars and thin walls, a polygon and discs that
/// move, agents of all ranks and sizes, with and without limits of acceleration, some that keep
/// out of cones, some that avoid nobody, some in the same place.
inline Scene mixed_scene(std::uint64_t seed, std::size_t agents)
{
    SeededRandom random(seed);
    Scene scene;
    scene.profiles = {
        {"orca", {{"max_acceleration", 3.0}, {"time_horizon", 3.0}}},
        {"seek", {{"preferred_speed", 0.8}}},
        {"orca", {{"velocity_uncertainty", 0.1}, {"overlap_time", 0.3}, {"wall_clearance", 0.1}}},
        {"clearpath", {{"variant", 1.0}, {"max_acceleration", 4.0}}},
        {"seek", {{"filter", 2.0}}}};
    const Vec2 pillars[] = {{-8.0, -6.0}, {5.0, 4.0}, {9.0, -9.0}};
    for (std::uint16_t level = 0; level < 2; ++level) {
        scene.walls.push_back({rectangle({}, 16.0, 14.0), WallKind::room, level});
        for (const Vec2 p : pillars)
            scene.walls.push_back({rectangle(p, 0.8, 0.6), WallKind::solid, level});
        scene.walls.push_back({{{-12.0, 2.0}, {-4.0, 6.0}}, WallKind::thin, level});
        scene.walls.push_back({{{2.0, -10.0}, {2.0, -2.0}}, WallKind::thin, level});
        scene.bodies.push_back({.position = {-10.0, 0.0},
                                .radius = 0.7,
                                .outline = {},
                                .velocity = {0.9, 0.1},
                                .level = level});
        scene.bodies.push_back({.outline = rectangle({12.0, 0.0}, 0.9, 1.5),
                                .velocity = {-0.7, 0.05},
                                .level = level});
    }
    const auto is_free = [&](Vec2 p) {
        for (const Vec2 pillar : pillars) {
            if (inside(p, pillar, 1.4, 1.2)) return false;
        }
        return !inside(p, {12.0, 0.0}, 1.5, 2.1);
    };
    const auto place = [&] {
        for (;;) {
            const Vec2 p{random.uniform(-15.0, 15.0), random.uniform(-13.0, 13.0)};
            if (is_free(p)) return p;
        }
    };
    for (std::uint32_t i = 0; i < agents; ++i) {
        AgentSpec spec;
        // Every fifth on a lattice: who of those equally far is still listed is for the id to say.
        spec.position =
            i % 5 == 0 ? Vec2{0.5 * (i / 5 % 15) - 4.0, 0.5 * (i / 5 / 15) - 3.5} : place();
        if (i % 50 == 49) spec.position = scene.agents.back().position;
        spec.level =
            i % 50 == 49 ? scene.agents.back().level : static_cast<std::uint16_t>(random.below(2));
        spec.velocity = random.in_box(1.0);
        if (!random.chance(0.05)) spec.goal = place();
        spec.id = i * 3 + 1;
        spec.profile = static_cast<ProfileId>(random.chance(0.1) ? 2 : random.one_of({0, 0, 1, 3}));
        if (i % 16 == 15) spec.profile = static_cast<ProfileId>(4 + i / 16 % 2);
        spec.traits = {{"radius", random.uniform(0.1, 0.35)},
                       {"rank", random.one_of({0.0, 0.5, 1.0, 1.0, 3.0,
                                               std::numeric_limits<double>::infinity()})}};
        if (random.chance(0.1))
            spec.traits.emplace_back("max_neighbours", random.one_of({0.0, 3.0, 40.0}));
        if (random.chance(0.1)) spec.traits.emplace_back("planning_radius", 0.5);
        scene.agents.push_back(spec);
    }
    return scene;
}

}  // namespace sidestep::test
