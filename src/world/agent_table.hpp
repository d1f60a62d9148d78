// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/column.hpp"
#include "base/id_map.hpp"
#include "sidestep/world.hpp"
#include "world/sight_table.hpp"
#include "world/traits.hpp"

namespace sidestep {

/// Rows come in leaves of this many: one batch, one vector of lanes, one bottom box of the spatial
/// index. The number is part of the specification: instruction sets with narrower vectors take two
/// halves, so that all agree.
inline constexpr std::size_t kLeafRows = 8;

inline constexpr std::uint32_t kNoRow = 0xffffffffu;

/// The group of agents that are in none.
inline constexpr std::uint32_t kNoGroup = 0xffffffffu;

/// Where rows that hold nobody stand: outside every box, and its square is still finite.
inline constexpr float kFarAway = 1e18f;

/// The agents, at rest. Columns in row order; rows are in space order after a sort, with edits at
/// the tail until the next one.
///
///   row:   record (32 B: what others see) | x y (8 B, the neighbour filter) | remainder (8) |
///   preferred, next velocity (16)
///          | goal (8) | profile (2) | handle (4) | stall clock and answer (3) | one float for each
///          trait that some agent overrides | heading, sight, waited, where traits ask for them |
///          group (12), where there are groups
///   leaf:  level, model (3 B per 8 rows)
///   agent: slot {row, generation} (8 B), id map (some 16 B)
///
/// Slots and ids never move; rows do, whenever it pays, and nothing a user can see depends on
/// where.
struct AgentTable {
    Column<float> x,
        y;  ///< [m] about the origin; the same numbers as in record, packed for the filter
    Column<AgentRecord> record;
    Column<float> remainder_x,
        remainder_y;  ///< what the position lost to rounding [m]; only motion reads it
    Column<float> preferred_vx, preferred_vy;
    Column<float> next_vx, next_vy;
    Column<float> goal_x, goal_y;
    Column<ProfileId> profile;
    Column<std::uint32_t> slot;
    Column<std::uint16_t>
        stall_clock;                   ///< steps it hardly made way, in the rounds of policy/stalls
    Column<StallAnswer> stall_answer;  ///< of the last step
    Column<BodyContact> body_contact;  ///< of the last step; who had one has elbow room
    std::array<Column<float>, kMaxParams>
        overrides;  ///< empty unless some agent overrides that parameter

    // Empty unless some agent's traits ask for them.
    Column<float> heading_x, heading_y;  ///< of a vehicle: unit vector; else last velocity above
                                         ///< kHeadingSpeed, 0: none yet
    Column<float> next_turn;             ///< of vehicles, in the coming step [rad]
    Column<float> way_ahead;             ///< of vehicles: straight way to where the wish leads [m]
    Column<std::uint32_t> sight;         ///< place in the pool, or kNoSight
    Column<std::uint16_t> waited;        ///< steps waited, less steps walked since

    // Empty until somebody is in a group.
    Column<std::uint32_t> group;  ///< index of the group, or kNoGroup
    Column<float> group_vx,
        group_vy;  ///< what the group adds to the preferred velocity in this step [m/s]

    Column<std::uint16_t> leaf_level;
    Column<std::uint8_t> leaf_model;

    struct Slot {
        std::uint32_t row;  ///< kNoRow while free
        std::uint32_t generation;
    };
    Column<Slot> slots;
    Column<std::uint32_t> free_slots;
    IdMap ids;

    std::size_t live = 0;
    std::uint64_t next_id = 0;  ///< above all ids ever used
    std::uint64_t added = 0;
    std::uint64_t removed = 0;
    std::size_t unsorted_edits = 0;  ///< rows appended or vacated since the last sort

    std::size_t rows() const { return record.size(); }
    std::size_t leaves() const { return leaf_level.size(); }
    bool holds(std::size_t row) const { return record[row].id != kNoAgent; }

    /// Room for this many rows; false where memory is short, and then only capacities have changed.
    [[nodiscard]] bool reserve_rows(std::size_t rows) noexcept;
    /// Room for this many agents in slots and ids.
    [[nodiscard]] bool reserve_slots(std::size_t agents) noexcept;

    /// Appends a row for an agent of this level and model at the tail. Needs room for one more
    /// leaf.
    std::size_t append_row(std::uint16_t level, std::uint8_t model) noexcept;
    /// Makes a row hold nobody.
    void vacate_row(std::size_t row) noexcept;
    /// Copies all columns of one row to another.
    void copy_row(std::size_t from, std::size_t to) noexcept;

    /// The row of a live handle, else kNoRow.
    std::uint32_t row_of(AgentHandle handle) const noexcept
    {
        if (handle.index >= slots.size() || slots[handle.index].generation != handle.generation)
            return kNoRow;
        return slots[handle.index].row;
    }

    /// Calls `visit(column, value of a row that holds nobody)` for every column in row order.
    template <class Visit>
    void for_each_row_column(Visit&& visit)
    {
        visit(x, kFarAway);
        visit(y, kFarAway);
        visit(record, AgentRecord{.x = kFarAway, .y = kFarAway});
        for (Column<float>* column : {&remainder_x, &remainder_y, &preferred_vx, &preferred_vy,
                                      &next_vx, &next_vy, &goal_x, &goal_y}) {
            visit(*column, 0.0f);
        }
        visit(profile, ProfileId{0});
        visit(slot, kNoRow);
        visit(stall_clock, std::uint16_t{0});
        visit(stall_answer, StallAnswer::none);
        visit(body_contact, BodyContact::none);
        for (Column<float>& column : overrides) {
            if (!column.empty()) visit(column, 0.0f);
        }
        if (!heading_x.empty()) visit(heading_x, 0.0f);
        if (!heading_y.empty()) visit(heading_y, 0.0f);
        if (!next_turn.empty()) visit(next_turn, 0.0f);
        if (!way_ahead.empty()) visit(way_ahead, std::numeric_limits<float>::infinity());
        if (!sight.empty()) visit(sight, kNoSight);
        if (!waited.empty()) visit(waited, std::uint16_t{0});
        if (!group.empty()) visit(group, kNoGroup);
        if (!group_vx.empty()) visit(group_vx, 0.0f);
        if (!group_vy.empty()) visit(group_vy, 0.0f);
    }
};

/// Slower than this [m/s] one turns round on the spot without going anywhere: the heading is kept.
inline constexpr float kHeadingSpeed = 0.05f;

/// Value of a parameter for the agent in a row: its own where it has one, else its profile's.
inline float param_of(const AgentTable& agents, const Column<Profile>& profiles, std::size_t row,
                      std::size_t param)
{
    const Column<float>& own = agents.overrides[param];
    return own.empty() ? profiles[agents.profile[row]].value[param] : own[row];
}

/// The same for the eight rows of a leaf; rows that hold nobody get some finite value.
inline void params_of_leaf(const AgentTable& agents, const Column<Profile>& profiles,
                           std::size_t leaf, std::size_t param, float* out)
{
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        out[lane] = param_of(agents, profiles, leaf * kLeafRows + lane, param);
    }
}

/// The limit of acceleration that models keep [m/s2]: motion keeps that of vehicles, whose velocity
/// turns as fast as they can.
inline float walking_acceleration(const AgentTable& agents, const Column<Profile>& profiles,
                                  std::size_t row)
{
    return (agents.record[row].flags & kVehicle) != 0
               ? std::numeric_limits<float>::infinity()
               : param_of(agents, profiles, row, kMaxAcceleration);
}

}  // namespace sidestep
