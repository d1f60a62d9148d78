// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sidestep/world.hpp"

// What an explanation forbids, cut to the square |v_x|, |v_y| <= half that a picture shows: cones
// and half-planes have no end, pictures have.
namespace sidestep {

/// A length [m/s] that takes both legs of a cone out of the square.
double far_from(const Explanation::Cone& cone, double half);

/// The boundary of a cone from far out on the left leg over the cut to far out on the right one,
/// `far` [m/s] away from their starts. An arc becomes a line with many corners.
std::vector<Vec2> cone_outline(const Explanation::Cone& cone, double far);

/// The part of a cone inside the square, a polygon; empty where there is none.
std::vector<Vec2> visible_cone(const Explanation::Cone& cone, double half);

/// The part of a polygon inside the square; empty where there is none.
std::vector<Vec2> clip_polygon(std::vector<Vec2> polygon, double half);

/// The parts of a line inside the square, each with at least two points.
std::vector<std::vector<Vec2>> clip_line(std::span<const Vec2> line, double half);

/// The part of the edge of a half-plane inside the square, the forbidden side on its right.
std::optional<std::pair<Vec2, Vec2>> clip_edge(const Explanation::Line& line, double half);

/// Points of a circle, the first one again at the end.
std::vector<Vec2> circle(Vec2 centre, double radius);

/// Whether a convex polygon, turning either way, contains the point.
bool contains(std::span<const Vec2> convex, Vec2 point);

}  // namespace sidestep
