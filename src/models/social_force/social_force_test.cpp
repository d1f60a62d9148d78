// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/social_force/social_force.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sidestep/forces.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

class SocialForce : public WorldTest {};

/// One part of a step.
constexpr double kStep = 0.05;
constexpr double kTau = 0.5;
/// Rounding of a velocity of up to 1 m/s that is made in floats.
constexpr double kFloat = 2e-6;

/// What is left of a push after one step of one part: tau (1 - e^(-dt / tau)).
double kept(double dt = kStep)
{
    return kTau * (1.0 - std::exp(-dt / kTau));
}

double norm(Vec2 v)
{
    return std::hypot(v.x, v.y);
}

/// A world whose agents are discs of 0.25 m that follow forces.
struct Scene {
    World world;
    ProfileId profile{};

    explicit Scene(std::vector<ParamValue> more = {}, double dt = kStep)
        // The model by itself.
        : world(make_world({.dt = dt, .deadlock_policy = false, .threads = 1}))
    {
        std::vector<ParamValue> values{{"radius", 0.25}, {"max_speed", 3.0}};
        values.insert(values.end(), more.begin(), more.end());
        profile = must(world.add_profile({.model = "social_force", .values = values}));
    }
    AgentHandle add(Vec2 at, Vec2 velocity = {})
    {
        return must(world.add({.position = at, .velocity = velocity, .profile = profile}));
    }
    AgentHandle add_to(Vec2 at, Vec2 goal, Vec2 velocity = {})
    {
        return must(
            world.add({.position = at, .velocity = velocity, .goal = goal, .profile = profile}));
    }
    Vec2 velocity(AgentHandle agent) { return must(world.agent(agent)).velocity; }
    Vec2 position(AgentHandle agent) { return must(world.agent(agent)).position; }
    /// Velocity of an agent after one step.
    Vec2 step(AgentHandle agent)
    {
        EXPECT_FALSE(world.step().fault);
        return velocity(agent);
    }
};

void expect_near(Vec2 got, Vec2 want, double tolerance)
{
    EXPECT_NEAR(got.x, want.x, tolerance);
    EXPECT_NEAR(got.y, want.y, tolerance);
}

// verification: core-12, at every length of a step. It is exact but for the rounding of up to
// 8,000 steps in floats.
TEST_F(SocialForce, approaches_the_free_speed_exponentially_whatever_the_step)
{
    for (const double dt : {0.001, 0.01, 0.05, 0.06, 0.1, 0.25}) {
        for (const double tau : {0.1, 0.5, 2.0}) {
            for (const double contact : {0.0, 1.0}) {
                SCOPED_TRACE(std::to_string(dt) + " " + std::to_string(tau));
                Scene scene({{"relaxation_time", tau}, {"contact", contact}}, dt);
                const AgentHandle agent = scene.add_to({0, 0}, {1000, 0});
                const auto steps = static_cast<int>(std::lround(4.0 * tau / dt));
                for (int i = 1; i <= steps; ++i)
                    EXPECT_NEAR(scene.step(agent).x, 1.34 * (1.0 - std::exp(-i * dt / tau)), 2e-4);
            }
        }
    }
}

TEST_F(SocialForce, stops_at_its_goal)
{
    for (const double dt : {0.05, 0.25}) {
        Scene scene({}, dt);
        const AgentHandle agent = scene.add_to({0, 0}, {5, 0});
        double farthest = 0.0;
        for (double time = 0.0; time < 15.0; time += dt) {
            scene.step(agent);
            farthest = std::max(farthest, scene.position(agent).x);
        }
        EXPECT_LT(farthest, 5.25);
        EXPECT_LT(norm(scene.position(agent) - Vec2{5, 0}), 0.01);
        EXPECT_LT(norm(scene.velocity(agent)), 0.01);
    }
}

