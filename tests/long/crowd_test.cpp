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
        if (with_goals) spec.goal = Vec2{1.25 + 60.0 * std::cos(angle), -3.5 + 60.0 * std::sin(angle)};
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
            must(world.add_wall({.vertices = {{cx, cy}, {cx + 6.0, cy}, {cx + 6.0, cy + 6.0}, {cx, cy + 6.0}}}));
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

}  // namespace
}  // namespace sidestep
