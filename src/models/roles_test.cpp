// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/roles.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sidestep {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

AgentRecord walker(std::uint32_t id, float rank, std::uint32_t flags = kReacts | 1u << 24)
{
    return {.rank = rank, .id = id, .flags = flags};
}

TEST(Roles, shares_of_a_pair_follow_from_ranks_and_add_up_to_one)
{
    EXPECT_EQ(share_by_rank(1.0f, 1.0f), 0.5f);
    EXPECT_EQ(share_by_rank(3.0f, 1.0f), 0.25f);
    EXPECT_EQ(share_by_rank(0.0f, 0.0f), 0.5f);
    EXPECT_EQ(share_by_rank(kInfinite, kInfinite), 0.5f);
    EXPECT_EQ(share_by_rank(kInfinite, 1.0f), 0.0f);
    EXPECT_EQ(share_by_rank(1.0f, kInfinite), 1.0f);
    EXPECT_EQ(share_by_rank(3e38f, 3e38f), 0.5f);
    for (const float other : {0.0f, 0.3f, 2.0f, 1e6f}) {
        EXPECT_NEAR(share_by_rank(1.5f, other) + share_by_rank(other, 1.5f), 1.0f, 1e-7f);
    }
}

TEST(Roles, what_does_not_yield_is_an_obstacle_and_who_does_not_yield_ignores)
{
    const PairShares none;
    const Role to_seeker = role_towards(none, walker(1, 1.0f), walker(2, 1.0f, 0));
    EXPECT_TRUE(to_seeker.obstacle);
    EXPECT_EQ(to_seeker.pair.conflict, 1.0f);
    EXPECT_EQ(to_seeker.pair.slack, 1.0f);
    const Role to_leader = role_towards(none, walker(1, 1.0f), walker(2, kInfinite));
    EXPECT_TRUE(to_leader.obstacle);
    EXPECT_EQ(to_leader.share, 1.0f);
    const Role of_leader = role_towards(none, walker(1, kInfinite), walker(2, 1.0f));
    EXPECT_TRUE(of_leader.ignored);
    EXPECT_EQ(of_leader.share, 0.0f);
}

TEST(Roles, between_two_of_a_class_who_takes_nothing_ignores_and_who_takes_all_has_an_obstacle)
{
    PairShares shares;
    ASSERT_TRUE(shares.entries.reserve(4));
    EXPECT_TRUE(role_towards(shares, walker(1, 1.0f), walker(2, 0.0f)).ignored);
    EXPECT_TRUE(role_towards(shares, walker(2, 0.0f), walker(1, 1.0f)).obstacle);
    EXPECT_FALSE(role_towards(shares, walker(1, 0.0f), walker(2, 0.0f)).ignored);
    EXPECT_FALSE(role_towards(shares, walker(1, 1.0f), walker(2, 1e-6f)).ignored);
    put_share(shares, 7, 3, 0.0f);
    const std::uint32_t flags = kReacts | kHasShares | 1u << 24;
    EXPECT_TRUE(role_towards(shares, walker(7, 1.0f, flags), walker(3, 9.0f, flags)).ignored);
    EXPECT_TRUE(role_towards(shares, walker(3, 9.0f, flags), walker(7, 1.0f, flags)).obstacle);
    // Another class may spend the slack, and an unknown one may not take what is its part.
    const Role towards_stranger =
        role_towards(shares, walker(1, 1.0f), walker(2, 0.0f, kReacts | 99u << 24));
    EXPECT_FALSE(towards_stranger.ignored);
    EXPECT_EQ(towards_stranger.share, 0.0f);
    EXPECT_EQ(towards_stranger.pair.conflict, 1.0f);
    EXPECT_EQ(towards_stranger.pair.slack, 0.0f);
}

TEST(Roles, a_share_that_was_set_comes_before_ranks)
{
    PairShares shares;
    ASSERT_TRUE(shares.entries.reserve(4));
    put_share(shares, 7, 3, 0.75f);
    const std::uint32_t flags = kReacts | kHasShares | 1u << 24;
    EXPECT_EQ(role_towards(shares, walker(7, 9.0f, flags), walker(3, 1.0f, flags)).share, 0.75f);
    EXPECT_EQ(role_towards(shares, walker(3, 1.0f, flags), walker(7, 9.0f, flags)).share, 0.25f);
    EXPECT_FALSE(role_towards(shares, walker(7, kInfinite, flags), walker(3, 1.0f, flags)).ignored);
    EXPECT_EQ(role_towards(shares, walker(7, 1.0f, flags), walker(4, 1.0f, flags)).share, 0.5f);
}

