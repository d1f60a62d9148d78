// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Degenerate encounters: touching, coincident, tangent, without motion, without radius.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

MovingDisc disc(Vec2 p, Vec2 v, std::uint32_t id = 0)
{
    return {p, v, 0.5, id};
}

TEST(VoContains, does_not_count_a_tangent_ray_as_a_hit)
{
    const auto tangent = vo_contains({{4, 1}, 1, {1, 0}}, 10);
    EXPECT_FALSE(tangent->inside);
    EXPECT_FALSE(tangent->time_to_collision);
    EXPECT_TRUE(vo_contains({{4, 0.999}, 1, {1, 0}}, 10)->inside);
}

TEST(VoContains, has_no_hit_without_relative_motion)
{
    const auto still = vo_contains({{4, 0}, 1, {0, 0}}, 10);
    EXPECT_FALSE(still->inside);
    EXPECT_FALSE(still->time_to_collision);
    const auto overlapping = vo_contains({{0, 0}, 1, {0, 0}}, 10);
    EXPECT_TRUE(overlapping->inside);
    EXPECT_EQ(*overlapping->time_to_collision, 0.0);
}

TEST(VoContains, lets_touching_discs_part_but_not_close)
{
    EXPECT_FALSE(vo_contains({{1, 0}, 1, {-1, 0}}, 5)->inside);
    const auto closing = vo_contains({{1, 0}, 1, {1, 0}}, 5);
    EXPECT_TRUE(closing->inside);
    EXPECT_EQ(*closing->time_to_collision, 0.0);
}

TEST(VoContains, takes_an_infinite_horizon_and_reports_the_time_without_one)
{
    EXPECT_TRUE(vo_contains({{400, 0}, 1, {1, 0}}, kInf)->inside);
    const auto late = vo_contains({{400, 0}, 1, {1, 0}}, 2);
    EXPECT_FALSE(late->inside);
    EXPECT_DOUBLE_EQ(*late->time_to_collision, 399.0);
}

TEST(VoProject, sends_an_exact_tie_to_the_right)
{
    for (const Vec2 P : {Vec2{4, 0}, Vec2{0, 4}, Vec2{-3, -4}, Vec2{1, 7}}) {
        EXPECT_EQ(vo_project({P, 1, P}, 4)->feature, BoundaryFeature::right);
    }
}

TEST(VoProject, of_an_infinite_horizon_has_its_apex_at_zero)
{
    const auto behind = vo_project({{4, 0}, 1, {-2, 0}}, kInf);
    EXPECT_EQ(behind->feature, BoundaryFeature::arc);
    EXPECT_DOUBLE_EQ(behind->signed_distance, 2.0);
    EXPECT_DOUBLE_EQ(behind->u.x, 2.0);
}

TEST(VoProject, of_points_is_a_ray)
{
    const auto beside = vo_project({{4, 0}, 0, {2, 1}}, 4);
    ASSERT_TRUE(beside);
    EXPECT_EQ(beside->feature, BoundaryFeature::left);
    EXPECT_DOUBLE_EQ(beside->signed_distance, 1.0);
}

TEST(VoProject, rejects_discs_that_touch_or_overlap)
{
    EXPECT_FALSE(vo_project({{1, 0}, 1, {1, 0}}, 3));
    EXPECT_FALSE(vo_project({{0, 0}, 0, {1, 0}}, 3));
    EXPECT_FALSE(vo_uncertain({{0.5, 0.2}, 0.9, {1, 0}}, 3, 0.1));
    EXPECT_FALSE(fair_area({{0.5, 0.2}, 0.9, {1, 0}}, 3, 0.5, 1));
}

TEST(OrcaLine, of_coincident_agents_sends_them_apart_by_their_ids)
{
    const auto low = orca_line(disc({1, 1}, {0.3, 0}, 4), disc({1, 1}, {0.3, 0}, 9), 5, 0.25, 0.5);
    const auto high = orca_line(disc({1, 1}, {0.3, 0}, 9), disc({1, 1}, {0.3, 0}, 4), 5, 0.25, 0.5);
    EXPECT_EQ(low->feature, BoundaryFeature::overlap);
    EXPECT_DOUBLE_EQ(low->normal.x, -high->normal.x);
    EXPECT_DOUBLE_EQ(low->normal.y, -high->normal.y);
    EXPECT_DOUBLE_EQ(std::hypot(low->u.x, low->u.y), 4.0);
}

