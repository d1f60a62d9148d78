// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sidestep/recording.hpp"
#include "sidestep/scenario.hpp"
#include "sidestep/world.hpp"

namespace sidestep {

/// What the caller decides, not the file.
struct SimulationOptions {
    std::uint32_t threads = 0;  ///< 0: one per hardware thread
    Isa isa = Isa::automatic;
    std::optional<std::uint64_t> seed{};  ///< instead of the file's
    std::optional<double> duration{};     ///< [s], instead of the file's
    std::optional<std::string> model{};   ///< of every profile, instead of its own
};

/// Counts and times of a run so far.
struct RunSummary {
    std::string scene;
    std::string model;   ///< of all agents, at the end or when they went; "mixed" where they differ
    std::string filter;  ///< likewise: "none", "orca", "clearpath" or "mixed"
    std::uint64_t agents = 0;  ///< at the start
    std::uint64_t steps = 0;
    double dt = 0.0;        ///< [s]
    double sim_time = 0.0;  ///< [s]
    // spawned = present + left + removed, always
    std::uint64_t spawned = 0;
    std::uint64_t arrived = 0;  ///< reached their last stage, each once
    std::uint64_t left = 0;     ///< of these, through an exit
    std::uint64_t removed = 0;  ///< by an event
    std::uint64_t present = 0;
    std::uint64_t bystanders = 0;        ///< of those spawned, never meant to walk
    std::uint64_t without_goal = 0;      ///< stand because there is nowhere to go, now
    std::uint64_t waiting_to_enter = 0;  ///< due at a source that has no free place, now
    double last_arrival = 0.0;           ///< [s]
    double mean_travel_time = 0.0;       ///< from setting off to the last stage [s]
    double slowest_travel_time = 0.0;    ///< [s]
    double overlap_pairs_per_frame = 0.0;
    double deepest_overlap = 0.0;  ///< [m]
    std::uint64_t wall_contacts = 0;
    std::uint64_t wall_penetrations = 0;  ///< agent-steps more than 1 cm in a wall
    std::uint64_t stalls = 0;             ///< times somebody stood below 0.2 m/s for 2 s on the way
    // times somebody began to do something about a stall: docs/stalls.md
    std::uint64_t side_steps = 0;
    std::uint64_t yields = 0;
    std::uint64_t replans = 0;  ///< found another way, and took it
    std::uint64_t back_ups = 0;
    double median_progress = 0.0;  ///< median over agents: way made good / (preferred speed x time)
    double mean_path_ratio = 0.0;  ///< of those who arrived: way walked / shortest way at the start
    std::uint64_t infeasible_programs = 0;
    std::uint64_t neighbour_cap_hits = 0;
    std::uint64_t acceleration_exceeded = 0;  ///< agent-steps; as in StepReport
    std::uint64_t crowded_sights = 0;         ///< pairs and steps; as in StepReport
    std::uint64_t waiting = 0;                ///< agent-steps; as in StepReport
    std::uint64_t body_contacts = 0;          ///< agent-steps; as in StepReport
    std::uint64_t held_vehicles = 0;          ///< agent-steps; as in StepReport
    std::uint64_t state_hash = 0;
    std::uint32_t threads = 0;
    std::string isa;
    // measured, not part of the state
    double ms_per_step = 0.0;    ///< wall time, navigation and bookkeeping included
    double us_per_update = 0.0;  ///< CPU time of the process in World::step per agent; the writer
                                 ///< of a recording works beside it and counts too
    double navigation_us_per_update = 0.0;  ///< CPU time of routes and journeys, the same way
};

/// What [expect] asked for and what the run showed.
struct ExpectResult {
    ExpectPlan expect;
    double measured = 0.0;
    bool met = false;
    std::string message;  ///< "last_arrival_max: 512.3 s, expected at most 400 s"
};

struct SimulationState;

/// A scenario that runs: a World, the routes over its floors, and the journeys, sources and events
/// of the file. Used by one thread at a time.
class Simulation {
public:
    /// Builds floors and routes and places the agents. Where something does not fit (somebody in a
    /// wall, a goal nobody can reach) nothing is made, and `problems` says all of it.
    static std::optional<Simulation> create(const Scenario& scenario,
                                            const SimulationOptions& options, Problems& problems);
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;
    ~Simulation();

    /// Time is up, or nobody is there any more and nobody will come.
    bool finished() const;
    /// Events and sources that are due, one step of the world, arrivals.
    StepReport step();

    const World& world() const;
    /// As World::watch: `world().watched(agent)` tells what each step from now on used for it. Who
    /// asks World::explain instead is told about the wish of the step before.
    Result<void> watch(AgentHandle agent);
    /// As World::time_stages.
    void time_stages(StageTimes* times);
    const Scenario& scenario() const;
    double duration() const;  ///< [s]
    RunSummary summary() const;
    std::vector<ExpectResult> check_expectations() const;
    /// Of the world, and of journeys, sources and events.
    std::uint64_t state_hash() const;

    /// For a recording: what is fixed, and the state now.
    RecordingInfo recording_info() const;
    bool frame_is_due() const;
    void fill(RecordedFrame& frame) const;
    /// What has happened since the last call. The first call, best before the first step, tells who
    /// is there and who stands for good by then; who comes and whose journey ends is noted from
    /// then on, so that a run that nobody records keeps nothing.
    RecordedNotes take_notes();

private:
    friend struct SimulationAccess;
    explicit Simulation(std::unique_ptr<SimulationState> state);
    std::unique_ptr<SimulationState> state_;
};

}  // namespace sidestep
