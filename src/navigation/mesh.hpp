// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sidestep/vec2.hpp"

namespace sidestep {

inline constexpr std::uint32_t kNoTriangle = 0xffffffffu;
inline constexpr std::uint16_t kNoDoor = 0xffff;

/// Triangles of the walkable area of one level. Every vertex lies on an outline, so every edge
/// either is a wall or leads to a neighbour.
struct NavigationMesh {
    std::vector<Vec2> vertices;                           ///< [m], the user's coordinates
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise
    /// Across the edge from corner i to corner i + 1; kNoTriangle: a wall.
    std::vector<std::array<std::uint32_t, 3>> neighbours;
    std::vector<std::uint16_t> door;  ///< the door this triangle is part of, or kNoDoor
};

}  // namespace sidestep
