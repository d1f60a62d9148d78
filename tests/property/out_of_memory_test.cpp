// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Memory runs out in all places it is taken, one after the other: each call answers with an Error
// and leaves the world as it was.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/refused_calls.hpp"

namespace sidestep::test {
namespace {

class OutOfMemory : public WorldTest {};

/// Makes the call in fresh worlds with room for 0, 1, 2, ... allocations until it succeeds. Each
/// failure must be an Error, must leave the world as it was, and must not show in the steps that
/// follow.
void expect_safe_without_memory(const std::function<Place()>& make, const Attempt& call,
                                long at_least)
{
    Place untouched = make();
    const Visible before = visible(untouched);
    const auto expected = future(untouched.world);
    for (long allocations = 0;; ++allocations) {
        SCOPED_TRACE("room for " + std::to_string(allocations) + " allocations");
        ASSERT_LT(allocations, 3000) << "never succeeds";
        Place place = make();
        const Outcome outcome = call(place, allocations);
        ASSERT_FALSE(outcome.threw) << "an exception crossed the interface";
        if (outcome.ok) {
            EXPECT_GE(allocations, at_least)
                << "the call takes less memory than this test was made for";
            EXPECT_FALSE(place.world.step().fault);
            return;
        }
        ASSERT_EQ(outcome.error.code, ErrorCode::out_of_memory) << outcome.error.message;
        ASSERT_FALSE(outcome.error.message.empty());
        ASSERT_EQ(visible(place), before);
        ASSERT_EQ(future(place.world), expected);
        const Outcome again = call(place, kNever);  // with memory it works
        ASSERT_TRUE(again.ok) << again.error.message;
    }
}

template <class Call>
void expect_safe_without_memory(Call call, long at_least = 1)
{
    expect_safe_without_memory([] { return make_place(); }, attempt(call), at_least);
}

TEST_F(OutOfMemory, adding_an_agent_without_memory_changes_nothing)
{
    expect_safe_without_memory([](Place& s) { return s.world.add({.position = {1.0, 1.0}}); });
    expect_safe_without_memory(
        [spec = AgentSpec{.position = {1.0, 1.0},
                          .level = 7,
                          .traits = {{"radius", 0.3}, {"wall_clearance", 0.1}}}](Place& s) {
            return s.world.add(spec);
        });
}

TEST_F(OutOfMemory, adding_many_agents_without_memory_adds_none)
{
    std::vector<AgentSpec> specs;
    for (std::uint32_t i = 0; i < 500; ++i) {
        specs.push_back({.position = {0.1 * i, 1.0},
                         .id = 5000 + i,
                         .level = static_cast<std::uint16_t>(i % 3)});
        if (i % 50 == 0) specs.back().traits = {{"radius", 0.3}, {"neighbour_range", 3.0}};
    }
    expect_safe_without_memory([&specs](Place& s) { return s.world.add(specs); }, 20);
}

TEST_F(OutOfMemory, a_lonely_crowd_grows_without_memory_and_still_sorts)
{
    // Everybody far from everybody: a sort takes a leaf for each of them, as many as there is
    // memory for, and no more.
    const auto make = [] { return make_place(300, 3900.0); };
    std::vector<AgentSpec> specs(5000);
    for (std::uint32_t i = 0; i < specs.size(); ++i)
        specs[i] = {.position = {0.7 * i, -0.7 * i}, .id = 9000 + i};
    expect_safe_without_memory(make, attempt([&specs](Place& s) { return s.world.add(specs); }),
                               10);
    expect_safe_without_memory(
        make, attempt([](Place& s) {
            return s.world.teleport(s.agents[0], {5.0, 5.0}, std::uint16_t{9});
        }),
        0);
}

TEST_F(OutOfMemory, other_edits_of_agents_without_memory_change_nothing)
{
    expect_safe_without_memory(
        [](Place& s) { return s.world.set_trait(s.agents[0], "radius", 0.4); });
    expect_safe_without_memory(
        [](Place& s) { return s.world.set_trait(s.agents[0], "velocity_uncertainty", 0.1); });
    expect_safe_without_memory([spec = ProfileSpec{"orca", {{"radius", 0.4}}}](Place& s) {
        return s.world.add_profile(spec);
    });
    expect_safe_without_memory([](Place& s) { return s.world.set_model(s.agents[0], "seek"); });
    expect_safe_without_memory(
        [](Place& s) { return s.world.set_model(s.agents[0], "clearpath"); });
    expect_safe_without_memory(
        [](Place& s) { return s.world.set_trait(s.agents[0], "filter", "clearpath"); });
    expect_safe_without_memory([](Place& s) { return s.world.reserve(5000); });
    expect_safe_without_memory([](Place& s) { return s.world.watch(s.agents[0]); });
    expect_safe_without_memory([](Place& s) { return s.world.explain(s.agents[0]); });
}

TEST_F(OutOfMemory, explaining_cones_without_memory_changes_nothing)
{
    const auto make = [] {
        Place place = make_place();
        must(place.world.set_model(place.agents[0], "clearpath"));
        must(place.world.set_trait(place.agents[0], "variant", 1.0));
        must(place.world.set_trait(place.agents[2], "filter", "clearpath"));
        return place;
    };
    for (const std::size_t i : {0u, 2u}) {
        expect_safe_without_memory(
            make, attempt([i](Place& s) { return s.world.explain(s.agents[i]); }), 2);
    }
}

TEST_F(OutOfMemory, traits_that_need_a_memory_without_memory_change_nothing)
{
    for (const char* trait : {"observation_time", "field_of_view_deg", "lateral_acceleration"}) {
        expect_safe_without_memory(
            [trait](Place& s) { return s.world.set_trait(s.agents[0], trait, 1.0); }, 2);
    }
    const auto make = [] {
        Place place = make_place();
        must(place.world.add_profile({"rcap", {{"field_of_view_deg", 90.0}}}));
        return place;
    };
    const auto profile = static_cast<ProfileId>(must(make().world.add_profile({})) - 1);
    expect_safe_without_memory(
        make, attempt([profile](Place& s) { return s.world.set_profile(s.agents[0], profile); }),
        2);
    std::vector<AgentSpec> specs(30);
    for (std::uint32_t i = 0; i < specs.size(); ++i)
        specs[i] = {.position = {0.2 * i, 1.0}, .profile = profile};
    expect_safe_without_memory(make, attempt([&specs](Place& s) { return s.world.add(specs); }), 4);
}

TEST_F(OutOfMemory, presets_shares_and_waiting_without_memory_change_nothing)
{
    // Six columns of own values, and one for the memory of whom the agent has seen.
    expect_safe_without_memory([](Place& s) { return s.world.apply_preset(s.agents[0], "elder"); },
                               7);
    expect_safe_without_memory([](Place& s) { return s.world.apply_preset(s.agents[0], "phone"); },
                               9);
    expect_safe_without_memory(
        [](Place& s) { return s.world.set_share(s.agents[0], s.agents[1], 0.2); });
    const ShareSpec shares[] = {{make_place().agents[0], make_place().agents[2], 0.2},
                                {make_place().agents[1], make_place().agents[0], 0.3}};
    expect_safe_without_memory([&shares](Place& s) { return s.world.set_shares(shares); });
    const auto make = [] {
        Place place = make_place();
        must(place.world.set_model(place.agents[0], "personality"));
        must(place.world.set_trait(place.agents[0], "max_acceleration", 0.5));
        return place;
    };
    expect_safe_without_memory(
        make,
        attempt([](Place& s) { return s.world.set_trait(s.agents[0], "when_stuck", "wait"); }), 2);
    expect_safe_without_memory(
        make, attempt([](Place& s) { return s.world.apply_preset(s.agents[0], "passive"); }), 7);
}

TEST_F(OutOfMemory, groups_without_memory_change_nothing)
{
    const Place twin = make_place();
    const GroupSpec pair{.members = {twin.agents[0], twin.agents[2]}};
    expect_safe_without_memory([&pair](Place& s) { return s.world.add_group(pair); }, 5);
    const auto make = [] {
        Place place = make_place();
        must(place.world.add_group({.members = {place.agents[0], place.agents[2]}}));
        must(place.world.add_group({.members = {place.agents[4]}, .formation = Formation::v}));
        return place;
    };
    const GroupHandle group = must(make().world.group_of(twin.agents[0])).value();
    const GroupSpec others{.members = {twin.agents[0], twin.agents[4], twin.agents[6]}};
    expect_safe_without_memory(make, attempt([&](Place& s) { return s.world.add_group(others); }),
                               2);
    expect_safe_without_memory(
        make, attempt([&](Place& s) { return s.world.set_group(s.agents[4], group); }), 1);
    expect_safe_without_memory(make,
                               attempt([&](Place& s) { return s.world.explain(s.agents[0]); }), 1);
    expect_safe_without_memory(make,
                               attempt([&](Place& s) { return s.world.group_members(group); }), 1);
    expect_safe_without_memory(make, attempt([&](Place& s) { return s.world.remove_group(group); }),
                               0);
    std::vector<AgentSpec> specs(500);
    for (std::uint32_t i = 0; i < specs.size(); ++i)
        specs[i] = {.position = {0.1 * i, 1.0}, .id = 5000 + i};
    expect_safe_without_memory(make, attempt([&specs](Place& s) { return s.world.add(specs); }),
                               20);
}

TEST_F(OutOfMemory, walls_and_bodies_without_memory_change_nothing)
{
    expect_safe_without_memory([spec = WallSpec{square({40.0, 40.0}, 3.0), WallKind::solid}](
                                   Place& s) { return s.world.add_wall(spec); });
    expect_safe_without_memory([spec = WallSpec{square({-1.0, -1.0}, 3.0), WallKind::solid}](
                                   Place& s) { return s.world.add_wall(spec); });
    expect_safe_without_memory([spec = WallSpec{{{40.0, 40.0}, {41.0, 42.0}}, WallKind::thin}](
                                   Place& s) { return s.world.add_wall(spec); });
    const std::vector<Vec2> hexagon{{20.0, 20.0}, {22.0, 19.0}, {24.0, 20.0},
                                    {24.0, 23.0}, {22.0, 24.0}, {20.0, 23.0}};
    expect_safe_without_memory([&hexagon](Place& s) { return s.world.move_wall(s.wall, hexagon); });
    expect_safe_without_memory([](Place& s) { return s.world.wall_vertices(s.wall); });
    expect_safe_without_memory([](Place& s) {
        return s.world.add_body({.position = {3.0, 3.0}, .radius = 0.5});
    });
    expect_safe_without_memory(
        [spec = BodySpec{.outline = square({3.0, 3.0}, 1.0), .velocity = {0.5, 0.5}}](Place& s) {
            return s.world.add_body(spec);
        });
    expect_safe_without_memory([](Place& s) {
        return s.world.teleport_body(s.polygon, {-20.0, 5.0});
    });
    expect_safe_without_memory([](Place& s) { return s.world.body_position(s.polygon); }, 0);
}

/// Makes worlds with room for 0, 1, 2, ... allocations until one can be made.
void expect_errors_until_made(std::uint32_t threads)
{
    long allocations = 0;
    for (;; ++allocations) {
        ASSERT_LT(allocations, 3000);
        SCOPED_TRACE("room for " + std::to_string(allocations) + " allocations");
        const auto world = [&] {
            const ShortMemory memory(allocations);
            return World::create({.threads = threads});
        }();
        if (world) break;
        ASSERT_EQ(world.error().code, ErrorCode::out_of_memory);
        ASSERT_FALSE(world.error().message.empty());
    }
    EXPECT_GT(allocations, 10);
}

TEST_F(OutOfMemory, a_world_that_cannot_be_made_is_an_error)
{
    expect_errors_until_made(1);
    // oneTBB hangs for ever where memory is short when a program first uses it. What is tried here
    // are our own allocations.
    const World first = make_world({.threads = 2});
    expect_errors_until_made(2);
}

TEST_F(OutOfMemory, what_was_reserved_can_be_added_without_memory_for_more_rows)
{
    // A step in between spreads a lonely crowd over all rows there are; adding must find those that
    // hold nobody.
    World world = make_world();
    must(world.reserve(1000));
    for (std::uint32_t i = 0; i < 600; ++i)
        must(world.add({.position = {6.0 * i, -20.0 * (i % 150)}}));
    world.step();
    EXPECT_GT(world.columns().rows, 1000u) << "the sort spread nobody: this test shows nothing";
    for (std::uint32_t i = 0; world.size() < 1000; ++i) {
        const AgentSpec spec{.position = {3.0 * i, 60.0},
                             .level = static_cast<std::uint16_t>(i / 40 % 2)};
        bool added = false;
        {
            // Room for the small vectors of the call itself, not for columns.
            const ShortMemory memory(2);
            added = world.add(spec).has_value();
        }
        ASSERT_TRUE(added) << world.size() << " agents";
        if (i % 100 == 50) world.step();
    }
    EXPECT_FALSE(world.step().fault);
}

TEST_F(OutOfMemory, a_step_without_memory_goes_on_without_what_was_to_be_watched)
{
    Place watched = make_place();
    Place plain = make_place();
    must(watched.world.watch(watched.agents[0]));
    must(watched.world.watch(watched.agents[1]));
    for (long allocations = 0; allocations < 30; ++allocations) {
        plain.world.step();
        bool threw = false;
        try {
            const ShortMemory memory(allocations);
            watched.world.step();
        } catch (const std::bad_alloc&) {
            threw = true;
        }
        ASSERT_FALSE(threw) << "an exception crossed the interface, room for " << allocations
                            << " allocations";
        ASSERT_EQ(watched.world.state_hash(), plain.world.state_hash());
        if (allocations == 0) {
            EXPECT_EQ(watched.world.watched(watched.agents[0]), nullptr);
        }
    }
    EXPECT_NE(watched.world.watched(watched.agents[0]), nullptr);
}

}  // namespace
}  // namespace sidestep::test
