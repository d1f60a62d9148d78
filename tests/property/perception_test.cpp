// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Who is avoided: touch, time, bodies, names, headings. See perception_oracle_test.cpp for all of
// it at once, and perception_crowd_test.cpp for crowds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "support/notices.hpp"

namespace sidestep::test {
namespace {

class Perception : public WorldTest {};

TEST_F(Perception, whoever_touches_somebody_knows_it_without_looking)
{
    World world = make_world({.threads = 1});
    const std::vector<ParamValue> phone{{"observation_time", 2.5}, {"field_of_view_deg", 90}};
    const auto add = [&](double y) {
        return must(world.add(
            {.position = {0, y}, .velocity = {1, 0}, .goal = Vec2{100, 0}, .traits = phone}));
    };
    const AgentHandle a = add(0.0), b = add(0.45);  // side by side, each out of the other's view
    double closest = 1.0;
    for (int step = 0; step < 400; ++step) {
        must(world.step().fault ? Result<void>(Error{}) : Result<void>());
        const Vec2 between = must(world.agent(a)).position - must(world.agent(b)).position;
        closest = std::min(closest, std::hypot(between.x, between.y));
    }
    // They walk to one point, and met: shoulder to shoulder, not into each other.
    EXPECT_LT(closest, 0.41);
    EXPECT_GT(closest, 0.35);
}

TEST_F(Perception, at_120_steps_per_second_somebody_is_avoided_from_step_95_on)
{
    World world = make_world({.dt = 1.0 / 120.0});
    const ProfileId profile = must(world.add_profile({"rcap", {}}));  // 0.79 s
    const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
    must(world.add({.position = {3.0, 0.0}, .id = 1, .profile = profile}));
    for (int step = 0; step < 110; ++step) {
        EXPECT_EQ(avoids(world, observer, 1), step >= 95) << step;
        world.step();
    }
}

TEST_F(Perception, disc_bodies_are_observed_first_unless_they_are_announced)
{
    World world = make_world({.dt = 0.1});
    const ProfileId profile = must(
        world.add_profile({"rcap", {{"observation_time", 0.5}, {"field_of_view_deg", 180.0}}}));
    const AgentHandle observer =
        must(world.add({.velocity = {1.0, 0.0}, .goal = Vec2{50.0, 0.0}, .profile = profile}));
    const AgentHandle neutral = must(world.add({.position = {0.0, 2.0}, .id = 9}));
    const BodyHandle quiet = must(world.add_body({.position = {4.0, 0.5}}));
    const BodyHandle ringing =
        must(world.add_body({.position = {4.0, -1.5}, .always_noticed = true}));
    const BodyHandle behind = must(world.add_body({.position = {-2.0, 0.0}}));
    const BodyHandle ringing_behind =
        must(world.add_body({.position = {-2.0, 2.0}, .always_noticed = true}));
    for (int step = 0; step < 10; ++step) {
        SCOPED_TRACE(step);
        EXPECT_EQ(avoids_body(world, observer, quiet), step > 5);
        EXPECT_TRUE(avoids_body(world, observer, ringing));
        EXPECT_FALSE(avoids_body(world, observer, behind));
        EXPECT_TRUE(avoids_body(world, observer, ringing_behind));
        for (const BodyHandle body : {quiet, ringing, behind, ringing_behind})
            EXPECT_TRUE(avoids_body(world, neutral, body));
        world.step();
    }
    // Another body in the same place of the table is another body.
    must(world.remove_body(quiet));
    const BodyHandle next = must(world.add_body({.position = {4.0, 0.5}}));
    ASSERT_EQ(next.index, quiet.index);
    EXPECT_FALSE(avoids_body(world, observer, next));
}

TEST_F(Perception, a_body_is_noticed_as_far_as_the_models_horizon_reaches)
{
    World world = make_world({.dt = 0.1});
    const ProfileId profile =
        must(world.add_profile({"rcap", {{"observation_time", 0.5}, {"time_horizon", 25.0}}}));
    const AgentHandle observer =
        must(world.add({.velocity = {1.0, 0.0}, .goal = Vec2{90.0, 0.0}, .profile = profile}));
    const BodyHandle far = must(world.add_body({.position = {40.0, 0.5}}));
    for (int step = 0; step < 10; ++step) {
        EXPECT_EQ(avoids_body(world, observer, far), step > 5) << step;
        world.step();
    }
}

TEST_F(Perception, a_namesake_is_a_new_face)
{
    World world = make_world({.dt = 0.1});
    const ProfileId profile = must(world.add_profile({"rcap", {{"observation_time", 0.5}}}));
    const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
    const AgentHandle known =
        must(world.add({.position = {2.0, 0.0}, .id = 1, .profile = profile}));
    for (int step = 0; step < 10; ++step) world.step();
    EXPECT_TRUE(avoids(world, observer, 1));
    must(world.remove(known));
    must(world.add({.position = {2.0, 0.0}, .id = 1, .profile = profile}));
    EXPECT_EQ(notices(world, observer).at(1), Notice::new_face);
}

TEST_F(Perception, the_state_hash_tells_what_is_remembered)
{
    const auto run = [](bool hidden_at_first, bool announced) {
        World world = make_world({.dt = 0.1});
        const ProfileId profile = must(world.add_profile({"rcap", {}}));
        must(world.add({.profile = profile}));
        must(world.add({.position = {3.0, 0.0}, .profile = profile}));
        must(world.add_body({.position = {50.0, 50.0}, .always_noticed = announced}));
        std::optional<WallHandle> wall;
        if (hidden_at_first)
            wall = must(world.add_wall({{{1.5, -1.0}, {1.5, 1.0}}, WallKind::thin}));
        for (int step = 0; step < 3; ++step) world.step();
        if (wall) must(world.remove_wall(*wall));
        world.step();
        return world.state_hash();
    };
    EXPECT_EQ(run(false, false), run(false, false));
    EXPECT_NE(run(false, false), run(true, false));
    EXPECT_NE(run(false, false), run(false, true));
}

TEST_F(Perception, the_state_hash_tells_which_way_somebody_faces_who_stands)
{
    const auto run = [](Vec2 velocity) {
        World world = make_world();
        const AgentHandle agent = must(world.add({.traits = {{"field_of_view_deg", 90.0}}}));
        must(world.set_velocity(agent, velocity));
        must(world.set_velocity(agent, {}));
        return world.state_hash();
    };
    EXPECT_EQ(run({1.0, 0.0}), run({1.0, 0.0}));
    EXPECT_NE(run({1.0, 0.0}), run({0.0, 1.0}));
    EXPECT_EQ(run({0.04, 0.0}), run({0.0, 0.04}));  // too slow to tell
}

TEST_F(Perception, somebody_who_stands_looks_where_it_last_went)
{
    World world = make_world();
    const AgentHandle agent = must(world.add({.traits = {{"field_of_view_deg", 90.0}}}));
    must(world.add({.position = {2.0, 0.0}, .id = 1}));
    must(world.add({.position = {0.0, 2.0}, .id = 2}));
    EXPECT_TRUE(avoids(world, agent, 1) && avoids(world, agent, 2));  // no heading yet
    must(world.set_velocity(agent, {0.0, 0.5}));
    EXPECT_EQ(notices(world, agent).at(1), Notice::out_of_view);
    EXPECT_TRUE(avoids(world, agent, 2));
    for (int step = 0; step < 5; ++step) world.step();  // it stops: nowhere to go
    EXPECT_EQ(must(world.agent(agent)).velocity, (Vec2{}));
    EXPECT_EQ(notices(world, agent).at(1), Notice::out_of_view);
}

TEST_F(Perception, what_an_agent_keeps_does_not_depend_on_others)
{
    // Whether somebody out of reach looks ahead must not teach another which way it faces.
    const auto run = [](bool far_one_looks) {
        World world = make_world();
        const AgentHandle agent = must(world.add({.goal = Vec2{50.0, 0.0}}));
        const AgentHandle far_one = must(world.add({.position = {500.0, 0.0}}));
        if (far_one_looks) must(world.set_trait(far_one, "field_of_view_deg", 90.0));
        for (int step = 0; step < 5; ++step) world.step();
        must(world.clear_goal(agent));
        world.step();  // it stands again
        must(world.set_trait(far_one, "field_of_view_deg", 90.0));
        must(world.set_trait(agent, "field_of_view_deg", 90.0));
        return world.state_hash();
    };
    EXPECT_EQ(run(false), run(true));
}

}  // namespace
}  // namespace sidestep::test
