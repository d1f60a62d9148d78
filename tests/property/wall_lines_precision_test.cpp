// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Wall lines in float, as a step makes them, against double.
//
// Where a line changes from one case to another (a leg, an end, the segment, contact) rounding
// may take the other one. So what is asked of a float line is that it is, to kClose, the line
// that double makes of the same question, or of one that differs from it by no more than kNearby.
#include "constraints/wall_lines-inl.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/seeded_random.hpp"

namespace sidestep::test {
namespace {

namespace lane = HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

/// Positions, velocities and radii differ by less than this [m, m/s]: some twenty roundings of
/// coordinates of a few metres.
constexpr double kNearby = 2e-5;
/// Normals [1], and how far a line lies from 0 [m/s]. Tangents from close by turn by the root of
/// what a radius is off: those are found among the nearby questions.
constexpr double kClose = 1e-4;

struct Question {
    WallEdge<float> edge;
    Point<float> wall_velocity;
    double px, py, vx, vy, radius, tau_o, push_time;
};

struct Answer {
    double nx, ny, c;
    bool exists;

    bool is_close_to(const Answer& other) const
    {
        if (!exists || !other.exists) return exists == other.exists;
        const double scale = 1.0 + std::fabs(other.c);
        return std::hypot(nx - other.nx, ny - other.ny) <= kClose &&
               std::fabs(c - other.c) <= kClose * scale;
    }
};

template <class T>
Answer answer(const Question& q)
{
    const hn::CappedTag<T, 1> d;
    const auto number = [&](double value) { return hn::Set(d, static_cast<T>(value)); };
    const auto e = lane::broadcast_edge(
        d, convert_edge<T>(q.edge),
        Point<T>{static_cast<T>(q.wall_velocity.x), static_cast<T>(q.wall_velocity.y)});
    const auto p = lane::set2(d, static_cast<T>(q.px), static_cast<T>(q.py));
    const auto v = lane::set2(d, static_cast<T>(q.vx), static_cast<T>(q.vy));
    const auto line = lane::wall_line(d, e, p, v, number(q.radius), number(q.tau_o),
                                      number(q.push_time), lane::faces(d, e, p));
    const double nx = hn::GetLane(line.normal.x), ny = hn::GetLane(line.normal.y);
    return {nx, ny, nx * hn::GetLane(line.point.x) + ny * hn::GetLane(line.point.y),
            !hn::AllFalse(d, line.exists)};
}

Question random_question(SeededRandom& random)
{
    const auto number = [&](double low, double high) {
        return double{static_cast<float>(random.uniform(low, high))};
    };
    const auto vertex = [&] { return Vec2{number(-3, 3), number(-3, 3)}; };
    std::vector<Vec2> loop{vertex(), vertex()};
    if (random.chance(0.7)) loop.push_back(vertex());
    const auto edges = make_wall_edges(infer_wall_kind(loop), loop);
    EXPECT_TRUE(edges);
    Question q{convert_edge<float>((*edges)[random.below(edges->size())]),
               {},
               number(-4, 4),
               number(-4, 4),
               number(-2, 2),
               number(-2, 2),
               number(0.1, 0.8),
               number(0.3, 3),
               random.chance(0.5) ? 0.0 : number(0.05, 0.5)};
    if (random.chance(0.3))
        q.wall_velocity = {static_cast<float>(number(-1, 1)), static_cast<float>(number(-1, 1))};
    return q;
}

Question nearby(const Question& q, SeededRandom& random)
{
    Question other = q;
    for (double* value : {&other.px, &other.py, &other.vx, &other.vy, &other.radius})
        *value += random.uniform(-kNearby, kNearby);
    return other;
}

TEST(WallLinesPrecision, lines_in_float_are_those_that_double_makes_of_all_but_the_same_question)
{
    constexpr int kCases = 100'000;
    constexpr int kTries = 400;
    int lines = 0, at_a_border = 0;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        SeededRandom random(seed);
        const Question q = random_question(random);
        const Answer in_float = answer<float>(q);
        lines += in_float.exists ? 1 : 0;
        if (in_float.is_close_to(answer<double>(q))) continue;
        ++at_a_border;
        bool found = false;
        for (int i = 0; i < kTries && !found; ++i)
            found = in_float.is_close_to(answer<double>(nearby(q, random)));
        ASSERT_TRUE(found) << "seed " << seed << ": n " << in_float.nx << ", " << in_float.ny
                           << ", c " << in_float.c << ", exists " << in_float.exists;
    }
    EXPECT_GT(lines, kCases / 4);
    EXPECT_LT(at_a_border, kCases / 1000);
}

/// Contact ends and tangents begin at the same distance: rounding decides which it is.
TEST(WallLinesPrecision, who_slides_along_a_thin_wall_at_its_radius_has_a_line_of_it)
{
    const auto as_float = [](double value) { return double{static_cast<float>(value)}; };
    for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        const Vec2 a = random.in_box(3.0);
        const Vec2 along = random.direction();
        const Vec2 b = a + along * random.uniform(0.5, 3.0);
        const Vec2 side = random.chance(0.5) ? Vec2{-along.y, along.x} : Vec2{along.y, -along.x};
        const double radius = as_float(random.uniform(0.1, 0.5));
        const Vec2 at = a + (b - a) * random.uniform(0.01, 0.99) +
                        side * (radius + random.uniform(-4e-7, 4e-7));
        const Vec2 v = along * random.uniform(-2, 2);
        const auto edges = make_wall_edges(WallKind::thin, std::vector<Vec2>{a, b});
        ASSERT_TRUE(edges);
        double best = -1.0;
        for (const WallEdge<double>& edge : *edges) {
            const Answer line = answer<float>({convert_edge<float>(edge),
                                               {},
                                               as_float(at.x),
                                               as_float(at.y),
                                               as_float(v.x),
                                               as_float(v.y),
                                               radius,
                                               random.uniform(0.3, 3),
                                               0.0});
            if (line.exists) best = std::max(best, line.nx * side.x + line.ny * side.y);
        }
        ASSERT_GT(best, 0.99);
    }
}

}  // namespace
}  // namespace sidestep::test
