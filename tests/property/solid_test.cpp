// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Solid bodies: nobody gets into anybody, whatever the models are and whatever they see.

#include <gtest/gtest.h>

#include <map>

#include "support/contract_worlds.hpp"

namespace sidestep::test {
namespace {

class SolidBodies : public WorldTest {};

struct Disc {
    Vec2 at;
    double radius;
};

std::map<std::uint32_t, Disc> discs_of(const World& world)
{
    std::map<std::uint32_t, Disc> discs;
    for (const auto& [id, agent] : everybody(world))
        discs[id] = {agent.position, must(world.trait(agent.handle, "radius"))};
    return discs;
}

double depth(const Disc& a, const Disc& b)
{
    return a.radius + b.radius - norm(a.at - b.at);
}

double deepest(const std::map<std::uint32_t, Disc>& discs)
{
    double most = -1e30;
    for (auto a = discs.begin(); a != discs.end(); ++a) {
        for (auto b = std::next(a); b != discs.end(); ++b)
            most = std::max(most, depth(a->second, b->second));
    }
    return most;
}

/// A room full of people of all models who want to be somewhere else, with walls and things that
/// stand in their way.
World dense_room(std::uint64_t seed, WorldOptions options, std::string_view only_model = {})
{
    SeededRandom random(seed);
    options.solid_bodies = sidestep::SolidBodies::on;
    options.dt = random.one_of({0.02, 0.05, 0.1, 0.25});
    World world = make_world(std::move(options));
    const double half = random.uniform(2.0, 5.0);
    must(world.add_wall({rectangle({-half, -half}, {half, half}), WallKind::room}));
    must(world.add_wall({rectangle({-0.5, -0.4}, {0.4, 0.2}), WallKind::solid}));
    must(world.add_wall({{{-1.5, 0.6}, {1.2, 1.1}}, WallKind::thin}));
    const std::vector<Disc> bodies{{{1.4, -1.0}, 0.3}, {{-1.2, -1.4}, 0.2}};
    for (const Disc& body : bodies)
        must(world.add_body({.position = body.at, .radius = body.radius}));
    std::vector<Disc> placed = bodies;
    for (int tries = 0; tries < 600 && placed.size() < 90; ++tries) {
        const Disc disc{random.in_box(half - 0.7), random.uniform(0.12, 0.6)};
        const bool free = std::all_of(placed.begin(), placed.end(), [&](const Disc& other) {
            return depth(disc, other) < -1e-3;
        });
        const bool in_middle = std::fabs(disc.at.x) < 2.2 && disc.at.y > -1.1 && disc.at.y < 1.8;
        if (!free || in_middle) continue;
        placed.push_back(disc);
        ProfileSpec profile;
        const std::size_t model = random.below(models().size());
        profile.model = only_model.empty() ? models()[model].name : only_model;
        if (random.chance(0.5)) profile.preset = presets()[random.below(presets().size())].name;
        AgentSpec spec{.position = disc.at,
                       .velocity = random.in_disc(1.5),
                       .goal = random.in_box(half),
                       .profile = must(world.add_profile(profile)),
                       .traits = {{"radius", disc.radius},
                                  {"max_neighbours", random.one_of({0.0, 1.0, 3.0, 10.0})},
                                  {"neighbour_range", random.one_of({0.3, 1.0, 5.0})}}};
        if (random.chance(0.2)) spec.traits.emplace_back("rank", HUGE_VAL);
        if (random.chance(0.3)) spec.traits.emplace_back("max_speed", 6.0);
        must(world.add(spec));
    }
    return world;
}

TEST_F(SolidBodies, of_all_models_never_overlap_in_dense_rooms)
{
    std::uint64_t contacts = 0, people = 0;
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        SCOPED_TRACE(seed);
        World world = dense_room(seed, {});
        ASSERT_LT(deepest(discs_of(world)), 0.0);
        people += world.size();
        for (int step = 0; step < 120; ++step) {
            const StepReport report = world.step();
            ASSERT_FALSE(report.fault);
            ASSERT_EQ(report.wall_penetrations, 0u);
            ASSERT_LE(deepest(discs_of(world)), 1e-4) << "after step " << step;
            contacts += report.body_contacts;
        }
    }
    EXPECT_GT(people, 600u);
    EXPECT_GT(contacts, 20'000u);  // it was hard
}

TEST_F(SolidBodies, do_not_sink_into_things_that_stand)
{
    for (std::uint64_t seed = 100; seed < 108; ++seed) {
        SCOPED_TRACE(seed);
        World world = dense_room(seed, {}, "seek");
        for (int step = 0; step < 120; ++step) {
            world.step();
            for (const auto& [id, disc] : discs_of(world)) {
                ASSERT_LE(depth(disc, {{1.4, -1.0}, 0.3}), 1e-4) << "agent " << id;
                ASSERT_LE(depth(disc, {{-1.2, -1.4}, 0.2}), 1e-4) << "agent " << id;
            }
        }
    }
}

/// Their lists are empty or lack the large one behind small ones: only the search of the tree finds
/// whom they would meet.
TEST_F(SolidBodies, are_found_also_where_lists_lack_them)
{
    World world = make_world({.dt = 0.1, .solid_bodies = sidestep::SolidBodies::on});
    const ProfileId blind = must(world.add_profile(
        {.model = "seek", .values = {{"max_neighbours", 1.0}, {"neighbour_range", 3.0}}}));
    const AgentHandle small = must(world.add({.position = {0.0, 0.0},
                                              .goal = Vec2{9.0, 0.0},
                                              .profile = blind,
                                              .traits = {{"radius", 0.2}}}));
    // Beside it stands somebody small and near, before it somebody large whose middle is farther.
    must(world.add({.position = {0.0, 0.35}, .traits = {{"radius", 0.12}}}));
    const AgentHandle large =
        must(world.add({.position = {1.5, 0.0}, .profile = blind, .traits = {{"radius", 1.2}}}));
    for (int step = 0; step < 20; ++step) {
        world.step();
        const double gap =
            norm(must(world.agent(large)).position - must(world.agent(small)).position) - 1.4;
        ASSERT_GE(gap, -1e-4) << "after step " << step;
    }
}

TEST_F(SolidBodies, that_overlap_at_the_start_never_get_deeper)
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        World world = make_world({.solid_bodies = sidestep::SolidBodies::on});
        for (int i = 0; i < 12; ++i) {
            const ProfileId profile = must(world.add_profile(
                {.model = std::string(models()[random.below(models().size())].name)}));
            must(world.add({.position = i % 4 == 0 ? Vec2{0.1, 0.1} : random.in_box(0.6),
                            .goal = random.in_box(5.0),
                            .profile = profile}));
        }
        auto before = discs_of(world);
        for (int step = 0; step < 100; ++step) {
            world.step();
            const auto now = discs_of(world);
            for (const auto& [a, disc] : now) {
                for (const auto& [b, other] : now) {
                    if (a >= b) continue;
                    const double was = std::max(depth(before.at(a), before.at(b)), 0.0);
                    ASSERT_LE(depth(disc, other), was + 5e-5) << a << " and " << b;
                }
            }
            before = now;
        }
    }
}

