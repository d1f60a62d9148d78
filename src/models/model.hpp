// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/column.hpp"
#include "neighbours/neighbours.hpp"
#include "perception/perceive.hpp"
#include "world/wall_index.hpp"
#include "world/agent_table.hpp"
#include "world/body_table.hpp"
#include "world/pair_shares.hpp"
#include "world/wishes.hpp"

namespace sidestep {

// What a model is to the rest of the engine: a table of parameters and a function that chooses the
// next velocity of the eight agents of a leaf from a snapshot nobody writes to. A model never sees
// another model, nor which threads or lanes it runs on.

/// Models of one class split the avoidance between two agents by the same rule.
enum class AvoidanceClass : std::uint8_t {
    none,
    half_planes,         ///< ORCA's
    linear_half_planes,  ///< those of linearised cones
    full_cones,          ///< keeps out of the other's cone, as if the other went on as it does
    reciprocal_cones,    ///< keeps out of its share of the cone, on whichever side
    linear_cones,        ///< the same of linearised cones
    forces,              ///< is pushed aside, by an amount that nobody can count on
};

/// The snapshot a step starts from.
struct Snapshot {
    const AgentTable& agents;
    const Column<Profile>& profiles;
    const WallIndex& walls;
    const BodyTable& bodies;
    const PairShares& shares;
    Vec2 origin;
    float dt;
    PassingSide passing_side;
};

/// Lines of up to eight agents, as the program reads them, and where each came from.
struct LineScratch {
    Column<float> nx, ny, c;           ///< [slot * lanes + lane]: n.v >= c
    Column<float> projected;           ///< the program's own
    Column<std::uint32_t> source;      ///< agent row, body index or wall index
    Column<std::uint8_t> source_kind;  ///< Explanation::Source
};

/// Per worker; the next leaf overwrites it.
struct ModelScratch {
    NeighbourScratch neighbours;  ///< those that the agents avoid
    Perceived perceived;
    WallScratch walls;
    LineScratch lines;
    Column<float> regions;  ///< cells of forbidden regions, laid out by cone models
    Wishes wishes;
    bool filters = false;            ///< the model runs as a filter
    Explanation* explain = nullptr;  ///< filled for `explain_lane` where set
    std::size_t explain_lane = 0;
};

/// The bit of lane `lane` where `is`.
constexpr std::uint8_t lane_bit(std::size_t lane, bool is)
{
    return static_cast<std::uint8_t>((is ? 1u : 0u) << lane);
}

/// What a model answers for one leaf.
struct Choice {
    alignas(kColumnAlignment) float vx[kLeafRows];  ///< [m/s]
    alignas(kColumnAlignment) float vy[kLeafRows];
    // A bit for each lane.
    std::uint8_t infeasible = 0;
    std::uint8_t wall_lines_about_zero = 0;
    std::uint8_t acceleration_exceeded = 0;
    std::uint8_t waiting = 0;
    std::uint16_t waited[kLeafRows] = {};  ///< AgentTable::waited after this step, where it is kept
};

using ChooseVelocities = void (*)(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                                  Choice& choice);

/// No parameter.
inline constexpr std::size_t kNoParam = ~std::size_t{0};

struct Model {
    ModelInfo info;
    AvoidanceClass avoidance = AvoidanceClass::none;
    bool reacts =
        false;  ///< whether it takes its share; against one that does not, others take all
    bool may_wait = false;  ///< it has the parameter when_stuck, at place kWhenStuck
    /// Place of a parameter that makes bodies soft where it is not 0: forces between bodies that
    /// touch replace the stage which keeps them out of each other.
    std::size_t soft_bodies = kNoParam;
    ChooseVelocities (*choose_for)(Isa isa) = nullptr;
};

/// All models; an agent's model is a place in this list.
std::span<const Model* const> registry();

}  // namespace sidestep
