// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "motion/advance.hpp"

#include <algorithm>
#include <cmath>

#include "motion/vehicle.hpp"
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
                       const WallsAround& walls, float dt, std::size_t row, Step& step,
                       MoveCounts& counts) noexcept
{
    const AgentRecord& record = agents.record[row];
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

/// The agents of a leaf, and how far a step can take each.
MovingDiscs discs_of_leaf(const AgentTable& agents, const Column<Profile>& profiles, float dt,
                          std::size_t leaf)
{
    constexpr float kMargin = 0.01f;  // [m], far above all rounding
    MovingDiscs discs;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        const AgentRecord& record = agents.record[row];
        discs.x[lane] = discs.y[lane] = 0.0f;
        discs.reach[lane] = -1.0f;
        if (record.id == kNoAgent) continue;
        discs.x[lane] = record.x;
        discs.y[lane] = record.y;
        discs.box = merge(discs.box, Box{record.x, record.y, record.x, record.y});
        const float way =
            dt * std::max(std::fabs(agents.next_vx[row]) + std::fabs(agents.next_vy[row]),
                          std::fabs(record.vx) + std::fabs(record.vy));
        discs.reach[lane] = param_of(agents, profiles, row, kRadius) + way + kMargin;
        discs.farthest = std::max(discs.farthest, discs.reach[lane]);
    }
    return discs;
}

/// A vehicle that would drive into a wall stands at once: the last resort, where something was put
/// into the way that it keeps free for stopping.
void keep_vehicle_out_of_walls(const AgentTable& agents, const Column<Profile>& profiles,
                               const WallsAround& walls, std::size_t row, Step& step,
                               MoveCounts& counts) noexcept
{
    const AgentRecord& record = agents.record[row];
    const float radius = param_of(agents, profiles, row, kRadius);
    const Move move = move_disc(walls, {record.x, record.y}, {step.dx, step.dy}, radius);
    counts.wall_penetrations += move.clearance < radius - kPenetration ? 1 : 0;
    const bool behind =
        move.clearance < kRoundedAcross && ends_behind_wall(agents, row, walls, step);
    if (!move.cut && !behind) return;
    ++counts.wall_contacts;
    ++counts.acceleration_exceeded;
    step = {};
}

/// The exact way of a vehicle, which faces where that ends.
Step drive(AgentTable& agents, const Column<Profile>& profiles, float dt, std::size_t row) noexcept
{
    const Pose pose = pose_of(agents, row);
    const Reach reach = reach_of(vehicle_limits(agents, profiles, row), pose.speed, double{dt});
    const Spot next{agents.next_vx[row], agents.next_vy[row]};
    const Arc arc = arc_of(pose, reach, {length(next), double{agents.next_turn[row]}});
    agents.heading_x[row] = static_cast<float>(arc.heading.x) + 0.0f;
    agents.heading_y[row] = static_cast<float>(arc.heading.y) + 0.0f;
    return {agents.next_vx[row], agents.next_vy[row], static_cast<float>(arc.end.x),
            static_cast<float>(arc.end.y)};
}

float return_speed(float distance)
{
    return distance < kNearlyThere ? 0.0f : std::min(kMostReturnSpeed, distance * kReturnRate);
}

/// Fastest speed from which a vehicle can stop at a place at this distance [m/s]. So near that it
/// would only turn about it, it is there.
float speed_to_stop(const AgentTable& agents, const Column<Profile>& profiles, float dt,
                    std::size_t row, float distance)
{
    constexpr float kThere = 0.02f;  // [m]
    if (distance < kThere) return 0.0f;
    const Reach reach =
        reach_of(vehicle_limits(agents, profiles, row), pose_of(agents, row).speed, double{dt});
    return static_cast<float>(stopping_speed(double{distance}, reach));
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
    float speed = param_of(agents, profiles, row, kPreferredSpeed);
    speed =
        std::min(speed, (flags & kVehicle) != 0 ? speed_to_stop(agents, profiles, dt, row, distance)
                                                : distance / dt);
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

MoveCounts advance(AgentTable& agents, const Column<Profile>& profiles, const WallIndex& walls,
                   FindTouching find_touching, float dt, std::size_t first_leaf,
                   std::size_t last_leaf) noexcept
{
    MoveCounts counts;
    for (std::size_t leaf = first_leaf; leaf < last_leaf; ++leaf) {
        NearWalls near;
        std::uint32_t touching = 0;
        if (walls.size() > 0)
            touching = find_touching(walls, agents.leaf_level[leaf],
                                     discs_of_leaf(agents, profiles, dt, leaf), near);
        const WallsAround around{.index = walls, .level = agents.leaf_level[leaf], .near = &near};
        for (std::size_t row = leaf * kLeafRows; row < (leaf + 1) * kLeafRows; ++row) {
            AgentRecord& record = agents.record[row];
            if (record.id == kNoAgent) continue;
            Step step{agents.next_vx[row], agents.next_vy[row], agents.next_vx[row] * dt,
                      agents.next_vy[row] * dt};
            const bool vehicle = (record.flags & kVehicle) != 0;
            const bool clear = ((touching >> (row % kLeafRows)) & 1u) == 0;
            if (vehicle) step = drive(agents, profiles, dt, row);
            if (!clear && vehicle)
                keep_vehicle_out_of_walls(agents, profiles, around, row, step, counts);
            if (!clear && !vehicle)
                keep_out_of_walls(agents, profiles, around, dt, row, step, counts);
            record.vx = step.vx + 0.0f;  // -0 is stored as +0
            record.vy = step.vy + 0.0f;
            add_exactly(record.x, agents.remainder_x[row], step.dx);
            add_exactly(record.y, agents.remainder_y[row], step.dy);
            agents.x[row] = record.x;
            agents.y[row] = record.y;
        }
    }
    return counts;
}

}  // namespace sidestep
