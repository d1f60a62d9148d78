// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "run/reach.hpp"

#include <algorithm>
#include <cmath>

namespace sidestep {

namespace {

/// Closer to a line goal than this counts as on it [m]: room for rounding where people stop short.
constexpr double kOnLine = 0.01;

double length(Vec2 v)
{
    return std::sqrt(dot(v, v));
}

/// Where the way from -> to crosses the segment a-b, as a part of the way.
std::optional<float> find_crossing(Vec2 from, Vec2 to, Vec2 a, Vec2 b)
{
    const double before = det(b - a, from - a);
    const double after = det(b - a, to - a);
    if ((before > 0.0) != (after > 0.0) && before != after) {
        const double part = before / (before - after);
        const Vec2 place = from + (to - from) * part;
        const double along = dot(place - a, b - a);
        if (along >= 0.0 && along <= dot(b - a, b - a)) return static_cast<float>(part);
    }
    if (length(to - nearest_on(a, b, to)) <= kOnLine) return 1.0f;
    return std::nullopt;
}

std::optional<float> find_arrival_at(const GoalPlan& goal, Vec2 from, Vec2 to)
{
    switch (goal.kind) {
        case GoalPlan::Kind::point:
            if (length(to - goal.point) <= goal.reach) return 1.0f;
            return std::nullopt;
        case GoalPlan::Kind::line: return find_crossing(from, to, goal.line[0], goal.line[1]);
        case GoalPlan::Kind::area:
            if (is_inside(goal.area, to)) return 1.0f;
            return std::nullopt;
    }
    return std::nullopt;
}

Vec2 middle_of(std::span<const Vec2> ring)
{
    Vec2 sum{};
    for (const Vec2 vertex : ring) sum += vertex;
    return sum / static_cast<double>(ring.size());
}

bool is_inside_area(const RouteArea& area, Vec2 point)
{
    return is_inside(area.shell, point) &&
           std::none_of(area.holes.begin(), area.holes.end(),
                        [&](const auto& hole) { return is_inside(hole, point); });
}

}  // namespace

double distance_to(const RouteGoal& goal, Vec2 from)
{
    double best = HUGE_VAL;
    for (const Vec2 point : goal.points) best = std::min(best, length(point - from));
    for (const auto& line : goal.lines)
        best = std::min(best, length(nearest_on(line[0], line[1], from) - from));
    const auto offer_ring = [&](std::span<const Vec2> ring) {
        for (std::size_t i = 0; i < ring.size(); ++i)
            best = std::min(best,
                            length(nearest_on(ring[i], ring[(i + 1) % ring.size()], from) - from));
    };
    for (const RouteArea& area : goal.areas) {
        if (is_inside_area(area, from)) return 0.0;
        offer_ring(area.shell);
        for (const auto& hole : area.holes) offer_ring(hole);
    }
    return best;
}

Vec2 straight_target(const RouteGoal& goal, Vec2 from, double radius, double lateral)
{
    Vec2 best = from;
    double best_distance = HUGE_VAL;
    const auto offer = [&](Vec2 nearest, Vec2 target) {
        const double distance = length(nearest - from);
        if (distance < best_distance) {
            best_distance = distance;
            best = target;
        }
    };
    for (const Vec2 point : goal.points) offer(point, point);
    for (const auto& line : goal.lines) {
        const Vec2 along = line[1] - line[0];
        const double all = length(along);
        const double margin = all > 0.0 ? std::min(radius / all, 0.5) : 0.0;
        const Vec2 a = line[0] + along * margin;
        const Vec2 b = line[1] - along * margin;
        const Vec2 nearest = nearest_on(a, b, from);
        const Vec2 own = a + (b - a) * lateral;
        offer(nearest, nearest + (own - nearest) * 0.5);
    }
    for (const RouteArea& area : goal.areas) offer(middle_of(area.shell), middle_of(area.shell));
    return best;
}

Vec2 point_in_convex(std::span<const Vec2> ring, const RandomKey& key)
{
    // A fan of triangles about the first vertex, one of them by its number: even enough for
    // crossings.
    const std::uint64_t bits = random_bits(key);
    const std::size_t fan = 1 + (bits & 0xffff) % (ring.size() - 2);
    const double from_corner = std::sqrt(static_cast<double>((bits >> 16) & 0xffffff) * 0x1.0p-24);
    const double along = static_cast<double>(bits >> 40) * 0x1.0p-24;
    const Vec2 on_side = ring[fan] + (ring[fan + 1] - ring[fan]) * along;
    return ring[0] + (on_side - ring[0]) * from_corner;
}

std::uint32_t shared_goal(const SimulationState& state, const StagePlan& stage, std::uint16_t floor)
{
    const auto found = state.goal_numbers.find({floor, stage.goals});
    return found == state.goal_numbers.end() ? kNone : found->second;
}

std::optional<float> find_arrival(const SimulationState& state, const Traveller& traveller,
                                  Vec2 from, Vec2 to)
{
    const StagePlan& stage = state.stage_of(traveller);
    if (stage.kind == StagePlan::Kind::walk) return std::nullopt;
    if (stage.kind == StagePlan::Kind::roam) {
        const NetworkPlan& network = state.scenario.networks[stage.network];
        if (is_inside(network.nodes[traveller.node].shell, to)) return 1.0f;
        return std::nullopt;
    }
    if (traveller.goal == kNone) {
        if (length(to - traveller.target) <= stage.reach) return 1.0f;
        return std::nullopt;
    }
    std::optional<float> first;
    for (const std::uint32_t plan : state.goals[traveller.goal].plans) {
        const auto part = find_arrival_at(state.scenario.goals[plan], from, to);
        if (part && (!first || *part < *first)) first = part;
    }
    return first;
}

}  // namespace sidestep
