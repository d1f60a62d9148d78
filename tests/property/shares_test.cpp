// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Shares of pairs: what set_share says holds, for those two, as long as both live.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

class PairSharesOfAWorld : public WorldTest {};

struct Meeting {
    World world = make_world({.dt = 0.05});
    AgentHandle a =
        must(world.add({.position = {-4, 0}, .velocity = {1.3, 0}, .goal = Vec2{9, 0}}));
    AgentHandle b =
        must(world.add({.position = {4, 0.01}, .velocity = {-1.3, 0}, .goal = Vec2{-9, 0}}));

    /// How far each has left its line when they have passed.
    std::pair<double, double> deviations()
    {
        double of_a = 0.0, of_b = 0.0;
        for (int step = 0; step < 140; ++step) {
            world.step();
            of_a = std::max(of_a, std::fabs(must(world.agent(a)).position.y));
            of_b = std::max(of_b, std::fabs(must(world.agent(b)).position.y - 0.01));
        }
        return {of_a, of_b};
    }
};

TEST_F(PairSharesOfAWorld, decide_who_steps_aside)
{
    Meeting equal;
    const auto [a, b] = equal.deviations();
    EXPECT_NEAR(a, b, 0.05 * b);

    Meeting unequal;
    must(unequal.world.set_share(unequal.a, unequal.b, 0.9));
    const auto [more, less] = unequal.deviations();
    EXPECT_GT(more, 4.0 * less);
    EXPECT_NEAR(more + less, a + b, 0.1 * (a + b));
}

/// Two who set out from rest on ways that cross, and see each other from the start.
struct Crossing {
    World world = make_world({.dt = 0.05});
    ProfileId far_sighted =
        must(world.add_profile({.values = {{"time_horizon", 4.0}, {"neighbour_range", 20.0}}}));
    AgentHandle a =
        must(world.add({.position = {-5, 0}, .goal = Vec2{9, 0}, .profile = far_sighted}));
    AgentHandle b =
        must(world.add({.position = {0, -5}, .goal = Vec2{0, 9}, .profile = far_sighted}));
};

TEST_F(PairSharesOfAWorld, of_zero_take_no_notice_and_leave_it_to_the_other)
{
    for (const bool by_rank : {true, false}) {
        SCOPED_TRACE(by_rank ? "rank 0" : "set_share 0");
        Crossing scene;
        World& world = scene.world;
        if (by_rank) must(world.set_rank(scene.b, 0.0));
        else must(world.set_share(scene.a, scene.b, 0.0));
        const Explanation first = must(world.explain(scene.a));
        ASSERT_EQ(first.neighbours.size(), 1u);
        EXPECT_EQ(first.neighbours[0].notice, Explanation::Notice::ignored);
        EXPECT_EQ(first.neighbours[0].share, 0.0);
        EXPECT_TRUE(first.lines.empty());
        EXPECT_EQ(must(world.explain(scene.b)).neighbours[0].notice, Explanation::Notice::avoided);
        double of_a = 0.0, of_b = 0.0, nearest = 1e9;
        for (int step = 0; step < 300; ++step) {
            ASSERT_FALSE(world.step().fault);
            const Vec2 a = must(world.agent(scene.a)).position;
            const Vec2 b = must(world.agent(scene.b)).position;
            of_a = std::max(of_a, std::fabs(a.y));
            of_b = std::max(of_b, std::fabs(b.x));
            nearest = std::min(nearest, std::hypot(a.x - b.x, a.y - b.y));
        }
        const double radii =
            must(world.trait(scene.a, "radius")) + must(world.trait(scene.b, "radius"));
        EXPECT_LT(of_a, 0.05);
        EXPECT_GT(of_b, 0.2);  // a radius: it steps aside, and slows down
        EXPECT_GT(nearest, radii - 1e-3);
        EXPECT_NEAR(must(world.agent(scene.a)).position.x, 9.0, 0.05);
        EXPECT_NEAR(must(world.agent(scene.b)).position.y, 9.0, 0.05);
    }
}

