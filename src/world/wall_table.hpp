// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/wall_edges.hpp"
#include "sidestep/world.hpp"

namespace sidestep {

/// A wall or a polygon with a velocity, in the user's coordinates.
struct Wall {
    std::uint32_t generation = 0;
    bool live = false;
    WallKind kind = WallKind::solid;
    std::uint16_t level = 0;
    Vec2 velocity{};                      ///< [m/s], of a body; zero for walls
    std::vector<Vec2> vertices;           ///< as given, in the user's coordinates
    std::vector<WallEdge<double>> edges;  ///< about the world's origin, vertices rounded to float
    Vec2 low{}, high{};                   ///< the box of these edges
    Vec2 moved{};                         ///< how far a body has carried them since

    void set_edges(std::vector<WallEdge<double>> loop);
};

/// One directed edge as kernels read it, about the world's origin. The free side is to the right.
struct alignas(64) WallEdgeRow {
    WallEdge<float> shape;
    Point<float> velocity;     ///< [m/s]
    std::uint32_t wall = 0;    ///< index in the wall table
    std::uint32_t number = 0;  ///< of the edge in its wall
    std::uint16_t level = 0;
};
static_assert(sizeof(WallEdgeRow) == 64);

/// The walls, at rest.
struct WallTable {
    std::vector<Wall> walls;
    std::vector<std::uint32_t> free_walls;
    std::size_t edge_count = 0;  ///< directed edges of all live walls

    const Wall* find(WallHandle handle) const
    {
        if (handle.index >= walls.size()) return nullptr;
        const Wall& wall = walls[handle.index];
        return wall.live && wall.generation == handle.generation ? &wall : nullptr;
    }
};

/// Directed edge `number` of wall `index` where it is now.
WallEdgeRow edge_row(const Wall& wall, std::uint32_t index, std::size_t number);

/// Whether a point about the world's origin lies inside a solid wall.
bool inside_solid(const Wall& wall, float x, float y);

/// A live solid wall of this level that has the point inside, or nullptr.
const Wall* solid_wall_around(const WallTable& table, float x, float y, std::uint16_t level);

}  // namespace sidestep
