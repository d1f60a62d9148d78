// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Agent tables without a world around them, for tests of what works on rows.

#include <stdexcept>

#include "math/box_tree.hpp"
#include "neighbours/neighbours.hpp"
#include "neighbours/sort_rows.hpp"
#include "world/agent_table.hpp"

namespace sidestep::test {

struct TableAgent {
    std::uint32_t id = 0;
    float x = 0.0f;
    float y = 0.0f;
    std::uint16_t level = 0;
    ProfileId profile = 0;
};

/// A table with all it takes to search it. Handle indices are the order of adding.
struct TestTable {
    AgentTable agents;
    Column<Profile> profiles;
    SortScratch sort;
    BoxTree tree;
    NeighbourScratch scratch;

    /// Memory for all that the test will add, which may be one leaf per agent.
    TestTable(std::size_t max_agents, std::size_t spare_rows, std::size_t max_profiles)
    {
        const std::size_t leaves = max_agents + spare_rows / kLeafRows + 1;
        const std::size_t rows = leaves * kLeafRows;
        const bool enough = agents.reserve_rows(rows) && agents.reserve_slots(max_agents) &&
                            sort.reserve(rows) && tree.reserve(leaves) &&
                            profiles.reserve(max_profiles);
        if (!enough) throw std::bad_alloc();
    }

    void add_profile(std::uint8_t model, float radius, float planning, float range, float cap)
    {
        Profile profile;
        profile.model = model;
        profile.value[kRadius] = radius;
        profile.value[kPlanningRadius] = planning;
        profile.value[kNeighbourRange] = range;
        profile.value[kMaxNeighbours] = cap;
        profile.value[kFieldOfView] = 360.0f;
        profiles.push_back(profile);
    }

    void add(const TableAgent& agent)
    {
        const std::size_t row = agents.append_row(agent.level, profiles[agent.profile].model);
        agents.x[row] = agent.x;
        agents.y[row] = agent.y;
        agents.record[row] = {.x = agent.x, .y = agent.y, .id = agent.id};
        agents.profile[row] = agent.profile;
        agents.slot[row] = static_cast<std::uint32_t>(agents.slots.size());
        agents.slots.push_back({static_cast<std::uint32_t>(row), 0});
        for (std::size_t param = 0; param < kMaxParams; ++param) {
            Column<float>& column = agents.overrides[param];
            if (!column.empty()) column[row] = profiles[agent.profile].value[param];
        }
        refresh_radius(row);
        ++agents.live;
    }

    void remove(std::size_t index)
    {
        agents.vacate_row(agents.slots[index].row);
        agents.slots[index].row = kNoRow;
        --agents.live;
    }

    /// Gives one agent its own value; the first use of a parameter writes everybody's value into
    /// its column.
    void set(std::size_t index, std::size_t param, float value)
    {
        Column<float>& column = agents.overrides[param];
        if (column.empty()) {
            if (!column.reserve(agents.record.capacity())) throw std::bad_alloc();
            column.resize(agents.rows());
            for (std::size_t row = 0; row < agents.rows(); ++row) {
                column[row] = profiles[agents.profile[row]].value[param];
            }
        }
        const std::uint32_t row = agents.slots[index].row;
        column[row] = value;
        refresh_radius(row);
    }

    void refit()
    {
        tree.set_leaves(agents.leaves());
        refit_leaves(agents, profiles, tree, 0, agents.leaves());
        tree.refit();
    }

    NeighbourInput input() const { return {agents, profiles, tree}; }

private:
    void refresh_radius(std::size_t row)
    {
        agents.record[row].radius = std::max(param_of(agents, profiles, row, kRadius),
                                             param_of(agents, profiles, row, kPlanningRadius));
    }
};

}  // namespace sidestep::test
