// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "support/steering.hpp"

// People who stand before each other and none of whom can go on: the policy against deadlock ends
// it, for every model of the velocity family, whoever has which id and however exact the symmetry.

namespace sidestep {
namespace {

using test::CaseAndModel;
using test::SteeringScores;

/// These stand for ever where symmetry is exact and the policy is off. A model that learns to help
/// itself leaves the list; so that the test above it keeps its meaning, the list may not be empty.
const std::set<CaseAndModel> kStuckWithoutPolicy = {
    {"steer-4way", "clearpath-safe"},
    {"steer-circle-20", "orca"},
    {"steer-circle-20", "rcap"},
    {"steer-circle-20", "personality"},
    {"steer-circle-20", "rvo"},
    {"steer-circle-20", "clearpath"},
    {"steer-circle-20", "clearpath-safe"},
    {"steer-squeeze-3", "rcap"},
    {"steer-squeeze-3", "personality"},
    {"steer-squeeze-double", "rcap"},
    {"steer-squeeze-double", "personality"},
    {"steer-squeeze-double", "rvo"},
    {"steer-squeeze-double", "clearpath"},
};

/// Where people are pressed together bodies may overlap, but never by more than three quarters of
/// the smaller radius [m]. That nobody touches anybody is asked of the cases as they are written,
/// by steering_test.
constexpr double kDeepestWhenDense = 0.75 * 0.5;

/// Who is where at the end, of those who were not in time.
std::string left_behind(const SteeringScores& scores)
{
    std::string text;
    char buffer[96];
    for (const test::WalkerScore& walker : scores.walkers) {
        if (walker.in_time()) continue;
        std::snprintf(buffer, sizeof buffer, walker.arrived ? " %s at %.1f s" : " %s (%.2f, %.2f)",
                      walker.group.c_str(), walker.arrived ? walker.time : walker.end.x,
                      walker.end.y);
        text += buffer;
    }
    return text;
}

void expect_resolved(std::string_view scene, std::uint64_t seeds)
{
    for (const std::string& model : test::velocity_models()) {
        double first = HUGE_VAL;
        double last = 0.0;
        std::size_t in_time = 0;
        std::size_t touched = 0;
        double deepest = 0.0;
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
            SCOPED_TRACE(std::string(scene) + " with " + model + ", seed " + std::to_string(seed));
            const SteeringScores scores =
                test::steer({.scene = std::string(scene), .model = model, .seed = seed});
            EXPECT_FALSE(scores.stuck()) << left_behind(scores);
            in_time += scores.stuck() ? 0 : 1;
            touched += scores.c() > 0.0 ? 1 : 0;
            first = std::min(first, scores.last());
            last = std::max(last, scores.last());
            deepest = std::max(deepest, scores.deepest);
            if (model != "vo") {  // gives up cones where nothing is free, and walks through others
                EXPECT_LE(scores.deepest, kDeepestWhenDense);
            }
        }
        std::printf(
            "%-22s %-15s %2zu of %2zu in time, the last after %5.1f to %5.1f s, touched in %zu, at "
            "most %.1f mm\n",
            std::string(scene).c_str(), model.c_str(), in_time, std::size_t(seeds), first, last,
            touched, 1000.0 * deepest);
    }
}

class StandOff : public testing::TestWithParam<std::string_view> {};

TEST_P(StandOff, ends_in_time)
{
    expect_resolved(GetParam(), 3);
}

class StandOffLong : public testing::TestWithParam<std::string_view> {};

TEST_P(StandOffLong, ends_in_time_with_twenty_seeds)
{
    expect_resolved(GetParam(), 20);
}

const auto kNameOf = [](const testing::TestParamInfo<std::string_view>& scene) {
    std::string name(scene.param.substr(scene.param.find('-') + 1));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
};
INSTANTIATE_TEST_SUITE_P(All, StandOff, testing::ValuesIn(test::kStandOffs), kNameOf);
INSTANTIATE_TEST_SUITE_P(All, StandOffLong, testing::ValuesIn(test::kStandOffs), kNameOf);

TEST(StandOffs, last_where_the_policy_is_off)
{
    std::set<CaseAndModel> stuck;
    for (const std::string_view scene : test::kStandOffs) {
        for (const std::string& model : test::velocity_models()) {
            const SteeringScores scores = test::steer(
                {.scene = std::string(scene), .model = model, .deadlock_policy = false});
            if (!scores.stuck()) continue;
            stuck.insert({std::string(scene), model});
            std::printf("%-22s %-15s%s\n", std::string(scene).c_str(), model.c_str(),
                        left_behind(scores).c_str());
        }
    }
    EXPECT_EQ(stuck, kStuckWithoutPolicy);
}

TEST(StandOffs, end_in_the_same_way_every_time)
{
    for (const std::string_view scene : test::kStandOffs) {
        for (const std::string& model : test::velocity_models()) {
            SCOPED_TRACE(std::string(scene) + " with " + model);
            test::SteeringRun run{.scene = std::string(scene), .model = model};
            const std::uint64_t hash = test::steer(run).state_hash;
            EXPECT_EQ(test::steer(run).state_hash, hash);
            run.threads = 2;
            run.isa = Isa::scalar;
            EXPECT_EQ(test::steer(run).state_hash, hash);
        }
    }
}

}  // namespace
}  // namespace sidestep
