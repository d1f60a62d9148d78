// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Who is avoided in crowds that do not fit into anybody's memory, and what that memory takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/contract_worlds.hpp"
#include "support/notices.hpp"

namespace sidestep::test {
namespace {

class Perception : public WorldTest {};

/// A table of ten places that forgets whom it has no place for: what this engine must not do.
class PlainTable {
public:
    /// Ids in sight, nearest first; whether `id` is avoided.
    bool step(const std::vector<std::uint32_t>& in_sight, std::uint32_t id, int observation_steps)
    {
        std::map<std::uint32_t, int> next;
        for (std::size_t i = 0; i < std::min<std::size_t>(in_sight.size(), 10); ++i) {
            const auto known = seen_.find(in_sight[i]);
            next[in_sight[i]] = known == seen_.end() ? 0 : known->second + 1;
        }
        seen_ = next;
        const auto found = seen_.find(id);
        return found != seen_.end() && found->second > observation_steps;
    }

private:
    std::map<std::uint32_t, int> seen_;
};

TEST_F(Perception, somebody_long_seen_is_avoided_all_the_time_while_a_crowd_comes_and_goes)
{
    enum class Leaving { teleported, removed, hidden };
    for (const std::size_t size : {12u, 30u}) {
        for (const Leaving leaving : {Leaving::teleported, Leaving::removed, Leaving::hidden}) {
            SCOPED_TRACE(std::to_string(size) + " others, way of leaving " +
                         std::to_string(static_cast<int>(leaving)));
            World world = make_world({.dt = 0.1});
            const ProfileId profile = must(world.add_profile({"rcap",
                                                              {{"observation_time", 0.5},
                                                               {"neighbour_range", 20.0},
                                                               {"max_neighbours", 40.0}}}));
            const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
            must(world.add({.position = {0.0, 8.0}, .id = 1, .profile = profile}));
            PlainTable plain;
            std::vector<AgentHandle> crowd;
            std::vector<std::uint32_t> in_sight{1};
            std::uint64_t crowded = 0;
            bool plain_failed = false;
            const auto run = [&](int steps, bool known) {
                for (int i = 0; i < steps; ++i) {
                    if (known) {
                        EXPECT_TRUE(avoids(world, observer, 1)) << "step " << world.step_index();
                    }
                    plain_failed = !plain.step(in_sight, 1, 5) && known ? true : plain_failed;
                    crowded += world.step().crowded_sights;
                }
            };
            run(6, false);
            run(10, true);
            EXPECT_FALSE(plain_failed);
            for (std::uint32_t i = 0; i < size; ++i) {
                const double angle = 6.28 * i / static_cast<double>(size);
                crowd.push_back(
                    must(world.add({.position = {4.0 * std::cos(angle), 4.0 * std::sin(angle)},
                                    .id = 10 + i,
                                    .profile = profile})));
                in_sight.insert(in_sight.begin(), 10 + i);
            }
            run(20, true);
            std::optional<WallHandle> wall;
            for (std::size_t i = 0; i < crowd.size(); ++i) {
                if (leaving == Leaving::removed) must(world.remove(crowd[i]));
                if (leaving == Leaving::teleported)
                    must(world.teleport(crowd[i], {1000.0 + 2.0 * static_cast<double>(i), 0.0}));
                if (leaving == Leaving::hidden)
                    must(world.teleport(crowd[i], {-6.0 - static_cast<double>(i / 6),
                                                   static_cast<double>(i % 6) - 3.0}));
            }
            if (leaving == Leaving::hidden)
                wall = must(world.add_wall({{{-4.0, -9.0}, {-4.0, 9.0}}, WallKind::thin}));
            in_sight = {1};
            plain_failed = false;
            run(40, true);
            EXPECT_TRUE(plain_failed) << "the test would not notice a table that evicts";
            EXPECT_EQ(crowded > 0, size > 16);
        }
    }
}

TEST_F(Perception, a_crowd_that_fits_hides_no_new_face)
{
    // Fifteen in sight are all observed for the whole time; the report counts nobody.
    World world = make_world({.dt = 0.1});
    const ProfileId profile =
        must(world.add_profile({"rcap", {{"observation_time", 0.75}, {"max_neighbours", 20.0}}}));
    const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
    for (std::uint32_t i = 1; i <= 15; ++i) {
        const double angle = 6.28 * i / 15.0;
        must(world.add({.position = {3.0 * std::cos(angle), 3.0 * std::sin(angle)},
                        .id = i,
                        .profile = profile}));
    }
    for (int step = 0; step < 12; ++step) {
        const auto all = notices(world, observer);
        ASSERT_EQ(all.size(), 15u);
        for (const auto& [id, notice] : all)
            EXPECT_EQ(notice, step >= 8 ? Notice::avoided : Notice::new_face) << id;
        EXPECT_EQ(world.step().crowded_sights, 0u);
    }
}

TEST_F(Perception, only_the_nearest_of_those_observed_are_avoided_and_the_cap_is_told)
{
    World world = make_world({.dt = 0.1});
    const ProfileId profile =
        must(world.add_profile({"rcap", {{"observation_time", 0.15}, {"max_neighbours", 3.0}}}));
    const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
    for (std::uint32_t i = 1; i <= 5; ++i)
        must(world.add({.position = {0.8 * i, 0.0}, .id = i, .profile = profile}));
    EXPECT_FALSE(must(world.explain(observer)).neighbour_cap_hit);  // nobody is observed yet
    world.step();
    world.step();
    const Explanation why = must(world.explain(observer));
    EXPECT_TRUE(why.neighbour_cap_hit);
    ASSERT_EQ(why.neighbours.size(), 5u);
    for (std::uint32_t i = 0; i < 5; ++i) {
        EXPECT_EQ(why.neighbours[i].id, i + 1);
        EXPECT_NEAR(why.neighbours[i].distance, 0.8 * (i + 1), 1e-6);
        EXPECT_EQ(why.neighbours[i].notice, i < 3 ? Notice::avoided : Notice::observed);
    }
    // The others are not lost from memory.
    for (int step = 0; step < 40; ++step) world.step();
    EXPECT_EQ(notices(world, observer).at(5), Notice::observed);
}

TEST_F(Perception, those_behind_a_wall_take_nobodys_place_in_the_list)
{
    // 25 stand nearer, behind a wall; only three may be listed.
    World world = make_world({.dt = 0.1});
    const ProfileId profile = must(world.add_profile({"rcap", {{"max_neighbours", 3.0}}}));
    const AgentHandle observer = must(world.add({.id = 0, .profile = profile}));
    must(world.add_wall({{{-0.5, -6.0}, {-0.5, 6.0}}, WallKind::thin}));
    for (std::uint32_t i = 0; i < 25; ++i)
        must(world.add({.position = {-0.8 - 0.45 * (i / 5), 0.45 * (i % 5) - 0.9}, .id = 10 + i}));
    must(world.add({.position = {4.5, 0.0}, .id = 1}));
    for (int step = 0; step < 12; ++step) world.step();
    EXPECT_TRUE(avoids(world, observer, 1));
    const auto all = notices(world, observer);
    EXPECT_EQ(std::count_if(all.begin(), all.end(),
                            [](const auto& it) { return it.second == Notice::behind_wall; }),
              25);
    EXPECT_FALSE(must(world.explain(observer)).neighbour_cap_hit);
}

/// 1,100 people of all kinds among walls and bodies: three blocks of rows.
std::vector<std::uint64_t> crowd_hashes(WorldOptions options, bool backwards)
{
    World world = make_world(std::move(options));
    SeededRandom random(5);
    std::vector<ProfileId> profiles{0};
    for (const char* sight : {"centre", "body"}) {
        for (const double fov : {360.0, 120.0}) {
            profiles.push_back(
                must(world.add_profile({"rcap",
                                        {{"observation_time", 0.3},
                                         {"forget_time", 0.5},
                                         {"field_of_view_deg", fov},
                                         {"planning_radius", 0.25},
                                         {"sight", std::string(sight) == "centre" ? 1.0 : 2.0}}})));
        }
    }
    for (int i = 0; i < 40; ++i) {
        const Vec2 a = random.in_box(14.0);
        must(world.add_wall({{a, a + random.in_box(2.0)}, WallKind::thin}));
    }
    for (int i = 0; i < 4; ++i)
        must(world.add_body({.position = random.in_box(14.0), .velocity = random.in_box(1.0)}));
    std::vector<AgentSpec> specs;
    for (std::uint32_t i = 0; i < 1100; ++i) {
        specs.push_back({.position = random.in_box(14.0),
                         .velocity = random.in_box(1.0),
                         .goal = random.in_box(14.0),
                         .id = i * 2,
                         .profile = profiles[random.below(profiles.size())]});
    }
    if (backwards) std::reverse(specs.begin(), specs.end());
    must(world.add(specs));
    std::vector<std::uint64_t> hashes;
    std::uint64_t crowded = 0;
    for (int step = 0; step < 60; ++step) {
        crowded += world.step().crowded_sights;
        if (step % 10 == 9) hashes.push_back(world.state_hash());
    }
    hashes.push_back(crowded);
    return hashes;
}

TEST_F(Perception, threads_instruction_sets_and_order_change_no_bit)
{
    const auto expected = crowd_hashes({.threads = 1}, false);
    EXPECT_GT(expected.back(), 1000u);  // it is a crowd
    for (const std::uint32_t workers : {2u, 4u}) {
        PlainThreads threads(workers);
        EXPECT_EQ(crowd_hashes({.executor = threads.executor()}, false), expected) << workers;
    }
    for (const Isa isa : isas_under_test())
        EXPECT_EQ(crowd_hashes({.threads = 1, .isa = isa}, false), expected) << to_string(isa);
    EXPECT_EQ(crowd_hashes({.threads = 1}, true), expected);
}

TEST_F(Perception, a_memory_takes_132_bytes_of_each_agent_that_observes)
{
    constexpr std::size_t kAgents = 100'000;
    World world = make_world();
    const ProfileId profile = must(world.add_profile({"rcap", {}}));
    EXPECT_EQ(world.memory().sight, 0u);
    std::vector<AgentSpec> specs(kAgents);
    for (std::size_t i = 0; i < kAgents; ++i) {
        specs[i].position = {static_cast<double>(i % 400), static_cast<double>(i / 400)};
        specs[i].profile = profile;
    }
    const auto handles = must(world.add(specs));
    const double each = static_cast<double>(world.memory().sight) / kAgents;
    std::printf("sight: %.3f bytes per agent, %.1f in all\n", each,
                static_cast<double>(world.memory().total()) / kAgents);
    RecordProperty("sight_bytes_per_agent", std::to_string(each));
    EXPECT_LE(each, 132.01);  // 128 of a table, 4 of its place, and the rows of a last leaf
    EXPECT_GE(each, 132.0);

    // What is given back is used again.
    const std::size_t before = world.memory().sight;
    for (std::size_t i = 0; i < 1000; ++i) must(world.remove(handles[i]));
    for (std::size_t i = 0; i < 1000; ++i) must(world.add(specs[i]));
    EXPECT_LT(world.memory().sight - before, 4 * kAgents);  // rows grow, tables do not
}

TEST_F(Perception, who_observes_nobody_takes_no_memory)
{
    World world = make_world();
    const AgentHandle agent = must(world.add(AgentSpec{}));
    EXPECT_EQ(world.memory().sight, 0u);
    must(world.set_trait(agent, "observation_time", 0.5));
    EXPECT_GE(world.memory().sight, 128u);
}

}  // namespace
}  // namespace sidestep::test
