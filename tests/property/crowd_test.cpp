// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The quick part of tests/long/crowd_test.cpp: a thousand agents in one and the same place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

class Heap : public WorldTest {};

struct Outcome {
    std::size_t places = 0;  ///< different ones
    double top_speed = 0.0;
    double deepest_overlap = 0.0;
};

/// Steps until time t; what is found then, and the highest speed on the way.
Outcome run_until(World& world, double t)
{
    Outcome outcome;
    while (world.time() < t - 1e-9) {
        outcome.deepest_overlap = world.step().deepest_overlap;
        const AgentColumns agents = world.columns();
        for (const AgentRecord& record : agents.record) {
            if (record.id == kNoAgent) continue;
            outcome.top_speed =
                std::max(outcome.top_speed, std::hypot(double{record.vx}, double{record.vy}));
        }
    }
    std::set<std::pair<float, float>> places;
    for (const AgentRecord& record : world.columns().record) {
        if (record.id != kNoAgent) places.emplace(record.x, record.y);
    }
    outcome.places = places.size();
    return outcome;
}

World heap_of(int agents, bool with_goals)
{
    World world = make_world();
    for (int i = 0; i < agents; ++i) {
        AgentSpec spec{.position = {-2.5, 7.25}};
        const double angle = 2.0 * 3.14159265358979 * i / agents;
        if (with_goals) spec.goal = spec.position + Vec2{std::cos(angle), std::sin(angle)} * 60.0;
        must(world.add(spec));
    }
    return world;
}

TEST_F(Heap, of_a_thousand_agents_comes_apart)
{
    for (const bool with_goals : {false, true}) {
        SCOPED_TRACE(with_goals ? "with goals on a circle" : "without goals");
        World world = heap_of(1000, with_goals);
        const Outcome at_20 = run_until(world, 20.0);
        EXPECT_EQ(at_20.places, 1000u);
        EXPECT_LE(at_20.top_speed, 2.0 * (1.0 + 1e-6));
        const Outcome at_60 = run_until(world, 60.0);
        EXPECT_EQ(at_60.places, 1000u);
        EXPECT_LE(at_60.top_speed, 2.0 * (1.0 + 1e-6));
        EXPECT_LT(at_60.deepest_overlap, 0.2);
    }
}

TEST_F(Heap, of_three_and_more_parts_in_one_step)
{
    // All list the same neighbours, those of the lowest ids: parted pair by pair they would go on
    // as one.
    for (const int agents : {3, 4, 12, 100, 5000}) {
        SCOPED_TRACE(agents);
        World world = heap_of(agents, false);
        EXPECT_EQ(run_until(world, world.dt()).places, static_cast<std::size_t>(agents));
    }
}

TEST_F(Heap, of_two_parts_in_opposite_directions)
{
    World world = make_world();
    const AgentHandle a = must(world.add({.position = {1, 1}, .id = 5}));
    const AgentHandle b = must(world.add({.position = {1, 1}, .id = 9}));
    world.step();
    const Vec2 va = must(world.agent(a)).velocity;
    const Vec2 vb = must(world.agent(b)).velocity;
    EXPECT_NEAR(va.x, -vb.x, 1e-6);
    EXPECT_NEAR(va.y, -vb.y, 1e-6);
    const double angle = 2.399963229728653 * 5;  // of the lower id
    EXPECT_NEAR(std::atan2(va.y, va.x), std::remainder(angle, 2.0 * 3.14159265358979), 1e-5);
}

}  // namespace
}  // namespace sidestep::test
