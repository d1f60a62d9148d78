// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Vehicles in the crowd: what they never do, and where they get.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sidestep/nonholonomic.hpp"
#include "support/run_scene.hpp"
#include "support/test_worlds.hpp"
#include "support/vehicle_limits.hpp"

namespace sidestep {
namespace {

using test::FrameLimits;
using test::make_world;
using test::must;

constexpr double kPi = 3.141592653589793;

using Vehicles = test::WorldTest;

std::vector<ParamValue> truck_values()
{
    return {{"motion", 1},      {"radius", 0.6},         {"planning_radius", 0.7},
            {"max_speed", 2},   {"preferred_speed", 2},  {"max_acceleration", 1},
            {"turn_rate", 1},   {"neighbour_range", 10}, {"max_neighbours", 20},
            {"time_horizon", 3}};
}

/// Turning circle of 2 m.
std::vector<ParamValue> bicycle_values()
{
    return {{"motion", 2},
            {"radius", 0.6},
            {"planning_radius", 2.0},
            {"max_speed", 2},
            {"preferred_speed", 2},
            {"max_acceleration", 1},
            {"wheelbase", 2.0 * std::tan(0.6)},
            {"max_steering", 0.6},
            {"neighbour_range", 15},
            {"max_neighbours", 20},
            {"time_horizon", 5}};
}

struct CircleRun {
    std::size_t arrived = 0;
    double last_arrival = 0.0;   ///< [s]
    double smallest_gap = 1e30;  ///< between two bodies [m]
    FrameLimits limits;
};

/// `count` agents on a circle go to their antipodes and vanish within `reach` of them.
CircleRun run_circle(World& world, ProfileId profile, std::size_t count, double radius, double body,
                     double duration, double reach = 0.5)
{
    CircleRun run;
    std::vector<AgentHandle> agents;
    std::vector<Vec2> goals;
    for (std::size_t i = 0; i < count; ++i) {
        const double angle = 2.0 * kPi * static_cast<double>(i) / static_cast<double>(count);
        const Vec2 start{radius * std::cos(angle), radius * std::sin(angle)};
        goals.push_back(start * -1.0);
        agents.push_back(must(
            world.add(AgentSpec{.position = start, .goal = goals.back(), .profile = profile})));
    }
    while (world.time() < duration && run.arrived < count) {
        EXPECT_FALSE(world.step().fault);
        run.limits.look_at(world, agents);
        std::vector<Vec2> places;
        for (std::size_t i = 0; i < count; ++i) {
            const auto state = world.agent(agents[i]);
            if (!state) continue;
            for (const Vec2 other : places)
                run.smallest_gap =
                    std::min(run.smallest_gap,
                             std::hypot(other.x - state->position.x, other.y - state->position.y) -
                                 2.0 * body);
            places.push_back(state->position);
            const Vec2 off = state->position - goals[i];
            if (std::hypot(off.x, off.y) > reach) continue;
            ++run.arrived;
            run.last_arrival = world.time();
            must(world.remove(agents[i]));
        }
    }
    return run;
}

class CircleOfUnicycles : public testing::TestWithParam<std::string_view> {};

TEST_P(CircleOfUnicycles, of_10_m_is_crossed_by_20_without_contact)
{
    World world = make_world();
    const auto profile =
        must(world.add_profile({.model = std::string(GetParam()), .values = truck_values()}));
    const CircleRun run = run_circle(world, profile, 20, 10.0, 0.6, 120.0);
    EXPECT_EQ(run.arrived, 20u);
    EXPECT_GT(run.smallest_gap, 0.0);
    run.limits.expect_kept();
    RecordProperty("last_arrival", std::to_string(run.last_arrival));
}

class CircleOfBicycles : public testing::TestWithParam<std::string_view> {};

TEST_P(CircleOfBicycles, of_30_m_is_crossed_by_20_in_three_times_the_free_time_without_contact)
{
    const auto best = best_threshold(
        {.destination = {60.0, 0.0}, .limits = {.max_speed = 2.0, .acceleration = 1.0}});
    ASSERT_TRUE(best);
    World world = make_world();
    const auto profile =
        must(world.add_profile({.model = std::string(GetParam()), .values = bicycle_values()}));
    const CircleRun run = run_circle(world, profile, 20, 30.0, 0.6, 3.0 * best->time);
    EXPECT_EQ(run.arrived, 20u) << "within " << 3.0 * best->time << " s";
    EXPECT_GT(run.smallest_gap, 0.0);
    run.limits.expect_kept();
    RecordProperty("last_arrival", std::to_string(run.last_arrival));
}

/// The velocity family.
const auto kModels =
    testing::Values("vo", "rvo", "orca", "rcap", "personality", "clearpath", "clearpath-safe");

std::string name_of(const testing::TestParamInfo<std::string_view>& model)
{
    std::string name(model.param);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Models, CircleOfUnicycles, kModels, name_of);
INSTANTIATE_TEST_SUITE_P(Models, CircleOfBicycles, kModels, name_of);

/// What cannot turn on the spot though nothing is steered.
TEST_F(Vehicles, with_a_smallest_circle_of_their_own_keep_it_and_cross_as_bicycles_do)
{
    auto values = truck_values();
    values.emplace_back("turning_radius", 2);
    World world = make_world();
    const auto profile = must(world.add_profile({.model = "orca", .values = values}));
    const CircleRun run = run_circle(world, profile, 20, 30.0, 0.6, 93.0);
    EXPECT_EQ(run.arrived, 20u);
    EXPECT_GT(run.smallest_gap, 0.0);
    run.limits.expect_kept();
}

/// Vehicles of all kinds and people, close together between walls.
World crowded_room(std::uint32_t threads, Isa isa, const std::string& model = "orca")
{
    World world = make_world({.threads = threads, .isa = isa});
    std::vector<ProfileId> profiles;
    profiles.push_back(must(world.add_profile({.model = model, .values = truck_values()})));
    auto bicycle = bicycle_values();
    bicycle.emplace_back("ground", 1);
    bicycle.emplace_back("turn_rate", 0.8);
    bicycle.emplace_back("braking", 2);
    profiles.push_back(must(world.add_profile({.model = model, .values = bicycle})));
    profiles.push_back(must(world.add_profile({.model = model, .values = {}})));
    must(world.add_wall(
        {.vertices = {{-14, -10}, {14, -10}, {14, 10}, {-14, 10}}, .kind = WallKind::room}));
    must(world.add_wall({.vertices = {{-1.5, -1}, {1.5, -1}, {1.5, 1}, {-1.5, 1}}}));
    must(world.add_wall({.vertices = {{0, 4}, {1, 8}}, .kind = WallKind::thin}));
    for (int i = 0; i < 60; ++i) {
        const double x = -12.5 + 2.5 * (i % 5) + (i % 10 >= 5 ? 15.0 : 0.0);
        const double y = -8.5 + 3.0 * (i / 10);
        must(world.add(AgentSpec{.position = {x, y},
                                 .goal = Vec2{-x, -y},
                                 .profile = profiles[static_cast<std::size_t>(i % 3)]}));
    }
    return world;
}

TEST_F(Vehicles, and_people_in_a_crowded_room_keep_their_limits_and_meet_nobody)
{
    World world = crowded_room(2, Isa::automatic);
    FrameLimits limits;
    std::vector<AgentHandle> agents;
    for (std::uint32_t id = 0; id < 60; ++id) agents.push_back(*world.find(id));
    for (int step = 0; step < 600; ++step) {
        const StepReport report = world.step();
        ASSERT_FALSE(report.fault);
        EXPECT_LE(report.deepest_overlap, 1e-3) << "step " << step;
        EXPECT_EQ(report.wall_penetrations, 0u);
        limits.look_at(world, agents);
    }
    limits.expect_kept();
    EXPECT_GT(limits.frames(), 20000u);
}

TEST_F(Vehicles, have_the_same_hash_for_any_threads_and_instruction_set)
{
    std::optional<std::uint64_t> expected;
    for (const Isa isa : test::isas_under_test()) {
        for (const std::uint32_t threads : {1u, 2u, 4u}) {
            World world = crowded_room(threads, isa);
            for (int step = 0; step < 100; ++step) world.step();
            if (!expected) expected = world.state_hash();
            EXPECT_EQ(world.state_hash(), *expected) << to_string(isa) << ", " << threads;
        }
    }
}

// core-09
TEST_F(Vehicles, without_limits_of_their_turns_walk_as_people_do_to_the_bit)
{
    std::vector<std::vector<Vec2>> paths;
    const std::vector<std::vector<ParamValue>> kinds = {
        {}, {{"motion", 1}}, {{"motion", 2}, {"wheelbase", 0}}};
    for (const auto& values : kinds) {
        World world = make_world();
        const auto profile = must(world.add_profile({.model = "orca", .values = values}));
        std::vector<AgentHandle> agents;
        for (int i = 0; i < 40; ++i)
            agents.push_back(must(world.add(AgentSpec{.position = {i % 8 * 1.0, i / 8 * 1.0},
                                                      .goal = Vec2{8.0 - i % 8, 4.0 - i / 8},
                                                      .profile = profile})));
        for (int step = 0; step < 500; ++step) world.step();
        paths.emplace_back();
        for (const AgentHandle agent : agents) {
            const AgentState state = must(world.agent(agent));
            EXPECT_FALSE(state.heading);
            paths.back().push_back(state.position);
            paths.back().push_back(state.velocity);
        }
    }
    EXPECT_EQ(paths[0], paths[1]);
    EXPECT_EQ(paths[0], paths[2]);
}

TEST_F(Vehicles, face_where_they_are_told_or_where_they_go)
{
    World world = make_world();
    const auto truck = must(world.add_profile({.model = "orca", .values = truck_values()}));
    const auto heading_of = [&](const AgentSpec& spec) {
        return *must(world.agent(must(world.add(spec)))).heading;
    };
    EXPECT_EQ(heading_of({.position = {0, 0}, .profile = truck}), (Vec2{1, 0}));
    EXPECT_EQ(heading_of({.position = {9, 0}, .goal = Vec2{9, -5}, .profile = truck}),
              (Vec2{0, -1}));
    EXPECT_EQ(heading_of({.position = {0, 9}, .velocity = {-1, 0}, .profile = truck}),
              (Vec2{-1, 0}));
    const auto told = must(world.add(
        AgentSpec{.position = {9, 9}, .velocity = {1, 0}, .profile = truck, .heading = 0.5 * kPi}));
    EXPECT_NEAR(must(world.agent(told)).heading->y, 1.0, 1e-7);
    EXPECT_NEAR(must(world.agent(told)).velocity.x, 0.0, 1e-7);
    must(world.set_heading(told, kPi));
    EXPECT_NEAR(must(world.agent(told)).heading->x, -1.0, 1e-7);
    const auto person = must(world.add(AgentSpec{.position = {20, 0}}));
    EXPECT_FALSE(must(world.agent(person)).heading);
    EXPECT_FALSE(world.set_heading(person, 0.0));
    EXPECT_FALSE(world.set_heading(told, NAN));
    EXPECT_FALSE(world.add(AgentSpec{.position = {30, 0}, .heading = INFINITY}));
    must(world.set_trait(person, "motion", "unicycle"));
    must(world.set_trait(person, "turn_rate", 2.0));
    EXPECT_TRUE(must(world.agent(person)).heading);
}

TEST_F(Vehicles, that_are_held_back_say_by_whom)
{
    World world = make_world();
    const auto truck = must(world.add_profile({.model = "seek", .values = [] {
                                                   auto values = truck_values();
                                                   values.pop_back();  // seek has no horizon
                                                   return values;
                                               }()}));
    const auto agent =
        must(world.add(AgentSpec{.position = {0, 0}, .goal = Vec2{10, 0}, .profile = truck}));
    const auto post = must(world.add_profile({.model = "seek"}));
    must(world.add(AgentSpec{.position = {1.0, 0}, .id = 7, .profile = post}));
    for (int step = 0; step < 40; ++step) world.step();
    const Explanation why = must(world.explain(agent));
    ASSERT_TRUE(why.vehicle);
    EXPECT_TRUE(why.vehicle->is_held);
    EXPECT_EQ(why.vehicle->held_by_id, 7u);
    EXPECT_NE(why.reason.find("held back by the ground of agent 7"), std::string::npos);
    // Model seek would drive through it. The vehicle turns to where it can go, and gets past.
    for (int step = 0; step < 400; ++step) EXPECT_EQ(world.step().deepest_overlap, 0.0);
    EXPECT_NEAR(must(world.agent(agent)).position.x, 10.0, 0.1);
}

/// The models of the velocity family, and what each needs to follow its goal at once.
class TurnOrGo : public testing::TestWithParam<std::string_view> {};

TEST_P(TurnOrGo, arrive_when_the_formulas_say)
{
    std::vector<Override> overrides;
    // One that keeps something of its velocity (alpha) also turns more slowly.
    for (const char* profile : {"go", "half", "turn", "best"})
        if (GetParam() == "personality")
            overrides.push_back({"profiles." + std::string(profile) + ".alpha", "0"});
    const auto scenario = test::read_scene("turn-or-go", overrides, std::string(GetParam()));
    ASSERT_TRUE(scenario);
    Problems problems;
    auto simulation = Simulation::create(*scenario, {}, problems);
    ASSERT_TRUE(simulation) << test::list(problems);
    std::map<std::uint32_t, double> arrival;
    (void)simulation->take_notes();
    while (!simulation->finished()) {
        simulation->step();
        for (const RecordedEnd& end : simulation->take_notes().ends)
            arrival[static_cast<std::uint32_t>(end.id)] = end.time;
    }
    // nonholonomic.md 8, Fig. 1: thresholds pi, pi/2, 0 and the best; within a step.
    ASSERT_EQ(arrival.size(), 4u);
    EXPECT_NEAR(arrival[0], 10.9058, 0.05);
    EXPECT_NEAR(arrival[1], 10.3206, 0.05);
    EXPECT_NEAR(arrival[2], 11.6416, 0.05);
    EXPECT_NEAR(arrival[3], 10.2453, 0.05);
    EXPECT_LT(arrival[3], arrival[1]);
}

INSTANTIATE_TEST_SUITE_P(Models, TurnOrGo, kModels, name_of);

struct Body {
    Vec2 place;
    double radius;
};

/// How deep the deepest pair is in each other [m], of all there are, from their places alone;
/// negative: how near two come.
double deepest_of_all_pairs(const std::vector<Body>& bodies)
{
    double deepest = -1e30;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const Vec2 off = bodies[i].place - bodies[j].place;
            const double apart = std::sqrt(off.x * off.x + off.y * off.y);
            deepest = std::max(deepest, bodies[i].radius + bodies[j].radius - apart);
        }
    }
    return deepest;
}

