// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// One step of an agent with a personality, [LI13] §3.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Two people of radius 0.4 m who walk towards each other, 5 m apart.
struct Meeting {
    std::vector<OrcaNeighbour> neighbours;
    std::vector<WallPolygon> walls;
    LiStep step{.agent = {{0.0, 0.0}, {1.2, 0.0}, 0.4, 0},
                .neighbours = {},
                .walls = {},
                .tau = 6.0,
                .tau_o = 2.0,
                .t_res = 0.5,
                .dt = 0.5,
                .v_max = 5.0,
                .a_max = 0.05,
                .alpha = 0.4,
                .preferred = {1.2, 0.0}};

    Meeting() { neighbours.push_back({{{5.0, 0.1}, {-1.2, 0.0}, 0.4, 1}, 0.35}); }

    Result<LiVelocities> solve()
    {
        step.neighbours = neighbours;
        step.walls = walls;
        return li_step(step);
    }
};

double length(Vec2 v)
{
    return std::sqrt(v.x * v.x + v.y * v.y);
}

TEST(LiStep, takes_its_share_of_the_change_when_nothing_else_is_in_the_way)
{
    // [LI13] eqs. (7) and (8): one neighbour on a collision course, calm = v + w u.
    Meeting m;
    const auto line = orca_line(m.step.agent, m.neighbours[0].disc, 6.0, 0.5, 0.35);
    const auto v = m.solve();
    EXPECT_NEAR(v->calm.x, 1.2 + 0.35 * line->u.x, 1e-12);
    EXPECT_NEAR(v->calm.y, 0.35 * line->u.y, 1e-12);
    EXPECT_FALSE(v->relaxed);
}

TEST(LiStep, without_neighbours_stays_calm_at_the_present_velocity)
{
    Meeting m;
    m.neighbours.clear();
    m.step.preferred = {0.0, 1.0};
    m.step.a_max = kInf;
    const auto v = m.solve();
    EXPECT_EQ(v->calm, (Vec2{1.2, 0.0}));
    EXPECT_EQ(v->goal, (Vec2{0.0, 1.0}));
    EXPECT_NEAR(v->set.x, 0.4 * 1.2, 1e-15);
    EXPECT_NEAR(v->set.y, 0.6, 1e-15);
    EXPECT_EQ(v->next, v->set);
}

TEST(LiStep, follows_only_the_goal_at_alpha_0_and_only_the_calm_at_alpha_1)
{
    Meeting m;
    m.step.preferred = {0.3, 0.9};
    m.step.alpha = 0.0;
    const auto eager = m.solve();
    EXPECT_EQ(eager->set, eager->goal);
    m.step.alpha = 1.0;
    const auto calm = m.solve();
    EXPECT_EQ(calm->set, calm->calm);
    EXPECT_NE(calm->set, eager->set);
}

TEST(LiStep, does_not_move_its_velocity_without_acceleration)
{
    Meeting m;
    m.step.a_max = 0.0;
    EXPECT_EQ(m.solve()->next, (Vec2{1.2, 0.0}));
    m.step.a_max = 0.05;
    EXPECT_NEAR(length(m.solve()->next - Vec2{1.2, 0.0}), 0.025, 1e-15);
}

TEST(LiStep, of_a_privileged_agent_stays_as_it_is_and_its_partner_takes_all)
{
    Meeting m;
    m.neighbours[0].share = 0.0;
    EXPECT_NEAR(length(m.solve()->calm - Vec2{1.2, 0.0}), 0.0, 1e-12);
    m.neighbours[0].share = 1.0;
    const auto line = orca_line(m.step.agent, m.neighbours[0].disc, 6.0, 0.5, 1.0);
    EXPECT_NEAR(m.solve()->calm.y, line->u.y, 1e-12);
}

TEST(LiStep, where_nothing_is_allowed_moves_all_neighbours_back_by_the_same_least_distance)
{
    // Two people close in from both sides faster than v_max lets anybody escape.
    Meeting m;
    m.neighbours = {{{{1.0, 0.0}, {-6.0, 0.0}, 0.4, 1}, 1.0},
                    {{{-1.0, 0.0}, {6.0, 0.0}, 0.4, 2}, 1.0}};
    m.step.v_max = 0.5;
    m.step.agent.velocity = {0.0, 0.3};
    m.step.preferred = {0.5, 0.0};
    const auto v = m.solve();
    ASSERT_TRUE(v);
    EXPECT_TRUE(v->relaxed);
    std::vector<HalfPlane> lines;
    for (const OrcaNeighbour& nb : m.neighbours) {
        const auto line = orca_line(m.step.agent, nb.disc, 6.0, 0.5, 1.0);
        lines.push_back({line->point, line->normal, false});
    }
    for (const Vec2 wish : {m.step.agent.velocity, m.step.preferred}) {
        const auto relaxed = solve_program({lines, 0.5, wish, std::nullopt});
        EXPECT_GT(relaxed->t_soft, 0.1);
        EXPECT_EQ(relaxed->velocity, wish == m.step.preferred ? v->goal : v->calm);
    }
    EXPECT_LE(length(v->set), 0.5 + 1e-9);
}

TEST(LiStep, keeps_to_walls)
{
    Meeting m;
    m.neighbours.clear();
    m.walls = {{{1.0, -5.0}, {1.0, 5.0}}};
    m.step.a_max = kInf;
    const auto v = m.solve();
    EXPECT_NEAR(v->set.x, (1.0 - 0.4) / 2.0, 1e-12);
    EXPECT_NEAR(v->set.y, 0.0, 1e-12);
}

TEST(LiStep, takes_overlapping_and_coincident_neighbours)
{
    Meeting m;
    m.neighbours[0].disc.position = {0.1, 0.0};
    EXPECT_TRUE(m.solve());
    m.neighbours[0].disc = {{0.0, 0.0}, {1.2, 0.0}, 0.4, 1};
    const auto v = m.solve();
    ASSERT_TRUE(v);
    EXPECT_TRUE(std::isfinite(v->next.x) && std::isfinite(v->next.y));
}

TEST(LiStep, rejects_bad_input)
{
    const auto rejects = [](auto&& spoil) {
        Meeting m;
        spoil(m);
        return !m.solve();
    };
    EXPECT_TRUE(rejects([](Meeting& m) { m.step.tau = 0.0; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.step.t_res = 0.0; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.step.dt = -0.5; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.step.alpha = 1.01; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.step.alpha = -0.01; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.step.a_max = -1.0; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.step.v_max = -1.0; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.step.v_max = kInf; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.step.preferred = {kNan, 0.0}; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.step.agent.radius = -0.1; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.neighbours[0].share = 1.5; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.neighbours[0].disc.velocity = {kInf, 0.0}; }));
    EXPECT_TRUE(rejects([](Meeting& m) { m.walls = {{{1.0, 1.0}}}; }));
}

}  // namespace
}  // namespace sidestep
