// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "navigation/topology.hpp"

namespace sidestep {

// From "that corner next" to a direction for a body with a radius. Corners are passed at a
// distance, on a tangent to a circle about them:
//
//         ####c        <- corner, turn = +1: it stays on the left
//         ####\ R
//              \____
//              /        the agent's direction touches the circle of radius R about c
//         p --'
//
// and walls that stick out on either side of the line of sight give further limits, so that the
// body does not aim at a gap's edge.

/// A corner to be passed.
struct CornerAhead {
    plane::Point place{};
    std::uint32_t vertex = kNoIndex;
    std::int8_t turn = 0;  ///< +1: it stays on the left, -1: on the right
    double width = 0.0;    ///< free width beside it [m]
    plane::Point after{};  ///< where the way goes from there
};

/// Unit direction from p (in `triangle`) round a corner that p sees.
plane::Point steer_round(const Topology& mesh, std::uint32_t triangle, plane::Point p,
                         const CornerAhead& corner, double radius, double lateral);

/// Unit direction from p (in `triangle`) to a point in sight, bent where the body would touch a
/// wall; `seen` is false where a wall lies between within the next metres.
plane::Point steer_to(const Topology& mesh, std::uint32_t triangle, plane::Point p,
                      plane::Point target, double radius, bool& seen);

/// Whether the straight line from p (in `triangle`) to q stays on the mesh; `last` is the triangle
/// of q then.
bool sees(const Topology& mesh, std::uint32_t triangle, plane::Point p, plane::Point q,
          std::uint32_t& last);

}  // namespace sidestep
