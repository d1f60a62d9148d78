// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What a step must not depend on: order of agents, threads, whose threads, instruction set, order
// of rows, place, direction, things out of reach, and being looked at.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#if !defined(SIDESTEP_PLAIN_THREADS)
#include <tbb/global_control.h>
#endif

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-4;  ///< [m], after 20 steps of feasible programs

class Invariance : public WorldTest {};

/// All that goes into a world.
struct Scene {
    std::vector<ProfileSpec> profiles;
    std::vector<AgentSpec> agents;
    std::vector<WallSpec> walls;
    std::vector<BodySpec> bodies;
};

std::vector<AgentHandle> fill(World& world, const Scene& scene)
{
    for (const ProfileSpec& profile : scene.profiles) must(world.add_profile(profile));
    for (const WallSpec& wall : scene.walls) must(world.add_wall(wall));
    for (const BodySpec& body : scene.bodies) must(world.add_body(body));
    return must(world.add(scene.agents));
}

std::vector<Vec2> rectangle(Vec2 centre, double half_x, double half_y)
{
    return {centre + Vec2{-half_x, -half_y}, centre + Vec2{half_x, -half_y},
            centre + Vec2{half_x, half_y}, centre + Vec2{-half_x, half_y}};
}

bool inside(Vec2 p, Vec2 centre, double half_x, double half_y)
{
    return std::abs(p.x - centre.x) < half_x && std::abs(p.y - centre.y) < half_y;
}

/// A bit of everything: two levels, a room with pillars and thin walls, a polygon and discs that
/// move, agents of all ranks and sizes, with and without limits of acceleration, some that avoid
/// nobody, some in the same place.
Scene mixed_scene(std::uint64_t seed, std::size_t agents)
{
    SeededRandom random(seed);
    Scene scene;
    scene.profiles = {
        {"orca", {{"max_acceleration", 3.0}, {"time_horizon", 3.0}}},
        {"seek", {{"preferred_speed", 0.8}}},
        {"orca", {{"velocity_uncertainty", 0.1}, {"overlap_time", 0.3}, {"wall_clearance", 0.1}}}};
    const Vec2 pillars[] = {{-8.0, -6.0}, {5.0, 4.0}, {9.0, -9.0}};
    for (std::uint16_t level = 0; level < 2; ++level) {
        scene.walls.push_back({rectangle({}, 16.0, 14.0), WallKind::room, level});
        for (const Vec2 p : pillars)
            scene.walls.push_back({rectangle(p, 0.8, 0.6), WallKind::solid, level});
        scene.walls.push_back({{{-12.0, 2.0}, {-4.0, 6.0}}, WallKind::thin, level});
        scene.walls.push_back({{{2.0, -10.0}, {2.0, -2.0}}, WallKind::thin, level});
        scene.bodies.push_back({.position = {-10.0, 0.0},
                                .radius = 0.7,
                                .outline = {},
                                .velocity = {0.9, 0.1},
                                .level = level});
        scene.bodies.push_back({.outline = rectangle({12.0, 0.0}, 0.9, 1.5),
                                .velocity = {-0.7, 0.05},
                                .level = level});
    }
    const auto is_free = [&](Vec2 p) {
        for (const Vec2 pillar : pillars) {
            if (inside(p, pillar, 1.4, 1.2)) return false;
        }
        return !inside(p, {12.0, 0.0}, 1.5, 2.1);
    };
    const auto place = [&] {
        for (;;) {
            const Vec2 p{random.uniform(-15.0, 15.0), random.uniform(-13.0, 13.0)};
            if (is_free(p)) return p;
        }
    };
    for (std::uint32_t i = 0; i < agents; ++i) {
        AgentSpec spec;
        // Every fifth on a lattice: who of those equally far is still listed is for the id to say.
        spec.position =
            i % 5 == 0 ? Vec2{0.5 * (i / 5 % 15) - 4.0, 0.5 * (i / 5 / 15) - 3.5} : place();
        if (i % 50 == 49) spec.position = scene.agents.back().position;
        spec.level =
            i % 50 == 49 ? scene.agents.back().level : static_cast<std::uint16_t>(random.below(2));
        spec.velocity = random.in_box(1.0);
        if (!random.chance(0.05)) spec.goal = place();
        spec.id = i * 3 + 1;
        spec.profile = static_cast<ProfileId>(random.chance(0.1) ? 2 : random.one_of({0, 0, 1, 3}));
        spec.traits = {{"radius", random.uniform(0.1, 0.35)},
                       {"rank", random.one_of({0.0, 0.5, 1.0, 1.0, 3.0, kInfinity})}};
        if (random.chance(0.1))
            spec.traits.emplace_back("max_neighbours", random.one_of({0.0, 3.0, 40.0}));
        if (random.chance(0.1)) spec.traits.emplace_back("planning_radius", 0.5);
        scene.agents.push_back(spec);
    }
    return scene;
}

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
    std::size_t calls = 0;
    std::size_t tasks_run = 0;

