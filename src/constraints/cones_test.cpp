// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "constraints/cones-inl.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "sidestep/geometry.hpp"
#include "simd/one_double.hpp"

namespace sidestep {
namespace {

using namespace one_double;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool inside(const lane::Region<V>& region, Vec2 v)
{
    return holds(lane::inside_region(D(), region, in(v), in(0.0)));
}
auto ties_to(PassingSide side)
{
    return lane::ties_to(D(), side);
}
lane::Pair<V> pair_of(Vec2 rel_pos, Vec2 rel_vel, double radius)
{
    return {in(rel_pos), in(rel_vel), in(radius)};
}
void expect_near(Vec2 a, Vec2 b, double tol = 1e-12)
{
    EXPECT_NEAR(a.x, b.x, tol);
    EXPECT_NEAR(a.y, b.y, tol);
}

lane::PairCone<V> head_on(double share, double horizon, PassingSide side = PassingSide::right)
{
    return lane::pair_cone(D(), pair_of({5, 0}, {2, 0}, 3), in(Vec2{1, 0}), in(share), in(horizon),
                           ties_to(side));
}

TEST(PairCone, has_its_apex_and_its_cut_where_the_share_says)
{
    const auto plain = head_on(1.0, 2.0);  // v_B = (-1, 0)
    expect_near(out(plain.apex), {-1, 0});
    EXPECT_NEAR(out(plain.cut), 1.0, 1e-12);
    expect_near(out(plain.leg_left), {0.8, 0.6});
    expect_near(out(plain.leg_right), {0.8, -0.6});
    expect_near(out(plain.end_left), {0, 0.75});
    expect_near(out(plain.end_right), {0, -0.75});
    const auto half = head_on(0.5, 2.0);
    expect_near(out(half.apex), {0, 0});
    EXPECT_NEAR(out(half.cut), 0.5, 1e-12);
    expect_near(out(half.disc), {1.25, 0});
    EXPECT_NEAR(out(half.disc_r), 0.75, 1e-12);
    // The cut touches the disc, and the legs do so on the chord.
    EXPECT_NEAR(out(half.disc).x - out(half.disc_r), out(half.cut), 1e-12);
    EXPECT_NEAR(out(half.chord), 0.8, 1e-12);
    const Vec2 touch = out(half.leg_left) * (out(half.chord) / 0.8);
    EXPECT_NEAR(std::hypot(touch.x - 1.25, touch.y), 0.75, 1e-12);
}

TEST(PairCone, sends_a_relative_velocity_along_the_axis_to_the_passing_side)
{
    expect_near(out(head_on(0.5, 2.0).side), {0, -1}, 0);
    expect_near(out(head_on(0.5, 2.0, PassingSide::left).side), {0, 1}, 0);
    for (const PassingSide side : {PassingSide::right, PassingSide::left}) {
        const auto drifting = lane::pair_cone(D(), pair_of({5, 0}, {2, 1e-9}, 3), in(Vec2{1, 0}),
                                              in(0.5), in(2.0), ties_to(side));
        expect_near(out(drifting.side), {0, 1}, 0);
    }
}

TEST(PairCone, is_not_cut_at_an_infinite_horizon)
{
    const auto cone = head_on(0.5, kInfinity);
    for (const auto& region : {lane::linear_region(D(), cone), lane::round_region(D(), cone)}) {
        EXPECT_TRUE(inside(region, {1e-6, 0}));
        EXPECT_TRUE(inside(region, {8, 5.99}));
        EXPECT_FALSE(inside(region, {8, 6.01}));
        EXPECT_FALSE(inside(region, {-1e-6, 0}));
    }
}

TEST(PairCone, becomes_the_half_plane_of_the_overlap_where_discs_touch)
{
    const std::uint32_t a = 1, b = 2;
    const auto region = [&](Vec2 rel_pos) {
        return lane::reciprocal_region(D(), pair_of(rel_pos, {0, 0}, 1), in(Vec2{0, 0}), in(0.5),
                                       in(2.0), in(0.5), lane::PairIds{&a, &b},
                                       ties_to(PassingSide::right));
    };
    // 0.4 deep, to be left within 0.5 s, half of it by A.
    EXPECT_TRUE(inside(region({0.6, 0}), {-0.39, 5}));
    EXPECT_FALSE(inside(region({0.6, 0}), {-0.41, 5}));
    EXPECT_TRUE(inside(region({1, 0}), {1e-9, 5}));  // touching
    EXPECT_FALSE(inside(region({1, 0}), {-1e-9, 5}));
    EXPECT_FALSE(inside(region({1.001, 0}), {-1e-9, 5}));
}

TEST(SegmentCone, lies_between_the_outermost_tangents_to_its_ends)
{
    const auto cone = lane::segment_cone(D(), in(Vec2{2, -1}), in(Vec2{2, 2}), in(0.4), in(1.0));
    const auto region = lane::segment_region(D(), cone, in(Vec2{0, 0}), in(1.0));
    EXPECT_FALSE(inside(region, {1.59, 0}));
    EXPECT_TRUE(inside(region, {1.61, 0}));
    EXPECT_TRUE(inside(region, {3, 3.99}));
    EXPECT_FALSE(inside(region, {3, 4.01}));
    EXPECT_FALSE(inside(region, {4, -3.01}));
    // A wall that moves carries its cone along.
    const auto moving = lane::segment_region(D(), cone, in(Vec2{-1, 0.5}), in(1.0));
    EXPECT_TRUE(inside(moving, {0.61, 0.5}));
    EXPECT_FALSE(inside(moving, {0.59, 0.5}));
    // The same edge from b to a.
    const auto turned = lane::segment_cone(D(), in(Vec2{2, 2}), in(Vec2{2, -1}), in(0.4), in(1.0));
    expect_near(out(turned.leg_left), out(cone.leg_left), 0);
    expect_near(out(turned.end_right), out(cone.end_right), 0);
}

TEST(SegmentCone, covers_an_edge_seen_end_on)
{
    const auto cone = lane::segment_cone(D(), in(Vec2{2, 0}), in(Vec2{9, 0}), in(1.0), in(1.0));
    expect_near(out(cone.axis), {1, 0}, 0);
    EXPECT_NEAR(out(cone.leg_left).y, 0.5, 1e-12);  // the tangent to the nearer end
    const auto point = lane::segment_cone(D(), in(Vec2{2, 0}), in(Vec2{2, 0}), in(1.0), in(1.0));
    expect_near(out(point.leg_left), out(cone.leg_left), 0);
    EXPECT_NEAR(out(point.cut), 1.0, 1e-12);
}

TEST(SegmentCone, at_contact_forbids_what_goes_in_or_demands_to_leave_in_time)
{
    const auto cone =
        lane::segment_cone(D(), in(Vec2{0.3, -1}), in(Vec2{0.3, 2}), in(0.4), in(1.0));
    EXPECT_TRUE(holds(cone.contact));
    const auto stay = lane::segment_region(D(), cone, in(Vec2{0, 0}), in(kInfinity));
    EXPECT_TRUE(inside(stay, {1e-9, 3}));
    EXPECT_FALSE(inside(stay, {0, 3}));
    const auto leave = lane::segment_region(D(), cone, in(Vec2{0.5, 0}), in(0.5));
    EXPECT_TRUE(inside(leave, {0.31, 0}));  // wall at 0.5 m/s, 0.1 m in 0.5 s away from it
    EXPECT_FALSE(inside(leave, {0.29, 0}));
    // Through the centre: its left normal counts as the way in.
    const auto through = lane::segment_cone(D(), in(Vec2{0, -1}), in(Vec2{0, 2}), in(0.4), in(1.0));
    expect_near(out(through.axis), {-1, 0}, 0);
}

// The height above the edge is a rounding there, of either sign.
TEST(SegmentCone, has_the_left_normal_of_every_edge_through_the_centre_as_its_axis)
{
    int tried = 0;
    const auto expect_left_normal = [&](Vec2 a, Vec2 b) {
        SCOPED_TRACE(testing::Message() << a.x << ' ' << a.y << " to " << b.x << ' ' << b.y);
        const auto cone = lane::segment_cone(D(), in(a), in(b), in(0.4), in(1.0));
        const Vec2 edge = b - a;
        expect_near(out(cone.axis), Vec2{-edge.y, edge.x} * (1.0 / std::hypot(edge.x, edge.y)));
        EXPECT_TRUE(holds(cone.contact));
        EXPECT_EQ(out(cone.overlap), 0.4);
        ++tried;
    };
    for (int i = -25; i <= 25; ++i) {
        for (int j = -25; j <= 25; ++j) {
            if (i == 0 && j == 0) continue;
            const Vec2 end{i / 10.0, j / 10.0};
            expect_left_normal(end, {0, 0});
            expect_left_normal({0, 0}, end);
            expect_left_normal(end, end * -1.0);
            expect_left_normal(end, end * -0.5);
            expect_left_normal(end, end * -4.0);
        }
    }
    EXPECT_EQ(tried, 5 * (51 * 51 - 1));
}

TEST(SegmentCone, points_at_an_edge_that_barely_misses_the_centre)
{
    for (const double off : {1e-300, 1e-18, 1e-12}) {
        for (const double side : {-1.0, 1.0}) {
            const auto cone = lane::segment_cone(D(), in(Vec2{side * off, -1.3}),
                                                 in(Vec2{side * off, 1.9}), in(0.4), in(1.0));
            expect_near(out(cone.axis), {side, 0}, 0);
        }
    }
    // The area that a short edge spans with a distant centre is lost in rounding.
    const Vec2 a{3.9, 0.7}, b{3.9, std::nextafter(0.7, 1.0)};
    EXPECT_EQ(a.x * b.y - a.y * b.x, 0.0);
    const auto far = lane::segment_cone(D(), in(a), in(b), in(0.4), in(1.0));
    EXPECT_FALSE(holds(far.contact));
    EXPECT_GT(out(far.axis).x, 0.98);
}

TEST(CollisionResolution, forbids_the_cone_that_contains_all_that_is_still_in_contact)
{
    const MovingDisc a{{0, 0}, {0, 0}, 0.5, 0}, b{{0.9, 0}, {0, 0}, 0.5, 1};
    const lane::PairIds ids{&a.id, &b.id};
    const auto resolve = [&](double a_max, double rel_x) {
        return lane::resolve_collision(D(), pair_of({rel_x, 0}, {0, 0}, 1), in(Vec2{0, 0}),
                                       in(a_max), in(0.1), ids, ties_to(PassingSide::right));
    };
    const auto cone = resolve(30, 0.9);
    ASSERT_TRUE(holds(cone.cone));
    // Reachable velocities that leave the discs in contact are inside, those on the lens corners on
    // the boundary.
    for (int i = 0; i < 1000; ++i) {
        const double angle = 0.00628 * i;
        const Vec2 v = Vec2{std::cos(angle), std::sin(angle)} * 2.999;
        const bool in_contact = std::hypot(v.x - 9.0, v.y) < 10.0;
        EXPECT_TRUE(!in_contact || inside(cone.region, v)) << angle;
    }
    EXPECT_FALSE(inside(cone.region, {-3, 0}));

    const auto plane = resolve(kInfinity, 0.9);
    EXPECT_FALSE(holds(plane.cone) || holds(plane.none) || holds(plane.unreachable));
    EXPECT_TRUE(inside(plane.region, {-0.99, 7}));
    EXPECT_FALSE(inside(plane.region, {-1.01, 7}));

    const auto unreachable = resolve(10, 0.5);
    EXPECT_TRUE(holds(unreachable.unreachable));
    expect_near(out(unreachable.v_best), {-1, 0});
    EXPECT_FALSE(inside(unreachable.region, {0, 0}));
    EXPECT_TRUE(holds(resolve(1, 1.2).none));
    // a_max = 0: what is, stays.
    EXPECT_TRUE(holds(resolve(0, 0.5).unreachable));
    EXPECT_TRUE(holds(resolve(0, 1.5).none));
}

lane::HalfPlane<V> safe_line(Vec2 rel_vel, double rho = 0.0, Vec2 rel_pos = {5, 0})
{
    static constexpr std::uint32_t kA = 1, kB = 2;
    const lane::Shares<V> shares{in(0.5), in(0.25)};
    return lane::safe_half_plane(D(), pair_of(rel_pos, rel_vel, 3), in(Vec2{0, 0}), in(2.0),
                                 in(0.5), shares, in(rho), lane::PairIds{&kA, &kB},
                                 ties_to(PassingSide::right));
}

TEST(SafeLine, goes_over_the_cut_or_over_the_leg_on_the_own_side)
{
    // Cut at 1 m/s, legs (0.8, +-0.6).
    const auto cut = safe_line({1.2, 0.1});
    expect_near(out(cut.normal), {-1, 0});
    expect_near(out(cut.point), {-0.1, 0});
    const auto leg = safe_line({4, 2.9});
    expect_near(out(leg.normal), {-0.6, 0.8});
    EXPECT_NEAR(dot(out(leg.point), out(leg.normal)), 0.5 * 0.08, 1e-12);
    expect_near(out(safe_line({4, 0}).normal), {-0.6, -0.8});  // a tie goes right
    // Outside, the share of the slack.
    const auto slack = safe_line({0.6, 0.1});
    expect_near(out(slack.point), {0.1, 0});
    // The velocity of B is known up to 0.2 m/s.
    expect_near(out(safe_line({1.2, 0.1}, 0.2).point), {-0.2, 0});
}

TEST(SafeLine, of_discs_that_overlap_is_that_of_orca)
{
    static constexpr std::uint32_t kA = 1, kB = 2;
    for (const Vec2 rel_pos : {Vec2{2, 1}, Vec2{3, 0}, Vec2{0, 0}}) {
        const auto safe = safe_line({0.3, 0.1}, 0.1, rel_pos);
        const auto orca =
            lane::orca_half_plane(D(), pair_of(rel_pos, {0.3, 0.1}, 3), in(Vec2{0, 0}), in(2.0),
                                  in(0.5), lane::Shares<V>{in(0.5), in(0.25)}, in(0.1),
                                  lane::PairIds{&kA, &kB}, ties_to(PassingSide::right));
        EXPECT_EQ(out(safe.normal), out(orca.normal));
        EXPECT_EQ(out(safe.point), out(orca.point));
    }
}

TEST(FirstContact, is_that_of_the_soonest_of_all)
{
    const std::vector<lane::ApexDisc<double>> others{
        {{4, 0}, 1, {0, 0}, 1}, {{0, 6}, 1, {0, 0}, 0.5}, {{-5, 0}, 1, {-1, 0}, 1}};
    const auto time = [&](Vec2 v) {
        return out(
            lane::first_contact_time(D(), std::span<const lane::ApexDisc<double>>(others), in(v)));
    };
    EXPECT_NEAR(time({1, 0}), 3.0, 1e-12);
    EXPECT_NEAR(time({0, 1}), 2.5, 1e-12);  // the other comes half of the way
    EXPECT_EQ(time({-1, 0}), kInfinity);    // as fast as the one ahead
    EXPECT_NEAR(time({-3, 0}), 2.0, 1e-12);
}

TEST(ExactCones, refuse_what_makes_no_sense)
{
    const MovingDisc a{{0, 0}, {0, 0}, 0.5, 0}, near{{1, 0}, {0, 0}, 0.5, 1};
    const MovingDisc far{{3, 0}, {0, 0}, 0.5, 2};
    EXPECT_FALSE(fvo(a, near, 1.0, 0.5));  // touching
    EXPECT_FALSE(fvo(a, far, 0.0, 0.5));
    EXPECT_FALSE(fvo(a, far, 1.0, 0.0));
    EXPECT_FALSE(fvo(a, far, 1.0, 1.1));
    EXPECT_TRUE(fvo(a, far, kInfinity, 1.0));
    EXPECT_FALSE(seg_fvo({0, 0}, {0, 0}, 0.5, 1.0));
    EXPECT_TRUE(seg_fvo({0, 0}, {1, 0}, 0.5, 1.0));
    EXPECT_FALSE(seg_fvo({1, 0}, {1, 1}, -0.5, 1.0));
    EXPECT_FALSE(cp_collision(a, near, -1.0, 0.1));
    EXPECT_FALSE(cp_collision(a, near, 1.0, 0.0));
    EXPECT_TRUE(cp_collision(a, near, kInfinity, 0.1));
    EXPECT_FALSE(clearpath({.agent = a, .neighbours = {&near, 1}, .horizon = 1, .v_max = 1}));
    EXPECT_TRUE(clearpath({.agent = a, .neighbours = {&far, 1}, .horizon = 1, .v_max = 1}));
    EXPECT_FALSE(clearpath({.agent = a, .neighbours = {&far, 1}, .horizon = 1, .v_max = -1}));
    EXPECT_FALSE(vo_exact({.agent = a, .neighbours = {&near, 1}, .tau = 1, .v_max = 1}));
    EXPECT_TRUE(
        vo_exact({.agent = a, .neighbours = {&near, 1}, .tau = 1, .v_max = 1, .t_res = 0.5}));
    EXPECT_FALSE(vo_exact({.agent = a, .neighbours = {&far, 1}, .tau = 1, .share = 0, .v_max = 1}));
    EXPECT_FALSE(rvo_sample({.agent = a, .weight = -1, .v_max = 1}));
    EXPECT_FALSE(rvo_sample({.agent = a, .samples = 1000001, .v_max = 1}));
    EXPECT_FALSE(rvo_sample({.agent = a, .v_max = 1, .reach = -0.1}));
    EXPECT_FALSE(rvo_sample({.agent = a, .v_max = kInfinity}));
}

}  // namespace
}  // namespace sidestep
