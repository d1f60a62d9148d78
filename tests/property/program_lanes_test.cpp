// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The program in the float lanes of a step: every instruction set and every number of lanes gives
// the same bits, and the answers agree with double precision as far as float can.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "property/program_lanes_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/aligned_allocator.h>

#include <cstdio>
#include <vector>

#include "property/lanes-inl.hpp"
#include "property/program_cases.hpp"
#include "solvers/program-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

using test::ProgramCase;

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
namespace sidestep {
HWY_EXPORT(programs_wide);
HWY_EXPORT(programs_one);

namespace test {
namespace {

std::vector<ProgramCase> program_cases(std::size_t count)
{
    std::vector<ProgramCase> cases;
    for (std::uint64_t seed = 0; seed < count; ++seed) cases.push_back(random_case(seed));
    return cases;
}

TEST(ProgramLanes, programs_have_the_same_bits_for_every_instruction_set_and_lane_count)
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

void expect_floats_as_good_as_double(std::size_t count)
{
    const std::vector<ProgramCase> cases = program_cases(count);
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
        // What double can keep to, floats give up by no more than the margin.
        if (!in_double->relaxed) {
            ASSERT_LE(std::max(in_float.t_hard, in_float.t_soft),
                      kFloatForgiven.relaxation * scale);
        }
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
    // Discs are apart in some 3 %.
    EXPECT_GE(same_status, (cases.size() - cases.size() * 3 / 100) * 95 / 100);
}

TEST(ProgramLanes, float_answers_are_as_good_as_double_ones)
{
    expect_floats_as_good_as_double(10000);
}

TEST(ProgramLanesLong, float_answers_are_as_good_as_double_ones_in_100000_cases)
{
    expect_floats_as_good_as_double(100000);
}

}  // namespace
}  // namespace test
}  // namespace sidestep
#endif
