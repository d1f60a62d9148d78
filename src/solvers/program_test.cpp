// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Programs with a known answer, most of them degenerate.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

using Lines = std::vector<HalfPlane>;

ProgramSolution solved(const Lines& lines, double v_max, Vec2 preferred,
                       std::optional<VelocityDisc> acceleration = std::nullopt)
{
    const auto solution = solve_program({lines, v_max, preferred, acceleration});
    EXPECT_TRUE(solution) << (solution ? "" : solution.error().message);
    return solution ? *solution : ProgramSolution{};
}

void expect_near(Vec2 a, Vec2 b, double tol)
{
    EXPECT_NEAR(a.x, b.x, tol);
    EXPECT_NEAR(a.y, b.y, tol);
}

TEST(Program, without_lines_projects_on_the_discs)
{
    expect_near(solved({}, 2, {0, 0}).velocity, {0, 0}, 0);
    expect_near(solved({}, 2, {3, 4}).velocity, {1.2, 1.6}, 1e-15);
    expect_near(solved({}, 0, {3, 4}).velocity, {0, 0}, 0);
    expect_near(solved({}, 2, {3, 0}, VelocityDisc{{1, 0}, 0.5}).velocity, {1.5, 0}, 1e-15);
    // Neither projection is in the other disc: a corner of the lens.
    const Vec2 corner = solved({}, 1, {1, 5}, VelocityDisc{{1, 0}, 1}).velocity;
    expect_near(corner, {0.5, std::sqrt(0.75)}, 1e-15);
}

TEST(Program, handles_discs_that_contain_each_other_or_coincide)
{
    expect_near(solved({}, 1, {5, 0}, VelocityDisc{{0, 0}, 1}).velocity, {1, 0}, 1e-15);
    expect_near(solved({}, 1, {5, 0}, VelocityDisc{{0, 0}, 3}).velocity, {1, 0}, 1e-15);
    expect_near(solved({}, 3, {5, 0}, VelocityDisc{{0, 0}, 1}).velocity, {1, 0}, 1e-15);
    const Lines line{{{0, 3}, {0, 1}, false}};
    const auto s = solved(line, 1, {0.3, 0}, VelocityDisc{{0, 0}, 1});
    EXPECT_NEAR(s.t_soft, 2.0, 1e-12);
    expect_near(s.velocity, {0, 1}, 1e-3);
}

TEST(Program, with_discs_that_touch_has_one_answer)
{
    const auto s = solved({}, 1, {-3, 4}, VelocityDisc{{3, 0}, 2});
    EXPECT_FALSE(s.discs_apart);
    expect_near(s.velocity, {1, 0}, 1e-15);
    const Lines line{{{0, 1}, {0, 1}, true}};
    const auto with_line = solved(line, 1, {-3, 4}, VelocityDisc{{3, 0}, 2});
    EXPECT_NEAR(with_line.t_hard, 1.0, 1e-7);
    expect_near(with_line.velocity, {1, 0}, 1e-7);
}

TEST(Program, with_discs_apart_brakes_and_ignores_the_lines)
{
    const Lines line{{{0, 0.5}, {0, 1}, true}};
    const auto s = solved(line, 1, {1, 0}, VelocityDisc{{0, -3}, 0.5});
    EXPECT_TRUE(s.discs_apart);
    EXPECT_TRUE(s.relaxed);
    EXPECT_EQ(s.t_hard, 0.0);
    expect_near(s.velocity, {0, -2.5}, 1e-15);
}

TEST(Program, with_no_room_to_accelerate_keeps_the_velocity)
{
    const Lines line{{{0, 1}, {0, 1}, false}};
    const auto s = solved(line, 2, {1, 1}, VelocityDisc{{0.5, 0.25}, 0});
    expect_near(s.velocity, {0.5, 0.25}, 1e-15);
    EXPECT_NEAR(s.t_soft, 0.75, 1e-15);
    const auto standing = solved(line, 0, {1, 1});
    expect_near(standing.velocity, {0, 0}, 0);
    EXPECT_NEAR(standing.t_soft, 1.0, 1e-15);
}

TEST(Program, is_ok_when_a_line_only_touches_the_disc)
{
    const Lines line{{{0, 2}, {0, 1}, false}};
    const auto s = solved(line, 2, {1, 0});
    EXPECT_FALSE(s.relaxed);
    expect_near(s.velocity, {0, 2}, 1e-4);
}

TEST(Program, meets_three_lines_in_one_point)
{
    const double h = std::sqrt(0.75);
    const Lines lines{{{0.1, 0.2}, {1, 0}, false},
                      {{0.1, 0.2}, {-0.5, h}, false},
                      {{0.1, 0.2}, {-0.5, -h}, true}};
    Lines order = lines;
    std::sort(order.begin(), order.end(),
              [](const auto& a, const auto& b) { return a.normal.y < b.normal.y; });
    for (const Lines& l : {lines, order}) {
        const auto s = solved(l, 2, {1, 1});
        EXPECT_FALSE(s.relaxed);
        expect_near(s.velocity, {0.1, 0.2}, 1e-8);
    }
}

TEST(Program, takes_among_all_least_violations_the_one_nearest_to_the_preferred_velocity)
{
    // A corridor of width -1: every v on the middle line violates both sides by 0.5.
    const Lines lines{{{0, 0.5}, {0, 1}, false}, {{0, -0.5}, {0, -1}, false}};
    for (const double x : {-1.5, -0.3, 0.0, 0.7, 1.9}) {
        const auto s = solved(lines, 2, {x, 0.4});
        EXPECT_NEAR(s.t_soft, 0.5, 1e-12);
        expect_near(s.velocity, {x, 0}, 1e-8);
    }
}

