// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Groups of a world: who is in which holds through every edit, and nothing depends on threads or on
// where rows are.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "support/contract_worlds.hpp"
#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

class GroupsOfAWorld : public WorldTest {};

/// 600 people of several models in groups of one to six, of all formations, on two levels.
std::vector<AgentHandle> fill(World& world, std::uint64_t seed)
{
    SeededRandom random(seed);
    must(world.add_wall({{{-40.0, 3.0}, {40.0, 3.0}}, WallKind::thin}));
    std::vector<ProfileId> profiles;
    for (const char* model : {"orca", "rcap", "clearpath", "seek"})
        profiles.push_back(must(world.add_profile({model, {}, {}})));
    std::vector<AgentHandle> all;
    while (all.size() < 600) {
        GroupSpec spec{.members = {}, .formation = {}, .leader = {}};
        const std::size_t size = 1 + random.below(6);
        const Vec2 start = random.in_box(25.0);
        const Vec2 goal = random.in_box(25.0);
        const auto level = static_cast<std::uint16_t>(random.below(2));
        for (std::size_t i = 0; i < size; ++i) {
            spec.members.push_back(
                must(world.add({.position = start + random.in_box(1.0),
                                .goal = goal,
                                .level = level,
                                .profile = profiles[random.below(profiles.size())]})));
        }
        spec.formation =
            random.one_of<Formation>({Formation::abreast, Formation::v, Formation::leader});
        if (spec.formation == Formation::leader) spec.leader = spec.members[random.below(size)];
        must(world.add_group(spec));
        all.insert(all.end(), spec.members.begin(), spec.members.end());
    }
    return all;
}

TEST_F(GroupsOfAWorld, give_the_same_bits_for_any_number_of_threads_and_instruction_set)
{
    std::set<std::uint64_t> hashes;
    for (const std::uint32_t threads : {1u, 2u, 4u}) {
        PlainThreads pool(threads);
        World world = make_world({.threads = threads, .executor = pool.executor()});
        fill(world, 5);
        for (int i = 0; i < 60; ++i) ASSERT_FALSE(world.step().fault);
        hashes.insert(world.state_hash());
    }
    for (const Isa isa : isas_under_test()) {
        World world = make_world({.isa = isa});
        fill(world, 5);
        for (int i = 0; i < 60; ++i) ASSERT_FALSE(world.step().fault);
        hashes.insert(world.state_hash());
    }
    EXPECT_EQ(hashes.size(), 1u);
}

TEST_F(GroupsOfAWorld, do_not_depend_on_the_order_of_adding_nor_on_where_rows_and_groups_are)
{
    const auto run = [](bool upside_down) {
        World world = make_world();
        SeededRandom random(7);
        std::vector<AgentSpec> specs;
        for (std::uint32_t id = 0; id < 120; ++id)
            specs.push_back(
                {.position = random.in_box(12.0), .goal = random.in_box(12.0), .id = id});
        if (upside_down) {
            // Groups and agents that are gone again by the first step leave other free places.
            std::reverse(specs.begin(), specs.end());
            const auto gone = must(world.add({.position = {20.0, 20.0}, .id = 999}));
            must(world.remove_group(must(world.add_group({.members = {gone}}))));
            must(world.remove(gone));
            must(world.add({.position = {60.0, 60.0}, .id = 998}));
        } else {
            must(world.add({.position = {60.0, 60.0}, .id = 998}));
            must(world.remove(must(world.add({.position = {20.0, 20.0}, .id = 999}))));
        }
        must(world.add(specs));
        std::vector<GroupSpec> groups;
        for (std::uint32_t first = 0; first + 4 <= 120; first += 4) {
            GroupSpec spec{.members = {}, .formation = Formation::v, .leader = {}};
            for (std::uint32_t id = first; id < first + 4; ++id)
                spec.members.push_back(*world.find(id));
            if (upside_down) std::reverse(spec.members.begin(), spec.members.end());
            groups.push_back(spec);
        }
        if (upside_down) std::reverse(groups.begin(), groups.end());
        for (const GroupSpec& spec : groups) must(world.add_group(spec));
        std::vector<std::uint64_t> hashes{world.state_hash()};
        for (int i = 0; i < 40; ++i) {
            // Somebody comes and goes far away, in one of the two: rows move, nothing else does.
            if (upside_down && i % 5 == 0) {
                must(world.teleport(*world.find(998), {60.0, 60.0}, std::uint16_t{2}));
                must(world.teleport(*world.find(998), {60.0, 60.0}, std::uint16_t{0}));
            }
            EXPECT_FALSE(world.step().fault);
            hashes.push_back(world.state_hash());
        }
        return hashes;
    };
    EXPECT_EQ(run(false), run(true));
}