TEST_F(SolidBodies, are_the_same_for_any_number_of_threads_and_any_instruction_set)
{
    const auto hash_of = [](WorldOptions options) {
        World world = dense_room(7, std::move(options));
        for (int step = 0; step < 60; ++step) world.step();
        return world.state_hash();
    };
    const std::uint64_t alone = hash_of({.threads = 1});
    for (const std::uint32_t threads : {2u, 4u}) {
        PlainThreads host(threads);
        EXPECT_EQ(hash_of({.threads = threads, .executor = host.executor()}), alone);
    }
    for (const Isa isa : isas_under_test()) EXPECT_EQ(hash_of({.isa = isa}), alone);
}

/// Also of those who wait for others to move on, and these for others again.
TEST_F(SolidBodies, are_explained_as_the_step_treats_them)
{
    std::size_t cut = 0, is_as_told = 0, at_walls = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        World world = dense_room(seed, {});
        for (int step = 0; step < 30; ++step) {
            std::map<std::uint32_t, Explanation> told;
            if (step % 10 == 9) {
                for (const auto& [id, agent] : everybody(world))
                    told[id] = must(world.explain(agent.handle));
            }
            const StepReport report = world.step();
            at_walls += told.empty() ? 0 : report.wall_contacts;
            const AgentColumns columns = world.columns();
            for (std::size_t row = 0; row < columns.rows; ++row) {
                const auto found = told.find(columns.record[row].id);
                if (found == told.end()) continue;
                const Explanation& why = found->second;
                const bool is_cut = columns.body_contact[row] == BodyContact::cut;
                EXPECT_EQ(why.velocity_before_contact.has_value() && is_cut, is_cut);
                if (!is_cut) continue;
                ++cut;
                EXPECT_FALSE(why.contacts.empty());
                EXPECT_NE(why.reason.find("; cut at "), std::string::npos);
                is_as_told +=
                    why.chosen_velocity == Vec2{columns.record[row].vx, columns.record[row].vy} ? 1
                                                                                                : 0;
            }
        }
    }
    EXPECT_GT(cut, 100u);
    EXPECT_LE(cut - is_as_told, at_walls);  // motion may cut the others further
    EXPECT_GT(is_as_told, 90u);
}

