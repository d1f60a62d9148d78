// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/kept_state.hpp"

#include <algorithm>
#include <cmath>

namespace sidestep {

namespace {

/// Share of the planning radius that one who has lost patience gives up per second.
constexpr double kShrinkRate = 0.1;

/// The same of one who is stalled; from when on [s], half a second after it has begun to step aside
/// (policy/stalls); and what of it comes back per second.
constexpr double kSqueezeRate = 0.2;
constexpr double kSqueezeFrom = 1.0;
constexpr double kRegainRate = 0.1;

/// From here on the column has a value for each row.
template <class T>
void start(Column<T>& column, std::size_t rows, const T& inert) noexcept
{
    if (column.empty()) column.resize(rows, inert);
}

/// What nobody comes nearer than [m], however little room there is.
float least_radius(const AgentTable& agents, const Column<Profile>& profiles,
                   std::size_t row) noexcept
{
    const float body = param_of(agents, profiles, row, kRadius);
    return agents.body_contact[row] != BodyContact::none ? elbow_room(body) : body;
}

/// The planning radius [m] of one who gives up nothing of it.
float whole_radius(const AgentTable& agents, const Column<Profile>& profiles,
                   std::size_t row) noexcept
{
    return std::max(least_radius(agents, profiles, row),
                    param_of(agents, profiles, row, kPlanningRadius));
}

/// Share of its planning radius that one gives up because it has waited; 0 or less: none.
double given_up_by_waiting(const AgentTable& agents, const Column<Profile>& profiles,
                           std::size_t row, double dt) noexcept
{
    if (agents.waited.empty()) return 0.0;
    return kShrinkRate *
           (agents.waited[row] * dt - double{param_of(agents, profiles, row, kPatience)});
}

/// The same of one who is stalled. Vehicles give up nothing, they need their space to turn; nor do
/// those whose patience says what they do.
double given_up_by_stalls(const AgentTable& agents, const Column<Profile>& profiles,
                          std::size_t row, double dt) noexcept
{
    if ((agents.record[row].flags & kVehicle) != 0) return 0.0;
    const bool has_patience = may_wait(agents.leaf_model[row / kLeafRows]) &&
                              param_of(agents, profiles, row, kWhenStuck) != 0.0f;
    if (has_patience) return 0.0;
    return kSqueezeRate * (agents.stall_clock[row] * dt - kSqueezeFrom);
}

/// Whether an agent has all its space, and neither waits nor is stalled for long enough to give up
/// any of it.
bool is_at_ease(const WorldState& world, std::size_t row) noexcept
{
    return (world.agents.record[row].flags & kGivesSpace) == 0 && world.agents.waited.empty() &&
           !(world.agents.stall_clock[row] * world.options.dt > kSqueezeFrom);
}

/// The radius of the agent in a row after a step.
void follow_radius(WorldState& world, std::size_t row) noexcept
{
    AgentTable& agents = world.agents;
    AgentRecord& record = agents.record[row];
    if (is_at_ease(world, row)) {  // nearly everybody
        record.radius = whole_radius(agents, world.profiles, row);
        return;
    }
    const double dt = world.options.dt;
    const float allowed = planning_radius_of(agents, world.profiles, row, dt);
    float radius = allowed;
    if ((record.flags & kGivesSpace) != 0) {
        const float regained = record.radius + static_cast<float>(kRegainRate * dt) * allowed;
        radius = std::min(allowed, std::max(regained, least_radius(agents, world.profiles, row)));
    }
    const bool squeezes =
        given_up_by_stalls(agents, world.profiles, row, dt) > 0.0 && keeps_space(world, row);
    const bool gives_space = squeezes || radius < allowed;
    record.radius = radius;
    record.flags = gives_space ? record.flags | kGivesSpace : record.flags & ~kGivesSpace;
}

}  // namespace

bool may_wait(std::uint8_t model) noexcept
{
    return registry()[model]->may_wait;
}

Kept kept_by(const WorldState& world, std::size_t row) noexcept
{
    return kept_by(world.agents.leaf_model[row / kLeafRows], [&](std::size_t param) {
        return param_of(world.agents, world.profiles, row, param);
    });
}

bool reserve_kept(WorldState& world, const Kept& kept, std::size_t more) noexcept
{
    AgentTable& agents = world.agents;
    const std::size_t rows = agents.record.capacity();
    if (kept.heading && !(agents.heading_x.reserve(rows) && agents.heading_y.reserve(rows)))
        return false;
    if (kept.vehicle && !(agents.next_turn.reserve(rows) && agents.way_ahead.reserve(rows)))
        return false;
    if (kept.sight && !(agents.sight.reserve(rows) && world.sights.reserve(more))) return false;
    return !kept.waited || agents.waited.reserve(rows);
}

void refresh_kept(WorldState& world, std::size_t row) noexcept
{
    AgentTable& agents = world.agents;
    const Kept kept = kept_by(world, row);
    if (kept.heading) {
        start(agents.heading_x, agents.rows(), 0.0f);
        start(agents.heading_y, agents.rows(), 0.0f);
        if (!kept.vehicle) refresh_heading(agents, row);
    } else if (!agents.heading_x.empty()) {
        agents.heading_x[row] = agents.heading_y[row] = 0.0f;
    }
    if (kept.vehicle) {
        start(agents.next_turn, agents.rows(), 0.0f);
        start(agents.way_ahead, agents.rows(), std::numeric_limits<float>::infinity());
        if ((agents.record[row].flags & kVehicle) == 0) start_vehicle(agents, row);
    }
    if (kept.sight) {
        start(agents.sight, agents.rows(), kNoSight);
        if (agents.sight[row] == kNoSight) agents.sight[row] = world.sights.take();
    } else {
        end_kept(world, row);
    }
    if (kept.waited) {
        start(agents.waited, agents.rows(), std::uint16_t{0});
    } else if (!agents.waited.empty()) {
        agents.waited[row] = 0;
    }
}

void end_kept(WorldState& world, std::size_t row) noexcept
{
    Column<std::uint32_t>& sight = world.agents.sight;
    if (sight.empty() || sight[row] == kNoSight) return;
    world.sights.give_back(sight[row]);
    sight[row] = kNoSight;
}

void clear_sight(WorldState& world, std::size_t row) noexcept
{
    const Column<std::uint32_t>& sight = world.agents.sight;
    if (!sight.empty() && sight[row] != kNoSight) world.sights[sight[row]].clear();
}

void lose_name(WorldState& world, std::uint32_t id, bool is_body) noexcept
{
    for (const std::uint32_t place : world.agents.sight) {
        if (place != kNoSight) world.sights[place].lose_name(id, is_body);
    }
}

void face(AgentTable& agents, std::size_t row, Point<double> heading) noexcept
{
    AgentRecord& record = agents.record[row];
    const double size = std::sqrt(heading.x * heading.x + heading.y * heading.y);
    const double x = heading.x / size;
    const double y = heading.y / size;
    const double speed = std::max(x * double{record.vx} + y * double{record.vy}, 0.0);
    agents.heading_x[row] = static_cast<float>(x) + 0.0f;
    agents.heading_y[row] = static_cast<float>(y) + 0.0f;
    record.vx = static_cast<float>(speed * x) + 0.0f;
    record.vy = static_cast<float>(speed * y) + 0.0f;
}

void start_vehicle(AgentTable& agents, std::size_t row) noexcept
{
    const AgentRecord& record = agents.record[row];
    Point<double> way{record.vx, record.vy};
    const auto is_none = [&] { return way.x == 0.0 && way.y == 0.0; };
    if (is_none()) way = {agents.heading_x[row], agents.heading_y[row]};
    if (is_none() && (record.flags & kHasGoal) != 0)
        way = {double{agents.goal_x[row]} - record.x, double{agents.goal_y[row]} - record.y};
    if (is_none()) way = {1.0, 0.0};
    face(agents, row, way);
}

void refresh_heading(AgentTable& agents, std::size_t row) noexcept
{
    const AgentRecord& record = agents.record[row];
    const float speed_sq = record.vx * record.vx + record.vy * record.vy;
    if (!(speed_sq > kHeadingSpeed * kHeadingSpeed)) return;
    agents.heading_x[row] = record.vx;
    agents.heading_y[row] = record.vy;
}

bool keeps_space(const WorldState& world, std::size_t row) noexcept
{
    return param_of(world.agents, world.profiles, row, kPlanningRadius) >
           param_of(world.agents, world.profiles, row, kRadius);
}

float planning_radius_of(const AgentTable& agents, const Column<Profile>& profiles, std::size_t row,
                         double dt) noexcept
{
    const float least = least_radius(agents, profiles, row);
    const float whole = whole_radius(agents, profiles, row);
    const double given_up = std::max(given_up_by_waiting(agents, profiles, row, dt),
                                     given_up_by_stalls(agents, profiles, row, dt));
    if (!(given_up > 0.0)) return whole;
    return std::max(least, static_cast<float>(whole * (1.0 - given_up)));
}

void follow_step(WorldState& world, std::size_t first, std::size_t last) noexcept
{
    AgentTable& agents = world.agents;
    const bool solid = world.has_solid_bodies();
    const bool any_space = world.has_space || solid;
    const bool any_kept = !agents.heading_x.empty() || !agents.waited.empty();
    if (!any_kept && !any_space) return;
    for (std::size_t row = first * kLeafRows; row < last * kLeafRows; ++row) {
        if (!agents.holds(row)) continue;
        const Kept kept = any_kept ? kept_by(world, row) : Kept{};
        if (kept.heading && !kept.vehicle) refresh_heading(agents, row);
        if (kept.waited || any_space) follow_radius(world, row);
    }
}

}  // namespace sidestep