TEST(OrcaLine, of_overlapping_agents_at_rest_points_away_from_the_other)
{
    // rel_vel = P / t_res: the relative velocity sits at the centre of the disc.
    const auto line = orca_line(disc({0, 0}, {2, 0}), disc({0.5, 0}, {0, 0}), 5, 0.25, 1.0);
    EXPECT_DOUBLE_EQ(line->normal.x, -1.0);
    EXPECT_DOUBLE_EQ(line->u.x, -4.0);
    EXPECT_DOUBLE_EQ(line->point.x, -2.0);
}

TEST(OrcaLine, switches_to_the_overlap_rule_exactly_at_contact)
{
    EXPECT_EQ(orca_line(disc({0, 0}, {1, 0}), disc({1, 0}, {1, 0}), 5, 0.25, 0.5)->feature,
              BoundaryFeature::overlap);
    EXPECT_EQ(
        orca_line(disc({0, 0}, {1, 0}), disc({std::nextafter(1.0, 2.0), 0}, {1, 0}), 5, 0.25, 0.5)
            ->feature,
        BoundaryFeature::arc);
}

TEST(OrcaLine, takes_nothing_with_share_zero_and_everything_with_share_one)
{
    const MovingDisc a = disc({0, 0}, {1, 0});
    const MovingDisc b = disc({4, 0.1}, {-1, 0});
    EXPECT_EQ(orca_line(a, b, 5, 0.1, 0.0)->point, (Vec2{1, 0}));
    const auto all = orca_line(a, b, 5, 0.1, 1.0);
    EXPECT_DOUBLE_EQ(all->point.x, 1 + all->u.x);
}

TEST(OrcaLine, rejects_bad_input)
{
    const MovingDisc a = disc({0, 0}, {1, 0});
    const MovingDisc b = disc({4, 0}, {-1, 0});
    EXPECT_FALSE(orca_line(a, b, 0.0, 0.1, 0.5));
    EXPECT_FALSE(orca_line(a, b, 5.0, 0.0, 0.5));
    EXPECT_FALSE(orca_line(a, b, 5.0, 0.1, 1.5));
    EXPECT_FALSE(orca_line(a, b, kNan, 0.1, 0.5));
    EXPECT_FALSE(orca_line(a, disc({kNan, 0}, {}), 5.0, 0.1, 0.5));
    EXPECT_FALSE(orca_line(a, {{4, 0}, {}, -0.1, 1}, 5.0, 0.1, 0.5));
}

TEST(AccelClamp, leaves_a_reachable_velocity_alone_and_stands_still_without_acceleration)
{
    EXPECT_EQ(*accel_clamp({1, 1}, {1, 1}, 0.0, 0.1), (Vec2{1, 1}));
    EXPECT_EQ(*accel_clamp({1, 1}, {2, 1}, 0.0, 0.1), (Vec2{1, 1}));
    EXPECT_EQ(*accel_clamp({1, 1}, {2, 1}, 10.0, 0.1), (Vec2{2, 1}));
    EXPECT_FALSE(accel_clamp({1, 1}, {2, 1}, -1.0, 0.1));
}

TEST(BrakePlane, of_coincident_agents_uses_their_ids)
{
    const auto plane = brake_plane(disc({0, 0}, {0, 0}, 0), disc({0, 0}, {0, 0}, 1), 1.0, 0.1, 0.5);
    EXPECT_EQ(plane->normal, (Vec2{1, 0}));
    EXPECT_EQ(plane->c_max, 0.0);
}

TEST(BrakePlane, allows_the_closing_speed_from_which_both_stop_in_time)
{
    const auto plane = brake_plane(disc({0, 0}, {1, 0}), disc({4, 0}, {-1, 0}), 2.0, 0.1, 0.5);
    const double c = plane->c_max;
    EXPECT_NEAR(c * 0.1 + c * c / (2 * 2.0), 3.0, 1e-12);
}

