// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What a step must not depend on: order of agents, threads, whose threads, instruction set, order
// of rows, and being looked at. See invariance_place_test.cpp for place and direction, and
// invariance_reach_test.cpp for things out of reach.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#if !defined(SIDESTEP_PLAIN_THREADS)
#include <tbb/global_control.h>
#endif

#include "support/compared_scenes.hpp"

namespace sidestep::test {
namespace {

class Invariance : public WorldTest {};

constexpr std::uint64_t kSceneSeed = 11;
constexpr std::size_t kSceneAgents = 1100;  // three blocks of rows and more
constexpr int kSceneSteps = 200;

/// Hash after every tenth step.
template <class BeforeStep>
std::vector<std::uint64_t> hashes_of(World& world, BeforeStep&& before_step)
{
    std::vector<std::uint64_t> hashes{world.state_hash()};
    for (int step = 0; step < kSceneSteps; ++step) {
        before_step(step);
        const StepReport report = world.step();
        EXPECT_FALSE(report.fault);
        if (step % 10 == 9) hashes.push_back(world.state_hash());
    }
    return hashes;
}

std::vector<std::uint64_t> hashes_of(WorldOptions options, const Scene& scene)
{
    World world = make_world(std::move(options));
    fill(world, scene);
    return hashes_of(world, [](int) {});
}

const Scene& the_scene()
{
    static const Scene scene = mixed_scene(kSceneSeed, kSceneAgents);
    return scene;
}

/// What all runs of the scene must end in.
const std::vector<std::uint64_t>& the_hashes()
{
    static const std::vector<std::uint64_t> hashes = hashes_of({.threads = 1}, the_scene());
    return hashes;
}

TEST_F(Invariance, the_scene_of_these_tests_has_all_that_could_go_wrong)
{
    World world = make_world({.threads = 1});
    fill(world, the_scene());
    StepReport sum;
    for (int step = 0; step < kSceneSteps; ++step) {
        const StepReport report = world.step();
        sum.neighbour_cap_hits += report.neighbour_cap_hits;
        sum.infeasible_programs += report.infeasible_programs;
        sum.overlaps += report.overlaps;
        sum.wall_contacts += report.wall_contacts;
        sum.wall_pushes += report.wall_pushes;
        sum.wall_lines_about_zero += report.wall_lines_about_zero;
        sum.acceleration_exceeded += report.acceleration_exceeded;
    }
    EXPECT_GT(sum.neighbour_cap_hits, 1000u);
    EXPECT_GT(sum.infeasible_programs, 1000u);
    EXPECT_GT(sum.overlaps, 1000u);
    EXPECT_GT(sum.wall_contacts, 100u);
    EXPECT_GT(sum.wall_pushes, 0u);
    EXPECT_GT(sum.wall_lines_about_zero, 0u);
    EXPECT_GT(sum.acceleration_exceeded, 0u);
    const auto& hashes = the_hashes();
    for (std::size_t i = 1; i < hashes.size(); ++i) EXPECT_NE(hashes[i], hashes[i - 1]);
}

TEST_F(Invariance, the_order_in_which_agents_are_added_changes_no_bit)
{
    Scene shuffled = the_scene();
    SeededRandom random(5);
    random.shuffle(shuffled.agents);
    EXPECT_EQ(hashes_of({}, shuffled), the_hashes());
}

TEST_F(Invariance, adding_one_by_one_after_others_came_and_went_changes_no_bit)
{
    World world = make_world();
    Scene scene = the_scene();
    SeededRandom random(6);
    random.shuffle(scene.agents);
    const auto agents = std::exchange(scene.agents, {});
    fill(world, scene);
    std::vector<AgentHandle> guests;
    for (std::uint32_t i = 0; i < agents.size(); ++i) {
        if (i % 3 == 0)
            guests.push_back(
                must(world.add({.position = {0.5, 0.5}, .id = i % 2 == 0 ? 0u : 2u + 3u * i})));
        must(world.add(agents[i]));
        if (i % 3 == 0) must(world.remove(guests.back()));
    }
    EXPECT_EQ(hashes_of(world, [](int) {}), the_hashes());
}

TEST_F(Invariance, the_number_of_threads_changes_no_bit)
{
#if !defined(SIDESTEP_PLAIN_THREADS)
    // oneTBB starts no more threads than there are processors unless it is told to.
    const tbb::global_control eight(tbb::global_control::max_allowed_parallelism, 8);
#endif
    for (const std::uint32_t threads : {2u, 3u, 4u, 8u}) {
        SCOPED_TRACE(threads);
        World world = make_world({.threads = threads});
        ASSERT_EQ(world.threads(), threads);
        fill(world, the_scene());
        EXPECT_EQ(hashes_of(world, [](int) {}), the_hashes());
    }
}

/// A job system that hands tasks out in random order to three threads, and sometimes runs all of
/// them in one.
class ShufflingHost {
public:
    Executor executor() { return {.workers = 3, .host = this, .run = run}; }
    std::size_t shared_calls = 0;  ///< with tasks that several threads can take

private:
    using Task = void (*)(void* data, std::uint32_t i, std::uint32_t worker);

