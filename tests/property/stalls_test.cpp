// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/test_worlds.hpp"

// What the deadlock policy does, and what it leaves alone; that stand-offs end by it is shown by
// tests/scenarios/stand_offs_test.cpp.

namespace sidestep::test {
namespace {

class Stalls : public WorldTest {};

/// Two in a corridor that is too narrow to pass each other, exactly head on.
struct Corridor {
    World world;
    AgentHandle east, west;

    explicit Corridor(WorldOptions options = {}) : world(make_world(std::move(options)))
    {
        must(world.add_wall({.vertices = {{-30, -0.3}, {30, -0.3}}, .kind = WallKind::thin}));
        must(world.add_wall({.vertices = {{-30, 0.3}, {30, 0.3}}, .kind = WallKind::thin}));
        east = must(world.add({.position = {-3, 0}, .goal = Vec2{10, 0}}));
        west = must(world.add({.position = {3, 0}, .goal = Vec2{-10, 0}}));
    }
    double x(AgentHandle agent) const { return must(world.agent(agent)).position.x; }
};

TEST_F(Stalls, touch_nobody_who_makes_way)
{
    // Two streams that pass each other with room: nobody is slowed down.
    const auto hash = [](bool policy) {
        World world = make_world({.deadlock_policy = policy});
        for (int i = 0; i < 12; ++i) {
            must(world.add({.position = {-8.0 - i, 0.0}, .goal = Vec2{30.0 - i, 0.0}}));
            must(world.add({.position = {8.0 + i, 1.0}, .goal = Vec2{-30.0 + i, 1.0}}));
        }
        std::uint64_t answers = 0;
        for (int step = 0; step < 200; ++step) {
            const StepReport report = world.step();
            EXPECT_FALSE(report.fault);
            answers += report.side_steps + report.yields + report.back_ups;
        }
        EXPECT_EQ(answers, 0u);
        return world.state_hash();
    };
    EXPECT_EQ(hash(true), hash(false));
}

TEST_F(Stalls, make_the_lower_rank_yield)
{
    Corridor corridor;
    must(corridor.world.set_rank(corridor.east, 3.0));
    int yields_of_west = 0;
    for (int step = 0; step < 1200; ++step) {
        EXPECT_NE(must(corridor.world.explain(corridor.east)).stall_answer, StallAnswer::yield);
        const Explanation why = must(corridor.world.explain(corridor.west));
        if (why.stall_answer == StallAnswer::yield) {
            ++yields_of_west;
            EXPECT_GT(why.stall_wish->x, 0.0);  // back where it came from
        }
        ASSERT_FALSE(corridor.world.step().fault);
    }
    EXPECT_GT(yields_of_west, 20);
}

TEST_F(Stalls, last_where_the_policy_is_off)
{
    Corridor corridor({.deadlock_policy = false});
    for (int step = 0; step < 1200; ++step) {
        const StepReport report = corridor.world.step();
        ASSERT_EQ(report.side_steps + report.yields + report.back_ups, 0u);
    }
    EXPECT_LT(std::fabs(corridor.x(corridor.east)), 3.0);
    EXPECT_LT(std::fabs(corridor.x(corridor.west)), 3.0);
}

TEST_F(Stalls, are_told_by_explain_as_the_step_then_answers_them)
{
    Corridor corridor;
    std::vector<bool> seen(5, false);
    for (int step = 0; step < 600; ++step) {
        const Explanation why = must(corridor.world.explain(corridor.east));
        ASSERT_FALSE(corridor.world.step().fault);
        EXPECT_EQ(must(corridor.world.agent(corridor.east)).velocity, why.chosen_velocity) << step;
        const AgentColumns columns = corridor.world.columns();
        for (std::size_t row = 0; row < columns.rows; ++row) {
            if (columns.record[row].id != why.id) continue;
            EXPECT_EQ(columns.stall_answer[row], why.stall_answer) << step;
        }
        seen[static_cast<std::size_t>(why.stall_answer)] = true;
        if (why.stall_answer == StallAnswer::none) continue;
        EXPECT_TRUE(why.stall_wish);
        EXPECT_GT(why.stalled, 0.4);
        EXPECT_EQ(why.reason.rfind("stalled for ", 0), 0u) << why.reason;
    }
    EXPECT_TRUE(seen[static_cast<std::size_t>(StallAnswer::side_step)]);
}

TEST_F(Stalls, go_on_after_the_first_round_of_answers)
{
    // One between two who stand and yield to nobody, in a corridor for one: nothing helps, and it
    // keeps trying. A round takes 12 s.
    Corridor corridor;
    World& world = corridor.world;
    must(world.teleport(corridor.west, {-2.2, 0}));
    const AgentHandle behind = must(world.add({.position = {-3.8, 0}}));
    for (const AgentHandle agent : {corridor.west, behind}) {
        must(world.set_rank(agent, std::numeric_limits<double>::infinity()));
        must(world.hold_place(agent, must(world.agent(agent)).position));
    }
    double longest = 0.0;
    std::uint64_t side_steps = 0;  // in later rounds
    while (world.time() < 40.0) {
        const double stalled = must(world.explain(corridor.east)).stalled;
        const StepReport report = world.step();
        ASSERT_FALSE(report.fault);
        longest = std::max(longest, stalled);
        if (stalled > 12.0) side_steps += report.side_steps;
    }
    EXPECT_GT(longest, 13.0);
    EXPECT_GT(side_steps, 0u);
}

/// Two of body 0.25 m in a passage of 1.2 m: their bodies fit past each other, their space does
/// not.
TEST_F(Stalls, make_people_give_up_personal_space_and_take_it_back_slowly)
{
    static constexpr float kSpace = 0.4f;
    const auto pass = [](bool policy) {
        World world = make_world({.deadlock_policy = policy});
        for (const double y : {-0.6, 0.6})
            must(world.add_wall({.vertices = {{-30, y}, {30, y}}, .kind = WallKind::thin}));
        const auto profile = must(world.add_profile(
            {.model = "orca", .values = {{"radius", 0.25}, {"planning_radius", kSpace}}}));
        const auto east = must(
            world.add(AgentSpec{.position = {-3, 0}, .goal = Vec2{20, 0}, .profile = profile}));
        const auto west = must(
            world.add(AgentSpec{.position = {3, 0}, .goal = Vec2{-20, 0}, .profile = profile}));
        const auto radius = [&] {
            for (const AgentRecord& record : world.columns().record) {
                if (record.id == 0) return record.radius;
            }
            return 0.0f;
        };
        float narrowest = kSpace, before = radius();
        for (int step = 0; step < 600; ++step) {
            const StepReport report = world.step();
            EXPECT_FALSE(report.fault);
            EXPECT_LT(report.deepest_overlap, 1e-3);
            narrowest = std::min(narrowest, radius());
            EXPECT_LE(radius() - before, 0.1 * kSpace * world.dt() * (1.0 + 1e-3));
            before = radius();
        }
        EXPECT_EQ(radius(), kSpace);
        const bool passed =
            must(world.agent(east)).position.x > 5.0 && must(world.agent(west)).position.x < -5.0;
        return std::pair(passed, narrowest);
    };
    const auto [passed, narrowest] = pass(true);
    EXPECT_TRUE(passed);
    EXPECT_LT(narrowest, 0.35f);
    EXPECT_GE(narrowest, 0.25f);
    EXPECT_EQ(pass(false), std::pair(false, kSpace)) << "without the policy they stand";
}

TEST_F(Stalls, leave_queues_alone)
{
    // One creeps along the corridor; those behind it have the same way, and wait.
    World world = make_world();
    must(world.add_wall({.vertices = {{-30, -0.3}, {30, -0.3}}, .kind = WallKind::thin}));
    must(world.add_wall({.vertices = {{-30, 0.3}, {30, 0.3}}, .kind = WallKind::thin}));
    const AgentHandle first = must(world.add({.position = {0, 0}, .goal = Vec2{20, 0}}));
    must(world.set_preferred_speed(first, 0.15));
    std::vector<AgentHandle> queue;
    for (int i = 1; i <= 4; ++i)
        queue.push_back(must(world.add({.position = {-1.0 * i, 0}, .goal = Vec2{20, 0}})));
    for (int step = 0; step < 600; ++step) {
        const StepReport report = world.step();
        EXPECT_EQ(report.side_steps + report.yields + report.back_ups, 0u) << step;
    }
}

TEST_F(Stalls, bring_who_holds_a_place_back_to_it_slowly)
{
    World world = make_world();
    const AgentHandle stands = must(world.add({.position = {0, 0}}));
    must(world.hold_place(stands, {0, 0}));
    // Somebody walks straight through that place.
    const AgentHandle walks = must(world.add({.position = {-4, 0.05}, .goal = Vec2{6, 0.05}}));
    double farthest = 0.0;
    for (int step = 0; step < 400; ++step) {
        ASSERT_FALSE(world.step().fault);
        const AgentState state = must(world.agent(stands));
        farthest = std::max(farthest, std::hypot(state.position.x, state.position.y));
        EXPECT_LE(std::hypot(state.velocity.x, state.velocity.y), 0.6 * (1 + 1e-6));
    }
    EXPECT_GT(farthest, 0.1);
    EXPECT_GT(must(world.agent(walks)).position.x, 5.9);
    const Vec2 place = must(world.agent(stands)).position;
    EXPECT_LT(std::hypot(place.x, place.y), 0.02);
}

TEST_F(Stalls, are_forgotten_by_who_gets_another_goal_to_walk_to)
{
    Corridor corridor;
    for (int step = 0; step < 120; ++step) ASSERT_FALSE(corridor.world.step().fault);
    EXPECT_GT(must(corridor.world.explain(corridor.east)).stalled, 0.4);
    must(corridor.world.set_goal(corridor.east, {-25, 0}));
    for (int step = 0; step < 100; ++step) ASSERT_FALSE(corridor.world.step().fault);
    EXPECT_EQ(must(corridor.world.explain(corridor.east)).stalled, 0.0);
}

}  // namespace
}  // namespace sidestep::test
