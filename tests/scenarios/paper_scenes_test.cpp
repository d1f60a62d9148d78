// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The shipped scenes of [RCAP10] and [LI13] show what the papers show.
#include <gtest/gtest.h>

#include <cstdio>
#include <string_view>

#include "support/walk_scene.hpp"

namespace sidestep::test {
namespace {

class PaperScenes : public WorldTest {};

TEST_F(PaperScenes, rcap_fig5_goes_through_the_three_phases)
{
    const Walks walks = walk_scene("rcap-fig5");
    ASSERT_EQ(walks.of.size(), 2u);
    const auto m = [&](double time) { return projected_distance(walks, walks.at(time)); };
    EXPECT_NEAR(m(0.79), 0.10, 0.01);
    EXPECT_NEAR(m(1.0), 0.20, 0.03);
    EXPECT_NEAR(m(2.0), 0.58, 0.03);
    EXPECT_NEAR(m(2.85), 0.76, 0.03);
    EXPECT_NEAR(min_distance(walks), 0.76, 0.03);
}

TEST_F(PaperScenes, rcap_fig6c_has_no_reaction)
{
    const Walks walks = walk_scene("rcap-fig6c");
    ASSERT_EQ(walks.of.size(), 2u);
    EXPECT_GT(projected_distance(walks, 0), 1.2);
    for (const Walk& walk : walks.of) EXPECT_LT(velocity_change(walk), 0.02);
}

TEST_F(PaperScenes, rcap_fig9a_and_fig9b_step_aside_alike_and_not_at_all)
{
    const Walks open = walk_scene("rcap-fig9a");
    ASSERT_EQ(open.of.size(), 2u);
    EXPECT_NEAR(deviation(open[0], {1, 0}) / deviation(open[1], {1, 0}), 1.0, 0.05);
    EXPECT_NEAR(deviation(open[0], {1, 0}), 0.486, 0.02);
    EXPECT_NEAR(min_distance(open), 0.76, 0.01);

    const Walks walled = walk_scene("rcap-fig9b");
    ASSERT_EQ(walled.of.size(), 2u);
    const double beside = deviation(walled[0], {1, 0});
    const double free = deviation(walled[1], {1, 0});
    std::printf("rcap-fig9b: deviations %.3f %.3f m, closest %.3f m\n", beside, free,
                min_distance(walled));
    EXPECT_GT(free / (beside + free), 0.9);
    EXPECT_GT(min_distance(walled), 0.5);
    for (const Vec2 p : walled[0].position) EXPECT_GT(p.y + 0.4, 0.25);
}

TEST_F(PaperScenes, rcap_fig10_keeps_its_distance)
{
    const Walks walks = walk_scene("rcap-fig10");
    ASSERT_EQ(walks.of.size(), 5u);
    // Until the first is gone or 8 s are over.
    Walks way = walks;
    std::size_t frames = walks.at(8.0);
    for (const Walk& walk : walks.of) frames = std::min(frames, walk.position.size());
    for (Walk& walk : way.of) {
        walk.position.resize(frames);
        walk.velocity.resize(frames);
    }
    EXPECT_GE(min_distance(way), 0.74);
}

TEST_F(PaperScenes, li_experiments_deviate_as_their_roles_and_tempers_say)
{
    const Vec2 diagonal{1.0, 1.0};
    const auto deviations = [&](std::string_view name) {
        const Walks walks = walk_scene(name);
        EXPECT_EQ(walks.of.size(), 2u);
        EXPECT_GT(min_distance(walks), 0.8);
        const std::pair result{deviation(walks[0], diagonal), deviation(walks[1], diagonal)};
        std::printf("%s: deviations %.3f %.3f m, closest %.3f m\n", std::string(name).c_str(),
                    result.first, result.second, min_distance(walks));
        return result;
    };
    const auto first = deviations("li-1");
    EXPECT_NEAR(first.first / first.second, 1.0, 0.02);
    EXPECT_NEAR(first.first, 0.42, 0.02);
    const auto second = deviations("li-2");
    EXPECT_GT(second.second, 1.02 * second.first);
    const auto third = deviations("li-3");
    EXPECT_GE(third.first / third.second, 0.45);
    EXPECT_LE(third.first / third.second, 0.65);
    EXPECT_NEAR(third.second, 0.53, 0.02);
}

TEST_F(PaperScenes, li_8_swap_places_without_contact_for_any_seed)
{
    for (const char* seed : {"1", "2", "3", "4", "5"}) {
        const Walks walks = walk_scene("li-8", {{"world.seed", seed}});
        ASSERT_EQ(walks.of.size(), 8u);
        double longest = 0.0;
        for (const Walk& walk : walks.of)
            longest = std::max(longest, static_cast<double>(walk.position.size()) * walks.dt);
        std::printf("li-8, seed %s: closest %.3f m, %.1f s\n", seed, min_distance(walks), longest);
        EXPECT_GT(min_distance(walks), 0.8);
        EXPECT_LT(longest, 120.0);
    }
}

}  // namespace
}  // namespace sidestep::test