    static void run(void* host, std::uint32_t tasks, Task task, void* data)
    {
        auto& self = *static_cast<ShufflingHost*>(host);
        self.shared_calls += tasks > 1 ? 1 : 0;
        std::vector<std::uint32_t> order(tasks);
        std::iota(order.begin(), order.end(), 0u);
        self.random_.shuffle(order);
        if (self.random_.chance(0.3)) {
            const auto worker = static_cast<std::uint32_t>(self.random_.below(3));
            for (const std::uint32_t i : order) task(data, i, worker);
            return;
        }
        std::atomic<std::size_t> next{0};
        std::vector<std::thread> threads;
        for (std::uint32_t worker = 0; worker < 3; ++worker) {
            threads.emplace_back([&, worker] {
                for (std::size_t i = next++; i < order.size(); i = next++)
                    task(data, order[i], worker);
            });
        }
        for (std::thread& thread : threads) thread.join();
    }

    SeededRandom random_{8};
};

TEST_F(Invariance, a_host_that_runs_tasks_in_any_order_on_its_own_threads_changes_no_bit)
{
    ShufflingHost host;
    EXPECT_EQ(hashes_of({.executor = host.executor()}, the_scene()), the_hashes());
    EXPECT_GT(host.shared_calls, 2u * kSceneSteps);
}

TEST_F(Invariance, the_instruction_set_changes_no_bit)
{
    for (const Isa isa : available_isas()) {
        SCOPED_TRACE(to_string(isa));
        World world = make_world({.isa = isa});
        ASSERT_EQ(world.isa(), isa);
        fill(world, the_scene());
        EXPECT_EQ(hashes_of(world, [](int) {}), the_hashes());
    }
}

TEST_F(Invariance, rows_sorted_at_other_times_change_no_bit)
{
    // An agent that changes its model there and back takes a new row at the tail; some hundred of
    // those bring on a sort.
    World world = make_world();
    const auto handles = fill(world, the_scene());
    SeededRandom random(9);
    std::vector<AgentHandle> seekers;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        if (the_scene().agents[i].profile == 2) seekers.push_back(handles[i]);
    }
    std::size_t unsorted = 0;
    const auto hashes = hashes_of(world, [&](int step) {
        const std::size_t times = step % 3 == 0 ? 450 : random.below(30);
        for (std::size_t i = 0; i < times; ++i) {
            const AgentHandle agent = seekers[random.below(seekers.size())];
            must(world.set_model(agent, "orca"));
            must(world.set_model(agent, "seek"));
        }
        const AgentColumns columns = world.columns();
        for (std::size_t row = 8; row < columns.rows; row += 8) {
            unsorted += columns.leaf_level[row / 8] < columns.leaf_level[row / 8 - 1] ? 1 : 0;
        }
    });
    EXPECT_EQ(hashes, the_hashes());
    EXPECT_GT(unsorted, 100u);
}

TEST_F(Invariance, looking_changes_nothing)
{
    World world = make_world();
    const auto handles = fill(world, the_scene());
    SeededRandom random(10);
    const auto hashes = hashes_of(world, [&](int) {
        const std::uint64_t before = world.state_hash();
        for (int i = 0; i < 3; ++i) {
            const AgentHandle agent = handles[random.below(handles.size())];
            const AgentState state = must(world.agent(agent));
            must(world.explain(agent));
            EXPECT_EQ(must(world.agent(agent)).preferred_velocity, state.preferred_velocity);
        }
        EXPECT_EQ(world.state_hash(), before);
    });
    EXPECT_EQ(hashes, the_hashes());
}

TEST_F(Invariance, what_explain_foretells_is_what_the_step_does)
{
    std::size_t compared = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Scene scene = mixed_scene(seed, 150);
        scene.walls.clear();  // free space: no move is cut
        scene.bodies.erase(scene.bodies.begin() + 1, scene.bodies.end());
        World world = make_world();
        const auto handles = fill(world, scene);
        for (int step = 0; step < 9; ++step) {
            std::vector<Explanation> foretold;
            for (const AgentHandle agent : handles) foretold.push_back(must(world.explain(agent)));
            world.step();
            for (std::size_t i = 0; i < handles.size(); ++i) {
                const AgentState state = must(world.agent(handles[i]));
                ASSERT_EQ(state.velocity, foretold[i].chosen_velocity)
                    << "agent " << state.id << ", step " << step;
                ASSERT_EQ(state.preferred_velocity, foretold[i].preferred_velocity)
                    << "agent " << state.id;
                compared += state.velocity != foretold[i].preferred_velocity ? 1 : 0;
            }
        }
    }
    EXPECT_GT(compared, 5000u);
}

TEST_F(Invariance, advance_makes_the_same_steps_as_step)
{
    const Scene scene = mixed_scene(3, 120);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        const double dt = random.one_of({0.05, 1.0 / 60.0, 0.1});
        World stepped = make_world({.dt = dt});
        World advanced = make_world({.dt = dt});
        fill(stepped, scene);
        fill(advanced, scene);
        double asked = 0.0;
        std::uint64_t steps = 0;
        for (int frame = 0; frame < 100; ++frame) {
            const double seconds = random.chance(0.5) ? dt : random.uniform(0.0, 3.0 * dt);
            asked += seconds;
            const AdvanceReport report = advanced.advance(seconds);
            std::uint64_t agents = 0;
            for (std::uint32_t i = 0; i < report.steps; ++i) agents += stepped.step().agents;
            steps += report.steps;
            ASSERT_EQ(advanced.state_hash(), stepped.state_hash()) << "frame " << frame;
            ASSERT_EQ(report.report.agents, agents);
            ASSERT_GE(report.fraction, 0.0);
            ASSERT_LT(report.fraction, 1.0);
            ASSERT_NEAR((static_cast<double>(steps) + report.fraction) * dt, asked, 1e-6);
        }
        EXPECT_EQ(advanced.step_index(), steps);
    }
}

}  // namespace
}  // namespace sidestep::test