TEST_F(SolidBodies, that_are_soft_by_their_model_press_into_each_other)
{
    const auto deepest_of = [](const char* contact) {
        World world = make_world({.solid_bodies = sidestep::SolidBodies::on});
        ProfileSpec spec{.model = "social_force"};
        spec.values = {{"contact", contact == std::string_view("none") ? 0.0 : 1.0},
                       {"strength", 0.0}};
        const ProfileId profile = must(world.add_profile(spec));
        for (const double side : {-1.0, 1.0})
            must(world.add(
                {.position = {side, 0.0}, .goal = Vec2{-side * 3.0, 0.0}, .profile = profile}));
        double most = 0.0;
        for (int step = 0; step < 60; ++step) {
            world.step();
            most = std::max(most, deepest(discs_of(world)));
        }
        return most;
    };
    EXPECT_LE(deepest_of("none"), 1e-4);
    EXPECT_GT(deepest_of("helbing_2000"), 1e-3);
}

/// How deep two get into each other who walk through the same place, where only those who avoid are
/// kept apart.
double deepest_of_two(const ProfileSpec& one, const ProfileSpec& other)
{
    World world = make_world({.solid_bodies = sidestep::SolidBodies::avoiders});
    const AgentHandle first = must(world.add({.position = {-1.0, 0.0},
                                              .goal = Vec2{3.0, 0.0},
                                              .profile = must(world.add_profile(one))}));
    must(world.add({.position = {1.0, 0.0},
                    .goal = Vec2{-3.0, 0.0},
                    .profile = must(world.add_profile(other))}));
    double most = 0.0;
    for (int step = 0; step < 60; ++step) {
        if (step == 5) must(world.set_trait(first, "max_neighbours", 0.0));  // sees nobody
        world.step();
        most = std::max(most, deepest(discs_of(world)));
    }
    return most;
}

TEST_F(SolidBodies, of_avoiders_are_solid_to_everybody_and_of_others_to_avoiders_alone)
{
    const ProfileSpec seek{.model = "seek"};
    const ProfileSpec forces{.model = "social_force", .values = {{"strength", 0.0}}};
    const ProfileSpec filtered{.model = "seek", .values = {{"filter", 2.0}}};
    EXPECT_GT(deepest_of_two(seek, seek), 0.3);  // through each other
    EXPECT_GT(deepest_of_two(seek, forces), 0.1);
    EXPECT_GT(deepest_of_two(forces, forces), 0.1);
    EXPECT_LE(deepest_of_two(seek, filtered), 1e-4);
    EXPECT_LE(deepest_of_two(filtered, seek), 1e-4);
    for (const ModelInfo& model : models()) {
        SCOPED_TRACE(model.name);
        if (!avoids_walls(model.name)) continue;
        const ProfileSpec avoider{.model = std::string(model.name)};
        for (const ProfileSpec& other : {seek, forces, avoider}) {
            EXPECT_LE(deepest_of_two(avoider, other), 1e-4);
            EXPECT_LE(deepest_of_two(other, avoider), 1e-4);
        }
    }
}

