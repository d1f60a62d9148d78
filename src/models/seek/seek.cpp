// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/seek/seek.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sidestep::seek {

namespace {

/// Vector (x, y) shortened to `limit` where it is longer, with an ulp or two to spare.
void shorten(float& x, float& y, float limit)
{
    const float length = std::sqrt(x * x + y * y);
    if (!(length > limit)) return;
    const float scale = limit / length * (1.0f - 4.0f * std::numeric_limits<float>::epsilon());
    x *= scale;
    y *= scale;
}

void choose_velocities(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                       Choice& choice)
{
    const AgentTable& agents = snapshot.agents;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        choice.vx[lane] = choice.vy[lane] = 0.0f;
        if (!agents.holds(row)) continue;
        float vx = agents.preferred_vx[row];
        float vy = agents.preferred_vy[row];
        const float max_speed = param_of(agents, snapshot.profiles, row, kMaxSpeed);
        shorten(vx, vy, max_speed);
        const float old_vx = agents.record[row].vx;
        const float old_vy = agents.record[row].vy;
        float change_x = vx - old_vx;
        float change_y = vy - old_vy;
        // The sum below is rounded too: that much to spare.
        const float rounding =
            std::numeric_limits<float>::epsilon() * (std::fabs(old_vx) + std::fabs(old_vy));
        const float reach =
            param_of(agents, snapshot.profiles, row, kMaxAcceleration) * snapshot.dt;
        shorten(change_x, change_y, std::max(reach - rounding, 0.0f));
        vx = old_vx + change_x;
        vy = old_vy + change_y;
        if (vx * vx + vy * vy > max_speed * max_speed) {
            // The speed limit comes before the acceleration limit; by rounding alone it is kept
            // too.
            shorten(vx, vy, max_speed);
            change_x = vx - old_vx;
            change_y = vy - old_vy;
            const float allowed = reach + 2.0f * rounding;
            const bool exceeded = change_x * change_x + change_y * change_y > allowed * allowed;
            choice.acceleration_exceeded |= lane_bit(lane, exceeded);
        }
        choice.vx[lane] = vx;
        choice.vy[lane] = vy;
    }
    if (scratch.explain != nullptr) {
        scratch.explain->reason = "seek: takes its preferred velocity and avoids nobody";
    }
}

ChooseVelocities choose_for(Isa)
{
    return choose_velocities;
}

}  // namespace

const Model kModel{
    .info = {.name = "seek", .summary = "straight to the goal, avoids nobody", .params = {}},
    .avoidance = AvoidanceClass::none,
    .reacts = false,
    .choose_for = choose_for};

}  // namespace sidestep::seek
