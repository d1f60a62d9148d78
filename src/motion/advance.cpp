// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "motion/advance.hpp"

#include <algorithm>
#include <cmath>

#include "motion/wall_contact.hpp"

namespace sidestep {

namespace {

/// Adds `change` to a position kept as a float and the part it could not hold.
void add_exactly(float& position, float& remainder, float change)
{
    const float whole = remainder + change;
    const float moved = position + whole;
    remainder = whole - (moved - position);
    position = moved;
}

struct Step {
    float vx, vy;  ///< [m/s]
    float dx, dy;  ///< [m]
};

/// A centre closer than this [m] to a wall could be rounded across it.
constexpr double kRoundedAcross = 1e-3;

/// Whether the rounded position that a step ends at is behind a wall.
bool ends_behind_wall(const AgentTable& agents, std::size_t row, const WallsAround& walls,
                      const Step& step)
{
    float x = agents.record[row].x;
    float y = agents.record[row].y;
    const Spot before{x, y};
    float remainder_x = agents.remainder_x[row];
    float remainder_y = agents.remainder_y[row];
    add_exactly(x, remainder_x, step.dx);
    add_exactly(y, remainder_y, step.dy);
    return crosses_wall(walls, before, {x, y});
}

/// Change of velocity from v to w [m/s].
double change_of(float vx, float vy, float wx, float wy)
{
    return length({double{wx} - vx, double{wy} - vy});
}

/// Cuts a step at the walls, and counts what that means.
void keep_out_of_walls(const AgentTable& agents, const Column<Profile>& profiles,
                       const WallIndex& index, float dt, std::size_t row, Step& step,
                       MoveCounts& counts) noexcept
{
    const AgentRecord& record = agents.record[row];
    const WallsAround walls{index, agents.leaf_level[row / kLeafRows]};
    const float radius = param_of(agents, profiles, row, kRadius);
    const Move move = move_disc(walls, {record.x, record.y}, {step.dx, step.dy}, radius);
    counts.wall_penetrations += move.clearance < radius - kPenetration ? 1 : 0;
    const Step wanted = step;
    if (move.cut) {
        step.dx = static_cast<float>(move.displacement.x);
        step.dy = static_cast<float>(move.displacement.y);
        step.vx = step.dx / dt;
        step.vy = step.dy / dt;
    }
    const bool behind =
        move.clearance < kRoundedAcross && ends_behind_wall(agents, row, walls, step);
    if (behind) step = {};
    if (!move.cut && !behind) return;
    ++counts.wall_contacts;
    // A model that gave up the limit has counted that itself.
    const double reach = double{param_of(agents, profiles, row, kMaxAcceleration)} * dt;
    const bool model_kept_it =
        change_of(record.vx, record.vy, wanted.vx, wanted.vy) <= reach * (1.0 + 1e-6);
    if (model_kept_it && change_of(record.vx, record.vy, step.vx, step.vy) > reach)
        ++counts.acceleration_exceeded;
}

/// How fast one goes back to the place it holds from this far [m]: without haste, slower as it
/// comes near, and not at all for the width of a finger.
float return_speed(float distance)
{
    constexpr float kMostSpeed = 0.5f;     // [m/s]
    constexpr float kNearlyThere = 0.01f;  // [m]
    constexpr float kPerSecond = 1.0f;     // [1/s]
    return distance < kNearlyThere ? 0.0f : std::min(kMostSpeed, distance * kPerSecond);
}

}  // namespace

Point<float> preferred_velocity_of(const AgentTable& agents, const Column<Profile>& profiles,
                                   float dt, std::size_t row) noexcept
{
    const std::uint32_t flags = agents.record[row].flags;
    if ((flags & kHostDriven) != 0) return {agents.preferred_vx[row], agents.preferred_vy[row]};
    if ((flags & kHasGoal) == 0) return {};
    const float dx = agents.goal_x[row] - agents.x[row];
    const float dy = agents.goal_y[row] - agents.y[row];
    const float distance = std::sqrt(dx * dx + dy * dy);
    if (!(distance > 0.0f)) return {};
    float speed = std::min(param_of(agents, profiles, row, kPreferredSpeed), distance / dt);
    if ((flags & kHoldsPlace) != 0) speed = std::min(speed, return_speed(distance));
    return {dx * (speed / distance) + 0.0f, dy * (speed / distance) + 0.0f};
}

void preferred_velocities_of_leaf(const AgentTable& agents, const Column<Profile>& profiles,
                                  float dt, std::size_t leaf, float* vx, float* vy) noexcept
{
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const Point<float> wish =
            preferred_velocity_of(agents, profiles, dt, leaf * kLeafRows + lane);
        vx[lane] = wish.x;
        vy[lane] = wish.y;
    }
}

std::uint64_t set_preferred_velocities(AgentTable& agents, const Column<Profile>& profiles,
                                       float dt, std::size_t first_leaf,
                                       std::size_t last_leaf) noexcept
{
    std::uint64_t without_goal = 0;
    for (std::size_t leaf = first_leaf; leaf < last_leaf; ++leaf) {
        const std::size_t row = leaf * kLeafRows;
        preferred_velocities_of_leaf(agents, profiles, dt, leaf, agents.preferred_vx.data() + row,
                                     agents.preferred_vy.data() + row);
        for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
            const AgentRecord& record = agents.record[row + lane];
            without_goal +=
                record.id != kNoAgent && (record.flags & (kHasGoal | kHostDriven)) == 0 ? 1 : 0;
        }
    }
    return without_goal;
}

MoveCounts advance(AgentTable& agents, const Column<Profile>& profiles, const WallIndex& walls,
                   float dt, std::size_t first_leaf, std::size_t last_leaf) noexcept
{
    MoveCounts counts;
    for (std::size_t row = first_leaf * kLeafRows; row < last_leaf * kLeafRows; ++row) {
        AgentRecord& record = agents.record[row];
        if (record.id == kNoAgent) continue;
        Step step{agents.next_vx[row], agents.next_vy[row], agents.next_vx[row] * dt,
                  agents.next_vy[row] * dt};
        if (walls.size() > 0) keep_out_of_walls(agents, profiles, walls, dt, row, step, counts);
        record.vx = step.vx + 0.0f;  // -0 is stored as +0
        record.vy = step.vy + 0.0f;
        add_exactly(record.x, agents.remainder_x[row], step.dx);
        add_exactly(record.y, agents.remainder_y[row], step.dy);
        agents.x[row] = record.x;
        agents.y[row] = record.y;
    }
    return counts;
}

}  // namespace sidestep
