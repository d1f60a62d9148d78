// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Nobody in a wall: whatever the walls, the crowd and the model, and while walls are moved, added
// and removed. And walls are in nobody's way beyond that: people slide along them and get round
// their corners.
#include "support/wall_scenes.hpp"

namespace sidestep::test {
namespace {

class Walls : public WorldTest {};

constexpr double kTurn = 2.0 * 3.14159265358979;

/// Steps a scene and stops at the first fault.
std::string fault_within(WallScene& scene, int steps)
{
    for (int step = 0; step < steps; ++step) {
        if (std::string fault = scene.step(); !fault.empty()) return fault;
    }
    return {};
}

Vec2 position_of(const World& world, AgentHandle agent)
{
    return must(world.agent(agent)).position;
}

// ------------------------------------------------------------------------------------------ walls
// that stand

TEST_F(Walls, keep_everybody_out_in_random_rooms)
{
    std::uint64_t contacts = 0, agents = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        WallScene scene({.dt = random.one_of({0.05, 0.1, 0.25}),
                         .origin = random.one_of({Vec2{}, Vec2{2000, -1000}})});
        const double size = random.uniform(3.0, 8.0);
        add_random_walls(scene, random, size);
        agents += add_random_crowd(scene, random, 80, size).size();
        for (int step = 0; step < 200; ++step) {
            const std::string fault = scene.step();
            contacts += scene.last.wall_contacts;
            EXPECT_EQ(fault, "");
            EXPECT_EQ(scene.last.wall_penetrations, 0u);
            if (HasFailure()) return;
        }
    }
    EXPECT_GT(agents, 2000u);
    EXPECT_GT(contacts, 10000u);  // else nobody ran into anything and nothing was shown
}

TEST_F(Walls, stop_who_runs_straight_at_them_and_hold_him_there)
{
    for (const double speed : {0.5, 2.0, 30.0}) {
        for (const char* model : {"seek", "orca"}) {
            SCOPED_TRACE(std::string(model) + " at " + std::to_string(speed) + " m/s");
            WallScene scene;
            scene.add({{{3, -2}, {3, 2}}, WallKind::thin});
            const AgentHandle agent =
                must(scene.world.add({.position = {0, 0.1}, .goal = Vec2{50, 0.1}}));
            must(scene.world.set_preferred_speed(agent, speed));
            must(scene.world.set_max_speed(agent, speed));
            must(scene.world.set_model(agent, model));
            EXPECT_EQ(fault_within(scene, 3000), "");
            EXPECT_NEAR(position_of(scene.world, agent).x, 2.8,
                        1e-3);  // pushing for minutes gains nothing
        }
    }
}

TEST_F(Walls, stop_who_runs_at_their_end_in_line_with_them)
{
    // A test of sides alone has nothing to say to an agent exactly in line.
    for (const char* model : {"seek", "orca", "clearpath"}) {
        for (const double angle : {0.0, 0.25 * kTurn, 0.5 * kTurn, 0.3, 2.0}) {
            SCOPED_TRACE(std::string(model) + ", turned by " + std::to_string(angle));
            WallScene scene;
            scene.add({placed({{2, 0}, {5, 0}}, {}, angle), WallKind::thin});
            const AgentHandle agent = must(scene.world.add({.goal = turned({50, 0}, angle)}));
            must(scene.world.set_model(agent, model));
            EXPECT_EQ(fault_within(scene, 400), "");
        }
    }
}

TEST_F(Walls, let_an_agent_through_a_corridor_of_its_own_width)
{
    for (const char* model : {"seek", "orca", "clearpath"}) {
        for (const double angle : {0.0, 0.7}) {
            SCOPED_TRACE(std::string(model) + ", turned by " + std::to_string(angle));
            WallScene scene;
            scene.add({placed(rectangle({0, 0.2}, {6, 2}), {}, angle), WallKind::solid});
            scene.add({placed(rectangle({0, -2}, {6, -0.2}), {}, angle), WallKind::solid});
            const AgentHandle agent = must(scene.world.add(
                {.position = turned({1, 0}, angle), .goal = turned({8, 0}, angle)}));
            must(scene.world.set_model(agent, model));
            EXPECT_EQ(fault_within(scene, 140), "");
            EXPECT_NEAR(norm(position_of(scene.world, agent) - turned({8, 0}, angle)), 0.0, 0.1);
        }
    }
}

TEST_F(Walls, let_nobody_through_a_door_narrower_than_himself)
{
    for (const char* model : {"seek", "orca", "clearpath"}) {
        for (const double width : {0.0, 0.1, 0.3, 0.397}) {
            SCOPED_TRACE(std::string(model) + ", door of " + std::to_string(width) + " m");
            WallScene scene;
            scene.add({{{2, 0.5 * width}, {2, 9}}, WallKind::thin});
            scene.add({{{2, -9}, {2, -0.5 * width}}, WallKind::thin});
            const AgentHandle agent = must(scene.world.add({.goal = Vec2{6, 0}}));
            must(scene.world.set_model(agent, model));
            EXPECT_EQ(fault_within(scene, 600), "");
            EXPECT_LT(position_of(scene.world, agent).x, 2.0);
        }
    }
}

TEST_F(Walls, let_an_agent_through_a_door_that_is_just_wider)
{
    for (const double width : {0.41, 0.5, 0.8}) {
        SCOPED_TRACE("door of " + std::to_string(width) + " m");
        WallScene scene;
        scene.add({{{2, 0.5 * width}, {2, 9}}, WallKind::thin});
        scene.add({{{2, -9}, {2, -0.5 * width}}, WallKind::thin});
        const AgentHandle agent = must(scene.world.add({.goal = Vec2{6, 0}}));
        EXPECT_EQ(fault_within(scene, 400), "");
        EXPECT_NEAR(position_of(scene.world, agent).x, 6.0, 0.05);
    }
}

TEST_F(Walls, do_not_slow_who_walks_along_them)
{
    for (const double angle : {0.0, 0.4, 1.9}) {
        for (const double gap : {0.0, 1e-4, 0.05}) {
            SCOPED_TRACE("turned by " + std::to_string(angle) + ", gap " + std::to_string(gap));
            WallScene scene({.origin = {1000, 1000}});
            const auto at = [&](Vec2 v) { return turned(v, angle) + scene.world.origin(); };
            scene.add({placed(rectangle({-5, -1}, {40, 0}), scene.world.origin(), angle),
                       WallKind::solid});
            const AgentHandle agent = must(
                scene.world.add({.position = at({0, 0.2 + gap}), .goal = at({100, 0.2 + gap})}));
            for (int step = 0; step < 400; ++step) {
                ASSERT_EQ(scene.step(), "");
                const double speed = norm(must(scene.world.agent(agent)).velocity);
                EXPECT_NEAR(speed, 1.34, 0.01) << "step " << step;
            }
        }
    }
}

TEST_F(Walls, let_who_leans_on_them_slide_along)
{
    // The goal is behind the wall and far along it: the part of the wish along the wall is walked.
    for (const char* model : {"seek", "orca"}) {
        SCOPED_TRACE(model);
        WallScene scene;
        scene.add({rectangle({-50, -1}, {50, 0}), WallKind::solid});
        const AgentHandle agent =
            must(scene.world.add({.position = {-20, 0.5}, .goal = Vec2{200, -200}}));
        must(scene.world.set_model(agent, model));
        EXPECT_EQ(fault_within(scene, 400), "");
        EXPECT_GT(position_of(scene.world, agent).x, -20.0 + 0.6 * 1.34 * 20.0);
    }
}

TEST_F(Walls, let_people_round_their_corners_to_a_goal_that_is_in_sight)
{
    struct Case {
        const char* what;
        WallSpec wall;
        Vec2 start, goal;
    };
    const Case cases[] = {
        {"corner of a block",
         {rectangle({-4, -4}, {0, 0}), WallKind::solid},
         {-0.4, 0.25},
         {1.5, -3.0}},
        {"acute corner",
         {{{0, 0}, {-4, 0.5}, {-4, -0.5}}, WallKind::solid},
         {-0.8, 0.45},
         {1.0, -1.2}},
        {"end of a thin wall", {{{-4, 0}, {0, 0}}, WallKind::thin}, {-0.1, 0.25}, {1.0, -2.0}},
        {"end of a thin wall, closely",
         {{{-4, 0}, {0, 0}}, WallKind::thin},
         {0.05, 0.25},
         {0.3, -2.0}},
        {"corner of a room",
         {{{-4, -4}, {4, -4}, {4, 4}, {0, 4}, {0, 0}, {-4, 0}}, WallKind::room},
         {-0.3, -0.25},
         {1.0, 3.0}},
    };
    for (const Case& c : cases) {
        for (const bool mirrored : {false, true}) {
            SCOPED_TRACE(std::string(c.what) + (mirrored ? ", mirrored" : ""));
            const auto at = [&](Vec2 v) { return mirrored ? Vec2{v.x, -v.y} : v; };
            WallScene scene;
            WallSpec wall = c.wall;
            for (Vec2& v : wall.vertices) v = at(v);
            scene.add(wall);
            const AgentHandle agent =
                must(scene.world.add({.position = at(c.start), .goal = at(c.goal)}));
            EXPECT_EQ(fault_within(scene, 200), "");
            EXPECT_LT(norm(position_of(scene.world, agent) - at(c.goal)), 0.1);
        }
    }
}

TEST_F(Walls, push_out_who_grew_into_them)
{
    WallScene scene;
    scene.inspector->allowed_penetration = -1.0;
    scene.add({rectangle({-5, -1}, {5, 0}), WallKind::solid});
    const AgentHandle agent = must(scene.world.add({.position = {0, 0.21}}));
    EXPECT_EQ(fault_within(scene, 5), "");
    must(scene.world.set_radius(agent, 0.3));
    EXPECT_EQ(fault_within(scene, 1), "");
    EXPECT_EQ(scene.last.wall_penetrations, 1u);
    EXPECT_EQ(fault_within(scene, 5), "");
    EXPECT_EQ(scene.last.wall_penetrations, 0u);
    EXPECT_NEAR(position_of(scene.world, agent).y, 0.3, 1e-3);
}

// ------------------------------------------------------------------------------------------ walls
// that move

/// Where a wall is at a time in [0, 1] of its period; it goes to and fro or round and round.
struct Mover {
    const char* name;
    WallKind kind;
    std::vector<Vec2> (*at)(double phase);
};

double to_and_fro(double phase)
{
    return std::sin(kTurn * phase);
}

// clang-format off
/// All within a room of 8 by 8 about 0, in units of kScale.
const Mover kMovers[] = {
    {"block to and fro", WallKind::solid,
     [](double t) { return placed(rectangle({-0.8, -1.5}, {0.8, 1.5}), {2.6 * to_and_fro(t), 0.3}, 0.0); }},
    {"block round and round", WallKind::solid,
     [](double t) { return placed(rectangle({-1.5, -0.2}, {1.5, 0.2}), {0.4, 0.0}, kTurn * t); }},
    {"angle iron round and round", WallKind::solid,
     [](double t) {
         return placed({{0, 0}, {2, 0}, {2, 0.3}, {0.3, 0.3}, {0.3, 2}, {0, 2}}, turned({1.0, 0.0}, kTurn * t), -kTurn * t);
     }},
    {"slab to and fro", WallKind::solid,
     [](double t) { return placed(rectangle({-0.01, -2.0}, {0.01, 2.0}), {2.5 * to_and_fro(t), 0.0}, 0.4); }},
    {"turnstile", WallKind::thin, [](double t) { return placed({{-2.0, 0.0}, {2.0, 0.0}}, {}, kTurn * t); }},
    {"piston", WallKind::thin, [](double t) { return placed({{0.0, -2.5}, {0.0, 2.5}}, {2.5 * to_and_fro(t), 0.0}, 0.0); }},
    {"door", WallKind::thin,
     [](double t) { return placed({{0.0, 0.0}, {1.5, 0.0}}, {0.0, -4.0}, 0.25 * kTurn * (1.0 + 0.9 * to_and_fro(t))); }},
    {"room to and fro", WallKind::room,
     [](double t) { return placed(rectangle({-3.0, -3.0}, {3.0, 3.0}), {to_and_fro(t), 0.5 * to_and_fro(2.0 * t)}, 0.0); }},
    {"room round and round", WallKind::room,
     [](double t) { return placed(rectangle({-3.0, -2.0}, {3.0, 2.0}), {}, kTurn * t); }},
    {"room that breathes", WallKind::room,
     [](double t) {
         const double s = 2.5 + 0.8 * to_and_fro(t);
         return placed({{-s, -s}, {s, -s}, {s, 0.2}, {0.2, 0.2}, {0.2, s}, {-s, s}}, {}, 0.0);
     }},
};

/// These leave no room at all between themselves and a standing wall.
const Mover kPresses[] = {
    {"block flush with the wall", WallKind::solid,
     [](double t) { return placed(rectangle({-0.5, -3.0}, {0.5, 3.0}), {3.5 * to_and_fro(t), 0.0}, 0.0); }},
    {"piston through a block", WallKind::thin,
     [](double t) { return placed({{0.0, -3.9}, {0.0, 3.9}}, {4.0 * to_and_fro(t), 0.0}, 0.0); }},
    {"door flush with the wall", WallKind::thin,
     [](double t) { return placed({{0.0, 0.0}, {1.5, 0.0}}, {0.0, -4.0}, 0.25 * kTurn * (1.0 + to_and_fro(t))); }},
};
// clang-format on

/// Size of the scenes with movers: 6 m across.
constexpr double kScale = 0.75;

std::vector<Vec2> scaled(std::vector<Vec2> outline)
{
    for (Vec2& v : outline) v = v * kScale;
    return outline;
}

/// People of whom most avoid each other, as densely as chance puts them, with goals all over the
/// place.
std::vector<AgentHandle> add_dense_crowd(WallScene& scene, SeededRandom& random, double half_side,
                                         std::size_t count)
{
    std::vector<AgentHandle> agents;
    std::vector<Vec2> taken;
    for (int tries = 0; tries < 4000 && agents.size() < count; ++tries) {
        const Vec2 at = random.in_box(half_side);
        bool is_taken = !is_free(scene.inspector->walls, at, 0.2);
        for (const Vec2& other : taken) is_taken = is_taken || norm(other - at) < 0.36;
        if (is_taken) continue;
        taken.push_back(at);
        agents.push_back(
            must(scene.world.add({.position = at, .goal = random.in_box(1.25 * half_side)})));
        if (random.chance(0.2)) must(scene.world.set_model(agents.back(), "seek"));
    }
    return agents;
}

/// A crowd that covers 40 % of the floor, and a wall that moves every step.
std::string fault_of(const Mover& mover, std::uint64_t seed, double period_steps, int steps,
                     std::uint64_t& pushes)
{
    SeededRandom random(seed);
    WallScene scene({.dt = 0.05});
    scene.inspector->allowed_penetration = -1.0;
    scene.add({scaled(rectangle({-4, -4}, {4, 4})), WallKind::room});
    if (mover.kind != WallKind::room) {
        scene.add({scaled({{-4.0, 2.0}, {-2.5, 2.0}}), WallKind::thin});
        scene.add({scaled(rectangle({2.9, 2.9}, {3.6, 3.6})), WallKind::solid});
    }
    const std::size_t moving = scene.add({scaled(mover.at(0.0)), mover.kind});
    const std::vector<AgentHandle> agents = add_dense_crowd(scene, random, 4.0 * kScale, 112);
    EXPECT_GT(agents.size(), 40u);
    for (int step = 1; step <= steps; ++step) {
        const std::vector<Vec2> next = scaled(mover.at(step / period_steps));
        if (std::string fault = scene.move(moving, next); !fault.empty()) return fault;
        if (std::string fault = scene.step(); !fault.empty()) return fault;
        pushes += scene.last.wall_pushes;
        if (step % 100 != 0) continue;
        for (const AgentHandle agent : agents)
            must(scene.world.set_goal(agent, random.in_box(4.0)));
    }
    return {};
}

TEST_F(Walls, that_move_every_step_for_1000_steps_leave_nobody_inside_or_behind)
{
    for (const Mover& mover : kMovers) {
        for (const double period :
             {1200.0, 150.0, 40.0}) {  // from a crawl to four times as fast as anybody can run
            SCOPED_TRACE(std::string(mover.name) + ", period " + std::to_string(period) + " steps");
            std::uint64_t pushes = 0;
            EXPECT_EQ(fault_of(mover, 1, period, 1000, pushes), "");
            EXPECT_GT(pushes, 100u);
        }
    }
}

TEST_F(Walls, that_close_a_gap_squeeze_people_out_of_it)
{
    for (const Mover& mover : kPresses) {
        for (const double period : {400.0, 80.0}) {
            SCOPED_TRACE(std::string(mover.name) + ", period " + std::to_string(period) + " steps");
            std::uint64_t pushes = 0;
            EXPECT_EQ(fault_of(mover, 1, period, 250, pushes), "");
            EXPECT_GT(pushes, 20u);
        }
    }
}

TEST_F(Walls, that_leave_no_place_at_all_put_people_elsewhere_rather_than_inside)
{
    // A block that fills a closet from wall to wall: whoever was in it has to go through a wall,
    // and does.
    WallScene scene;
    scene.add({rectangle({-2, -2}, {2, 2}), WallKind::room});
    const std::size_t block = scene.add({rectangle({-8, -2}, {-3, 2}), WallKind::solid});
    SeededRandom random(5);
    std::vector<AgentHandle> agents;
    for (int i = 0; i < 20; ++i)
        agents.push_back(must(scene.world.add({.position = random.in_box(1.7)})));
    for (double x = -3.0; x <= 2.0; x += 0.25)
        must(scene.world.move_wall(scene.handles[block], rectangle({-8, -2}, {x, 2})));
    const OracleWall solid = to_oracle({rectangle({-8, -2}, {2, 2}), WallKind::solid});
    for (const AgentHandle agent : agents)
        EXPECT_FALSE(is_inside(solid, position_of(scene.world, agent)));
    EXPECT_GE(scene.world.step().wall_pushes, 20u);
}

TEST_F(Walls, that_pass_push_people_ahead_at_arms_length)
{
    // In front of a wall in the open an agent stays in front, at its radius: carried, not thrown.
    for (const double speed : {0.1, 1.0, 10.0, 100.0}) {
        SCOPED_TRACE("wall at " + std::to_string(speed) + " m/s");
        WallScene scene;
        scene.inspector->allowed_penetration = -1.0;
        const std::size_t wall = scene.add({{{-1, -3}, {-1, 3}}, WallKind::thin});
        const AgentHandle agent = must(scene.world.add({.position = {0, 0.4}}));
        double x = -1.0;
        while (x < 20.0) {
            x += speed * 0.05;
            ASSERT_EQ(scene.move(wall, {{x, -3}, {x, 3}}), "");
            const Vec2 now = position_of(scene.world, agent);
            EXPECT_NEAR(now.x, std::max(x + 0.2, 0.0), 2e-3);
            EXPECT_NEAR(now.y, 0.4, 1e-6);
        }
        EXPECT_EQ(scene.world.step().wall_pushes > 0u, true);
    }
}

// ------------------------------------------------------------------------------------------ walls
// that come and go

TEST_F(Walls, can_be_added_and_removed_while_people_walk)
{
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        WallScene scene({.dt = 0.05});
        scene.inspector->allowed_penetration = -1.0;
        scene.add({rectangle({-5, -5}, {5, 5}), WallKind::room});
        add_random_crowd(scene, random, 80, 4.5);
        for (int step = 0; step < 200; ++step) {
            const std::size_t walls = scene.handles.size();
            if (walls < 8 && random.chance(0.2)) {
                const bool thin = random.chance(0.5);
                const auto outline = thin ? std::vector<Vec2>{random.in_box(4), random.in_box(4)}
                                          : placed(random_outline(random, random.uniform(0.3, 1.5)),
                                                   random.in_box(3.0), random.uniform(-3.0, 3.0));
                ASSERT_EQ(scene.add_among({outline, thin ? WallKind::thin : WallKind::solid}), "");
            }
            if (walls > 1 && random.chance(0.1)) {
                const std::size_t gone = 1 + random.below(walls - 1);
                must(scene.world.remove_wall(scene.handles[gone]));
                EXPECT_FALSE(scene.world.alive(scene.handles[gone]));
                scene.handles.erase(scene.handles.begin() + static_cast<std::ptrdiff_t>(gone));
                scene.inspector->walls.erase(scene.inspector->walls.begin() +
                                             static_cast<std::ptrdiff_t>(gone));
            }
            ASSERT_EQ(scene.step(), "");
        }
    }
}