TEST_F(SocialForce, is_pushed_by_each_form_as_the_formulas_say)
{
    const Vec2 v_i{0.6, 0.1}, p_j{1.3, 0.35}, v_j{-0.7, 0.2};
    const WalkingPair pair{{}, v_i, p_j, v_j};
    const RepulsionLaw law{.strength = 1.5, .reach = 0.4, .anisotropy = 0.3};
    const Vec2 pushes[] = {*sf_circ({}, v_i, 0.25, p_j, 0.25, law), *sf_ell1(pair, 0.7, law),
                           *sf_ell2(pair, 0.7, law),
                           sf_power(p_j * -1.0, v_i - v_j, 0.5, 1.2, 2.5)->force, Vec2{}};
    for (int form = 0; form < 5; ++form) {
        SCOPED_TRACE(form);
        Scene scene({{"repulsion", form},
                     {"strength", 1.5},
                     {"reach", 0.4},
                     {"anisotropy", 0.3},
                     {"look_ahead", 0.7},
                     {"power_scale", 1.2},
                     {"power_time", 2.5}});
        const AgentHandle agent = scene.add({0, 0}, v_i);
        scene.add(p_j, v_j);
        const Vec2 want = v_i * std::exp(-kStep / kTau) + pushes[form] * kept();
        expect_near(scene.step(agent), want, 1e-5);
        if (form < 4) {
            EXPECT_GT(norm(pushes[form]), 0.05);  // it would be missed
        }
    }
}

TEST_F(SocialForce, feels_all_pushes_together)
{
    Scene scene({{"anisotropy", 1.0}});
    const AgentHandle agent = scene.add({0, 0});
    scene.add({0.8, 0});
    scene.add({0, -1.0});
    const Vec2 v = scene.step(agent);
    EXPECT_NEAR(v.x, -kept() * 2.0 * std::exp((0.5 - 0.8) / 0.3), kFloat);
    EXPECT_NEAR(v.y, kept() * 2.0 * std::exp((0.5 - 1.0) / 0.3), kFloat);
}

TEST_F(SocialForce, bounds_what_it_foresees)
{
    // 0.02 s before contact: by the law 1.5 * 2 / 0.02^3 and more.
    Scene scene({{"repulsion", 3}});
    const AgentHandle agent = scene.add({0, 0}, {1, 0});
    scene.add({0.54, 0}, {-1, 0});
    EXPECT_NEAR(scene.step(agent).x, std::exp(-kStep / kTau) - 20.0 * kept(), 1e-5);
    // Deep in each other there is no collision ahead.
    Scene overlapping({{"repulsion", 3}});
    const AgentHandle one = overlapping.add({0, 0});
    overlapping.add({0.3, 0}, {-1, 0});
    EXPECT_EQ(overlapping.step(one), (Vec2{0, 0}));
}

TEST_F(SocialForce, is_pushed_more_or_less_by_its_repulsion_factor)
{
    const auto pushed = [](const char* preset) {
        World world = make_world({.dt = kStep, .threads = 1});
        const std::vector<ParamValue> alike{{"planning_radius", 0.25},
                                            {"observation_time", 0.0},
                                            {"radius", 0.25},
                                            {"rank", 1.0},
                                            {"max_acceleration", HUGE_VAL}};
        const auto who =
            must(world.add_profile({.model = "social_force", .values = alike, .preset = preset}));
        const AgentHandle agent = must(world.add({.profile = who}));
        must(world.add({.position = {1, 0}, .profile = who}));
        EXPECT_FALSE(world.step().fault);
        return -must(world.agent(agent)).velocity.x;
    };
    const double usual = pushed("default");
    EXPECT_NEAR(usual, kept() * 2.0 * std::exp(-0.5 / 0.3), kFloat);
    EXPECT_NEAR(pushed("passive") / usual, 1.3, 1e-4);
    EXPECT_NEAR(pushed("aggressive") / usual, 0.6, 1e-4);
}

TEST_F(SocialForce, counts_half_of_what_comes_from_behind_by_the_rule_of_1995)
{
    const auto pushed = [](double degrees) {
        Scene scene({{"weighting", 1.0}, {"preferred_speed", 1.0}});
        const double angle = degrees * 3.14159265358979 / 180.0;
        const AgentHandle agent = scene.add_to({0, 0}, {100, 0});
        scene.add({std::cos(angle), std::sin(angle)});
        return norm(scene.step(agent) - Vec2{1.0 - std::exp(-kStep / kTau), 0.0});
    };
    const double whole = kept() * 2.0 * std::exp(-0.5 / 0.3);
    EXPECT_NEAR(pushed(0), whole, kFloat);
    EXPECT_NEAR(pushed(99), whole, kFloat);
    EXPECT_NEAR(pushed(101), 0.5 * whole, kFloat);
    EXPECT_NEAR(pushed(180), 0.5 * whole, kFloat);
}

