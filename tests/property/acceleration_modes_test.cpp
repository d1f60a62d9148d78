// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// One step of a half-plane model against the same step in double: acceleration modes, temper,
// and an own passing side.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sidestep/geometry.hpp"
#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

double norm(Vec2 a)
{
    return std::hypot(a.x, a.y);
}

class Modes : public WorldTest {};

/// One agent among standing ones, and its lines in double.
struct Crowd {
    static constexpr double kDt = 0.1;
    static constexpr double kLimit = 1.5;
    World world = make_world({.dt = kDt, .threads = 1});
    Vec2 velocity, wish;
    AgentHandle agent;
    std::vector<HalfPlane> lines;

    Crowd(SeededRandom& random, const char* model, const char* mode, std::size_t others)
        : velocity(random.in_disc(1.5)), wish(random.in_disc(1.5))
    {
        ProfileSpec profile{
            model,
            {{"max_acceleration", kLimit}, {"planning_radius", 0.0}, {"observation_time", 0.0}},
            ""};
        agent =
            must(world.add({.velocity = velocity, .profile = must(world.add_profile(profile))}));
        must(world.set_trait(agent, "acceleration_mode", mode));
        must(world.drive_by_host(agent, wish));
        const MovingDisc self{{}, to_float(velocity), 0.2f, 0};
        for (std::size_t i = 0; i < others; ++i) {
            const Vec2 at = to_float(random.direction() * random.uniform(0.5, 3.0));
            const Vec2 walks = to_float(random.in_disc(1.0));
            must(world.add({.position = at, .velocity = walks}));
            const auto id = static_cast<std::uint32_t>(i + 1);
            const OrcaLine line = must(orca_line(self, {at, walks, 0.2f, id}, 2.0, kDt, 0.5));
            lines.push_back({line.point, line.normal, false});
        }
    }

    static Vec2 to_float(Vec2 v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }

    ProgramSolution solve(Vec2 target, bool within_reach) const
    {
        VelocityProgram program{lines, 2.0, target, std::nullopt};
        if (within_reach) program.acceleration = VelocityDisc{velocity, kLimit * kDt};
        return must(solve_program(program));
    }

    Vec2 after_step()
    {
        EXPECT_FALSE(world.step().fault);
        return must(world.agent(agent)).velocity;
    }
};

TEST_F(Modes, disc_takes_the_best_reachable_velocity_and_clamp_cuts_the_best_back)
{
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom one(seed), other(seed);
        Crowd disc(one, "rcap", "disc", seed % 5);
        const ProgramSolution best = disc.solve(disc.wish, true);
        if (!best.relaxed) {
            EXPECT_LT(norm(disc.after_step() - best.velocity), 1e-4);
        }
        Crowd clamp(other, "rcap", "clamp", seed % 5);
        const ProgramSolution free = clamp.solve(clamp.wish, false);
        if (!free.relaxed) {
            const Vec2 cut =
                must(accel_clamp(clamp.velocity, free.velocity, Crowd::kLimit, Crowd::kDt));
            EXPECT_LT(norm(clamp.after_step() - cut), 1e-4);
        }
    }
}

TEST_F(Modes, personality_walks_between_the_calm_velocity_and_the_goals)
{
    int blended = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        Crowd crowd(random, "personality", "disc", seed % 5);
        const double alpha = random.uniform(0.0, 1.0);
        must(crowd.world.set_trait(crowd.agent, "alpha", alpha));
        const ProgramSolution goal = crowd.solve(crowd.wish, true);
        const ProgramSolution calm = crowd.solve(crowd.velocity, true);
        if (goal.relaxed) continue;
        const Vec2 set = calm.velocity * alpha + goal.velocity * (1.0 - alpha);
        EXPECT_LT(norm(crowd.after_step() - set), 1e-4);
        blended += norm(calm.velocity - goal.velocity) > 0.01 ? 1 : 0;
    }
    EXPECT_GT(blended, 100);
}

TEST_F(Modes, a_lateral_limit_makes_an_ellipse_about_the_heading)
{
    for (const char* mode : {"disc", "clamp", "brake"}) {
        SCOPED_TRACE(mode);
        World world = make_world({.dt = 0.1});
        const AgentHandle agent = must(world.add({.velocity = {1, 0}}));
        must(world.set_trait(agent, "max_acceleration", 2.0));
        must(world.set_trait(agent, "lateral_acceleration", 0.5));
        must(world.set_trait(agent, "acceleration_mode", mode));
        for (const Vec2 wish : {Vec2{1, 1}, Vec2{-1, 0}, Vec2{0.5, -1}}) {
            const Vec2 before = must(world.agent(agent)).velocity;
            const double angle = std::atan2(before.y, before.x);
            must(world.drive_by_host(agent, wish));
            world.step();
            const Vec2 change = must(world.agent(agent)).velocity - before;
            const double along = change.x * std::cos(angle) + change.y * std::sin(angle);
            const double across = change.y * std::cos(angle) - change.x * std::sin(angle);
            EXPECT_LE(std::hypot(along / 0.2, across / 0.05), 1.0 + 1e-5);
            EXPECT_GE(std::hypot(along / 0.2, across / 0.05), 0.97);  // no more is lost than 2 %
        }
    }
}

