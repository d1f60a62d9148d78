// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "motion/vehicle.hpp"
#include "run/reach.hpp"
#include "run/state.hpp"

// What everybody wants, and what came of it: the two passes over all rows that a step makes here.

namespace sidestep {

namespace {

/// Rows of one task; fixed by the data, not by the number of threads.
constexpr std::size_t kBlockRows = 512;

/// Slower than this for this long, on the way, is a stall: what the verification guidelines of the
/// field call jammed.
constexpr float kStallSpeed = 0.2f;    // [m/s]
constexpr double kStallSeconds = 2.0;  // [s]

/// Below this speed the body keeps the direction it faces [m/s].
constexpr float kTurningSpeed = 0.05f;

template <class Body>
void for_each_agent(SimulationState& state, const AgentColumns& columns, Body&& body)
{
    const std::size_t blocks = (columns.rows + kBlockRows - 1) / kBlockRows;
    parallel_for(*state.workers, blocks, [&](std::size_t block, std::uint32_t worker) {
        const std::size_t last = std::min(columns.rows, (block + 1) * kBlockRows);
        for (std::size_t row = block * kBlockRows; row < last; ++row) {
            if (columns.record[row].id != kNoAgent) body(row, columns.handle_index[row], worker);
        }
    });
}

struct Wish {
    Vec2 direction{};            ///< unit vector, or 0
    double distance = HUGE_VAL;  ///< beyond which the wish makes no sense [m]
    double ahead = HUGE_VAL;     ///< straight way to where it leads [m]
};

Wish straight_to(Vec2 target, Vec2 from)
{
    const Vec2 way = target - from;
    const double distance = std::sqrt(dot(way, way));
    if (!(distance > 0.0)) return {{}, 0.0, 0.0};
    return {way / distance, distance, distance};
}

Wish wish_on_own_path(SimulationState& state, Traveller& traveller, Vec2 from)
{
    if (traveller.path == kNone) return straight_to(traveller.target, from);
    OwnPath& path = state.paths[traveller.path];
    const Heading heading = state.floors[traveller.floor].routes->follow(
        path.corners, path.next, from, double{traveller.passing_radius}, double{traveller.lateral},
        state.memories[traveller.handle.index]);
    if (!heading.reachable && is_outside(state.floors[traveller.floor], from))
        return straight_to(traveller.target, from);
    if (!heading.reachable) {
        // Out of sight of its way: it is looked for anew after this step.
        traveller.lost = true;
        return {};
    }
    traveller.lost = heading.astray;
    return {heading.direction, heading.goal_ahead ? heading.distance : HUGE_VAL, heading.distance};
}

Wish wish_to_shared_goal(SimulationState& state, Traveller& traveller, Vec2 from)
{
    const SharedGoal& goal = state.goals[traveller.goal];
    const Floor& floor = state.floors[traveller.floor];
    // A point is walked onto and not past; lines and areas are walked through.
    const bool stops = goal.shape.lines.empty() && goal.shape.areas.empty();
    const auto go_straight = [&] {
        Wish wish = straight_to(
            straight_target(goal.shape, from, double{traveller.radius}, double{traveller.lateral}),
            from);
        if (!stops) wish.distance = HUGE_VAL;
        return wish;
    };
    if (!floor.routes) return go_straight();
    const Heading heading =
        floor.routes->steer(goal.route, from, double{traveller.passing_radius},
                            double{traveller.lateral}, state.memories[traveller.handle.index]);
    if (!heading.reachable && is_outside(floor, from)) return go_straight();
    if (!heading.reachable) {
        traveller.lost = true;
        return {};
    }
    return {heading.direction, stops && heading.goal_ahead ? heading.distance : HUGE_VAL,
            heading.distance};
}

Wish wish_of(SimulationState& state, Traveller& traveller, Vec2 from)
{
    if (traveller.activity != Activity::walking) return {};
    switch (state.stage_of(traveller).kind) {
        case StagePlan::Kind::walk: return {traveller.target};
        case StagePlan::Kind::roam:
            return {straight_to(traveller.target, from).direction, HUGE_VAL,
                    straight_to(traveller.target, from).ahead};
        default: break;
    }
    return traveller.goal == kNone || traveller.path != kNone
               ? wish_on_own_path(state, traveller, from)
               : wish_to_shared_goal(state, traveller, from);
}

double speed_factor_at(const Scenario& scenario, std::uint16_t level, Vec2 place)
{
    double factor = 1.0;
    for (const ZonePlan& zone : scenario.zones) {
        if (zone.level == level && is_inside(zone.area, place)) factor *= zone.speed_factor;
    }
    return factor;
}

void count_stall(Traveller& traveller, float speed, std::uint32_t steps, std::uint64_t& stalls)
{
    if (speed >= kStallSpeed) {
        traveller.slow_steps = 0;
        return;
    }
    if (traveller.slow_steps < 0xffff) ++traveller.slow_steps;
    if (traveller.slow_steps == steps) ++stalls;
}

/// Part of its braking that a vehicle plans to stop with [1]: the rest makes up for steps.
constexpr double kCalmBraking = 0.9;

/// What somebody at a place wants for the coming step [m/s], and how far straight on that leads a
/// vehicle [m].
Vec2 wished_velocity(SimulationState& state, Traveller& traveller, Vec2 place, double& way_ahead)
{
    const Wish wish = wish_of(state, traveller, place);
    traveller.direction_x = static_cast<float>(wish.direction.x);
    traveller.direction_y = static_cast<float>(wish.direction.y);
    double speed = double{traveller.preferred_speed};
    if (!state.scenario.zones.empty())
        speed *= speed_factor_at(state.scenario, state.floors[traveller.floor].level, place);
    if (traveller.braking > 0.0f) {
        // A vehicle drives through what it need not stand at, and must brake for the rest in time.
        way_ahead = wish.ahead;
        const bool stands = traveller.activity == Activity::walking &&
                            state.stage_of(traveller).kind == StagePlan::Kind::stay;
        const double braking = kCalmBraking * double{traveller.braking};
        return wish.direction *
               (stands ? std::min(speed, std::sqrt(2.0 * braking * wish.distance)) : speed);
    }
    return wish.direction * std::min(speed, wish.distance / state.dt());
}

}  // namespace

void write_wishes(SimulationState& state, const AgentColumns& columns, std::span<float> vx,
                  std::span<float> vy)
{
    const Vec2 origin = state.world->origin();
    for_each_agent(state, columns, [&](std::size_t row, std::uint32_t slot, std::uint32_t) {
        Traveller& traveller = state.travellers[slot];
        const Vec2 place{origin.x + double{columns.x[row]}, origin.y + double{columns.y[row]}};
        double way_ahead = HUGE_VAL;
        const Vec2 wish = wished_velocity(state, traveller, place, way_ahead);
        if (traveller.braking > 0.0f) columns.way_ahead[row] = static_cast<float>(way_ahead);
        const bool walks = traveller.direction_x != 0.0f || traveller.direction_y != 0.0f;
        vx[row] = static_cast<float>(wish.x) + (walks ? traveller.jitter_x : 0.0f);
        vy[row] = static_cast<float>(wish.y) + (walks ? traveller.jitter_y : 0.0f);
    });
}

namespace {

/// Takes over which way a vehicle faces in the world, before its first step too.
void keep_heading(const SimulationState& state, Traveller& traveller)
{
    const auto agent = state.world->agent(traveller.handle);
    if (!agent || !agent->heading) return;
    traveller.heading_x = static_cast<float>(agent->heading->x);
    traveller.heading_y = static_cast<float>(agent->heading->y);
}

}  // namespace

void face_first_goal(SimulationState& state, Traveller& traveller)
{
    if (!(traveller.braking > 0.0f)) return;
    double way_ahead = 0.0;
    const Vec2 wish = wished_velocity(state, traveller, traveller.start, way_ahead);
    const double speed = std::sqrt(dot(wish, wish));
    // Neither can fail for a vehicle that is there.
    if (speed > 0.0)
        (void)state.world->set_heading(traveller.handle,
                                       angle_between({1.0, 0.0}, {wish.x / speed, wish.y / speed}));
    keep_heading(state, traveller);
}

void start_walking(SimulationState& state)
{
    for (Traveller& traveller : state.travellers) {
        const AgentsPlan& plan = state.scenario.agents[traveller.group];
        Vec2 velocity = plan.velocity;
        if (traveller.braking > 0.0f) {
            const bool told = plan.heading_deg || velocity != Vec2{};
            if (!told) face_first_goal(state, traveller);
        }
        if (plan.starts_at_full_pace) {
            double way_ahead = 0.0;
            velocity = wished_velocity(state, traveller, traveller.start, way_ahead);
            (void)state.world->set_velocity(traveller.handle, velocity);
        }
        if (traveller.braking > 0.0f) {
            keep_heading(state, traveller);
            continue;
        }
        const double speed = std::sqrt(dot(velocity, velocity));
        if (!(speed > double{kTurningSpeed})) continue;
        traveller.heading_x = static_cast<float>(velocity.x / speed);
        traveller.heading_y = static_cast<float>(velocity.y / speed);
    }
}

void observe_travellers(SimulationState& state)
{
    // Room for everybody, taken here: a worker that runs out of memory could tell nobody.
    for (auto& found : state.arrivals) found.reserve(state.world->size());
    for (auto& begun : state.answers) begun.reserve(3 * state.world->size());
    const AgentColumns columns = state.world->columns();
    const Vec2 origin = state.world->origin();
    const auto dt = static_cast<float>(state.dt());
    const auto stall_steps =
        static_cast<std::uint32_t>(std::ceil(kStallSeconds / state.dt() - 1e-9));
    for_each_agent(state, columns, [&](std::size_t row, std::uint32_t slot, std::uint32_t worker) {
        Traveller& traveller = state.travellers[slot];
        const AgentRecord& record = columns.record[row];
        const float speed = std::sqrt(record.vx * record.vx + record.vy * record.vy);
        if ((record.flags & kVehicle) != 0) {
            traveller.heading_x = columns.heading_x[row];
            traveller.heading_y = columns.heading_y[row];
        } else if (speed > kTurningSpeed) {
            traveller.heading_x = record.vx / speed;
            traveller.heading_y = record.vy / speed;
        }
        const float made_good =
            record.vx * traveller.direction_x + record.vy * traveller.direction_y;
        observe_answer(state, traveller, columns.stall_answer[row], speed, made_good,
                       state.answers[worker]);
        const Vec2 to{origin.x + double{record.x}, origin.y + double{record.y}};
        const Vec2 last_place = std::exchange(traveller.last_place, to);
        if (traveller.activity != Activity::walking) return;
        ++traveller.steps_walked;
        traveller.way_walked += speed * dt;
        traveller.way_made_good += made_good * dt;
        count_stall(traveller, speed, stall_steps, state.stalls[worker]);
        const Vec2 walked_from{to.x - double{record.vx} * dt, to.y - double{record.vy} * dt};
        const Vec2 from = (record.flags & kVehicle) != 0 ? last_place : walked_from;
        if (is_detour(traveller) && is_at_end_of_detour(traveller, to)) traveller.lost = true;
        if (const auto part = find_arrival(state, traveller, from, to)) {
            // What is walked beyond a line is no part of the way there, nor of the next one.
            traveller.way_walked -= (1.0f - *part) * speed * dt;
            state.arrivals[worker].push_back({traveller.id, slot, *part});
        } else if (traveller.lost) {
            state.arrivals[worker].push_back({traveller.id, slot, -1.0f});
        }
    });

    std::vector<Arrival> all;
    std::vector<AnswerBegun> begun;
    for (std::size_t worker = 0; worker < state.arrivals.size(); ++worker) {
        all.insert(all.end(), state.arrivals[worker].begin(), state.arrivals[worker].end());
        state.arrivals[worker].clear();
        begun.insert(begun.end(), state.answers[worker].begin(), state.answers[worker].end());
        state.answers[worker].clear();
        state.counts.stalls += state.stalls[worker];
        state.stalls[worker] = 0;
    }
    std::sort(all.begin(), all.end(),
              [](const Arrival& a, const Arrival& b) { return a.id < b.id; });
    for (const Arrival& arrival : all) {
        Traveller& traveller = state.travellers[arrival.slot];
        if (!traveller.lost || arrival.fraction >= 0.0f) {
            traveller.lost = false;
            observe_arrival(state, arrival);
            continue;
        }
        traveller.lost = false;
        find_way_again(state, traveller);
    }
    settle_answers(state, begun);
}

}  // namespace sidestep