TEST_F(SocialForce, is_not_pushed_by_whom_it_does_not_see)
{
    Scene scene({{"field_of_view_deg", 90.0}});
    const AgentHandle agent = scene.add({0, 0}, {1, 0});
    scene.add({-0.8, 0});
    scene.add({0, 0.8});
    expect_near(scene.step(agent), Vec2{std::exp(-kStep / kTau), 0.0}, kFloat);
}

TEST_F(SocialForce, keeps_to_the_passing_side_of_whom_it_meets_head_on)
{
    for (const double own : {0.0, 1.0, 2.0}) {
        for (const PassingSide side : {PassingSide::right, PassingSide::left}) {
            World world = make_world({.dt = kStep, .passing_side = side, .threads = 1});
            const auto who = must(world.add_profile(
                {.model = "social_force",
                 .values = {{"passing_side", own}, {"repulsion", 4.0}, {"preferred_speed", 1.0}}}));
            const auto add = [&](double x, double towards) {
                return must(world.add({.position = {x, 0},
                                       .velocity = {towards, 0},
                                       .goal = Vec2{x + 100 * towards, 0},
                                       .profile = who}));
            };
            const AgentHandle a = add(-1.5, 1.0);
            const AgentHandle b = add(1.5, -1.0);
            EXPECT_FALSE(world.step().fault);
            const bool left = own == 2.0 || (own == 0.0 && side == PassingSide::left);
            const double aside = left ? 0.3 * kept() : -0.3 * kept();
            EXPECT_NEAR(must(world.agent(a)).velocity.y, aside, kFloat);
            EXPECT_NEAR(must(world.agent(b)).velocity.y, -aside, kFloat);
        }
    }
    // Not where they part, walk the same way, or are far apart.
    const auto aside = [](Vec2 place, Vec2 velocity) {
        Scene scene({{"repulsion", 4.0}, {"neighbour_range", 20.0}, {"preferred_speed", 1.0}});
        const AgentHandle agent = scene.add_to({0, 0}, {100, 0}, {1, 0});
        scene.add(place, velocity);
        return scene.step(agent).y;
    };
    EXPECT_LT(aside({3, 0}, {-1, 0}), -0.01);
    EXPECT_EQ(aside({-3, 0}, {-1, 0}), 0.0);
    EXPECT_EQ(aside({3, 0}, {1, 0}), 0.0);
    EXPECT_EQ(aside({3, 2}, {-1, 0}), 0.0);
    EXPECT_EQ(aside({12, 0}, {-1, 0}), 0.0);
}

// Exactly head on there is nothing else that would take them past each other.
TEST_F(SocialForce, passes_head_on_by_the_side_convention)
{
    for (const double dt : {0.05, 0.1, 0.25}) {
        for (const double convention : {0.0, 0.3}) {
            Scene scene({{"side_convention", convention}}, dt);
            const AgentHandle a = scene.add_to({-6, 0}, {20, 0});
            const AgentHandle b = scene.add_to({6, 0}, {-20, 0});
            double least = HUGE_VAL;
            for (double time = 0.0; time < 12.0; time += dt) {
                scene.step(a);
                least = std::min(least, norm(scene.position(a) - scene.position(b)));
            }
            if (convention == 0.0) {
                EXPECT_LT(scene.position(a).x, 0.0) << dt;
            } else {
                EXPECT_GT(scene.position(a).x, 5.0) << dt;
                EXPECT_GT(least, 0.45) << dt;  // shoulders of 0.5 m brush
            }
        }
    }
}

TEST_F(SocialForce, is_pushed_by_a_standing_body_as_by_a_wall)
{
    Scene scene;
    const AgentHandle agent = scene.add({0, 0});
    must(scene.world.add_body({.position = {0, 1.5}, .radius = 1.0}));
    EXPECT_NEAR(scene.step(agent).y, -kept() * 5.0 * std::exp((1.25 - 1.5) / 0.1), kFloat);
}

