// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sidestep/simulation.hpp"

namespace sidestep::test {

inline std::string list(const Problems& problems)
{
    std::string text;
    for (const Problem& problem : problems) text += to_text(problem) + "\n";
    return text;
}

/// Reads one of the shipped scenes, for another model than its own where one is named; fails the
/// test with its problems.
inline std::optional<Scenario> read_scene(std::string_view name,
                                          const std::vector<Override>& overrides = {},
                                          std::string_view model = {})
{
    const auto all = scenes();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const SceneInfo& scene) { return scene.name == name; });
    if (found == all.end()) {
        ADD_FAILURE() << "there is no scene " << name;
        return std::nullopt;
    }
    ReadOptions options;
    options.models = models();
    options.overrides = overrides;
    if (!model.empty()) options.model = std::string(model);
    ReadScenario read =
        parse_scenario(found->text, "scenarios/" + std::string(name) + ".toml", options);
    EXPECT_TRUE(read.problems.empty()) << list(read.problems);
    return std::move(read.scenario);
}

/// Runs a scene to its end and holds it to its own [expect].
inline std::optional<RunSummary> run_scene(std::string_view name)
{
    const std::optional<Scenario> scenario = read_scene(name);
    if (!scenario) return std::nullopt;
    Problems problems;
    std::optional<Simulation> simulation = Simulation::create(*scenario, {}, problems);
    EXPECT_TRUE(simulation) << list(problems);
    if (!simulation) return std::nullopt;
    while (!simulation->finished()) {
        const StepReport report = simulation->step();
        if (report.fault) {
            ADD_FAILURE() << name << ", step " << report.fault->step << ": " << report.fault->cause;
            return std::nullopt;
        }
    }
    const std::vector<ExpectResult> results = simulation->check_expectations();
    EXPECT_EQ(results.size(), scenario->expect.size());
    for (const ExpectResult& result : results) EXPECT_TRUE(result.met) << result.message;
    const RunSummary summary = simulation->summary();
    // Nobody is lost, in any scene.
    EXPECT_EQ(summary.spawned, summary.present + summary.left + summary.removed);
    return summary;
}

}  // namespace sidestep::test
