// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/trajectory_cases.hpp"

namespace sidestep {
namespace {

using test::one_thread;
using test::TrajectoryMaker;

struct Lane {
    double across;
    double speed;  ///< along the axis [m/s]
    std::uint16_t level = 0;
};

/// Two frames of walkers, each with its own place across the axis.
LaneResult order_of(const std::vector<Lane>& lanes, double axis, std::optional<double> asked = {})
{
    const Vec2 u{std::cos(axis), std::sin(axis)};
    TrajectoryMaker maker(10.0);
    for (int f = 0; f < 2; ++f) {
        std::vector<TrajectoryMaker::Row> rows;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            const double along = 0.1 * f * lanes[i].speed + 2.0 * static_cast<double>(i);
            rows.push_back({static_cast<std::int64_t>(i),
                            u * along + Vec2{-u.y, u.x} * lanes[i].across, lanes[i].level});
        }
        maker.frame(f, rows);
    }
    const Trajectories t = maker.finish();
    return measure_lanes(t, individual_velocities(t, 1, one_thread()), asked, one_thread());
}

TEST(LaneOrder, is_one_in_lanes_apart)
{
    const LaneResult lanes = order_of({{0, 1}, {0.5, 1}, {2, -1}, {2.2, -1}}, 0.0);
    EXPECT_DOUBLE_EQ(lanes.order, 1.0);
    EXPECT_EQ(lanes.frames, 2u);
    EXPECT_NEAR(lanes.axis, 0.0, 1e-9);
}

TEST(LaneOrder, is_the_mean_square_of_who_walks_beside)
{
    // the first two see one of each: 0; the third one against two... of four in one lane
    // +: same 1, opposite 2: 1/9. -: same 1, opposite 2: 1/9
    EXPECT_NEAR(order_of({{0, 1}, {0.1, 1}, {0.2, -1}, {0.3, -1}}, 0.4).order, 1.0 / 9.0, 1e-9);
    // 0.0 sees 0.7 (against): 1. 0.7 sees 0.0 and 1.4, both against: 1. 1.4 sees 0.7: 1
    EXPECT_NEAR(order_of({{0, 1}, {0.7, -1}, {1.4, 1}}, 0.0).order, 1.0, 1e-9);
    // the middle sees one with it, one against: 0
    EXPECT_NEAR(order_of({{0, 1}, {0.7, 1}, {1.4, -1}}, 0.0).order, 2.0 / 3.0, 1e-9);
}

TEST(LaneOrder, knows_no_company_beyond_three_quarters_of_a_metre_or_on_another_level)
{
    EXPECT_EQ(order_of({{0, 1}, {0.75, -1}}, 0.0).frames, 0u);
    EXPECT_EQ(order_of({{0, 1}, {0.74, -1}}, 0.0).frames, 2u);
    EXPECT_EQ(order_of({{0, 1}, {0, -1, 1}}, 0.0).frames, 0u);
}

TEST(LaneOrder, is_not_measured_where_all_go_one_way_or_nobody_walks)
{
    EXPECT_EQ(order_of({{0, 1}, {0.2, 1}}, 0.0).frames, 0u);
    EXPECT_EQ(order_of({{0, 0.1}, {0.2, -0.1}}, 0.0).frames, 0u);
    EXPECT_EQ(order_of({}, 0.0).frames, 0u);
    EXPECT_TRUE(std::isnan(order_of({{0, 1}, {0.2, 1}}, 0.0).order_of_frame[0]));
    std::vector<Lane> one_of_eleven(11, Lane{0.0, 1.0});
    one_of_eleven.back().speed = -1.0;
    EXPECT_EQ(order_of(one_of_eleven, 0.0).frames, 0u);
}

TEST(LaneOrder, finds_the_axis_of_walking_or_takes_the_given_one)
{
    const std::vector<Lane> lanes{{0, 1}, {0.1, -1.2}, {3, 0.8}};
    for (const double axis : {-1.5, -0.7, 0.0, 0.3, 1.2}) {
        EXPECT_NEAR(order_of(lanes, axis).axis, axis, 1e-5);
        EXPECT_NEAR(order_of(lanes, axis).order, order_of(lanes, 0.0).order, 1e-9);
    }
    EXPECT_EQ(order_of(lanes, 0.0, std::numbers::pi / 2).frames, 0u);  // nobody walks that way
}

}  // namespace
}  // namespace sidestep
