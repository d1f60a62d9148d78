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
    MixedWorld mixed(11, kPeople, MixedWorld::kDense, MixedWorld::solid());
    OverlapInspector overlaps(mixed.world(), mixed.scene.inspector->walls);
    expect_invariants(mixed, kSteps, overlaps);
    expect_people_apart(overlaps, 300, kPushedInACrowd);
}

TEST_F(MixedCrowd, keeps_its_invariants_in_a_room_with_space)
{
    MixedWorld mixed(12, kPeople, MixedWorld::kRoomy, MixedWorld::solid());
    OverlapInspector overlaps(mixed.world(), mixed.scene.inspector->walls);
    expect_invariants(mixed, kSteps, overlaps);
    expect_people_apart(overlaps, 80, 0.0);
}

TEST_F(MixedCrowd, keeps_its_invariants_but_for_overlaps_without_solid_bodies)
{
    for (const double half_side : {MixedWorld::kDense, MixedWorld::kRoomy}) {
        MixedWorld mixed(12, kPeople, half_side, {});
        OverlapInspector overlaps(mixed.world(), mixed.scene.inspector->walls);
        expect_invariants(mixed, kSteps, overlaps);
        if (half_side == MixedWorld::kRoomy) expect_avoiders_apart(overlaps, 80);
    }
}

TEST_F(MixedCrowd, is_the_same_for_any_number_of_threads)
{
    const auto hashes = [](std::uint32_t threads) {
        return hashes_with_threads(13, kPeople, kSteps, threads, SolidBodies::on);
    };
    const auto alone = hashes(1);
    EXPECT_EQ(hashes(2), alone);
    EXPECT_EQ(hashes(4), alone);
}

}  // namespace
}  // namespace sidestep::test
