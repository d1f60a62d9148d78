// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/separation/separation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

class Separation : public WorldTest {};

constexpr double kStep = 0.1;
/// Rounding of a velocity of up to 1 m/s that is made in floats.
constexpr double kFloat = 1e-6;

/// A world whose agents are discs of 0.25 m that steer by forces.
struct Scene {
    World world = make_world({.dt = kStep, .threads = 1});
    ProfileId profile{};

    explicit Scene(std::vector<ParamValue> more = {})
    {
        std::vector<ParamValue> values{{"radius", 0.25}, {"max_speed", 2.0}};
        values.insert(values.end(), more.begin(), more.end());
        profile = must(world.add_profile({.model = "separation", .values = values}));
    }
    AgentHandle add(Vec2 at, Vec2 velocity = {})
    {
        return must(world.add({.position = at, .velocity = velocity, .profile = profile}));
    }
    /// Velocity of an agent after one step.
    Vec2 step(AgentHandle agent)
    {
        EXPECT_FALSE(world.step().fault);
        return must(world.agent(agent)).velocity;
    }
};

TEST_F(Separation, approaches_the_preferred_velocity_in_the_relaxation_time)
{
    for (const double relaxation_time : {0.2, 0.5, 2.0}) {
        Scene scene({{"relaxation_time", relaxation_time}, {"preferred_speed", 1.0}});
        const AgentHandle agent =
            must(scene.world.add({.goal = Vec2{100, 0}, .profile = scene.profile}));
        EXPECT_NEAR(scene.step(agent).x, kStep / relaxation_time, kFloat);
    }
    // Never beyond it, however short the time.
    Scene hasty({{"relaxation_time", 0.05}, {"preferred_speed", 1.0}});
    const AgentHandle agent =
        must(hasty.world.add({.goal = Vec2{100, 0}, .profile = hasty.profile}));
    EXPECT_NEAR(hasty.step(agent).x, 1.0, kFloat);
}

TEST_F(Separation, is_pushed_by_each_neighbour_by_the_formula)
{
    for (const double distance : {0.3, 0.5, 0.8, 1.5}) {
        SCOPED_TRACE(distance);
        Scene scene;
        const AgentHandle agent = scene.add({0, 0});
        scene.add({distance, 0});
        scene.add({0, -1.0});
        const Vec2 v = scene.step(agent);
        EXPECT_NEAR(v.x, -kStep * 2.0 * std::exp((0.5 - distance) / 0.3), kFloat);
        EXPECT_NEAR(v.y, kStep * 2.0 * std::exp((0.5 - 1.0) / 0.3), kFloat);
    }
}

TEST_F(Separation, is_pushed_by_a_disc_body_as_by_an_agent)
{
    Scene scene;
    const AgentHandle agent = scene.add({0, 0});
    must(scene.world.add_body({.position = {0, 1.5}, .radius = 1.0}));
    EXPECT_NEAR(scene.step(agent).y, -kStep * 2.0 * std::exp((1.25 - 1.5) / 0.3), kFloat);
}

TEST_F(Separation, is_pushed_by_a_wall_by_the_formula)
{
    Scene scene({{"wall_clearance", 0.1}});
    const AgentHandle agent = scene.add({0, 0});
    must(scene.world.add_wall({.vertices = {{-3, -0.45}, {3, -0.45}}, .kind = WallKind::thin}));
    EXPECT_NEAR(scene.step(agent).y, kStep * 5.0 * std::exp((0.35 - 0.45) / 0.1), kFloat);
}

TEST_F(Separation, is_pushed_by_a_wall_alike_however_many_edges_it_is_drawn_with)
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
    EXPECT_NEAR(whole.y, kStep * 5.0 * std::exp((0.25 - 0.4) / 0.1), kFloat);
    EXPECT_NEAR(whole.x, parts.x, kFloat);
    EXPECT_NEAR(whole.y, parts.y, kFloat);
}

TEST_F(Separation, is_pushed_once_by_a_corner)
{
    const double size = kStep * 5.0 * std::exp((0.25 - 0.5) / 0.1);
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
        const Vec2 v = scene.step(agent);
        EXPECT_NEAR(v.x, size * 0.6, kFloat);
        EXPECT_NEAR(v.y, size * 0.8, kFloat);
    }
}

