// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "motion/advance.hpp"
#include "sim/world_state.hpp"

namespace sidestep {

Explanation explain_row(WorldState& world, std::size_t row)
{
    refresh_indices(world);
    AgentTable& agents = world.agents;
    const std::size_t leaf = row / kLeafRows;
    const std::size_t lane = row % kLeafRows;

    // The wishes that the coming step will compute, for this leaf only; the old ones are put back.
    float wish_x[kLeafRows], wish_y[kLeafRows];
    preferred_velocities_of_leaf(agents, world.profiles, world.dt(), leaf, wish_x, wish_y);
    float* column_x = agents.preferred_vx.data() + leaf * kLeafRows;
    float* column_y = agents.preferred_vy.data() + leaf * kLeafRows;
    std::swap_ranges(wish_x, wish_x + kLeafRows, column_x);
    std::swap_ranges(wish_y, wish_y + kLeafRows, column_y);

    const AgentRecord& record = agents.record[row];
    Explanation explanation;
    explanation.id = record.id;
    explanation.step = world.step_index;
    explanation.position = {world.options.origin.x + record.x, world.options.origin.y + record.y};
    explanation.velocity = {record.vx, record.vy};
    explanation.preferred_velocity = {column_x[lane], column_y[lane]};

    WorkerState& worker = *world.dry_run;
    worker.model.explain = &explanation;
    worker.model.explain_lane = lane;
    choose_for_leaf(world, world.snapshot(), leaf, worker);
    worker.model.explain = nullptr;
    explanation.chosen_velocity = {worker.choice.vx[lane], worker.choice.vy[lane]};
    explanation.neighbour_cap_hit = worker.model.neighbours.lists.cap_hit[lane];

    std::swap_ranges(wish_x, wish_x + kLeafRows, column_x);
    std::swap_ranges(wish_y, wish_y + kLeafRows, column_y);
    return explanation;
}

}  // namespace sidestep