TEST_F(PairSharesOfAWorld, come_before_ranks_and_end_when_they_are_cleared)
{
    Meeting scene;
    must(scene.world.set_rank(scene.a, HUGE_VAL));
    EXPECT_EQ(must(scene.world.share(scene.a, scene.b)), 0.0);
    EXPECT_EQ(must(scene.world.share(scene.b, scene.a)), 1.0);
    must(scene.world.set_share(scene.b, scene.a, 0.25));
    EXPECT_EQ(must(scene.world.share(scene.a, scene.b)), 0.75);
    must(scene.world.set_trait(scene.a, "neighbour_range", 10.0));
    EXPECT_EQ(must(scene.world.explain(scene.a)).neighbours.at(0).share, 0.75);
    must(scene.world.clear_share(scene.a, scene.b));
    EXPECT_EQ(must(scene.world.share(scene.b, scene.a)), 1.0);
    must(scene.world.clear_share(scene.a, scene.b));  // none: nothing to do
    must(scene.world.set_model(scene.b, "seek"));
    must(scene.world.set_share(scene.a, scene.b, 0.1));
    EXPECT_EQ(must(scene.world.share(scene.a, scene.b)), 1.0);  // it does not react
}

TEST_F(PairSharesOfAWorld, bad_calls_are_refused_and_change_nothing)
{
    Meeting scene;
    const std::uint64_t before = scene.world.state_hash();
    EXPECT_FALSE(scene.world.set_share(scene.a, scene.a, 0.5));
    EXPECT_FALSE(scene.world.share(scene.b, scene.b));
    for (const double share : {-0.1, 1.1, std::nan(""), HUGE_VAL})
        EXPECT_FALSE(scene.world.set_share(scene.a, scene.b, share));
    EXPECT_EQ(scene.world.state_hash(), before);
    must(scene.world.set_share(scene.a, scene.b, 0.5));
    EXPECT_NE(scene.world.state_hash(), before);  // it will hold when ranks change
    must(scene.world.clear_share(scene.b, scene.a));
    EXPECT_EQ(scene.world.state_hash(), before);
    must(scene.world.set_share(scene.a, scene.b, 0.5));
    must(scene.world.remove(scene.b));
    EXPECT_FALSE(scene.world.set_share(scene.a, scene.b, 0.5));
    EXPECT_FALSE(scene.world.clear_share(scene.a, scene.b));
    EXPECT_FALSE(scene.world.share(scene.a, scene.b));
}

TEST_F(PairSharesOfAWorld, are_set_together_or_not_at_all)
{
    Meeting scene;
    const AgentHandle c = must(scene.world.add({.position = {0, 3}}));
    must(scene.world.set_shares({}));
    must(scene.world.set_shares(
        std::vector<ShareSpec>{{c, scene.a, 0.75}, {scene.b, scene.a, 0.5}, {scene.a, c, 0.5}}));
    EXPECT_EQ(must(scene.world.share(c, scene.a)), 0.5);  // named twice: the last one holds
    const std::uint64_t before = scene.world.state_hash();
    for (const ShareSpec& bad :
         {ShareSpec{c, c, 0.5}, ShareSpec{c, {}, 0.5}, ShareSpec{c, scene.b, 1.5}}) {
        EXPECT_FALSE(scene.world.set_shares(std::vector<ShareSpec>{{scene.b, scene.a, 0.25}, bad}));
    }
    EXPECT_EQ(scene.world.state_hash(), before);
}

