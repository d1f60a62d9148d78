// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

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

}  // namespace

std::string_view to_string(StallAnswer answer)
{
    switch (answer) {
        case StallAnswer::none: return "none";
        case StallAnswer::side_step: return "side-step";
        case StallAnswer::yield: return "yield";
        case StallAnswer::replan: return "replan";
        case StallAnswer::back_up: return "back-up";
    }
    return "";
}

namespace {

const char* words_of(Explanation::Source source)
{
    switch (source) {
        case Explanation::Source::agent: return "agent";
        case Explanation::Source::body: return "body";
        case Explanation::Source::wall: return "wall";
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
    explanation.stall_whom = worker.stalls.whom[lane];
    char since[32] = "at its place";
    if (explanation.stalled > 0.0)
        std::snprintf(since, sizeof since, "stalled for %.1f s", explanation.stalled);
    char text[160];
    std::snprintf(text, sizeof text, "%s, it %s agent %u and wants (%.2f, %.2f) m/s; ", since,
                  words_of(explanation.stall_answer), worker.stalls.whom[lane], wish.x + 0.0,
                  wish.y + 0.0);
    explanation.reason.insert(0, text);
}

/// Adds what a vehicle makes of the velocity that its model chose.
void explain_vehicle(const WorldState& world, std::size_t row, const Steered& steered,
                     Explanation& explanation)
{
    const Pose pose = pose_of(world.agents, row);
    const Reach reach =
        reach_of(vehicle_limits(world.agents, world.profiles, row), pose.speed, double{world.dt()});
    explanation.vehicle =
        Explanation::Vehicle{.heading = {pose.heading.x, pose.heading.y},
                             .wanted_velocity = {steered.chosen.x, steered.chosen.y},
                             .speed = steered.taken.speed,
                             .turn = steered.taken.turn,
                             .wanted_speed = steered.wanted.speed,
                             .wanted_turn = steered.wanted.turn,
                             .least_speed = reach.least_speed,
                             .most_speed = reach.most_speed,
                             .most_turn = reach.most_turn(steered.taken.speed),
                             .is_held = steered.is_held,
                             .held_by = steered.held_by.source,
                             .held_by_id = steered.held_by.id};
    char text[160];
    std::snprintf(text, sizeof text, "; a vehicle, it turns by %.3f rad and drives at %.2f m/s",
                  steered.taken.turn + 0.0, steered.taken.speed);
    explanation.reason += text;
    if (!steered.is_held) return;
    std::snprintf(text, sizeof text, ", held back by the ground of %s %u",
                  words_of(steered.held_by.source), steered.held_by.id);
    explanation.reason += text;
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

/// Chooses for the leaves about an agent, but its own, as the coming step will: what its second
/// looks depend on. Those of whom they read depend on others in turn.
void choose_around(WorldState& world, std::size_t row, WorkerState& worker)
{
    const AgentTable& agents = world.agents;
    const std::uint16_t level = agents.leaf_level[row / kLeafRows];
    const Box own{agents.x[row], agents.y[row], agents.x[row], agents.y[row]};
    const double reach = 2.0 * farthest_seen(world.solid_input());
    world.space.walk(
        [&](const BoxNode& node) {
            return node.min_level <= level && level <= node.max_level &&
                   double{dist_sq(node.box, own)} <= reach * reach;
        },
        [&](std::size_t leaf) {
            if (leaf == row / kLeafRows || agents.leaf_level[leaf] != level) return;
            const WishesOfLeaf wishes(world, leaf);
            for (std::size_t lane = 0; lane < kLeafRows && !agents.group.empty(); ++lane) {
                const std::uint32_t group = agents.group[leaf * kLeafRows + lane];
                if (group != kNoGroup) lead_group(world, world.groups.groups[group]);
            }
            choose_for_leaf(world, world.snapshot(), leaf, worker);
            write_choice(world, leaf, worker);
        });
}

/// The second looks of an agent, once its own leaf has chosen, too.
void look_again_around(WorldState& world, std::size_t row, Explanation& explanation)
{
    const AgentTable& agents = world.agents;
    const double reach = farthest_seen(world.solid_input());
    for (int look = 0; look + 1 < kSecondLooks; ++look) {
        for (std::size_t other = 0; other < agents.rows(); ++other) {
            const double dx = double{agents.x[other]} - agents.x[row];
            const double dy = double{agents.y[other]} - agents.y[row];
            if (dx * dx + dy * dy <= reach * reach &&
                agents.leaf_level[other / kLeafRows] == agents.leaf_level[row / kLeafRows])
                look_again(world, other, look, nullptr);
        }
    }
    look_again(world, row, kSecondLooks - 1, &explanation);
}

/// Adds what was cut at others to what the model said.
void explain_contacts(Explanation& explanation)
{
    if (!explanation.velocity_before_contact) return;
    const Vec2 before = *explanation.velocity_before_contact;
    const Vec2 chosen = explanation.chosen_velocity;
    std::string text = "; cut at ";
    for (std::size_t i = 0; i < explanation.contacts.size(); ++i) {
        const Explanation::Contact& contact = explanation.contacts[i];
        if (i > 0) text += i + 1 == explanation.contacts.size() ? " and " : ", ";
        text += words_of(contact.source);
        text += ' ' + std::to_string(contact.source_id);
    }
    char change[100];
    std::snprintf(change, sizeof change, ": (%.2f, %.2f) m/s becomes (%.2f, %.2f) m/s",
                  before.x + 0.0, before.y + 0.0, chosen.x + 0.0, chosen.y + 0.0);
    explanation.reason += text + change;
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
    if (std::isfinite(acceleration) && (record.flags & kVehicle) == 0)
        explanation.reach = acceleration * world.dt();

    const std::uint32_t group = agents.group.empty() ? kNoGroup : agents.group[row];
    if (group != kNoGroup) {
        lead_group(world, world.groups.groups[group]);  // as the coming step will
        explanation.group_change = Vec2{agents.group_vx[row], agents.group_vy[row]};
    }

    WorkerState& worker = *world.dry_run;
    const bool solid = world.has_solid_bodies();
    if (solid) choose_around(world, row, worker);
    worker.model.explain = &explanation;
    worker.model.explain_lane = lane;
    choose_for_leaf(world, world.snapshot(), leaf, worker);
    worker.model.explain = nullptr;
    explain_stall(world, row, worker, explanation);
    write_choice(world, leaf, worker);
    if (solid) look_again_around(world, row, explanation);
    explanation.chosen_velocity = {agents.next_vx[row], agents.next_vy[row]};
    explain_contacts(explanation);
    std::sort(explanation.neighbours.begin(), explanation.neighbours.end(),
              [](const Explanation::Neighbour& a, const Explanation::Neighbour& b) {
                  return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
              });
    explanation.neighbour_cap_hit = worker.model.neighbours.lists.cap_hit[lane];
    if (explanation.group_change) explain_group(explanation);
    if ((record.flags & kVehicle) != 0)
        explain_vehicle(world, row, worker.steered[lane], explanation);
    return explanation;
}

}  // namespace sidestep
