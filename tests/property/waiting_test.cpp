// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Agents of model personality to whom others leave no velocity: they wait, as they were told, walls
// come first also then, and who has no patience left makes itself smaller.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

class Waiting : public WorldTest {};

/// An agent of model personality that others leave nothing.
struct Trapped {
    World world = make_world({.dt = 0.1});
    AgentHandle agent;

    explicit Trapped(const char* when_stuck, std::vector<ParamValue> traits = {},
                     Vec2 velocity = {1, 0})
    {
        const ProfileId profile = must(world.add_profile({"personality", {{"alpha", 0.0}}, ""}));
        agent = must(world.add({.velocity = velocity,
                                .goal = Vec2{9, 0},
                                .profile = profile,
                                .traits = std::move(traits)}));
        must(world.set_trait(agent, "when_stuck", when_stuck));
        for (const Vec2 at : {Vec2{0.3, 0}, Vec2{-0.3, 0}, Vec2{0, 0.3}, Vec2{0, -0.3}}) {
            const AgentHandle wall =
                must(world.add({.position = at, .traits = {{"rank", HUGE_VAL}}}));
            must(world.drive_by_host(wall, {}));
        }
    }

    Vec2 velocity() const { return must(world.agent(agent)).velocity; }

    double radius() const
    {
        const AgentColumns columns = world.columns();
        for (const AgentRecord& record : columns.record)
            if (record.id == 0) return double{record.radius};
        return -1.0;
    }
};

TEST_F(Waiting, who_is_stuck_waits_as_it_was_told)
{
    Trapped braking("wait_clamped");
    EXPECT_NE(must(braking.world.explain(braking.agent)).reason.find("brakes"), std::string::npos);
    StepReport report = braking.world.step();
    EXPECT_EQ(report.waiting, 1u);
    EXPECT_EQ(report.acceleration_exceeded, 0u);
    EXPECT_NEAR(braking.velocity().x, 0.85, 1e-5);

    Trapped stopping("wait");
    EXPECT_NE(must(stopping.world.explain(stopping.agent)).reason.find("stands still"),
              std::string::npos);
    report = stopping.world.step();
    EXPECT_EQ(report.waiting, 1u);
    EXPECT_EQ(report.acceleration_exceeded, 1u);
    EXPECT_EQ(stopping.velocity(), (Vec2{0, 0}));

    Trapped pushing("least");
    report = pushing.world.step();
    EXPECT_EQ(report.waiting, 0u);
    EXPECT_EQ(report.infeasible_programs, 1u);
}

TEST_F(Waiting, one_that_stops_dead_does_so_also_with_a_limit_across_its_heading)
{
    for (const char* mode : {"disc", "clamp", "brake"}) {
        SCOPED_TRACE(mode);
        Trapped stopping("wait", {{"lateral_acceleration", 0.5}});
        must(stopping.world.set_trait(stopping.agent, "acceleration_mode", mode));
        EXPECT_TRUE(must(stopping.world.explain(stopping.agent)).acceleration_exceeded);
        EXPECT_EQ(stopping.world.step().acceleration_exceeded, 1u);
        EXPECT_EQ(stopping.velocity(), (Vec2{0, 0}));
    }
}

TEST_F(Waiting, a_dead_stop_is_too_fast_by_the_limit_along_the_change)
{
    struct Case {
        Vec2 faces, velocity;
        std::uint64_t exceeded;
    };
    // Half axes per step: 0.15 m/s along the heading, 0.03 m/s across. Below 0.05 m/s the heading
    // is kept.
    for (const Case& c : {Case{{1, 0}, {0.12, 0}, 0}, Case{{1, 0}, {0.16, 0}, 1},
                          Case{{0, 1}, {0.028, 0}, 0}, Case{{0, 1}, {0.035, 0}, 1}}) {
        Trapped stopping("wait", {{"max_acceleration", 1.5}, {"lateral_acceleration", 0.3}},
                         c.faces);
        must(stopping.world.set_velocity(stopping.agent, c.velocity));
        const Explanation why = must(stopping.world.explain(stopping.agent));
        SCOPED_TRACE(testing::Message()
                     << c.velocity.x << ", " << c.velocity.y << ": " << why.reason);
        EXPECT_EQ(why.acceleration_exceeded, c.exceeded > 0);
        EXPECT_EQ(stopping.world.step().acceleration_exceeded, c.exceeded);
        EXPECT_EQ(stopping.velocity(), (Vec2{0, 0}));
    }
}

