// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "benchmarks/machine.hpp"
#include "benchmarks/measure.hpp"
#include "run/state.hpp"

namespace sidestep {

namespace {

/// Agents that are described to the world at a time: descriptions are larger than agents.
constexpr std::size_t kChunk = 1024;

Result<void> add_everybody(const SimulationState& from, World& world)
{
    if (auto reserved = world.reserve(from.travellers.size()); !reserved) return reserved;
    std::vector<AgentSpec> specs;
    const auto add = [&]() -> Result<void> {
        const auto handles = world.add(specs);
        if (!handles) return handles.error();
        for (std::size_t i = 0; i < specs.size(); ++i)
            (void)world.drive_by_host((*handles)[i], specs[i].velocity);
        specs.clear();
        return {};
    };
    for (const Traveller& traveller : from.travellers) {
        if (traveller.activity == Activity::gone) continue;
        const auto agent = from.world->agent(traveller.handle);
        if (!agent) return agent.error();
        const RunProfile& profile = from.profiles[traveller.profile];
        specs.push_back({.position = agent->position,
                         .velocity = agent->velocity,
                         .goal = {},
                         .id = traveller.id,
                         .level = agent->level,
                         .profile = profile.engine,
                         .traits = draw_traits(profile, from.seed, traveller.id).values,
                         .heading = {}});
        if (specs.size() < kChunk) continue;
        if (auto added = add(); !added) return added;
    }
    return specs.empty() ? Result<void>{} : add();
}

}  // namespace

Result<EngineBytes> measure_memory(const BenchCase& what)
{
    Problems problems;
    auto simulation = Simulation::create(
        *what.scene,
        {.threads = what.threads, .isa = what.isa, .seed = {}, .duration = {}, .model = what.model},
        problems);
    if (!simulation)
        return Error{ErrorCode::invalid_argument,
                     problems.empty() ? "the scene cannot run" : problems.front().message};
    const SimulationState& state = SimulationAccess::state(*simulation);
    const WorldPlan& plan = what.scene->world;
    const double before = resident_bytes();
    auto world = World::create({.dt = plan.step,
                                .origin = state.world->origin(),
                                .seed = state.seed,
                                .passing_side = plan.passing_side,
                                .deadlock_policy = plan.deadlock_policy,
                                .solid_bodies = plan.solid_bodies,
                                .threads = what.threads,
                                .isa = what.isa,
                                .executor = {},
                                .preferred_velocities = {},
                                .log = {}});
    if (!world) return world.error();
    add_profiles(*what.scene, what.model, *world, problems);
    for (const Floor& floor : state.floors) {
        for (const WallSpec& wall : floor.walls) {
            if (auto added = world->add_wall(wall); !added) return added.error();
        }
    }
    if (auto added = add_everybody(state, *world); !added) return added.error();
    for (int step = 0; step < 2; ++step) (void)world->step();
    return EngineBytes{resident_bytes() - before, static_cast<double>(world->memory().sight)};
}

}  // namespace sidestep
