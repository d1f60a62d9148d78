// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "motion/advance.hpp"
#include "sim/world_state.hpp"

namespace sidestep {

namespace {

/// While it lives, the preferred velocities of a leaf are those that the coming step will compute;
/// then the old ones are put back, also when memory runs out in between.
class WishesOfLeaf {
public:
    WishesOfLeaf(WorldState& world, std::size_t leaf)
        : column_x_(world.agents.preferred_vx.data() + leaf * kLeafRows),
          column_y_(world.agents.preferred_vy.data() + leaf * kLeafRows)
    {
        preferred_velocities_of_leaf(world.agents, world.profiles, world.dt(), leaf, x_, y_);
        swap();
    }
    ~WishesOfLeaf() { swap(); }
    WishesOfLeaf(const WishesOfLeaf&) = delete;
    WishesOfLeaf& operator=(const WishesOfLeaf&) = delete;

private:
    void swap() noexcept
    {
        std::swap_ranges(x_, x_ + kLeafRows, column_x_);
        std::swap_ranges(y_, y_ + kLeafRows, column_y_);
    }

    float* column_x_;
    float* column_y_;
    float x_[kLeafRows];
    float y_[kLeafRows];
};

}  // namespace

Explanation explain_row(WorldState& world, std::size_t row)
{
    refresh_indices(world);
    const AgentTable& agents = world.agents;
    const std::size_t leaf = row / kLeafRows;
    const std::size_t lane = row % kLeafRows;

    const WishesOfLeaf wishes(world, leaf);
    const AgentRecord& record = agents.record[row];
    Explanation explanation;
    explanation.id = record.id;
    explanation.step = world.step_index;
    explanation.position = {world.options.origin.x + record.x, world.options.origin.y + record.y};
    explanation.velocity = {record.vx, record.vy};
    explanation.preferred_velocity = {agents.preferred_vx[row], agents.preferred_vy[row]};
    explanation.max_speed = param_of(agents, world.profiles, row, kMaxSpeed);
    const float acceleration = param_of(agents, world.profiles, row, kMaxAcceleration);
    if (std::isfinite(acceleration)) explanation.reach = acceleration * world.dt();

    WorkerState& worker = *world.dry_run;
    worker.model.explain = &explanation;
    worker.model.explain_lane = lane;
    choose_for_leaf(world, world.snapshot(), leaf, worker);
    worker.model.explain = nullptr;
    explanation.chosen_velocity = {worker.choice.vx[lane], worker.choice.vy[lane]};
    std::sort(explanation.neighbours.begin(), explanation.neighbours.end(),
              [](const Explanation::Neighbour& a, const Explanation::Neighbour& b) {
                  return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
              });
    explanation.neighbour_cap_hit = worker.model.neighbours.lists.cap_hit[lane];
    return explanation;
}

}  // namespace sidestep