TEST_F(PairSharesOfAWorld, of_others_stay_when_one_leaves)
{
    // c has shares towards a higher and a lower id, d only towards a lower one, b towards nobody
    // but the one who leaves: what is marked must be what is left.
    World world = make_world();
    AgentHandle agents[5];
    for (int i = 0; i < 5; ++i) agents[i] = must(world.add({.position = {1.0 * i, 0.0}}));
    const auto [a, b, c, d, leaves] = agents;
    must(world.set_shares(std::vector<ShareSpec>{
        {c, a, 0.25}, {c, d, 0.125}, {leaves, b, 0.75}, {leaves, c, 0.75}, {leaves, d, 0.75}}));
    must(world.remove(leaves));
    std::size_t marked = 0;
    for (const AgentRecord& record : world.columns().record)
        marked += record.id != kNoAgent && (record.flags & kHasShares) != 0 ? 1 : 0;
    EXPECT_EQ(marked, 3u);
    EXPECT_EQ(must(world.share(c, a)), 0.25);
    EXPECT_EQ(must(world.share(d, c)), 0.875);
    EXPECT_EQ(must(world.share(b, a)), 0.5);
}

TEST_F(PairSharesOfAWorld, an_id_that_is_used_again_inherits_none)
{
    Meeting scene;
    must(scene.world.set_share(scene.a, scene.b, 1.0));
    must(scene.world.remove(scene.b));
    const AgentHandle next = must(scene.world.add({.position = {4, 0}, .id = 1}));
    EXPECT_EQ(must(scene.world.share(scene.a, next)), 0.5);
}

TEST_F(PairSharesOfAWorld, are_what_a_plain_map_holds_after_random_edits)
{
    SeededRandom random(11);
    World world = make_world();
    World twin = make_world();  // gets only what is left in the end
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> shares;  // low, high -> share of low
    std::map<std::uint32_t, AgentHandle> agents;
    const auto add = [&](std::uint32_t id) {
        agents[id] = must(world.add({.position = {id * 1.0, 0.0}, .id = id}));
    };
    for (std::uint32_t id = 0; id < 30; ++id) add(id);
    for (int edit = 0; edit < 5'000; ++edit) {
        const auto i = static_cast<std::uint32_t>(random.below(30));
        const auto j = static_cast<std::uint32_t>(random.below(30));
        const auto pair = std::minmax(i, j);
        if (random.chance(0.03)) {
            must(world.remove(agents[i]));
            std::erase_if(shares, [&](const auto& entry) {
                return entry.first.first == i || entry.first.second == i;
            });
            add(i);
        } else if (i == j) {
            continue;
        } else if (random.chance(0.4)) {
            must(world.clear_share(agents[i], agents[j]));
            shares.erase(pair);
        } else if (random.chance(0.1)) {  // many at once, some pairs several times
            std::vector<ShareSpec> specs(random.below(20));
            for (ShareSpec& spec : specs) {
                const auto a = static_cast<std::uint32_t>(random.below(30));
                const auto b = (a + 1 + static_cast<std::uint32_t>(random.below(29))) % 30;
                spec = {agents[a], agents[b], static_cast<double>(random.below(65)) / 64.0};
                shares[std::minmax(a, b)] = a < b ? spec.share : 1.0 - spec.share;
            }
            must(world.set_shares(specs));
        } else {
            const double share = static_cast<double>(random.below(65)) / 64.0;
            must(world.set_share(agents[i], agents[j], share));
            shares[pair] = i < j ? share : 1.0 - share;
        }
        const auto found = shares.find(pair);
        if (i != j) {
            const double of_low = found == shares.end() ? 0.5 : found->second;
            ASSERT_EQ(must(world.share(agents[pair.first], agents[pair.second])), of_low);
            ASSERT_EQ(must(world.share(agents[pair.second], agents[pair.first])), 1.0 - of_low);
        }
    }
    EXPECT_GT(shares.size(), 50u);
    for (std::uint32_t id = 0; id < 30; ++id)
        must(twin.add({.position = {id * 1.0, 0.0}, .id = id}));
    for (const auto& [pair, share] : shares)
        must(twin.set_share(*twin.find(pair.first), *twin.find(pair.second), share));
    EXPECT_EQ(world.state_hash(), twin.state_hash());
}

}  // namespace
}  // namespace sidestep::test
