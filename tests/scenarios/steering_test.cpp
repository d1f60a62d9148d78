// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "support/steering.hpp"

// Every steering case with every model that avoids others: all arrive in time and nobody touches
// anybody. What is known to fail is in one list, which is strict: what passes must not be in it.

namespace sidestep {
namespace {

using test::SteeringScores;

TEST(SteeringCases, are_those_of_the_catalogue_and_their_bodies_are_alike)
{
    const std::vector<std::string> cases = test::steering_cases();
    EXPECT_EQ(cases.size(), 42u);
    for (const std::string& name : cases) {
        SCOPED_TRACE(name);
        const Scenario scenario = test::read_steering_case(name, "orca");
        EXPECT_EQ(scenario.world.name, name);
        EXPECT_EQ(scenario.world.step, 0.05);
        EXPECT_FALSE(scenario.world.description.empty());
        for (const ProfilePlan& profile : scenario.profiles) {
            std::map<std::string, double> values;
            for (const auto& [key, value] : profile.values) values[key] = value.first;
            if (profile.name == "default" && values.empty()) continue;  // nobody has it here
            EXPECT_EQ(values.at("radius"), 0.5);
            EXPECT_EQ(values.at("time_horizon"), 4.0);
            EXPECT_EQ(values.at("wall_time_horizon"), 2.0);
            EXPECT_EQ(values.at("neighbour_range"), 10.0);
        }
    }
}

TEST(SteeringCases, expected_failures_name_cases_and_models_that_exist)
{
    const auto cases = test::steering_cases();
    const auto models = test::avoiding_models();
    for (const auto& [key, reason] : test::read_expected_failures()) {
        SCOPED_TRACE(key.first + " with " + key.second);
        EXPECT_NE(std::find(cases.begin(), cases.end(), key.first), cases.end());
        EXPECT_NE(std::find(models.begin(), models.end(), key.second), models.end());
        EXPECT_FALSE(reason.empty());
    }
}

class SteeringCase : public testing::TestWithParam<std::string> {};

TEST_P(SteeringCase, is_passed_in_time_without_a_touch)
{
    static const auto expected = test::read_expected_failures();
    for (const std::string& model : test::avoiding_models()) {
        SCOPED_TRACE(GetParam() + " with " + model);
        const SteeringScores scores = test::steer({.scene = GetParam(), .model = model});
        std::printf(
            "%-26s %-15s c %.2f  t %6.2f s  e %7.2f J/kg  ratio %.3f  turning %5.2f rad  "
            "%zu of %zu  %s\n",
            GetParam().c_str(), model.c_str(), scores.c(), scores.t(), scores.e(),
            scores.path_ratio(), scores.turning(), scores.arrived(), scores.walkers.size(),
            scores.text().c_str());
        const auto found = expected.find({GetParam(), model});
        if (found == expected.end()) {
            EXPECT_TRUE(scores.passed()) << scores.text();
        } else {
            EXPECT_FALSE(scores.passed())
                << "passes now: take it out of expected_failures.txt (" << found->second << ")";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, SteeringCase, testing::ValuesIn(test::steering_cases()),
                         [](const auto& name) {
                             std::string text = name.param.substr(name.param.find('-') + 1);
                             std::replace(text.begin(), text.end(), '-', '_');
                             return text;
                         });

}  // namespace
}  // namespace sidestep
