// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Acceleration mode brake: whoever could stop can still, before walls, bodies, those who yield to
// nobody, and another of its kind, also where the two do not walk straight at each other. Horizons
// are a step here, so that nothing but the lines that leave room to brake slows anybody down.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

constexpr double kDt = 0.05;     ///< [s]
constexpr double kLimit = 1.0;   ///< [m/s2]
constexpr double kRadius = 0.2;  ///< [m]

class Brake : public WorldTest {};

/// From a larger closing speed [m/s] nobody stops within the gap [m] at `braking` [m/s2].
double stoppable(double gap, double braking)
{
    return std::sqrt(2.0 * braking * gap);
}

double norm(Vec2 v)
{
    return std::hypot(v.x, v.y);
}

struct Scene {
    World world = make_world({.dt = kDt, .deadlock_policy = false, .threads = 1});
    ProfileId profile;

    explicit Scene(const char* mode = "brake")
    {
        profile = must(world.add_profile({"orca",
                                          {{"max_acceleration", kLimit},
                                           {"time_horizon", kDt},
                                           {"wall_time_horizon", kDt},
                                           {"neighbour_range", 10.0},
                                           {"preferred_speed", 2.0},
                                           {"max_speed", 2.5}},
                                          ""}));
        mode_ = mode;
    }

    AgentHandle add(Vec2 position, Vec2 velocity, Vec2 wish)
    {
        const AgentHandle agent =
            must(world.add({.position = position, .velocity = velocity, .profile = profile}));
        must(world.set_trait(agent, "acceleration_mode", mode_));
        must(world.drive_by_host(agent, wish));
        return agent;
    }

private:
    const char* mode_;
};

/// What became of one that wants to walk at 2 m/s along +x, from x = -6 m.
struct Approach {
    double top_speed = 0.0;  ///< [m/s]
    double least_gap = 1e9;  ///< [m]
    double last_gap = 0.0;
    Vec2 last_velocity{};
    std::uint64_t exceeded = 0;
};

Approach walk(Scene& scene, const std::function<double(Vec2)>& gap_at, double seconds)
{
    const AgentHandle agent = scene.add({-6.0, 0.0}, {}, {2.0, 0.0});
    Approach seen;
    for (int step = 0; step < std::lround(seconds / kDt); ++step) {
        const Vec2 before = must(scene.world.agent(agent)).velocity;
        seen.exceeded += scene.world.step().acceleration_exceeded;
        const AgentState now = must(scene.world.agent(agent));
        seen.top_speed = std::max(seen.top_speed, norm(now.velocity));
        seen.last_gap = gap_at(now.position);
        seen.least_gap = std::min(seen.least_gap, seen.last_gap);
        seen.last_velocity = now.velocity;
        if (norm(now.velocity - before) > kLimit * kDt + 1e-6 && seen.exceeded == 0)
            ADD_FAILURE() << "exceeds the limit unseen in step " << step;
    }
    return seen;
}

TEST_F(Brake, stops_before_a_wall_that_others_run_into)
{
    const auto gap = [](Vec2 p) { return -p.x - kRadius; };
    Scene braking;
    must(braking.world.add_wall({{{0.0, -20.0}, {0.0, 20.0}}, WallKind::thin}));
    const Approach stopped = walk(braking, gap, 15.0);
    EXPECT_EQ(stopped.exceeded, 0u);
    EXPECT_GT(stopped.top_speed, 1.9);
    EXPECT_GT(stopped.least_gap, 0.0);
    EXPECT_LT(stopped.last_gap, 0.001);
    EXPECT_LT(norm(stopped.last_velocity), 0.01);

    Scene careless("disc");
    must(careless.world.add_wall({{{0.0, -20.0}, {0.0, 20.0}}, WallKind::thin}));
    EXPECT_GT(walk(careless, gap, 15.0).exceeded, 0u);
}

