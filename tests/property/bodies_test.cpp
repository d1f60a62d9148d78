// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What yields to nobody, and who yields to whom: bodies, ranks, levels.
#include <limits>

#include "support/wall_scenes.hpp"

namespace sidestep::test {
namespace {

class Bodies : public WorldTest {};
class Ranks : public WorldTest {};
class Levels : public WorldTest {};

constexpr double kInf = std::numeric_limits<double>::infinity();

Vec2 position_of(const World& world, AgentHandle agent)
{
    return must(world.agent(agent)).position;
}

/// A square cart about a point, of this half width [m].
std::vector<Vec2> cart(Vec2 at, double half)
{
    return placed(rectangle({-half, -half}, {half, half}), at, 0.0);
}

/// Distance from a body to a point: from a disc's rim, or from a cart's outline (negative inside).
double gap_to(const World& world, BodyHandle body, double size, bool is_disc, Vec2 p)
{
    const Vec2 at = must(world.body_position(body));
    if (is_disc) return norm(p - at) - size;
    const OracleWall outline = to_oracle({rectangle(at, at + Vec2{2 * size, 2 * size})});
    return is_inside(outline, p) ? -distance_to_wall(outline, p) : distance_to_wall(outline, p);
}

BodyHandle add_body(World& world, bool is_disc, Vec2 at, double size, Vec2 velocity,
                    std::uint16_t level = 0)
{
    if (is_disc)
        return must(
            world.add_body({.position = at, .radius = size, .velocity = velocity, .level = level}));
    return must(world.add_body({.outline = cart(at, size), .velocity = velocity, .level = level}));
}

// ------------------------------------------------------------------------------------------ bodies

TEST_F(Bodies, are_avoided_in_time_and_never_leave_their_way)
{
    for (const bool is_disc : {true, false}) {
        for (const Vec2 velocity : {Vec2{-1.0, 0.0}, Vec2{-0.5, 0.0}, Vec2{0.0, 0.0}}) {
            SCOPED_TRACE(std::string(is_disc ? "disc" : "cart") + " at " +
                         std::to_string(velocity.x) + " m/s");
            World world = make_world();
            const Vec2 start{6.0, 0.1};
            const BodyHandle body = add_body(world, is_disc, start, 0.5, velocity);
            const Vec2 first = must(world.body_position(body));
            // Not against a flat face: who is told to walk straight through one goes back ahead of
            // it.
            const double y = is_disc ? 0.0 : 0.65;
            const AgentHandle walker = must(world.add({.position = {0, y}, .goal = Vec2{12, y}}));
            const AgentHandle stander = must(world.add({.position = {3, -0.5}}));
            double closest = 1e30;
            std::uint64_t pushes = 0;
            for (int step = 0; step < 400; ++step) {
                pushes += world.step().wall_pushes;
                for (const AgentHandle agent : {walker, stander}) {
                    closest = std::min(
                        closest,
                        gap_to(world, body, 0.5, is_disc, position_of(world, agent)) - 0.2);
                }
                const Vec2 expected = first + velocity * world.time();
                ASSERT_LT(norm(must(world.body_position(body)) - expected), 1e-6);
            }
            EXPECT_GT(closest, -1e-3);
            EXPECT_EQ(pushes, 0u);
            EXPECT_LT(norm(position_of(world, walker) - Vec2{12, y}), 0.1);
        }
    }
}

TEST_F(Bodies, leave_the_whole_avoidance_to_the_agent)
{
    World world = make_world();
    const BodyHandle body =
        must(world.add_body({.position = {4, 0.1}, .radius = 0.5, .velocity = {-1, 0}}));
    const AgentHandle agent =
        must(world.add({.position = {0, 0}, .velocity = {1, 0}, .goal = Vec2{50, 0}}));
    must(world.set_radius(agent, 0.5));
    must(world.set_trait(agent, "time_horizon", 5.0));
    // The vector orca_line-002: the same pair with full responsibility.
    const Explanation why = must(world.explain(agent));
    ASSERT_EQ(why.lines.size(), 1u);
    EXPECT_EQ(why.lines[0].source, Explanation::Source::body);
    EXPECT_EQ(why.lines[0].source_id, body.index);
    EXPECT_FALSE(why.lines[0].hard);
    const Vec2 n{-0.22564475874102372, -0.9742096503590514};
    const Vec2 q{0.8981688857054104, -0.43965060303689046};
    EXPECT_NEAR(norm(why.lines[0].normal - n), 0.0, 2e-6);
    EXPECT_NEAR(dot(why.lines[0].point, n), dot(q, n), 2e-6);
}

TEST_F(Bodies, push_a_standing_crowd_aside_and_run_over_nobody)
{
    for (const bool is_disc : {true, false}) {
        for (const double speed : {0.3, 3.0, 25.0}) {  // slower and faster than anybody can run
            for (const char* model : {"orca", "seek"}) {
                SCOPED_TRACE(std::string(is_disc ? "disc" : "cart") + " at " +
                             std::to_string(speed) + " m/s through " + model);
                World world = make_world();
                const ProfileId profile = must(world.add_profile({.model = model, .values = {}}));
                std::vector<AgentHandle> crowd;
                for (int x = 0; x < 12; ++x) {
                    for (int y = 0; y < 8; ++y) {
                        crowd.push_back(
                            must(world.add({.position = {0.45 * x, 0.45 * y - 1.6 + 0.01 * x},
                                            .profile = profile})));
                    }
                }
                const BodyHandle body = add_body(world, is_disc, {-2, 0}, 0.7, {speed, 0});
                std::uint64_t pushes = 0;
                while (must(world.body_position(body)).x < 8.0) {
                    const StepReport report = world.step();
                    pushes += report.wall_pushes;
                    for (const AgentHandle agent : crowd) {
                        const double gap =
                            gap_to(world, body, 0.7, is_disc, position_of(world, agent));
                        ASSERT_GT(gap, 0.0)
                            << "step " << report.step;  // the centre is never inside
                    }
                }
                EXPECT_TRUE(pushes > 0 ||
                            speed < 2.0);  // a slow one leaves time to get out of the way
                EXPECT_NEAR(must(world.body_position(body)).y, is_disc ? 0.0 : -0.7, 1e-9);
            }
        }
    }
}

TEST_F(Bodies, push_nobody_through_walls)
{
    for (const bool is_disc : {true, false}) {
        SCOPED_TRACE(is_disc ? "disc" : "cart");
        WallScene scene;
        scene.inspector->allowed_penetration = -1.0;
        scene.add({rectangle({-4, -2}, {12, 2}), WallKind::room});
        scene.add({{{3, 0.5}, {3, 2}}, WallKind::thin});
        SeededRandom random(4);
        for (int i = 0; i < 60; ++i) {
            must(scene.world.add({.position = {random.uniform(-1, 8), random.uniform(-1.7, 1.7)},
                                  .goal = random.in_box(6.0)}));
        }
        add_body(scene.world, is_disc, {-3, 0.2}, 0.8, {2.5, 0});
        std::uint64_t pushes = 0;
        for (int step = 0; step < 200; ++step) {
            scene.inspector->look();
            const StepReport report = scene.world.step();
            pushes += report.wall_pushes;
            // Who is pushed on after his own move may turn a corner: what is asked is where he ends
            // up.
            const auto rooms = everybody(scene.world);
            for (const auto& [id, agent] : rooms) {
                ASSERT_FALSE(is_well_outside(scene.inspector->walls[0], agent.position))
                    << "agent " << id << ", step " << step;
            }
        }
        EXPECT_GT(pushes, 0u);
    }
}

TEST_F(Bodies, of_concave_shape_leave_nobody_inside)
{
    World world = make_world();
    SeededRandom random(9);
    std::vector<AgentHandle> crowd;
    for (int i = 0; i < 150; ++i)
        crowd.push_back(
            must(world.add({.position = random.in_box(3.0), .goal = random.in_box(3.0)})));
    const std::vector<Vec2> shape = {{0, 0},     {2, 0},   {2, 0.4}, {0.4, 0.4},
                                     {0.4, 1.6}, {2, 1.6}, {2, 2},   {0, 2}};  // open ahead
    const BodyHandle body =
        must(world.add_body({.outline = placed(shape, {-6, -1}, 0.0), .velocity = {3, 0.1}}));
    std::uint64_t pushes = 0;
    for (int step = 0; step < 80; ++step) {
        pushes += world.step().wall_pushes;
        const OracleWall now = to_oracle({placed(shape, must(world.body_position(body)), 0.0)});
        for (const AgentHandle agent : crowd)
            ASSERT_FALSE(is_well_inside(now, position_of(world, agent))) << "step " << step;
    }
    EXPECT_GT(pushes, 0u);
}

TEST_F(Bodies, that_are_put_elsewhere_sweep_nobody_on_the_way)
{
    World world = make_world();
    const BodyHandle body = must(world.add_body({.outline = cart({-5, 0}, 0.5)}));
    const AgentHandle between = must(world.add({.position = {0, 0}}));
    const AgentHandle there = must(world.add({.position = {5.1, 0}}));
    must(world.teleport_body(body, {4.5, -0.5}));
    EXPECT_EQ(position_of(world, between), (Vec2{0, 0}));
    EXPECT_NEAR(position_of(world, there).x, 5.7, 1e-6);
    EXPECT_EQ(world.step().wall_pushes, 1u);
}

TEST_F(Bodies, change_speed_and_go_when_told)
{
    for (const bool is_disc : {true, false}) {
        SCOPED_TRACE(is_disc ? "disc" : "cart");
        World world = make_world({.dt = 0.1});
        const BodyHandle body = add_body(world, is_disc, {0, 0}, 0.5, {1, 0});
        const Vec2 start = must(world.body_position(body));
        for (int step = 0; step < 10; ++step) world.step();
        EXPECT_NEAR(must(world.body_position(body)).x, start.x + 1.0, 1e-9);
        must(world.set_body_velocity(body, {0, -2}));
        for (int step = 0; step < 10; ++step) world.step();
        EXPECT_NEAR(must(world.body_position(body)).y, start.y - 2.0, 1e-9);
        must(world.teleport_body(body, {7, 7}));
        EXPECT_NEAR(norm(must(world.body_position(body)) - Vec2{7, 7}), 0.0, 1e-9);
        const AgentHandle agent = must(world.add({.position = {7, 9.5}, .goal = Vec2{7, 12}}));
        EXPECT_FALSE(must(world.explain(agent)).lines.empty());
        must(world.remove_body(body));
        EXPECT_FALSE(world.alive(body));
        EXPECT_TRUE(must(world.explain(agent)).lines.empty());
        EXPECT_FALSE(world.set_body_velocity(body, {1, 0}));
        EXPECT_FALSE(world.body_position(body));
    }
}

// ------------------------------------------------------------------------------------------ ranks

/// How far two agents leave their straight ways in a nearly head-on encounter [m].
struct Deviations {
    double a = 0.0, b = 0.0, closest = 1e30;
    double share_a = 0.0, share_b = 0.0;
};

Deviations meet(double rank_a, double rank_b)
{
    World world = make_world();
    const AgentHandle a =
        must(world.add({.position = {-4, 0}, .velocity = {1.34, 0}, .goal = Vec2{6, 0}}));
    const AgentHandle b =
        must(world.add({.position = {4, 0.02}, .velocity = {-1.34, 0}, .goal = Vec2{-6, 0.02}}));
    must(world.set_rank(a, rank_a));
    must(world.set_rank(b, rank_b));
    Deviations seen;
    for (int step = 0; step < 120; ++step) {
        const Explanation why_a = must(world.explain(a));
        const Explanation why_b = must(world.explain(b));
        if (!why_a.neighbours.empty()) seen.share_a = why_a.neighbours[0].share;
        if (!why_b.neighbours.empty()) seen.share_b = why_b.neighbours[0].share;
        world.step();
        seen.a = std::max(seen.a, std::fabs(position_of(world, a).y));
        seen.b = std::max(seen.b, std::fabs(position_of(world, b).y - 0.02));
        seen.closest = std::min(seen.closest, norm(position_of(world, a) - position_of(world, b)));
    }
    return seen;
}

TEST_F(Ranks, that_are_equal_share_equally_whatever_they_are)
{
    for (const double rank : {0.0, 1.0, 7.0, 1e6, kInf}) {
        SCOPED_TRACE(rank);
        const Deviations seen = meet(rank, rank);
        EXPECT_EQ(seen.share_a, 0.5);
        EXPECT_EQ(seen.share_b, 0.5);
        EXPECT_NEAR(seen.a, seen.b, 0.02 * seen.a);
        EXPECT_GT(seen.a, 0.1);
        EXPECT_GT(seen.closest, 0.4 - 1e-3);
    }
}

TEST_F(Ranks, that_are_infinite_walk_straight_and_others_take_all)
{
    for (const double other : {0.0, 1.0, 1e6}) {
        SCOPED_TRACE(other);
        const Deviations seen = meet(kInf, other);
        EXPECT_EQ(seen.share_a, 0.0);
        EXPECT_EQ(seen.share_b, 1.0);
        EXPECT_EQ(seen.a, 0.0);
        EXPECT_GT(seen.b, 0.3);
        EXPECT_GT(seen.closest, 0.4 - 1e-3);
        const Deviations mirrored = meet(other, kInf);
        EXPECT_LT(mirrored.b, 1e-8);  // 0.02 as a float
        EXPECT_GT(mirrored.a, 0.3);
    }
}

TEST_F(Ranks, show_in_how_far_each_gives_way)
{
    double last = 1e30;
    for (const double rank : {0.0, 0.25, 1.0, 4.0, 16.0}) {
        SCOPED_TRACE(rank);
        const Deviations seen = meet(rank, 1.0);
        const double share = rank > 0.0 ? 1.0 / (1.0 + rank) : 1.0;
        EXPECT_NEAR(seen.share_a, share, 1e-6);
        EXPECT_NEAR(seen.share_a + seen.share_b, 1.0, 1e-6);
        EXPECT_NEAR(seen.a / (seen.a + seen.b), share, 0.08);
        EXPECT_LT(seen.a, last);
        EXPECT_GT(seen.closest, 0.4 - 1e-3);
        last = seen.a;
    }
}

TEST_F(Ranks, do_not_count_against_who_avoids_nobody)
{
    World world = make_world();
    const ProfileId seek = must(world.add_profile({.model = "seek", .values = {}}));
    const AgentHandle walker =
        must(world.add({.position = {0, 0}, .velocity = {1, 0}, .goal = Vec2{20, 0}}));
    const AgentHandle blind = must(world.add(
        {.position = {3, 0.05}, .velocity = {-1, 0}, .goal = Vec2{-20, 0.05}, .profile = seek}));
    must(world.set_rank(walker, 1e6));
    EXPECT_EQ(must(world.explain(walker)).neighbours.at(0).share, 1.0);
    double closest = 1e30;
    for (int step = 0; step < 100; ++step) {
        world.step();
        closest = std::min(closest, norm(position_of(world, walker) - position_of(world, blind)));
    }
    EXPECT_GT(closest, 0.4 - 1e-3);
    EXPECT_NEAR(position_of(world, blind).y, 0.05, 1e-6);
}

// ------------------------------------------------------------------------------------------ levels

TEST_F(Levels, never_mix)
{
    // The same crowd on two levels, in the same places: each goes as it would alone.
    const auto fill = [](World& world, std::uint16_t level) {
        std::vector<AgentHandle> agents;
        SeededRandom random(12);
        must(world.add_wall({.vertices = rectangle({-0.5, -3}, {0.5, -1}), .level = level}));
        add_body(world, true, {-3, 2}, 0.5, {1, -0.2}, level);
        add_body(world, false, {3, 2}, 0.5, {-1, -0.3}, level);
        for (int i = 0; i < 60; ++i) {
            Vec2 at = random.in_box(4.0);
            if (at.y < 0.0) at.y = -at.y;
            if (norm(at - Vec2{3, 2}) < 0.8) continue;  // the cart is there
            agents.push_back(
                must(world.add({.position = at, .goal = random.in_box(4.0), .level = level})));
        }
        return agents;
    };
    // Whom the deadlock policy lets go first depends on ids, and these differ.
    World alone = make_world({.deadlock_policy = false});
    World both = make_world({.deadlock_policy = false});
    const auto expected = fill(alone, 0);
    const auto below = fill(both, 0);
    const auto above = fill(both, 1);
    for (int step = 0; step < 200; ++step) {
        const StepReport one = alone.step();
        const StepReport two = both.step();
        ASSERT_EQ(two.overlaps, 2 * one.overlaps);
        ASSERT_EQ(two.wall_pushes, 2 * one.wall_pushes);
    }
    // Coincident centres and ties go by id, and ids differ above: there only the lower level is
    // bound to be equal.
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(position_of(both, below[i]), position_of(alone, expected[i])) << i;
    }
    double farthest = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        farthest =
            std::max(farthest, norm(position_of(both, above[i]) - position_of(alone, expected[i])));
    }
    EXPECT_EQ(farthest, 0.0);
}

TEST_F(Levels, change_with_the_agent)
{
    World world = make_world();
    const AgentHandle a = must(world.add({.position = {0, 0}, .goal = Vec2{5, 0}}));
    const AgentHandle b = must(world.add({.position = {1, 0}, .level = 1}));
    must(world.add_body({.position = {2, 0}, .radius = 0.5, .level = 1}));
    must(world.add_wall({.vertices = {{3, -9}, {3, 9}}, .kind = WallKind::thin, .level = 1}));
    EXPECT_TRUE(must(world.explain(a)).lines.empty());
    EXPECT_TRUE(must(world.explain(a)).neighbours.empty());
    must(world.teleport(a, {0, 0}, 1));
    const Explanation why = must(world.explain(a));
    ASSERT_EQ(why.neighbours.size(), 1u);
    EXPECT_EQ(why.neighbours[0].id, must(world.agent(b)).id);
    EXPECT_EQ(why.lines.size(), 2u);  // the neighbour and the body; the wall is out of reach
    must(world.teleport(a, {2.5, 3}, 1));
    EXPECT_EQ(must(world.explain(a)).lines.front().source, Explanation::Source::wall);
}

}  // namespace
}  // namespace sidestep::test
