// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "run/floors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "math/wall_edges.hpp"
#include "run/plane_shapes.hpp"

namespace sidestep {

namespace {

/// Kept from walls beyond the body when somebody is put somewhere [m]: float is that coarse at the
/// rim of a large plan, and nobody is to start in a wall.
constexpr double kWallGap = 1e-4;
/// Of a clearance, relative: it comes out of float.
constexpr double kRounding = 1e-6;

std::set<std::uint16_t> levels_of(const Scenario& scenario)
{
    std::set<std::uint16_t> levels;
    for (const auto& item : scenario.floors) levels.insert(item.level);
    for (const auto& item : scenario.walls) levels.insert(item.level);
    for (const auto& item : scenario.doors) levels.insert(item.level);
    for (const auto& item : scenario.agents) levels.insert(item.level);
    for (const auto& item : scenario.sources) levels.insert(item.level);
    if (levels.empty()) levels.insert(0);
    return levels;
}

void add_points(const std::vector<Polygon>& polygons, std::vector<Vec2>& points)
{
    for (const Polygon& polygon : polygons)
        points.insert(points.end(), polygon.shell.begin(), polygon.shell.end());
}

/// Where somebody may start or walk to: an open plane's mesh must reach there.
void add_points_of(const AgentsPlan& plan, std::vector<Vec2>& points)
{
    points.insert(points.end(), plan.positions.begin(), plan.positions.end());
    add_points(plan.area, points);
    const double reach =
        plan.placement == AgentsPlan::Placement::ring
            ? plan.ring_radius
            : plan.spacing * static_cast<double>(std::max(plan.columns, plan.rows));
    if (plan.placement == AgentsPlan::Placement::ring ||
        plan.placement == AgentsPlan::Placement::lattice) {
        points.push_back({plan.centre.x - reach, plan.centre.y - reach});
        points.push_back({plan.centre.x + reach, plan.centre.y + reach});
    }
}

/// A way to "opposite" leads to the mirror image of a start.
void add_mirrored(const Scenario& scenario, std::vector<Vec2>& points)
{
    const std::size_t count = points.size();
    for (const JourneyPlan& journey : scenario.journeys) {
        for (const StagePlan& stage : journey.stages) {
            if (!stage.opposite) continue;
            for (std::size_t i = 0; i < count; ++i)
                points.push_back(
                    {2.0 * stage.centre.x - points[i].x, 2.0 * stage.centre.y - points[i].y});
        }
    }
}

FloorInput input_of(const Scenario& scenario, Floor& floor)
{
    FloorInput input;
    for (const FloorPlan& plan : scenario.floors) {
        if (plan.level == floor.level) input.floors.push_back(plan.polygon);
    }
    for (const WallPlan& plan : scenario.walls) {
        if (plan.level != floor.level) continue;
        (plan.kind == WallKind::thin ? input.thin : input.solids).push_back(plan.vertices);
    }
    for (std::uint32_t door = 0; door < scenario.doors.size(); ++door) {
        if (scenario.doors[door].level != floor.level) continue;
        input.doors.push_back(scenario.doors[door].polygon);
        floor.door_plans.push_back(door);
    }
    for (const AgentsPlan& plan : scenario.agents) {
        if (plan.level == floor.level) add_points_of(plan, input.points);
    }
    for (const SourcePlan& plan : scenario.sources) {
        if (plan.level == floor.level) add_points(plan.area, input.points);
    }
    add_mirrored(scenario, input.points);
    for (const GoalPlan& goal : scenario.goals) {
        if (goal.level != floor.level) continue;
        if (goal.kind == GoalPlan::Kind::line) input.exits.push_back(goal.line);
        if (goal.kind == GoalPlan::Kind::line)
            input.points.insert(input.points.end(), goal.line.begin(), goal.line.end());
        if (goal.kind == GoalPlan::Kind::point) input.points.push_back(goal.point);
        add_points(goal.area, input.points);
    }
    return input;
}

double area_of(const std::vector<Vec2>& ring)
{
    double twice = 0.0;
    for (std::size_t i = 0; i < ring.size(); ++i)
        twice += det(ring[i] - ring[0], ring[(i + 1) % ring.size()] - ring[0]);
    return std::fabs(twice) / 2.0;
}

/// Outlines of the free space, and the thin walls in it.
void make_walls(const FloorInput& input, Floor& floor)
{
    // In an open plane the outermost outline is only where the mesh ends.
    const auto outer = std::max_element(
        floor.space.begin(), floor.space.end(),
        [](const Polygon& a, const Polygon& b) { return area_of(a.shell) < area_of(b.shell); });
    for (auto polygon = floor.space.begin(); polygon != floor.space.end(); ++polygon) {
        if (!floor.open_plane || polygon != outer)
            floor.walls.push_back({polygon->shell, WallKind::room, floor.level});
        for (const auto& hole : polygon->holes)
            floor.walls.push_back({hole, WallKind::solid, floor.level});
    }
    for (const auto& line : input.thin) {
        for (std::size_t i = 1; i < line.size(); ++i)
            floor.walls.push_back({{line[i - 1], line[i]}, WallKind::thin, floor.level});
    }
}

/// A wall index of our own, for questions while people are placed.
Result<void> index_walls(Floor& floor)
{
    for (const WallSpec& spec : floor.walls) {
        std::vector<Vec2> local;
        for (Vec2 vertex : spec.vertices)
            local.push_back({double{static_cast<float>(vertex.x - floor.origin.x)},
                             double{static_cast<float>(vertex.y - floor.origin.y)}});
        auto edges = make_wall_edges(spec.kind, local);
        if (!edges) return edges.error();
        Wall wall;
        wall.live = true;
        wall.kind = spec.kind;
        wall.level = spec.level;
        floor.wall_table.edge_count += edges->size();
        wall.set_edges(std::move(*edges));
        floor.wall_table.walls.push_back(std::move(wall));
    }
    if (!reserve(floor.wall_index, floor.wall_table.edge_count))
        return Error{ErrorCode::out_of_memory, "out of memory"};
    rebuild(floor.wall_index, floor.wall_table);
    return {};
}

TextPlace first_place(const Scenario& scenario, std::uint16_t level)
{
    for (const FloorPlan& plan : scenario.floors) {
        if (plan.level == level) return plan.at;
    }
    for (const WallPlan& plan : scenario.walls) {
        if (plan.level == level) return plan.at;
    }
    return {};
}

bool build_one(const Scenario& scenario, Floor& floor, Problems& problems)
{
    const FloorInput input = input_of(scenario, floor);
    const auto add_problem = [&](const std::string& message) {
        problems.push_back({"bad-floor", message, scenario.file, first_place(scenario, floor.level),
                            "see `sidestep help scenario floors`"});
        return false;
    };
    auto built = build_floor(input);
    if (!built) return add_problem(built.error().message);
    floor.open_plane = built->open_plane;
    floor.space = std::move(built->space);
    floor.mesh_hash = built->mesh_hash;
    make_walls(input, floor);
    if (auto indexed = index_walls(floor); !indexed)
        return add_problem("an outline of this floor is no wall: " + indexed.error().message);
    const bool nothing_in_the_way = floor.walls.empty() && input.doors.empty();
    if (!nothing_in_the_way) {
        floor.routes.emplace(std::move(built->mesh), input.doors.size());
    }
    for (std::uint16_t door = 0; door < floor.door_plans.size(); ++door) {
        const DoorPlan& plan = scenario.doors[floor.door_plans[door]];
        if (floor.routes) floor.routes->set_door(door, plan.open);
        if (!plan.open) floor.closed_doors.push_back(plan.polygon);
    }
    return true;
}

}  // namespace

std::vector<std::vector<Vec2>> Floor::thin_walls() const
{
    std::vector<std::vector<Vec2>> lines;
    for (const WallSpec& wall : walls) {
        if (wall.kind == WallKind::thin) lines.push_back(wall.vertices);
    }
    return lines;
}

bool Floor::holds(Vec2 point) const
{
    if (routes && routes->locate(point) == kNoTriangle) return false;
    return std::none_of(closed_doors.begin(), closed_doors.end(),
                        [&](const auto& door) { return is_inside(door, point); });
}

bool Floor::fits(Vec2 point, double radius) const
{
    const double needed = radius + kWallGap;
    return holds(point) && clearance(point, needed) >= needed * (1.0 - kRounding);
}

double Floor::clearance(Vec2 point, double reach) const
{
    const auto x = static_cast<float>(point.x - origin.x);
    const auto y = static_cast<float>(point.y - origin.y);
    float nearest = static_cast<float>(reach * reach);
    for_each_edge_near(wall_index, Box{x, y, x, y}, static_cast<float>(reach), level,
                       [&](std::size_t row) {
                           const WallEdgeRow& edge = wall_index.edges[row];
                           nearest = std::min(nearest, dist_sq(edge, x, y));
                       });
    double distance = std::sqrt(double{nearest});
    for (const auto& door : closed_doors) {
        for (std::size_t i = 0; i < door.size(); ++i) {
            const Vec2 away = nearest_on(door[i], door[(i + 1) % door.size()], point) - point;
            distance = std::min(distance, std::sqrt(dot(away, away)));
        }
    }
    return distance;
}

bool is_outside(const Floor& floor, Vec2 point)
{
    return floor.open_plane && floor.clearance(point, 1.0) >= 1.0 && !floor.holds(point);
}

std::vector<Floor> build_floors(const Scenario& scenario, Problems& problems)
{
    std::vector<Floor> floors;
    bool whole = true;
    for (const std::uint16_t level : levels_of(scenario)) {
        Floor& floor = floors.emplace_back();
        floor.level = level;
        floor.origin = scenario.world.origin.value_or(Vec2{});
        whole = build_one(scenario, floor, problems) && whole;
    }
    if (!whole) floors.clear();
    return floors;
}

}  // namespace sidestep
