// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "motion/vehicle.hpp"

#include <gtest/gtest.h>

#include <random>

namespace sidestep {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

VehicleLimits truck()
{
    return {.max_speed = 2.0,
            .acceleration = 1.0,
            .braking = 1.0,
            .turn_rate = 1.0,
            .curvature = kInfinity,
            .keeps_circle = false};
}

/// Where the command leads, in many small straight steps.
Spot stepped(const Pose& pose, const Reach& reach, const Command& command)
{
    constexpr int kSteps = 200000;
    const double h = reach.dt / kSteps;
    const bool stops = command.speed == 0.0;
    const double time = stops ? std::min(pose.speed / reach.braking, reach.dt) : reach.dt;
    Spot at{};
    for (int i = 0; i < kSteps; ++i) {
        const double t = (i + 0.5) * h;
        if (t > time) break;
        const double v = pose.speed + (command.speed - pose.speed) * t / time;
        at = at + turned(pose.heading, command.turn * t / reach.dt) * (v * h);
    }
    return at;
}

TEST(Vehicle, drives_the_arc_that_fine_steps_drive)
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int i = 0; i < 40; ++i) {
        SCOPED_TRACE(i);
        VehicleLimits limits = truck();
        limits.turn_rate = 0.01 + 8.0 * unit(random);
        const Pose pose{{}, turned({1.0, 0.0}, 6.0 * unit(random)), 2.0 * unit(random)};
        const Reach reach = reach_of(limits, pose.speed, 0.01 + 0.2 * unit(random));
        Command command = reach.nearest({4.0 * unit(random) - 1.0, 4.0 * unit(random) - 2.0});
        const Arc arc = arc_of(pose, reach, command);
        const Spot fine = stepped(pose, reach, command);
        EXPECT_NEAR(arc.end.x, fine.x, 2e-6);
        EXPECT_NEAR(arc.end.y, fine.y, 2e-6);
        EXPECT_NEAR(angle_between(pose.heading, arc.heading), command.turn, 1e-12);
    }
}

TEST(Vehicle, keeps_the_arc_within_the_triangle_of_its_tangents)
{
    const Reach reach = reach_of(truck(), 2.0, 0.25);
    const Pose pose{{}, {1.0, 0.0}, 2.0};
    const Arc arc = arc_of(pose, reach, {2.0, reach.rate_turn});
    for (double part = 0.0; part <= 1.0; part += 0.05) {
        Reach some = reach;
        some.dt = reach.dt * part;
        const Spot p = part > 0.0 ? arc_of(pose, some, {2.0, reach.rate_turn * part}).end : Spot{};
        EXPECT_GE(det(arc.corner, p), -1e-12);
        EXPECT_GE(det(arc.end - arc.corner, p - arc.corner), -1e-12);
    }
}

TEST(Vehicle, that_brakes_straight_on_stays_on_its_stopping_way)
{
    const VehicleLimits limits = truck();
    Pose pose{{}, {1.0, 0.0}, 1.93};
    Reach reach = reach_of(limits, pose.speed, 0.05);
    const double way = stopping_distance(pose.speed, reach.braking);
    for (int i = 0; i < 100; ++i) {
        reach = reach_of(limits, pose.speed, 0.05);
        const Command brake{reach.least_speed, 0.0};
        pose.place = pose.place + arc_of(pose, reach, brake).end;
        pose.speed = brake.speed;
        EXPECT_LE(pose.place.x + stopping_distance(pose.speed, reach.braking), way + 1e-12);
    }
    EXPECT_EQ(pose.speed, 0.0);
    EXPECT_NEAR(pose.place.x, way, 1e-9);
}

TEST(Vehicle, that_cannot_turn_on_the_spot_keeps_its_circle_still_at_full_turn)
{
    VehicleLimits limits = truck();
    limits.turn_rate = kInfinity;
    limits.curvature = 0.5;
    limits.keeps_circle = true;
    const Reach reach = reach_of(limits, 1.7, 0.05);
    EXPECT_GT(reach.circle, 2.0);
    EXPECT_LT(reach.circle, 2.01);
    const Pose pose{{}, turned({1.0, 0.0}, 0.7), 1.7};
    const Command hold{1.7, -1.7 * 0.05 / reach.circle};
    EXPECT_LE(std::fabs(hold.turn), reach.most_turn(1.7));
    const Arc arc = arc_of(pose, reach, hold);
    const Spot before{pose.heading.y, -pose.heading.x};
    const Spot after{arc.heading.y, -arc.heading.x};
    const Spot moved = arc.end + (after - before) * reach.circle;
    EXPECT_LT(length(moved), 1e-12);
}

