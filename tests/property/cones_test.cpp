// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The choice among velocities that cones leave, in double and in the float lanes of a step: nobody
// finds a nearer one by sampling, and every instruction set and number of lanes gives the same
// bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "property/cones_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/aligned_allocator.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "constraints/cones-inl.hpp"
#include "property/cone_cases.hpp"
#include "property/lane_values.hpp"
#include "solvers/regions-inl.hpp"

#ifndef SIDESTEP_CONES_TEST_ANSWER
#define SIDESTEP_CONES_TEST_ANSWER
namespace sidestep::test {
struct ConeAnswer {
    Vec2 velocity;
    double distance = 0.0;
    bool feasible = false;
};
using ConeAnswers = std::vector<ConeAnswer>;
}  // namespace sidestep::test
#endif

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

using test::ConeAnswer;
using test::ConeAnswers;
using test::ConeCase;
using test::ConeKind;

/// value(case, lane) of each lane; lanes without a case get 1.
template <class D, class Value>
hn::Vec<D> gather(D d, std::size_t used, Value value)
{
    using T = hn::TFromD<D>;
    alignas(64) T lane[hn::MaxLanes(d)];
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        lane[l] = l < used ? static_cast<T>(value(l)) : T(1);
    }
    return hn::Load(d, lane);
}

/// Region of neighbour `slot` of each lane, and for clearpath-1 the side to keep to; empty where a
/// lane has fewer.
template <class D>
void add_pair(D d, ConeKind kind, const ConeCase* cases, std::size_t used, std::size_t slot,
              const Regions<hn::TFromD<D>>& regions, std::size_t& at)
{
    using V = hn::Vec<D>;
    const auto has = [&](std::size_t l) { return slot < cases[l].neighbours.size(); };
    const auto other = [&](std::size_t l) {
        return has(l) ? cases[l].neighbours[slot]
                      : MovingDisc{{9.0, 9.0}, {0.0, 0.0}, 0.1, 4000000000u};
    };
    const auto get = [&](auto value) { return gather(d, used, value); };
    const Vec2<V> v_a{get([&](std::size_t l) { return cases[l].agent.velocity.x; }),
                      get([&](std::size_t l) { return cases[l].agent.velocity.y; })};
    const Vec2<V> v_b{get([&](std::size_t l) { return other(l).velocity.x; }),
                      get([&](std::size_t l) { return other(l).velocity.y; })};
    const Vec2<V> p_a{get([&](std::size_t l) { return cases[l].agent.position.x; }),
                      get([&](std::size_t l) { return cases[l].agent.position.y; })};
    const Vec2<V> p_b{get([&](std::size_t l) { return other(l).position.x; }),
                      get([&](std::size_t l) { return other(l).position.y; })};
    const V radius = get([&](std::size_t l) { return cases[l].agent.radius; }) +
                     get([&](std::size_t l) { return other(l).radius; });
    std::uint32_t id_a[hn::MaxLanes(d)] = {};
    std::uint32_t id_b[hn::MaxLanes(d)] = {};
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) id_b[l] = l < used ? other(l).id : 1;
    const PairIds ids{id_a, id_b};
    const auto ties = ties_to(d, PassingSide::right);
    const V share = hn::Set(d, static_cast<hn::TFromD<D>>(test::share_of(kind)));
    const V horizon = get([&](std::size_t l) { return cases[l].horizon; });
    const V t_res = get([&](std::size_t l) { return cases[l].t_res; });
    const auto used_lanes =
        hn::Ne(get([&](std::size_t l) { return has(l) ? 1.0 : 0.0; }), hn::Zero(d));
    const Pair<V> pair{p_b - p_a, v_a - v_b, radius};
    const auto keep = [&](const Region<V>& region) HWY_ATTR {
        store_region(d, select(used_lanes, region, empty_region(d)), regions, at++);
    };
    if (kind == ConeKind::vo || kind == ConeKind::rvo) {
        keep(reciprocal_region(d, pair, v_a, share, horizon, t_res, ids, ties));
        return;
    }
    if (kind == ConeKind::safe) {
        const auto plane = safe_half_plane(d, pair, v_a, horizon, t_res, Shares<V>{share, share},
                                           hn::Zero(d), ids, ties);
        keep(half_plane_region(d, plane.normal, dot(plane.normal, plane.point)));
        return;
    }
    const auto overlap = overlaps(d, pair);
    const auto cone = pair_cone(d, pair, v_a, share, horizon, ties);
    keep(select(overlap, overlap_region(d, pair, v_a, share, t_res, ids, ties),
                linear_region(d, cone)));
    if (kind == ConeKind::clearpath_1) {
        keep(select(overlap, empty_region(d), side_region(d, cone)));
    }
}

