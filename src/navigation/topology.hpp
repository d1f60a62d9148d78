// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "navigation/mesh.hpp"
#include "navigation/plane.hpp"

namespace sidestep {

/// No triangle, half-edge, vertex, fan or root.
inline constexpr std::uint32_t kNoIndex = 0xffffffffu;

/// A mesh as it can be walked on with doors as they are now. Half-edge 3 t + i belongs to triangle
/// t and leads from its corner i to corner i + 1.
///
///             c                 The corner at a of triangle t: between the half-edges
///            / \                3t (a to b) and 3t + 2 (c to a).
///     3t+2  / t \  3t+1
///          a-----b
///            3t
struct Topology {
    std::vector<plane::Point> vertices;  ///< about `origin`
    std::vector<std::uint32_t> corners;  ///< 3 t + i -> vertex
    std::vector<std::uint32_t> twins;    ///< 3 t + i -> the same edge seen from the other side;
                                         ///< kNoIndex: a wall or a closed door
    /// 3 t + i -> width of the way round corner i, from one of its edges to the other [m]: the
    /// distance from the corner to the nearest wall across the opposite edge, [Demyen06]. Who is
    /// wider does not pass there. One mesh serves all radii; meshes inset by each radius would have
    /// to be made for each of them, and their rounded corners have many vertices.
    std::vector<double> clearances;
    /// The clearances between two open edges, sorted; widths that are nearly the same are one, by
    /// the least of them. Radii between the same two throats see the same floor: a class.
    std::vector<double> throats;

    /// The triangles round a vertex from one wall to the next, counter-clockwise. Where a wall
    /// touches another in one point a vertex has several.
    struct Fan {
        std::uint32_t first = 0;  ///< into fan_corners
        std::uint32_t count = 0;
        std::uint32_t vertex = 0;
        bool reflex = false;  ///< more than half a turn: shortest ways turn here
        double width = 0.0;   ///< least free width beside the corner [m]
    };
    std::vector<Fan> fans;
    std::vector<std::uint32_t> fan_corners;  ///< 3 t + i
    std::vector<std::uint32_t> fan_of;       ///< 3 t + i -> fan, kNoIndex: no wall at this vertex
    std::vector<std::uint32_t> place_in_fan;

    double origin_x = 0.0, origin_y = 0.0;

    plane::Point vertex(std::uint32_t corner) const { return vertices[corners[corner]]; }
    plane::Point local(Vec2 p) const { return {p.x - origin_x, p.y - origin_y}; }
    Vec2 global(plane::Point p) const { return {p.x + origin_x, p.y + origin_y}; }
    std::size_t triangle_count() const { return corners.size() / 3; }
};

constexpr std::uint32_t next_edge(std::uint32_t e)
{
    return e % 3 == 2 ? e - 2 : e + 1;
}
constexpr std::uint32_t previous_edge(std::uint32_t e)
{
    return e % 3 == 0 ? e + 2 : e - 1;
}

/// Makes it from a mesh; a triangle of a closed door is cut off from all others.
Topology make_topology(const NavigationMesh& mesh, std::span<const std::uint8_t> door_is_open);

}  // namespace sidestep