TEST_F(Waiting, who_stands_inside_its_wall_clearance_gets_out_whichever_way_it_waits)
{
    for (const char* when_stuck : {"wait_clamped", "wait"}) {
        SCOPED_TRACE(when_stuck);
        Trapped trapped(when_stuck, {{"wall_clearance", 0.2}, {"overlap_time", 1.0}}, {0, 0});
        must(trapped.world.add_wall({{{-0.35, -9.0}, {-0.35, 9.0}}, WallKind::thin}));
        const Explanation why = must(trapped.world.explain(trapped.agent));
        EXPECT_EQ(why.hard_relaxation, 0.0);
        const StepReport report = trapped.world.step();
        EXPECT_EQ(report.waiting, 1u);
        EXPECT_EQ(report.acceleration_exceeded, 0u);
        EXPECT_NEAR(trapped.velocity().x, 0.05, 1e-4);  // 5 cm too near, undone within 1 s
        EXPECT_NEAR(trapped.velocity().y, 0.0, 1e-6);
    }
}

TEST_F(Waiting, one_that_stops_dead_makes_way_for_a_polygon_that_comes)
{
    Trapped trapped("wait", {}, {0, 0});
    must(trapped.world.add_body(
        {.outline = {{-3.0, -2.0}, {-0.7, -2.0}, {-0.7, 2.0}, {-3.0, 2.0}}, .velocity = {1, 0}}));
    const Explanation why = must(trapped.world.explain(trapped.agent));
    EXPECT_NE(why.reason.find("do not let it stand"), std::string::npos) << why.reason;
    const StepReport report = trapped.world.step();
    EXPECT_EQ(report.waiting, 1u);
    EXPECT_EQ(report.acceleration_exceeded, 1u);
    EXPECT_NEAR(trapped.velocity().x, 0.5, 1e-4);  // 0.5 m left of a horizon of 1 s
}

TEST_F(Waiting, who_loses_patience_shrinks_to_its_body_and_then_pushes_on)
{
    for (const char* when_stuck : {"wait_clamped", "wait"}) {
        SCOPED_TRACE(when_stuck);
        Trapped trapped(when_stuck, {{"planning_radius", 0.4}, {"patience", 0.5}});
        // A tenth of 0.4 m per second beyond 0.5 s: 0.2 m after 5 s more.
        for (int step = 1; step <= 55; ++step) {
            EXPECT_EQ(trapped.world.step().waiting, 1u) << step;
            const double impatient = std::max(0.1 * step - 0.5, 0.0);
            EXPECT_NEAR(trapped.radius(), 0.4 * (1.0 - 0.1 * impatient), 1e-6) << step;
        }
        for (int step = 56; step <= 60; ++step) {
            const StepReport report = trapped.world.step();
            EXPECT_EQ(report.waiting, 0u) << step;
            EXPECT_EQ(report.infeasible_programs, 1u) << step;
            EXPECT_NEAR(trapped.radius(), 0.2, 1e-6) << step;
        }
    }
}

TEST_F(Waiting, the_passive_keep_their_distance_longest_and_the_aggressive_shortest)
{
    struct Case {
        const char* preset;
        double patience;  ///< [s]
    };
    for (const Case& c : {Case{"aggressive", 1.0}, Case{"default", 2.0}, Case{"passive", 6.0}}) {
        SCOPED_TRACE(c.preset);
        Trapped trapped("wait_clamped");
        must(trapped.world.apply_preset(trapped.agent, c.preset));
        const double space = must(trapped.world.trait(trapped.agent, "planning_radius"));
        int steps = 0;
        do {
            EXPECT_EQ(trapped.world.step().waiting, 1u) << steps;
            ++steps;
        } while (trapped.radius() > space - 1e-4 && steps < 100);
        EXPECT_NEAR(0.1 * steps, c.patience, 0.11);
    }
}

}  // namespace
}  // namespace sidestep::test
