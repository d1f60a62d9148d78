// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Known worlds of model social_force, known hashes. A change here changes everybody's
// trajectories: it needs a line under "Trajectories changed" in the changelog.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "sidestep/world.hpp"

namespace sidestep {
namespace {

/// All instruction sets of this build and processor, or the one that SIDESTEP_ISA names.
std::vector<Isa> isas()
{
    if (const char* name = std::getenv("SIDESTEP_ISA"))
        return {to_isa(name).value_or(Isa::automatic)};
    return available_isas();
}

/// Every form of repulsion, contact, both weightings, both sides, limits, perception and a filter:
/// lanes of a leaf differ in all of them.
std::vector<ProfileSpec> every_form()
{
    std::vector<ProfileSpec> specs;
    for (const double form : {0.0, 1.0, 2.0, 3.0, 4.0}) {
        const double variant = 1.0 + 0.125 * form;
        specs.push_back({.model = "social_force",
                         .values = {{"repulsion", form}, {"relaxation_time", 0.5 * variant}}});
        specs.push_back({.model = "social_force",
                         .values = {{"repulsion", form},
                                    {"contact", 1.0},
                                    {"weighting", form == 1.0 ? 1.0 : 0.0},
                                    {"passing_side", form == 2.0 ? 2.0 : 0.0},
                                    {"repulsion_factor", variant},
                                    {"max_acceleration", 4.0}}});
    }
    specs.push_back({.model = "social_force", .values = {{"field_of_view_deg", 120.0}}});
    specs.push_back({.model = "social_force", .values = {{"filter", 1.0}}});
    return specs;
}

/// Two blocks of people that walk through each other in a room with pillars and bodies that move;
/// the profiles take turns. Only exact arithmetic: the scene itself has the same bits everywhere.
World two_blocks(int columns, int rows, WorldOptions options)
{
    options.deadlock_policy = false;  // the models by themselves
    World world = *World::create(std::move(options));
    std::vector<ProfileId> profiles;
    for (const ProfileSpec& spec : every_form()) {
        const auto profile = world.add_profile(spec);
        EXPECT_TRUE(profile) << profile.error().message;
        profiles.push_back(*profile);
    }
    const double side = columns + 6.0;
    const double top = rows + 2.0;
    EXPECT_TRUE(world.add_wall({.vertices = {{-side, -2}, {side, -2}, {side, top}, {-side, top}},
                                .kind = WallKind::room}));
    EXPECT_TRUE(world.add_wall(
        {.vertices = {{-1, 1}, {0.5, 1.25}, {0.25, 2.5}, {-0.75, 2}}, .kind = WallKind::solid}));
    EXPECT_TRUE(world.add_wall({.vertices = {{0, 4}, {0.5, 6}}, .kind = WallKind::thin}));
    EXPECT_TRUE(world.add_body({.position = {-2, -0.5}, .radius = 0.5, .velocity = {0.125, 0}}));
    EXPECT_TRUE(world.add_body(
        {.outline = {{1, 0}, {2, 0}, {2, 0.5}, {1, 0.5}}, .velocity = {-0.0625, 0.125}}));
    for (int block = 0; block < 2; ++block) {
        for (int i = 0; i < columns * rows; ++i) {
            const double x = ((i % columns) * 0.75 + 3) * (block == 0 ? -1 : 1);
            const double y = (i / columns) * 0.75 + block * 0.125;
            const auto agent =
                world.add({.position = {x, y},
                           .goal = Vec2{-x, y + 0.25},
                           .profile = profiles[static_cast<std::size_t>(i) % profiles.size()],
                           .traits = {{"preferred_speed", 1.0 + 0.125 * (i % 5)}}});
            EXPECT_TRUE(agent) << agent.error().message;
        }
    }
    return world;
}

struct Golden {
    double dt;
    std::uint64_t hash;
};

TEST(ForcesGolden, two_blocks_end_in_the_known_state_with_every_instruction_set)
{
    for (const Golden& golden :
         {Golden{0.05, 2263649759238409350u}, Golden{0.1, 4048588310806634587u}}) {
        for (const Isa isa : isas()) {
            SCOPED_TRACE(std::to_string(golden.dt) + ", " + std::string(to_string(isa)));
            World world = two_blocks(6, 4, {.dt = golden.dt, .threads = 1, .isa = isa});
            for (int step = 0; step < 150; ++step) ASSERT_FALSE(world.step().fault);
            EXPECT_EQ(world.state_hash(), golden.hash);
        }
    }
}

// 1,200 agents are three blocks of rows: each thread has its own.
TEST(ForcesGolden, a_crowd_ends_in_the_known_state_with_any_number_of_threads)
{
    for (const std::uint32_t threads : {1u, 2u, 4u}) {
        SCOPED_TRACE(threads);
        World world = two_blocks(30, 20, {.threads = threads, .isa = isas().back()});
        for (int step = 0; step < 20; ++step) ASSERT_FALSE(world.step().fault);
        EXPECT_EQ(world.state_hash(), std::uint64_t{12723809114348868314u});
    }
}

}  // namespace
}  // namespace sidestep
