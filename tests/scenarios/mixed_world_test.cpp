// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// A thousand people of every kind for a few steps; tests/long has 2,000.
#include <gtest/gtest.h>

#include "support/mixed_world.hpp"

namespace sidestep::test {
namespace {

class MixedCrowd : public WorldTest {};

constexpr std::size_t kPeople = 1000;

TEST_F(MixedCrowd, keeps_its_invariants)
{
    MixedWorld mixed(1, kPeople, MixedWorld::kDense, MixedWorld::solid());
    OverlapInspector overlaps(mixed.world(), mixed.scene.inspector->walls);
    expect_invariants(mixed, 100, overlaps);
    expect_people_apart(overlaps, 30, kPushedInACrowd);
}

TEST_F(MixedCrowd, keeps_its_invariants_in_a_room_with_space)
{
    MixedWorld mixed(3, kPeople, MixedWorld::kRoomy, MixedWorld::solid());
    OverlapInspector overlaps(mixed.world(), mixed.scene.inspector->walls);
    expect_invariants(mixed, 120, overlaps);
    expect_people_apart(overlaps, 4, 0.0);
}

TEST_F(MixedCrowd, keeps_its_invariants_but_for_overlaps_without_solid_bodies)
{
    MixedWorld mixed(3, kPeople, MixedWorld::kRoomy, {});
    OverlapInspector overlaps(mixed.world(), mixed.scene.inspector->walls);
    expect_invariants(mixed, 120, overlaps);
    expect_avoiders_apart(overlaps, 4);
}

TEST_F(MixedCrowd, is_the_same_for_any_number_of_threads)
{
    for (const SolidBodies solid : {SolidBodies::off, SolidBodies::on}) {
        const auto alone = hashes_with_threads(2, kPeople, 50, 1, solid);
        EXPECT_EQ(hashes_with_threads(2, kPeople, 50, 2, solid), alone);
        EXPECT_EQ(hashes_with_threads(2, kPeople, 50, 4, solid), alone);
    }
}

}  // namespace
}  // namespace sidestep::test
