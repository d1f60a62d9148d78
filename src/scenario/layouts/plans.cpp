// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/layouts/plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sidestep::plans {

namespace {

double to_millimetres(double value)
{
    return std::round(value * 1000.0) / 1000.0 + 0.0;  // + 0.0: no -0
}

}  // namespace

Vec2 snap(Vec2 point)
{
    return {to_millimetres(point.x), to_millimetres(point.y)};
}

Ring snap(Ring ring)
{
    for (Vec2& point : ring) point = snap(point);
    return ring;
}

Ring make_box(double x0, double y0, double x1, double y1)
{
    return {snap({x0, y0}), snap({x1, y0}), snap({x1, y1}), snap({x0, y1})};
}

void add_floor(Scenario& scenario, Polygon polygon)
{
    FloorPlan floor;
    floor.polygon = std::move(polygon);
    scenario.floors.push_back(std::move(floor));
}

void add_solid(Scenario& scenario, Ring ring)
{
    WallPlan wall;
    wall.kind = WallKind::solid;
    wall.vertices = std::move(ring);
    scenario.walls.push_back(std::move(wall));
}

void add_thin(Scenario& scenario, Ring line)
{
    WallPlan wall;
    wall.kind = WallKind::thin;
    wall.vertices = std::move(line);
    scenario.walls.push_back(std::move(wall));
}

void add_to_area(Scenario& scenario, std::string_view name, Ring ring)
{
    auto found = std::find_if(scenario.areas.begin(), scenario.areas.end(),
                              [&](const AreaPlan& area) { return area.name == name; });
    if (found == scenario.areas.end()) {
        AreaPlan area;
        area.name = name;
        found = scenario.areas.insert(scenario.areas.end(), std::move(area));
    }
    found->polygons.push_back({std::move(ring), {}});
}

void add_to_goal(Scenario& scenario, std::string_view name, Ring ring)
{
    auto found = std::find_if(scenario.goals.begin(), scenario.goals.end(),
                              [&](const GoalPlan& goal) { return goal.name == name; });
    if (found == scenario.goals.end()) {
        GoalPlan goal;
        goal.name = name;
        goal.kind = GoalPlan::Kind::area;
        found = scenario.goals.insert(scenario.goals.end(), std::move(goal));
    }
    found->area.push_back({std::move(ring), {}});
}

std::string check_extent(double width, double height)
{
    if (width <= kLargestExtent && height <= kLargestExtent) return {};
    return fmt::format("the plan would be {:.0f} x {:.0f} m; at most {:.0f} m fit", width, height,
                       kLargestExtent);
}

}  // namespace sidestep::plans