/// What an agent is counts from the next step on, whoever it was.
TEST_F(SolidBodies, of_who_becomes_an_avoider_are_solid_from_then_on)
{
    World world = make_world({.solid_bodies = sidestep::SolidBodies::avoiders});
    const ProfileId seek = must(world.add_profile({.model = "seek"}));
    AgentHandle first{};
    for (const double side : {-1.0, 1.0})
        first = must(
            world.add({.position = {side, 0.0}, .goal = Vec2{-side * 3.0, 0.0}, .profile = seek}));
    must(world.set_trait(first, "filter", "orca"));
    for (int step = 0; step < 60; ++step) {
        world.step();
        ASSERT_LE(deepest(discs_of(world)), 1e-4) << "after step " << step;
    }
}

TEST_F(SolidBodies, of_avoiders_alone_are_those_of_everybody_where_all_avoid)
{
    const auto hash_of = [](sidestep::SolidBodies whose) {
        World world = make_world({.solid_bodies = whose});
        SeededRandom random(3);
        for (int i = 0; i < 40; ++i)
            must(world.add(
                {.position = {0.5 * (i % 8), 0.5 * (i / 8)}, .goal = random.in_box(8.0)}));
        std::uint64_t contacts = 0;
        for (int step = 0; step < 40; ++step) contacts += world.step().body_contacts;
        EXPECT_EQ(contacts > 0, whose != sidestep::SolidBodies::off);
        return world.state_hash();
    };
    EXPECT_EQ(hash_of(sidestep::SolidBodies::avoiders), hash_of(sidestep::SolidBodies::on));
    EXPECT_NE(hash_of(sidestep::SolidBodies::avoiders), hash_of(sidestep::SolidBodies::off));
}

/// Rows of people who stand, and something that yields to nobody drives through them. How deep they
/// get into each other, and how many were pushed.
struct Ploughed {
    double deepest = 0.0;
    std::uint64_t pushes = 0;
    std::uint64_t hash = 0;
};

Ploughed plough(bool is_disc, sidestep::SolidBodies whose, std::uint32_t first_id = 0)
{
    World world = make_world({.dt = 0.1, .deadlock_policy = false, .solid_bodies = whose});
    const ProfileId seek = must(world.add_profile({.model = "seek"}));
    constexpr int kPeople = 40;
    for (int i = 0; i < kPeople; ++i) {
        const int k = first_id == 0 ? i : kPeople - 1 - i;  // ids stay with their places
        must(world.add({.position = {1.0 + 0.41 * (k % 8), 0.42 * (k / 8) - 0.8},
                        .id = static_cast<std::uint32_t>(k),
                        .profile = seek}));
    }
    BodySpec body{.velocity = {0.8, 0.05}};
    if (is_disc) body.radius = 0.4;
    else body.outline = rectangle({-0.4, -0.3}, {0.4, 0.3});
    must(world.add_body(body));
    Ploughed result;
    for (int step = 0; step < 60; ++step) {
        result.pushes += world.step().wall_pushes;
        result.deepest = std::max(result.deepest, deepest(discs_of(world)));
    }
    result.hash = world.state_hash();
    return result;
}

TEST_F(SolidBodies, that_something_pushes_push_those_behind_them)
{
    for (const bool is_disc : {true, false}) {
        SCOPED_TRACE(is_disc ? "disc" : "polygon");
        const Ploughed solid = plough(is_disc, sidestep::SolidBodies::on);
        EXPECT_LE(solid.deepest, 1e-3);
        EXPECT_GT(solid.pushes, 200u);
        EXPECT_GT(plough(is_disc, sidestep::SolidBodies::off).deepest, 0.1);
        // Two of seek are not solid to each other there.
        EXPECT_GT(plough(is_disc, sidestep::SolidBodies::avoiders).deepest, 0.1);
        EXPECT_EQ(plough(is_disc, sidestep::SolidBodies::on, 1).hash, solid.hash);
    }
}

