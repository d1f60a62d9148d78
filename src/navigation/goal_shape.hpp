// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "navigation/locator.hpp"
#include "navigation/routes.hpp"
#include "navigation/search.hpp"
#include "navigation/topology.hpp"

namespace sidestep {

/// A goal on a mesh: the points that searches start from, and the parts they stand for.
struct GoalShape {
    struct Part {
        enum class Kind : std::uint8_t { point, line, area };
        Kind kind = Kind::point;
        std::vector<plane::Point> points;              ///< the point; two ends; the shell
        std::vector<std::vector<plane::Point>> holes;  ///< of an area
        std::vector<plane::Point> anchors;  ///< of an area: points inside it, to spread over
        bool goes_on[2] = {false, false};   ///< of a line: there is floor on its right, left
    };
    std::vector<Part> parts;
    std::vector<Source> sources;
};

/// Lines and the rims of areas are sampled every half metre: a way to a line is too long by at
/// most (0.25 m)^2 / (2 x its last piece).
GoalShape make_goal_shape(const Topology& mesh, const Locator& locator, const RouteGoal& goal);

/// Distance to the part of the goal that a root (a source) stands for and that p sees [m].
double distance_to_part(const GoalShape& shape, const Root& root, plane::Point p);
bool lies_in_part(const GoalShape& shape, const Root& root, plane::Point p);

/// The point of the goal an agent walks to that sees this part of it. The nearest, moved towards
/// the agent's own place on it as long as that costs little: people use the width of an exit.
plane::Point choose_target(const GoalShape& shape, const Root& root, plane::Point p, double radius,
                           double lateral);

}  // namespace sidestep
