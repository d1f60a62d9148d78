// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Avoidance added to what another model wants: the same velocities, counts and class as the
// filter's model itself.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "models/roles.hpp"
#include "support/scenario_text.hpp"
#include "support/wall_scenes.hpp"

namespace sidestep::test {
namespace {

class Filters : public WorldTest {};

/// A filter's horizon and the model that it must be like.
struct Twin {
    const char* filter;
    ProfileSpec model;
};

std::vector<Twin> twins()
{
    return {{"orca", {.model = "orca", .values = {{"time_horizon", 1.75}}}},
            {"clearpath",
             {.model = "clearpath",
              .values = {{"time_horizon", 1.75}, {"variant", 2}, {"overlap_wish", 1}}}}};
}

ProfileSpec filtered_seek(const char* filter)
{
    const double choice = std::string(filter) == "orca" ? 1.0 : 2.0;
    return {.model = "seek", .values = {{"filter", choice}, {"filter_horizon", 1.75}}};
}

/// A crowd in a room with a pillar and a body, at up to two per m2.
World crowd(const ProfileSpec& spec, std::uint64_t seed, bool moving)
{
    World world = make_world({.threads = 1});
    const ProfileId profile = must(world.add_profile(spec));
    must(world.add_wall({rectangle({-4, -4}, {4, 4}), WallKind::room}));
    must(world.add_wall({rectangle({-0.5, -0.5}, {0.5, 0.5}), WallKind::solid}));
    must(world.add_body({.position = {2, 2}, .radius = 0.3, .velocity = {-0.3, 0.1}}));
    SeededRandom random(seed);
    const std::size_t people = 10 + random.below(100);
    for (std::size_t i = 0; i < people; ++i) {
        const Vec2 at = random.in_box(3.7);
        const Vec2 velocity = random.in_disc(1.3);
        const Vec2 goal = random.in_box(3.7);
        if (std::abs(at.x) < 0.8 && std::abs(at.y) < 0.8) continue;
        must(world.add({.position = at,
                        .velocity = moving ? velocity : Vec2{},
                        .goal = goal,
                        .id = static_cast<std::uint32_t>(i),
                        .profile = profile}));
    }
    return world;
}

// With velocities seek's wish is the present velocity plus the change to the preferred one, which
// is rounded: an ulp or two beside it. From rest it is the preferred velocity itself.
TEST_F(Filters, seek_through_a_filter_is_the_filters_model_bit_by_bit_from_rest)
{
    for (const Twin& twin : twins()) {
        for (std::uint64_t seed = 0; seed < 50; ++seed) {
            SCOPED_TRACE(std::string(twin.filter) + ", seed " + std::to_string(seed));
            World own = crowd(twin.model, seed, false);
            World filtered = crowd(filtered_seek(twin.filter), seed, false);
            own.step();
            filtered.step();
            for (const auto& entry : everybody(own)) {
                const AgentState one = must(own.agent(*own.find(entry.first)));
                const AgentState other = must(filtered.agent(*filtered.find(entry.first)));
                ASSERT_EQ(one.velocity, other.velocity) << "agent " << one.id;
                ASSERT_EQ(one.position, other.position) << "agent " << one.id;
            }
        }
    }
}

TEST_F(Filters, seek_through_a_filter_has_the_velocities_and_counts_of_the_filters_model)
{
    for (const Twin& twin : twins()) {
        std::size_t compared = 0, apart = 0;
        std::uint64_t infeasible = 0, differences = 0;
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            SCOPED_TRACE(std::string(twin.filter) + ", seed " + std::to_string(seed));
            World own = crowd(twin.model, seed, true);
            World filtered = crowd(filtered_seek(twin.filter), seed, true);
            const StepReport a = own.step();
            const StepReport b = filtered.step();
            infeasible += a.infeasible_programs;
            differences += a.infeasible_programs != b.infeasible_programs ? 1 : 0;
            EXPECT_EQ(a.wall_lines_about_zero, b.wall_lines_about_zero);
            EXPECT_EQ(a.acceleration_exceeded, b.acceleration_exceeded);
            for (const auto& [id, agent] : everybody(own)) {
                const AgentState other = must(filtered.agent(*filtered.find(id)));
                ++compared;
                apart += norm(agent.velocity - other.velocity) > 1e-5 ? 1 : 0;
            }
        }
        EXPECT_GT(infeasible, 300u);
        EXPECT_EQ(differences, 0u);
        EXPECT_GT(compared, 5'000u);
        EXPECT_EQ(apart, 0u);
    }
}

/// One agent of a model, who wants to go east, among others who walk as they like.
struct Passer {
    World world = make_world({.threads = 1});
    AgentHandle agent;

