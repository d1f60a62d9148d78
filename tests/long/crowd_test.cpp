// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Crowds that no scene would ask for, and sizes that take a while.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"
#include "support/wall_scenes.hpp"

namespace sidestep {
namespace {

using test::make_world;
using test::must;

class CrowdLong : public test::WorldTest {};

/// Fastest agent, relative to its limit of `max_speed`.
double top_speed_ratio(const World& world, double max_speed)
{
    double top = 0.0;
    const AgentColumns agents = world.columns();
    for (std::size_t row = 0; row < agents.rows; ++row) {
        const AgentRecord& record = agents.record[row];
        if (record.id == kNoAgent) continue;
        top = std::max(top, std::hypot(double{record.vx}, double{record.vy}) / max_speed);
    }
    return top;
}

/// Pairs of agents whose centres are equal to the bit.
std::size_t equal_centres(const World& world)
{
    std::vector<std::pair<float, float>> centres;
    const AgentColumns agents = world.columns();
    for (std::size_t row = 0; row < agents.rows; ++row) {
        if (agents.record[row].id != kNoAgent) centres.emplace_back(agents.x[row], agents.y[row]);
    }
    std::sort(centres.begin(), centres.end());
    std::size_t equal = 0;
    for (std::size_t i = 1; i < centres.size(); ++i) equal += centres[i] == centres[i - 1] ? 1 : 0;
    return equal;
}

/// Steps to time t and returns the report of the last step; nobody may exceed the speed limit.
StepReport run_until(World& world, double t, double max_speed)
{
    StepReport report;
    while (world.time() < t - 1e-9) {
        report = world.step();
        EXPECT_FALSE(report.fault);
        EXPECT_LE(top_speed_ratio(world, max_speed), 1.0 + 1e-6) << "step " << report.step;
        if (::testing::Test::HasFailure()) break;
    }
    return report;
}

World heap(int agents, bool with_goals)
{
    World world = make_world();
    must(world.reserve(static_cast<std::size_t>(agents)));
    for (int i = 0; i < agents; ++i) {
        AgentSpec spec{.position = {1.25, -3.5}};
        const double angle = 2.399963229728653 * i;
        if (with_goals)
            spec.goal = Vec2{1.25 + 60.0 * std::cos(angle), -3.5 + 60.0 * std::sin(angle)};
        must(world.add(spec));
    }
    return world;
}

TEST_F(CrowdLong, five_thousand_agents_in_one_place_come_apart)
{
    World world = heap(5000, false);
    run_until(world, 60.0, 2.0);
    EXPECT_EQ(equal_centres(world), 0u);
    run_until(world, 120.0, 2.0);
    const StepReport after = world.step();  // counts overlaps of the state after 120 s
    RecordProperty("deepest_overlap_mm", static_cast<int>(1000.0 * after.deepest_overlap));
    EXPECT_LT(after.deepest_overlap, 0.2);
    EXPECT_EQ(world.size(), 5000u);
}

TEST_F(CrowdLong, five_thousand_agents_in_one_place_come_apart_on_their_ways_to_a_circle)
{
    World world = heap(5000, true);
    run_until(world, 60.0, 2.0);
    EXPECT_EQ(equal_centres(world), 0u);
    run_until(world, 120.0, 2.0);
    EXPECT_LT(world.step().deepest_overlap, 0.2);
}

TEST_F(CrowdLong, a_hundred_thousand_agents_step_among_walls)
{
    World world = make_world({.dt = 0.1});
    test::SeededRandom random(7);
    for (int x = -7; x <= 7; ++x) {
        for (int y = -7; y <= 7; ++y) {
            const double cx = 32.0 * x;
            const double cy = 32.0 * y;
            must(world.add_wall(
                {.vertices = {{cx, cy}, {cx + 6.0, cy}, {cx + 6.0, cy + 6.0}, {cx, cy + 6.0}}}));
        }
    }
    std::vector<AgentSpec> people;
    for (int i = 0; people.size() < 100'000; ++i) {
        const Vec2 position{-224.0 + 1.4 * (i % 330), -224.0 + 1.4 * (i / 330)};
        const double in_x = std::fmod(position.x + 224.0, 32.0);
        const double in_y = std::fmod(position.y + 224.0, 32.0);
        if (in_x < 6.5 && in_y < 6.5) continue;
        if (position.y > 3000.0) break;
        people.push_back({.position = position, .goal = random.in_box(300.0)});
    }
    ASSERT_EQ(people.size(), 100'000u);
    must(world.add(people));
    for (int step = 0; step < 10; ++step) {
        const StepReport report = world.step();
        ASSERT_FALSE(report.fault);
        EXPECT_EQ(report.agents, 100'000u);
    }
    EXPECT_LE(top_speed_ratio(world, 2.0), 1.0 + 1e-6);
}

TEST_F(CrowdLong, a_full_room_empties_through_a_narrow_door_with_nobody_in_a_wall)
{
    // 500 people in a room of 15 m by 15 m, and one door of 1.2 m in a wall 0.2 m thick. It lets
    // four a second through: the 450th is out after 108 to 120 s.
    test::WallScene scene({.dt = 0.05});
    scene.add({{{-15.2, -7.7},
                {0.2, -7.7},
                {0.2, -0.6},
                {0, -0.6},
                {0, -7.5},
                {-15, -7.5},
                {-15, 7.5},
                {0, 7.5},
                {0, 0.6},
                {0.2, 0.6},
                {0.2, 7.7},
                {-15.2, 7.7}},
               WallKind::solid});
    test::SeededRandom random(3);
    std::vector<Vec2> places;
    std::vector<AgentHandle> people;
    while (people.size() < 500) {
        const Vec2 at{random.uniform(-14.7, -0.5), random.uniform(-7.2, 7.2)};
        const auto too_close = [&](Vec2 other) { return test::norm(other - at) < 0.42; };
        if (std::any_of(places.begin(), places.end(), too_close)) continue;
        places.push_back(at);
        people.push_back(must(scene.world.add({.position = at, .goal = Vec2{3, 0}})));
    }
    std::size_t out = 0;
    double deepest = 0.0;
    int deep_frames = 0;
    constexpr int kSteps = 2600;
    for (int step = 0; step < kSteps; ++step) {
        ASSERT_EQ(scene.step(), "");
        deepest = std::max(deepest, scene.last.deepest_overlap);
        deep_frames += scene.last.deepest_overlap > 0.1 ? 1 : 0;
        const auto has_left = [&](AgentHandle agent) {
            return must(scene.world.agent(agent)).position.x > 1.0;
        };
        for (AgentHandle& agent : people) {
            if (!scene.world.alive(agent) || !has_left(agent)) continue;
            must(scene.world.remove(agent));
            ++out;
        }
        ASSERT_EQ(scene.world.size() + out, 500u);
    }
    RecordProperty("out", static_cast<int>(out));
    RecordProperty("deepest_overlap_mm", static_cast<int>(1000.0 * deepest));
    EXPECT_GE(out, 450u);
    EXPECT_LE(deepest,
              0.15);  // inv-5: three quarters of a radius, half of it in 99 % of the frames
    EXPECT_LE(deep_frames, kSteps / 100);
}

}  // namespace
}  // namespace sidestep
