// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "constraints/acceleration-inl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "constraints/first_order_response-inl.hpp"

namespace sidestep {
namespace {

namespace lane = HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 1>;
using V = hn::Vec<D>;

lane::Vec2<V> vec(double x, double y)
{
    return lane::set2(D(), x, y);
}

lane::ReachEllipse<V> ellipse(double angle, double along, double across)
{
    return {vec(std::cos(angle), std::sin(angle)), hn::Set(D(), along), hn::Set(D(), across)};
}

/// Place of a velocity in the frame of the ellipse, 1 on its rim.
double size_in(double angle, double along, double across, double x, double y)
{
    const double forward = std::cos(angle) * x + std::sin(angle) * y;
    const double sideways = std::cos(angle) * y - std::sin(angle) * x;
    return std::hypot(forward / along, sideways / across);
}

TEST(Ellipse, its_polygon_lies_inside_and_is_at_most_two_percent_smaller)
{
    const double angle = 0.7, along = 0.3, across = 0.05;
    for (int i = 0; i < 1000; ++i) {
        const double turn = 2.0 * 3.141592653589793 * i / 1000;
        const double dx = std::cos(turn), dy = std::sin(turn);
        double farthest = 1e9;  // along this direction, within all sides
        for (std::size_t side = 0; side < lane::kEllipseSides; ++side) {
            const auto plane = lane::ellipse_side(
                D(), vec(1.0, -0.5), ellipse(angle, along, across), side, hn::Zero(D()));
            const double nx = hn::GetLane(plane.normal.x), ny = hn::GetLane(plane.normal.y);
            const double room =
                nx * (1.0 - hn::GetLane(plane.point.x)) + ny * (-0.5 - hn::GetLane(plane.point.y));
            EXPECT_NEAR(std::hypot(nx, ny), 1.0, 1e-12);
            ASSERT_GT(room, 0.0);
            const double slope = nx * dx + ny * dy;
            if (slope < 0.0) farthest = std::min(farthest, room / -slope);
        }
        const double size = size_in(angle, along, across, farthest * dx, farthest * dy);
        EXPECT_LE(size, 1.0 + 1e-12);
        EXPECT_GE(size, 0.98);
    }
}

TEST(Ellipse, a_change_beyond_it_is_shortened_to_its_rim_and_not_turned)
{
    const auto reach = ellipse(0.3, 0.2, 0.05);
    for (int i = 0; i < 100; ++i) {
        const double turn = 0.0628 * i;
        const auto wanted = vec(2.0 + std::cos(turn), 1.0 + std::sin(turn));
        const auto v = lane::clamp_change(D(), vec(2.0, 1.0), wanted, reach);
        const double dx = hn::GetLane(v.x) - 2.0, dy = hn::GetLane(v.y) - 1.0;
        EXPECT_NEAR(size_in(0.3, 0.2, 0.05, dx, dy), 1.0, 1e-9);
        EXPECT_NEAR(dx * std::sin(turn) - dy * std::cos(turn), 0.0, 1e-12);
    }
    const auto same = lane::clamp_change(D(), vec(2.0, 1.0), vec(2.01, 1.005), reach);
    EXPECT_EQ(hn::GetLane(same.x), 2.01);
    const auto none = lane::clamp_change(D(), vec(2.0, 1.0), vec(3.0, 1.0), ellipse(0.3, 0.0, 0.0));
    EXPECT_NEAR(hn::GetLane(none.x), 2.0, 1e-9);
}

TEST(FirstOrderResponse, a_quick_one_meets_whom_the_velocity_obstacle_forbids)
{
    const hn::CappedTag<float, 8> wide;
    lane::ResponseTable table;
    lane::fill_response(2.0f, 1e-3f, table);
    const lane::Pair<float> pair{{3.0f, 0.0f}, {0.0f, 0.0f}, 0.5f};
    EXPECT_NEAR(lane::first_contact(wide, pair, table, 2.0f, 0.0f), 1.25f, 0.02f);
    EXPECT_TRUE(std::isinf(lane::first_contact(wide, pair, table, 1.2f, 0.0f)));  // beyond tau
    EXPECT_TRUE(std::isinf(lane::first_contact(wide, pair, table, 2.0f, 0.5f)));  // passes beside
}

TEST(FirstOrderResponse, a_slow_one_meets_later_when_it_sets_off_and_sooner_when_it_has_to_stop)
{
    const hn::CappedTag<float, 8> wide;
    lane::ResponseTable table;
    lane::fill_response(4.0f, 0.5f, table);
    const lane::Pair<float> standing{{3.0f, 0.0f}, {0.0f, 0.0f}, 0.5f};
    // t - 0.5 (1 - e^(-2t)) = 1.25 at t = 1.735
    EXPECT_NEAR(lane::first_contact(wide, standing, table, 2.0f, 0.0f), 1.735f, 0.032f);
    const lane::Pair<float> walking{{1.2f, 0.0f}, {2.0f, 0.0f}, 0.5f};
    // 1.0 m is left of the way to a stop, and there are 0.7 m: 1 - e^(-2t) = 0.7 at t = 0.602
    EXPECT_NEAR(lane::first_contact(wide, walking, table, 0.0f, 0.0f), 0.602f, 0.032f);
}

TEST(FirstOrderResponse, the_number_of_lanes_changes_nothing)
{
    lane::ResponseTable table;
    lane::fill_response(3.0f, 0.3f, table);
    for (int i = 0; i < 200; ++i) {
        const float turn = 0.03f * static_cast<float>(i);
        const lane::Pair<float> pair{{2.0f, 0.3f}, {1.0f, turn - 3.0f}, 0.6f};
        const float one = lane::first_contact(hn::CappedTag<float, 1>(), pair, table, 1.5f, turn);
        EXPECT_EQ(lane::first_contact(hn::CappedTag<float, 8>(), pair, table, 1.5f, turn), one);
    }
}

}  // namespace
}  // namespace sidestep
