// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "motion/advance.hpp"
#include "sim/world_state.hpp"

namespace sidestep {

namespace {

const char* words_of(StallAnswer answer)
{
    switch (answer) {
        case StallAnswer::none: return "does nothing about";
        case StallAnswer::side_step: return "steps aside for";
        case StallAnswer::yield: return "yields to";
        case StallAnswer::replan: return "looks for another way than past";
        case StallAnswer::back_up: return "backs up before";
    }
    return "";
}

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

/// Adds what the agent wants because it is stalled.
void explain_stall(const WorldState& world, std::size_t row, const WorkerState& worker,
                   Explanation& explanation)
{
    const std::size_t lane = row % kLeafRows;
    explanation.stalled = world.agents.stall_clock[row] * world.options.dt;
    explanation.stall_answer = worker.stalls.answer[lane];
    if (explanation.stall_answer == StallAnswer::none) return;
    const Vec2 wish = worker.stalls.wish[lane];
    explanation.stall_wish = wish;
    char text[160];
    std::snprintf(text, sizeof text,
                  "stalled for %.1f s, it %s agent %u and wants (%.2f, %.2f) m/s; ",
                  explanation.stalled, words_of(explanation.stall_answer), worker.stalls.whom[lane],
                  wish.x + 0.0, wish.y + 0.0);
    explanation.reason.insert(0, text);
}

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
    explain_stall(world, row, worker, explanation);
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