template <class D>
void add_edge(D d, const ConeCase* cases, std::size_t used, std::size_t slot,
              const Regions<hn::TFromD<D>>& regions, std::size_t& at)
{
    using V = hn::Vec<D>;
    const auto has = [&](std::size_t l) { return slot < cases[l].edges.size(); };
    const auto edge = [&](std::size_t l) {
        return has(l) ? cases[l].edges[slot] : test::SeenEdge{{8.0, 8.0}, {9.0, 8.0}, {}};
    };
    const auto get = [&](auto value) { return gather(d, used, value); };
    const Vec2<V> a{get([&](std::size_t l) { return edge(l).a.x; }),
                    get([&](std::size_t l) { return edge(l).a.y; })};
    const Vec2<V> b{get([&](std::size_t l) { return edge(l).b.x; }),
                    get([&](std::size_t l) { return edge(l).b.y; })};
    const Vec2<V> velocity{get([&](std::size_t l) { return edge(l).velocity.x; }),
                           get([&](std::size_t l) { return edge(l).velocity.y; })};
    const V radius = get([&](std::size_t l) { return cases[l].agent.radius; });
    const V horizon = get([&](std::size_t l) { return cases[l].edge_horizon; });
    const V push = get([&](std::size_t l) { return cases[l].t_res; });
    const auto used_lanes =
        hn::Ne(get([&](std::size_t l) { return has(l) ? 1.0 : 0.0; }), hn::Zero(d));
    const auto region = segment_region(d, segment_cone(d, a, b, radius, horizon), velocity, push);
    store_region(d, select(used_lanes, region, empty_region(d)), regions, at++);
}

template <class D>
ConeAnswers choose_all(D d, ConeKind kind, const std::vector<ConeCase>& all)
{
    using T = hn::TFromD<D>;
    using V = hn::Vec<D>;
    constexpr std::size_t kMost = 2 * 20 + 4;
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t columns = Regions<T>::kColumns + RegionScratch<T>::kColumns;
    auto memory = hwy::AllocateAligned<T>(columns * kMost * lanes);
    const Regions<T> regions(memory.get(), lanes);
    const RegionScratch<T> scratch(memory.get() + Regions<T>::kColumns * kMost * lanes, kMost,
                                   lanes);
    ConeAnswers out;
    for (std::size_t first = 0; first < all.size(); first += lanes) {
        const std::size_t used = std::min(lanes, all.size() - first);
        const ConeCase* cases = &all[first];
        std::size_t neighbours = 0, edges = 0, slots = 0;
        for (std::size_t l = 0; l < used; ++l) {
            neighbours = std::max(neighbours, cases[l].neighbours.size());
            edges = std::max(edges, cases[l].edges.size());
        }
        for (std::size_t i = 0; i < neighbours; ++i)
            add_pair(d, kind, cases, used, i, regions, slots);
        for (std::size_t i = 0; i < edges; ++i) add_edge(d, cases, used, i, regions, slots);

        const auto get = [&](auto value) { return gather(d, used, value); };
        const auto reach = [&](std::size_t l) {
            return cases[l].reach.value_or(VelocityDisc{{0.0, 0.0}, 1.0});
        };
        const Discs<D> discs{
            get([&](std::size_t l) { return cases[l].v_max; }),
            {get([&](std::size_t l) { return reach(l).centre.x; }),
             get([&](std::size_t l) { return reach(l).centre.y; })},
            get([&](std::size_t l) { return reach(l).radius; }),
            hn::Ne(get([&](std::size_t l) { return cases[l].reach ? 1.0 : 0.0; }), hn::Zero(d))};
        const Vec2<V> target{get([&](std::size_t l) { return cases[l].target.x; }),
                             get([&](std::size_t l) { return cases[l].target.y; })};
        const Vec2<V> tie{get([&](std::size_t l) { return cases[l].tie().x; }),
                          get([&](std::size_t l) { return cases[l].tie().y; })};
        const V scale = get([&](std::size_t l) { return cases[l].scale(kind); });
        const auto r = nearest_outside(d, regions, slots, discs, target, tie, scale, scratch,
                                       hn::FirstN(d, used));
        alignas(64) T x[hn::MaxLanes(d)], y[hn::MaxLanes(d)], distance[hn::MaxLanes(d)],
            feasible[hn::MaxLanes(d)];
        hn::Store(r.v.x, d, x);
        hn::Store(r.v.y, d, y);
        hn::Store(r.distance, d, distance);
        hn::Store(hn::IfThenElseZero(r.feasible, hn::Set(d, T(1))), d, feasible);
        for (std::size_t l = 0; l < used; ++l) {
            out.push_back({{x[l], y[l]}, distance[l], feasible[l] != T(0)});
        }
    }
    return out;
}