struct PalletTrucksRun {
    FrameLimits limits;
    double deepest = 0.0;         ///< overlap of any two [m]
    double fastest_person = 0.0;  ///< in parts of the maximum
    std::set<std::uint32_t> trucks, people;
    RunSummary summary;
};

/// The scene, looked at after every step.
std::optional<PalletTrucksRun> run_pallet_trucks(const std::string& model, std::uint64_t seed)
{
    auto scenario = test::read_scene("pallet-trucks", {}, model);
    if (!scenario) return std::nullopt;
    EXPECT_EQ(scenario->world.duration, 120.0);
    scenario->world.seed = seed;
    Problems problems;
    auto simulation = Simulation::create(*scenario, {}, problems);
    EXPECT_TRUE(simulation) << test::list(problems);
    if (!simulation) return std::nullopt;
    PalletTrucksRun run;
    while (!simulation->finished()) {
        const StepReport report = simulation->step();
        EXPECT_FALSE(report.fault);
        if (report.fault) return std::nullopt;
        const World& world = simulation->world();
        std::vector<AgentHandle> handles;
        std::vector<Body> bodies;
        for (const AgentRecord& record : world.columns().record) {
            if (record.id == kNoAgent) continue;
            const auto handle = world.find(record.id);
            if (!handle) continue;
            const AgentState agent = must(world.agent(*handle));
            handles.push_back(*handle);
            bodies.push_back({agent.position, must(world.trait(*handle, "radius"))});
            (agent.heading ? run.trucks : run.people).insert(agent.id);
            if (agent.heading) continue;
            const double speed = std::hypot(agent.velocity.x, agent.velocity.y);
            run.fastest_person =
                std::max(run.fastest_person, speed / must(world.trait(*handle, "max_speed")));
        }
        run.limits.look_at(world, handles);
        run.deepest = std::max({run.deepest, report.deepest_overlap, deepest_of_all_pairs(bodies)});
    }
    run.summary = simulation->summary();
    return run;
}

