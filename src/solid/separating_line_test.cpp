// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "solid/separating_line.hpp"

#include <gtest/gtest.h>

#include "support/seeded_random.hpp"

namespace sidestep::test {
namespace {

const Spot kApart{0.6, 0.8};

Capsule disc(double x, double y, double radius)
{
    return {{x, y}, {}, radius};
}

TEST(Separation, of_two_discs_is_along_their_centres)
{
    const Separation s = separate(disc(1.0, 1.0, 0.2), disc(4.0, 5.0, 0.3), kApart);
    EXPECT_NEAR(s.towards.x, 0.6, 1e-15);
    EXPECT_NEAR(s.towards.y, 0.8, 1e-15);
    EXPECT_NEAR(s.gap, 4.5, 1e-15);
}

TEST(Separation, of_discs_that_touch_or_overlap_has_no_positive_gap)
{
    EXPECT_EQ(separate(disc(0.0, 0.0, 0.25), disc(0.5, 0.0, 0.25), kApart).gap, 0.0);
    const Separation s = separate(disc(0.0, 0.0, 0.3), disc(0.0, 0.2, 0.3), kApart);
    EXPECT_NEAR(s.gap, -0.4, 1e-15);
    EXPECT_EQ(s.towards.y, 1.0);
}

TEST(Separation, of_coincident_centres_goes_by_the_given_direction)
{
    const Separation s = separate(disc(2.0, 3.0, 0.3), disc(2.0, 3.0, 0.2), kApart);
    EXPECT_EQ(s.towards.x, -0.6);
    EXPECT_EQ(s.towards.y, -0.8);
    EXPECT_EQ(s.gap, -0.5);
}

TEST(Separation, of_a_capsule_is_from_its_nearest_point)
{
    const Capsule ahead{{0.0, 0.0}, {4.0, 0.0}, 0.5};
    const Separation beside = separate(ahead, disc(3.0, 2.0, 0.2), kApart);
    EXPECT_NEAR(beside.gap, 1.3, 1e-15);
    EXPECT_EQ(beside.towards.y, 1.0);
    EXPECT_EQ(beside.own.x, 3.0);
    const Separation beyond = separate(ahead, disc(7.0, 4.0, 0.2), kApart);
    EXPECT_NEAR(beyond.gap, 4.3, 1e-15);
    EXPECT_NEAR(beyond.towards.x, 0.6, 1e-15);
    const Separation behind = separate(ahead, disc(-2.0, 0.0, 0.2), kApart);
    EXPECT_NEAR(behind.gap, 1.3, 1e-15);
    EXPECT_EQ(behind.towards.x, -1.0);
}

TEST(Separation, of_parallel_and_collinear_ways_is_the_gap_between_them)
{
    const Capsule a{{0.0, 0.0}, {2.0, 0.0}, 0.1};
    const Separation parallel = separate(a, {{3.0, 1.0}, {-2.0, 0.0}, 0.1}, kApart);
    EXPECT_NEAR(parallel.gap, 0.8, 1e-15);
    EXPECT_EQ(parallel.towards.y, 1.0);
    const Separation in_line = separate(a, {{5.0, 0.0}, {-2.0, 0.0}, 0.1}, kApart);
    EXPECT_NEAR(in_line.gap, 0.8, 1e-15);
    EXPECT_EQ(in_line.towards.x, 1.0);
    const Separation shared = separate(a, {{3.0, 0.0}, {-2.0, 0.0}, 0.1}, kApart);
    EXPECT_NEAR(shared.gap, -0.2, 1e-15);
    EXPECT_EQ(shared.towards.x, 1.0);
}

TEST(Separation, of_ways_that_cross_is_that_of_their_centres_and_as_deep_as_can_be)
{
    const Separation s =
        separate({{0.0, 0.0}, {2.0, 0.0}, 0.1}, {{1.0, -1.0}, {0.0, 3.0}, 0.2}, kApart);
    EXPECT_NEAR(s.gap, -0.3, 1e-15);
    EXPECT_NEAR(s.towards.x, std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(s.towards.y, -std::sqrt(0.5), 1e-15);
}

/// The gap by sampling both ways.
double sampled_gap(const Capsule& a, const Capsule& b)
{
    double nearest = 1e30;
    for (int i = 0; i <= 200; ++i) {
        const Spot p = a.centre + a.way * (i / 200.0);
        for (int j = 0; j <= 200; ++j)
            nearest = std::min(nearest, length(b.centre + b.way * (j / 200.0) - p));
    }
    return nearest - a.radius - b.radius;
}

TEST(Separation, keeps_random_capsules_on_their_sides_and_is_the_same_for_both)
{
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        const auto capsule = [&] {
            const Vec2 at = random.in_box(3.0);
            const Vec2 way = random.chance(0.2) ? Vec2{} : random.in_disc(3.0);
            return Capsule{{at.x, at.y}, {way.x, way.y}, random.uniform(0.1, 0.5)};
        };
        const Capsule a = capsule();
        const Capsule b = capsule();
        const Separation s = separate(a, b, kApart);
        const Separation back = separate(b, a, kApart * -1.0);
        EXPECT_NEAR(length(s.towards), 1.0, 1e-12);
        EXPECT_NEAR(s.gap, back.gap, 1e-12);
        EXPECT_NEAR(dot(s.towards, back.towards), -1.0, 1e-12);
        const double sampled = sampled_gap(a, b);
        EXPECT_LE(s.gap, sampled + 1e-12);
        EXPECT_GE(s.gap, sampled - 0.05);
        if (s.gap + a.radius + b.radius < 1e-9) continue;  // the ways cross
        // All of `a` ends where the gap begins, all of `b` begins where it ends.
        const auto last = [](const Capsule& c, const Spot& e) {
            return std::max(dot(c.centre, e), dot(c.centre + c.way, e)) + c.radius;
        };
        EXPECT_NEAR(last(a, s.towards) + s.gap, -last(b, s.towards * -1.0), 1e-12);
    }
}

TEST(ShareOfGap, never_adds_up_to_more_than_the_gap_and_is_never_negative)
{
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        const double gap = random.uniform(-0.2, 0.5);
        const double own = random.uniform(-3.0, 3.0);
        const double other = random.uniform(-3.0, 3.0);
        const double first = share_of_gap(gap, own, other, 0.1);
        const double second = share_of_gap(gap, other, own, 0.1);
        EXPECT_GE(first, 0.0);
        EXPECT_GE(second, 0.0);
        EXPECT_NEAR(first + second, std::max(gap, 0.0) / 0.1, 1e-12);
        // Who does not run into the other at present may go on.
        if (own + other <= gap / 0.1 && own >= 0.0 && other >= 0.0) {
            EXPECT_GE(first, own - 1e-12);
        }
    }
}

}  // namespace
}  // namespace sidestep::test
