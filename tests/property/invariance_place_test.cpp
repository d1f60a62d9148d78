// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What a step must not depend on: place and direction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/compared_scenes.hpp"

namespace sidestep::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-4;  ///< [m], after 20 steps of feasible programs

class Invariance : public WorldTest {};

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
/// 1/1024 m, so that they are the same wherever the scene is put. Those who avoid others are of one
/// model: towards another class ORCA keeps to its present velocity, and has often nothing left.
Scene roomy_scene(std::uint64_t seed, bool with_walls, const char* avoiding = "orca")
{
    SeededRandom random(seed);
    Scene scene;
    scene.profiles = {{avoiding, {{"max_acceleration", 40.0}}}, {"seek", {}}, {avoiding, {}}};
    const auto snap = [](double a) { return std::round(a * 1024.0) / 1024.0; };
    while (scene.agents.size() < 60) {
        const Vec2 p = random.in_box(10.0);
        const Vec2 goal = random.in_box(12.0);
        AgentSpec spec{.position = {snap(p.x), snap(p.y)},
                       .goal = Vec2{snap(goal.x), snap(goal.y)},
                       .id = static_cast<std::uint32_t>(scene.agents.size()),
                       .profile = static_cast<ProfileId>(random.one_of({3, 3, 3, 1, 2})),
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
/// no arithmetic keeps two worlds together. Ten tries: what cones leave is not convex, and jumps in
/// more places than three tries found (seed 38, 0.15 mm off in place of 0.1).
double drift_after(double nudge, const Scene& scene, const Track& track, std::uint64_t seed)
{
    double drift = 0.0;
    for (std::uint64_t i = 0; i < 10; ++i) {
        SeededRandom random(seed + 1000 * i);
        Scene nudged = scene;
        for (AgentSpec& agent : nudged.agents) agent.position += random.in_box(nudge);
        drift = std::max(drift, farthest_apart(track, track_of(make_world(), nudged, 20), {}));
    }
    return drift;
}

/// Steps scenes and their moved twins; those of feasible programs, and not on a knife's edge, must
/// end in the same place. `spacing` is that of floats [m] where the twin is.
///
/// Every other pair of scenes is of ClearPath, but for those kilometres out, where 6 of 24 end 2 to
/// 7 cm from their twins: in five, two who graze each other overlap by less than 0.25 mm in one of
/// the worlds only, and who overlaps wants to stand (a jump of 0.6 to 1.05 m/s); in one the choice
/// jumps to another velocity outside all cones, without any overlap.
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
        const bool cones = seed % 4 >= 2 && spacing < 1e-4;
        const Scene scene = roomy_scene(seed, seed % 2 == 1, cones ? "clearpath" : "orca");
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
        const Scene scene = roomy_scene(seed, seed % 2 == 1, seed % 4 < 2 ? "orca" : "clearpath");
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

}  // namespace
}  // namespace sidestep::test
