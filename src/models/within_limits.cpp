// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/within_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sidestep {

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

}  // namespace

LimitedVelocity within_limits(const Snapshot& snapshot, std::size_t row, float vx, float vy,
                              float most_speed)
{
    const AgentTable& agents = snapshot.agents;
    const float max_speed =
        std::min(most_speed, param_of(agents, snapshot.profiles, row, kMaxSpeed));
    shorten(vx, vy, max_speed);
    const float old_vx = agents.record[row].vx;
    const float old_vy = agents.record[row].vy;
    float change_x = vx - old_vx;
    float change_y = vy - old_vy;
    // The sum below is rounded too: that much to spare.
    const float rounding =
        std::numeric_limits<float>::epsilon() * (std::fabs(old_vx) + std::fabs(old_vy));
    const float reach = walking_acceleration(agents, snapshot.profiles, row) * snapshot.dt;
    shorten(change_x, change_y, std::max(reach - rounding, 0.0f));
    LimitedVelocity limited{old_vx + change_x, old_vy + change_y};
    if (limited.x * limited.x + limited.y * limited.y > max_speed * max_speed) {
        // The speed limit comes before the acceleration limit; by rounding alone it is kept too.
        shorten(limited.x, limited.y, max_speed);
        change_x = limited.x - old_vx;
        change_y = limited.y - old_vy;
        const float allowed = reach + 2.0f * rounding;
        limited.acceleration_exceeded =
            change_x * change_x + change_y * change_y > allowed * allowed;
    }
    return limited;
}

}  // namespace sidestep