TEST_F(SocialForce, steps_out_of_the_way_of_a_body_that_moves)
{
    // Gap 2 m, rim to rim; ellipses along the way relative to the agent.
    Scene scene({{"anisotropy", 1.0}});
    const AgentHandle agent = scene.add({0, 0});
    must(scene.world.add_body({.position = {-3.05, -1.0}, .radius = 1.0, .velocity = {4, 0}}));
    const Vec2 away = Vec2{3.05, 1.0} * (1.0 / std::hypot(3.05, 1.0));
    const double gap = std::hypot(3.05, 1.0) - 1.25;
    const Vec2 push = *sf_ell2({away * gap, {}, {}, {4, 0}}, 0.5, {.strength = 0.4, .reach = 3.22});
    EXPECT_GT(push.y, 0.1);
    expect_near(scene.step(agent), push * kept(), 1e-5);
}

TEST_F(SocialForce, is_pushed_by_a_polygon_that_moves_as_by_a_disc_that_does)
{
    Scene scene({{"anisotropy", 1.0}});
    const AgentHandle agent = scene.add({0, 0});
    must(scene.world.add_body(
        {.outline = {{-4, -3}, {-2, -3}, {-2, -0.75}, {-4, -0.75}}, .velocity = {4, 0}}));
    const Vec2 away = Vec2{2.0, 0.75} * (1.0 / std::hypot(2.0, 0.75));
    const double gap = std::hypot(2.0, 0.75) - 0.25;
    const Vec2 push = *sf_ell2({away * gap, {}, {}, {4, 0}}, 0.5, {.strength = 0.4, .reach = 3.22});
    expect_near(scene.step(agent), push * kept(), 1e-5);
}

TEST_F(SocialForce, is_pushed_by_a_wall_by_the_formula)
{
    Scene scene({{"wall_clearance", 0.1}});
    const AgentHandle agent = scene.add({0, 0});
    must(scene.world.add_wall({.vertices = {{-3, -0.45}, {3, -0.45}}, .kind = WallKind::thin}));
    EXPECT_NEAR(scene.step(agent).y, kept() * 5.0 * std::exp((0.35 - 0.45) / 0.1), kFloat);
}

TEST_F(SocialForce, is_pushed_by_a_wall_alike_however_many_edges_it_is_drawn_with)
{
    const auto pushed = [](const std::vector<Vec2>& outline) {
        Scene scene;
        const AgentHandle agent = scene.add({0.1, 0});
        must(scene.world.add_wall({.vertices = outline, .kind = WallKind::solid}));
        return scene.step(agent);
    };
    const Vec2 whole = pushed({{-3, -2}, {3, -2}, {3, -0.4}, {-3, -0.4}});
    const Vec2 parts =
        pushed({{-3, -2}, {3, -2}, {3, -0.4}, {0.3, -0.4}, {0, -0.4}, {-0.2, -0.4}, {-3, -0.4}});
    EXPECT_NEAR(whole.y, kept() * 5.0 * std::exp((0.25 - 0.4) / 0.1), kFloat);
    expect_near(parts, whole, kFloat);
}

TEST_F(SocialForce, is_pushed_once_by_a_corner)
{
    const double size = kept() * 5.0 * std::exp((0.25 - 0.5) / 0.1);
    // Two edges meet at a right angle, at an acute one, and both ways of a thin wall end there.
    const std::vector<Vec2> outlines[] = {
        {{-2, -2}, {-0.3, -2}, {-0.3, -0.4}, {-2, -0.4}},
        {{-2, -0.6}, {-0.3, -0.4}, {-2, -0.4}},
        {{-2, -0.4}, {-0.3, -0.4}},
    };
    for (const std::vector<Vec2>& outline : outlines) {
        SCOPED_TRACE(outline.size());
        Scene scene;
        const AgentHandle agent = scene.add({0, 0});
        must(scene.world.add_wall(
            {.vertices = outline, .kind = outline.size() == 2 ? WallKind::thin : WallKind::solid}));
        expect_near(scene.step(agent), Vec2{0.6, 0.8} * size, kFloat);
    }
}

TEST_F(SocialForce, is_pushed_by_both_walls_of_the_corner_of_a_room)
{
    Scene scene;
    const AgentHandle agent = scene.add({0, 0});
    must(scene.world.add_wall(
        {.vertices = {{-0.3, -0.4}, {-0.3, 5}, {5, 5}, {5, -0.4}}, .kind = WallKind::room}));
    const Vec2 v = scene.step(agent);
    EXPECT_NEAR(v.x, kept() * 5.0 * std::exp((0.25 - 0.3) / 0.1), kFloat);
    EXPECT_NEAR(v.y, kept() * 5.0 * std::exp((0.25 - 0.4) / 0.1), kFloat);
}

