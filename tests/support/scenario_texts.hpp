// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sidestep/scenario.hpp"

namespace sidestep::test {

/// The scenario of a text that must be good; its problems otherwise show in the failure.
inline Scenario read_good(std::string_view text, std::vector<Override> overrides = {})
{
    ReadScenario read = parse_scenario(text, "test", {std::move(overrides), models()});
    for (const Problem& problem : read.problems) ADD_FAILURE() << to_text(problem);
    return read.scenario.value_or(Scenario{});
}

inline Problems read_bad(std::string_view text, std::vector<Override> overrides = {})
{
    ReadScenario read = parse_scenario(text, "test", {std::move(overrides), models()});
    EXPECT_FALSE(read.scenario.has_value());
    return read.problems;
}

/// What a profile says about a trait or parameter; null: nothing.
inline const Distribution* value_of(const ProfilePlan& profile, std::string_view name)
{
    for (const auto& [key, value] : profile.values) {
        if (key == name) return &value;
    }
    return nullptr;
}

}  // namespace sidestep::test