TEST_F(Walls, that_are_removed_are_in_nobodys_way)
{
    World world = make_world();
    const WallHandle wall =
        must(world.add_wall({.vertices = {{1, -5}, {1, 5}}, .kind = WallKind::thin}));
    const AgentHandle agent = must(world.add({.position = {0, 0}, .goal = Vec2{5, 0}}));
    for (int step = 0; step < 100; ++step) world.step();
    EXPECT_LT(position_of(world, agent).x, 0.8);
    must(world.remove_wall(wall));
    for (int step = 0; step < 100; ++step) world.step();
    EXPECT_NEAR(position_of(world, agent).x, 5.0, 1e-3);
}

TEST_F(Walls, that_appear_over_people_expel_them_through_the_nearest_face)
{
    World world = make_world();
    const AgentHandle near_right = must(world.add({.position = {0.7, 0.1}}));
    const AgentHandle near_bottom = must(world.add({.position = {-0.2, -0.9}}));
    const AgentHandle outside = must(world.add({.position = {3, 3}}));
    must(world.add_wall({.vertices = rectangle({-1, -1}, {1, 1})}));
    EXPECT_NEAR(norm(position_of(world, near_right) - Vec2{1.2, 0.1}), 0.0, 1e-6);
    EXPECT_NEAR(norm(position_of(world, near_bottom) - Vec2{-0.2, -1.2}), 0.0, 1e-6);
    EXPECT_EQ(position_of(world, outside), (Vec2{3, 3}));
    EXPECT_EQ(world.step().wall_pushes, 2u);
    EXPECT_EQ(world.step().wall_pushes, 0u);
}

