// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/trig.hpp"
#include "run/reach.hpp"
#include "run/state.hpp"

namespace sidestep {

namespace {

void add_shape(const GoalPlan& plan, RouteGoal& shape)
{
    switch (plan.kind) {
        case GoalPlan::Kind::point: shape.points.push_back(plan.point); break;
        case GoalPlan::Kind::line: shape.lines.push_back(plan.line); break;
        case GoalPlan::Kind::area:
            for (const Polygon& polygon : plan.area)
                shape.areas.push_back({polygon.shell, polygon.holes});
            break;
    }
}

/// A few points of the goal: on a floor at least one must be walkable.
std::vector<Vec2> points_of(const GoalPlan& plan)
{
    switch (plan.kind) {
        case GoalPlan::Kind::point: return {plan.point};
        case GoalPlan::Kind::line: {
            std::vector<Vec2> points;  // the middle first: it stands for the goal in messages
            for (const double part : {0.5, 0.3, 0.7, 0.1, 0.9})
                points.push_back(plan.line[0] + (plan.line[1] - plan.line[0]) * part);
            return points;
        }
        case GoalPlan::Kind::area: break;
    }
    std::vector<Vec2> points;
    for (const Polygon& polygon : plan.area) {
        Vec2 middle{};
        for (const Vec2 vertex : polygon.shell) middle += vertex;
        middle = middle / static_cast<double>(polygon.shell.size());
        points.push_back(middle);
        for (const Vec2 vertex : polygon.shell) points.push_back(vertex + (middle - vertex) * 0.1);
    }
    return points;
}

/// The smallest body that walks to each goal, by profile [m]; infinite where nobody does.
std::vector<double> smallest_radii(const SimulationState& state)
{
    std::vector<double> radii(state.scenario.goals.size(), HUGE_VAL);
    const auto look_at = [&](const auto& plan) {
        const double radius = smallest_radius(state.profiles, profiles_of(plan));
        for (const StagePlan& stage : state.scenario.journeys[plan.journey].stages) {
            for (const std::uint32_t goal : stage.goals)
                radii[goal] = std::min(radii[goal], radius);
        }
    };
    for (const AgentsPlan& plan : state.scenario.agents) look_at(plan);
    for (const SourcePlan& plan : state.scenario.sources) look_at(plan);
    return radii;
}

/// A body may touch a wall where it arrives [m].
constexpr double kTouch = 1e-3;

/// Whether a body can come as near to a point as its reach asks.
bool is_reachable_by(const Floor& floor, const GoalPlan& goal, double radius)
{
    constexpr int kDirections = 32;
    const auto has_room = [&](Vec2 point) {
        return floor.holds(point) && floor.clearance(point, radius) >= radius - kTouch;
    };
    if (has_room(goal.point)) return true;
    for (const double part : {0.25, 0.5, 0.75, 0.99}) {
        for (int i = 0; i < kDirections; ++i) {
            const SinCos turn = sin_cos(2.0 * std::numbers::pi * i / kDirections);
            if (has_room(goal.point + Vec2{turn.cos, turn.sin} * (part * goal.reach))) return true;
        }
    }
    return false;
}

void check_goal(const SimulationState& state, const GoalPlan& goal, double radius,
                Problems& problems)
{
    const Floor* floor = floor_of(state.floors, goal.level);
    if (floor == nullptr || !floor->routes) return;
    const std::vector<Vec2> points = points_of(goal);
    const auto on_floor = [&](Vec2 point) { return floor->holds(point); };
    if (std::none_of(points.begin(), points.end(), on_floor)) {
        problems.push_back(
            {"goal-in-wall",
             fmt::format("goal '{}' at ({:.6g}, {:.6g}) lies inside a wall or off the floor",
                         goal.name, points[0].x, points[0].y),
             state.scenario.file, goal.at, "move it onto the floor"});
        return;
    }
    if (!std::isfinite(radius)) return;
    if (goal.kind == GoalPlan::Kind::point && !is_reachable_by(*floor, goal, radius)) {
        problems.push_back(
            {"goal-in-wall",
             fmt::format(
                 "goal '{}' is {:.3g} m from a wall: an agent of radius {:.4g} m cannot get "
                 "within {:.4g} m of it",
                 goal.name, floor->clearance(goal.point, radius), radius, goal.reach),
             state.scenario.file, goal.at,
             "move it away from the wall, or give it a larger reach"});
    }
    const auto can_stand = [&](Vec2 point) {
        return floor->holds(point) && floor->clearance(point, radius) >= radius - kTouch;
    };
    if (goal.kind == GoalPlan::Kind::line &&
        std::none_of(points.begin(), points.end(), can_stand)) {
        problems.push_back(
            {"goal-in-wall",
             fmt::format(
                 "goal '{}': the centre of an agent of radius {:.4g} m cannot cross this line",
                 goal.name, radius),
             state.scenario.file, goal.at,
             "put an exit on the outline of the floor, both ends, and leave the wall open there"});
    }
}

}  // namespace

RouteGoal shape_of(const GoalPlan& plan)
{
    RouteGoal shape;
    add_shape(plan, shape);
    return shape;
}

namespace {

/// The goals of a stage that lie on this floor, as one.
void add_shared_goal(SimulationState& state, const StagePlan& stage, std::uint16_t floor)
{
    if (shared_goal(state, stage, floor) != kNone) return;
    SharedGoal goal{.plans = {}, .floor = floor, .route = kNone, .shape = {}};
    for (const std::uint32_t plan : stage.goals) {
        if (state.scenario.goals[plan].level != state.floors[floor].level) continue;
        goal.plans.push_back(plan);
        add_shape(state.scenario.goals[plan], goal.shape);
    }
    if (goal.plans.empty()) return;
    if (state.floors[floor].routes) goal.route = state.floors[floor].routes->add_goal(goal.shape);
    state.goal_numbers[{floor, stage.goals}] = static_cast<std::uint32_t>(state.goals.size());
    state.goals.push_back(std::move(goal));
}

}  // namespace

void make_shared_goals(SimulationState& state, Problems& problems)
{
    const std::vector<double> radii = smallest_radii(state);
    for (std::size_t goal = 0; goal < radii.size(); ++goal)
        check_goal(state, state.scenario.goals[goal], radii[goal], problems);
    for (const JourneyPlan& journey : state.scenario.journeys) {
        for (const StagePlan& stage : journey.stages) {
            for (std::size_t floor = 0; floor < state.floors.size(); ++floor)
                add_shared_goal(state, stage, static_cast<std::uint16_t>(floor));
        }
    }
}

bool goals_are_joined(SimulationState& state, const StagePlan& from, const StagePlan& to)
{
    for (std::size_t floor = 0; floor < state.floors.size(); ++floor) {
        const std::uint32_t number = shared_goal(state, to, static_cast<std::uint16_t>(floor));
        if (number == kNone) continue;
        if (!state.floors[floor].routes) return true;
        Routes& routes = *state.floors[floor].routes;
        constexpr double kThin = 0.01;  // how wide a body may be is a question of who goes there
        routes.prepare(state.goals[number].route, kThin);
        for (const std::uint32_t plan : from.goals) {
            if (state.scenario.goals[plan].level != state.floors[floor].level) continue;
            for (const Vec2 point : points_of(state.scenario.goals[plan])) {
                if (state.floors[floor].holds(point) &&
                    std::isfinite(routes.distance(state.goals[number].route, point, kThin)))
                    return true;
            }
        }
    }
    return false;
}

void set_door(SimulationState& state, std::uint32_t door, bool open)
{
    const DoorPlan& plan = state.scenario.doors[door];
    if (state.door_is_closed[door] == !open) return;
    if (open) {
        (void)state.world->remove_wall(state.closed_doors[door]);  // ours, and alive
    } else {
        const auto wall = state.world->add_wall({plan.polygon, WallKind::solid, plan.level});
        if (!wall) return;  // checked at load: this door was a wall before
        state.closed_doors[door] = *wall;
    }
    state.door_is_closed[door] = !open;
    const std::size_t index = floor_index(state, plan.level);
    Floor& floor = state.floors[index];
    state.jams[index].map.reset();
    for (std::uint16_t own = 0; own < floor.door_plans.size(); ++own) {
        if (floor.door_plans[own] == door && floor.routes) floor.routes->set_door(own, open);
    }
    floor.closed_doors.clear();
    for (const std::uint32_t each : floor.door_plans) {
        if (state.door_is_closed[each])
            floor.closed_doors.push_back(state.scenario.doors[each].polygon);
    }
}

}  // namespace sidestep
