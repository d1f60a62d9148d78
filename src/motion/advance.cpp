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

}  // namespace

void preferred_velocities_of_leaf(const AgentTable& agents, const Column<Profile>& profiles, float dt, std::size_t leaf, float* vx,
                                  float* vy) noexcept
{
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        const std::uint32_t flags = agents.record[row].flags;
        if ((flags & kHostDriven) != 0) {
            vx[lane] = agents.preferred_vx[row];
            vy[lane] = agents.preferred_vy[row];
            continue;
        }
        vx[lane] = vy[lane] = 0.0f;
        if ((flags & kHasGoal) == 0) continue;
        const float dx = agents.goal_x[row] - agents.x[row];
        const float dy = agents.goal_y[row] - agents.y[row];
        const float distance = std::sqrt(dx * dx + dy * dy);
        if (!(distance > 0.0f)) continue;
        const float speed = std::min(param_of(agents, profiles, row, kPreferredSpeed), distance / dt);
        vx[lane] = dx * (speed / distance) + 0.0f;
        vy[lane] = dy * (speed / distance) + 0.0f;
    }
}

std::uint64_t set_preferred_velocities(AgentTable& agents, const Column<Profile>& profiles, float dt, std::size_t first_leaf,
                                       std::size_t last_leaf) noexcept
{
    std::uint64_t without_goal = 0;
    for (std::size_t leaf = first_leaf; leaf < last_leaf; ++leaf) {
        const std::size_t row = leaf * kLeafRows;
        preferred_velocities_of_leaf(agents, profiles, dt, leaf, agents.preferred_vx.data() + row, agents.preferred_vy.data() + row);
        for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
            const AgentRecord& record = agents.record[row + lane];
            without_goal += record.id != kNoAgent && (record.flags & (kHasGoal | kHostDriven)) == 0 ? 1 : 0;
        }
    }
    return without_goal;
}

std::uint64_t advance(AgentTable& agents, const Column<Profile>& profiles, const WallIndex& walls, float dt, std::size_t first_leaf,
                      std::size_t last_leaf) noexcept
{
    std::uint64_t contacts = 0;
    for (std::size_t row = first_leaf * kLeafRows; row < last_leaf * kLeafRows; ++row) {
        AgentRecord& record = agents.record[row];
        if (record.id == kNoAgent) continue;
        float vx = agents.next_vx[row];
        float vy = agents.next_vy[row];
        if (walls.size() > 0) {
            const float radius = param_of(agents, profiles, row, kRadius);
            const float share =
                free_share(walls, record.x, record.y, vx * dt, vy * dt, radius, agents.leaf_level[row / kLeafRows]);
            if (share < 1.0f) {
                vx *= share;
                vy *= share;
                ++contacts;
            }
        }
        record.vx = vx + 0.0f;  // -0 is stored as +0
        record.vy = vy + 0.0f;
        add_exactly(record.x, agents.remainder_x[row], vx * dt);
        add_exactly(record.y, agents.remainder_y[row], vy * dt);
        agents.x[row] = record.x;
        agents.y[row] = record.y;
    }
    return contacts;
}

}  // namespace sidestep