TEST_F(Walls, that_appear_over_a_crowd_beside_other_walls_expel_everybody_and_through_no_wall)
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SeededRandom random(seed);
        WallScene scene;
        scene.inspector->allowed_penetration = -1.0;
        scene.add({rectangle({-4, -4}, {4, 4}), WallKind::room});
        scene.add({{{-1, -4}, {-1, 1}}, WallKind::thin});
        add_random_crowd(scene, random, 100, 3.9);
        for (int i = 0; i < 3; ++i) {
            const auto outline = placed(random_outline(random, random.uniform(0.5, 3.0)),
                                        random.in_box(3.5), random.uniform(-3.0, 3.0));
            ASSERT_EQ(scene.add_among({outline, WallKind::solid}), "");
        }
        ASSERT_EQ(scene.step(), "");
    }
}

TEST_F(Walls, of_another_level_are_not_there)
{
    World world = make_world();
    must(world.add_wall({.vertices = {{1, -5}, {1, 5}}, .kind = WallKind::thin, .level = 1}));
    const WallHandle solid =
        must(world.add_wall({.vertices = rectangle({2, -1}, {3, 1}), .level = 1}));
    const AgentHandle below = must(world.add({.position = {0, 0}, .goal = Vec2{5, 0}}));
    const AgentHandle above = must(world.add({.position = {0, 0}, .goal = Vec2{5, 0}, .level = 1}));
    EXPECT_TRUE(must(world.explain(below)).lines.empty());
    for (int step = 0; step < 100; ++step) {
        world.step();
        const std::vector<Vec2> swept =
            rectangle({2, -1 + 0.1 * (step % 20)}, {3, 1 + 0.1 * (step % 20)});
        must(world.move_wall(solid, swept));
    }
    EXPECT_NEAR(position_of(world, below).x, 5.0, 1e-3);
    EXPECT_EQ(position_of(world, below).y, 0.0);
    EXPECT_LT(position_of(world, above).x, 0.81);
}

}  // namespace
}  // namespace sidestep::test
