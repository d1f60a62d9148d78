// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The program in double against an oracle: no velocity among all possible optima and among dense
// samples may be better than the one the solver found, stage by stage.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "property/program_cases.hpp"

namespace sidestep::test {
namespace {

constexpr std::uint64_t kCases = 10000;
/// [S] What counts as violated in double.
constexpr double kViolation = 1e-9;
constexpr Forgiven kForgiven{.relaxation = 1e-10, .rounding = 1e-11, .distance = 1e-9};

ProgramSolution solved(const ProgramCase& c)
{
    const auto solution = solve_program(c.program());
    EXPECT_TRUE(solution) << (solution ? "" : solution.error().message);
    return solution ? *solution : ProgramSolution{};
}

void expect_within_limits(const ProgramCase& c, const std::vector<Bound>& bounds,
                          const ProgramSolution& s)
{
    const double scale = c.scale();
    EXPECT_LE(outside_discs(c, s.velocity), 1e-13 * scale);
    // A relaxation of up to kViolation counts as none, lines move back by one more, and the walk
    // allows one.
    const auto allowed = [&](double t) { return t + (t > 0.0 ? 2.01 : 3.01) * kViolation * scale; };
    EXPECT_LE(worst_violation(bounds, s.velocity, true), allowed(s.t_hard));
    EXPECT_LE(worst_violation(bounds, s.velocity, false), allowed(s.t_soft));
    EXPECT_EQ(s.relaxed, s.t_hard > 0.0 || s.t_soft > 0.0);
}

TEST(VelocityProgram, no_possible_optimum_and_no_sample_beats_the_solution)
{
    std::size_t infeasible = 0, hard = 0, with_reach = 0, apart = 0;
    std::size_t parallel_hard = 0, parallel_soft = 0, duplicate_hard = 0, duplicate_soft = 0;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const ProgramCase c = random_case(seed);
        const ProgramSolution s = solved(c);
        infeasible += s.relaxed;
        hard += c.has_hard();
        with_reach += c.acceleration.has_value();
        apart += s.discs_apart;
        parallel_hard += c.near_parallel_hard;
        parallel_soft += c.near_parallel_soft;
        duplicate_hard += c.duplicate_hard;
        duplicate_soft += c.duplicate_soft;
        if (s.discs_apart) continue;
        const std::vector<Bound> bounds = bounds_of(c);
        expect_within_limits(c, bounds, s);
        const Better better = find_better(c, bounds, s, kForgiven, 1000);
        ASSERT_EQ(better.reason, nullptr)
            << better.reason << ": (" << better.velocity.x << ", " << better.velocity.y
            << ") against (" << s.velocity.x << ", " << s.velocity.y << ")";
        if (::testing::Test::HasFailure()) return;
    }
    std::printf(
        "%zu of %zu infeasible, %zu with hard lines, %zu with an acceleration disc (%zu apart), "
        "near-parallel "
        "%zu hard %zu soft, duplicate %zu hard %zu soft\n",
        infeasible, static_cast<std::size_t>(kCases), hard, with_reach, apart, parallel_hard,
        parallel_soft, duplicate_hard, duplicate_soft);
    EXPECT_GE(infeasible, kCases * 40 / 100);
    EXPECT_GE(kCases - infeasible, kCases * 20 / 100);
    EXPECT_GE(hard, kCases * 30 / 100);
    EXPECT_GE(with_reach, kCases * 30 / 100);
    EXPECT_GE(apart, kCases / 200);
    for (const std::size_t n : {parallel_hard, parallel_soft, duplicate_hard, duplicate_soft}) {
        EXPECT_GE(n, kCases * 5 / 100);
    }
}

/// Lines nearly parallel with a sine down to 1e-12 meet at a place that roundings of 1e-16 move by
/// up to 1e-4, so the velocity itself is compared where no such pair decides, and what it costs
/// everywhere.
TEST(VelocityProgram, the_order_of_lines_does_not_matter)
{
    std::size_t moved = 0, flipped = 0, compared = 0;
    for (std::uint64_t seed = 0; seed < kCases; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        ProgramCase c = random_case(seed);
        const ProgramSolution before = solved(c);
        SeededRandom random(seed + 77777);
        for (std::size_t i = c.lines.size(); i > 1; --i)
            std::swap(c.lines[i - 1], c.lines[random.below(i)]);
        const ProgramSolution after = solved(c);
        const double scale = c.scale();
        ASSERT_EQ(before.discs_apart, after.discs_apart);
        flipped += before.relaxed != after.relaxed;  // t at the very size that counts as none
        ASSERT_NEAR(before.t_hard, after.t_hard, 1e-11 * scale);
        // A hard line overlooked by 1e-9 lets soft lines that meet it at a small angle gain a
        // multiple of that.
        ASSERT_NEAR(before.t_soft, after.t_soft, 1e-7 * scale);
        ASSERT_NEAR(distance(before.velocity, c.preferred), distance(after.velocity, c.preferred),
                    1e-6 * scale);
        ++compared;
        moved += distance(before.velocity, after.velocity) > 1e-7 * scale;
    }
    std::printf("%zu of %zu velocities moved by more than 1e-7, %zu status flipped\n", moved,
                compared, flipped);
    EXPECT_LE(moved, compared / 1000);
    EXPECT_LE(flipped, compared / 1000);
}

}  // namespace
}  // namespace sidestep::test
