// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The float lanes of a step: every instruction set and every number of lanes gives the same bits.
// Half-planes and wall lines; program_lanes_test.cpp has the program.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "property/lanes_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/aligned_allocator.h>

#include <vector>

#include "constraints/velocity_obstacle-inl.hpp"
#include "constraints/wall_lines-inl.hpp"
#include "property/lanes-inl.hpp"

#ifndef SIDESTEP_LANES_TEST_TYPES
#define SIDESTEP_LANES_TEST_TYPES
namespace sidestep::test {

struct PairCase {
    float px, py, vx, vy, radius, ax, ay, tau, t_res, share, rho;
    std::uint32_t id_a, id_b;
};

struct WallCase {
    WallEdge<float> edge;
    Point<float> wall_velocity;
    float px, py, vx, vy, radius, tau_o, push_time;
};

}  // namespace sidestep::test
#endif

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

using test::PairCase;
using test::WallCase;

template <class D>
LaneValues pair_values(D d, const std::vector<PairCase>& cases)
{
    using V = hn::Vec<D>;
    LaneValues out;
    for (std::size_t i = 0; i < cases.size(); i += hn::Lanes(d)) {
        const auto get = [&](float PairCase::*member)
                             HWY_ATTR { return load(d, cases, i, member); };
        std::uint32_t id_a[hn::MaxLanes(d)];
        std::uint32_t id_b[hn::MaxLanes(d)];
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            id_a[l] = cases[std::min(i + l, cases.size() - 1)].id_a;
            id_b[l] = cases[std::min(i + l, cases.size() - 1)].id_b;
        }
        const Pair<V> pair{{get(&PairCase::px), get(&PairCase::py)},
                           {get(&PairCase::vx), get(&PairCase::vy)},
                           get(&PairCase::radius)};
        const Vec2<V> v_a{get(&PairCase::ax), get(&PairCase::ay)};
        const auto side = i % 32 < 16 ? PassingSide::right : PassingSide::left;
        const HalfPlane<V> plane =
            orca_half_plane(d, pair, v_a, get(&PairCase::tau), get(&PairCase::t_res),
                            get(&PairCase::share), get(&PairCase::rho), PairIds{id_a, id_b}, side);
        const V values[] = {plane.point.x, plane.point.y, plane.normal.x, plane.normal.y,
                            flag(d, inside_velocity_obstacle(d, pair, get(&PairCase::tau)))};
        append(d, values, std::min(hn::Lanes(d), cases.size() - i), out);
    }
    return out;
}

template <class D>
LaneValues wall_values(D d, const std::vector<WallCase>& cases)
{
    using V = hn::Vec<D>;
    LaneValues out;
    for (std::size_t i = 0; i < cases.size(); i += hn::Lanes(d)) {
        const auto get = [&](float WallCase::*member)
                             HWY_ATTR { return load(d, cases, i, member); };
        const WallEdge<float>* edges[hn::MaxLanes(d)];
        Point<float> velocities[hn::MaxLanes(d)];
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            edges[l] = &cases[std::min(i + l, cases.size() - 1)].edge;
            velocities[l] = cases[std::min(i + l, cases.size() - 1)].wall_velocity;
        }
        const EdgeLanes<D> edge = gather_edges(d, edges, velocities);
        const Vec2<V> p{get(&WallCase::px), get(&WallCase::py)};
        const Vec2<V> v{get(&WallCase::vx), get(&WallCase::vy)};
        const auto line = wall_line(d, edge, p, v, get(&WallCase::radius), get(&WallCase::tau_o),
                                    get(&WallCase::push_time), faces(d, edge, p));
        const V values[] = {hn::IfThenElseZero(line.exists, line.point.x),
                            hn::IfThenElseZero(line.exists, line.point.y),
                            hn::IfThenElseZero(line.exists, line.normal.x),
                            hn::IfThenElseZero(line.exists, line.normal.y),
                            flag(d, line.exists),
                            flag(d, line.contact),
                            edge_distance_sq(d, edge, p)};
        append(d, values, std::min(hn::Lanes(d), cases.size() - i), out);
    }
    return out;
}