TEST(Roles, within_a_class_both_rely_on_the_others_share)
{
    for (const float share : {0.0f, 0.3f, 0.5f, 1.0f}) {
        const PairShare pair =
            pair_share(AvoidanceClass::half_planes, AvoidanceClass::half_planes, share);
        EXPECT_EQ(pair.conflict, share);
        EXPECT_EQ(pair.slack, share);
    }
}

TEST(Roles, another_class_is_relied_upon_as_far_as_it_takes_its_part_and_gets_the_slack)
{
    // Made-up classes: one takes all, one its part, one a fifth, one nothing.
    struct Case {
        float share, other_takes, conflict;
    };
    for (const Case& c : {Case{0.5f, 1.0f, 0.5f}, Case{0.5f, 0.5f, 0.5f}, Case{0.5f, 0.2f, 1.0f},
                          Case{0.9f, 0.2f, 0.9f}, Case{0.5f, 0.0f, 1.0f}, Case{1.0f, 0.0f, 1.0f},
                          Case{0.0f, 1.0f, 0.0f}, Case{0.0f, 0.9f, 1.0f}}) {
        const PairShare pair = split(false, c.share, c.other_takes);
        EXPECT_EQ(pair.conflict, c.conflict) << c.share << " " << c.other_takes;
        EXPECT_EQ(pair.slack, 0.0f);
        EXPECT_GE(pair.conflict + c.other_takes, 1.0f - 1e-6f);
    }
    const auto unknown = static_cast<AvoidanceClass>(99);
    EXPECT_EQ(pair_share(AvoidanceClass::half_planes, unknown, 0.5f).conflict, 1.0f);
    EXPECT_EQ(pair_share(unknown, AvoidanceClass::half_planes, 0.5f).conflict, 0.5f);
    EXPECT_EQ(pair_share(unknown, AvoidanceClass::half_planes, 0.5f).slack, 0.0f);
}

// On a collision course a class is relied upon if it takes at least its part: half-planes do, full
// cones take all of it. Of the others nobody knows on which side they take theirs.
TEST(Roles, every_pair_of_classes_shares_by_what_the_other_is_known_to_take)
{
    using Class = AvoidanceClass;
    constexpr Class kClasses[] = {
        Class::none,       Class::half_planes,      Class::linear_half_planes,
        Class::full_cones, Class::reciprocal_cones, Class::linear_cones,
        Class::forces};
    const PairShares none;
    for (const Class own : kClasses) {
        for (const Class other : kClasses) {
            SCOPED_TRACE(static_cast<int>(own) * 10 + static_cast<int>(other));
            for (const float rank : {0.5f, 1.0f, 3.0f}) {
                const auto flags = [](Class c) {
                    const std::uint32_t reacts = c == Class::none ? 0u : kReacts;
                    return reacts | static_cast<std::uint32_t>(c) << 24;
                };
                const AgentRecord a = walker(1, 1.0f, flags(own));
                const AgentRecord b = walker(2, rank, flags(other));
                const Role role = role_towards(none, a, b);
                const float share = share_by_rank(1.0f, rank);
                const bool relied_upon = other == Class::half_planes || other == Class::full_cones;
                float conflict = own == other || relied_upon ? share : 1.0f;
                float slack = own == other ? share : 0.0f;
                if (other == Class::none) conflict = slack = 1.0f;  // an obstacle with a velocity
                EXPECT_EQ(role.pair.conflict, conflict);
                EXPECT_EQ(role.pair.slack, slack);
                EXPECT_EQ(role.obstacle, other == Class::none);
                EXPECT_FALSE(role.ignored);
                if (own == Class::none || other == Class::none) continue;
                // Together they take all of it where either can be counted on.
                const Role back = role_towards(none, b, a);
                EXPECT_GE(role.pair.conflict + back.pair.conflict, 1.0f - 1e-6f);
            }
        }
    }
}

}  // namespace
}  // namespace sidestep