TEST_F(SocialForce, parts_coincident_centres_in_every_form)
{
    for (const double form : {0.0, 1.0, 2.0}) {
        Scene scene({{"repulsion", form}});
        const AgentHandle a = scene.add({1, 1});
        const AgentHandle b = scene.add({1, 1});
        const Vec2 va = scene.step(a);
        const Vec2 vb = scene.velocity(b);
        EXPECT_EQ(va.x, -vb.x);
        EXPECT_EQ(va.y, -vb.y);
        if (form == 0.0) {
            EXPECT_NEAR(norm(va), kept() * 2.0 * std::exp(0.5 / 0.3), kFloat);
        } else {
            EXPECT_GT(norm(va), 0.05);
        }
    }
}

TEST_F(SocialForce, takes_a_heap_at_one_place_apart)
{
    Scene scene;
    std::vector<AgentHandle> heap;
    for (int i = 0; i < 6; ++i) heap.push_back(scene.add({0, 0}));
    for (int step = 0; step < 200; ++step) ASSERT_FALSE(scene.world.step().fault);
    for (std::size_t i = 0; i < heap.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GT(norm(scene.position(heap[i]) - scene.position(heap[j])), 0.5)
                << i << " and " << j;
    }
}

TEST_F(SocialForce, keeps_to_speed_and_acceleration_however_hard_it_is_pushed)
{
    // Deep in each other with the shortest reach: e^50 without the bound.
    for (const double contact : {0.0, 1.0}) {
        Scene scene({{"strength", 100.0},
                     {"reach", 0.01},
                     {"max_acceleration", 3.0},
                     {"contact", contact},
                     {"contact_stiffness", 1e6},
                     {"mass", 1.0}});
        const AgentHandle agent = scene.add({0, 0});
        scene.add({0.001, 0});
        Vec2 before{};
        for (int step = 0; step < 40; ++step) {
            const Vec2 v = scene.step(agent);
            EXPECT_LE(norm(v), 3.0 + kFloat);
            EXPECT_LE(norm(v - before), 0.15 + kFloat);
            if (step == 0) {
                EXPECT_NEAR(v.x, -0.15, kFloat);
            }
            before = v;
        }
    }
}

// Two equal discs that press each other exchange their velocities but for what friction and the
// mean over a step take; whatever the step, they never part faster than they met but for the error
// of parts of 0.01 s.
TEST_F(SocialForce, meets_in_contact_without_gaining_speed)
{
    for (const double dt : {0.01, 0.05, 0.1, 0.25}) {
        SCOPED_TRACE(dt);
        Scene scene({{"repulsion", 4.0}, {"contact", 1.0}, {"relaxation_time", 60.0}}, dt);
        const AgentHandle a = scene.add({-0.5, 0}, {1, 0});
        const AgentHandle b = scene.add({0.5, 0}, {-1, 0});
        double fastest = 0.0, deepest = 0.0, parting = 0.0;
        for (double time = 0.0; time < 2.0; time += dt) {
            scene.step(a);
            const double apart = scene.position(b).x - scene.position(a).x;
            fastest = std::max(fastest, std::abs(scene.velocity(a).x));
            deepest = std::max(deepest, 0.5 - apart);
            parting = scene.velocity(b).x - scene.velocity(a).x;
            EXPECT_EQ(scene.velocity(a).x, -scene.velocity(b).x);
        }
        EXPECT_LE(fastest, 1.03);
        EXPECT_GE(parting, 0.0);
        // 2 m/s at 55 1/s of the pair: 36 mm, and what the grid of steps adds.
        EXPECT_LT(deepest, 0.06 + 0.5 * dt);
    }
}

