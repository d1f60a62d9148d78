// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Walls as directed edges. A polygon is a closed loop of edges with the free side to the right of
// each: a solid block runs counter-clockwise, a room clockwise. A thin wall has two edges, one per
// direction, so that it stops agents on either side. The checks are here, so that nothing behind
// them has to doubt.

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

template <class T>
struct Point {
    T x = 0;
    T y = 0;
};

/// Directed edge a -> b of a wall. Free side to the right.
template <class T>
struct WallEdge {
    Point<T> a;
    Point<T> b;
    Point<T> direction;    // unit(b - a)
    Point<T> prev_dir;     // unit direction of the edge that ends in a
    Point<T> next_dir;     // unit direction of the edge that starts in b
    bool a_convex = true;  // det(previous edge, this edge) >= 0: a straight vertex counts as convex
    bool b_convex = true;
    bool second_copy = false;  // the reverse direction of a thin wall
};

/// Edges of one wall in vertex order, after the vertices were turned round if the kind asks for the
/// other sense (which edge is first then changes too: the last vertex becomes the first). Thin
/// walls need exactly 2 vertices, polygons at least 3. Bad input is an Error that names the place:
/// wrong count, not finite, an edge without length, edges that cross, touch or fold back.
Result<std::vector<WallEdge<double>>> make_wall_edges(WallKind kind,
                                                      std::span<const Vec2> vertices);

/// Kind that the vertices suggest: 2 = thin, counter-clockwise = solid, clockwise = room. Checks
/// nothing.
WallKind infer_wall_kind(std::span<const Vec2> vertices);

/// Rounds every number of an edge to another type. To keep directions and convexity true to the
/// rounded points, round the vertices before make_wall_edges and the edges after it.
template <class To, class From>
WallEdge<To> convert_edge(const WallEdge<From>& e)
{
    const auto point = [](const Point<From>& p) {
        return Point<To>{static_cast<To>(p.x), static_cast<To>(p.y)};
    };
    return {point(e.a),        point(e.b), point(e.direction), point(e.prev_dir),
            point(e.next_dir), e.a_convex, e.b_convex,         e.second_copy};
}

}  // namespace sidestep
