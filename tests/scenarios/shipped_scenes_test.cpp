// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/run_scene.hpp"

namespace sidestep {
namespace {

/// Run here, to the end.
constexpr std::string_view kQuick[] = {
    "bottleneck",     "corner",         "corridor-counterflow", "evac-500",    "moving-cart",
    "open-1k",        "room-two-exits", "two-crossing",         "two-head-on", "li-1",
    "li-2",           "li-3",           "li-3-crossing",        "li-8",        "phones",
    "rcap-fig10",     "rcap-fig5",      "rcap-fig6c",           "rcap-fig9a",  "rcap-fig9b",
    "rcap-lab",       "back-and-forth", "back-and-forth-tight", "rvo-calm",    "vo-oscillation",
    "standing-crowd", "two-streams",    "family-door",          "tour-group",  "way-round",
    "turn-or-go",
};
/// Run by tests/long.
constexpr std::string_view kLong[] = {
    "bridge",      "circle-1k",      "circle-1k-jitter", "city-10k",
    "evac-1k",     "evac-5k",        "four-streams",     "open-10k",
    "stadium-25k", "rcap-office-1k", "rcap-office-5k",   "pallet-trucks",
};
/// Too large to run as a test; they differ from a smaller sister in numbers only.
constexpr std::string_view kLarge[] = {"city-100k", "city-1m", "city-250k", "open-100k", "open-1m"};

TEST(ShippedScenes, are_all_run_by_some_test_or_have_a_smaller_sister_that_is)
{
    std::set<std::string_view> known;
    for (const auto& names : {std::vector(std::begin(kQuick), std::end(kQuick)),
                              std::vector(std::begin(kLong), std::end(kLong)),
                              std::vector(std::begin(kLarge), std::end(kLarge))})
        known.insert(names.begin(), names.end());
    std::set<std::string_view> shipped;
    for (const SceneInfo& scene : scenes()) shipped.insert(scene.name);
    EXPECT_EQ(known, shipped);
}

TEST(ShippedScenes, can_be_read_and_say_what_they_are)
{
    std::string_view last;
    for (const SceneInfo& scene : scenes()) {
        SCOPED_TRACE(scene.name);
        EXPECT_LT(last, scene.name);
        last = scene.name;
        const auto scenario = test::read_scene(scene.name);
        ASSERT_TRUE(scenario);
        EXPECT_EQ(scenario->world.name, scene.name);
        EXPECT_FALSE(scenario->world.description.empty());
        EXPECT_FALSE(scenario->world.figure.empty());
        EXPECT_FALSE(scenario->expect.empty());
        EXPECT_FALSE(scenario->agents.empty() && scenario->sources.empty());
    }
}

TEST(ShippedScenes, change_their_size_with_one_number)
{
    for (const std::string_view name :
         {"open-1k", "evac-1k", "city-10k", "stadium-25k", "back-and-forth"}) {
        SCOPED_TRACE(name);
        const auto scenario = test::read_scene(name, {{"agents", "1234"}});
        ASSERT_TRUE(scenario);
        ASSERT_EQ(scenario->agents.size(), 1u);
        EXPECT_EQ(scenario->agents[0].count, 1234u);
    }
}

TEST(ShippedScenes, open_a_wider_door_for_a_faster_crowd)
{
    const auto last_out = [](const char* width) {
        const auto scenario = test::read_scene("bottleneck", {{"layout.width", width}});
        Problems problems;
        auto simulation = Simulation::create(*scenario, {}, problems);
        EXPECT_TRUE(simulation) << test::list(problems);
        if (!simulation) return 0.0;
        while (!simulation->finished()) simulation->step();
        return simulation->summary().last_arrival;
    };
    EXPECT_LT(last_out("3.0"), 0.8 * last_out("1.2"));
}

class ShippedScene : public testing::TestWithParam<std::string_view> {};

TEST_P(ShippedScene, shows_what_it_expects)
{
    test::run_scene(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Quick, ShippedScene, testing::ValuesIn(kQuick), [](const auto& scene) {
    std::string name(scene.param);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace sidestep
