// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Who is in view, and since when.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// First step that counts, or the number of steps.
std::size_t first_active(const std::vector<bool>& active)
{
    return static_cast<std::size_t>(std::find(active.begin(), active.end(), true) - active.begin());
}

std::vector<bool> always(std::size_t steps)
{
    return std::vector<bool>(steps, true);
}

TEST(RcapGate, opens_at_step_95_for_the_observation_time_of_the_paper)
{
    EXPECT_EQ(first_active(*rcap_gate(always(200), 0.79, 2.0, 1.0 / 120.0)), 95u);
}

TEST(RcapGate, is_strict_so_that_no_observation_time_still_costs_one_step)
{
    EXPECT_EQ(first_active(*rcap_gate(always(5), 0.0, 2.0, 0.1)), 1u);
    // 14 x 0.05 is 0.7000000000000001 in double: it does not count as longer than 0.7.
    EXPECT_EQ(first_active(*rcap_gate(always(30), 0.7, 2.0, 0.05)), 15u);
    EXPECT_EQ(first_active(*rcap_gate(always(30), 0.3, 2.0, 0.1)), 4u);
}

TEST(RcapGate, counts_again_from_the_start_after_a_loss_longer_than_the_memory)
{
    std::vector<bool> seen = always(20);
    seen[6] = seen[7] = false;  // back at step 8: 3 steps after step 5
    EXPECT_TRUE((*rcap_gate(seen, 0.25, 0.3, 0.1))[8]);
    EXPECT_FALSE((*rcap_gate(seen, 0.25, 0.2, 0.1))[8]);
    EXPECT_TRUE((*rcap_gate(seen, 0.25, 0.2, 0.1))[11]);
    EXPECT_FALSE((*rcap_gate(seen, 0.25, 0.2, 0.1))[10]);
}

TEST(RcapGate, with_no_memory_starts_anew_at_every_step)
{
    const auto active = rcap_gate(always(20), 0.0, 0.0, 0.1);
    EXPECT_EQ(first_active(*active), 20u);
}

TEST(RcapGate, takes_infinite_times_and_no_steps_at_all)
{
    EXPECT_EQ(first_active(*rcap_gate(always(50), kInf, 2.0, 0.1)), 50u);
    std::vector<bool> seen(50, false);
    seen.front() = seen.back() = true;
    EXPECT_EQ(first_active(*rcap_gate(seen, 0.5, kInf, 0.1)), 49u);
    EXPECT_TRUE(rcap_gate({}, 0.5, 2.0, 0.1)->empty());
}

TEST(RcapGate, rejects_bad_input)
{
    EXPECT_FALSE(rcap_gate(always(3), -0.1, 2.0, 0.1));
    EXPECT_FALSE(rcap_gate(always(3), kNan, 2.0, 0.1));
    EXPECT_FALSE(rcap_gate(always(3), 0.5, -1.0, 0.1));
    EXPECT_FALSE(rcap_gate(always(3), 0.5, 2.0, 0.0));
    EXPECT_FALSE(rcap_gate(always(3), 0.5, 2.0, kInf));
}

TEST(Visible, ends_at_the_range_and_sees_who_stands_on_it)
{
    const auto seen = [](Vec2 to, double range) {
        return *visible({.from = {0, 0}, .to = to, .heading = {}, .range = range, .walls = {}});
    };
    EXPECT_TRUE(seen({3, 4}, 5.0));
    EXPECT_FALSE(seen({3, 4}, 4.999999));
    EXPECT_TRUE(seen({0, 0}, 0.0));
    EXPECT_TRUE(seen({3e9, 4e9}, kInf));
    for (int k = 1; k <= 1000; ++k) {  // hypot and sqrt may round to different sides
        const Vec2 to{0.1 * k, 0.37 + 0.01 * k};
        EXPECT_TRUE(seen(to, std::hypot(to.x, to.y))) << k;
        EXPECT_FALSE(seen(to, std::hypot(to.x, to.y) * (1.0 - 1e-14))) << k;
    }
}

TEST(Visible, of_almost_all_round_has_no_gap_behind)
{
    constexpr double kFull = 6.283185307179586;
    const auto seen_behind = [](double fov) {
        return *visible({.from = {0, 0},
                         .to = {-3, 0},
                         .heading = Vec2{1, 0},
                         .field_of_view = fov,
                         .walls = {}});
    };
    EXPECT_TRUE(seen_behind(kFull));
    EXPECT_TRUE(seen_behind(kFull + 1.0));
    EXPECT_TRUE(seen_behind(kFull - 1e-10));  // half of it is missing less than 1e-9 rad
    EXPECT_FALSE(seen_behind(kFull - 1e-6));
    EXPECT_FALSE(seen_behind(0.0));
}

}  // namespace
}  // namespace sidestep