TEST_F(Separation, is_pushed_by_both_walls_of_the_corner_of_a_room)
{
    Scene scene;
    const AgentHandle agent = scene.add({0, 0});
    must(scene.world.add_wall(
        {.vertices = {{-0.3, -0.4}, {-0.3, 5}, {5, 5}, {5, -0.4}}, .kind = WallKind::room}));
    const Vec2 v = scene.step(agent);
    EXPECT_NEAR(v.x, kStep * 5.0 * std::exp((0.25 - 0.3) / 0.1), kFloat);
    EXPECT_NEAR(v.y, kStep * 5.0 * std::exp((0.25 - 0.4) / 0.1), kFloat);
}

TEST_F(Separation, parts_coincident_centres)
{
    Scene scene;
    const AgentHandle a = scene.add({1, 1});
    const AgentHandle b = scene.add({1, 1});
    const Vec2 va = scene.step(a);
    const Vec2 vb = must(scene.world.agent(b)).velocity;
    EXPECT_EQ(va.x, -vb.x);
    EXPECT_EQ(va.y, -vb.y);
    EXPECT_NEAR(std::hypot(va.x, va.y), kStep * 2.0 * std::exp(0.5 / 0.3), kFloat);
}

TEST_F(Separation, takes_a_heap_at_one_place_apart)
{
    Scene scene;
    std::vector<AgentHandle> heap;
    for (int i = 0; i < 6; ++i) heap.push_back(scene.add({0, 0}));
    for (int step = 0; step < 100; ++step) ASSERT_FALSE(scene.world.step().fault);
    for (std::size_t i = 0; i < heap.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const Vec2 off = must(scene.world.agent(heap[i])).position -
                             must(scene.world.agent(heap[j])).position;
            EXPECT_GT(std::hypot(off.x, off.y), 0.5) << i << " and " << j;
        }
    }
}

TEST_F(Separation, keeps_to_speed_and_acceleration_however_hard_it_is_pushed)
{
    // Deep in each other with the shortest reach: e^50 without the bound.
    Scene scene({{"strength", 100.0}, {"reach", 0.01}, {"max_acceleration", 3.0}});
    const AgentHandle agent = scene.add({0, 0});
    scene.add({0.001, 0});
    Vec2 before{};
    for (int step = 0; step < 20; ++step) {
        const Vec2 v = scene.step(agent);
        EXPECT_LE(std::hypot(v.x, v.y), 2.0 + kFloat);
        EXPECT_LE(std::hypot(v.x - before.x, v.y - before.y), 0.3 + kFloat);
        if (step == 0) {
            EXPECT_NEAR(v.x, -0.3, kFloat);
        }
        before = v;
    }
}

TEST_F(Separation, takes_no_notice_of_those_who_give_way_to_its_rank)
{
    Scene scene;
    const AgentHandle leader = scene.add({0, 0});
    const AgentHandle other = scene.add({0.6, 0});
    must(scene.world.set_trait(leader, "rank", HUGE_VAL));
    EXPECT_EQ(scene.step(leader), (Vec2{0, 0}));
    EXPECT_GT(must(scene.world.agent(other)).velocity.x, 0.1);
}

TEST_F(Separation, says_who_pushes)
{
    Scene scene;
    const AgentHandle agent = scene.add({0, 0});
    scene.add({1.0, 0});
    const Explanation why = must(scene.world.explain(agent));
    ASSERT_EQ(why.neighbours.size(), 1u);
    EXPECT_EQ(why.neighbours[0].id, 1u);
    EXPECT_NEAR(why.neighbours[0].distance, 1.0, kFloat);
    EXPECT_TRUE(why.lines.empty());
    EXPECT_NE(why.reason.find("separation"), std::string::npos);
    EXPECT_EQ(scene.step(agent), why.chosen_velocity);
}

// A filter looks ahead for it: without one the two walk into each other.
TEST_F(Separation, meets_head_on_without_contact_where_a_filter_is_added)
{
    const auto closest = [](double filter) {
        Scene scene({{"filter", filter}, {"preferred_speed", 1.3}});
        const AgentHandle a = must(
            scene.world.add({.position = {-5, 0}, .goal = Vec2{20, 0}, .profile = scene.profile}));
        const AgentHandle b = must(scene.world.add(
            {.position = {5, 0.02}, .goal = Vec2{-20, 0.02}, .profile = scene.profile}));
        double least = HUGE_VAL;
        for (int step = 0; step < 100; ++step) {
            EXPECT_FALSE(scene.world.step().fault);
            const Vec2 off =
                must(scene.world.agent(a)).position - must(scene.world.agent(b)).position;
            least = std::min(least, std::hypot(off.x, off.y));
        }
        return least;
    };
    EXPECT_LT(closest(0.0), 0.4);
    EXPECT_GT(closest(1.0), 0.499);
}

}  // namespace
}  // namespace sidestep::test
