// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Why an agent does what it does, and what a host program may bring.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep {
namespace {

using test::make_world;
using test::must;

class Explain : public test::WorldTest {};
class Host : public test::WorldTest {};

/// Rounding of a line built from floats of a few metres and metres per second.
constexpr double kFloat = 2e-6;

/// Two agents head-on, of radius 0.5, at rest or walking at 1 m/s.
struct HeadOn {
    World world;
    AgentHandle a, b;
};

HeadOn head_on(double speed)
{
    HeadOn scene{make_world({.dt = 0.1}), {}, {}};
    const ProfileId profile = must(scene.world.add_profile({.values = {{"radius", 0.5},
                                                                       {"time_horizon", 5.0},
                                                                       {"neighbour_range", 10.0},
                                                                       {"preferred_speed", 1.0}}}));
    scene.a = must(scene.world.add(
        {.position = {0, 0}, .velocity = {speed, 0}, .goal = Vec2{50, 0}, .profile = profile}));
    scene.b = must(scene.world.add({.position = {4, 0.1},
                                    .velocity = {-speed, 0},
                                    .goal = Vec2{-50, 0.1},
                                    .profile = profile}));
    return scene;
}

TEST_F(Explain, gives_the_half_plane_that_the_exact_geometry_gives)
{
    // The vector orca_line-001: the same two agents in double.
    const HeadOn scene = head_on(1.0);
    const Explanation why = must(scene.world.explain(scene.a));
    ASSERT_EQ(why.neighbours.size(), 1u);
    EXPECT_EQ(why.neighbours[0].id, 1u);
    EXPECT_NEAR(why.neighbours[0].distance, std::hypot(4.0, 0.1), kFloat);
    EXPECT_EQ(why.neighbours[0].share, 0.5);
    ASSERT_EQ(why.lines.size(), 1u);
    EXPECT_FALSE(why.lines[0].hard);
    EXPECT_EQ(why.lines[0].source, Explanation::Source::agent);
    EXPECT_EQ(why.lines[0].source_id, 1u);
    EXPECT_NEAR(why.lines[0].normal.x, -0.22564475874102372, kFloat);
    EXPECT_NEAR(why.lines[0].normal.y, -0.9742096503590514, kFloat);
    const Vec2 q{0.9490844428527052, -0.21982530151844523};
    EXPECT_NEAR(dot(why.lines[0].point, why.lines[0].normal), dot(q, why.lines[0].normal), kFloat);
    EXPECT_EQ(why.hard_relaxation, 0.0);
    EXPECT_EQ(why.soft_relaxation, 0.0);
    EXPECT_FALSE(why.reason.empty());
}

TEST_F(Explain, tells_the_limits_of_speed_and_of_change)
{
    HeadOn scene = head_on(1.0);
    ASSERT_TRUE(scene.world.set_max_speed(scene.a, 1.75));
    EXPECT_EQ(must(scene.world.explain(scene.a)).max_speed, 1.75);
    EXPECT_FALSE(must(scene.world.explain(scene.a)).reach);
    ASSERT_TRUE(scene.world.set_trait(scene.a, "max_acceleration", 1.5));
    const Explanation why = must(scene.world.explain(scene.a));
    ASSERT_TRUE(why.reach);
    EXPECT_NEAR(*why.reach, 0.15, kFloat);
    const Vec2 change = why.chosen_velocity - why.velocity;
    EXPECT_LE(std::hypot(change.x, change.y), *why.reach + kFloat);
}

TEST_F(Explain, chooses_what_the_step_then_does_and_changes_nothing)
{
    HeadOn scene = head_on(1.0);
    for (int step = 0; step < 40; ++step) {
        SCOPED_TRACE(step);
        const std::uint64_t before = scene.world.state_hash();
        const Explanation why = must(scene.world.explain(scene.a));
        EXPECT_EQ(scene.world.state_hash(), before);
        EXPECT_EQ(why.step, scene.world.step_index());
        scene.world.step();
        const AgentState now = must(scene.world.agent(scene.a));
        EXPECT_EQ(now.velocity, why.chosen_velocity);
        EXPECT_EQ(now.preferred_velocity, why.preferred_velocity);
    }
}

TEST_F(Explain, says_of_everybody_in_a_dense_crowd_what_the_step_then_does)
{
    World world = make_world();
    test::SeededRandom random(21);
    std::vector<AgentHandle> crowd;
    for (int i = 0; i < 150; ++i) {
        crowd.push_back(
            must(world.add({.position = random.in_box(2.5), .goal = random.in_box(4.0)})));
        if (i % 3 == 0) must(world.set_trait(crowd.back(), "max_acceleration", 2.0));
        if (i % 10 == 0) must(world.set_model(crowd.back(), "seek"));
    }
    for (std::size_t i = 0; i < crowd.size(); i += 2) must(world.watch(crowd[i]));
    std::size_t relaxed = 0;
    for (int step = 0; step < 20; ++step) {
        SCOPED_TRACE(step);
        std::vector<Explanation> before;
        for (const AgentHandle agent : crowd) before.push_back(must(world.explain(agent)));
        const StepReport report = world.step();
        std::size_t cap_hits = 0, infeasible = 0, exceeded = 0;
        for (std::size_t i = 0; i < crowd.size(); ++i) {
            const Explanation& why = before[i];
            ASSERT_EQ(must(world.agent(crowd[i])).velocity, why.chosen_velocity) << "agent " << i;
            cap_hits += why.neighbour_cap_hit ? 1 : 0;
            infeasible += why.soft_relaxation > 0.0 ? 1 : 0;
            exceeded += why.acceleration_exceeded ? 1 : 0;
            const Explanation* kept = world.watched(crowd[i]);
            ASSERT_EQ(kept != nullptr, i % 2 == 0);
            if (kept == nullptr) continue;
            EXPECT_EQ(kept->chosen_velocity, why.chosen_velocity);
            EXPECT_EQ(kept->lines.size(), why.lines.size());
            EXPECT_EQ(kept->neighbours.size(), why.neighbours.size());
            EXPECT_EQ(kept->soft_relaxation, why.soft_relaxation);
            EXPECT_EQ(kept->reason, why.reason);
        }
        EXPECT_EQ(report.neighbour_cap_hits, cap_hits);
        EXPECT_EQ(report.infeasible_programs, infeasible);
        EXPECT_EQ(report.acceleration_exceeded, exceeded);
        relaxed += infeasible;
    }
    EXPECT_GT(relaxed, 100u);
}

TEST_F(Explain, tells_which_wall_a_line_comes_from)
{
    World world = make_world();
    const AgentHandle agent =
        must(world.add({.position = {0, 0}, .velocity = {0, 1}, .goal = Vec2{0, 10}}));
    const WallHandle wall =
        must(world.add_wall({.vertices = {{-2, 1}, {2, 1}}, .kind = WallKind::thin}));
    const Explanation why = must(world.explain(agent));
    ASSERT_EQ(why.lines.size(), 1u);
    EXPECT_TRUE(why.lines[0].hard);
    EXPECT_EQ(why.lines[0].source, Explanation::Source::wall);
    EXPECT_EQ(why.lines[0].source_id, wall.index);
    EXPECT_NEAR(why.lines[0].normal.y, -1.0, kFloat);
    EXPECT_NEAR(why.lines[0].point.y, 1.0 - 0.2,
                kFloat);  // (distance - radius) / wall horizon of 1 s
    EXPECT_NEAR(why.chosen_velocity.y, 0.8, kFloat);
}

TEST_F(Explain, watching_keeps_what_the_step_used)
{
    HeadOn scene = head_on(1.0);
    must(scene.world.watch(scene.a));
    EXPECT_EQ(scene.world.watched(scene.a), nullptr);
    const Explanation before = must(scene.world.explain(scene.a));
    scene.world.step();
    const Explanation* kept = scene.world.watched(scene.a);
    ASSERT_NE(kept, nullptr);
    EXPECT_EQ(kept->chosen_velocity, before.chosen_velocity);
    EXPECT_EQ(kept->step, before.step);
    ASSERT_EQ(kept->lines.size(), before.lines.size());
    EXPECT_EQ(kept->lines[0].point, before.lines[0].point);
    EXPECT_EQ(kept->chosen_velocity, must(scene.world.agent(scene.a)).velocity);

    must(scene.world.unwatch(scene.a));
    EXPECT_EQ(scene.world.watched(scene.a), nullptr);
    must(scene.world.watch(scene.b));
    must(scene.world.remove(scene.b));
    scene.world.step();
    EXPECT_EQ(scene.world.watched(scene.b), nullptr);
    EXPECT_FALSE(scene.world.watch(scene.b));
    EXPECT_FALSE(scene.world.explain(scene.b));
}

TEST_F(Host, preferred_velocities_are_followed)
{
    World world = make_world();
    const AgentHandle agent = must(world.add({.position = {0, 0}, .goal = Vec2{10, 0}}));
    must(world.drive_by_host(agent, {0, 1.25}));
    world.step();
    EXPECT_EQ(must(world.agent(agent)).velocity, (Vec2{0, 1.25}));
    must(world.set_goal(agent, {10, 0}));
    world.step();
    EXPECT_GT(must(world.agent(agent)).velocity.x, 1.3);
}

TEST_F(Host, a_hook_decides_for_those_it_drives_and_for_nobody_else)
{
    WorldOptions options;
    options.preferred_velocities = [](const AgentColumns& agents, std::span<float> vx,
                                      std::span<float> vy) {
        for (std::size_t row = 0; row < agents.rows; ++row) {
            vx[row] = 0.5f;
            vy[row] = 0.25f;
        }
    };
    World world = make_world(std::move(options));
    const AgentHandle driven = must(world.add({.position = {0, 0}}));
    const AgentHandle free = must(world.add({.position = {100, 0}, .goal = Vec2{100, 50}}));
    must(world.drive_by_host(driven));
    world.step();
    EXPECT_EQ(must(world.agent(driven)).velocity, (Vec2{0.5, 0.25}));
    EXPECT_EQ(must(world.agent(free)).velocity.x, 0.0);
}

TEST_F(Host, a_value_that_is_not_finite_stops_the_world_and_names_the_agent)
{
    int calls = 0;
    std::vector<std::string> log;
    WorldOptions options;
    options.preferred_velocities = [&calls](const AgentColumns& agents, std::span<float> vx,
                                            std::span<float>) {
        ++calls;
        for (std::size_t row = 0; row < agents.rows; ++row) {
            if (calls == 3 && agents.record[row].id == 77)
                vx[row] = std::numeric_limits<float>::quiet_NaN();
        }
    };
    options.log = [&log](std::string_view line) { log.emplace_back(line); };
    World world = make_world(std::move(options));
    for (std::uint32_t id = 70; id < 80; ++id) {
        const AgentHandle agent = must(world.add({.position = {id * 0.5, 0}, .id = id}));
        must(world.drive_by_host(agent, {0, 1}));
    }
    EXPECT_FALSE(world.step().fault);
    EXPECT_FALSE(world.step().fault);
    const std::uint64_t before = world.state_hash();
    const StepReport report = world.step();
    ASSERT_TRUE(report.fault);
    EXPECT_EQ(report.fault->agent, 77u);
    EXPECT_EQ(report.fault->step, 2u);
    EXPECT_FALSE(report.fault->cause.empty());
    EXPECT_EQ(world.state_hash(), before);
    EXPECT_EQ(world.step_index(), 2u);
    EXPECT_TRUE(world.step().fault);
    EXPECT_EQ(world.advance(1.0).steps, 0u);
    EXPECT_EQ(world.step_index(), 2u);
    EXPECT_EQ(log.size(), 1u);
}

TEST_F(Host, an_executor_of_its_own_runs_every_task_once)
{
    struct Jobs {
        int runs = 0;
        static void run(void* host, std::uint32_t tasks,
                        void (*task)(void*, std::uint32_t, std::uint32_t), void* data)
        {
            ++static_cast<Jobs*>(host)->runs;
            for (std::uint32_t i = tasks; i > 0; --i)
                task(data, i - 1, i % 3);  // backwards, workers 0 to 2 in turn
        }
    } jobs;
    WorldOptions options;
    options.executor = {.workers = 3, .host = &jobs, .run = Jobs::run};
    World hosted = make_world(std::move(options));
    World own = make_world();
    for (World* world : {&hosted, &own}) {
        for (int i = 0; i < 2000; ++i) {
            const Vec2 position{0.7 * (i % 50), 0.7 * (i / 50)};
            must(world->add(
                {.position = position, .goal = Vec2{35.0 - position.x, 28.0 - position.y}}));
        }
        for (int step = 0; step < 30; ++step) world->step();
    }
    EXPECT_GT(jobs.runs, 0);
    EXPECT_EQ(hosted.threads(), 3u);
    EXPECT_EQ(hosted.state_hash(), own.state_hash());
}

TEST_F(Host, advance_makes_the_steps_that_fit_and_returns_the_rest)
{
    World world = make_world({.dt = 0.05});
    must(world.add({.position = {0, 0}, .goal = Vec2{100, 0}}));
    EXPECT_EQ(world.advance(0.12).steps, 2u);
    const AdvanceReport more = world.advance(0.005);
    EXPECT_EQ(more.steps, 0u);
    EXPECT_NEAR(more.fraction, 0.5, 1e-9);
    EXPECT_EQ(world.advance(1.0, 4).steps,
              4u);  // behind by more than the host allows: the rest is forgotten
    EXPECT_EQ(world.step_index(), 6u);
    int steps = 0;
    for (int frame = 0; frame < 60; ++frame)
        steps += static_cast<int>(world.advance(1.0 / 60.0).steps);
    EXPECT_NEAR(steps, 20, 1);
    EXPECT_EQ(world.advance(std::numeric_limits<double>::quiet_NaN()).steps, 0u);
    EXPECT_EQ(world.advance(-1.0).steps, 0u);
}

}  // namespace
}  // namespace sidestep
