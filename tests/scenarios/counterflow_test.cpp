// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "support/run_scene.hpp"
#include "support/test_worlds.hpp"

// Two rooms change places through a corridor of 2 m: no gridlock, and those who come the other way
// cost time.

namespace sidestep {
namespace {

RunSummary cross(const std::string& model, std::uint64_t seed, int against)
{
    auto scenario = test::read_scene("corridor-counterflow",
                                     {{"agents.1.count", std::to_string(std::max(against, 1))}});
    if (!scenario) return {};
    if (against == 0) scenario->agents.resize(1);
    SimulationOptions options;
    options.isa = test::isa_asked_for().value_or(Isa::automatic);
    options.model = model;
    options.seed = seed;
    Problems problems;
    auto simulation = Simulation::create(*scenario, options, problems);
    EXPECT_TRUE(simulation) << test::list(problems);
    if (!simulation) return {};
    while (!simulation->finished()) {
        if (simulation->step().fault) {
            ADD_FAILURE() << "stopped with a fault";
            break;
        }
    }
    const RunSummary summary = simulation->summary();
    std::printf(
        "%-15s seed %2d, 100 against %3d: %d crossed, the last at %.1f s; deepest overlap "
        "%.3f m\n",
        model.c_str(), int(seed), against, int(summary.left), summary.last_arrival,
        summary.deepest_overlap);
    return summary;
}

TEST(CounterflowLong, all_cross_within_400_s_and_those_who_come_the_other_way_cost_time)
{
    const auto mean_last = [](int against) {
        double sum = 0.0;
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            SCOPED_TRACE(std::to_string(against) + " against, seed " + std::to_string(seed));
            const RunSummary summary = cross("orca", seed, against);
            EXPECT_EQ(summary.left, 100u + static_cast<unsigned>(against));
            EXPECT_LE(summary.last_arrival, 400.0);
            EXPECT_EQ(summary.wall_penetrations, 0u);
            sum += summary.last_arrival;
        }
        return sum / 10.0;
    };
    const double alone = mean_last(0);
    const double few = mean_last(10);
    const double half = mean_last(50);
    const double all = mean_last(100);
    std::printf(
        "mean of the last: %.1f s alone, %.1f s against 10, %.1f s against 50, %.1f s against "
        "100\n",
        alone, few, half, all);
    EXPECT_GE(few, 0.95 * alone);
    EXPECT_GT(half, 1.05 * alone);
    EXPECT_GT(all, half);
}

}  // namespace
}  // namespace sidestep
