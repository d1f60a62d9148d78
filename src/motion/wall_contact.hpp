// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "motion/edge_geometry.hpp"
#include "world/wall_index.hpp"

namespace sidestep {

// The last word on walls: whatever a model chose, a move that would take a body into a wall is cut
// where they touch.
//
// The body is a disc that is swept along its displacement. It may sink by kContactSlop and no
// deeper; one that is already deeper (its radius grew, a wall was moved, a passage is too narrow)
// comes no closer than it is. A wall that is touched at the start holds back only the part of the
// displacement that goes against it: who leans on a wall slides along it. Walls are seen from the
// side the centre is on, and it never changes sides.

/// By how much [m] a body may sink into a wall before its move is cut. A line in float holds a body
/// at its radius up to some 1e-6 m; to cut it there would make it stick to every wall it walks
/// along.
inline constexpr double kContactSlop = 5e-4;

/// All walls of a level but `ignored`.
struct WallsAround {
    const WallIndex& index;
    std::uint16_t level = 0;
    std::uint32_t ignored = 0xffffffffu;
};

/// Calls visit(segment) for each edge that `from` faces within `reach` [m] of the way to `to`.
template <class Visit>
void for_each_faced_edge(const WallsAround& walls, const Spot& from, const Spot& to, double reach,
                         Visit&& visit)
{
    const auto low = [](double a, double b) { return static_cast<float>(std::min(a, b)); };
    const auto high = [](double a, double b) { return static_cast<float>(std::max(a, b)); };
    const Box box{low(from.x, to.x), low(from.y, to.y), high(from.x, to.x), high(from.y, to.y)};
    for_each_edge_near(walls.index, box, static_cast<float>(reach), walls.level,
                       [&](std::size_t row) {
                           const WallEdgeRow& edge = walls.index.edges[row];
                           if (edge.wall == walls.ignored) return;
                           const Segment segment = segment_of(edge);
                           if (faces(segment, from)) visit(segment);
                       });
}

/// Distance from p to the nearest edge it faces [m], at most `reach`.
double clearance(const WallsAround& walls, const Spot& p, double reach) noexcept;

/// Whether the way from p straight to q goes through a wall.
bool crosses_wall(const WallsAround& walls, const Spot& p, const Spot& q) noexcept;

struct Move {
    Spot displacement{};
    bool cut = false;         ///< not what was asked for
    double clearance = 1e30;  ///< at the start, to the nearest of the walls in the way [m]
};

/// What walls leave of the displacement [m] of a disc of this radius [m] about p.
Move move_disc(const WallsAround& walls, const Spot& p, const Spot& displacement,
               double radius) noexcept;

}  // namespace sidestep
