// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "run/plane_shapes.hpp"

#include <algorithm>

namespace sidestep {

bool is_inside(std::span<const Vec2> ring, Vec2 point)
{
    bool inside = false;
    for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
        const Vec2 a = ring[i];
        const Vec2 b = ring[j];
        if ((a.y > point.y) == (b.y > point.y)) continue;
        if (point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
    }
    return inside;
}

bool is_inside(const Polygon& polygon, Vec2 point)
{
    if (!is_inside(polygon.shell, point)) return false;
    return std::none_of(polygon.holes.begin(), polygon.holes.end(),
                        [&](const auto& hole) { return is_inside(hole, point); });
}

bool is_inside(std::span<const Polygon> polygons, Vec2 point)
{
    return std::any_of(polygons.begin(), polygons.end(),
                       [&](const Polygon& polygon) { return is_inside(polygon, point); });
}

Vec2 nearest_on(Vec2 a, Vec2 b, Vec2 point)
{
    const Vec2 along = b - a;
    const double length_sq = dot(along, along);
    if (!(length_sq > 0.0)) return a;
    return a + along * std::clamp(dot(point - a, along) / length_sq, 0.0, 1.0);
}

}  // namespace sidestep