/// Who follows a polygon closely is stopped where it was, and those behind must not count on more.
TEST_F(SolidBodies, behind_something_that_goes_away_keep_apart)
{
    for (const double speed : {0.1, 0.36, 0.5, 1.0}) {
        for (const double lean : {0.0, 0.3}) {
            SCOPED_TRACE(testing::Message() << speed << " m/s, " << lean << " rad");
            World world = make_world({.solid_bodies = sidestep::SolidBodies::on});
            const ProfileId seek = must(world.add_profile({.model = "seek"}));
            for (int i = 0; i < 4; ++i)
                must(world.add(
                    {.position = {-0.41 * i, 0.0}, .goal = Vec2{50.0, 0.0}, .profile = seek}));
            must(world.add_body(
                {.outline = placed(rectangle({0.0, -1.0}, {1.0, 1.0}), {0.23 + lean, 0.0}, lean),
                 .velocity = {speed, 0.0}}));
            std::uint64_t stopped = 0;
            for (int step = 0; step < 100; ++step) {
                const StepReport report = world.step();
                ASSERT_LE(deepest(discs_of(world)), 1e-4) << "after step " << step;
                stopped += report.wall_contacts + report.body_contacts;
            }
            EXPECT_GT(stopped, 100u);
        }
    }
}

/// Who comes up from behind does not count on the way of one who is too far off to see it, and whom
/// a wall is about to stop.
TEST_F(SolidBodies, behind_one_whom_a_wall_stops_keep_apart)
{
    SeededRandom random(3);
    int looked_at = 0;
    for (int i = 0; i < 4'000; ++i) {
        SCOPED_TRACE(i);
        World world = make_world({.dt = random.one_of({0.02, 0.05, 0.1, 0.25}),
                                  .solid_bodies = sidestep::SolidBodies::on});
        const double lean = random.one_of({0.0, random.uniform(-0.6, 0.6)});
        const double room = random.log_uniform(1e-4, 0.05), gap = random.log_uniform(1e-4, 0.2);
        must(world.add_wall({placed({{0, -3}, {0, 3}}, {0.2 + room, 0.0}, lean), WallKind::thin}));
        const auto add = [&](const char* model, double x, double speed) {
            const ProfileId profile = must(world.add_profile({.model = model}));
            return world.add({.position = {x, 0.0},
                              .velocity = {random.chance(0.5) ? speed : 0.0, 0.0},
                              .goal = Vec2{50.0, random.uniform(-10.0, 10.0)},
                              .profile = profile,
                              .traits = {{"preferred_speed", speed}, {"max_speed", 3.5}}});
        };
        const auto slow =
            add(random.one_of({"seek", "social_force"}), 0.0, random.log_uniform(0.01, 2.0));
        const auto fast =
            add(random.one_of({"seek", "orca"}), -0.4 - gap, random.log_uniform(0.1, 3.0));
        if (!slow || !fast || deepest(discs_of(world)) > 0.0) continue;
        ++looked_at;
        for (int step = 0; step < 8; ++step) {
            world.step();
            ASSERT_LE(deepest(discs_of(world)), 1e-4) << "after step " << step;
        }
    }
    EXPECT_GT(looked_at, 3'000);
}

/// People who follow each other closely walk as fast as the first.
TEST_F(SolidBodies, in_a_queue_walk_as_fast_as_the_first)
{
    World world = make_world({.dt = 0.1, .solid_bodies = sidestep::SolidBodies::on});
    const ProfileId seek = must(world.add_profile({.model = "seek"}));
    std::vector<AgentHandle> queue;
    for (int i = 0; i < 10; ++i)
        queue.push_back(must(world.add({.position = {-0.401 * i, 0.0},
                                        .velocity = {1.34, 0.0},
                                        .goal = Vec2{100.0, 0.0},
                                        .profile = seek})));
    for (int step = 0; step < 50; ++step) world.step();
    const double first = must(world.agent(queue.front())).position.x;
    const double last = must(world.agent(queue.back())).position.x;
    EXPECT_NEAR(first, 6.7, 1e-3);
    // Without a second look each would need 0.13 m to the one before it.
    EXPECT_LT(first - last, 9 * 0.401 + 9 * 0.08);
}

}  // namespace
}  // namespace sidestep::test
