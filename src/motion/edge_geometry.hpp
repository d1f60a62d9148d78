// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "world/wall_table.hpp"

namespace sidestep {

// Points and wall edges in double. Positions and vertices are floats, so that differences and
// products here are all but exact: who is on which side of a wall is decided once, the same way
// everywhere in motion.

using Spot = Point<double>;

inline Spot operator+(const Spot& a, const Spot& b)
{
    return {a.x + b.x, a.y + b.y};
}
inline Spot operator-(const Spot& a, const Spot& b)
{
    return {a.x - b.x, a.y - b.y};
}
inline Spot operator*(const Spot& a, double s)
{
    return {a.x * s, a.y * s};
}
inline double dot(const Spot& a, const Spot& b)
{
    return a.x * b.x + a.y * b.y;
}
inline double det(const Spot& a, const Spot& b)
{
    return a.x * b.y - a.y * b.x;
}
inline double length(const Spot& a)
{
    return std::sqrt(dot(a, a));
}

/// A directed edge at one moment. The free side is to the right.
struct Segment {
    Spot a;
    Spot b;
    bool second_copy = false;  ///< the way back of a thin wall
};

inline Segment segment_of(const WallEdgeRow& row)
{
    return {{row.shape.a.x, row.shape.a.y}, {row.shape.b.x, row.shape.b.y}, row.shape.second_copy};
}

/// Unit normal to the free side; zero for an edge without length, as which a wall that turns over
/// can pass for a moment.
inline Spot normal_of(const Segment& s)
{
    const Spot e = s.b - s.a;
    const double len = length(e);
    return len > 0.0 ? Spot{e.y / len, -e.x / len} : Spot{};
}

/// det(b - a, p - a): negative on the free side. Both ways of a thin wall take it from the same
/// numbers.
inline double side_of(const Segment& s, const Spot& p)
{
    return s.second_copy ? -det(s.a - s.b, p - s.b) : det(s.b - s.a, p - s.a);
}

/// Whether p is on the free side. Exactly in line counts, for one of the two ways of a thin wall.
inline bool faces(const Segment& s, const Spot& p)
{
    const double side = side_of(s, p);
    return side < 0.0 || (side == 0.0 && !s.second_copy);
}

/// Point of the edge nearest to p; beyond an end, that very vertex.
inline Spot nearest_point(const Segment& s, const Spot& p)
{
    const Spot e = s.b - s.a;
    const double along = dot(p - s.a, e);
    const double length_sq = dot(e, e);
    if (!(along > 0.0)) return s.a;
    if (along >= length_sq) return s.b;
    return s.a + e * (along / length_sq);
}

inline double distance_to(const Segment& s, const Spot& p)
{
    return length(p - nearest_point(s, p));
}

/// Unit vector from the edge to p, which faces it; the edge's normal where p is all but on it.
inline Spot away_from(const Segment& s, const Spot& p)
{
    const Spot off = p - nearest_point(s, p);
    const double dist = length(off);
    return dist > 1e-9 ? off * (1.0 / dist) : normal_of(s);
}

/// Whether the way from p straight to q goes through the edge from its free side. Ends count.
inline bool crosses(const Segment& s, const Spot& p, const Spot& q)
{
    if (!faces(s, p) || faces(s, q)) return false;
    const double a_side = det(q - p, s.a - p);
    const double b_side = det(q - p, s.b - p);
    return !((a_side > 0.0 && b_side > 0.0) || (a_side < 0.0 && b_side < 0.0));
}

/// When an edge that moves, each end straight from where it is in `from` to where it is in `to`,
/// passes over a point that goes from p to q in the same time, coming from the edge's free side: in
/// [0, 1], or 2 where it does not.
double time_of_passing(const Segment& from, const Segment& to, const Spot& p,
                       const Spot& q) noexcept;

}  // namespace sidestep
