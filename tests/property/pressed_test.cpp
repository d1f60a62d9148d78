// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Two who look and give way, beside a wall, between two who may not: why crowds excuse pairs of
// whom one is pressed by somebody who does not make room, and nobody else.
//
//      |   o  from the right, on the heels of a
//      | a    walks down
//      |
//      | b    is held up
//        o    comes up
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/test_worlds.hpp"
#include "support/wall_oracle.hpp"

namespace sidestep::test {
namespace {

struct Surroundings {
    std::string_view behind = "seek";  ///< model of the one behind: seek walks straight on
    std::string_view in_front = "seek";
    bool wall = true;
    bool personal_space = true;  ///< else all plan with their bodies alone
};

struct Walker {
    std::string_view model;
    Vec2 at, velocity, goal;
    double speed;         ///< preferred [m/s]
    double radius;        ///< [m]
    double space;         ///< planning radius [m]
    double acceleration;  ///< [m/s2]
};

AgentHandle add(World& world, const Surroundings& around, const Walker& walker)
{
    const ProfileId profile = must(world.add_profile({std::string(walker.model), {}}));
    return must(
        world.add({.position = walker.at,
                   .velocity = walker.velocity,
                   .goal = walker.goal,
                   .profile = profile,
                   .traits = {{"radius", walker.radius},
                              {"planning_radius", around.personal_space ? walker.space : 0.0},
                              {"preferred_speed", walker.speed},
                              {"max_acceleration", walker.acceleration}}}));
}

/// How deep the two get into each other within three seconds, in parts of the smaller radius.
/// Below 0: they keep so far apart.
double deepest(const Surroundings& around)
{
    constexpr double kRadiusA = 0.15;
    constexpr double kRadiusB = 0.16;
    World world = make_world();
    if (around.wall) must(world.add_wall({{{0.0, 0.0}, {0.0, 3.0}}, WallKind::thin}));
    const AgentHandle a =
        add(world, around,
            {"orca", {0.43, 2.15}, {-0.30, -0.96}, {-35.0, -41.0}, 0.9, kRadiusA, 0.40, 1.0});
    const AgentHandle b =
        add(world, around,
            {"orca", {0.20, 0.285}, {-0.04, 0.18}, {-15.0, -22.0}, 1.2, kRadiusB, 0.30, 2.0});
    add(world, around,
        {around.behind, {1.99, 2.08}, {-1.23, -0.54}, {-53.0, -22.0}, 1.34, 0.23, 0.38, 1.5});
    add(world, around,
        {around.in_front, {0.27, -1.355}, {0.22, 1.18}, {8.9, 44.3}, 1.2, 0.19, 0.45, 1.2});
    double most = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < 60; ++k) {
        EXPECT_FALSE(world.step().fault);
        const double apart = norm(must(world.agent(a)).position - must(world.agent(b)).position);
        most = std::max(most, (kRadiusA + kRadiusB - apart) / kRadiusA);
    }
    return most;
}

class Pressed : public WorldTest {};

TEST_F(Pressed, keep_apart_when_either_of_the_others_reacts)
{
    EXPECT_LT(deepest({.behind = "orca"}), -2.0);
    EXPECT_LT(deepest({.in_front = "orca"}), -4.0);
    EXPECT_LT(deepest({.behind = "orca", .in_front = "orca"}), -5.0);
}

TEST_F(Pressed, keep_apart_when_there_is_room_to_step_aside)
{
    EXPECT_LT(deepest({.wall = false}), -6.0);
}

TEST_F(Pressed, keep_apart_when_nobody_asks_for_more_than_room_for_its_body)
{
    EXPECT_LT(deepest({.personal_space = false}), -6.0);
}

// Not wanted, but what all of this at once comes to: somebody in one's personal space is stepped
// away from as urgently as somebody one runs into, and not every line can be kept. Where they keep
// apart one day, crowds need not excuse such pairs any more.
TEST_F(Pressed, go_through_each_other_between_a_wall_and_two_who_do_not_react)
{
    EXPECT_GT(deepest({}), 0.75);
}

}  // namespace
}  // namespace sidestep::test
