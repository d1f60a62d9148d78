// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Known worlds of cone models and filters, known hashes. A change here changes everybody's
// trajectories: it needs a line under "Trajectories changed" in the changelog.

#include <gtest/gtest.h>

#include <algorithm>
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

/// Two blocks of people that walk through each other in a room with pillars and a body that moves;
/// the profiles take turns. Only exact arithmetic: the scene itself has the same bits everywhere.
World two_blocks(const std::vector<ProfileSpec>& specs, int columns, int rows, WorldOptions options)
{
    options.deadlock_policy = false;  // the models by themselves
    World world = *World::create(std::move(options));
    std::vector<ProfileId> profiles;
    for (const ProfileSpec& spec : specs) {
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

/// The same, with a limit of acceleration, in every mode, for every other one.
std::vector<ProfileSpec> in_every_mode(const ProfileSpec& spec)
{
    std::vector<ProfileSpec> specs{spec};
    for (const double mode : {0.0, 1.0, 2.0, 3.0}) {
        specs.push_back(spec);
        specs.back().values.emplace_back("max_acceleration", 3.0);
        specs.back().values.emplace_back("acceleration_mode", mode);
        if (mode == 0.0) specs.back().values.emplace_back("lateral_acceleration", 1.0);
        specs.push_back(spec);
    }
    return specs;
}

struct Golden {
    const char* name;
    ProfileSpec spec;
    std::uint64_t hash;
};

std::vector<Golden> goldens()
{
    return {
        {"vo", {.model = "vo", .values = {}}, 17785785219490251822u},
        {"vo, sampled", {.model = "vo", .values = {{"chooser", 1}}}, 1259807886388261786u},
        {"rvo", {.model = "rvo", .values = {}}, 13557731805079447751u},
        {"clearpath-1", {.model = "clearpath", .values = {{"variant", 1}}}, 14339025306229949259u},
        {"clearpath-2", {.model = "clearpath", .values = {{"variant", 2}}}, 262357958434690535u},
        {"clearpath-2, walks on",
         {.model = "clearpath", .values = {{"variant", 2}, {"overlap_wish", 1}}},
         262357958434690535u},
        {"clearpath-safe", {.model = "clearpath-safe", .values = {}}, 4196870258936087616u},
        {"seek, filter clearpath",
         {.model = "seek", .values = {{"filter", 2}}},
         8431898551485027612u},
    };
}

TEST(ConesGolden, two_blocks_of_each_cone_model_end_in_the_known_state)
{
    for (const Golden& golden : goldens()) {
        for (const Isa isa : isas()) {
            SCOPED_TRACE(std::string(golden.name) + ", " + std::string(to_string(isa)));
            World world = two_blocks(in_every_mode(golden.spec), 6, 4, {.threads = 1, .isa = isa});
            std::uint64_t infeasible = 0;
            for (int step = 0; step < 150; ++step) {
                const StepReport report = world.step();
                ASSERT_FALSE(report.fault);
                infeasible += report.infeasible_programs;
            }
            EXPECT_EQ(world.state_hash(), golden.hash);
            EXPECT_GT(infeasible, 0u) << "nobody was ever stuck: the retreats were not tried";
        }
    }
}

// 1,200 agents are three blocks of rows: each thread has its own.
TEST(ConesGolden, a_crowd_of_all_of_them_ends_in_the_known_state_with_any_number_of_threads)
{
    std::vector<ProfileSpec> specs;
    for (const Golden& golden : goldens()) specs.push_back(golden.spec);
    for (const std::uint32_t threads : {1u, 2u, 4u}) {
        SCOPED_TRACE(threads);
        World world = two_blocks(specs, 30, 20, {.threads = threads, .isa = isas().back()});
        for (int step = 0; step < 20; ++step) ASSERT_FALSE(world.step().fault);
        EXPECT_EQ(world.state_hash(), std::uint64_t{13025666252752998488u});
    }
}

}  // namespace
}  // namespace sidestep