TEST_F(Modes, avo_responds_with_its_lag_and_keeps_clear_of_somebody_met_head_on)
{
    World world = make_world({.dt = 0.05});
    AgentHandle agents[2];
    for (int i = 0; i < 2; ++i) {
        const double side = i == 0 ? -1.0 : 1.0;
        agents[i] = must(world.add(
            {.position = {4.0 * side, 0.02 * i},
             .goal = Vec2{-8.0 * side, 0.0},
             .traits = {
                 {"acceleration_mode", 3.0}, {"time_horizon", 4.0}, {"response_time", 0.5}}}));
    }
    world.step();
    const double first = must(world.agent(agents[0])).velocity.x;
    EXPECT_NEAR(first, 1.34 * (1.0 - std::exp(-0.1)), 1e-5);
    double nearest = 1e9;
    for (int step = 0; step < 160; ++step) {
        world.step();
        nearest = std::min(nearest, norm(must(world.agent(agents[1])).position -
                                         must(world.agent(agents[0])).position));
    }
    EXPECT_GT(nearest, 0.38);  // bodies of 0.4 m; times are sampled every 31 ms
    EXPECT_GT(must(world.agent(agents[0])).position.x, 4.0);
}

/// Two in mode avo who walk straight at each other, with `bodies` standing 5 m aside; how near they
/// come [m], and how often a list was cut.
std::pair<double, std::uint64_t> meet_beside(int bodies)
{
    World world = make_world({.dt = 0.05});
    const ProfileId profile = must(world.add_profile(
        {"orca",
         {{"acceleration_mode", 3.0}, {"time_horizon", 4.0}, {"neighbour_range", 10.0}},
         ""}));
    for (int i = 0; i < bodies; ++i)
        must(world.add_body({.position = {0.05 * i, i % 2 == 0 ? 5.0 : -5.0}, .radius = 0.2}));
    AgentHandle agents[2];
    for (int i = 0; i < 2; ++i) {
        const double x = i == 0 ? -4.0 : 4.0;
        agents[i] = must(world.add(
            {.position = {x, 0.02 * i}, .goal = Vec2{-2.0 * x, 0.0}, .profile = profile}));
    }
    std::pair<double, std::uint64_t> seen{1e9, 0};
    for (int step = 0; step < 160; ++step) {
        seen.second += world.step().neighbour_cap_hits;
        seen.first = std::min(seen.first, norm(must(world.agent(agents[1])).position -
                                               must(world.agent(agents[0])).position));
    }
    return seen;
}

TEST_F(Modes, avo_minds_the_64_nearest_whether_agents_or_bodies_and_counts_a_cut)
{
    const auto alone = meet_beside(63);
    EXPECT_GT(alone.first, 0.38);
    EXPECT_EQ(alone.second, 0u);
    const auto cut = meet_beside(64);  // one more than fits: the farthest body is left out
    EXPECT_GT(cut.first, 0.38);
    EXPECT_GT(cut.second, 100u);
}

/// Lines of an explanation that are an agent's.
std::size_t lines_of_agents(const Explanation& why)
{
    return static_cast<std::size_t>(
        std::count_if(why.lines.begin(), why.lines.end(), [](const Explanation::Line& line) {
            return line.source == Explanation::Source::agent && !line.hard;
        }));
}

TEST_F(Modes, an_explanation_has_all_lines_also_where_the_limit_is_kept_late)
{
    for (const char* mode : {"disc", "clamp"}) {
        SCOPED_TRACE(mode);
        World world = make_world({.dt = 0.1});
        must(world.add_wall({{{0.5, -5.0}, {0.5, 5.0}}, WallKind::thin}));
        const AgentHandle agent = must(world.add({.velocity = {0.32, 0.8}}));
        // The wall allows 0.3 m/s. Cut back, the way to this wish does not get there.
        must(world.drive_by_host(agent, {0.3, -1.0}));
        must(world.set_trait(agent, "max_acceleration", 1.5));
        must(world.set_trait(agent, "lateral_acceleration", 0.5));
        must(world.set_trait(agent, "acceleration_mode", mode));
        for (const double y : {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0})
            must(world.add({.position = {-1.0, y}}));
        const Explanation why = must(world.explain(agent));
        EXPECT_EQ(lines_of_agents(why), 6u);
        EXPECT_EQ(std::count_if(why.lines.begin(), why.lines.end(),
                                [](const Explanation::Line& line) { return line.hard; }),
                  1);
    }
}

