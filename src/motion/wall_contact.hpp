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

/// Edges near a leaf of agents: looked for once, and then among a few for each of them.
struct NearWalls {
    static constexpr std::size_t kMost = 64;
    std::uint32_t row[kMost];
    std::size_t count = 0;
    bool complete = true;  ///< there are no more

    void add(std::size_t edge)
    {
        if (count < kMost) row[count++] = static_cast<std::uint32_t>(edge);
        else complete = false;
    }
};

/// All walls of a level but `ignored`.
struct WallsAround {
    const WallIndex& index;
    std::uint16_t level = 0;
    std::uint32_t ignored = 0xffffffffu;
    const NearWalls* near = nullptr;  ///< where set, all that will be asked for is among them
};

/// Calls visit(segment) for each edge that `from` faces within `reach` [m] of the way to `to`.
template <class Visit>
void for_each_faced_edge(const WallsAround& walls, const Spot& from, const Spot& to, double reach,
                         Visit&& visit)
{
    constexpr float kMargin = 1e-3f;  // [m], far above the rounding of what follows
    const auto low = [](double a, double b) { return static_cast<float>(std::min(a, b)); };
    const auto high = [](double a, double b) { return static_cast<float>(std::max(a, b)); };
    const Box box{low(from.x, to.x), low(from.y, to.y), high(from.x, to.x), high(from.y, to.y)};
    const float around = static_cast<float>(reach) + kMargin;
    const auto look_at = [&](std::size_t row) {
        const WallEdgeRow& edge = walls.index.edges[row];
        const Point<float>& a = edge.shape.a;
        const Point<float>& b = edge.shape.b;
        if (edge.wall == walls.ignored || std::min(a.x, b.x) > box.max_x + around ||
            std::max(a.x, b.x) < box.min_x - around || std::min(a.y, b.y) > box.max_y + around ||
            std::max(a.y, b.y) < box.min_y - around)
            return;
        const Segment segment = segment_of(edge);
        if (faces(segment, from)) visit(segment);
    };
    if (walls.near != nullptr && walls.near->complete) {
        for (std::size_t i = 0; i < walls.near->count; ++i) look_at(walls.near->row[i]);
        return;
    }
    for_each_edge_near(walls.index, box, static_cast<float>(reach), walls.level, look_at);
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
