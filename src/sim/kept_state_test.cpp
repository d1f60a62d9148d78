// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sim/kept_state.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/agent_tables.hpp"

namespace sidestep {
namespace {

/// Planning radius of an agent of body 0.2 m after so many steps of 0.1 s of waiting.
float radius_after(int waited, float planning, float patience)
{
    test::TestTable table(1, 0, 1);
    table.add_profile(0, 0.2f, planning, 5.0f, 10.0f);
    table.profiles[0].value[kPatience] = patience;
    table.add({.id = 1});
    EXPECT_TRUE(table.agents.waited.reserve(kLeafRows));
    table.agents.waited.resize(kLeafRows, static_cast<std::uint16_t>(waited));
    return planning_radius_of(table.agents, table.profiles, 0, 0.1);
}

TEST(PlanningRadius, stays_as_it_is_until_patience_is_lost)
{
    EXPECT_EQ(radius_after(0, 0.5f, 2.0f), 0.5f);
    EXPECT_EQ(radius_after(20, 0.5f, 2.0f), 0.5f);
    EXPECT_EQ(radius_after(60'000, 0.5f, std::numeric_limits<float>::infinity()), 0.5f);
}

TEST(PlanningRadius, shrinks_by_a_tenth_of_itself_per_second_of_impatience)
{
    EXPECT_NEAR(radius_after(21, 0.5f, 2.0f), 0.495f, 1e-6);
    EXPECT_NEAR(radius_after(30, 0.5f, 2.0f), 0.45f, 1e-6);
    EXPECT_NEAR(radius_after(50, 0.5f, 2.0f), 0.35f, 1e-6);
    EXPECT_NEAR(radius_after(10, 0.5f, 0.0f), 0.45f, 1e-6);
}

TEST(PlanningRadius, never_gets_smaller_than_the_body)
{
    EXPECT_EQ(radius_after(90, 0.5f, 2.0f), 0.2f);
    EXPECT_EQ(radius_after(65'535, 0.5f, 2.0f), 0.2f);
    EXPECT_EQ(radius_after(65'535, 0.1f, 2.0f), 0.2f);
}

TEST(PlanningRadius, is_that_of_the_traits_where_nobody_waits)
{
    test::TestTable table(1, 0, 1);
    table.add_profile(0, 0.2f, 0.5f, 5.0f, 10.0f);
    table.add({.id = 1});
    EXPECT_EQ(planning_radius_of(table.agents, table.profiles, 0, 0.1), 0.5f);
}

/// The same after so many steps on the stall clock.
float radius_when_stalled(int clock, float planning, std::uint32_t flags = 0)
{
    test::TestTable table(1, 0, 1);
    table.add_profile(0, 0.2f, planning, 5.0f, 10.0f);
    table.add({.id = 1});
    table.agents.stall_clock[0] = static_cast<std::uint16_t>(clock);
    table.agents.record[0].flags |= flags;
    return planning_radius_of(table.agents, table.profiles, 0, 0.1);
}

TEST(PlanningRadius, shrinks_by_a_fifth_of_itself_per_second_of_a_stall)
{
    EXPECT_EQ(radius_when_stalled(0, 0.5f), 0.5f);
    EXPECT_EQ(radius_when_stalled(10, 0.5f), 0.5f);
    EXPECT_NEAR(radius_when_stalled(20, 0.5f), 0.4f, 1e-6);
    EXPECT_NEAR(radius_when_stalled(30, 0.5f), 0.3f, 1e-6);
    EXPECT_EQ(radius_when_stalled(960, 0.5f), 0.2f);
    EXPECT_EQ(radius_when_stalled(960, 0.1f), 0.2f) << "no smaller than the body";
    EXPECT_EQ(radius_when_stalled(960, 0.5f, kVehicle), 0.5f) << "vehicles need theirs to turn";
}

TEST(Kept, follows_from_traits_and_model)
{
    Profile profile;
    profile.value[kFieldOfView] = 360.0f;
    profile.value[kLateralAcceleration] = std::numeric_limits<float>::infinity();
    std::uint8_t waits = 0;
    while (!may_wait(waits)) ++waits;
    const auto kept = [&](std::uint8_t model) {
        return kept_by(model, [&](std::size_t param) { return profile.value[param]; });
    };
    EXPECT_FALSE(kept(waits).heading || kept(waits).sight || kept(waits).waited);
    profile.value[kLateralAcceleration] = 1.0f;
    EXPECT_TRUE(kept(waits).heading);
    profile.value[kLateralAcceleration] = std::numeric_limits<float>::infinity();
    profile.value[kFieldOfView] = 359.0f;
    EXPECT_TRUE(kept(waits).heading);
    profile.value[kObservationTime] = 0.1f;
    EXPECT_TRUE(kept(waits).sight);
    profile.value[kWhenStuck] = 1.0f;
    EXPECT_TRUE(kept(waits).waited);
    EXPECT_FALSE(kept(0).waited);  // another model has another parameter there
}

}  // namespace
}  // namespace sidestep