TEST(WallLine, pushes_out_of_the_wall_and_touches_without_pushing)
{
    EXPECT_DOUBLE_EQ(wall_line({0, 0.5}, 0.5, {0, 0}, {0, 1}, 2, 0.1)->bound, 0.0);
    EXPECT_DOUBLE_EQ(wall_line({0, 0.4}, 0.5, {0, 0}, {0, 1}, 2, 0.1)->bound, 1.0);
    EXPECT_DOUBLE_EQ(wall_line({0, 1.5}, 0.5, {0, 0}, {0, 1}, 2, 0.1)->bound, -0.5);
    EXPECT_FALSE(wall_line({0, 1.5}, 0.5, {0, 0}, {0, 0}, 2, 0.1));
    EXPECT_FALSE(wall_line({0, 1.5}, 0.5, {0, 0}, {0, 2}, 2, 0.1));
}

TEST(ShareFromRanks, splits_by_rank_with_all_extremes)
{
    EXPECT_EQ(*share_from_ranks(1, 3), 0.75);
    EXPECT_EQ(*share_from_ranks(0, 0), 0.5);
    EXPECT_EQ(*share_from_ranks(0, 2), 1.0);
    EXPECT_EQ(*share_from_ranks(2, 0), 0.0);
    EXPECT_EQ(*share_from_ranks(kInf, kInf), 0.5);
    EXPECT_EQ(*share_from_ranks(kInf, 0), 0.0);
    EXPECT_EQ(*share_from_ranks(0, kInf), 1.0);
    EXPECT_EQ(*share_from_ranks(1.7e308, 1.7e308), 0.5);
    EXPECT_FALSE(share_from_ranks(-1, 1));
    EXPECT_FALSE(share_from_ranks(kNan, 1));
}

TEST(Visible, sees_what_is_where_it_stands_and_all_round_without_a_heading)
{
    EXPECT_TRUE(*visible(
        {.from = {1, 1}, .to = {1, 1}, .heading = Vec2{1, 0}, .field_of_view = 0.1, .walls = {}}));
    EXPECT_TRUE(*visible(
        {.from = {1, 1}, .to = {0, 1}, .heading = Vec2{0, 0}, .field_of_view = 0.1, .walls = {}}));
    EXPECT_FALSE(*visible(
        {.from = {1, 1}, .to = {0, 1}, .heading = Vec2{1, 0}, .field_of_view = 0.1, .walls = {}}));
    EXPECT_TRUE(*visible(
        {.from = {1, 1}, .to = {2, 1}, .heading = Vec2{1, 0}, .field_of_view = 0.0, .walls = {}}));
}

TEST(Visible, counts_half_the_field_of_view_to_each_side)
{
    constexpr double kDegree = 3.141592653589793 / 180.0;
    for (const double fov : {1.0, 60.0, 90.0, 180.0, 270.0, 359.0}) {
        for (const double side : {-1.0, 1.0}) {
            const auto seen = [&](double off) {
                const double angle = side * (fov / 2 + off) * kDegree;
                return *visible({.from = {0, 0},
                                 .to = {3 * std::cos(angle), 3 * std::sin(angle)},
                                 .heading = Vec2{2, 0},
                                 .field_of_view = fov * kDegree,
                                 .walls = {}});
            };
            EXPECT_TRUE(seen(0.0)) << fov;
            EXPECT_TRUE(seen(-1e-6)) << fov;
            EXPECT_FALSE(seen(1e-6)) << fov;
        }
    }
}

TEST(Visible, is_blocked_by_a_wall_that_only_touches_but_not_by_one_in_line)
{
    const auto seen_past = [](Vec2 a, Vec2 b) {
        const SightSegment wall[] = {{a, b}};
        return *visible({.from = {0, 0}, .to = {4, 0}, .heading = std::nullopt, .walls = wall});
    };
    EXPECT_FALSE(seen_past({2, -1}, {2, 1}));
    EXPECT_FALSE(seen_past({2, 0}, {2, 1}));
    EXPECT_FALSE(seen_past({4, 0}, {4, 1}));   // ends at the one who is looked at
    EXPECT_FALSE(seen_past({0, -1}, {0, 1}));  // starts at the one who looks
    EXPECT_TRUE(seen_past({1, 0}, {3, 0}));
    EXPECT_TRUE(seen_past({5, -1}, {5, 1}));
    EXPECT_TRUE(seen_past({2, 0.001}, {2, 1}));
}

}  // namespace
}  // namespace sidestep
