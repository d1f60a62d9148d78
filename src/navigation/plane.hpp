// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

namespace sidestep::plane {

// The few operations in double that routes are made of. Not those of the public Vec2: a host's copy
// of an inline function may have been built with other flags.

struct Point {
    double x = 0.0;
    double y = 0.0;
};

inline Point operator+(Point a, Point b)
{
    return {a.x + b.x, a.y + b.y};
}
inline Point operator-(Point a, Point b)
{
    return {a.x - b.x, a.y - b.y};
}
inline Point operator-(Point a)
{
    return {-a.x, -a.y};
}
inline Point operator*(double s, Point a)
{
    return {s * a.x, s * a.y};
}
inline double dot(Point a, Point b)
{
    return a.x * b.x + a.y * b.y;
}
inline double det(Point a, Point b)
{
    return a.x * b.y - a.y * b.x;
}
inline double length(Point a)
{
    return std::sqrt(dot(a, a));
}
inline Point unit(Point a)
{
    const double l = length(a);
    return l > 0 ? Point{a.x / l, a.y / l} : Point{};
}
/// The point of the segment a, b that is nearest to p.
inline Point nearest_on(Point a, Point b, Point p)
{
    const Point ab = b - a;
    const double sq = dot(ab, ab);
    const double t = sq > 0 ? std::clamp(dot(p - a, ab) / sq, 0.0, 1.0) : 0.0;
    return a + t * ab;
}

/// Whether the ray from 0 to the right crosses the edge a, b: a point lies in a ring, seen from it,
/// if an odd number of edges is crossed.
inline bool crosses_right(Point a, Point b)
{
    return (a.y > 0) != (b.y > 0) && (det(a, b) > 0) == (b.y > a.y);
}

}  // namespace sidestep::plane