TEST_F(GroupsOfAWorld, hold_through_any_edits)
{
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        World world = make_world();
        std::vector<AgentHandle> agents;
        for (int i = 0; i < 60; ++i)
            agents.push_back(
                must(world.add({.position = random.in_box(9.0), .goal = random.in_box(9.0)})));
        std::vector<GroupHandle> groups;
        std::map<std::uint32_t, std::size_t> group_of;  // by agent's id, place in groups
        for (int edit = 0; edit < 400; ++edit) {
            const std::size_t who = random.below(agents.size());
            const bool lives = world.alive(agents[who]);
            const std::uint32_t id = lives ? must(world.agent(agents[who])).id : kNoAgent;
            switch (random.below(7)) {
                case 0: groups.push_back(must(world.add_group({.formation = Formation::v}))); break;
                case 1:
                    if (lives && random.chance(0.2)) {
                        must(world.remove(agents[who]));
                        group_of.erase(id);
                    }
                    break;
                case 2:
                    if (lives) must(world.clear_group(agents[who]));
                    group_of.erase(id);
                    break;
                case 3:
                    if (random.chance(0.3) && !groups.empty()) {
                        const std::size_t place = random.below(groups.size());
                        const bool lived = world.alive(groups[place]);
                        EXPECT_EQ(world.remove_group(groups[place]).has_value(), lived);
                        std::erase_if(group_of, [&](auto& entry) { return entry.second == place; });
                    }
                    break;
                case 4: world.step(); break;
                case 5:
                    if (lives) must(world.set_model(agents[who], random.one_of({"seek", "rcap"})));
                    break;
                default:
                    if (lives && !groups.empty()) {
                        const std::size_t place = random.below(groups.size());
                        if (world.set_group(agents[who], groups[place])) group_of[id] = place;
                    }
            }
            for (const AgentHandle agent : agents) {
                if (!world.alive(agent)) continue;
                const auto found = group_of.find(must(world.agent(agent)).id);
                const auto group = must(world.group_of(agent));
                ASSERT_EQ(group.has_value(), found != group_of.end());
                if (!group) continue;
                ASSERT_EQ(*group, groups[found->second]);
            }
            for (std::size_t place = 0; place < groups.size(); ++place) {
                if (!world.alive(groups[place])) continue;
                std::vector<std::uint32_t> expected, ids;
                for (const auto& [member, of] : group_of)
                    if (of == place) expected.push_back(member);
                for (const AgentHandle member : must(world.group_members(groups[place])))
                    ids.push_back(must(world.agent(member)).id);
                ASSERT_EQ(ids, expected);
            }
        }
    }
}

TEST_F(GroupsOfAWorld, are_part_of_the_state_only_where_there_are_members)
{
    const auto make = [] {
        World world = make_world();
        for (int i = 0; i < 4; ++i)
            must(world.add({.position = {1.0 * i, 0.3 * i}, .goal = Vec2{9.0, 1.0 * i}}));
        return world;
    };
    World plain = make();
    World grouped = make();
    const auto empty = must(grouped.add_group({}));
    EXPECT_EQ(grouped.state_hash(), plain.state_hash());
    const auto pair = must(grouped.add_group({.members = {*grouped.find(1), *grouped.find(2)}}));
    const std::uint64_t abreast = grouped.state_hash();
    EXPECT_NE(abreast, plain.state_hash());
    must(grouped.remove_group(pair));
    EXPECT_EQ(grouped.state_hash(), plain.state_hash());
    must(grouped.add_group(
        {.members = {*grouped.find(1), *grouped.find(2)}, .formation = Formation::v}));
    EXPECT_NE(grouped.state_hash(), abreast);
    for (const std::uint32_t id : {1u, 2u}) must(grouped.clear_group(*grouped.find(id)));
    must(grouped.set_group(*grouped.find(3), empty));
    must(grouped.clear_group(*grouped.find(3)));
    for (int i = 0; i < 30; ++i) {
        plain.step();
        grouped.step();
        ASSERT_EQ(grouped.state_hash(), plain.state_hash());
    }
}

TEST_F(GroupsOfAWorld, leave_what_a_host_wishes_as_it_is)
{
    World world = make_world();
    const auto a = must(world.add({.position = {0.0, 0.0}}));
    const auto b = must(world.add({.position = {0.0, 0.5}}));
    for (const auto agent : {a, b}) must(world.drive_by_host(agent, {1.0, 0.0}));
    must(world.add_group({.members = {a, b}}));
    for (int i = 0; i < 20; ++i) world.step();
    EXPECT_EQ(must(world.agent(a)).preferred_velocity, (Vec2{1.0, 0.0}));
    EXPECT_NEAR(must(world.agent(b)).position.y - must(world.agent(a)).position.y, 0.8, 1e-3);
}

TEST_F(GroupsOfAWorld, explain_what_they_add_as_the_step_then_does_it)
{
    World world = make_world({.threads = 1});
    const auto agents = fill(world, 9);
    for (int i = 0; i < 5; ++i) world.step();
    for (std::size_t i = 0; i < agents.size(); i += 50) must(world.watch(agents[i]));
    for (int i = 0; i < 10; ++i) {
        std::vector<Explanation> foretold;
        const std::uint64_t before = world.state_hash();
        for (std::size_t j = 0; j < agents.size(); j += 50)
            foretold.push_back(must(world.explain(agents[j])));
        ASSERT_EQ(world.state_hash(), before);
        world.step();
        for (std::size_t j = 0; j < foretold.size(); ++j) {
            const Explanation* kept = world.watched(agents[50 * j]);
            ASSERT_NE(kept, nullptr);
            ASSERT_TRUE(kept->group_change);
            EXPECT_EQ(*kept->group_change, *foretold[j].group_change);
            EXPECT_EQ(kept->chosen_velocity, foretold[j].chosen_velocity);
            EXPECT_EQ(kept->reason, foretold[j].reason);
            EXPECT_NE(kept->reason.find("its group "), std::string::npos) << kept->reason;
        }
    }
    const auto alone = must(world.add({.position = {30.0, 30.0}, .goal = Vec2{40.0, 30.0}}));
    EXPECT_FALSE(must(world.explain(alone)).group_change);
}

}  // namespace
}  // namespace sidestep::test
