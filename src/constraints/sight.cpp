// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <new>
#include <optional>
#include <vector>

#include "math/input_checks.hpp"
#include "math/trig.hpp"
#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

constexpr double kPi = 3.141592653589793;
/// [rad] An agent at the very edge of the field of view is seen.
constexpr double kViewEdge = 1e-9;
/// [s] A duration counts as longer than another only beyond this: steps times dt are rounded.
constexpr double kTimeEdge = 1e-9;

/// det(b - a, c - a): positive if c is to the left of a -> b.
double side_of(Vec2 a, Vec2 b, Vec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Whether one of two signed distances is 0 or they have opposite signs.
bool straddles(double a, double b)
{
    return (a <= 0.0 && b >= 0.0) || (a >= 0.0 && b <= 0.0);
}

bool blocks(const SightSegment& wall, Vec2 from, Vec2 to)
{
    const double a = side_of(from, to, wall.a);
    const double b = side_of(from, to, wall.b);
    if (a == 0.0 && b == 0.0) return false;  // in line with the sight line
    return straddles(a, b) && straddles(side_of(wall.a, wall.b, from), side_of(wall.a, wall.b, to));
}

/// Whether the direction (x, y) is at most half the field of view away from the heading. The angle
/// is compared through the sine of a difference: no inverse function, and exact enough at both
/// ends.
bool in_view(Vec2 heading, double x, double y, double field_of_view)
{
    if (field_of_view >= 2.0 * kPi) return true;
    const double along = heading.x * x + heading.y * y;
    const double across = std::fabs(heading.x * y - heading.y * x);
    if (along == 0.0 && across == 0.0) return true;  // no heading, or the same place
    const double half_view = 0.5 * field_of_view + kViewEdge;
    if (half_view >= kPi) return true;
    const SinCos half = sin_cos(half_view);
    return half.cos * across - half.sin * along <= 0.0;
}

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
    if (std::sqrt(x * x + y * y) > q.range) return false;
    if (q.heading && !in_view(*q.heading, x, y, q.field_of_view)) return false;
    return std::none_of(q.walls.begin(), q.walls.end(),
                        [&](const SightSegment& wall) { return blocks(wall, q.from, q.to); });
}

}  // namespace sidestep
