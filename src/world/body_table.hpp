// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sidestep/world.hpp"

namespace sidestep {

/// A body that yields to nobody. Discs are avoided like agents of infinite rank, but never crowded
/// out of a neighbour list: there are few of them, and a lorry is seen beyond five metres. Polygons
/// are walls with a velocity, kept in the wall table.
struct Body {
    std::uint32_t generation = 0;
    bool live = false;
    std::uint16_t level = 0;
    Vec2 position{};  ///< of a disc [m]
    double radius = 0.0;
    Vec2 velocity{};    ///< [m/s]
    WallHandle wall{};  ///< of a polygon, else no wall
    bool always_noticed = false;
    bool is_disc() const { return wall.index == WallHandle{}.index; }
};

struct BodyTable {
    std::vector<Body> bodies;
    std::vector<std::uint32_t> free_bodies;

    const Body* find(BodyHandle handle) const
    {
        if (handle.index >= bodies.size()) return nullptr;
        const Body& body = bodies[handle.index];
        return body.live && body.generation == handle.generation ? &body : nullptr;
    }
};

}  // namespace sidestep