TEST_F(Brake, keeps_its_wall_clearance)
{
    Scene braking;
    must(braking.world.add_wall({{{0.0, -20.0}, {0.0, 20.0}}, WallKind::thin}));
    braking.profile = must(braking.world.add_profile({"orca",
                                                      {{"max_acceleration", kLimit},
                                                       {"wall_time_horizon", kDt},
                                                       {"wall_clearance", 0.3},
                                                       {"max_speed", 2.5}},
                                                      ""}));
    const Approach stopped = walk(
        braking, [](Vec2 p) { return -p.x - kRadius - 0.3; }, 15.0);
    EXPECT_EQ(stopped.exceeded, 0u);
    EXPECT_GT(stopped.least_gap, -1e-5);
    EXPECT_LT(stopped.last_gap, 0.001);
}

TEST_F(Brake, stops_before_a_standing_body_and_backs_away_from_one_that_comes)
{
    for (const double speed : {0.0, 0.5}) {
        SCOPED_TRACE(speed);
        Scene braking;
        const BodyHandle body = must(braking.world.add_body(
            {.position = {3.0, 0.0}, .radius = 1.0, .velocity = {-speed, 0.0}}));
        const Approach stopped = walk(
            braking,
            [&](Vec2 p) {
                return norm(must(braking.world.body_position(body)) - p) - 1.0 - kRadius;
            },
            15.0);
        EXPECT_EQ(stopped.exceeded, 0u);
        EXPECT_GT(stopped.top_speed, 1.9);
        EXPECT_GT(stopped.least_gap, -1e-5);
        EXPECT_LT(stopped.last_gap, 0.001);
        EXPECT_NEAR(stopped.last_velocity.x, -speed, 0.01);
    }
}

TEST_F(Brake, does_not_rely_on_those_who_yield_to_nobody)
{
    Scene braking;
    const AgentHandle proud = must(braking.world.add(
        {.position = {4.0, 0.0}, .velocity = {-0.5, 0.0}, .traits = {{"rank", HUGE_VAL}}}));
    must(braking.world.drive_by_host(proud, {-0.5, 0.0}));
    const Approach stopped = walk(
        braking,
        [&](Vec2 p) { return norm(must(braking.world.agent(proud)).position - p) - 2 * kRadius; },
        15.0);
    EXPECT_EQ(stopped.exceeded, 0u);
    EXPECT_GT(stopped.top_speed, 1.9);
    EXPECT_GT(stopped.least_gap, -1e-5);
    EXPECT_LT(stopped.last_gap, 0.001);
    EXPECT_NEAR(stopped.last_velocity.x, -0.5, 0.01);
    EXPECT_NEAR(must(braking.world.agent(proud)).velocity.x, -0.5, 1e-6);
}

TEST_F(Brake, two_of_a_kind_can_always_stop_whatever_they_do_across_the_line_between_them)
{
    double fastest_across = 0.0;
    double nearest = 1e9;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        Scene braking;
        const Vec2 start[2] = {{-3.0, random.uniform(-0.3, 0.3)}, {3.0, random.uniform(-0.3, 0.3)}};
        const double across = random.uniform(-1.0, 1.0);
        AgentHandle agents[2];
        for (int i = 0; i < 2; ++i) {
            const double side = i == 0 ? 1.0 : -1.0;
            const Vec2 velocity{1.2 * side, across * side};
            // Straight at where the other is now, and across.
            agents[i] = braking.add(start[i], velocity, Vec2{1.6 * side, 0.3 * across * side});
        }
        for (int step = 0; step < 160; ++step) {
            EXPECT_EQ(braking.world.step().acceleration_exceeded, 0u) << step;
            const AgentState a = must(braking.world.agent(agents[0]));
            const AgentState b = must(braking.world.agent(agents[1]));
            const Vec2 line = b.position - a.position;
            const Vec2 rel = a.velocity - b.velocity;
            const double closing = dot(line, rel) / norm(line);
            const double gap = norm(line) - 2.0 * kRadius;
            nearest = std::min(nearest, gap);
            if (gap < 0.5)
                fastest_across = std::max(fastest_across, std::fabs(det(line, rel)) / norm(line));
            ASSERT_GT(gap, -1e-5) << step;
            ASSERT_LT(closing, stoppable(std::max(gap, 0.0), 2.0 * kLimit) + 1e-3) << step;
        }
    }
    EXPECT_LT(nearest, 0.05);  // they do come near, and pass
    EXPECT_GT(fastest_across, 0.5);
}

}  // namespace
}  // namespace sidestep::test