private:
    using Task = void (*)(void* data, std::uint32_t i, std::uint32_t worker);

    static void run(void* host, std::uint32_t tasks, Task task, void* data)
    {
        auto& self = *static_cast<ShufflingHost*>(host);
        ++self.calls;
        self.tasks_run += tasks;
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
    EXPECT_GT(host.calls, 2u * kSceneSteps);
    EXPECT_GT(host.tasks_run, 2u * host.calls);
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

// ------------------------------------------------------------------------------------------------
// place and direction

/// A map of the plane that distances survive.
struct Motion {
    double cosine = 1.0;
    double sine = 0.0;
    double flip = 1.0;  ///< -1: y -> -y, before the turn
    Vec2 shift{};

    Vec2 turn(Vec2 a) const
    {
        return {cosine * a.x - sine * flip * a.y, sine * a.x + cosine * flip * a.y};
    }
    Vec2 operator()(Vec2 p) const { return turn(p) + shift; }
};

Scene moved(Scene scene, const Motion& motion)
{
    for (AgentSpec& agent : scene.agents) {
        agent.position = motion(agent.position);
        agent.velocity = motion.turn(agent.velocity);
        if (agent.goal) agent.goal = motion(*agent.goal);
    }
    for (WallSpec& wall : scene.walls) {
        for (Vec2& vertex : wall.vertices) vertex = motion(vertex);
    }
    for (BodySpec& body : scene.bodies) {
        body.position = motion(body.position);
        body.velocity = motion.turn(body.velocity);
        for (Vec2& vertex : body.outline) vertex = motion(vertex);
    }
    return scene;
}

/// A crowd that has room: everybody finds a velocity that suits all. Coordinates are multiples of
/// 1/1024 m, so that they are the same wherever the scene is put.
Scene roomy_scene(std::uint64_t seed, bool with_walls)
{
    SeededRandom random(seed);
    Scene scene;
    scene.profiles = {{"orca", {{"max_acceleration", 40.0}}}, {"seek", {}}};
    const auto snap = [](double a) { return std::round(a * 1024.0) / 1024.0; };
    while (scene.agents.size() < 60) {
        const Vec2 p = random.in_box(10.0);
        const Vec2 goal = random.in_box(12.0);
        AgentSpec spec{.position = {snap(p.x), snap(p.y)},
                       .goal = Vec2{snap(goal.x), snap(goal.y)},
                       .id = static_cast<std::uint32_t>(scene.agents.size()),
                       .profile = static_cast<ProfileId>(random.one_of({0, 0, 0, 1, 2})),
                       .traits = {{"radius", random.uniform(0.1, 0.25)},
                                  {"rank", random.one_of({0.5, 1.0, 2.0, kInfinity})}}};
        const bool crowded =
            std::any_of(scene.agents.begin(), scene.agents.end(), [&](const AgentSpec& other) {
                return dot(other.position - spec.position, other.position - spec.position) < 1.0;
            });
        const bool at_wall = inside(spec.position, {2.0, 1.0}, 2.5, 2.0) ||
                             inside(spec.position, {-5.0, 0.0}, 1.0, 4.0);
        if (!crowded && !(with_walls && at_wall)) scene.agents.push_back(spec);
    }
    if (with_walls) {
        scene.walls.push_back({rectangle({}, 14.0, 14.0), WallKind::room});
        scene.walls.push_back({{{1.0, 0.5}, {3.25, 0.25}, {2.5, 2.0}}, WallKind::solid});
        scene.walls.push_back({{{-5.5, -3.0}, {-4.75, 3.0}}, WallKind::thin});
        scene.bodies.push_back(
            {.position = {6.0, -7.0}, .radius = 0.5, .outline = {}, .velocity = {-0.5, 0.25}});
    }
    return scene;
}

struct Track {
    std::vector<Vec2> positions;
    std::vector<Vec2> velocities;
    bool feasible = true;
};

Track track_of(World world, const Scene& scene, int steps)
{
    const auto handles = fill(world, scene);
    Track track;
    for (int step = 0; step < steps; ++step) {
        const StepReport report = world.step();
        if (report.infeasible_programs > 0 || report.wall_contacts > 0 ||
            report.acceleration_exceeded > 0)
            track.feasible = false;
    }
    for (const AgentHandle handle : handles) {
        track.positions.push_back(must(world.agent(handle)).position);
        track.velocities.push_back(must(world.agent(handle)).velocity);
    }
    return track;
}

double farthest_apart(const Track& track, const Track& other, const Motion& motion)
{
    double farthest = 0.0;
    for (std::size_t i = 0; i < track.positions.size(); ++i) {
        const Vec2 gap = motion(track.positions[i]) - other.positions[i];
        farthest = std::max(farthest, std::sqrt(dot(gap, gap)));
    }
    return farthest;
}

/// How far the scene ends from itself when everybody starts up to `nudge` [m] beside its place.
/// Left or right of somebody straight ahead, touching or not touching: there the answer jumps, and
/// no arithmetic keeps two worlds together.
double drift_after(double nudge, const Scene& scene, const Track& track, std::uint64_t seed)
{
    double drift = 0.0;
    for (std::uint64_t i = 0; i < 3; ++i) {
        SeededRandom random(seed + 1000 * i);
        Scene nudged = scene;
        for (AgentSpec& agent : nudged.agents) agent.position += random.in_box(nudge);
        drift = std::max(drift, farthest_apart(track, track_of(make_world(), nudged, 20), {}));
    }
    return drift;
}

/// Steps scenes and their moved twins; those of feasible programs, and not on a knife's edge, must
/// end in the same place. `spacing` is that of floats [m] where the twin is.
template <class ChooseMotion>
void expect_moved_alike(double spacing, ChooseMotion&& choose, const WorldOptions& options = {},
                        const WorldOptions& moved_options = {})
{
    const double tolerance = std::max(kTolerance, 25.0 * spacing);
    std::size_t feasible = 0;
    std::size_t compared = 0;
    std::size_t avoided = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        const Motion motion = choose(random);
        const Scene scene = roomy_scene(seed, seed % 2 == 1);
        const Track track = track_of(make_world(options), scene, 20);
        const Track twin = track_of(make_world(moved_options), moved(scene, motion), 20);
        if (!track.feasible || !twin.feasible) continue;
        ++feasible;
        if (drift_after(spacing, scene, track, seed) > 0.3 * tolerance) continue;
        ++compared;
        EXPECT_LE(farthest_apart(track, twin, motion), tolerance);
        for (std::size_t i = 0; i < scene.agents.size();
             ++i) {  // those who did not just walk straight on
            const Vec2 way = *scene.agents[i].goal - track.positions[i];
            const Vec2 v = track.velocities[i];
            const double across = std::abs(way.x * v.y - way.y * v.x);
            avoided += across > 0.01 * std::sqrt(dot(way, way) * dot(v, v)) ? 1 : 0;
        }
    }
    EXPECT_GE(feasible, 30u);
    EXPECT_GE(2 * compared, feasible);
    EXPECT_GT(avoided, 100u);
}

