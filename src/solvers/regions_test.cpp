// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Choices among regions with a known answer, most of them degenerate.
#include "solvers/regions-inl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "sidestep/vec2.hpp"

namespace sidestep {
namespace {

namespace lane = HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 1>;
using V = hn::Vec<D>;
using Region = lane::Region<V>;

lane::Vec2<V> in(Vec2 a)
{
    return lane::set2(D(), a.x, a.y);
}
V in(double x)
{
    return hn::Set(D(), x);
}

/// Forbids what is not beyond the line through `point`.
Region behind(Vec2 point, Vec2 normal)
{
    return lane::half_plane_region(D(), in(normal), in(dot(point, normal)));
}

/// An upright wedge that opens upwards from `apex` with a right angle, above y = cut.
Region wedge(Vec2 apex, std::optional<double> cut = std::nullopt)
{
    const double s = std::sqrt(0.5);
    Region r = lane::empty_region(D());
    r.n[0] = in(Vec2{s, s});
    r.c[0] = in(s * (apex.x + apex.y));
    r.n[1] = in(Vec2{-s, s});
    r.c[1] = in(s * (apex.y - apex.x));
    r.c[2] = in(lane::kNoBound);
    if (cut) {
        r.n[2] = in(Vec2{0, 1});
        r.c[2] = in(*cut);
    }
    return r;
}

/// The same wedge from 0 cut by the disc of radius 1 that touches its legs, about (0, sqrt 2).
Region round_wedge()
{
    Region r = wedge({0, 0}, std::sqrt(0.5));
    r.disc = in(Vec2{0, std::sqrt(2.0)});
    r.disc_r = in(1.0);
    return r;
}

struct Reach {
    Vec2 centre;
    double radius = 0.0;
};

struct Answer {
    bool feasible = false;
    Vec2 v;
    double distance = 0.0;
};

Answer nearest(const std::vector<Region>& list, double v_max, Vec2 target, Vec2 tie = {1, 0},
               std::optional<Reach> reach = std::nullopt)
{
    const D d;
    std::vector<double> storage(lane::Regions<double>::kColumns * list.size());
    std::vector<double> working(lane::RegionScratch<double>::kColumns * list.size());
    const lane::Regions<double> regions(storage.data(), 1);
    for (std::size_t i = 0; i < list.size(); ++i) lane::store_region(d, list[i], regions, i);
    const auto all = hn::Eq(hn::Zero(d), hn::Zero(d));
    const Reach disc = reach.value_or(Reach{});
    const lane::Discs<D> discs{in(v_max), in(disc.centre), in(disc.radius),
                               reach ? all : hn::Not(all)};
    const auto r = lane::nearest_outside(
        d, regions, list.size(), discs, in(target), in(tie), in(std::max(1.0, v_max)),
        lane::RegionScratch<double>(working.data(), list.size(), 1), all);
    return {!hn::AllFalse(d, r.feasible),
            {hn::GetLane(r.v.x), hn::GetLane(r.v.y)},
            hn::GetLane(r.distance)};
}

void expect_answer(const Answer& answer, Vec2 v, double tol = 1e-12)
{
    EXPECT_TRUE(answer.feasible);
    EXPECT_NEAR(answer.v.x, v.x, tol);
    EXPECT_NEAR(answer.v.y, v.y, tol);
}

TEST(NearestOutside, without_regions_is_the_target_within_the_discs)
{
    expect_answer(nearest({}, 2, {0.3, 0.4}), {0.3, 0.4}, 0);
    expect_answer(nearest({}, 1, {3, 4}), {0.6, 0.8});
    expect_answer(nearest({}, 1, {1, 5}, {}, Reach{{1, 0}, 1}), {0.5, std::sqrt(0.75)});
    expect_answer(nearest({lane::empty_region(D())}, 2, {0.3, 0.4}), {0.3, 0.4}, 0);
}

TEST(NearestOutside, leaves_a_half_plane_across_its_line)
{
    const Answer answer = nearest({behind({0, 1}, {0, 1})}, 2, {0.5, 0});
    expect_answer(answer, {0.5, 1});
    EXPECT_NEAR(answer.distance, 1.0, 1e-12);
    // Clipped by the speed limit and by the reach.
    expect_answer(nearest({behind({0, 1}, {0, 1})}, std::sqrt(2.0), {5, 0}), {1, 1});
    expect_answer(nearest({behind({0, 1}, {0, 1})}, 5, {3, 0}, {}, Reach{{0, 0}, std::sqrt(2.0)}),
                  {1, 1});
}

TEST(NearestOutside, leaves_a_cone_over_the_nearest_of_legs_and_cut)
{
    const std::vector<Region> cone{wedge({0, 0}, 1)};
    expect_answer(nearest(cone, 5, {0, 1.1}), {0, 1});
    expect_answer(nearest(cone, 5, {1.9, 2}), {1.95, 1.95});
    expect_answer(nearest(cone, 5, {-1.9, 2}), {-1.95, 1.95});
    // The foot on the leg is before the cut: only the foot on the cut is on the boundary.
    expect_answer(nearest(cone, 5, {0.9, 1.02}), {0.9, 1});
    expect_answer(nearest({wedge({0, 0})}, 5, {0.5, 4}), {2.25, 2.25});
}

TEST(NearestOutside, goes_round_a_disc_that_cuts_a_cone)
{
    const std::vector<Region> cone{round_wedge()};
    const double low = std::sqrt(2.0) - 1.0;
    expect_answer(nearest(cone, 5, {0, 0.6}), {0, low});
    expect_answer(nearest(cone, 5, {0.2, 0.5}), [&] {
        const Vec2 off = Vec2{0.2, 0.5} - Vec2{0, std::sqrt(2.0)};
        return Vec2{0, std::sqrt(2.0)} + off * (1.0 / std::sqrt(dot(off, off)));
    }());
    expect_answer(nearest(cone, 5, {2.9, 3}), {2.95, 2.95});
    // Before the chord and outside the disc nothing is forbidden, though it is between the legs.
    expect_answer(nearest(cone, 5, {0, 0.3}), {0, 0.3}, 0);
    // The chord inside the disc is no way out.
    expect_answer(nearest(cone, 5, {0, std::sqrt(0.5)}), {0, low});
}

// From the larger circle the crossing would be lost: by its square, in roundings.
TEST(NearestOutside, finds_where_a_small_circle_crosses_a_large_one)
{
    for (int i = 10; i <= 40; ++i) {
        const double radius = std::pow(10.0, 0.1 * i);  // of a disc that covers x > -0.2, about
        const double x_centre = radius - 0.2;
        Region large = lane::empty_region(D());
        large.disc = in(Vec2{x_centre, 0});
        large.disc_r = in(radius);
        const double x =
            (x_centre - radius) * (x_centre + radius) / (2.0 * x_centre) + 1.0 / (2.0 * x_centre);
        const Vec2 crossing{x, std::sqrt(1.0 - x * x)};
        SCOPED_TRACE(radius);
        const Vec2 wish{0.05, std::sqrt(1.0 - 0.05 * 0.05)};
        expect_answer(nearest({large}, 1.0, wish), crossing, 1e-11);
        // Within reach of the velocity one has, and of two cones.
        expect_answer(nearest({large}, 9.0, {0.5, 9}, {1, 0}, Reach{{0, 0}, 1.0}), crossing, 1e-11);
        Region small = lane::empty_region(D());
        small.disc_r = in(1.0);
        expect_answer(nearest({large, small}, 2.0, {0.05, 0.8}), crossing, 1e-11);
        expect_answer(nearest({small, large}, 2.0, {0.05, 0.8}), crossing, 1e-11);
    }
}

TEST(NearestOutside, takes_of_two_equally_near_velocities_the_one_on_the_right)
{
    expect_answer(nearest({wedge({0, 0})}, 5, {0, 2}, {0, 1}), {1, 1});
    expect_answer(nearest({wedge({0, 0})}, 5, {0, 2}, {0, -1}), {-1, 1});
    // As near within the tolerance.
    expect_answer(nearest({wedge({0, 0})}, 5, {-5e-10, 2}, {0, 1}), {1, 1}, 1e-9);
    expect_answer(nearest({wedge({0, 0})}, 5, {-5e-8, 2}, {0, 1}), {-1, 1}, 1e-7);
    // All of the arc is as near to the centre of its disc.
    const Answer answer = nearest({round_wedge()}, 5, {0, std::sqrt(2.0)}, {0, 1});
    EXPECT_NEAR(answer.distance, 1.0, 1e-12);
    EXPECT_GT(answer.v.x, 0.7);
}

TEST(NearestOutside, walks_past_regions_that_cover_the_foot)
{
    // A floor to stand on, and wedges upon it side by side, the next beginning before the last
    // ends.
    std::vector<Region> list{behind({0, 0}, {0, 1})};
    for (const double x : {0.0, 0.9, -0.8, 1.7}) list.push_back(wedge({x, -0.5}));
    // Intervals on the floor: (-1.3, 2.2); the nearer end of the foot 0.2 is -1.3.
    const Answer answer = nearest(list, 5, {0.2, -0.05});
    expect_answer(answer, {-1.3, 0.0});
    // Cut off on that side by the speed limit, the other end remains.
    list.push_back(behind({-1, 0}, {1, 0}));
    expect_answer(nearest(list, 5, {0.2, -0.05}), {2.2, 0.0});
}

TEST(NearestOutside, allows_what_coincident_boundaries_leave)
{
    // The same region twice; two that share a line from either side; a third through their corner.
    expect_answer(nearest({wedge({0, 0}), wedge({0, 0})}, 5, {0.1, 2}), {1.05, 1.05});
    const std::vector<Region> slit{behind({0, 1}, {0, 1}), behind({0, 1}, {0, -1})};
    expect_answer(nearest(slit, 2, {0.5, 0}), {0.5, 1});
    const double s = std::sqrt(0.5);
    const std::vector<Region> point{behind({0, 1}, {0, 1}), behind({0, 1}, {0, -1}),
                                    behind({0.3, 1}, {s, s})};
    expect_answer(nearest(point, 2, {0, 0}), {0.3, 1}, 1e-8);
}

TEST(NearestOutside, allows_the_one_point_where_a_line_touches_the_speed_disc)
{
    expect_answer(nearest({behind({0, 2}, {0, 1})}, 2, {0.5, 0}), {0, 2}, 1e-8);
    const Vec2 n{0.6, 0.8};
    expect_answer(nearest({behind(n * 1.7, n)}, 1.7, {0.5, 0}), n * 1.7, 1e-6);
    EXPECT_FALSE(nearest({behind({0, 2.001}, {0, 1})}, 2, {0.5, 0}).feasible);
}

TEST(NearestOutside, says_so_where_nothing_is_allowed)
{
    EXPECT_FALSE(nearest({behind({0, 1}, {0, 1})}, 0.9, {0.3, 0.1}).feasible);
    EXPECT_TRUE(nearest({behind({0, 1}, {0, 1})}, 1.1, {0.3, 0.1}).feasible);
    const std::vector<Region> opposed{behind({0, 1}, {0, 1}), behind({0, -1}, {0, -1})};
    const Answer answer = nearest(opposed, 5, {0.3, 40.0});
    EXPECT_FALSE(answer.feasible);
    EXPECT_NEAR(dot(answer.v, answer.v), 25.0, 1e-12);  // the target within the discs
    EXPECT_FALSE(nearest({}, 1, {0, 0}, {}, Reach{{3, 0}, 1.5}).feasible);
    EXPECT_TRUE(nearest({}, 1, {0, 0}, {}, Reach{{3, 0}, 2}).feasible);
    Region everything = lane::empty_region(D());
    everything.c[2] = in(lane::kNoBound);
    EXPECT_FALSE(nearest({everything}, 1, {0, 0}).feasible);
    expect_answer(nearest({behind({0, 0}, {0, 1})}, 0, {1, 1}), {0, 0}, 0);  // nobody moves
}

TEST(NearestOutside, does_not_depend_on_the_order_of_regions)
{
    std::vector<Region> list{wedge({0, -0.2}, 0.1), wedge({0.3, 0}, 0.2), round_wedge(),
                             behind({-0.6, 0}, {1, 0.0})};
    const Answer forward = nearest(list, 2, {0.1, 1.2}, {0, 1});
    std::reverse(list.begin(), list.end());
    const Answer backward = nearest(list, 2, {0.1, 1.2}, {0, 1});
    EXPECT_TRUE(forward.feasible);
    EXPECT_NEAR(forward.v.x, backward.v.x, 1e-14);
    EXPECT_NEAR(forward.v.y, backward.v.y, 1e-14);
}

}  // namespace
}  // namespace sidestep
