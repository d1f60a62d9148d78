// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/layout.hpp"
#include "sidestep/scenario.hpp"

// What the layouts have in common. Each is a table of numbers and a function that draws the plan;
// the registry lists them.

namespace sidestep::plans {

extern const LayoutInfo kBridge;
extern const LayoutInfo kCity;
extern const LayoutInfo kField;
extern const LayoutInfo kOffice;
extern const LayoutInfo kStadium;

/// Most agents of a scenario.
inline constexpr double kMostAgents = 20e6;
/// A plan must fit the engine's square of 8 km, with room for an origin in whole metres [m].
inline constexpr double kLargestExtent = 7900.0;

using Ring = std::vector<Vec2>;

/// To whole millimetres: a corner has the same coordinates whichever way they were added up, so
/// that neighbouring pieces share their edges exactly.
Vec2 snap(Vec2 point);
Ring snap(Ring ring);

/// Corners of an axis-parallel box, counter-clockwise.
Ring make_box(double x0, double y0, double x1, double y1);

void add_floor(Scenario& scenario, Polygon polygon);
void add_solid(Scenario& scenario, Ring ring);
void add_thin(Scenario& scenario, Ring line);
/// Another polygon of the area or goal with this name, which is made where it does not exist.
void add_to_area(Scenario& scenario, std::string_view name, Ring ring);
void add_to_goal(Scenario& scenario, std::string_view name, Ring ring);

/// The text of a fault if a plan of this size is too large for the engine, else empty.
std::string check_extent(double width, double height);

}  // namespace sidestep::plans
