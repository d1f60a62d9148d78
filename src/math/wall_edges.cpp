// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "math/wall_edges.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <new>
#include <optional>
#include <string>

namespace sidestep {
namespace {

using P = Point<double>;

P minus(const P& a, const P& b)
{
    return {a.x - b.x, a.y - b.y};
}
double dot_of(const P& a, const P& b)
{
    return a.x * b.x + a.y * b.y;
}
double det_of(const P& a, const P& b)
{
    return a.x * b.y - a.y * b.x;
}
P unit_of(const P& a)
{
    // Scaled by a power of two first: neither a tiny nor a huge edge under- or overflows when
    // squared.
    const int exponent = std::ilogb(std::max(std::fabs(a.x), std::fabs(a.y)));
    const P s{std::scalbn(a.x, -exponent), std::scalbn(a.y, -exponent)};
    const double len = std::sqrt(dot_of(s, s));
    return {s.x / len, s.y / len};
}

std::string text_of(const P& p)
{
    char buffer[80];
    std::snprintf(buffer, sizeof buffer, "(%.9g, %.9g)", p.x, p.y);
    return buffer;
}

Error bad(std::string message)
{
    return Error{ErrorCode::invalid_argument, std::move(message)};
}

std::string edge_name(std::size_t i)
{
    return "edge " + std::to_string(i);
}

/// [m] Products of four coordinates below this do not overflow.
constexpr double kLargestCoordinate = 1e70;

/// Vertices are finite and no edge is without length.
std::optional<Error> find_bad_vertex(const std::vector<P>& v, bool closed)
{
    for (std::size_t i = 0; i < v.size(); ++i) {
        const std::string name = "vertex " + std::to_string(i);
        if (!std::isfinite(v[i].x) || !std::isfinite(v[i].y)) {
            return bad(name + " is not finite: " + text_of(v[i]));
        }
        if (std::max(std::fabs(v[i].x), std::fabs(v[i].y)) > kLargestCoordinate) {
            return bad(name + " is too far out: " + text_of(v[i]));
        }
    }
    const std::size_t edges = closed ? v.size() : v.size() - 1;
    for (std::size_t i = 0; i < edges; ++i) {
        const P e = minus(v[(i + 1) % v.size()], v[i]);
        if (e.x == 0.0 && e.y == 0.0) {
            return bad(edge_name(i) + " has no length at " + text_of(v[i]));
        }
    }
    return std::nullopt;
}

/// Whether p, known to be in line with a and b, is between them (ends included).
bool is_between(const P& a, const P& b, const P& p)
{
    return std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
           p.y <= std::max(a.y, b.y);
}

int sign_of(double x)
{
    return x > 0.0 ? 1 : (x < 0.0 ? -1 : 0);
}

/// Whether the closed segments ab and cd have a point in common.
bool segments_meet(const P& a, const P& b, const P& c, const P& d)
{
    const int c_side = sign_of(det_of(minus(b, a), minus(c, a)));
    const int d_side = sign_of(det_of(minus(b, a), minus(d, a)));
    const int a_side = sign_of(det_of(minus(d, c), minus(a, c)));
    const int b_side = sign_of(det_of(minus(d, c), minus(b, c)));
    if (c_side * d_side < 0 && a_side * b_side < 0) return true;
    return (c_side == 0 && is_between(a, b, c)) || (d_side == 0 && is_between(a, b, d)) ||
           (a_side == 0 && is_between(c, d, a)) || (b_side == 0 && is_between(c, d, b));
}

/// Finds two edges of the loop that meet elsewhere than at their shared vertex. Edges are sorted by
/// their left end so that only those whose x ranges overlap are compared.
std::optional<Error> find_crossing(const std::vector<P>& v)
{
    const std::size_t n = v.size();
    const auto at = [&](std::size_t i) -> const P& { return v[i % n]; };
    for (std::size_t i = 0; i < n; ++i) {
        const P e = minus(at(i + 1), at(i));
        const P f = minus(at(i + 2), at(i + 1));
        if (det_of(e, f) == 0.0 && dot_of(e, f) < 0.0) {
            return bad(edge_name(i) + " and " + edge_name((i + 1) % n) + " lie on each other at " +
                       text_of(at(i + 1)));
        }
    }
    struct Range {
        double low;
        double high;
        std::size_t edge;
    };
    std::vector<Range> ranges(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto [low, high] = std::minmax(at(i).x, at(i + 1).x);
        ranges[i] = {low, high, i};
    }
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
        return a.low != b.low ? a.low < b.low : a.edge < b.edge;
    });
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t m = k + 1; m < n && ranges[m].low <= ranges[k].high; ++m) {
            const auto [i, j] = std::minmax(ranges[k].edge, ranges[m].edge);
            const bool neighbours = j == i + 1 || (i == 0 && j == n - 1);
            if (neighbours || !segments_meet(at(i), at(i + 1), at(j), at(j + 1))) continue;
            return bad(edge_name(i) + " from " + text_of(at(i)) + " to " + text_of(at(i + 1)) +
                       " meets " + edge_name(j) + " from " + text_of(at(j)) + " to " +
                       text_of(at(j + 1)));
        }
    }
    return std::nullopt;
}

