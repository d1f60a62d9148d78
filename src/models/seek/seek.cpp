// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/seek/seek.hpp"

#include "models/within_limits.hpp"

namespace sidestep::seek {

namespace {

void choose_velocities(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                       Choice& choice)
{
    const AgentTable& agents = snapshot.agents;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        choice.vx[lane] = choice.vy[lane] = 0.0f;
        if (!agents.holds(row)) continue;
        const LimitedVelocity v =
            within_limits(snapshot, row, scratch.wishes.vx[lane], scratch.wishes.vy[lane],
                          scratch.wishes.most_speed[lane]);
        choice.vx[lane] = v.x;
        choice.vy[lane] = v.y;
        choice.acceleration_exceeded |= lane_bit(lane, v.acceleration_exceeded);
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