TEST_F(Invariance, a_turned_world_moves_alike)
{
    expect_moved_alike(2e-6, [](SeededRandom& random) {
        const double angle = random.uniform(-3.2, 3.2);
        return Motion{.cosine = std::cos(angle), .sine = std::sin(angle)};
    });
}

Vec2 whole_eighths(Vec2 a)
{
    return {std::round(a.x * 8.0) / 8.0, std::round(a.y * 8.0) / 8.0};
}

TEST_F(Invariance, a_world_moved_away_from_its_origin_moves_alike)
{
    expect_moved_alike(4e-6, [](SeededRandom& random) {
        return Motion{.shift = whole_eighths(random.in_box(48.0))};
    });
}

TEST_F(Invariance, a_world_kilometres_from_its_origin_moves_alike_as_far_as_floats_tell)
{
    expect_moved_alike(2.5e-4, [](SeededRandom& random) {
        return Motion{.shift = whole_eighths(random.in_box(3900.0))};
    });
}

TEST_F(Invariance, a_world_that_takes_its_origin_along_moves_exactly_alike)
{
    const Vec2 origin{-517'000.0, 4'210'333.0};
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Motion motion{.shift = origin};
        const Scene scene = roomy_scene(seed, seed % 2 == 1);
        const Track track = track_of(make_world(), scene, 20);
        const Track twin = track_of(make_world({.origin = origin}), moved(scene, motion), 20);
        EXPECT_LE(farthest_apart(track, twin, motion), 2e-9);  // what doubles hold so far out
        EXPECT_EQ(track.velocities, twin.velocities);
    }
}