TEST(Program, gives_up_soft_lines_before_hard_ones)
{
    const Lines lines{{{0, 1}, {0, 1}, false}, {{0, -1}, {0, -1}, true}};
    const auto s = solved(lines, 2, {0.5, 0});
    EXPECT_EQ(s.t_hard, 0.0);
    EXPECT_NEAR(s.t_soft, 2.0, 1e-12);
    expect_near(s.velocity, {0.5, -1}, 1e-8);
}

TEST(Program, relaxes_hard_lines_first_then_soft_ones)
{
    const Lines lines{{{0, 0.5}, {0, 1}, true},
                      {{0, -0.5}, {0, -1}, true},
                      {{0.6, 0}, {1, 0}, false},
                      {{-0.2, 0}, {-1, 0}, false}};
    const auto s = solved(lines, 2, {1, 0.7});
    EXPECT_NEAR(s.t_hard, 0.5, 1e-12);
    EXPECT_NEAR(s.t_soft, 0.4, 1e-12);
    expect_near(s.velocity, {0.2, 0}, 1e-8);
}

TEST(Program, is_not_disturbed_by_a_line_that_is_there_twice)
{
    const HalfPlane hard{{0, 1}, {0, 1}, true};
    const HalfPlane soft{{0, -1}, {0, -1}, false};
    const auto once = solved({hard, soft}, 2, {0.7, 0.1});
    const auto twice = solved({soft, hard, hard, soft, hard, soft}, 2, {0.7, 0.1});
    EXPECT_DOUBLE_EQ(once.t_soft, twice.t_soft);
    expect_near(once.velocity, twice.velocity, 1e-12);
}

TEST(Program, counts_a_relaxation_below_the_tolerance_as_none)
{
    const Lines barely{{{0, 5e-10}, {0, 1}, false}, {{0, -5e-10}, {0, -1}, false}};
    const auto ok = solved(barely, 1, {0.5, 0});
    EXPECT_FALSE(ok.relaxed);
    EXPECT_EQ(ok.t_soft, 0.0);
    expect_near(ok.velocity, {0.5, 0}, 1e-8);
    const Lines clearly{{{0, 5e-9}, {0, 1}, false}, {{0, -5e-9}, {0, -1}, false}};
    EXPECT_TRUE(solved(clearly, 1, {0.5, 0}).relaxed);
}

TEST(Program, stays_sane_with_hundreds_of_lines)
{
    Lines lines;
    for (int i = 0; i < 400; ++i) {
        const double a = i * 0.37;
        lines.push_back(
            {{0.3 * std::cos(a), 0.3 * std::sin(a)}, {std::cos(a), std::sin(a)}, i % 3 == 0});
    }
    const auto s = solved(lines, 2, {1, 0});
    EXPECT_NEAR(s.t_hard, 0.3, 1e-3);  // lines all round: 0 is best
    EXPECT_LT(std::hypot(s.velocity.x, s.velocity.y), 0.02);
}

TEST(Program, rejects_bad_input)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Lines zero_normal{{{0, 0}, {0, 0}, false}};
    const Lines long_normal{{{0, 0}, {0, 2}, false}};
    const Lines nan_point{{{nan, 0}, {0, 1}, false}};
    EXPECT_FALSE(solve_program({zero_normal, 1, {}, {}}));
    EXPECT_FALSE(solve_program({long_normal, 1, {}, {}}));
    EXPECT_FALSE(solve_program({nan_point, 1, {}, {}}));
    EXPECT_FALSE(solve_program({{}, -1, {}, {}}));
    EXPECT_FALSE(solve_program({{}, nan, {}, {}}));
    EXPECT_FALSE(solve_program({{}, 1, {nan, 0}, {}}));
    EXPECT_FALSE(solve_program({{}, 1, {}, VelocityDisc{{}, -1}}));
}

TEST(OrcaStep, stands_still_between_neighbours_that_leave_no_way)
{
    std::vector<OrcaNeighbour> ring;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const double a = 0.7853981633974483 * i;
        ring.push_back({{{1.01 * std::cos(a), 1.01 * std::sin(a)}, {}, 0.5, i + 1}, 1.0});
    }
    const auto s = orca_step({.agent = {{0, 0}, {}, 0.5, 0},
                              .neighbours = ring,
                              .walls = {},
                              .tau = 2,
                              .tau_o = 1,
                              .dt = 0.1,
                              .v_max = 2,
                              .preferred = {1, 0}});
    ASSERT_TRUE(s);
    EXPECT_LT(std::hypot(s->velocity.x, s->velocity.y), 0.01);
}

TEST(OrcaStep, rejects_a_bad_wall_and_a_bad_share)
{
    OrcaStep step{.agent = {{0, 0}, {}, 0.5, 0},
                  .neighbours = {},
                  .walls = {},
                  .tau = 2,
                  .tau_o = 1,
                  .dt = 0.1,
                  .v_max = 2,
                  .preferred = {}};
    EXPECT_TRUE(orca_step(step));
    const std::vector<WallPolygon> point{{{1, 1}}};
    step.walls = point;
    EXPECT_FALSE(orca_step(step));
    step.walls = {};
    const std::vector<OrcaNeighbour> greedy{{{{3, 0}, {}, 0.5, 1}, 2.0}};
    step.neighbours = greedy;
    EXPECT_FALSE(orca_step(step));
}

}  // namespace
}  // namespace sidestep