ConeAnswers choose_wide(ConeKind kind, const std::vector<ConeCase>& cases)
{
    return choose_all(hn::CappedTag<float, 8>(), kind, cases);
}
ConeAnswers choose_one(ConeKind kind, const std::vector<ConeCase>& cases)
{
    return choose_all(hn::CappedTag<float, 1>(), kind, cases);
}
ConeAnswers choose_double(ConeKind kind, const std::vector<ConeCase>& cases)
{
    return choose_all(hn::CappedTag<double, 1>(), kind, cases);
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sidestep {
HWY_EXPORT(choose_wide);
HWY_EXPORT(choose_one);
HWY_EXPORT(choose_double);

namespace test {
namespace {

constexpr std::size_t kCases = 2000;

const std::vector<ConeCase>& cone_cases()
{
    static const std::vector<ConeCase> all = [] {
        std::vector<ConeCase> list;
        for (std::uint64_t seed = 0; seed < kCases; ++seed) list.push_back(random_cone_case(seed));
        return list;
    }();
    return all;
}

/// What sampling forgives [m/s]: how deep the answer may be in something forbidden, how much nearer
/// a sampled velocity may be, and the clearance it must have itself.
struct Forgiven {
    double depth;
    double gain;
    double clearance;
};

/// In double: a millionth of a metre per second, whatever the speeds of the case.
Forgiven forgiven_in_double(double scale)
{
    return {.depth = 2e-9 * scale, .gain = 1e-6, .clearance = 0.0};
}

/// Float roundings are 6e-8 S and the chooser overlooks depths of 3e-6 S: its answer is the exact
/// one to cones that are off by less than this. A gap narrower than that may be missed.
Forgiven forgiven_in_float(double scale)
{
    return {.depth = 1e-5 * scale, .gain = 1e-5 * scale, .clearance = 1e-5 * scale};
}

void expect_best(ConeKind kind, const ConeAnswers& answers, Forgiven (*forgiven_at)(double))
{
    std::size_t feasible = 0, moved = 0;
    for (std::size_t seed = 0; seed < answers.size(); ++seed) {
        SCOPED_TRACE(std::string(name_of(kind)) + ", seed " + std::to_string(seed));
        const ConeCase& c = cone_cases()[seed];
        const ConeAnswer& answer = answers[seed];
        const double scale = c.scale(kind);
        const Forgiven forgiven = forgiven_at(scale);
        ConeOracle oracle(c, kind);
        if (answer.feasible) {
            ++feasible;
            moved += answer.distance > 1e-3;
            EXPECT_GE(oracle.clearance(answer.velocity), -forgiven.depth);
            EXPECT_TRUE(oracle.in_discs(answer.velocity, forgiven.depth));
            EXPECT_NEAR(size(answer.velocity - c.target), answer.distance, forgiven.depth);
        }
        const double beat = answer.feasible ? answer.distance - forgiven.gain : 2.0 * c.v_max + 3.0;
        const auto nearer = oracle.nearer(
            beat, answer.velocity,
            answer.feasible ? forgiven.clearance : std::max(forgiven.clearance, 1e-8 * scale));
        EXPECT_FALSE(nearer) << (answer.feasible ? "nearer" : "allowed") << ": (" << nearer->x
                             << ", " << nearer->y << "), answer (" << answer.velocity.x << ", "
                             << answer.velocity.y << ") at " << answer.distance;
        if (::testing::Test::HasFailure()) return;
    }
    std::printf("%s: %zu of %zu feasible, %zu of these off the target\n", name_of(kind), feasible,
                answers.size(), moved);
    EXPECT_GE(feasible, kCases / 4);
    EXPECT_GE(moved, kCases / 4);
    EXPECT_LE(feasible, kCases - kCases / 50);
}

TEST(ConeChooser, is_never_beaten_by_sampling)
{
    for (const ConeKind kind : kConeKinds) {
        expect_best(kind, HWY_DYNAMIC_DISPATCH(choose_double)(kind, cone_cases()),
                    forgiven_in_double);
    }
}

TEST(ConeChooser, in_float_is_beaten_by_no_more_than_roundings)
{
    for (const ConeKind kind : kConeKinds) {
        expect_best(kind, HWY_DYNAMIC_DISPATCH(choose_wide)(kind, cone_cases()), forgiven_in_float);
    }
}

TEST(ConeChooser, in_float_is_near_the_double_answer)
{
    for (const ConeKind kind : kConeKinds) {
        const ConeAnswers in_float = HWY_DYNAMIC_DISPATCH(choose_wide)(kind, cone_cases());
        const ConeAnswers in_double = HWY_DYNAMIC_DISPATCH(choose_double)(kind, cone_cases());
        std::size_t both = 0, far = 0, other_status = 0;
        for (std::size_t i = 0; i < kCases; ++i) {
            other_status += in_float[i].feasible != in_double[i].feasible;
            if (!in_float[i].feasible || !in_double[i].feasible) continue;
            ++both;
            const Vec2 off = in_float[i].velocity - in_double[i].velocity;
            far += size(off) > 1e-4 * cone_cases()[i].scale(kind);
        }
        std::printf("%s: feasible in both %zu, more than 1e-4 S apart %zu, other status %zu\n",
                    name_of(kind), both, far, other_status);
        EXPECT_LE(far, both / 100);
        EXPECT_LE(other_status, kCases / 100);
    }
}

/// Number of the first answer whose bits differ, or the number of answers.
std::size_t first_difference(const ConeAnswers& a, const ConeAnswers& b)
{
    for (std::size_t i = 0; i < a.size(); ++i) {
        const bool same = std::memcmp(&a[i].velocity, &b[i].velocity, sizeof(Vec2)) == 0 &&
                          a[i].distance == b[i].distance && a[i].feasible == b[i].feasible;
        if (!same) return i;
    }
    return a.size();
}

TEST(ConeChooser, has_the_same_bits_for_every_instruction_set_and_lane_count)
{
    std::size_t targets = 0;
    for (const ConeKind kind : kConeKinds) {
        const ConeAnswers expected = HWY_DYNAMIC_DISPATCH(choose_one)(kind, cone_cases());
        for_each_target([&](const char* name) {
            SCOPED_TRACE(std::string(name) + ", " + name_of(kind));
            ++targets;
            EXPECT_EQ(
                first_difference(expected, HWY_DYNAMIC_DISPATCH(choose_one)(kind, cone_cases())),
                kCases);
            EXPECT_EQ(
                first_difference(expected, HWY_DYNAMIC_DISPATCH(choose_wide)(kind, cone_cases())),
                kCases);
        });
    }
    EXPECT_GE(targets, 4u);
}

}  // namespace
}  // namespace test
}  // namespace sidestep
#endif