TEST(Vehicle, stands_still_at_rest_if_its_wheel_is_turned)
{
    VehicleLimits limits = truck();
    limits.curvature = 0.5;
    const Reach reach = reach_of(limits, 0.0, 0.05);
    EXPECT_EQ(reach.most_turn(0.0), 0.0);
    EXPECT_EQ(reach.nearest({0.0, 1.0}).turn, 0.0);
}

TEST(Vehicle, turns_on_the_spot_beyond_the_threshold_and_speeds_up_below_it)
{
    const VehicleLimits limits = truck();
    const Reach reach = reach_of(limits, 0.0, 0.05);
    const Pose pose{};
    const auto plan = [&](double bearing, double threshold) {
        return plan_step(pose, limits, reach, {turned({1.0, 0.0}, bearing) * 2.0, 50.0, threshold});
    };
    EXPECT_EQ(plan(1.2, 1.0).command.speed, 0.0);
    EXPECT_GT(plan(1.2, 1.0).command.turn, 0.049);
    EXPECT_EQ(length(plan(1.2, 1.0).preferred), 0.0);
    EXPECT_GT(plan(0.8, 1.0).command.speed, 0.049);
    // The best one for 50 m at k = 2: u0 - asin(R / D) = (pi + 2)/2 - asin(2/50).
    const double best = 0.5 * (3.14159265 + 2.0) - std::asin(2.0 / 50.0);
    EXPECT_EQ(plan(best + 0.06, kInfinity).command.speed, 0.0);
    EXPECT_GT(plan(best - 0.01, kInfinity).command.speed, 0.049);
    // Within a step of it: it speeds up for the rest of the step.
    EXPECT_NEAR(plan(best + 0.01, kInfinity).command.speed, 0.04, 1e-3);
}

TEST(Vehicle, tracks_the_velocity_nearest_to_the_chosen_one)
{
    const VehicleLimits limits = truck();
    const Pose pose{{}, {1.0, 0.0}, 1.0};
    const Reach reach = reach_of(limits, 1.0, 0.05);
    const Plan plan = plan_step(pose, limits, reach, {{2.0, 0.0}, kInfinity, kInfinity});
    EXPECT_NEAR(track(pose, reach, {1.02, 0.0}, plan).speed, 1.02, 1e-12);
    // Across: turns there as fast as it can, and brakes to the part that lies along.
    const Command across = track(pose, reach, {0.0, 1.0}, plan);
    EXPECT_EQ(across.turn, reach.rate_turn);
    EXPECT_EQ(across.speed, reach.least_speed);
    // Behind: it brakes, and turns as planned only.
    EXPECT_EQ(track(pose, reach, {-1.0, 0.1}, plan).turn, 0.0);
    EXPECT_EQ(track(pose, reach, {-1.0, 0.1}, plan).speed, reach.least_speed);
}

TEST(Vehicle, can_stop_at_a_place_from_the_speed_that_is_allowed_there)
{
    const VehicleLimits limits = truck();
    double speed = 2.0;
    double left = 3.0;
    for (int i = 0; i < 400; ++i) {
        const Reach reach = reach_of(limits, speed, 0.05);
        const double next =
            std::clamp(stopping_speed(left, reach), reach.least_speed, reach.most_speed);
        left -= 0.5 * (speed + next) * 0.05;
        speed = next;
        ASSERT_GE(left, -1e-5);  // brakes with what rounding leaves
    }
    EXPECT_LT(left, 1e-3);
}

TEST(Vehicle, measures_angles_to_the_left_and_straight_behind_as_half_a_turn)
{
    EXPECT_DOUBLE_EQ(angle_between({1.0, 0.0}, {0.0, 1.0}), 0.5 * 3.141592653589793);
    EXPECT_DOUBLE_EQ(angle_between({1.0, 0.0}, {-1.0, 0.0}), 3.141592653589793);
    for (double angle = -3.1; angle < 3.1; angle += 0.01)
        EXPECT_NEAR(angle_between({0.6, 0.8}, turned({0.6, 0.8}, angle)), angle, 1e-14);
}

}  // namespace
}  // namespace sidestep
