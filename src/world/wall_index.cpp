// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/wall_index.hpp"

#include <algorithm>
#include <cmath>

#include "math/hilbert.hpp"

namespace sidestep {

namespace {

constexpr std::size_t kLeafEdges = 8;

/// Place of an edge's middle on the Hilbert curve, in cells of 1/8 m.
std::uint32_t place_of(const WallEdgeRow& edge)
{
    const auto cell = [](float a, float b) {
        return static_cast<std::uint32_t>(std::clamp((a + b) * 4.0f + 32768.0f, 0.0f, 65535.0f));
    };
    return hilbert_index(cell(edge.shape.a.x, edge.shape.b.x),
                         cell(edge.shape.a.y, edge.shape.b.y));
}

float speed_of(const WallEdgeRow& edge)
{
    if (edge.velocity.x == 0.0f && edge.velocity.y == 0.0f) return 0.0f;
    return std::sqrt(edge.velocity.x * edge.velocity.x + edge.velocity.y * edge.velocity.y);
}

/// Whether the box of an edge is farther than this: then the edge is, and needs no division.
bool is_beyond(const WallEdgeRow& edge, float x, float y, float reach)
{
    const Point<float>& a = edge.shape.a;
    const Point<float>& b = edge.shape.b;
    const float around = reach + 1e-3f;  // [m], far above all rounding here
    return std::min(a.x, b.x) > x + around || std::max(a.x, b.x) < x - around ||
           std::min(a.y, b.y) > y + around || std::max(a.y, b.y) < y - around;
}

bool comes_before(const WallEdgeRow& a, const WallEdgeRow& b)
{
    return a.wall != b.wall ? a.wall < b.wall : a.number < b.number;
}

template <class T>
std::size_t bytes_of(const Column<T>& column)
{
    return column.capacity() * sizeof(T);
}

/// The packed columns, from the edges.
void pack(WallIndex& index)
{
    const std::size_t rows = index.edges.size();
    for (Column<float>* column : {&index.ax, &index.ay, &index.bx, &index.by, &index.speed,
                                  &index.level, &index.second_copy})
        column->resize(rows);
    index.rank.resize(rows);
    index.row_of_rank.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const WallEdgeRow& edge = index.edges[row];
        index.ax[row] = edge.shape.a.x;
        index.ay[row] = edge.shape.a.y;
        index.bx[row] = edge.shape.b.x;
        index.by[row] = edge.shape.b.y;
        index.speed[row] = speed_of(edge);
        index.level[row] = static_cast<float>(edge.level);
        index.second_copy[row] = edge.shape.second_copy ? 1.0f : 0.0f;
        index.row_of_rank[row] = static_cast<std::uint32_t>(row);
    }
    std::sort(index.row_of_rank.begin(), index.row_of_rank.end(),
              [&](std::uint32_t a, std::uint32_t b) {
                  const WallEdgeRow& first = index.edges[a];
                  const WallEdgeRow& second = index.edges[b];
                  const bool same = first.wall == second.wall && first.number == second.number;
                  return same ? a < b : comes_before(first, second);  // padding is all the same
              });
    for (std::size_t i = 0; i < rows; ++i)
        index.rank[index.row_of_rank[i]] = static_cast<std::int32_t>(i);
}

}  // namespace

std::size_t WallScratch::bytes() const noexcept
{
    return bytes_of(near) + bytes_of(hits) + bytes_of(leaf_rows) + bytes_of(lane_dist_sq) +
           bytes_of(lane_rank);
}

std::size_t WallIndex::bytes() const noexcept
{
    std::size_t sum = bytes_of(edges) + tree.bytes() + bytes_of(rank) + bytes_of(row_of_rank);
    for (const Column<float>* column : {&ax, &ay, &bx, &by, &speed, &level, &second_copy})
        sum += bytes_of(*column);
    return sum;
}

bool reserve(WallIndex& index, std::size_t edges) noexcept
{
    const std::size_t leaves = (edges + kLeafEdges - 1) / kLeafEdges;
    const std::size_t rows = leaves * kLeafEdges;
    bool enough =
        index.tree.reserve(leaves) && index.rank.reserve(rows) && index.row_of_rank.reserve(rows);
    for (Column<float>* column : {&index.ax, &index.ay, &index.bx, &index.by, &index.speed,
                                  &index.level, &index.second_copy})
        enough = enough && column->reserve(rows);
    return enough && index.edges.reserve(rows);  // last: its capacity tells of all
}

void rebuild(WallIndex& index, const WallTable& table) noexcept
{
    index.edges.clear();
    index.top_speed = 0.0f;
    for (std::uint32_t number = 0; number < table.walls.size(); ++number) {
        const Wall& wall = table.walls[number];
        if (!wall.live) continue;
        for (std::size_t edge = 0; edge < wall.edges.size(); ++edge) {
            index.edges.push_back(edge_row(wall, number, edge));
            index.top_speed = std::max(index.top_speed, speed_of(index.edges.back()));
        }
    }
    std::sort(index.edges.begin(), index.edges.end(),
              [](const WallEdgeRow& a, const WallEdgeRow& b) {
                  const std::uint32_t place_a = place_of(a);
                  const std::uint32_t place_b = place_of(b);
                  return place_a != place_b ? place_a < place_b : comes_before(a, b);
              });

    const std::size_t leaves = (index.edges.size() + kLeafEdges - 1) / kLeafEdges;
    WallEdgeRow padding{};
    padding.level = kNoLevel;
    index.edges.resize(leaves * kLeafEdges, padding);
    index.tree.set_leaves(leaves);
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        BoxNode node;
        for (std::size_t row = leaf * kLeafEdges; row < (leaf + 1) * kLeafEdges; ++row) {
            const WallEdgeRow& edge = index.edges[row];
            if (edge.level == kNoLevel) continue;
            const Box box{
                std::min(edge.shape.a.x, edge.shape.b.x), std::min(edge.shape.a.y, edge.shape.b.y),
                std::max(edge.shape.a.x, edge.shape.b.x), std::max(edge.shape.a.y, edge.shape.b.y)};
            node = merge(node, BoxNode{box, 0.0f, edge.level, edge.level});
        }
        index.tree.set_leaf(leaf, node);
    }
    index.tree.refit();
    pack(index);
}

void find_walls_near(const WallIndex& index, const Box& box, std::uint16_t level, float reach,
                     float horizon, WallScratch& scratch) noexcept
{
    scratch.near.clear();
    for_each_edge_near(index, box, reach + horizon * index.top_speed, level, [&](std::size_t row) {
        scratch.near.push_back(static_cast<std::uint32_t>(row));
    });
}

void find_walls(const WallIndex& index, float x, float y, float reach, float horizon,
                WallScratch& scratch) noexcept
{
    scratch.hits.clear();
    for (const std::uint32_t row : scratch.near) {
        const WallEdgeRow& edge = index.edges[row];
        const float own_reach = reach + horizon * speed_of(edge);
        if (is_beyond(edge, x, y, own_reach)) continue;
        const float distance = dist_sq(edge, x, y);
        if (distance <= own_reach * own_reach && faces(edge, x, y))
            scratch.hits.push_back({distance, row});
    }
    std::sort(scratch.hits.begin(), scratch.hits.end(), [&](const WallHit& a, const WallHit& b) {
        return a.dist_sq != b.dist_sq ? a.dist_sq < b.dist_sq
                                      : comes_before(index.edges[a.row], index.edges[b.row]);
    });
}

}  // namespace sidestep
