// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Nobody in a wall: whatever the walls, the crowd and the model, and while walls are moved.
#include "support/wall_scenes.hpp"

namespace sidestep::test {
namespace {

using Walls = WorldTest;

TEST_F(Walls, keep_everybody_out_in_random_rooms)
{
    std::uint64_t contacts = 0, agents = 0, exceeded = 0;
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
            exceeded += scene.last.acceleration_exceeded;
            EXPECT_EQ(fault, "");
            if (!fault.empty()) break;
        }
    }
    std::printf("%zu agents, %zu moves cut at a wall, %zu accelerations exceeded\n", agents,
                contacts, exceeded);
    EXPECT_GT(contacts, 1000u);  // else nobody ran into anything and nothing was shown
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
    return std::sin(2.0 * 3.14159265358979 * phase);
}

constexpr double kTurn = 2.0 * 3.14159265358979;

/// All within a room of 8 m x 8 m about 0.
const Mover kMovers[] = {
    {"block to and fro", WallKind::solid,
     [](double t) {
         return placed(rectangle({-0.8, -1.5}, {0.8, 1.5}), {2.6 * to_and_fro(t), 0.3}, 0.0);
     }},
    {"block round and round", WallKind::solid,
     [](double t) {
         return placed(rectangle({-1.5, -0.2}, {1.5, 0.2}), {0.4, 0.0}, kTurn * t);
     }},
    {"angle iron round and round", WallKind::solid,
     [](double t) {
         return placed({{0, 0}, {2, 0}, {2, 0.3}, {0.3, 0.3}, {0.3, 2}, {0, 2}},
                       turned({1.0, 0.0}, kTurn * t), -kTurn * t);
     }},
    {"slab to and fro", WallKind::solid,
     [](double t) {
         return placed(rectangle({-0.01, -2.0}, {0.01, 2.0}), {2.5 * to_and_fro(t), 0.0}, 0.4);
     }},
    {"turnstile", WallKind::thin,
     [](double t) {
         return placed({{-2.0, 0.0}, {2.0, 0.0}}, {}, kTurn * t);
     }},
    {"piston", WallKind::thin,
     [](double t) {
         return placed({{0.0, -2.5}, {0.0, 2.5}}, {2.5 * to_and_fro(t), 0.0}, 0.0);
     }},
    {"door", WallKind::thin,
     [](double t) {
         return placed({{0.0, 0.0}, {1.5, 0.0}}, {0.0, -4.0},
                       0.25 * kTurn * (1.0 + 0.9 * to_and_fro(t)));
     }},
    {"door flush with the wall", WallKind::thin,
     [](double t) {
         return placed({{0.0, 0.0}, {1.5, 0.0}}, {0.0, -4.0}, 0.25 * kTurn * (1.0 + to_and_fro(t)));
     }},
    {"room to and fro", WallKind::room,
     [](double t) {
         return placed(rectangle({-3.0, -3.0}, {3.0, 3.0}),
                       {to_and_fro(t), 0.5 * to_and_fro(2.0 * t)}, 0.0);
     }},
    {"room round and round", WallKind::room,
     [](double t) {
         return placed(rectangle({-3.0, -2.0}, {3.0, 2.0}), {}, kTurn * t);
     }},
    {"room that breathes", WallKind::room,
     [](double t) {
         const double s = 2.5 + 0.8 * to_and_fro(t);
         return placed({{-s, -s}, {s, -s}, {s, 0.2}, {0.2, 0.2}, {0.2, s}, {-s, s}}, {}, 0.0);
     }},
};

/// A crowd about 40 % dense, in a room, that wants from side to side, and a wall that moves every
/// step.
std::string fault_of(const Mover& mover, std::uint64_t seed, double period_steps, int steps,
                     std::uint64_t& pushes)
{
    SeededRandom random(seed);
    WallScene scene({.dt = 0.05});
    scene.inspector->allowed_penetration = -1.0;
    scene.add({rectangle({-4, -4}, {4, 4}), WallKind::room});
    if (mover.kind != WallKind::room) {
        scene.add({{{-4.0, 2.0}, {-2.5, 2.0}}, WallKind::thin});
        scene.add({rectangle({2.9, 2.9}, {3.6, 3.6}), WallKind::solid});
    }
    const std::size_t moving = scene.add({mover.at(0.0), mover.kind});
    std::vector<AgentHandle> agents;
    for (int tries = 0; tries < 4000 && agents.size() < 200; ++tries) {
        const Vec2 at = random.in_box(4.0);
        if (!is_free(scene.inspector->walls, at, 0.2)) continue;
        bool taken = false;
        for (const auto& [id, other] : everybody(scene.world))
            taken = taken || norm(other.position - at) < 0.36;
        if (taken) continue;
        agents.push_back(must(scene.world.add({.position = at, .goal = random.in_box(5.0)})));
        if (random.chance(0.2)) must(scene.world.set_model(agents.back(), "seek"));
    }
    EXPECT_GT(agents.size(), 60u);
    for (int step = 1; step <= steps; ++step) {
        if (std::string fault = scene.move(moving, mover.at(step / period_steps)); !fault.empty())
            return fault;
        if (std::string fault = scene.step(); !fault.empty()) return fault;
        pushes += scene.last.wall_pushes;
        if (step % 100 != 0) continue;
        for (const AgentHandle agent : agents)
            must(scene.world.set_goal(agent, random.in_box(5.0)));
    }
    return {};
}

TEST_F(Walls, that_move_every_step_for_1000_steps_leave_nobody_inside_or_behind)
{
    for (const Mover& mover : kMovers) {
        for (const double period :
             {1200.0, 150.0, 40.0}) {  // from a crawl to several times as fast as anybody can run
            SCOPED_TRACE(std::string(mover.name) + ", period " + std::to_string(period) + " steps");
            std::uint64_t pushes = 0;
            EXPECT_EQ(fault_of(mover, 1, period, 1000, pushes), "");
            EXPECT_GT(pushes, 0u);
            std::printf("%s, period %g: %zu pushes\n", mover.name, period, pushes);
        }
    }
}

}  // namespace
}  // namespace sidestep::test
