// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Known worlds, known hashes. A change here changes everybody's trajectories: it needs a line under
// "Trajectories changed" in the changelog.

#include <gtest/gtest.h>

#include <cstdint>
#include <cmath>
#include <cstdlib>

#include "sidestep/world.hpp"

namespace sidestep {
namespace {

WorldOptions options()
{
    WorldOptions chosen;
    chosen.deadlock_policy = false;  // the model by itself; the policy has a test of its own
    if (const char* isa = std::getenv("SIDESTEP_ISA"))
        chosen.isa = to_isa(isa).value_or(Isa::automatic);
    return chosen;
}

/// Two blocks of people that walk through each other, sizes and speeds mixed. Only exact
/// arithmetic: the scene itself has the same bits everywhere.
World two_blocks(int columns, int rows, WorldOptions chosen = options())
{
    World world = *World::create(std::move(chosen));
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < columns * rows; ++i) {
            const double x = (i % columns + 3) * 0.75 * (side == 0 ? -1 : 1);
            const double y = (i / columns) * 0.75 + side * 0.125;
            const double speed = 1.0 + 0.125 * (i % 5);
            const auto agent = world.add(
                {.position = {x, y},
                 .goal = Vec2{-x * 1.5, y + 0.25},
                 .traits = {{"preferred_speed", speed}, {"radius", 0.1875 + 0.015625 * (i % 3)}}});
            EXPECT_TRUE(agent) << agent.error().message;
        }
    }
    return world;
}

TEST(OrcaGolden, two_blocks_in_the_open_end_in_the_known_state)
{
    World world = two_blocks(12, 12);
    for (int step = 0; step < 400; ++step) ASSERT_FALSE(world.step().fault);
    EXPECT_EQ(world.state_hash(), std::uint64_t{5400019002011943678u});
}

TEST(OrcaGolden, two_blocks_with_walls_bodies_ranks_and_limits_end_in_the_known_state)
{
    World world = two_blocks(10, 8);
    ASSERT_TRUE(world.add_wall(
        {.vertices = {{-14, -2}, {14, -2}, {14, 8}, {-14, 8}}, .kind = WallKind::room}));
    ASSERT_TRUE(world.add_wall(
        {.vertices = {{-1, 1}, {0.5, 1.25}, {0.25, 2.5}, {-0.75, 2}}, .kind = WallKind::solid}));
    ASSERT_TRUE(world.add_wall({.vertices = {{0, 4}, {0.5, 6}}, .kind = WallKind::thin}));
    ASSERT_TRUE(world.add_body({.position = {0, -1}, .radius = 0.5, .velocity = {0, 0.5}}));
    ASSERT_TRUE(world.add_body(
        {.outline = {{-13, 7}, {-12, 7}, {-12, 7.75}, {-13, 7.75}}, .velocity = {1, 0}}));
    for (std::uint32_t id = 0; id < 160; id += 7) {
        const AgentHandle agent = *world.find(id);
        ASSERT_TRUE(world.set_rank(agent, id % 2 == 0 ? HUGE_VAL : 3.0));
        ASSERT_TRUE(world.set_trait(agent, "max_acceleration", 1.5));
    }
    for (std::uint32_t id = 3; id < 160; id += 31)
        ASSERT_TRUE(world.set_model(*world.find(id), "seek"));
    for (int step = 0; step < 400; ++step) ASSERT_FALSE(world.step().fault);
    EXPECT_EQ(world.state_hash(), std::uint64_t{9941692628896302532u});
}

TEST(OrcaGolden, two_blocks_that_answer_stalls_end_in_the_known_state_with_any_number_of_threads)
{
    for (const std::uint32_t threads : {1u, 2u, 4u}) {
        WorldOptions chosen = options();
        chosen.deadlock_policy = true;
        chosen.threads = threads;
        World world = two_blocks(12, 12, std::move(chosen));
        std::uint64_t answers = 0;
        for (int step = 0; step < 400; ++step) {
            const StepReport report = world.step();
            ASSERT_FALSE(report.fault);
            answers += report.side_steps + report.yields + report.back_ups;
        }
        EXPECT_GT(answers, 1000u);
        EXPECT_EQ(world.state_hash(), std::uint64_t{5362010634494044129u});
    }
}

}  // namespace
}  // namespace sidestep
