// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A world to make calls in that cannot be done, and what such a call must leave as it was.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <ostream>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/short_memory.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {

/// A world with a bit of everything, the same each time, and handles of what is in it and of what
/// was.
struct Place {
    World world;
    std::vector<AgentHandle> agents;
    AgentHandle dead_agent;
    WallHandle wall, thin_wall, dead_wall;
    BodyHandle disc, polygon, dead_body;
};

inline std::vector<Vec2> square(Vec2 corner, double side)
{
    return {corner, corner + Vec2{side, 0.0}, corner + Vec2{side, side}, corner + Vec2{0.0, side}};
}

inline Place make_place(std::size_t agents = 40, double half_side = 8.0)
{
    Place place{.world = make_world(),
                .agents = {},
                .dead_agent = {},
                .wall = {},
                .thin_wall = {},
                .dead_wall = {},
                .disc = {},
                .polygon = {},
                .dead_body = {}};
    World& world = place.world;
    SeededRandom random(2);
    place.wall = must(world.add_wall({square({20.0, 20.0}, 4.0), WallKind::solid}));
    place.thin_wall = must(world.add_wall({{{-12.0, -12.0}, {-12.0, 12.0}}, WallKind::thin}));
    place.dead_wall = must(world.add_wall({square({60.0, 20.0}, 4.0), WallKind::solid}));
    place.disc = must(world.add_body(
        {.position = {30.0, 0.0}, .radius = 1.0, .outline = {}, .velocity = {-0.5, 0.0}}));
    place.polygon =
        must(world.add_body({.outline = square({-30.0, 0.0}, 2.0), .velocity = {0.5, 0.0}}));
    place.dead_body =
        must(world.add_body({.outline = square({-60.0, 0.0}, 2.0), .velocity = {0.5, 0.0}}));
    std::vector<AgentSpec> specs;
    for (std::uint32_t i = 0; i < agents; ++i) {
        specs.push_back({.position = random.in_box(half_side),
                         .goal = random.in_box(half_side),
                         .id = 2 * i,
                         .level = static_cast<std::uint16_t>(i % 2)});
    }
    place.agents = must(world.add(specs));
    place.dead_agent = place.agents.back();
    must(world.remove(place.dead_agent));
    place.agents.pop_back();
    must(world.remove_wall(place.dead_wall));
    must(world.remove_body(place.dead_body));
    must(world.set_rank(place.agents[3], 4.0));
    for (int i = 0; i < 3; ++i) world.step();
    return place;
}

/// All of the state that a caller can see.
struct Visible {
    std::uint64_t hash, added, removed, step;
    std::size_t size;
    std::vector<Vec2> preferred;
    bool operator==(const Visible&) const = default;
    friend void PrintTo(const Visible& seen, std::ostream* out)
    {
        *out << "hash " << seen.hash << ", " << seen.size << " agents, " << seen.added << " added, "
             << seen.removed << " removed, step " << seen.step << ", preferred velocities";
        for (const Vec2 v : seen.preferred) *out << " (" << v.x << ", " << v.y << ")";
    }
};

inline Visible visible(const Place& place)
{
    const World& world = place.world;
    Visible seen{world.state_hash(), world.added(), world.removed(),
                 world.step_index(), world.size(),  {}};
    for (const AgentHandle agent : place.agents)
        seen.preferred.push_back(must(world.agent(agent)).preferred_velocity);
    return seen;
}

/// Hashes of the next steps: what cannot be seen must not have changed either.
inline std::vector<std::uint64_t> future(World& world)
{
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 9; ++i) {  // rows are sorted in one of them
        EXPECT_FALSE(world.step().fault);
        hashes.push_back(world.state_hash());
    }
    return hashes;
}

/// What a call answered, whatever its type of value.
struct Outcome {
    bool ok = true;
    bool threw = false;
    Error error;
};

/// Makes a call with memory for so many allocations.
using Attempt = std::function<Outcome(Place&, long allocations)>;

/// `call` itself must take no memory: what it hands over is made before.
template <class Call>
Attempt attempt(Call call)
{
    return [call](Place& place, long allocations) -> Outcome {
        try {
            const auto result = [&] {
                const ShortMemory memory(allocations);
                return call(place);
            }();
            return result ? Outcome{} : Outcome{false, false, result.error()};
        } catch (const std::bad_alloc&) {
            return {false, true, {}};
        }
    };
}

}  // namespace sidestep::test
