// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/vehicles.hpp"

#include "solid/keep_ground.hpp"

namespace sidestep {

namespace {

template <class Body>
void for_each_vehicle(const WorldState& world, std::size_t leaf, Body&& body)
{
    if (world.agents.next_turn.empty()) return;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::size_t row = leaf * kLeafRows + lane;
        if (world.agents.holds(row) && (world.agents.record[row].flags & kVehicle) != 0)
            body(row, lane);
    }
}

/// Straight way to where the wish of a vehicle leads [m].
double way_ahead(const AgentTable& agents, std::size_t row)
{
    if ((agents.record[row].flags & kHasGoal) == 0) return double{agents.way_ahead[row]};
    return length(
        {double{agents.goal_x[row]} - agents.x[row], double{agents.goal_y[row]} - agents.y[row]});
}

/// What one that stands can want: not to go where somebody touches it, but past, if that leads the
/// same way. Does not depend on its heading, so that it turns there and goes.
Spot where_free(const SolidInput& input, std::size_t row, const Pose& pose, const Reach& reach,
                const Spot& wish)
{
    if (pose.speed > 0.0 || !(length(wish) > kFollowed)) return wish;
    const Spot free = Ground(input, row, pose, reach).nearest_free(wish);
    return length(free) > kFollowed ? free : wish;
}

}  // namespace

double longest_ground(const WorldState& world) noexcept
{
    double longest = 0.0;
    if (world.agents.next_turn.empty()) return longest;
    for (std::size_t leaf = 0; leaf < world.agents.leaves(); ++leaf) {
        for_each_vehicle(world, leaf, [&](std::size_t row, std::size_t) {
            const Capsule ground = ground_of(world.solid_input(), row);
            const Spot place{world.agents.x[row], world.agents.y[row]};
            const double radius = double{param_of(world.agents, world.profiles, row, kRadius)};
            longest = std::max(longest, length(ground.way) + length(ground.centre - place) +
                                            ground.radius - radius);
        });
    }
    return longest;
}

void plan_vehicles(const WorldState& world, std::size_t leaf, WorkerState& worker) noexcept
{
    const AgentTable& agents = world.agents;
    const SolidInput input = world.solid_input();
    for_each_vehicle(world, leaf, [&](std::size_t row, std::size_t lane) {
        Wishes& wishes = worker.model.wishes;
        const VehicleLimits limits = vehicle_limits(agents, world.profiles, row);
        const Pose pose = pose_of(agents, row);
        const Reach reach = reach_of(limits, pose.speed, double{world.dt()});
        const double threshold = double{param_of(agents, world.profiles, row, kTurnThreshold)};
        const Spot before{worker.stalls.base_vx[lane], worker.stalls.base_vy[lane]};
        const Spot asked{wishes.vx[lane], wishes.vy[lane]};
        const Spot wish = where_free(input, row, pose, reach, asked);
        const bool same_wish =
            wish.x == asked.x && wish.y == asked.y &&
            (!world.options.deadlock_policy || worker.stalls.answer[lane] == StallAnswer::none);
        const double ahead = way_ahead(agents, row);
        constexpr double kFar = std::numeric_limits<double>::infinity();
        const Plan plan =
            plan_step(pose, limits, reach, {wish, same_wish ? ahead : kFar, threshold});
        // How fast it could be on its way if nobody stood there: who only turns is not stalled.
        worker.stalls.most_way[lane] = static_cast<float>(
            same_wish ? plan.command.speed
                      : plan_step(pose, limits, reach, {before, ahead, threshold}).command.speed);
        wishes.vx[lane] = static_cast<float>(plan.preferred.x);
        wishes.vy[lane] = static_cast<float>(plan.preferred.y);
        worker.steered[lane] = {.plan = plan, .wanted = {}, .taken = {}};
    });
}

void steer_vehicles(const WorldState& world, std::size_t leaf, WorkerState& worker)
{
    const AgentTable& agents = world.agents;
    const SolidInput input = world.solid_input();
    for_each_vehicle(world, leaf, [&](std::size_t row, std::size_t lane) {
        const VehicleLimits limits = vehicle_limits(agents, world.profiles, row);
        const Pose pose = pose_of(agents, row);
        const Reach reach = reach_of(limits, pose.speed, double{world.dt()});
        Steered& steered = worker.steered[lane];
        steered.chosen = {worker.choice.vx[lane], worker.choice.vy[lane]};
        // The velocity that was asked for went through floats: to the bit, it is the plan.
        const bool as_planned = worker.choice.vx[lane] == worker.model.wishes.vx[lane] &&
                                worker.choice.vy[lane] == worker.model.wishes.vy[lane];
        steered.wanted =
            as_planned ? steered.plan.command : track(pose, reach, steered.chosen, steered.plan);
        const Ground ground(input, row, pose, reach);
        steered.taken = ground.nearest_allowed(steered.wanted);
        // The same for the velocity that its model chose: cones may lead into who touches it.
        if (pose.speed == 0.0 && steered.taken.speed == 0.0 && steered.wanted.speed > 0.0) {
            const Spot free = ground.nearest_free(steered.chosen);
            if (length(free) > kFollowed)
                steered.taken = ground.nearest_allowed(track(pose, reach, free, steered.plan));
        }
        steered.is_held = steered.taken.speed != steered.wanted.speed ||
                          steered.taken.turn != steered.wanted.turn;
        if (const GroundLine* line = ground.broken_by(steered.wanted)) steered.held_by = *line;
        worker.stalls.turns[lane] = steered.taken.speed == 0.0 &&
                                    std::fabs(steered.taken.turn) > 0.5 * reach.rate_turn &&
                                    steered.taken.turn * steered.plan.command.turn > 0.0;
        worker.stalls.any_turn = worker.stalls.any_turn || worker.stalls.turns[lane];
        const Spot next = turned(pose.heading, steered.taken.turn) * steered.taken.speed;
        worker.choice.vx[lane] = static_cast<float>(next.x) + 0.0f;
        worker.choice.vy[lane] = static_cast<float>(next.y) + 0.0f;
    });
}

}  // namespace sidestep
