// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// A known world of vehicles and people, a known hash. A change here changes the ways of vehicles:
// it needs a line under "Trajectories changed" in the changelog.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "sidestep/world.hpp"

namespace sidestep {
namespace {

/// Unicycles that turn on the spot, others that do not, bicycles that keep their circle free, and
/// people, through each other in a room with a pillar and a thin wall. Starts, goals and limits are
/// exact: the scene itself has the same bits everywhere.
World mixed_traffic(const std::string& model, std::uint32_t threads)
{
    WorldOptions options;
    options.threads = threads;
    options.solid_bodies = SolidBodies::on;
    if (const char* isa = std::getenv("SIDESTEP_ISA"))
        options.isa = to_isa(isa).value_or(Isa::automatic);
    World world = *World::create(std::move(options));
    const std::vector<ParamValue> truck = {
        {"motion", 1},           {"radius", 0.5},     {"max_speed", 2},
        {"preferred_speed", 2},  {"turn_rate", 1},    {"max_acceleration", 1},
        {"neighbour_range", 10}, {"time_horizon", 3}, {"max_neighbours", 16}};
    const std::vector<ParamValue> cart = {{"motion", 1},      {"radius", 0.375},
                                          {"max_speed", 1.5}, {"turning_radius", 0.5},
                                          {"turn_rate", 1.5}, {"max_acceleration", 0.75},
                                          {"braking", 1.5},   {"preferred_speed", 1.25}};
    const std::vector<ParamValue> bicycle = {
        {"motion", 2},           {"radius", 0.5},         {"planning_radius", 1.5},
        {"max_speed", 2},        {"wheelbase", 1},        {"max_steering", 0.5},
        {"max_acceleration", 1}, {"neighbour_range", 12}, {"ground", 1}};
    std::vector<ProfileId> profiles;
    for (const std::vector<ParamValue>& values : {truck, cart, bicycle, {}}) {
        const auto profile = world.add_profile({.model = model, .values = values});
        EXPECT_TRUE(profile) << profile.error().message;
        profiles.push_back(*profile);
    }
    EXPECT_TRUE(world.add_wall(
        {.vertices = {{-24, -14}, {24, -14}, {24, 14}, {-24, 14}}, .kind = WallKind::room}));
    EXPECT_TRUE(world.add_wall(
        {.vertices = {{-1, -1}, {0.5, -1.25}, {0.25, 1.5}, {-0.75, 1}}, .kind = WallKind::solid}));
    EXPECT_TRUE(world.add_wall({.vertices = {{0, 5}, {0.5, 9}}, .kind = WallKind::thin}));
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < 28; ++i) {
            const double x = (i % 4 * 4 + 6) * (side == 0 ? -1 : 1);
            const double y = i / 4 * 3.5 - 10.5 + side * 0.125;
            const auto agent =
                world.add({.position = {x, y},
                           .goal = Vec2{-x, y + 0.25},
                           .profile = profiles[static_cast<std::size_t>(i + i / 4) % 4]});
            EXPECT_TRUE(agent) << agent.error().message;
        }
    }
    return world;
}

struct Known {
    const char* model;
    std::uint64_t hash;
};

TEST(VehiclesGolden, mixed_traffic_ends_in_the_known_state_with_any_number_of_threads)
{
    for (const Known& known :
         {Known{"orca", 7792344797461027653u}, Known{"clearpath", 17562491862215295320u}}) {
        for (const std::uint32_t threads : {1u, 4u}) {
            SCOPED_TRACE(std::string(known.model) + ", " + std::to_string(threads));
            World world = mixed_traffic(known.model, threads);
            std::uint64_t held = 0;
            for (int step = 0; step < 150; ++step) {
                const StepReport report = world.step();
                ASSERT_FALSE(report.fault);
                EXPECT_LE(report.deepest_overlap, 1e-3);
                held += report.held_vehicles;
            }
            EXPECT_GT(held, 200u);  // they do meet
            EXPECT_EQ(world.state_hash(), known.hash);
        }
    }
}

}  // namespace
}  // namespace sidestep
