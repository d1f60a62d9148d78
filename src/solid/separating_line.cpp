// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "solid/separating_line.hpp"

#include <tuple>
#include <utility>

namespace sidestep {

namespace {

Segment way_of(const Capsule& capsule)
{
    return {capsule.centre, capsule.centre + capsule.way};
}

bool is_disc(const Capsule& capsule)
{
    return capsule.way.x == 0.0 && capsule.way.y == 0.0;
}

/// Whether two segments have a point in common that is no end of either.
bool cross(const Segment& s, const Segment& t)
{
    const Spot u = s.b - s.a;
    const Spot w = t.b - t.a;
    return det(u, t.a - s.a) * det(u, t.b - s.a) < 0.0 &&
           det(w, s.a - t.a) * det(w, s.b - t.a) < 0.0;
}

/// The nearest points of two segments that do not cross: one of them is an end.
std::pair<Spot, Spot> nearest_points(const Segment& s, const Segment& t)
{
    const std::pair<Spot, Spot> candidates[] = {{s.a, nearest_point(t, s.a)},
                                                {s.b, nearest_point(t, s.b)},
                                                {nearest_point(s, t.a), t.a},
                                                {nearest_point(s, t.b), t.b}};
    std::pair<Spot, Spot> best = candidates[0];
    for (const auto& candidate : candidates) {
        if (length(candidate.second - candidate.first) < length(best.second - best.first))
            best = candidate;
    }
    return best;
}

}  // namespace

Separation separate(const Capsule& first, const Capsule& second, const Spot& apart) noexcept
{
    Separation found{{}, 0.0, first.centre, second.centre};
    bool are_crossing = false;
    if (!is_disc(first) || !is_disc(second)) {
        const Segment s = way_of(first);
        const Segment t = way_of(second);
        are_crossing = cross(s, t);
        if (!are_crossing) std::tie(found.own, found.near) = nearest_points(s, t);
    }
    Spot across = found.near - found.own;
    double distance = length(across);
    found.gap = (are_crossing ? 0.0 : distance) - first.radius - second.radius;
    if (!(distance > kNoDirection)) {
        across = second.centre - first.centre;
        distance = length(across);
    }
    found.towards = distance > kNoDirection ? across * (1.0 / distance) : Spot{-apart.x, -apart.y};
    return found;
}

double share_of_gap(double gap, double own_approach, double other_approach, double dt) noexcept
{
    const double all = std::max(gap, 0.0) / dt;
    return std::clamp(0.5 * (all + own_approach - other_approach), 0.0, all);
}

double share_of_rest(double gap, double own_approach, double other_approach, double dt,
                     bool other_may_change) noexcept
{
    const double rest = std::max(gap, 0.0) / dt - own_approach - other_approach;
    return own_approach + (other_may_change ? 0.5 : 1.0) * rest;
}

}  // namespace sidestep
