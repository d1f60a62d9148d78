// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

namespace sidestep {

/// A velocity [m/s] that an agent can take.
struct LimitedVelocity {
    float x = 0.0f, y = 0.0f;
    bool acceleration_exceeded = false;
};

/// What the agent in `row` makes of a wanted velocity (vx, vy), which is finite: it is shortened to
/// max_speed, or `most_speed` [m/s] where that is less, then the change to it to what
/// max_acceleration allows in a step. One that was too fast before is slowed to max_speed at once,
/// whatever the acceleration.
LimitedVelocity within_limits(const Snapshot& snapshot, std::size_t row, float vx, float vy,
                              float most_speed);

}  // namespace sidestep
