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
    return std::sqrt(edge.velocity.x * edge.velocity.x + edge.velocity.y * edge.velocity.y);
}

bool comes_before(const WallEdgeRow& a, const WallEdgeRow& b)
{
    return a.wall != b.wall ? a.wall < b.wall : a.number < b.number;
}

}  // namespace

bool reserve(WallIndex& index, std::size_t edges) noexcept
{
    const std::size_t leaves = (edges + kLeafEdges - 1) / kLeafEdges;
    return index.edges.reserve(leaves * kLeafEdges) && index.tree.reserve(leaves);
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
        index.tree.leaf(leaf) = node;
    }
    index.tree.refit();
}

void find_walls(const WallIndex& index, float x, float y, std::uint16_t level, float reach,
                float horizon, WallScratch& scratch) noexcept
{
    scratch.hits.clear();
    const float widest = reach + horizon * index.top_speed;
    for_each_edge_near(index, Box{x, y, x, y}, widest, level, [&](std::size_t row) {
        const WallEdgeRow& edge = index.edges[row];
        const float own_reach = reach + horizon * speed_of(edge);
        const float distance = dist_sq(edge, x, y);
        if (distance <= own_reach * own_reach && faces(edge, x, y))
            scratch.hits.push_back({distance, static_cast<std::uint32_t>(row)});
    });
    std::sort(scratch.hits.begin(), scratch.hits.end(), [&](const WallHit& a, const WallHit& b) {
        return a.dist_sq != b.dist_sq ? a.dist_sq < b.dist_sq
                                      : comes_before(index.edges[a.row], index.edges[b.row]);
    });
}

}  // namespace sidestep
