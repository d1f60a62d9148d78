// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The float lanes of a step: every instruction set and every number of lanes gives the same bits,
// and the answers agree with double precision as far as float can.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "property/lanes_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/aligned_allocator.h>

#include <cstring>
#include <vector>

#include "constraints/velocity_obstacle-inl.hpp"
#include "constraints/wall_lines-inl.hpp"
#include "property/program_cases.hpp"
#include "solvers/program-inl.hpp"

#ifndef SIDESTEP_LANES_TEST_TYPES
#define SIDESTEP_LANES_TEST_TYPES
namespace sidestep::test {

/// The numbers a lane computed, whatever they mean; compared bit for bit.
using LaneValues = std::vector<float>;

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

using test::LaneValues;
using test::PairCase;
using test::ProgramCase;
using test::WallCase;

/// Loads one member of up to Lanes(d) cases; lanes beyond the last repeat it.
template <class D, class Case, class Member>
hn::Vec<D> load(D d, const std::vector<Case>& cases, std::size_t first, Member member)
{
    alignas(64) float lane[hn::MaxLanes(d)];
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        lane[l] = cases[std::min(first + l, cases.size() - 1)].*member;
    return hn::Load(d, lane);
}

/// Appends the columns of `values` for the lanes that hold cases, case by case.
template <class D, std::size_t N>
void append(D d, const hn::Vec<D> (&values)[N], std::size_t count, LaneValues& out)
{
    alignas(64) float lane[N][hn::MaxLanes(d)];
    for (std::size_t k = 0; k < N; ++k) hn::Store(values[k], d, lane[k]);
    for (std::size_t l = 0; l < count; ++l) {
        for (std::size_t k = 0; k < N; ++k) out.push_back(lane[k][l] + 0.0f);
    }
}

template <class D>
hn::Vec<D> flag(D d, hn::Mask<D> mask)
{
    return hn::IfThenElseZero(mask, hn::Set(d, 1.0f));
}

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

/// v, t_hard, t_soft, relaxed, discs_apart of each case. Lanes hold different cases with different
/// numbers of lines; lanes without a case are inactive.
template <class D>
LaneValues program_values(D d, const std::vector<ProgramCase>& cases)
{
    using V = hn::Vec<D>;
    const std::size_t lanes = hn::Lanes(d);
    LaneValues out;
    for (std::size_t first = 0; first < cases.size(); first += lanes) {
        const std::size_t used = std::min(lanes, cases.size() - first);
        std::size_t hard_slots = 0;
        std::size_t soft_slots = 0;
        for (std::size_t l = 0; l < used; ++l) {
            const auto& lines = cases[first + l].lines;
            const auto hard = static_cast<std::size_t>(std::count_if(
                lines.begin(), lines.end(), [](const auto& line) { return line.hard; }));
            hard_slots = std::max(hard_slots, hard);
            soft_slots = std::max(soft_slots, lines.size() - hard);
        }
        const std::size_t slots = hard_slots + soft_slots;
        hwy::AlignedFreeUniquePtr<float[]> memory =
            hwy::AllocateAligned<float>((3 + ProgramScratch<float>::kColumns) * slots * lanes + 64);
        float* nx = memory.get();
        float* ny = nx + slots * lanes;
        float* c = ny + slots * lanes;
        const ProgramScratch<float> scratch(c + slots * lanes, slots, lanes);
        std::fill(nx, c, 0.0f);
        std::fill(c, c + slots * lanes, static_cast<float>(kNoBound));
        alignas(64) float input[8][hn::MaxLanes(d)] = {};
        for (std::size_t l = 0; l < lanes; ++l) {
            if (l >= used) continue;
            const ProgramCase& from = cases[first + l];
            std::size_t next[2] = {hard_slots, 0};  // soft, hard
            for (const auto& line : from.lines) {
                const std::size_t at = next[line.hard ? 1 : 0]++ * lanes + l;
                nx[at] = static_cast<float>(line.normal.x);
                ny[at] = static_cast<float>(line.normal.y);
                c[at] =
                    static_cast<float>(line.normal.x * line.point.x + line.normal.y * line.point.y);
            }
            const auto disc = from.acceleration.value_or(VelocityDisc{});
            const double column[8] = {
                from.v_max,       disc.centre.x,    disc.centre.y, disc.radius,
                from.preferred.x, from.preferred.y, from.scale(),  from.acceleration ? 1.0 : 0.0};
            for (std::size_t k = 0; k < 8; ++k) input[k][l] = static_cast<float>(column[k]);
        }
        const auto get = [&](std::size_t k) HWY_ATTR { return hn::Load(d, input[k]); };
        const Discs<D> discs{get(0), {get(1), get(2)}, get(3), hn::Ne(get(7), hn::Zero(d))};
        const auto r = solve_program(d, ProgramLines<float>{nx, ny, c}, hard_slots, slots, discs,
                                     Vec2<V>{get(4), get(5)}, get(6), scratch, hn::FirstN(d, used));
        const V values[] = {
            r.v.x, r.v.y, r.t_hard, r.t_soft, flag(d, r.relaxed), flag(d, r.discs_apart)};
        append(d, values, used, out);
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
LaneValues programs_wide(const std::vector<ProgramCase>& cases)
{
    return program_values(hn::CappedTag<float, 8>(), cases);
}
LaneValues programs_one(const std::vector<ProgramCase>& cases)
{
    return program_values(hn::CappedTag<float, 1>(), cases);
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <gtest/gtest.h>

namespace sidestep {
HWY_EXPORT(pairs_wide);
HWY_EXPORT(pairs_one);
HWY_EXPORT(walls_wide);
HWY_EXPORT(walls_one);
HWY_EXPORT(programs_wide);
HWY_EXPORT(programs_one);

namespace test {
namespace {

/// Calls visit(name) once for each instruction set this machine runs and the test was compiled for.
template <class Visit>
void for_each_target(Visit&& visit)
{
    const std::int64_t all = hwy::SupportedTargets() & HWY_TARGETS;
    for (std::int64_t rest = all; rest != 0; rest &= rest - 1) {
        const std::int64_t target = rest & -rest;
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        visit(hwy::TargetName(static_cast<std::uint32_t>(target)));
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// Number of the first value whose bits differ, or the number of values.
std::size_t first_difference(const LaneValues& a, const LaneValues& b)
{
    const std::size_t n = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < n; ++i) {
        if (std::memcmp(&a[i], &b[i], sizeof(float)) != 0) return i;
    }
    return n;
}

void expect_same_bits(const LaneValues& a, const LaneValues& b, std::size_t per_case)
{
    ASSERT_EQ(a.size(), b.size());
    const std::size_t i = first_difference(a, b);
    if (i < a.size())
        ADD_FAILURE() << "seed " << i / per_case << ", value " << i % per_case << ": " << a[i]
                      << " and " << b[i];
}

std::vector<ProgramCase> program_cases(std::size_t count)
{
    std::vector<ProgramCase> cases;
    for (std::uint64_t seed = 0; seed < count; ++seed) cases.push_back(random_case(seed));
    return cases;
}

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
    const auto vertex = [&] { return rounded({random.uniform(-3, 3), random.uniform(-3, 3)}); };
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

TEST(Lanes, programs_have_the_same_bits_for_every_instruction_set_and_lane_count)
{
    const std::vector<ProgramCase> cases = program_cases(9999);
    const LaneValues expected = HWY_DYNAMIC_DISPATCH(programs_one)(cases);
    std::size_t targets = 0;
    for_each_target([&](const char* name) {
        SCOPED_TRACE(name);
        ++targets;
        expect_same_bits(expected, HWY_DYNAMIC_DISPATCH(programs_one)(cases), 6);
        expect_same_bits(expected, HWY_DYNAMIC_DISPATCH(programs_wide)(cases), 6);
    });
    EXPECT_GE(targets, 1u);
}

/// [S] Float roundings are 6e-8 S; sums of three products carry up to ten of them, and the solver
/// overlooks violations of 3e-6 S. So a float answer is the exact answer to a program whose lines
/// are off by less than this, and that is what is asked of it. Its distance from the double answer
/// is no measure: where a program is infeasible or lines are nearly parallel, the exact answer
/// itself moves by 0.01 m/s and more when lines move by 1e-6.
constexpr Forgiven kFloatForgiven{.relaxation = 4e-6, .rounding = 4e-6, .distance = 4e-6};

TEST(Lanes, float_answers_are_as_good_as_double_ones)
{
    const std::vector<ProgramCase> cases = program_cases(10000);
    const LaneValues floats = HWY_DYNAMIC_DISPATCH(programs_wide)(cases);
    std::size_t feasible = 0, feasible_far = 0, same_status = 0;
    for (std::size_t seed = 0; seed < cases.size(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const ProgramCase& c = cases[seed];
        const float* f = &floats[6 * seed];
        const ProgramSolution in_float{{f[0], f[1]}, f[2], f[3], f[4] > 0.0f, f[5] > 0.0f};
        const auto in_double = solve_program(c.program());
        ASSERT_TRUE(in_double);
        ASSERT_EQ(in_float.discs_apart, in_double->discs_apart);
        if (in_double->discs_apart) {
            ASSERT_LE(distance(in_float.velocity, in_double->velocity), 1e-6);
            continue;
        }
        const double scale = c.scale();
        const std::vector<Bound> bounds = bounds_of(c);
        ASSERT_LE(std::sqrt(dot(in_float.velocity, in_float.velocity)), c.v_max * (1.0 + 2e-7));
        ASSERT_LE(outside_discs(c, in_float.velocity), 6e-7 * scale);  // ten roundings
        ASSERT_NEAR(in_float.t_hard, in_double->t_hard, 4e-6 * scale);
        ASSERT_LE(worst_violation(bounds, in_float.velocity, true), in_float.t_hard + 1e-5 * scale);
        ASSERT_LE(worst_violation(bounds, in_float.velocity, false),
                  in_float.t_soft + 1e-5 * scale);
        const Better better = find_better(c, bounds, in_float, kFloatForgiven, 200);
        ASSERT_EQ(better.reason, nullptr)
            << better.reason << ": (" << better.velocity.x << ", " << better.velocity.y
            << ") against (" << f[0] << ", " << f[1] << ")";
        same_status += in_float.relaxed == in_double->relaxed;
        if (in_float.relaxed || in_double->relaxed) continue;
        ++feasible;
        feasible_far += distance(in_float.velocity, in_double->velocity) > 1e-5 * scale;
    }
    std::printf(
        "feasible in both %zu, of these %zu with velocities more than 1e-5 S apart; same status "
        "%zu\n",
        feasible, feasible_far, same_status);
    EXPECT_LE(feasible_far, feasible / 100);
    EXPECT_GE(same_status, (cases.size() - 300) * 95 / 100);
}

}  // namespace
}  // namespace test
}  // namespace sidestep
#endif