    Passer(std::string_view model, double filter, std::uint64_t seed)
    {
        SeededRandom random(seed);
        const ProfileId own =
            must(world.add_profile({.model = std::string(model),
                                    .values = {{"filter", filter}, {"filter_horizon", 2.0}}}));
        const ProfileId walker = must(world.add_profile({.model = "seek", .values = {}}));
        agent = must(world.add(
            {.velocity = random.in_disc(1.2), .goal = Vec2{9, 0}, .id = 0, .profile = own}));
        for (std::uint32_t id = 1; id <= 4; ++id) {
            must(world.add({.position = random.direction() * random.uniform(0.5, 3.0),
                            .velocity = random.in_disc(1.3),
                            .id = id,
                            .profile = walker}));
        }
    }
};

// [CP09] §5.1: a filter is behind any steering. Its wish is what the model alone would do.
TEST_F(Filters, of_every_model_pass_on_what_the_model_alone_would_do)
{
    for (const ModelInfo& model : models()) {
        for (const double filter : {1.0, 2.0}) {
            std::size_t changed = 0;
            for (std::uint64_t seed = 0; seed < 100; ++seed) {
                SCOPED_TRACE(std::string(model.name) + " through " + std::to_string(filter) +
                             ", seed " + std::to_string(seed));
                Passer alone(model.name, 0.0, seed);
                Passer filtered(model.name, filter, seed);
                const Explanation why = must(filtered.world.explain(filtered.agent));
                EXPECT_FALSE(must(alone.world.explain(alone.agent)).wish);
                alone.world.step();
                filtered.world.step();
                ASSERT_TRUE(why.wish);
                const Vec2 own = must(alone.world.agent(alone.agent)).velocity;
                ASSERT_LT(norm(*why.wish - own), 1e-5) << why.reason;
                const Vec2 v = must(filtered.world.agent(filtered.agent)).velocity;
                ASSERT_EQ(v, why.chosen_velocity) << why.reason;
                changed += norm(v - own) > 1e-3 ? 1 : 0;
            }
            std::printf("%s through %.0f: %zu of 100 changed\n", std::string(model.name).c_str(),
                        filter, changed);
            if (model.name == "seek" || model.name == "social_force") {
                EXPECT_GT(changed, 20u);
            }
        }
    }
}

// Seek never fails; ORCA among people who do not move aside does, and the filter keeps its count
// to itself in both directions.
TEST_F(Filters, counts_are_those_of_the_filter_and_not_of_the_model)
{
    const auto infeasible = [](const ProfileSpec& spec) {
        World world = make_world({.threads = 1});
        const ProfileId standing = must(world.add_profile({.model = "seek", .values = {}}));
        // Two walk in from both sides of one that could leave only to the north or south: a
        // half-plane of each leaves nothing, but cones leave the way out.
        must(world.add({.position = {-1.0, 0.0}, .velocity = {1.5, 0.0}, .profile = standing}));
        must(world.add({.position = {1.0, 0.0}, .velocity = {-1.5, 0.0}, .profile = standing}));
        const AgentHandle agent =
            must(world.add({.goal = Vec2{0, 5}, .profile = must(world.add_profile(spec))}));
        const Explanation why = must(world.explain(agent));
        const std::uint64_t count = world.step().infeasible_programs;
        EXPECT_EQ(must(world.agent(agent)).velocity, why.chosen_velocity);
        return count;
    };
    EXPECT_EQ(infeasible({.model = "seek", .values = {}}), 0u);
    EXPECT_EQ(infeasible({.model = "orca", .values = {}}), 1u);
    EXPECT_EQ(infeasible({.model = "seek", .values = {{"filter", 1}}}), 1u);
    EXPECT_EQ(infeasible({.model = "clearpath", .values = {{"time_horizon", 2.0}}}), 0u);
    EXPECT_EQ(infeasible({.model = "orca", .values = {{"filter", 2}}}), 0u);
    EXPECT_EQ(infeasible({.model = "clearpath", .values = {{"filter", 1}}}), 1u);
}

AvoidanceClass class_of(const World& world, AgentHandle agent)
{
    const std::uint32_t id = must(world.agent(agent)).id;
    const AgentColumns columns = world.columns();
    for (std::size_t row = 0; row < columns.rows; ++row) {
        if (columns.record[row].id == id) return sidestep::class_of(columns.record[row]);
    }
    throw std::runtime_error("no such row");
}

bool reacts(const World& world, AgentHandle agent)
{
    const std::uint32_t id = must(world.agent(agent)).id;
    const AgentColumns columns = world.columns();
    for (std::size_t row = 0; row < columns.rows; ++row) {
        if (columns.record[row].id == id) return (columns.record[row].flags & kReacts) != 0;
    }
    return false;
}

TEST_F(Filters, others_meet_an_agent_as_one_of_its_filters_class)
{
    World world = make_world();
    const AgentHandle plain =
        must(world.add({.profile = must(world.add_profile({.model = "seek", .values = {}}))}));
    EXPECT_EQ(class_of(world, plain), AvoidanceClass::none);
    EXPECT_FALSE(reacts(world, plain));

    const ProfileId profile =
        must(world.add_profile({.model = "seek", .values = {{"filter", 2.0}}}));
    const AgentHandle by_profile = must(world.add({.position = {3, 0}, .profile = profile}));
    EXPECT_EQ(class_of(world, by_profile), AvoidanceClass::linear_cones);
    EXPECT_TRUE(reacts(world, by_profile));

    const AgentHandle by_spec = must(world.add({.position = {6, 0}, .traits = {{"filter", 2.0}}}));
    EXPECT_EQ(class_of(world, by_spec), AvoidanceClass::linear_cones);

    must(world.set_trait(plain, "filter", "orca"));
    EXPECT_EQ(class_of(world, plain), AvoidanceClass::half_planes);
    EXPECT_TRUE(reacts(world, plain));
    must(world.set_trait(plain, "filter", "clearpath"));
    EXPECT_EQ(class_of(world, plain), AvoidanceClass::linear_cones);
    must(world.set_model(plain, "vo"));  // traits stay
    EXPECT_EQ(class_of(world, plain), AvoidanceClass::linear_cones);
    world.step();
    EXPECT_EQ(class_of(world, plain), AvoidanceClass::linear_cones);
    must(world.set_trait(plain, "filter", "none"));
    EXPECT_EQ(class_of(world, plain), AvoidanceClass::full_cones);
    must(world.set_profile(plain, profile));
    EXPECT_EQ(class_of(world, plain), AvoidanceClass::linear_cones);
}

TEST_F(Filters, the_class_follows_a_filter_that_an_event_sets)
{
    Simulation simulation = must_simulate(R"(
format = 1
[world]
duration = 2
[profiles.walker]
model = "seek"
[[agents]]
name = "crowd"
lattice = { columns = 3 }
profile = "walker"
[[events]]
time = 1
set = { filter = "clearpath" }
)");
    const auto now = [&] { return class_of(simulation.world(), *simulation.world().find(1)); };
    while (simulation.world().step_index() < 20) {
        EXPECT_EQ(now(), AvoidanceClass::none);
        simulation.step();
    }
    simulation.step();
    EXPECT_EQ(now(), AvoidanceClass::linear_cones);
}

TEST_F(Filters, an_orca_agent_shares_with_one_that_has_its_filter_and_not_with_a_seeker)
{
    for (const double filter : {0.0, 1.0}) {
        World world = make_world({.threads = 1});
        const ProfileId seek =
            must(world.add_profile({.model = "seek", .values = {{"filter", filter}}}));
        const AgentHandle agent = must(world.add({.velocity = {1, 0}, .goal = Vec2{9, 0}}));
        must(world.add(
            {.position = {3, 0.1}, .velocity = {-1, 0}, .goal = Vec2{-9, 0.1}, .profile = seek}));
        const Explanation why = must(world.explain(agent));
        ASSERT_EQ(why.neighbours.size(), 1u);
        EXPECT_EQ(why.neighbours[0].share, filter == 0.0 ? 1.0 : 0.5);
    }
}

TEST_F(Filters, explain_tells_the_wish_and_what_the_filter_made_of_it)
{
    for (const double filter : {1.0, 2.0}) {
        World world = make_world({.threads = 1});
        const ProfileId seek =
            must(world.add_profile({.model = "seek", .values = {{"filter", filter}}}));
        const AgentHandle agent =
            must(world.add({.velocity = {1, 0}, .goal = Vec2{9, 0}, .profile = seek}));
        must(world.add({.position = {1.5, 0.1}, .velocity = {-1, 0}, .profile = seek}));
        const Explanation why = must(world.explain(agent));
        ASSERT_TRUE(why.wish);
        EXPECT_NEAR(why.wish->x, why.preferred_velocity.x, 1e-6);
        EXPECT_NEAR(why.wish->y, why.preferred_velocity.y, 1e-6);
        EXPECT_EQ(why.reason.rfind("its model wants (1.34, 0.00) m/s; of the filter: ", 0), 0u)
            << why.reason;
        EXPECT_EQ(why.lines.size(), filter == 1.0 ? 1u : 0u);
        EXPECT_EQ(why.cones.size(), filter == 2.0 ? 1u : 0u);
        EXPECT_NE(why.chosen_velocity, *why.wish);
        world.step();
        EXPECT_EQ(must(world.agent(agent)).velocity, why.chosen_velocity);
    }
    World world = make_world({.threads = 1});
    EXPECT_FALSE(must(world.explain(must(world.add(AgentSpec{})))).wish);
}

}  // namespace
}  // namespace sidestep::test
