// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "run/state.hpp"

namespace sidestep {

namespace {

/// Places that are tried for somebody in one step.
constexpr int kTries = 32;
/// Between a newcomer's body and others [m].
constexpr double kGap = 0.02;

/// How many should have come by now.
std::uint64_t count_due(const SourcePlan& plan, double now)
{
    // A hair early, so that 3 steps of 0.1 s count as 0.3 s.
    const double time = now + kTimeSlack;
    double due = 0.0;
    if (plan.rate > 0.0 && time >= plan.from)
        due += std::floor((std::min(time, plan.until) - plan.from) * plan.rate + kTimeSlack) + 1.0;
    std::uint64_t whole = static_cast<std::uint64_t>(std::max(due, 0.0));
    for (const auto& [at, count] : plan.schedule) whole += at <= time ? count : 0;
    return plan.count > 0 ? std::min(whole, plan.count) : whole;
}

struct Body {
    Vec2 place;
    double radius;
};

/// Bodies that could be in the way of a newcomer in the source's area.
std::vector<Body> bodies_near(const SimulationState& state, const AreaSampler& area,
                              std::uint16_t level, double reach)
{
    std::vector<Body> bodies;
    const AgentColumns columns = state.world->columns();
    const Vec2 origin = state.world->origin();
    for (std::size_t row = 0; row < columns.rows; ++row) {
        if (columns.record[row].id == kNoAgent || columns.leaf_level[row / 8] != level) continue;
        const Traveller& traveller = state.travellers[columns.handle_index[row]];
        Vec2 place{origin.x + double{columns.x[row]}, origin.y + double{columns.y[row]}};
        // Of a vehicle the disc about the way on which it stops.
        const AgentRecord& record = columns.record[row];
        const Vec2 velocity{double{record.vx}, double{record.vy}};
        const double speed_sq = dot(velocity, velocity);
        double radius = double{traveller.radius};
        if (traveller.braking > 0.0f && speed_sq > 0.0) {
            const double half_way = speed_sq / (4.0 * double{traveller.braking});
            place = place + velocity * (half_way / std::sqrt(speed_sq));
            radius += half_way;
        }
        const double margin = reach + radius + kGap;
        if (place.x < area.low().x - margin || place.x > area.high().x + margin ||
            place.y < area.low().y - margin || place.y > area.high().y + margin)
            continue;
        bodies.push_back({place, radius});
    }
    for (std::size_t i = 0; i < state.bodies.size(); ++i) {
        const BodyPlan& plan = state.scenario.bodies[i];
        if (plan.level != level) continue;
        double radius = plan.outline.empty() ? plan.radius : 0.0;  // or of the circle around it
        for (const Vec2 vertex : plan.outline)
            radius = std::max(radius, std::sqrt(dot(vertex, vertex)));
        bodies.push_back({body_place(plan, state.bodies[i].lengths, state.now()), radius});
    }
    return bodies;
}

bool has_room(const Floor& floor, const std::vector<Body>& bodies, Vec2 place, double radius)
{
    if (!floor.fits(place, radius)) return false;
    return std::none_of(bodies.begin(), bodies.end(), [&](const Body& body) {
        const Vec2 between = body.place - place;
        const double sum = body.radius + radius + kGap;
        return dot(between, between) < sum * sum;
    });
}

/// One newcomer; false where no free place was found.
bool let_in(SimulationState& state, std::uint32_t index, std::vector<Body>& bodies)
{
    const SourcePlan& plan = state.scenario.sources[index];
    SourceState& source = state.sources[index];
    const Floor* floor = floor_of(state.floors, plan.level);
    const auto id = static_cast<std::uint32_t>(state.counts.spawned);
    const std::uint32_t number = draw_profile(plan, state.seed, id);
    const RunProfile& profile = state.profiles[number];
    const DrawnTraits traits = draw_traits(profile, state.seed, id);
    for (int attempt = 0; attempt < kTries; ++attempt) {
        const Vec2 place = source.area.sample(state.seed, index, kUseSource, source.turn++);
        if (!has_room(*floor, bodies, place, traits.radius)) continue;
        const auto added = state.world->add({.position = place,
                                             .velocity = {},
                                             .goal = {},
                                             .id = id,
                                             .level = plan.level,
                                             .profile = profile.engine,
                                             .traits = traits.values,
                                             .heading = {}});
        if (!added) continue;
        (void)state.world->drive_by_host(*added);
        bodies.push_back({place, traits.radius});
        join_company(state, source, *added);
        const double pre_movement = set_off_time(state, source, plan, id);
        begin_journey(state,
                      {.handle = *added,
                       .id = id,
                       .group = static_cast<std::uint32_t>(state.scenario.agents.size()) + index,
                       .profile = number,
                       .journey = plan.journey,
                       .level = plan.level,
                       .start = place},
                      traits, pre_movement);
        face_first_goal(state, state.travellers[added->index]);
        return true;
    }
    return false;
}

}  // namespace

void run_sources(SimulationState& state)
{
    for (std::uint32_t index = 0; index < state.sources.size(); ++index) {
        SourceState& source = state.sources[index];
        const SourcePlan& plan = state.scenario.sources[index];
        source.due = count_due(plan, state.now());
        const std::uint64_t due =
            due_together(state, source, source.due, count_due(plan, state.duration));
        if (source.entered >= due) continue;
        auto bodies = bodies_near(state, source.area, plan.level,
                                  largest_radius(state.profiles, profiles_of(plan)));
        while (source.entered < due && let_in(state, index, bodies)) ++source.entered;
    }
}

bool sources_are_done(const SimulationState& state)
{
    for (std::uint32_t index = 0; index < state.sources.size(); ++index) {
        const SourcePlan& plan = state.scenario.sources[index];
        if (state.sources[index].entered < count_due(plan, state.duration)) return false;
    }
    return true;
}

}  // namespace sidestep
