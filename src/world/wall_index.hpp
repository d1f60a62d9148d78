// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/column.hpp"
#include "math/box_tree.hpp"
#include "world/wall_table.hpp"

namespace sidestep {

// Which walls are near an agent.
//
// In: the directed edges of all walls, eight to a leaf in space order under a box tree. Out: the
// edges an agent faces within its reach, nearest first. Built anew when walls have changed, in
// memory that the edit took.

/// An edge in reach of an agent.
struct WallHit {
    float dist_sq;      ///< from the agent's centre to the nearest point of the edge [m2]
    std::uint32_t row;  ///< in WallIndex::edges
};

/// Per worker.
struct WallScratch {
    Column<std::uint32_t> near;  ///< rows of edges near a leaf; room for all edges
    Column<WallHit> hits;        ///< of one agent; room for all edges
    Column<std::uint32_t>
        leaf_rows;  ///< sorted rows of each lane in turn: kLeafRows times all edges

    // Nearest first, of all lanes at once: kLeafRows times all edges.
    Column<float> lane_dist_sq;
    Column<std::int32_t> lane_rank;

    /// Room for this many edges and agents at once; false where memory is short.
    [[nodiscard]] bool reserve(std::size_t edges, std::size_t lanes) noexcept
    {
        return near.reserve(edges) && hits.reserve(edges) && leaf_rows.reserve(edges * lanes) &&
               lane_dist_sq.reserve(edges * lanes) && lane_rank.reserve(edges * lanes);
    }
    std::size_t bytes() const noexcept;
};

struct WallIndex {
    Column<WallEdgeRow> edges;  ///< in space order, padded to whole leaves by edges of no level
    BoxTree tree;
    float top_speed = 0.0f;  ///< of the fastest edge [m/s]

    // Of the same rows, packed for kernels.
    Column<float> ax, ay, bx, by;       ///< [m] about the origin
    Column<float> speed;                ///< [m/s]
    Column<float> level;                ///< as a number: levels are small
    Column<float> second_copy;          ///< 1 or 0
    Column<std::int32_t> rank;          ///< place in the order (wall, edge)
    Column<std::uint32_t> row_of_rank;  ///< and back

    std::size_t size() const { return edges.size(); }
    std::size_t bytes() const noexcept;
};

/// The level of padding edges: nobody is there.
inline constexpr std::uint16_t kNoLevel = 0xffff;

/// Room for this many edges; false where memory is short.
[[nodiscard]] bool reserve(WallIndex& index, std::size_t edges) noexcept;

/// The index of the walls as they are now. Needs room for all edges.
void rebuild(WallIndex& index, const WallTable& walls) noexcept;

/// det(b - a, p - a) of the edge, or of the way out for the way back of a thin wall, with the sign
/// for this direction: negative where p is on the free side. Taken from the same numbers for both
/// ways, so that exactly one of them sees an agent beside the wall.
inline float side_of(const WallEdgeRow& edge, float x, float y)
{
    if (edge.shape.second_copy) {
        return -((edge.shape.a.x - edge.shape.b.x) * (y - edge.shape.b.y) -
                 (edge.shape.a.y - edge.shape.b.y) * (x - edge.shape.b.x));
    }
    return (edge.shape.b.x - edge.shape.a.x) * (y - edge.shape.a.y) -
           (edge.shape.b.y - edge.shape.a.y) * (x - edge.shape.a.x);
}

/// Whether an agent at (x, y) is on the free side. One exactly in line counts, once.
inline bool faces(const WallEdgeRow& edge, float x, float y)
{
    const float side = side_of(edge, x, y);
    return side < 0.0f || (side == 0.0f && !edge.shape.second_copy);
}

/// Squared distance to the edge [m2]; beyond an end, to that very vertex.
inline float dist_sq(const WallEdgeRow& edge, float x, float y)
{
    const float rx = x - edge.shape.a.x;
    const float ry = y - edge.shape.a.y;
    const float ex = edge.shape.b.x - edge.shape.a.x;
    const float ey = edge.shape.b.y - edge.shape.a.y;
    const float along = rx * ex + ry * ey;
    if (!(along > 0.0f)) return rx * rx + ry * ry;
    const float length_sq = ex * ex + ey * ey;
    if (along >= length_sq)
        return (x - edge.shape.b.x) * (x - edge.shape.b.x) +
               (y - edge.shape.b.y) * (y - edge.shape.b.y);
    const float s = along / length_sq;
    const float fx = rx - s * ex;
    const float fy = ry - s * ey;
    return fx * fx + fy * fy;
}

/// Point of the edge nearest to (x, y); beyond an end, that very vertex.
inline Point<float> nearest_point(const WallEdge<float>& edge, float x, float y)
{
    const float ex = edge.b.x - edge.a.x;
    const float ey = edge.b.y - edge.a.y;
    const float along = (x - edge.a.x) * ex + (y - edge.a.y) * ey;
    const float length_sq = ex * ex + ey * ey;
    if (!(along > 0.0f)) return edge.a;
    if (along >= length_sq) return edge.b;
    const float s = along / length_sq;
    return {edge.a.x + s * ex, edge.a.y + s * ey};
}

/// Calls visit(row) for each edge of this level in leaves that come within `reach` of the box.
template <class Visit>
void for_each_edge_near(const WallIndex& index, const Box& box, float reach, std::uint16_t level,
                        Visit&& visit)
{
    index.tree.walk(
        [&](const BoxNode& node) {
            return node.min_level <= level && level <= node.max_level &&
                   dist_sq(node.box, box) <= reach * reach;
        },
        [&](std::size_t leaf) {
            for (std::size_t row = leaf * 8; row < leaf * 8 + 8; ++row) {
                if (index.edges[row].level == level) visit(row);
            }
        });
}

/// Fills scratch.near with all edges that can come within `reach`, plus `horizon` times an edge's
/// own speed, of somebody in the box: one walk of the tree for many calls of find_walls.
void find_walls_near(const WallIndex& index, const Box& box, std::uint16_t level, float reach,
                     float horizon, WallScratch& scratch) noexcept;

/// Fills scratch.hits with those of scratch.near that an agent at (x, y) faces and that come within
/// `reach`, plus `horizon` times the edge's own speed, of it; ordered by (distance, wall, edge).
void find_walls(const WallIndex& index, float x, float y, float reach, float horizon,
                WallScratch& scratch) noexcept;

/// Both for one agent.
inline void find_walls(const WallIndex& index, float x, float y, std::uint16_t level, float reach,
                       float horizon, WallScratch& scratch) noexcept
{
    find_walls_near(index, Box{x, y, x, y}, level, reach, horizon, scratch);
    find_walls(index, x, y, reach, horizon, scratch);
}

}  // namespace sidestep
