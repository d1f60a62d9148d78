// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/velocities.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/track.hpp"
#include "support/trajectory_cases.hpp"

namespace sidestep {
namespace {

using test::one_thread;
using test::TrajectoryMaker;

/// x = 0, 1, 4, 9, 16, ... at frames 0, 1, 2, ...
TrajectoryMaker squares(std::size_t frames, std::int64_t spacing = 1)
{
    TrajectoryMaker maker(10.0);
    for (std::size_t i = 0; i < frames; ++i) {
        const auto x = static_cast<double>(i * i);
        maker.frame(static_cast<std::int64_t>(i) * spacing, {{7, {x, -x}}});
    }
    return maker;
}

TEST(Velocities, are_central_differences_that_shrink_towards_the_ends_of_a_track)
{
    const Trajectories t = squares(7).finish();
    const Velocities v = individual_velocities(t, 2, one_thread());
    // x = i^2 at 10 frames a second: over i - k to i + k always 20 i m/s
    const float expected[] = {10.0f, 20.0f, 40.0f, 60.0f, 80.0f, 100.0f, 110.0f};
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_FLOAT_EQ(v.x[i], expected[i]) << i;
        EXPECT_FLOAT_EQ(v.y[i], -expected[i]) << i;
        EXPECT_NEAR(v.speed(i), std::sqrt(2.0) * expected[i], 1e-4) << i;
    }
}

TEST(Velocities, count_rows_and_take_time_from_the_frame_numbers)
{
    const Trajectories t = squares(7, 10).finish();
    EXPECT_EQ(usual_spacing(t), 10u);
    const Velocities v = individual_velocities(t, 2, one_thread());
    EXPECT_FLOAT_EQ(v.x[3], 6.0f);
}

TEST(Velocities, are_never_taken_over_a_gap_or_a_change_of_level)
{
    const Trajectories t = TrajectoryMaker(1.0)
                               .frame(0, {{1, {0, 0}}, {2, {0, 5}, 0}})
                               .frame(1, {{1, {1, 0}}, {2, {1, 5}, 0}})
                               .frame(2, {{2, {9, 5}, 1}})
                               .frame(3, {{1, {50, 0}}, {2, {12, 5}, 1}})
                               .frame(4, {{1, {52, 0}}})
                               .frame(5, {})
                               .frame(6, {{1, {90, 0}}})
                               .finish();
    const Velocities v = individual_velocities(t, 3, one_thread());
    const float of_1[] = {1.0f, 1.0f, 2.0f, 2.0f};
    const float of_2[] = {1.0f, 1.0f, 3.0f, 3.0f};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(v.x[t.walker_row[t.walker_begin[0] + i]], of_1[i]) << i;
        EXPECT_EQ(v.x[t.walker_row[t.walker_begin[1] + i]], of_2[i]) << i;
    }
    EXPECT_FALSE(v.known(t.walker_row[t.walker_begin[0] + 4]));
}

TEST(Velocities, of_a_walker_with_one_row_and_of_nobody_are_not_known)
{
    const Trajectories t = TrajectoryMaker().frame(3, {{1, {0, 0}}}).finish();
    EXPECT_FALSE(individual_velocities(t, 1, one_thread()).known(0));
    EXPECT_TRUE(individual_velocities(TrajectoryMaker().finish(), 1, one_thread()).x.empty());
    EXPECT_EQ(usual_spacing(TrajectoryMaker().finish()), 1u);
}

TEST(Velocities, of_walkers_recorded_in_turns_are_known)
{
    TrajectoryMaker maker(10.0);
    for (int i = 0; i < 10; ++i) maker.frame(i, {{i % 2, {0.1 * i, 0.0}}});
    const Trajectories t = maker.finish();
    EXPECT_EQ(usual_spacing(t), 2u);
    const Velocities v = individual_velocities(t, 1, one_thread());
    for (std::size_t row = 0; row < 10; ++row) EXPECT_NEAR(v.x[row], 1.0f, 1e-6f) << row;
}

TEST(Velocities, survive_two_rows_of_one_walker_in_one_frame_and_wild_numbers)
{
    const Trajectories t = TrajectoryMaker(1.0)
                               .frame(std::numeric_limits<std::int64_t>::min(), {{1, {0, 0}}})
                               .frame(4, {{1, {0, 0}}, {1, {1, 0}}})
                               .frame(5, {{1, {2, 0}}})
                               .frame(std::numeric_limits<std::int64_t>::max(), {{1, {3, 0}}})
                               .finish();
    const Velocities v = individual_velocities(t, 1, one_thread());
    for (std::size_t row = 0; row < 5; ++row) EXPECT_FALSE(std::isinf(v.x[row])) << row;
}

TEST(FrameStep, makes_about_four_tenths_of_a_second_in_all)
{
    EXPECT_EQ(frame_step_of(squares(7).finish(), 0), 2u);
    EXPECT_EQ(frame_step_of(squares(7, 10).finish(), 0), 1u);
    EXPECT_EQ(frame_step_of(squares(7).finish(), 5), 5u);
    EXPECT_EQ(frame_step_of(TrajectoryMaker(25.0).finish(), 0), 5u);
}

}  // namespace
}  // namespace sidestep
