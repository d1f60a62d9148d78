// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What people who walk together must show, whatever their model: avoidance.md 7.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/steering.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

/// Those that keep the distances of the group: forces push each other farther apart (1 m, as the
/// specification measures), and a temper comes closer slowly.
const char* const kExactModels[] = {"orca", "rcap", "clearpath"};

/// A group in the open, walking along +x.
struct OpenWalk {
    World world;
    std::vector<AgentHandle> members;
    GroupHandle group;

    OpenWalk(const std::string& model, std::size_t n, Formation formation, std::uint64_t seed)
        : world(make_world())
    {
        const ProfileId profile = must(world.add_profile({model, {}, {}}));
        SeededRandom random(seed);
        for (std::size_t i = 0; i < n; ++i) {
            // A loose cluster, nobody overlapping anybody.
            const double column = static_cast<double>(i % 3);
            const double row = static_cast<double>(i / 3);
            members.push_back(must(world.add({.position = {0.7 * column + random.uniform(0.0, 0.2),
                                                           0.7 * row + random.uniform(0.0, 0.2)},
                                              .profile = profile})));
            must(world.drive_by_host(members.back(), {1.34, 0.0}));
        }
        GroupSpec spec{.members = members, .formation = formation, .leader = {}};
        if (formation == Formation::leader) spec.leader = members.front();
        group = must(world.add_group(spec));
    }

    std::vector<Vec2> positions() const
    {
        std::vector<Vec2> at;
        for (const AgentHandle member : members) at.push_back(must(world.agent(member)).position);
        std::sort(at.begin(), at.end(), [](Vec2 a, Vec2 b) { return a.y < b.y; });
        return at;
    }
};

struct Shape {
    double lead = 0.0;   ///< of the outermost two over the middle one or two [m]
    double depth = 0.0;  ///< from the first to the last along the way [m]
    double width = 0.0;  ///< across it [m]
};

/// Mean over the second half of a minute.
Shape settled_shape(OpenWalk& walk)
{
    for (int i = 0; i < 600; ++i) walk.world.step();
    Shape mean;
    constexpr int kSamples = 60;
    for (int sample = 0; sample < kSamples; ++sample) {
        for (int i = 0; i < 10; ++i) walk.world.step();
        const std::vector<Vec2> at = walk.positions();
        const std::size_t n = at.size();
        const double outer = 0.5 * (at[0].x + at[n - 1].x);
        const double middle = 0.5 * (at[(n - 1) / 2].x + at[n / 2].x);
        const auto [last, first] =
            std::minmax_element(at.begin(), at.end(), [](Vec2 a, Vec2 b) { return a.x < b.x; });
        mean.lead += (outer - middle) / kSamples;
        mean.depth += (first->x - last->x) / kSamples;
        mean.width += (at[n - 1].y - at[0].y) / kSamples;
    }
    return mean;
}

class Groups : public WorldTest {};

TEST_F(Groups, of_three_to_five_walk_in_a_v_with_its_apex_at_the_rear)
{
    // Slots ask for 0.32, 0.32 and 0.64 m.
    for (const std::string& model : avoiding_models()) {
        for (const std::size_t n : {3, 4, 5}) {
            for (std::uint64_t seed = 1; seed <= 3; ++seed) {
                SCOPED_TRACE(model + ", " + std::to_string(n) + " members, seed " +
                             std::to_string(seed));
                OpenWalk walk(model, n, Formation::v, seed);
                const Shape shape = settled_shape(walk);
                EXPECT_GT(shape.lead, 0.12);
                EXPECT_LT(shape.lead, 1.0);
            }
        }
    }
}

TEST_F(Groups, without_slots_walk_in_a_line_abreast)
{
    for (const std::string model : kExactModels) {
        for (const std::size_t n : {2, 3, 4, 5}) {
            SCOPED_TRACE(model + ", " + std::to_string(n) + " members");
            OpenWalk walk(model, n, Formation::abreast, 1);
            const Shape shape = settled_shape(walk);
            EXPECT_NEAR(shape.lead, 0.0, 0.02);
            EXPECT_LT(shape.depth, 0.05);
            EXPECT_NEAR(shape.width, 0.8 * static_cast<double>(n - 1), 0.1);
        }
    }
}

TEST_F(Groups, walk_steadily_and_as_fast_as_alone_once_they_are_in_formation)
{
    for (const std::string model : kExactModels) {
        for (const Formation formation : {Formation::abreast, Formation::v}) {
            SCOPED_TRACE(model);
            OpenWalk walk(model, 4, formation, 2);
            for (int i = 0; i < 600; ++i) walk.world.step();
            Vec2 before = must(walk.world.agent(walk.members[0])).velocity;
            for (int i = 0; i < 100; ++i) {
                walk.world.step();
                const Vec2 now = must(walk.world.agent(walk.members[0])).velocity;
                ASSERT_LT(std::hypot(now.x - before.x, now.y - before.y), 0.01);
                ASSERT_NEAR(now.x, 1.34, 0.02);
                before = now;
            }
        }
    }
}

TEST_F(Groups, of_followers_stay_behind_and_about_the_one_they_follow)
{
    for (const std::string& model : avoiding_models()) {
        SCOPED_TRACE(model);
        OpenWalk walk(model, 6, Formation::leader, 1);
        for (int i = 0; i < 800; ++i) walk.world.step();
        const Vec2 leader = must(walk.world.agent(walk.members[0])).position;
        for (std::size_t i = 1; i < walk.members.size(); ++i) {
            const Vec2 follower = must(walk.world.agent(walk.members[i])).position;
            // (n - 1) / 2 m about a place 1 m behind
            EXPECT_LT(std::hypot(follower.x - (leader.x - 1.0), follower.y - leader.y), 2.6);
            EXPECT_LT(follower.x, leader.x + 0.01);
        }
    }
}

}  // namespace
}  // namespace sidestep::test