TEST_F(Invariance, the_mirror_image_with_the_mirrored_passing_side_moves_alike)
{
    expect_moved_alike(2e-6, [](SeededRandom&) { return Motion{.flip = -1.0}; },
                       {.passing_side = PassingSide::right}, {.passing_side = PassingSide::left});
}

TEST_F(Invariance, without_walls_the_mirror_image_is_the_same_to_the_last_bit)
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Scene scene = mixed_scene(seed, 300);
        scene.walls.clear();
        std::erase_if(scene.bodies, [](const BodySpec& body) { return !body.outline.empty(); });
        // Two in one place part in a direction that their ids name, which is no mirror image.
        for (std::size_t i = 49; i < scene.agents.size(); i += 50)
            scene.agents[i].position.x += 0.0625;
        // Head on, exactly: only the passing side decides.
        for (std::uint32_t i = 0; i < 20; i += 2) {
            const double y = 50.0 + 10.0 * i;
            scene.agents.push_back({.position = {-3.0, y},
                                    .velocity = {1.3, 0.0},
                                    .goal = Vec2{5.0, y},
                                    .id = 90'000 + i});
            scene.agents.push_back({.position = {3.0, y},
                                    .velocity = {-1.3, 0.0},
                                    .goal = Vec2{-5.0, y},
                                    .id = 90'001 + i});
        }
        const Motion mirror{.flip = -1.0};
        const Track track = track_of(make_world({.passing_side = PassingSide::right}), scene, 60);
        const Track twin =
            track_of(make_world({.passing_side = PassingSide::left}), moved(scene, mirror), 60);
        for (std::size_t i = 0; i < track.positions.size(); ++i) {
            ASSERT_EQ(mirror(track.positions[i]), twin.positions[i])
                << "agent " << *scene.agents[i].id;
            ASSERT_EQ(mirror.turn(track.velocities[i]), twin.velocities[i])
                << "agent " << *scene.agents[i].id;
        }
        EXPECT_LT(track.positions.back().y, 50.0 + 10.0 * 18.0 + 1.0);
        EXPECT_NE(track.positions.back().y, 50.0 + 10.0 * 18.0) << "nobody stepped aside";
    }
}

// ------------------------------------------------------------------------------------------------
// reach

/// Something that happens in one place.
struct Change {
    Vec2 place;
    std::uint16_t level = 0;
    double reach = 0.0;  ///< beyond this from `place` nobody may notice [m]
    std::string what;
    AgentHandle agent{};  ///< the one that was changed itself
};

/// As far as an agent of these scenes looks for others: its neighbour range; for walls and bodies
/// its horizon at top speed.
constexpr double kLookRange = 5.0;

Change change_something(World& world, const std::vector<AgentHandle>& handles, SeededRandom& random)
{
    const AgentHandle agent = handles[random.below(handles.size())];
    const AgentState state = must(world.agent(agent));
    Change change{.place = state.position,
                  .level = state.level,
                  .reach = kLookRange + 1e-3,
                  .what = {},
                  .agent = agent};
    switch (random.below(9)) {
        case 0:
            change.what = "remove";
            must(world.remove(agent));
            break;
        case 1:
            change.what = "add";
            change.agent = {};
            must(world.add(
                {.position = state.position + Vec2{0.3, 0.2}, .id = 70'000, .level = state.level}));
            change.place = state.position + Vec2{0.3, 0.2};
            break;
        case 2:
            change.what = "radius";
            must(world.set_radius(agent, 0.9));
            break;
        case 3:
            change.what = "velocity";
            must(world.set_velocity(agent, {-1.0, 0.5}));
            break;
        case 4:
            change.what = "rank";
            must(world.set_rank(agent, 50.0));
            break;
        case 5:
            change.what = "model";
            must(world.set_model(agent, state.model == "seek" ? "orca" : "seek"));
            break;
        case 6:
            change.what = "level";
            must(world.teleport(agent, state.position, std::uint16_t{9}));
            break;
        case 7:
            change.what = "thin wall";
            must(
                world.add_wall({{state.position + Vec2{0.6, -0.5}, state.position + Vec2{0.6, 0.5}},
                                WallKind::thin,
                                state.level}));
            change.agent = {};
            change.reach = 1.0 * 2.0 + 0.35 + 0.1 +
                           0.8;  // horizon x top speed, radius and clearance, the wall itself
            break;
        default:
            change.what = "body";
            must(world.add_body({.position = state.position + Vec2{1.0, 0.0},
                                 .radius = 0.4,
                                 .velocity = {0.2, 0.1},
                                 .level = state.level}));
            change.agent = {};
            change.reach = 3.0 * (2.0 + 0.25) + 0.5 + 0.4 + 1.0;
            break;
    }
    return change;
}

TEST_F(Invariance, only_what_is_in_reach_changes_an_agents_next_velocity)
{
    std::map<std::string, std::size_t> made, felt;
    std::size_t unmoved = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        const Scene scene = mixed_scene(seed % 10, 250);
        World world = make_world();
        World changed = make_world();
        const auto handles = fill(world, scene);
        fill(changed, scene);
        const std::size_t steps = random.below(10);
        for (std::size_t i = 0; i < steps; ++i) world.step(), changed.step();
        ASSERT_EQ(world.state_hash(), changed.state_hash());

        const Change change = change_something(changed, handles, random);
        SCOPED_TRACE(change.what);
        std::vector<AgentState> before;
        for (const AgentHandle agent : handles) before.push_back(must(world.agent(agent)));
        world.step();
        changed.step();
        bool any = false;
        for (std::size_t i = 0; i < handles.size(); ++i) {
            if (!changed.alive(handles[i])) continue;
            const Vec2 v = must(world.agent(handles[i])).velocity;
            const Vec2 w = must(changed.agent(handles[i])).velocity;
            const Vec2 gap = before[i].position - change.place;
            if (before[i].level != change.level || dot(gap, gap) > change.reach * change.reach) {
                ASSERT_EQ(v, w) << "agent " << before[i].id << " at " << std::sqrt(dot(gap, gap))
                                << " m";
                ++unmoved;
            } else if (handles[i] != change.agent && v != w) {
                any = true;
            }
        }
        ++made[change.what];
        felt[change.what] += any ? 1 : 0;
    }
    EXPECT_GT(unmoved, 10'000u);
    EXPECT_EQ(made.size(), 9u);
    for (const auto& [what, times] : made)
        EXPECT_GT(4 * felt[what], times) << what << " is hardly ever noticed nearby";
}

}  // namespace
}  // namespace sidestep::test
