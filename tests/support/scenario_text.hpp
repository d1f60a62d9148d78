// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "sidestep/simulation.hpp"

namespace sidestep::test {

inline std::string all_of(const Problems& problems)
{
    std::string text;
    for (const Problem& problem : problems) text += to_text(problem) + "\n";
    return text;
}

/// The simulation of a scenario text, or what is wrong with it.
struct Made {
    std::optional<Simulation> simulation;
    Problems problems;
};

inline Made make_simulation(const std::string& text, const SimulationOptions& options = {},
                            const std::vector<Override>& overrides = {})
{
    ReadScenario read = parse_scenario(text, "test.toml", {overrides, models()});
    if (!read.scenario) return {std::nullopt, read.problems};
    Made made;
    made.simulation = Simulation::create(*read.scenario, options, made.problems);
    return made;
}

/// The same where it must work.
inline Simulation must_simulate(const std::string& text, const SimulationOptions& options = {},
                                const std::vector<Override>& overrides = {})
{
    Made made = make_simulation(text, options, overrides);
    if (!made.simulation) {
        ADD_FAILURE() << all_of(made.problems);
        std::abort();  // nothing below can go on without it
    }
    return std::move(*made.simulation);
}

/// Steps to the end, and checks now and then that nobody is lost.
inline RunSummary run_to_end(Simulation& simulation)
{
    while (!simulation.finished()) {
        const StepReport report = simulation.step();
        if (report.fault) {
            ADD_FAILURE() << report.fault->cause;
            break;
        }
        if (simulation.world().step_index() % 16 != 0)
            continue;  // a summary costs as much as a step
        const RunSummary now = simulation.summary();
        EXPECT_EQ(now.spawned, now.present + now.left + now.removed);
    }
    return simulation.summary();
}

}  // namespace sidestep::test
