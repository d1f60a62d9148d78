// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The same bits for every instruction set and for 1, 2, 3, 4 and 8 threads: all models together,
// between walls, 2,000 steps.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sidestep/world.hpp"
#include "support/mixed_world.hpp"

namespace sidestep::test {
namespace {

constexpr int kSteps = 2000;
constexpr int kColumns = 18;
constexpr int kRows = 20;

/// Two blocks of people of all models walk through each other in a room with pillars, and back
/// again, and so on: more than one block of 512 rows, so that there is something to share out.
std::uint64_t hash_after_steps(Isa isa, std::uint32_t threads)
{
    ThreadHost host(threads);
    WorldOptions options;
    options.isa = isa;
    options.threads = 1;
    if (threads > 1) options.executor = host.executor();
    World world = *World::create(std::move(options));
    EXPECT_TRUE(world.add_wall(
        {.vertices = {{-18, -1}, {-18, 16}, {18, 16}, {18, -1}}, .kind = WallKind::room}));
    for (int i = 0; i < 4; ++i) {
        const double x = i % 2 - 0.5, y = 1.5 + 3.5 * i;
        EXPECT_TRUE(world.add_wall({.vertices = {{x, y}, {x + 0.75, y + 0.25}, {x + 0.5, y + 1}},
                                    .kind = WallKind::solid}));
    }
    EXPECT_TRUE(world.add_wall({.vertices = {{-2, 6}, {-1.5, 9}}, .kind = WallKind::thin}));
    std::vector<ProfileId> profiles;
    for (const ModelInfo& model : models())
        profiles.push_back(*world.add_profile({.model = std::string(model.name)}));
    std::vector<AgentHandle> agents;
    std::vector<Vec2> ends;
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < kColumns * kRows; ++i) {
            const double x = (i % kColumns + 5) * 0.75 * (side == 0 ? -1 : 1);
            const double y = (i / kColumns) * 0.75 + 0.125 * side;
            const auto agent = world.add(
                {.position = {x, y},
                 .goal = Vec2{-x, y},
                 .profile = profiles[static_cast<std::size_t>(i) % profiles.size()],
                 .traits = {{"preferred_speed", 1.0 + 0.125 * (i % 5)}, {"radius", 0.1875}}});
            EXPECT_TRUE(agent);
            if (!agent) return 0;
            agents.push_back(*agent);
            ends.push_back({x, y});
        }
    }
    for (int step = 0; step < kSteps; ++step) {
        if (step % 250 == 249) {  // back to where they came from
            const double back = step % 500 == 249 ? 1.0 : -1.0;
            for (std::size_t i = 0; i < agents.size(); ++i)
                EXPECT_TRUE(world.set_goal(agents[i], {back * ends[i].x, ends[i].y}));
        }
        const StepReport report = world.step();
        EXPECT_EQ(report.wall_penetrations, 0u);
        if (report.fault) return 0;
    }
    return world.state_hash();
}

TEST(SameBits, for_any_number_of_threads)
{
    const std::uint64_t expected = hash_after_steps(Isa::automatic, 1);
    ASSERT_NE(expected, 0u);
    for (const std::uint32_t threads : {2u, 3u, 4u, 8u})
        EXPECT_EQ(hash_after_steps(Isa::automatic, threads), expected) << threads;
}

TEST(SameBits, for_every_instruction_set)
{
    const std::uint64_t expected = hash_after_steps(Isa::automatic, 1);
    ASSERT_NE(expected, 0u);
    for (const Isa isa : available_isas())
        EXPECT_EQ(hash_after_steps(isa, 1), expected) << to_string(isa);
}

}  // namespace
}  // namespace sidestep::test
