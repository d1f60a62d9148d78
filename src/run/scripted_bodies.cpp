// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "run/state.hpp"

namespace sidestep {

namespace {

/// Where a body is after so many metres of its way, whatever its mode.
double place_on_path(const BodyPlan& plan, double whole, double travelled)
{
    switch (plan.mode) {
        case BodyPlan::Mode::once: return std::min(travelled, whole);
        case BodyPlan::Mode::loop: return std::fmod(travelled, whole);
        case BodyPlan::Mode::shuttle: {
            const double there_and_back = std::fmod(travelled, 2.0 * whole);
            return there_and_back <= whole ? there_and_back : 2.0 * whole - there_and_back;
        }
    }
    return 0.0;
}

}  // namespace

Vec2 body_place(const BodyPlan& plan, std::span<const double> lengths, double time)
{
    const double whole = lengths.back();
    if (!(whole > 0.0) || time <= plan.from) return plan.path.front();
    const double s = place_on_path(plan, whole, (time - plan.from) * plan.speed);
    const auto next = std::upper_bound(lengths.begin(), lengths.end(), s);
    if (next == lengths.end())
        return plan.mode == BodyPlan::Mode::loop ? plan.path.front() : plan.path.back();
    const auto i = static_cast<std::size_t>(next - lengths.begin());
    const Vec2 a = plan.path[i - 1];
    const Vec2 b = plan.path[i % plan.path.size()];
    return a + (b - a) * ((s - lengths[i - 1]) / (lengths[i] - lengths[i - 1]));
}

std::vector<double> path_lengths(const BodyPlan& plan)
{
    std::vector<double> lengths{0.0};
    const std::size_t legs =
        plan.mode == BodyPlan::Mode::loop ? plan.path.size() : plan.path.size() - 1;
    for (std::size_t i = 0; i < legs; ++i) {
        const Vec2 leg = plan.path[(i + 1) % plan.path.size()] - plan.path[i];
        lengths.push_back(lengths.back() + std::sqrt(dot(leg, leg)));
    }
    return lengths;
}

void steer_bodies(SimulationState& state)
{
    for (std::size_t i = 0; i < state.bodies.size(); ++i) {
        const BodyPlan& plan = state.scenario.bodies[i];
        const Vec2 offset = plan.outline.empty() ? Vec2{} : plan.outline.front();
        const auto here = state.world->body_position(state.bodies[i].handle);
        if (!here) continue;
        const Vec2 there =
            body_place(plan, state.bodies[i].lengths, state.now() + state.dt()) + offset;
        (void)state.world->set_body_velocity(state.bodies[i].handle, (there - *here) / state.dt());
    }
}

}  // namespace sidestep
