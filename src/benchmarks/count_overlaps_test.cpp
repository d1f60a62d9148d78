// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "benchmarks/measure.hpp"

namespace sidestep {
namespace {

/// Discs of two sizes on two levels, thrown at random into a square.
World random_world(std::uint64_t seed, std::size_t agents, double side)
{
    World world = *World::create({.dt = 0.1});
    const ProfileId large = *world.add_profile({"orca", {{"radius", 0.4}}, {}});
    std::mt19937_64 random(seed);
    const auto uniform = [&] { return side * static_cast<double>(random() >> 11) * 0x1p-53; };
    for (std::size_t i = 0; i < agents; ++i) {
        AgentSpec spec;
        spec.position = {uniform() - side / 2.0, uniform() - side / 2.0};
        spec.level = static_cast<std::uint16_t>(random() % 2);
        spec.profile = random() % 3 == 0 ? large : ProfileId{0};
        EXPECT_TRUE(world.add(spec));
    }
    return world;
}

std::uint64_t overlaps_by_pairs(World& world)
{
    const WorldState& state = WorldAccess::state(world);
    const AgentTable& agents = state.agents;
    std::uint64_t pairs = 0;
    for (std::size_t a = 0; a < agents.rows(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (!agents.holds(a) || !agents.holds(b)) continue;
            if (agents.leaf_level[a / kLeafRows] != agents.leaf_level[b / kLeafRows]) continue;
            const double reach = double{param_of(agents, state.profiles, a, kRadius)} +
                                 double{param_of(agents, state.profiles, b, kRadius)} - 1e-3;
            const double dx = double{agents.x[a]} - agents.x[b];
            const double dy = double{agents.y[a]} - agents.y[b];
            pairs += dx * dx + dy * dy < reach * reach ? 1 : 0;
        }
    }
    return pairs;
}

TEST(CountOverlaps, counts_every_pair_once_whatever_the_density)
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        World world = random_world(seed, 200, seed % 2 == 0 ? 4.0 : 25.0);
        const std::uint64_t expected = overlaps_by_pairs(world);
        EXPECT_EQ(count_overlaps(WorldAccess::state(world)), expected);
        EXPECT_GT(expected, 0u);
    }
}

TEST(CountOverlaps, finds_what_the_engine_itself_reports)
{
    World world = random_world(3, 300, 8.0);
    const std::uint64_t counted = count_overlaps(WorldAccess::state(world));
    EXPECT_EQ(world.step().overlaps, counted);
}

TEST(Spread, is_smallest_middle_and_largest)
{
    const double odd[] = {3.0, 1.0, 2.0};
    EXPECT_EQ(spread_of(odd).low, 1.0);
    EXPECT_EQ(spread_of(odd).median, 2.0);
    EXPECT_EQ(spread_of(odd).high, 3.0);
    const double even[] = {4.0, 1.0, 2.0, 3.0};
    EXPECT_EQ(spread_of(even).median, 2.5);
}

TEST(Targets, are_met_at_the_number_itself_and_unknown_without_one)
{
    BenchTarget target{.what = "x", .unit = "x", .floor = 5.0, .goal = 9.0};
    EXPECT_FALSE(target.meets_floor().has_value());
    target.measured = 5.0;
    EXPECT_TRUE(*target.meets_floor());
    EXPECT_FALSE(*target.meets_goal());
    target.at_most = true;
    target.measured = 5.1;
    EXPECT_FALSE(*target.meets_floor());
    EXPECT_TRUE(*target.meets_goal());
    const BenchFloor floor{"w", "r", {target, {.what = "y", .unit = "x"}}};
    EXPECT_FALSE(floor.meets_floor().has_value());
}

TEST(StageTimes, cover_a_step_and_change_nothing)
{
    World plain = random_world(5, 400, 30.0), timed = random_world(5, 400, 30.0);
    StageTimes times;
    timed.time_stages(&times);
    for (int step = 0; step < 3; ++step) (void)plain.step(), (void)timed.step();
    EXPECT_EQ(plain.state_hash(), timed.state_hash());
    EXPECT_GT(times.seconds[static_cast<std::size_t>(Stage::neighbours)], 0.0);
    EXPECT_GT(times.seconds[static_cast<std::size_t>(Stage::choose)], 0.0);
    EXPECT_GT(times.seconds[static_cast<std::size_t>(Stage::advance)], 0.0);
    const StageTimes then = times;
    timed.time_stages(nullptr);
    (void)timed.step();
    EXPECT_EQ(times.readings, then.readings);
}

}  // namespace
}  // namespace sidestep
