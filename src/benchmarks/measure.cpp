// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "benchmarks/machine.hpp"
#include "benchmarks/peer_engine.hpp"

namespace sidestep {

namespace {

/// In larger crowds overlaps are counted now and then: every so many frames.
constexpr std::uint64_t kLargeCrowd = 20'000, kFramesBetween = 5;

Error first_of(const Problems& problems)
{
    return {ErrorCode::invalid_argument,
            problems.empty() ? "the scene cannot run" : to_text(problems.front())};
}

const Peer* find_peer(const BenchOptions& options, const std::string& engine)
{
    for (const Peer& peer : options.peers) {
        if (peer.engine == engine) return &peer;
    }
    return nullptr;
}

/// What the clocks of a run say so far.
struct Times {
    double cpu = 0.0, wall = 0.0, navigation = 0.0;
    std::uint64_t updates = 0;
};

Times times_of(const SimulationState& state, const PeerEngine* peer)
{
    return {peer != nullptr ? peer->cpu() : state.clocks.step_cpu,
            peer != nullptr ? peer->wall() : state.clocks.step_wall, state.clocks.navigation_cpu,
            state.counts.updates};
}

std::vector<Vec2> places_by_id(const SimulationState& state)
{
    const AgentColumns columns = state.world->columns();
    std::vector<Vec2> places;
    for (std::size_t row = 0; row < columns.rows; ++row) {
        const AgentRecord& record = columns.record[row];
        if (record.id == kNoAgent) continue;
        if (places.size() <= record.id) places.resize(record.id + 1, {HUGE_VAL, HUGE_VAL});
        places[record.id] = {record.x, record.y};
    }
    return places;
}

void fill_end(const SimulationState& state, const Simulation& simulation, const BenchCase& what,
              BenchSample& sample)
{
    sample.arrived = state.counts.arrived;
    sample.left = state.counts.left;
    sample.sim_time = state.now();
    const RunSummary summary = simulation.summary();
    const bool own = what.engine == "sidestep";
    sample.model = own ? summary.model : "orca";
    if (what.engine == "detour") sample.model = "sampling";
    sample.isa = own ? summary.isa : "none";
    sample.threads = own ? summary.threads : 1;
    sample.state_hash = own ? simulation.state_hash() : 0;
}

}  // namespace

std::uint64_t agents_of(const Scenario& scene)
{
    std::uint64_t agents = 0;
    for (const AgentsPlan& plan : scene.agents) {
        switch (plan.placement) {
            case AgentsPlan::Placement::positions:
                agents += plan.choose ? plan.count : plan.positions.size();
                break;
            case AgentsPlan::Placement::lattice:
                agents += std::uint64_t{plan.rows} * plan.columns;
                break;
            default: agents += plan.count;
        }
    }
    return agents;
}

BenchWindow window_of(const Scenario& scene)
{
    const std::uint64_t agents = agents_of(scene);
    const std::string& name = scene.world.name;
    const auto is = [&](std::string_view start) { return name.starts_with(start); };
    if (is("circle") || is("four-streams")) return {0, 0};
    if (is("evac") || is("rcap-office")) return {20, 200};
    if (is("open") && agents >= 100'000) return {5, 15};
    return {20, 50};
}

Result<BenchSample> measure_once(const BenchCase& what, const BenchOptions& options,
                                 const BenchLooks& looks)
{
    Problems problems;
    auto simulation = Simulation::create(
        *what.scene,
        {.threads = what.threads, .isa = what.isa, .seed = {}, .duration = {}, .model = what.model},
        problems);
    if (!simulation) return first_of(problems);
    SimulationState& state = SimulationAccess::state(*simulation);
    std::unique_ptr<PeerEngine> peer;
    if (what.engine != "sidestep") {
        const Peer* adapter = find_peer(options, what.engine);
        if (adapter != nullptr) peer = PeerEngine::create(state, *adapter);
        if (!peer) return Error{ErrorCode::unsupported, "it cannot take this scene"};
        state.move_everybody = [&peer] { return peer->step(); };
    }

    BenchSample sample;
    sample.agents = state.agents_at_start;
    BenchWindow window = window_of(*what.scene);
    if (options.warm_up) window.warm_up = *options.warm_up;
    if (options.steps) window.steps = *options.steps;
    const WorldState& world = WorldAccess::state(*state.world);
    const std::uint64_t between = sample.agents > kLargeCrowd ? kFramesBetween : 1;
    std::uint64_t overlaps = 0, frames = 0;
    Times before = times_of(state, peer.get());
    for (std::uint64_t step = 0; !simulation->finished(); ++step) {
        if (step == window.warm_up) {
            sample.gigahertz = measure_frequency().gigahertz;
            if (looks.stages != nullptr) simulation->time_stages(looks.stages);
            before = times_of(state, peer.get());
        }
        if (window.steps > 0 && step == std::uint64_t{window.warm_up} + window.steps) break;
        const StepReport report = simulation->step();
        if (report.fault) return Error{ErrorCode::invalid_argument, report.fault->cause};
        if (looks.early_places && step + 1 == kEarlySteps)
            sample.early_places = places_by_id(state);
        if (step < window.warm_up) {
            ++sample.warm_up;
            continue;
        }
        ++sample.steps;
        if (looks.overlaps && sample.steps % between == 0) {
            overlaps += count_overlaps(world);
            ++frames;
        }
    }
    simulation->time_stages(nullptr);
    const Times after = times_of(state, peer.get());
    sample.step_cpu = after.cpu - before.cpu;
    sample.step_wall = after.wall - before.wall;
    sample.navigation_cpu = after.navigation - before.navigation;
    sample.updates = after.updates - before.updates;
    if (frames > 0)
        sample.overlap_pairs_per_frame =
            static_cast<double>(overlaps) / static_cast<double>(frames);
    if (peer) sample.bytes = peer->bytes();
    fill_end(state, *simulation, what, sample);
    if (sample.updates == 0) return Error{ErrorCode::invalid_argument, "nobody moves in it"};
    return sample;
}

}  // namespace sidestep