LaneValues pairs_wide(const std::vector<PairCase>& cases)
{
    return pair_values(hn::CappedTag<float, 8>(), cases);
}
LaneValues pairs_one(const std::vector<PairCase>& cases)
{
    return pair_values(hn::CappedTag<float, 1>(), cases);
}
LaneValues walls_wide(const std::vector<WallCase>& cases)
{
    return wall_values(hn::CappedTag<float, 8>(), cases);
}
LaneValues walls_one(const std::vector<WallCase>& cases)
{
    return wall_values(hn::CappedTag<float, 1>(), cases);
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cmath>
#include <cstdio>

#include "sidestep/geometry.hpp"
#include "support/seeded_random.hpp"

namespace sidestep {
HWY_EXPORT(pairs_wide);
HWY_EXPORT(pairs_one);
HWY_EXPORT(walls_wide);
HWY_EXPORT(walls_one);

namespace test {
namespace {

PairCase random_pair(std::uint64_t seed)
{
    SeededRandom random(seed);
    const auto number = [&](double low, double high) {
        return static_cast<float>(random.uniform(low, high));
    };
    PairCase c{number(-4, 4),
               number(-4, 4),
               number(-2, 2),
               number(-2, 2),
               number(0.2, 1.5),
               number(-2, 2),
               number(-2, 2),
               number(0.2, 6),
               number(0.02, 0.5),
               number(0, 1),
               0.0f,
               0,
               0};
    if (random.chance(0.2)) c.rho = number(0, 0.5);
    if (random.chance(0.3)) c.px = c.py = 0.0f;  // coincident
    if (random.chance(0.3)) c.vx = c.vy = 0.0f;
    if (random.chance(0.2)) c.vx = c.px * 2.0f, c.vy = c.py * 2.0f;          // exactly on the axis
    if (random.chance(0.1)) c.radius = c.px = std::fabs(c.px), c.py = 0.0f;  // touching
    c.id_a = static_cast<std::uint32_t>(random.bits());
    c.id_b = static_cast<std::uint32_t>(random.bits());
    return c;
}

WallCase random_wall(std::uint64_t seed)
{
    SeededRandom random(seed);
    const auto number = [&](double low, double high) {
        return static_cast<float>(random.uniform(low, high));
    };
    const auto vertex = [&] { return Vec2{double{number(-3, 3)}, double{number(-3, 3)}}; };
    std::vector<Vec2> loop{vertex(), vertex()};
    if (random.chance(0.7)) loop.push_back(vertex());
    const auto edges = make_wall_edges(infer_wall_kind(loop), loop);
    EXPECT_TRUE(edges);
    WallCase c{convert_edge<float>((*edges)[random.below(edges->size())]),
               {},
               number(-4, 4),
               number(-4, 4),
               number(-2, 2),
               number(-2, 2),
               number(0.1, 0.8),
               number(0.3, 3),
               random.chance(0.5) ? 0.0f : number(0.05, 0.5)};
    if (random.chance(0.3)) c.wall_velocity = {number(-1, 1), number(-1, 1)};
    if (random.chance(0.2))
        c.px = c.edge.a.x + number(-0.1, 0.1), c.py = c.edge.a.y + number(-0.1, 0.1);
    return c;
}

TEST(Lanes, half_planes_have_the_same_bits_for_every_instruction_set_and_lane_count)
{
    std::vector<PairCase> cases;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) cases.push_back(random_pair(seed));
    cases.resize(cases.size() - 3);  // the last vector is not full
    const LaneValues expected = HWY_DYNAMIC_DISPATCH(pairs_one)(cases);
    for_each_target([&](const char* name) {
        SCOPED_TRACE(name);
        expect_same_bits(expected, HWY_DYNAMIC_DISPATCH(pairs_one)(cases), 5);
        expect_same_bits(expected, HWY_DYNAMIC_DISPATCH(pairs_wide)(cases), 5);
    });
}

/// A pair as crowds have them: apart, or in each other's way.
PairCase plain_pair(std::uint64_t seed)
{
    SeededRandom random(seed);
    const auto number = [&](double low, double high) {
        return static_cast<float>(random.uniform(low, high));
    };
    PairCase c{number(-5, 5),
               number(-5, 5),
               number(-3, 3),
               number(-3, 3),
               number(0.2, 1.5),
               number(-2, 2),
               number(-2, 2),
               number(0.5, 6),
               number(0.05, 0.5),
               number(0, 1),
               0.0f,
               static_cast<std::uint32_t>(random.bits()),
               static_cast<std::uint32_t>(random.bits())};
    if (random.chance(0.2)) c.rho = number(0, 0.5);
    if (random.chance(0.2)) c.tau = 2.0f;
    if (random.chance(0.2)) c.px *= 0.1f, c.py *= 0.1f;  // overlapping
    return c;
}

/// How much roundings grow on the way to a line [1], and whether floats can tell what it is at all.
struct Condition {
    double growth = 1.0;
    double scale = 1.0;  ///< of velocities [m/s]
    bool decidable = true;
};

Condition condition_of(const PairCase& c, const OrcaLine& line)
{
    const Vec2 p{c.px, c.py}, x{c.vx, c.vy}, a{c.ax, c.ay};
    const double dist = std::sqrt(dot(p, p)), speed = std::sqrt(dot(x, x)), r = double{c.radius};
    const bool overlap = line.feature == BoundaryFeature::overlap;
    const double time = double{overlap ? c.t_res : c.tau};
    Condition is;
    is.scale = std::max({1.0, speed, std::sqrt(dot(a, a)), (dist + r) / time});
    // The sides of a margin of some 16 roundings are one to a float: touching or not, left or
    // right.
    is.decidable = std::fabs(dist - r) > 1e-6 * (dist + r);
    if (line.feature == BoundaryFeature::arc || overlap) {
        const Vec2 w = x - p / time;
        is.growth = std::max(1.0, (speed + dist / time) / std::sqrt(dot(w, w)));
        return is;
    }
    is.decidable = is.decidable && std::fabs(p.x * x.y - p.y * x.x) > 1e-6 * dist * speed;
    is.growth = dist / std::sqrt(dist * dist - r * r);
    return is;
}

/// [S times the growth of roundings] Some 32 roundings of 6e-8: a line takes about twenty
/// operations, and its point is a sum of products of what was rounded before.
constexpr double kLineTolerance = 2e-6;

TEST(Lanes, half_planes_are_those_of_double_in_100000_cases)
{
    constexpr std::size_t kCases = 200000;  // half of them send ties left: they are left out
    std::vector<PairCase> cases;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) cases.push_back(plain_pair(seed));
    const LaneValues floats = HWY_DYNAMIC_DISPATCH(pairs_wide)(cases);
    std::size_t undecidable = 0, legs = 0, overlaps = 0;
    double worst = 0.0;
    for (std::size_t seed = 0; seed < kCases; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const PairCase& c = cases[seed];
        if (seed % 32 >= 16) continue;
        const Vec2 v{c.ax, c.ay}, x{c.vx, c.vy};
        const auto line =
            orca_line({{0, 0}, v, 0.0, c.id_a}, {{c.px, c.py}, v - x, c.radius, c.id_b}, c.tau,
                      c.t_res, c.share, c.rho);
        ASSERT_TRUE(line) << line.error().message;
        const Condition is = condition_of(c, *line);
        const float* f = &floats[5 * seed];
        const Vec2 point{f[0], f[1]}, normal{f[2], f[3]};
        ASSERT_NEAR(dot(normal, normal), 1.0, 1e-6);
        undecidable += is.decidable ? 0 : 1;
        if (!is.decidable) continue;
        const double allowed = kLineTolerance * is.growth;
        const Vec2 turned = normal - line->normal;
        const double c_float = dot(normal, point), c_double = dot(line->normal, line->point);
        ASSERT_LE(std::sqrt(dot(turned, turned)), allowed);
        ASSERT_LE(std::fabs(c_float - c_double), allowed * is.scale);
        worst = std::max({worst, std::sqrt(dot(turned, turned)) / is.growth,
                          std::fabs(c_float - c_double) / (is.growth * is.scale)});
        overlaps += line->feature == BoundaryFeature::overlap;
        legs += line->feature == BoundaryFeature::left || line->feature == BoundaryFeature::right;
    }
    std::printf("worst %.2g of %.2g allowed; %zu legs, %zu overlaps, %zu undecidable\n", worst,
                kLineTolerance, legs, overlaps, undecidable);
    EXPECT_GE(legs, kCases / 10);
    EXPECT_GE(overlaps, kCases / 50);
    EXPECT_LE(undecidable, kCases / 1000);
}

TEST(Lanes, wall_lines_have_the_same_bits_for_every_instruction_set_and_lane_count)
{
    std::vector<WallCase> cases;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) cases.push_back(random_wall(seed));
    cases.resize(cases.size() - 5);
    const LaneValues expected = HWY_DYNAMIC_DISPATCH(walls_one)(cases);
    std::size_t contacts = 0, lines = 0;
    for (std::size_t i = 0; i < expected.size(); i += 7)
        lines += expected[i + 4] > 0, contacts += expected[i + 5] > 0;
    EXPECT_GE(lines, 5000u);
    EXPECT_GE(contacts, 1000u);
    for_each_target([&](const char* name) {
        SCOPED_TRACE(name);
        expect_same_bits(expected, HWY_DYNAMIC_DISPATCH(walls_one)(cases), 7);
        expect_same_bits(expected, HWY_DYNAMIC_DISPATCH(walls_wide)(cases), 7);
    });
}

}  // namespace
}  // namespace test
}  // namespace sidestep
#endif
