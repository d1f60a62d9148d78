// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/wall_table.hpp"

#include <algorithm>
#include <utility>

namespace sidestep {

namespace {

Point<float> moved_point(const Point<double>& point, Vec2 by)
{
    return {static_cast<float>(point.x + by.x), static_cast<float>(point.y + by.y)};
}

/// A point this far outside the box of a wall is outside the wall, whatever float makes of it [m].
constexpr double kBoxMargin = 0.01;

bool is_near_box(const Wall& wall, double x, double y)
{
    return x >= wall.low.x + wall.moved.x - kBoxMargin &&
           x <= wall.high.x + wall.moved.x + kBoxMargin &&
           y >= wall.low.y + wall.moved.y - kBoxMargin &&
           y <= wall.high.y + wall.moved.y + kBoxMargin;
}

}  // namespace

void Wall::set_edges(std::vector<WallEdge<double>> loop)
{
    edges = std::move(loop);
    low = high = edges.empty() ? Vec2{} : Vec2{edges[0].a.x, edges[0].a.y};
    for (const WallEdge<double>& edge : edges) {
        low = {std::min(low.x, edge.a.x), std::min(low.y, edge.a.y)};
        high = {std::max(high.x, edge.a.x), std::max(high.y, edge.a.y)};
    }
}

WallEdgeRow edge_row(const Wall& wall, std::uint32_t index, std::size_t number)
{
    WallEdgeRow row;
    row.shape = convert_edge<float>(wall.edges[number]);
    row.shape.a = moved_point(wall.edges[number].a, wall.moved);
    row.shape.b = moved_point(wall.edges[number].b, wall.moved);
    row.velocity = {static_cast<float>(wall.velocity.x), static_cast<float>(wall.velocity.y)};
    row.wall = index;
    row.number = static_cast<std::uint32_t>(number);
    row.level = wall.level;
    return row;
}

bool inside_solid(const Wall& wall, float x, float y)
{
    // Even-odd rule, in double on the rounded points that the kernels see.
    bool inside = false;
    for (const WallEdge<double>& edge : wall.edges) {
        const Point<float> a = moved_point(edge.a, wall.moved);
        const Point<float> b = moved_point(edge.b, wall.moved);
        if ((a.y > y) == (b.y > y)) continue;
        const double share = (double{y} - a.y) / (double{b.y} - a.y);
        if (x < a.x + share * (double{b.x} - a.x)) inside = !inside;
    }
    return inside;
}

const Wall* solid_wall_around(const WallTable& table, float x, float y, std::uint16_t level)
{
    for (const Wall& wall : table.walls) {
        if (wall.live && wall.kind == WallKind::solid && wall.level == level &&
            is_near_box(wall, double{x}, double{y}) && inside_solid(wall, x, y))
            return &wall;
    }
    return nullptr;
}

}  // namespace sidestep
