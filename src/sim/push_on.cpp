// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/push_on.hpp"

#include <algorithm>
#include <cmath>

#include "motion/wall_carry.hpp"
#include "sim/world_state.hpp"

namespace sidestep {

namespace {

/// Somebody may be pushed several times; all together so often, for each who is near.
constexpr std::size_t kPushesEach = 32;

/// Bodies that are less deep [m] into each other touch: twice what a push leaves.
constexpr double kDeep = 2.0 * kContactSlop;

/// Whether one who was pushed pushes another: vehicles are too heavy, soft bodies give.
bool pushes(const AgentRecord& one, const AgentRecord& other)
{
    return (other.flags & kVehicle) == 0 && (one.flags & other.flags & kSoftBody) == 0;
}

}  // namespace

bool PushScratch::reserve(std::size_t rows) noexcept
{
    return near.reserve(rows) && turns.reserve(rows);
}

void put_agent(WorldState& world, std::size_t row, float x, float y) noexcept
{
    AgentRecord& record = world.agents.record[row];
    record.x = world.agents.x[row] = x + 0.0f;
    record.y = world.agents.y[row] = y + 0.0f;
    world.agents.remainder_x[row] = world.agents.remainder_y[row] = 0.0f;
}

std::uint64_t push_on(WorldState& world, std::uint16_t level) noexcept
{
    const AgentTable& agents = world.agents;
    Column<PushScratch::Near>& near = world.push.near;
    Column<std::uint32_t>& turns = world.push.turns;
    const auto id_of = [&](const PushScratch::Near& one) { return agents.record[one.row].id; };
    std::sort(near.begin(), near.end(),
              [&](const auto& a, const auto& b) { return id_of(a) < id_of(b); });
    const std::size_t size = near.size();
    turns.resize(size, 0);
    std::size_t first = 0, last = 0;  // of the ring, counted without end
    for (std::uint32_t i = 0; i < size; ++i) {
        if (near[i].is_pushed != 0) turns[last++] = i;
    }
    float largest = 0.0f;
    for (const PushScratch::Near& one : near) largest = std::max(largest, one.radius);
    std::uint64_t count = 0;
    while (first != last) {
        PushScratch::Near& one = near[turns[first++ % size]];
        one.is_pushed = 0;
        const Spot from{one.from_x, one.from_y};
        const Spot to{agents.x[one.row], agents.y[one.row]};
        const double radius = double{one.radius};
        const double reach = radius + double{largest};
        for (std::uint32_t i = 0; i < size; ++i) {
            PushScratch::Near& other = near[i];
            const float x = agents.x[other.row], y = agents.y[other.row];
            if (other.row == one.row || std::fabs(x - to.x) >= reach ||
                std::fabs(y - to.y) >= reach ||
                !pushes(agents.record[one.row], agents.record[other.row]))
                continue;
            const double touch = radius + double{other.radius};
            if (length(Spot{x, y} - to) >= touch) continue;
            // Who was in another body already may stay as deep; rounding does not count as that, or
            // each push would add its own.
            const double before = length(Spot{other.from_x, other.from_y} - from);
            const double kept = before < touch - kDeep ? before : touch;
            const Carried carried =
                push_away({world.wall_index, level}, to, kept, to - from, x, y, other.radius);
            if (!carried.moved) continue;
            if (count == kPushesEach * size) return count;
            ++count;
            put_agent(world, other.row, carried.x, carried.y);
            if (other.is_pushed != 0) continue;  // it has its turn
            other.is_pushed = 1;
            turns[last++ % size] = i;
        }
    }
    return count;
}

}  // namespace sidestep
