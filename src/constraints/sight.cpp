// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "math/input_checks.hpp"
#include "math/sight_line.hpp"
#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

Point<double> point(Vec2 v)
{
    return {v.x, v.y};
}

}  // namespace

Result<bool> visible(const SightQuery& q)
{
    InputCheck c;
    c.finite("pa", q.from).finite("pb", q.to).finite("heading", q.heading.value_or(Vec2{}));
    c.not_negative("fov", q.field_of_view).not_negative_or_infinite("range", q.range);
    for (const SightSegment& wall : q.walls) c.finite("wall", wall.a).finite("wall", wall.b);
    if (c.failed()) return c.error();

    const double x = q.to.x - q.from.x;
    const double y = q.to.y - q.from.y;
    if (std::sqrt(x * x + y * y) > q.range) return false;
    if (q.heading && !FieldOfView(q.field_of_view).shows(point(*q.heading), {x, y})) return false;
    return std::none_of(q.walls.begin(), q.walls.end(), [&](const SightSegment& wall) {
        return hides(point(wall.a), point(wall.b), point(q.from), point(q.to));
    });
}

}  // namespace sidestep
