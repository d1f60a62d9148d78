// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// A thousand people of every kind for 2,000 steps.
#include <gtest/gtest.h>

#include "support/mixed_world.hpp"

namespace sidestep::test {
namespace {

class MixedCrowd : public WorldTest {};

constexpr std::size_t kPeople = 1000;
constexpr int kSteps = 2000;

TEST_F(MixedCrowd, keeps_its_invariants)
{
    MixedWorld mixed(11, kPeople, MixedWorld::kDense, {});
    OverlapInspector overlaps(mixed.world(), mixed.scene.inspector->walls);
    expect_invariants(mixed, kSteps, overlaps);
    expect_people_apart(overlaps, 300);
}

TEST_F(MixedCrowd, keeps_its_invariants_in_a_room_with_space)
{
    MixedWorld mixed(12, kPeople, MixedWorld::kRoomy, {});
    OverlapInspector overlaps(mixed.world(), mixed.scene.inspector->walls);
    expect_invariants(mixed, kSteps, overlaps);
    expect_people_apart(overlaps, 80);
}

TEST_F(MixedCrowd, is_the_same_for_any_number_of_threads)
{
    const auto alone = hashes_with_threads(13, kPeople, kSteps, 1);
    EXPECT_EQ(hashes_with_threads(13, kPeople, kSteps, 2), alone);
    EXPECT_EQ(hashes_with_threads(13, kPeople, kSteps, 4), alone);
}

}  // namespace
}  // namespace sidestep::test
