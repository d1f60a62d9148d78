// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <optional>
#include <vector>

#include "math/input_checks.hpp"
#include "math/sight_line.hpp"
#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

/// [s] A duration counts as longer than another only beyond this: steps times dt are rounded.
constexpr double kTimeEdge = 1e-9;

Point<double> point(Vec2 v)
{
    return {v.x, v.y};
}

/// Who is exactly at the range is seen: distances that differ by less than this part are equal,
/// since they come out a rounding or two apart by different ways.
constexpr double kRangeEdge = 4.0 * std::numeric_limits<double>::epsilon();

/// Whether `steps` steps of dt take longer than `time`.
bool longer(std::size_t steps, double dt, double time)
{
    return static_cast<double>(steps) * dt > time + kTimeEdge;
}

std::vector<bool> gate(const std::vector<bool>& seen, double observation_time, double memory,
                       double dt)
{
    std::vector<bool> active(seen.size(), false);
    std::size_t first = 0;
    std::optional<std::size_t> last;
    for (std::size_t k = 0; k < seen.size(); ++k) {
        if (!seen[k]) continue;
        if (!last || longer(k - *last, dt, memory)) first = k;
        last = k;
        active[k] = longer(k - first, dt, observation_time);
    }
    return active;
}

}  // namespace

Result<std::vector<bool>> rcap_gate(const std::vector<bool>& seen, double observation_time,
                                    double memory, double dt)
{
    InputCheck c;
    c.not_negative_or_infinite("T_obs", observation_time);
    if (c.not_negative_or_infinite("T_forget", memory).positive("dt", dt).failed())
        return c.error();
    try {
        return gate(seen, observation_time, memory, dt);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "no memory for the steps"};
    }
}

Result<bool> visible(const SightQuery& q)
{
    InputCheck c;
    c.finite("pa", q.from).finite("pb", q.to).finite("heading", q.heading.value_or(Vec2{}));
    c.not_negative("fov", q.field_of_view).not_negative_or_infinite("range", q.range);
    for (const SightSegment& wall : q.walls) c.finite("wall", wall.a).finite("wall", wall.b);
    if (c.failed()) return c.error();

    const double x = q.to.x - q.from.x;
    const double y = q.to.y - q.from.y;
    if (std::sqrt(x * x + y * y) > q.range * (1.0 + kRangeEdge)) return false;
    if (q.heading && !FieldOfView(q.field_of_view).shows(point(*q.heading), {x, y})) return false;
    return std::none_of(q.walls.begin(), q.walls.end(), [&](const SightSegment& wall) {
        return hides(point(wall.a), point(wall.b), point(q.from), point(q.to));
    });
}

}  // namespace sidestep
