// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "motion/wall_contact.hpp"

namespace sidestep {

namespace {

/// Edges within this [m] beyond where a move is cut are touched: a position is rounded by up to
/// 0.12 mm far from the origin, and a body that was stopped a hair before a wall shall slide on,
/// not be stopped there again.
constexpr double kTouch = 0.5 * kContactSlop;

/// Part of a displacement that may go against a touched edge [1]: its rounding.
constexpr double kTangent = 1e-7;

/// Time in [0, 1] at which p + t d first comes within r of the point q, or 1 if it does not.
double time_to_point(const Spot& p, const Spot& d, const Spot& q, double r)
{
    const Spot off = p - q;
    const double b = dot(off, d);
    if (!(b < 0.0)) return 1.0;  // moving away
    const double c = dot(off, off) - r * r;
    const double discriminant = b * b - dot(d, d) * c;
    if (discriminant <= 0.0) return 1.0;
    return std::clamp(c / (-b + std::sqrt(discriminant)), 0.0, 1.0);
}

/// The same for an edge that p faces.
double time_to_edge(const Segment& s, const Spot& p, const Spot& d, double r)
{
    const Spot n = normal_of(s);
    const double approach = -dot(n, d);
    double earliest = std::min(time_to_point(p, d, s.a, r), time_to_point(p, d, s.b, r));
    if (approach > 0.0) {
        const double t = std::max((dot(n, p - s.a) - r) / approach, 0.0);
        const Spot e = s.b - s.a;
        const double along = dot(p + d * t - s.a, e);
        if (t < earliest && along >= 0.0 && along <= dot(e, e)) earliest = t;
    }
    return earliest;
}

/// Directions away from the edges a disc touches. Two that bound the free cone would do; a few more
/// than a corner has are kept.
struct Touched {
    static constexpr std::size_t kMost = 16;
    Spot normal[kMost];
    std::size_t count = 0;
    bool too_many = false;

    void add(const Spot& n)
    {
        for (std::size_t i = 0; i < count; ++i) {
            if (dot(normal[i], n) > 1.0 - 1e-12) return;
        }
        if (count == kMost) {
            too_many = true;
        } else {
            normal[count++] = n;
        }
    }

    /// By how much d goes against the worst of them.
    double worst(const Spot& d) const
    {
        double inward = 0.0;
        for (std::size_t i = 0; i < count; ++i) inward = std::max(inward, -dot(normal[i], d));
        return inward;
    }

    /// The part of d that goes against none of them: d itself, the longest of its projections on
    /// one, or nothing.
    Spot slide(const Spot& d) const
    {
        const double allowed = kTangent * length(d);
        if (too_many) return {};
        if (worst(d) <= allowed) return d;
        Spot best{};
        for (std::size_t i = 0; i < count; ++i) {
            const Spot along = d - normal[i] * dot(normal[i], d);
            if (worst(along) <= allowed && dot(along, along) > dot(best, best)) best = along;
        }
        return best;
    }
};

}  // namespace

double clearance(const WallsAround& walls, const Spot& p, double reach) noexcept
{
    double nearest = reach;
    for_each_faced_edge(walls, p, p, reach,
                        [&](const Segment& s) { nearest = std::min(nearest, distance_to(s, p)); });
    return nearest;
}

bool crosses_wall(const WallsAround& walls, const Spot& p, const Spot& q) noexcept
{
    bool any = false;
    for_each_faced_edge(walls, p, q, 1e-3,
                        [&](const Segment& s) { any = any || crosses(s, p, q); });
    return any;
}

Move move_disc(const WallsAround& walls, const Spot& p, const Spot& displacement,
               double radius) noexcept
{
    const double kept = std::max(radius - kContactSlop, 0.5 * radius);
    Move move{displacement};
    bool any = false;
    Touched touched;
    for_each_faced_edge(walls, p, p + displacement, radius, [&](const Segment& s) {
        any = true;
        const double distance = distance_to(s, p);
        move.clearance = std::min(move.clearance, distance);
        if (distance <= kept + kTouch) touched.add(away_from(s, p));
    });
    if (!any) return move;

    move.displacement = touched.slide(displacement);
    double share = 1.0;
    for_each_faced_edge(walls, p, p + move.displacement, radius, [&](const Segment& s) {
        if (distance_to(s, p) > kept + kTouch)
            share = std::min(share, time_to_edge(s, p, move.displacement, kept));
    });
    move.displacement = move.displacement * share;
    move.cut = move.displacement.x != displacement.x || move.displacement.y != displacement.y;
    return move;
}

}  // namespace sidestep
