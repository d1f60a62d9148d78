// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What a step must not depend on: things out of reach.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "support/compared_scenes.hpp"

namespace sidestep::test {
namespace {

class Invariance : public WorldTest {};

/// Something that happens in one place.
struct Change {
    Vec2 place;
    std::uint16_t level = 0;
    double reach = 0.0;  ///< beyond this from `place` nobody may notice [m]
    std::string what;
    AgentHandle agent{};  ///< the one that was changed itself
};

/// As far as an agent of these scenes looks for others: its neighbour range; for walls and bodies
/// its horizon at top speed.
constexpr double kLookRange = 5.0;

Change change_something(World& world, const std::vector<AgentHandle>& handles, SeededRandom& random)
{
    const AgentHandle agent = handles[random.below(handles.size())];
    const AgentState state = must(world.agent(agent));
    Change change{.place = state.position,
                  .level = state.level,
                  .reach = kLookRange + 1e-3,
                  .what = {},
                  .agent = agent};
    switch (random.below(9)) {
        case 0:
            change.what = "remove";
            must(world.remove(agent));
            break;
        case 1:
            change.what = "add";
            change.agent = {};
            must(world.add(
                {.position = state.position + Vec2{0.3, 0.2}, .id = 70'000, .level = state.level}));
            change.place = state.position + Vec2{0.3, 0.2};
            break;
        case 2:
            change.what = "radius";
            must(world.set_radius(agent, 0.9));
            break;
        case 3:
            change.what = "velocity";
            must(world.set_velocity(agent, {-1.0, 0.5}));
            break;
        case 4:
            change.what = "rank";
            must(world.set_rank(agent, 50.0));
            break;
        case 5:
            change.what = "model";
            must(world.set_model(agent, state.model == "seek" ? "orca" : "seek"));
            break;
        case 6:
            change.what = "level";
            must(world.teleport(agent, state.position, std::uint16_t{9}));
            break;
        case 7:
            change.what = "thin wall";
            must(
                world.add_wall({{state.position + Vec2{0.6, -0.5}, state.position + Vec2{0.6, 0.5}},
                                WallKind::thin,
                                state.level}));
            change.agent = {};
            change.reach = 1.0 * 2.0 + 0.35 + 0.1 +
                           0.8;  // horizon x top speed, radius and clearance, the wall itself
            break;
        default:
            change.what = "body";
            must(world.add_body({.position = state.position + Vec2{1.0, 0.0},
                                 .radius = 0.4,
                                 .velocity = {0.2, 0.1},
                                 .level = state.level}));
            change.agent = {};
            change.reach = 3.0 * (2.0 + 0.25) + 0.5 + 0.4 + 1.0;
            break;
    }
    return change;
}

TEST_F(Invariance, only_what_is_in_reach_changes_an_agents_next_velocity)
{
    std::map<std::string, std::size_t> made, felt;
    std::size_t unmoved = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        const Scene scene = mixed_scene(seed % 10, 250);
        World world = make_world();
        World changed = make_world();
        const auto handles = fill(world, scene);
        fill(changed, scene);
        const std::size_t steps = random.below(10);
        for (std::size_t i = 0; i < steps; ++i) world.step(), changed.step();
        ASSERT_EQ(world.state_hash(), changed.state_hash());

        const Change change = change_something(changed, handles, random);
        SCOPED_TRACE(change.what);
        std::vector<AgentState> before;
        for (const AgentHandle agent : handles) before.push_back(must(world.agent(agent)));
        world.step();
        changed.step();
        bool any = false;
        for (std::size_t i = 0; i < handles.size(); ++i) {
            if (!changed.alive(handles[i])) continue;
            const Vec2 v = must(world.agent(handles[i])).velocity;
            const Vec2 w = must(changed.agent(handles[i])).velocity;
            const Vec2 gap = before[i].position - change.place;
            if (before[i].level != change.level || dot(gap, gap) > change.reach * change.reach) {
                ASSERT_EQ(v, w) << "agent " << before[i].id << " at " << std::sqrt(dot(gap, gap))
                                << " m";
                ++unmoved;
            } else if (handles[i] != change.agent && v != w) {
                any = true;
            }
        }
        ++made[change.what];
        felt[change.what] += any ? 1 : 0;
    }
    EXPECT_GT(unmoved, 10'000u);
    EXPECT_EQ(made.size(), 9u);
    for (const auto& [what, times] : made)
        EXPECT_GT(4 * felt[what], times) << what << " is hardly ever noticed nearby";
}

}  // namespace
}  // namespace sidestep::test