/// 200 trucks and 200 people: inv-6 and inv-7 on every frame, nobody deeper than 10 mm in anybody,
/// all gone.
class PalletTrucksLong : public testing::TestWithParam<std::uint64_t> {};

TEST_P(PalletTrucksLong, keep_their_limits_on_every_frame_and_all_leave)
{
    const auto run = run_pallet_trucks("orca", GetParam());
    ASSERT_TRUE(run);
    EXPECT_EQ(run->trucks.size(), 200u);
    EXPECT_EQ(run->people.size(), 200u);
    run->limits.expect_kept();
    EXPECT_GT(run->limits.frames(), 100'000u);  // of trucks
    EXPECT_LE(run->fastest_person, 1.0 + 1e-6);
    EXPECT_LE(run->deepest, 0.01);
    EXPECT_EQ(run->summary.left, 400u);
    EXPECT_LE(run->summary.last_arrival, 120.0);
    EXPECT_GT(run->summary.held_vehicles, 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PalletTrucksLong, testing::Range<std::uint64_t>(1, 6));

/// Whichever model of the velocity family drives them. Safety does not depend on it; with some
/// models one or two are still on their way after 120 s.
class PalletTrucksByModelLong : public testing::TestWithParam<std::string_view> {};

TEST_P(PalletTrucksByModelLong, keep_their_limits_on_every_frame_and_meet_nobody)
{
    const auto run = run_pallet_trucks(std::string(GetParam()), 1);
    ASSERT_TRUE(run);
    run->limits.expect_kept();
    EXPECT_LE(run->fastest_person, 1.0 + 1e-6);
    EXPECT_LE(run->deepest, 0.01);
    EXPECT_EQ(run->summary.spawned, 400u);
    EXPECT_GE(run->summary.left, 398u);
}

INSTANTIATE_TEST_SUITE_P(Models, PalletTrucksByModelLong, kModels, name_of);

/// The first frame too shows which way they face.
TEST(VehicleScenes, that_are_told_where_to_face_do_so_in_the_first_frame)
{
    Problems problems;
    const auto scenario = test::read_scene("turn-or-go");
    ASSERT_TRUE(scenario);
    auto turned = *scenario;
    for (AgentsPlan& agents : turned.agents) agents.heading_deg = 90.0;
    auto simulation = Simulation::create(turned, {}, problems);
    ASSERT_TRUE(simulation) << test::list(problems);
    RecordedFrame frame;
    simulation->fill(frame);
    ASSERT_EQ(frame.agents.size(), 4u);
    for (const auto& agent : frame.agents) EXPECT_NEAR(agent.orientation.y, 1.0, 1e-6);
}

}  // namespace
}  // namespace sidestep