TEST_F(SocialForce, rubs_without_turning_the_slip_round)
{
    for (const double dt : {0.01, 0.05, 0.25}) {
        SCOPED_TRACE(dt);
        Scene scene({{"repulsion", 4.0},
                     {"contact", 1.0},
                     {"contact_stiffness", 0.0},
                     {"relaxation_time", 60.0}},
                    dt);
        const AgentHandle a = scene.add({0, 0.2}, {1, 0});
        const AgentHandle b = scene.add({0, -0.2}, {-1, 0});
        double slip = 2.0;
        for (int step = 0; step < 20; ++step) {
            scene.step(a);
            const double now = scene.velocity(a).x - scene.velocity(b).x;
            EXPECT_GE(now, -1e-4);
            EXPECT_LE(now, slip + kFloat);
            slip = now;
        }
        EXPECT_LT(slip, 0.7);
    }
}

TEST_F(SocialForce, presses_a_wall_and_is_stopped_by_it)
{
    for (const double dt : {0.01, 0.1, 0.25}) {
        Scene scene({{"contact", 1.0}, {"wall_strength", 0.0}}, dt);
        const AgentHandle agent = scene.add_to({0, 0}, {0, -50});
        must(scene.world.add_wall({.vertices = {{-3, -2}, {3, -2}}, .kind = WallKind::thin}));
        for (double time = 0.0; time < 6.0; time += dt) scene.step(agent);
        EXPECT_NEAR(scene.position(agent).y, -1.75, 0.05) << dt;
    }
}

TEST_F(SocialForce, takes_no_notice_of_those_who_give_way_to_its_rank)
{
    Scene scene;
    const AgentHandle leader = scene.add({0, 0});
    const AgentHandle other = scene.add({0.6, 0});
    must(scene.world.set_trait(leader, "rank", HUGE_VAL));
    EXPECT_EQ(scene.step(leader), (Vec2{0, 0}));
    EXPECT_GT(scene.velocity(other).x, 0.05);
}

TEST_F(SocialForce, says_who_pushes_and_how_much)
{
    Scene scene({{"anisotropy", 1.0}});
    const AgentHandle agent = scene.add_to({0, 0}, {100, 0});
    scene.add({1.0, 0});
    must(scene.world.add_wall({.vertices = {{-3, -0.45}, {3, -0.45}}, .kind = WallKind::thin}));
    must(scene.world.add_body({.position = {0, 1.5}, .radius = 1.0}));
    const Explanation why = must(scene.world.explain(agent));
    ASSERT_EQ(why.neighbours.size(), 1u);
    EXPECT_EQ(why.neighbours[0].id, 1u);
    EXPECT_NEAR(why.neighbours[0].distance, 1.0, kFloat);
    ASSERT_EQ(why.pushes.size(), 3u);
    EXPECT_EQ(why.pushes[0].source, Explanation::Source::agent);
    EXPECT_EQ(why.pushes[0].source_id, 1u);
    expect_near(why.pushes[0].acceleration, Vec2{-2.0 * std::exp(-0.5 / 0.3), 0}, kFloat);
    EXPECT_EQ(why.pushes[1].source, Explanation::Source::body);
    expect_near(why.pushes[1].acceleration, Vec2{0, -5.0 * std::exp(-2.5)}, kFloat);
    EXPECT_EQ(why.pushes[2].source, Explanation::Source::wall);
    expect_near(why.pushes[2].acceleration, Vec2{0, 5.0 * std::exp(-2.0)}, kFloat);
    EXPECT_EQ(why.reason,
              "the goal pulls it by (2.68, 0.00) m/s2; wall 0 pushes it most, by 0.68 m/s2");
    EXPECT_EQ(scene.step(agent), why.chosen_velocity);
}

// A filter looks ahead for it: without one the two walk into each other.
TEST_F(SocialForce, meets_head_on_without_contact_where_a_filter_is_added)
{
    const auto closest = [](double filter) {
        Scene scene({{"filter", filter}, {"side_convention", 0.0}}, 0.1);
        const AgentHandle a = scene.add_to({-5, 0}, {20, 0});
        const AgentHandle b = scene.add_to({5, 0.02}, {-20, 0.02});
        double least = HUGE_VAL;
        for (int step = 0; step < 100; ++step) {
            scene.step(a);
            least = std::min(least, norm(scene.position(a) - scene.position(b)));
        }
        return least;
    };
    EXPECT_LT(closest(0.0), 0.4);
    EXPECT_GT(closest(1.0), 0.499);
}

}  // namespace
}  // namespace sidestep::test