/// Two who meet exactly head on; where each is when they have passed.
std::pair<Vec2, Vec2> meet(const char* side_of_a, const char* side_of_b, PassingSide common,
                           double range = 5.0)
{
    WorldOptions options;
    options.passing_side = common;
    World world = make_world(std::move(options));
    AgentHandle agents[2];
    for (int i = 0; i < 2; ++i) {
        const double x = i == 0 ? -4.0 : 4.0;
        agents[i] =
            must(world.add({.position = {x, 0}, .velocity = {-x / 4, 0}, .goal = Vec2{-2 * x, 0}}));
        must(world.set_trait(agents[i], "neighbour_range", range));
        must(world.set_trait(agents[i], "passing_side", i == 0 ? side_of_a : side_of_b));
    }
    std::pair<Vec2, Vec2> places;
    for (int step = 0; step < 400; ++step) {
        world.step();
        places = {must(world.agent(agents[0])).position, must(world.agent(agents[1])).position};
        if (places.first.x >= places.second.x) break;
    }
    return places;
}

TEST_F(Modes, an_own_passing_side_comes_before_the_worlds)
{
    const auto own_left = meet("left", "left", PassingSide::right);
    EXPECT_GT(own_left.first.y, 0.1);  // a walks along +x: its left is +y
    EXPECT_LT(own_left.second.y, -0.1);
    const auto own_right = meet("right", "right", PassingSide::left);
    EXPECT_LT(own_right.first.y, -0.1);
    EXPECT_GT(own_right.second.y, 0.1);
    const auto as_the_world = meet("world", "world", PassingSide::left);
    EXPECT_GT(as_the_world.first.y, 0.1);
    const auto one_of_them = meet("left", "world", PassingSide::right, 10.0);
    EXPECT_GT(one_of_them.first.y, 0.1);  // seen before the horizon: it has turned before the tie
}

TEST_F(Modes, an_explanation_names_both_velocities_of_a_temper)
{
    SeededRandom random(3);
    Crowd crowd(random, "personality", "disc", 3);
    const std::string reason = must(crowd.world.explain(crowd.agent)).reason;
    EXPECT_NE(reason.find("0.50 of the calm ("), std::string::npos) << reason;
    EXPECT_NE(reason.find("the goal's ("), std::string::npos) << reason;
    must(crowd.world.set_trait(crowd.agent, "acceleration_mode", "clamp"));
    const std::string cut = must(crowd.world.explain(crowd.agent)).reason;
    EXPECT_NE(cut.find("cut back"), std::string::npos) << cut;
    must(crowd.world.set_trait(crowd.agent, "acceleration_mode", "brake"));
    const std::string braking = must(crowd.world.explain(crowd.agent)).reason;
    EXPECT_NE(braking.find("stop in time"), std::string::npos) << braking;
}

TEST_F(Modes, presets_and_words_set_traits)
{
    World world = make_world();
    const ProfileId elder = must(world.add_profile({"rcap", {{"rank", 5.0}}, "elder"}));
    const AgentHandle agent = must(world.add({.profile = elder}));
    EXPECT_EQ(must(world.trait(agent, "rank")), 5.0);  // own values come after the preset's
    EXPECT_FLOAT_EQ(static_cast<float>(must(world.trait(agent, "preferred_speed"))), 1.0f);
    must(world.apply_preset(agent, "phone"));
    EXPECT_EQ(must(world.trait(agent, "field_of_view_deg")), 90.0);
    EXPECT_EQ(must(world.trait(agent, "rank")), 1.0);
    must(world.set_trait(agent, "acceleration_mode", "brake"));
    EXPECT_EQ(must(world.trait(agent, "acceleration_mode")), 2.0);
    const std::uint64_t before = world.state_hash();
    EXPECT_FALSE(world.set_trait(agent, "acceleration_mode", "fly"));
    EXPECT_FALSE(world.set_trait(agent, "acceleration_mode", 1.5));
    EXPECT_FALSE(world.set_trait(agent, "radius", "large"));
    EXPECT_FALSE(world.apply_preset(agent, "nobody"));
    EXPECT_FALSE(world.add_profile({"orca", {}, "nobody"}));
    EXPECT_EQ(world.state_hash(), before);
}

}  // namespace
}  // namespace sidestep::test