/// Twice the signed area, about the first vertex: positive for counter-clockwise loops.
double twice_area(std::span<const Vec2> v)
{
    double sum = 0.0;
    for (std::size_t i = 1; i + 1 < v.size(); ++i) {
        sum +=
            (v[i].x - v[0].x) * (v[i + 1].y - v[0].y) - (v[i].y - v[0].y) * (v[i + 1].x - v[0].x);
    }
    return sum;
}

std::vector<WallEdge<double>> thin_wall(const P& a, const P& b)
{
    const P d = unit_of(minus(b, a));
    const P back{-d.x, -d.y};
    return {{a, b, d, back, back, true, true, false}, {b, a, back, d, d, true, true, true}};
}

std::vector<WallEdge<double>> closed_loop(const std::vector<P>& v)
{
    const std::size_t n = v.size();
    std::vector<P> raw(n);
    std::vector<P> dir(n);
    for (std::size_t i = 0; i < n; ++i) {
        raw[i] = minus(v[(i + 1) % n], v[i]);
        dir[i] = unit_of(raw[i]);
    }
    std::vector<WallEdge<double>> edges(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t prev = (i + n - 1) % n;
        const std::size_t next = (i + 1) % n;
        edges[i] = {v[i],
                    v[next],
                    dir[i],
                    dir[prev],
                    dir[next],
                    det_of(raw[prev], raw[i]) >= 0.0,
                    det_of(raw[i], raw[next]) >= 0.0,
                    false};
    }
    return edges;
}

Result<std::vector<WallEdge<double>>> build(WallKind kind, std::span<const Vec2> vertices)
{
    const bool thin = kind == WallKind::thin;
    if (thin && vertices.size() != 2) {
        return bad("a thin wall has 2 vertices, got " + std::to_string(vertices.size()));
    }
    if (!thin && vertices.size() < 3) {
        return bad("a polygon has at least 3 vertices, got " + std::to_string(vertices.size()));
    }
    std::vector<P> points(vertices.size());
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = {vertices[i].x, vertices[i].y};
    if (auto error = find_bad_vertex(points, !thin)) return *std::move(error);
    if (thin) return thin_wall(points[0], points[1]);
    if (auto error = find_crossing(points)) return *std::move(error);
    const bool counter_clockwise = twice_area(vertices) > 0.0;
    if (counter_clockwise != (kind == WallKind::solid)) std::reverse(points.begin(), points.end());
    return closed_loop(points);
}

}  // namespace

Result<std::vector<WallEdge<double>>> make_wall_edges(WallKind kind, std::span<const Vec2> vertices)
{
    try {
        return build(kind, vertices);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "no memory for the edges of a wall"};
    }
}

WallKind infer_wall_kind(std::span<const Vec2> vertices)
{
    if (vertices.size() == 2) return WallKind::thin;
    return twice_area(vertices) > 0.0 ? WallKind::solid : WallKind::room;
}

}  // namespace sidestep
