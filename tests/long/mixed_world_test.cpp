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
    MixedWorld mixed(11, kPeople, {});
    expect_invariants(mixed, kSteps);
}

TEST_F(MixedCrowd, is_the_same_for_any_number_of_threads)
{
    const auto alone = hashes_with_threads(13, kPeople, kSteps, 1);
    EXPECT_EQ(hashes_with_threads(13, kPeople, kSteps, 2), alone);
    EXPECT_EQ(hashes_with_threads(13, kPeople, kSteps, 4), alone);
}

}  // namespace
}  // namespace sidestep::test
