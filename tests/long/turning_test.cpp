// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// A million manoeuvres of agents that must turn, w v_m / a from 3e-4 to 6e2.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "support/turning_cases.hpp"

namespace sidestep {
namespace {

using test::FirstSpeed;
using test::random_task;
using test::SeededRandom;

TEST(TurningMillion, has_no_query_without_an_answer_and_no_best_threshold_that_never_arrives)
{
    SeededRandom random(101);
    for (int i = 0; i < 1'000'000; ++i) {
        const auto first = i % 4 == 0 ? FirstSpeed::any : FirstSpeed::rest;
        const TurningTask task = random_task(random, first, i % 3 == 0);
        const double threshold = random.uniform(0.0, test::kPi);
        const double t = random.uniform(0.0, 20.0) / task.limits.turn_rate;
        const test::QueryFault fault = test::check_query(task, threshold, t);
        ASSERT_FALSE(fault.not_a_number) << i;
        ASSERT_FALSE(fault.unreachable_best) << i;
        ASSERT_FALSE(fault.out_of_order) << i;
    }
}

TEST(TurningMillion, goes_where_small_steps_go)
{
    EXPECT_EQ(test::go_where_small_steps_go(107, 4000, 1000.0), 4000);
}

TEST(TurningMillion, loses_less_than_1e_5_to_a_search_of_4001_thresholds)
{
    SeededRandom random(103);
    double worst = 0.0, sum = 0.0;
    for (int i = 0; i < 4000; ++i) {
        SCOPED_TRACE(i);
        const TurningTask task = random_task(random, FirstSpeed::rest, i % 4 == 0);
        const auto best = best_threshold(task);
        ASSERT_TRUE(best);
        const double searched = test::searched_arrival(task, 4001);
        const double regret = searched > 0.0 ? best->time / searched - 1.0 : best->time;
        worst = std::max(worst, regret);
        sum += std::max(regret, 0.0);
    }
    EXPECT_LT(worst, 1e-5);
    std::printf("regret: mean %.3g, worst %.3g\n", sum / 4000, worst);
}

}  // namespace
}  // namespace sidestep
