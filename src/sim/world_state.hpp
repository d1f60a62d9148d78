// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "groups/lead_group.hpp"
#include "models/model.hpp"
#include "motion/advance.hpp"
#include "neighbours/neighbours.hpp"
#include "neighbours/sort_rows.hpp"
#include "world/wall_index.hpp"
#include "parallel/workers.hpp"
#include "policy/stalls.hpp"
#include "sidestep/world.hpp"
#include "sim/filter.hpp"
#include "sim/push_on.hpp"
#include "solid/keep_ground.hpp"
#include "world/agent_table.hpp"
#include "world/body_table.hpp"
#include "world/group_table.hpp"
#include "world/wall_table.hpp"

namespace sidestep {

/// Leaves handed to a worker at a time: 512 agents. Part of the data, not of the number of threads.
inline constexpr std::size_t kBlockLeaves = 64;

/// What one worker writes during a step.
struct WorkerState {
    ModelScratch model;
    StallAnswers stalls;
    Steered steered[kLeafRows];  ///< of vehicles
    Choice choice;
    BodyContacts contacts;
    StepReport counts;
    StageTimes stages;  ///< where somebody asks for them
};

struct Watch {
    AgentHandle agent;
    Explanation explanation;
    bool filled = false;
};

/// All of a world: tables, indices, workers and clocks.
struct WorldState {
    explicit WorldState(WorldOptions&& chosen);

    WorldOptions options;
    Isa isa = Isa::scalar;
    FindNeighbours find_neighbours = nullptr;
    Perceive perceive = nullptr;
    SetWishes set_wishes = nullptr;
    FindTouching find_touching = nullptr;
    KeepStallClocks keep_stall_clocks = nullptr;
    std::vector<ChooseVelocities> choose;  ///< per registered model
    FilterKernels filters;

    Column<Profile> profiles;
    AgentTable agents;
    SortScratch sort;
    Negotiation negotiation;
    BoxTree space;                          ///< over the leaves of agents
    Column<float> search_reach_sq;          ///< of these leaves, NeighbourScratch::leaf_reach_sq
    Column<std::uint8_t> search_looks_far;  ///< and leaf_looks_far

    WallTable walls;
    WallIndex wall_index;
    bool wishes_are_set = false;  ///< preferred velocities are of this step: not in a look ahead
    float largest_body = 0.0f;    ///< no radius is larger [m], as the indices were made
    double longest_way = 0.0;     ///< of what vehicles reserve [m], as the indices were made
    bool walls_changed = false;   ///< since wall_index was built
    bool has_space = false;       ///< somebody keeps or kept more clear than a body
    BodyTable bodies;
    SightPool sights;
    PairShares shares;
    GroupTable groups;
    Column<WallEdgeRow> edges_before, edges_after;  ///< of a wall that moves
    PushScratch push;                               ///< of all that moves, where bodies are solid

    Workers workers;
    std::vector<std::unique_ptr<WorkerState>> worker_states;
    std::unique_ptr<WorkerState> dry_run;  ///< of explain and watch

    std::uint64_t step_index = 0;
    double unspent_time = 0.0;              ///< asked of advance(), not yet stepped [s]
    std::uint64_t pending_wall_pushes = 0;  ///< by edits since the last step
    std::vector<Watch> watches;
    std::optional<StepReport::Fault> fault;
    StageTimes* stage_times = nullptr;  ///< somebody asks where the time goes

    float dt() const { return static_cast<float>(options.dt); }
    Snapshot snapshot() const
    {
        return {agents, profiles,       wall_index, bodies,
                shares, options.origin, dt(),       options.passing_side};
    }
    GroupInput group_input() const
    {
        return {agents, profiles, wall_index, dt(), options.passing_side};
    }
    PerceptionInput perception() const
    {
        return {agents, profiles,       sights,     wall_index,
                bodies, options.origin, options.dt, largest_body};
    }
    StallInput stall_input() const
    {
        return {agents,
                profiles,
                dt(),
                options.seed,
                step_index,
                options.passing_side,
                !bodies.bodies.empty(),
                wishes_are_set,
                static_cast<std::uint32_t>(AvoidanceClass::full_cones)};
    }
    bool has_solid_bodies() const { return options.solid_bodies != SolidBodies::off; }
    SolidInput solid_input() const
    {
        return {agents,      profiles,          space, wall_index,
                bodies,      options.origin,    dt(),  options.passing_side,
                longest_way, has_solid_bodies()};
    }
    std::size_t blocks() const { return (agents.leaves() + kBlockLeaves - 1) / kBlockLeaves; }
};

/// For what stands above `sim` and needs the state of a world.
struct WorldAccess {
    static WorldState& state(World& world) { return *world.state_; }
};

/// One step of the whole world.
StepReport step(WorldState& world);

/// Index and boxes as the tables are now. Takes no memory.
void refresh_indices(WorldState& world) noexcept;

/// Neighbours and next velocities of one leaf, into the worker's scratch and choice.
void choose_for_leaf(const WorldState& world, const Snapshot& snapshot, std::size_t leaf,
                     WorkerState& worker);

/// The worker's choice for a leaf, into the rows of next velocities and of what the second looks
/// start from: scratch of a step.
void write_choice(WorldState& world, std::size_t leaf, const WorkerState& worker) noexcept;

/// Second look `look` of the agent in a row, where it was cut at somebody; reads what the look
/// before it left of everybody.
void look_again(WorldState& world, std::size_t row, int look, Explanation* explain);

/// What a group adds to the preferred velocities of its members, into their rows.
void lead_group(WorldState& world, const Group& group) noexcept;

/// Adds what one part of a step counted to a sum.
void add_counts(StepReport& sum, const StepReport& part);

AgentColumns columns_of(const WorldState& world);

/// Runs the stages of a step for one row and tells what they did; changes nothing but indices that
/// are out of date.
Explanation explain_row(WorldState& world, std::size_t row);

/// The hash that World::state_hash documents. Uses the memory of the sort.
std::uint64_t state_hash(WorldState& world) noexcept;

}  // namespace sidestep
