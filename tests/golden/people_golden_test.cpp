// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Known worlds of people who differ, known hashes: perception, acceleration modes, roles and
// tempers. A change here changes everybody's trajectories: it needs a line under "Trajectories
// changed" in the changelog.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "sidestep/world.hpp"

namespace sidestep {
namespace {

/// Two blocks that walk through each other in a room with pillars; the profiles take turns. Only
/// exact arithmetic: the scene itself has the same bits everywhere.
World two_blocks(const std::vector<ProfileSpec>& specs)
{
    WorldOptions options;
    options.deadlock_policy = false;  // the models by themselves
    if (const char* isa = std::getenv("SIDESTEP_ISA"))
        options.isa = to_isa(isa).value_or(Isa::automatic);
    World world = *World::create(std::move(options));
    std::vector<ProfileId> profiles;
    for (const ProfileSpec& spec : specs) {
        const auto profile = world.add_profile(spec);
        EXPECT_TRUE(profile) << profile.error().message;
        profiles.push_back(*profile);
    }
    EXPECT_TRUE(world.add_wall(
        {.vertices = {{-14, -2}, {14, -2}, {14, 9}, {-14, 9}}, .kind = WallKind::room}));
    EXPECT_TRUE(world.add_wall(
        {.vertices = {{-1, 1}, {0.5, 1.25}, {0.25, 2.5}, {-0.75, 2}}, .kind = WallKind::solid}));
    EXPECT_TRUE(world.add_wall({.vertices = {{0, 4}, {0.5, 6}}, .kind = WallKind::thin}));
    EXPECT_TRUE(world.add_body({.position = {-6, 7.5}, .radius = 0.5, .velocity = {0.5, 0}}));
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < 48; ++i) {
            const double x = (i % 8 + 4) * (side == 0 ? -1 : 1);
            const double y = i / 8 + side * 0.125;
            const auto agent =
                world.add({.position = {x, y},
                           .goal = Vec2{-x, y + 0.25},
                           .profile = profiles[static_cast<std::size_t>(i) % profiles.size()]});
            EXPECT_TRUE(agent) << agent.error().message;
        }
    }
    return world;
}

std::uint64_t hash_after(World world, int steps)
{
    for (int step = 0; step < steps; ++step) EXPECT_FALSE(world.step().fault);
    return world.state_hash();
}

TEST(PeopleGolden, observers_in_every_acceleration_mode_end_in_the_known_state)
{
    std::vector<ProfileSpec> specs;
    for (const double mode : {0.0, 1.0, 2.0, 3.0}) {
        specs.push_back({.model = "rcap", .values = {{"acceleration_mode", mode}}});
        specs.push_back({.model = "rcap",
                         .values = {{"acceleration_mode", mode},
                                    {"field_of_view_deg", 120},
                                    {"lateral_acceleration", 0.75},
                                    {"observation_time", 0.25},
                                    {"sight", 2}}});
    }
    EXPECT_EQ(hash_after(two_blocks(specs), 300), std::uint64_t{3888022268420928119u});
}

TEST(PeopleGolden, roles_tempers_and_those_who_wait_end_in_the_known_state)
{
    std::vector<ProfileSpec> specs;
    for (const PresetInfo& preset : presets())
        specs.push_back({.model = "personality", .values = {}, .preset = std::string(preset.name)});
    for (const double stuck : {1.0, 2.0}) {
        specs.push_back({.model = "personality",
                         .values = {{"when_stuck", stuck}, {"patience", 0.5}, {"alpha", 0.75}}});
    }
    World world = two_blocks(specs);
    for (std::uint32_t id = 0; id + 7 < 96; id += 3) {
        ASSERT_TRUE(world.set_share(*world.find(id), *world.find(id + 7), 0.25));
    }
    EXPECT_EQ(hash_after(std::move(world), 300), std::uint64_t{11626580779785773282u});
}

}  // namespace
}  // namespace sidestep
