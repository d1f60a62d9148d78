// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>

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

/// Adds what the group did to what the model said.
void explain_group(Explanation& explanation)
{
    const Vec2 change = *explanation.group_change;
    char text[80];
    if (change == Vec2{}) {
        std::snprintf(text, sizeof text, "its group changes nothing; ");
    } else {
        std::snprintf(text, sizeof text, "its group adds (%.2f, %.2f) m/s to what it wants; ",
                      change.x + 0.0, change.y + 0.0);
    }
    explanation.reason.insert(0, text);
}

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

    const std::uint32_t group = agents.group.empty() ? kNoGroup : agents.group[row];
    if (group != kNoGroup) {
        lead_group(world, world.groups.groups[group]);  // as the coming step will
        explanation.group_change = Vec2{agents.group_vx[row], agents.group_vy[row]};
    }

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
    if (explanation.group_change) explain_group(explanation);
    return explanation;
}

}  // namespace sidestep
