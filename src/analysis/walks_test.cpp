// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/walks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/trajectory_cases.hpp"

namespace sidestep {
namespace {

using test::one_thread;
using test::TrajectoryMaker;

std::vector<WalkerResult> walks_of(const Trajectories& t)
{
    return measure_walks(t, individual_velocities(t, 1, one_thread()), one_thread());
}

/// One walker at 10 frames a second; `speeds` from one frame to the next, along x [m/s].
TrajectoryMaker walk(const std::vector<double>& speeds)
{
    TrajectoryMaker maker(10.0);
    double x = 0.0;
    std::int64_t number = 0;
    maker.frame(number++, {{4, {x, 0}}});
    for (const double speed : speeds) {
        x += 0.1 * speed;
        maker.frame(number++, {{4, {x, 0}}});
    }
    return maker;
}

std::vector<double> join(std::initializer_list<std::pair<int, double>> parts)
{
    std::vector<double> all;
    for (const auto& [frames, speed] : parts)
        all.insert(all.end(), static_cast<std::size_t>(frames), speed);
    return all;
}

TEST(Walks, round_a_corner_have_length_ratio_speed_and_energy)
{
    TrajectoryMaker maker(1.0);
    for (int i = 0; i <= 3; ++i) maker.frame(i, {{1, {1.0 * i, 0}}});
    for (int i = 1; i <= 4; ++i) maker.frame(3 + i, {{1, {3, 1.0 * i}}});
    maker.frame(8, {});
    const WalkerResult w = walks_of(maker.finish())[0];
    EXPECT_EQ(w.id, 1);
    EXPECT_DOUBLE_EQ(w.path_length, 7.0);
    EXPECT_DOUBLE_EQ(w.straight, 5.0);
    EXPECT_DOUBLE_EQ(w.path_ratio, 1.4);
    EXPECT_DOUBLE_EQ(w.mean_speed, 1.0);
    EXPECT_DOUBLE_EQ(w.travel_time, 7.0);
    EXPECT_TRUE(w.has_arrived);
    // 1 m/s but at the corner, where the velocity is that of the diagonal: v^2 = 1/2
    EXPECT_NEAR(w.energy, 7 * (2.23 + 1.26) - 1.26 / 2, 1e-6);
}

TEST(Walks, with_notes_are_told_by_the_notes)
{
    TrajectoryMaker maker = walk(join({{10, 0.0}, {50, 1.0}, {30, 0.0}}));
    maker.notes.ends = {{4, 6.04, "stays", "seat", 0.95, 2.5, true}};
    const Trajectories t = maker.finish();
    const WalkerResult w = walks_of(t)[0];
    EXPECT_NEAR(w.travel_time, 5.09, 1e-12);
    EXPECT_NEAR(w.path_length, 5.0, 1e-12);
    EXPECT_EQ(w.shortest_way, 2.5);
    EXPECT_NEAR(w.path_ratio, 2.0, 1e-12);
    EXPECT_NEAR(w.mean_speed, 5.0 / 6.0, 1e-12);  // until 6.0 s: it stays from then on
    EXPECT_TRUE(w.has_arrived);
    const Arrivals arrivals = find_arrivals(t, walks_of(t));
    EXPECT_EQ(arrivals.times, (std::vector<double>{6.04}));
}

TEST(Walks, without_notes_have_arrived_when_they_are_gone_before_the_last_frame)
{
    TrajectoryMaker maker(10.0);
    maker.frame(0, {{1, {0, 0}}, {2, {9, 0}}});
    maker.frame(1, {{1, {1, 0}}, {2, {8, 0}}});
    maker.frame(2, {{2, {7, 0}}});
    Trajectories t = maker.finish();
    EXPECT_TRUE(walks_of(t)[0].has_arrived);
    EXPECT_FALSE(walks_of(t)[1].has_arrived);
    EXPECT_EQ(find_arrivals(t, walks_of(t)).times, (std::vector<double>{0.1}));
    // a recording that has notes, and none of an end
    t.notes.walkers.push_back({1, 0.2, 1.0, {}, {}, {}});
    EXPECT_FALSE(walks_of(t)[0].has_arrived);
    EXPECT_TRUE(find_arrivals(t, walks_of(t)).times.empty());
}

TEST(Walks, leave_out_what_was_not_recorded)
{
    TrajectoryMaker maker(10.0);
    for (int i = 0; i < 5; ++i) maker.frame(i, {{1, {0.1 * i, 0}}});
    for (int i = 5; i < 20; ++i) maker.frame(i, {});
    for (int i = 20; i < 25; ++i) maker.frame(i, {{1, {50 + 0.1 * i, 0}}});
    const WalkerResult w = walks_of(maker.finish())[0];
    EXPECT_NEAR(w.path_length, 0.8, 1e-12);
    EXPECT_NEAR(w.mean_speed, 1.0, 1e-12);
    EXPECT_NEAR(w.travel_time, 2.4, 1e-12);
    EXPECT_FALSE(w.is_whole);
    EXPECT_EQ(w.path_ratio, 0.0);  // not 0.8 m over the 52 m to where it was seen again
}

/// At 1 m/s along x, recorded `from` to `to` [frames], with a journey of 6 m from 1 s to 7 s.
WalkerResult part_of_journey(int from, int to, int gap = -1)
{
    TrajectoryMaker maker(10.0);
    for (int i = from; i <= to; ++i) {
        const double x = std::clamp(0.1 * i - 1.0, 0.0, 6.0);
        maker.frame(i, {{9, {20, 20}}});  // somebody else is in every frame
        if (i != gap && i != gap + 1) maker.frames.back().agents.push_back({10, 0, {x, 0}, {}});
    }
    maker.notes.ends = {{10, 7.0, "stays", "seat", 1.0, 6.0, true}};
    return walks_of(maker.finish())[1];
}

TEST(Walks, have_a_ratio_where_all_of_the_journey_was_recorded)
{
    EXPECT_NEAR(part_of_journey(0, 90).path_ratio, 1.0, 1e-9);
    EXPECT_NEAR(part_of_journey(10, 70).path_ratio, 1.0, 1e-9);
    EXPECT_TRUE(part_of_journey(11, 69).is_whole);                  // as near as frames are
    EXPECT_NEAR(part_of_journey(0, 90, 5).path_ratio, 1.0, 1e-9);   // before it sets off
    EXPECT_NEAR(part_of_journey(0, 90, 80).path_ratio, 1.0, 1e-9);  // when it has arrived
    for (const WalkerResult& part :
         {part_of_journey(30, 90), part_of_journey(0, 60), part_of_journey(0, 90, 40)}) {
        EXPECT_FALSE(part.is_whole);
        EXPECT_EQ(part.path_ratio, 0.0);
        EXPECT_NEAR(part.travel_time, 6.0, 1e-12);  // the notes know
    }
}

TEST(Walks, of_a_step_or_nothing_have_no_ratio)
{
    const Trajectories t = walk({}).finish();
    const WalkerResult w = walks_of(t)[0];
    EXPECT_EQ(w.path_length, 0.0);
    EXPECT_EQ(w.path_ratio, 0.0);
    EXPECT_EQ(w.mean_speed, 0.0);
    EXPECT_EQ(w.energy, 0.0);
    EXPECT_TRUE(walks_of(TrajectoryMaker().finish()).empty());
}

TEST(Stalls, are_two_seconds_or_more_below_two_tenths_of_a_metre_per_second)
{
    // slow rows are those between two slow moves, and the borders whose mean is below 0.2
    const auto stalls = [](int slow_moves) {
        return walks_of(walk(join({{20, 1.0}, {slow_moves, 0.1}, {20, 1.0}})).finish())[0];
    };
    EXPECT_EQ(stalls(20).stalls, 0u);  // 19 rows, 1.8 s
    EXPECT_EQ(stalls(21).stalls, 0u);  // 20 rows, 1.9 s
    EXPECT_EQ(stalls(22).stalls, 1u);  // 21 rows, 2.0 s
    EXPECT_NEAR(stalls(22).stalled_time, 2.0, 1e-9);
    EXPECT_NEAR(stalls(60).stalled_time, 5.8, 1e-9);
}

TEST(Stalls, are_counted_from_setting_off_to_the_end_of_the_journey)
{
    TrajectoryMaker maker = walk(join({{40, 0.0}, {10, 1.0}, {40, 0.0}, {10, 1.0}, {40, 0.0}}));
    // without notes: not before it walks, but for as long as it is there
    EXPECT_EQ(walks_of(maker.finish())[0].stalls, 2u);
    // it set off after a second and was stuck at once; it stays from 10 s on
    maker.notes.ends = {{4, 10.0, "stays", "seat", 1.0, 2.0, true}};
    const WalkerResult w = walks_of(maker.finish())[0];
    EXPECT_EQ(w.stalls, 2u);
    EXPECT_NEAR(w.stalled_time, 2.9 + 3.8, 1e-9);
    const StallResult sum = sum_stalls(walks_of(maker.finish()));
    EXPECT_EQ(sum.stalls, 2u);
    EXPECT_EQ(sum.walkers, 1u);
    EXPECT_NEAR(sum.time, 6.7, 1e-9);
}

TEST(Stalls, of_who_never_walks_are_none)
{
    EXPECT_EQ(walks_of(walk(join({{100, 0.0}})).finish())[0].stalls, 0u);
}

}  // namespace
}  // namespace sidestep
