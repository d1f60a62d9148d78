// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "policy/places.hpp"

#include <algorithm>
#include <cmath>

namespace sidestep {

namespace {

/// How far from its place one gives way, in radii: a walker fits between two who stand shoulder to
/// shoulder when each has gone two.
constexpr float kLeash = 4.0f;
/// What the speed away from the place loses for each metre nearer to the end of the leash [1/s]:
/// from 0.6 m/s that is no harder than people brake.
constexpr float kLeashRate = 1.0f;

/// Slower than this [m/s] is at rest; one whose wish is no faster is at its place.
constexpr float kAtRest = 0.1f;
/// Bodies with more room than this between them [m] do not keep each other from resting.
constexpr float kNear = 1.8f;

/// Room is made for walkers with less than this between the bodies [m], until they pass with this
/// much room [m].
constexpr float kComesNear = 1.0f;
constexpr float kPassingRoom = 0.1f;
/// How fast, for each metre that is missing [1/s], and at most [m/s].
constexpr float kAsideRate = 2.0f;
constexpr float kAsideSpeed = 0.5f;

float length_of(float x, float y)
{
    return std::sqrt(x * x + y * y);
}

/// Whether everybody near stands at a place, or waits. Scripted bodies stand nowhere: where there
/// are some, models decide.
bool is_among_standing(const StallInput& input, const NeighbourLists& lists, std::size_t row)
{
    if (input.has_bodies) return false;
    const std::size_t lane = row % kLeafRows;
    const AgentRecord& own = input.agents.record[row];
    for (std::size_t i = 0; i < lists.count[lane]; ++i) {
        const std::uint32_t other = lists.row[lane][i];
        const AgentRecord& record = input.agents.record[other];
        const float reach = own.radius + record.radius + kNear;
        if (lists.dist_sq[lane][i] > reach * reach) continue;
        const Point<float> wish = wish_of(input, other);
        if (length_of(record.vx, record.vy) > kAtRest || length_of(wish.x, wish.y) > kAtRest)
            return false;
    }
    return true;
}

/// Whether its acceleration allows a velocity in this step.
bool can_take(const StallInput& input, std::size_t row, float vx, float vy)
{
    const AgentRecord& own = input.agents.record[row];
    const float reach = param_of(input.agents, input.profiles, row, kMaxAcceleration) * input.dt;
    return length_of(vx - own.vx, vy - own.vy) <= reach;
}

}  // namespace

bool make_room(const StallInput& input, std::size_t row, const NeighbourLists& lists,
               Wishes& wishes, StallAnswers& answers) noexcept
{
    const std::size_t lane = row % kLeafRows;
    const AgentRecord& own = input.agents.record[row];
    for (std::size_t i = 0; i < lists.count[lane]; ++i) {
        const std::uint32_t other = lists.row[lane][i];
        const AgentRecord& record = input.agents.record[other];
        const float room = own.radius + record.radius;
        const float reach = room + kComesNear;
        if ((record.flags & kHoldsPlace) != 0 || lists.dist_sq[lane][i] > reach * reach) continue;
        const Point<float> wish = wish_of(input, other);
        const float speed = length_of(wish.x, wish.y);
        if (!(speed > kAtRest)) continue;
        const Point<float> ahead{wish.x / speed, wish.y / speed};
        const float dx = own.x - record.x, dy = own.y - record.y;
        const float to_left = ahead.x * dy - ahead.y * dx;
        const float missing = room + kPassingRoom - std::fabs(to_left);
        if (!(dx * ahead.x + dy * ahead.y > 0.0f) || !(missing > 0.0f)) continue;
        const float aside =
            std::copysign(std::min(kAsideSpeed, kAsideRate * missing), to_left + 0.0f);
        wishes.vx[lane] = -ahead.y * aside;
        wishes.vy[lane] = ahead.x * aside;
        answers.answer[lane] = StallAnswer::side_step;
        answers.whom[lane] = record.id;
        answers.wish[lane] = {wishes.vx[lane], wishes.vy[lane]};
        return true;
    }
    return false;
}

void hold_places(const StallInput& input, std::size_t leaf, const NeighbourLists& lists,
                 const StallAnswers& answers, float* vx, float* vy) noexcept
{
    if (!answers.any_places) return;
    const AgentTable& agents = input.agents;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        if (!agents.holds(row) || (agents.record[row].flags & kHoldsPlace) == 0) continue;
        const AgentRecord& own = agents.record[row];
        const float wish_x = answers.base_vx[lane], wish_y = answers.base_vy[lane];
        if (length_of(wish_x, wish_y) <= kAtRest && length_of(own.vx, own.vy) <= kAtRest &&
            can_take(input, row, wish_x, wish_y) && is_among_standing(input, lists, row)) {
            vx[lane] = wish_x;
            vy[lane] = wish_y;
            continue;
        }
        const float dx = own.x - agents.goal_x[row], dy = own.y - agents.goal_y[row];
        const float distance = std::sqrt(dx * dx + dy * dy);
        if (!(distance > 0.0f)) continue;
        const float most = kLeashRate * std::max(0.0f, kLeash * own.radius - distance);
        const float out = (vx[lane] * dx + vy[lane] * dy) / distance;
        if (!(out > most)) continue;
        vx[lane] -= dx / distance * (out - most);
        vy[lane] -= dy / distance * (out - most);
    }
}

}  // namespace sidestep
