// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What every model keeps, whoever it is mixed with: finite numbers, speed and acceleration limits,
// walls, and the same bits for any instruction set.

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "sidestep/geometry.hpp"
#include "support/contract_worlds.hpp"

namespace sidestep::test {
namespace {

class ModelContract : public WorldTest {};

constexpr int kSteps = 60;

TEST_F(ModelContract, limits_and_walls_are_kept_in_random_worlds)
{
    const auto cases = contract_cases();
    StepReport sum;
    int tame = 0;
    std::size_t filtered = 0;
    for (std::uint64_t seed = 0; seed < 4 * cases.size(); ++seed) {
        const ContractCase& kind = cases[seed % cases.size()];
        SCOPED_TRACE(kind.model + " " + kind.mode + ", seed " + std::to_string(seed));
        ContractWorld contract(kind, seed);
        ASSERT_GE(contract.world().size(), 2u);
        for (int step = 0; step < kSteps; ++step)
            ASSERT_EQ(contract.step(), "") << "in step " << step;
        sum.infeasible_programs += contract.sum().infeasible_programs;
        sum.acceleration_exceeded += contract.sum().acceleration_exceeded;
        sum.wall_contacts += contract.sum().wall_contacts;
        sum.waiting += contract.sum().waiting;
        filtered += contract.filtered();
        if (contract.is_tame()) {
            ++tame;
            EXPECT_EQ(contract.sum().acceleration_exceeded, 0u);
        }
    }
    // The worlds are as hard as they should be.
    EXPECT_GT(tame, 25);
    EXPECT_GT(sum.infeasible_programs, 10'000u);
    EXPECT_GT(sum.acceleration_exceeded, 1'000u);
    EXPECT_GT(sum.wall_contacts, 1'000u);
    EXPECT_GT(sum.waiting, 500u);
    EXPECT_GT(filtered, 300u);
}

/// Worlds in which rounding once had a say: a passage just as wide as a body (the first, tame), and
/// people who come too fast, so that both their limits meet in a corner.
TEST_F(ModelContract, limits_are_kept_or_counted_where_rounding_decides)
{
    const std::pair<ContractCase, std::uint64_t> worlds[] = {{{"vo", "avo"}, 1004596},
                                                             {{"clearpath", "avo"}, 1006006},
                                                             {{"clearpath", "clamp"}, 1006502},
                                                             {{"clearpath", "avo"}, 1006545},
                                                             {{"clearpath", "clamp"}, 1006639}};
    int tame = 0;
    for (const auto& [kind, seed] : worlds) {
        SCOPED_TRACE(seed);
        ContractWorld contract(kind, seed);
        for (int step = 0; step < 100; ++step) ASSERT_EQ(contract.step(), "") << "in step " << step;
        if (!contract.is_tame()) continue;
        ++tame;
        EXPECT_EQ(contract.sum().acceleration_exceeded, 0u);
    }
    EXPECT_EQ(tame, 2);
}

/// Who is stopped by a body is counted as a contact and has no limit; all else is as without. In
/// tame worlds one who was led aside by a body may meet a wall that it cannot brake for: its
/// velocity is not one that it chose. That is counted, and rare (2 in the 3,170 contacts here).
TEST_F(ModelContract, limits_and_walls_are_kept_with_solid_bodies)
{
    const auto cases = contract_cases();
    std::uint64_t contacts = 0, exceeded = 0;
    int tame = 0;
    for (std::uint64_t seed = 1000; seed < 1000 + 2 * cases.size(); ++seed) {
        const ContractCase& kind = cases[seed % cases.size()];
        SCOPED_TRACE(kind.model + " " + kind.mode + ", seed " + std::to_string(seed));
        ContractWorld contract(kind, seed, {}, Isa::automatic, true);
        for (int step = 0; step < kSteps; ++step)
            ASSERT_EQ(contract.step(), "") << "in step " << step;
        contacts += contract.sum().body_contacts;
        if (!contract.is_tame()) continue;
        ++tame;
        exceeded += contract.sum().acceleration_exceeded;
    }
    EXPECT_GT(tame, 10);
    EXPECT_LE(exceeded * 500, contacts);
    EXPECT_GT(contacts, 2'000u);
    std::printf("%d tame worlds, %d limits exceeded, %d contacts in all worlds\n", tame,
                static_cast<int>(exceeded), static_cast<int>(contacts));
}

/// Both ends of its way are clear of the wall: frames alone would show nothing.
TEST_F(ModelContract, is_broken_by_who_gets_to_the_other_side_of_a_thin_wall_between_two_frames)
{
    WallScene scene;
    scene.add({{{0.0, -2.0}, {0.0, 2.0}}, WallKind::thin});
    const AgentHandle agent = must(scene.world.add({.position = {-0.4, 0.0}}));
    EXPECT_EQ(scene.step(), "");
    scene.inspector->look();
    must(scene.world.teleport(agent, {0.4, 0.0}));
    const std::string fault = scene.inspector->find_fault_after_step({});
    EXPECT_NE(fault.find("went through wall 0"), std::string::npos) << fault;
}

/// One agent before the gap between two slabs or thin walls that is too narrow for it.
World narrow_passage(std::uint64_t seed, const ContractCase& kind)
{
    SeededRandom random(seed);
    World world = make_world();
    const double radius = 0.25;
    const double gap = 2.0 * radius * random.uniform(0.6, 0.98);
    const bool slabs = random.chance(0.5);
    for (const double side : {1.0, -1.0}) {
        const Vec2 tip{random.uniform(-0.3, 0.3), side * 0.5 * gap};
        const double turn = side * 1.5707963 + random.uniform(-0.8, 0.8);
        const auto slab = placed(rectangle({0, -0.02}, {3, 0.02}), tip, turn);
        const std::vector<Vec2> thin{tip, tip + turned({3, 0}, turn)};
        must(world.add_wall({slabs ? slab : thin, slabs ? WallKind::solid : WallKind::thin}));
    }
    const ProfileId profile = must(world.add_profile({.model = kind.model,
                                                      .values = {{"radius", radius},
                                                                 {"max_speed", 1.8},
                                                                 {"max_acceleration", 1.8},
                                                                 {"preferred_speed", 1.6}}}));
    const double y = random.uniform(-1.0, 1.0);
    const Vec2 goal{4.0, random.uniform(-1.0, 1.0)};
    const AgentHandle agent =
        must(world.add({.position = {-4.0, y}, .goal = goal, .profile = profile}));
    must(world.set_trait(agent, "acceleration_mode", kind.mode));
    return world;
}

// Legs of the two tips' obstacles face each other there, and lines about 0 are out of reach.
TEST_F(ModelContract, nobody_brakes_harder_than_it_may_before_a_gap_that_is_too_narrow)
{
    std::uint64_t about_zero = 0;
    for (const ContractCase& kind : contract_cases()) {
        if (!avoids_walls(kind.model)) continue;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            SCOPED_TRACE(kind.model + " " + kind.mode + ", seed " + std::to_string(seed));
            World world = narrow_passage(seed, kind);
            for (int step = 0; step < 200; ++step) {
                const StepReport report = world.step();
                about_zero += report.wall_lines_about_zero;
                ASSERT_EQ(report.acceleration_exceeded, 0u) << "in step " << step;
                ASSERT_EQ(report.wall_penetrations, 0u) << "in step " << step;
            }
        }
    }
    EXPECT_GT(about_zero, 100u);  // the lines did conflict
}

TEST_F(ModelContract, the_instruction_set_changes_no_bit)
{
    const auto cases = contract_cases();
    for (std::uint64_t seed = 0; seed < cases.size(); ++seed) {
        const ContractCase& kind = cases[seed];
        std::vector<std::uint64_t> hashes;
        for (const Isa isa : isas_under_test()) {
            SCOPED_TRACE(kind.model + " " + kind.mode + " " + std::string(to_string(isa)));
            ContractWorld contract(kind, 100 + seed, {}, isa);
            for (int step = 0; step < kSteps / 4; ++step) ASSERT_EQ(contract.step(), "");
            hashes.push_back(contract.world().state_hash());
            EXPECT_EQ(hashes.back(), hashes.front());
        }
    }
}

/// A crossing of two streams in a room.
World crossing(const ProfileSpec& profile)
{
    World world = make_world();
    must(world.add_wall({rectangle({-9, -9}, {9, 9}), WallKind::room}));
    must(world.add_wall({rectangle({-1, -1}, {1, 0.5}), WallKind::solid}));
    const ProfileId kind = must(world.add_profile(profile));
    SeededRandom random(5);
    for (int i = 0; i < 80; ++i) {
        const double along = -8.5 + 0.2 * i;
        const Vec2 at = i % 2 == 0 ? Vec2{-6.0 + random.uniform(0.0, 2.0), along * 0.9}
                                   : Vec2{along * 0.9, -6.0 + random.uniform(0.0, 2.0)};
        const Vec2 goal = i % 2 == 0 ? Vec2{8.0, at.y} : Vec2{at.x, 8.0};
        must(world.add({.position = at, .goal = goal, .profile = kind}));
    }
    return world;
}

TEST_F(ModelContract, with_neutral_traits_rcap_and_personality_are_orca_bit_by_bit)
{
    const double kInf = HUGE_VAL;
    World orca = crossing({});
    World rcap = crossing({.model = "rcap",
                           .values = {{"observation_time", 0.0},
                                      {"sight", 0.0},
                                      {"max_acceleration", kInf},
                                      {"planning_radius", 0.0}}});
    World personality =
        crossing({.model = "personality", .values = {{"alpha", 0.0}, {"max_acceleration", kInf}}});
    for (int step = 0; step < 500; ++step) {
        for (World* world : {&orca, &rcap, &personality}) ASSERT_FALSE(world->step().fault);
        for (std::uint32_t id = 0; id < 80; ++id) {
            const AgentState a = must(orca.agent(*orca.find(id)));
            for (const World* other : {&rcap, &personality}) {
                const AgentState b = must(other->agent(*other->find(id)));
                ASSERT_EQ(a.position, b.position) << "agent " << id << ", step " << step;
                ASSERT_EQ(a.velocity, b.velocity) << "agent " << id << ", step " << step;
            }
        }
    }
}

TEST_F(ModelContract, what_lies_between_calm_and_goal_keeps_to_all_lines)
{
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        std::vector<HalfPlane> lines;
        for (std::size_t i = random.below(8); i > 0; --i) {
            const Vec2 normal = random.direction();
            lines.push_back({normal * random.uniform(-1.5, 0.5), normal, random.chance(0.3)});
        }
        const Vec2 now = random.in_disc(2.0);
        VelocityProgram program{lines, 2.0, random.in_disc(2.5), std::nullopt};
        if (random.chance(0.5)) program.acceleration = {now, random.uniform(0.05, 1.0)};
        const ProgramSolution goal = must(solve_program(program));
        program.preferred = now;
        const ProgramSolution calm = must(solve_program(program));
        ASSERT_EQ(goal.relaxed, calm.relaxed);
        if (goal.relaxed) continue;
        ++compared;
        const double alpha = random.uniform(0.0, 1.0);
        const Vec2 set = calm.velocity * alpha + goal.velocity * (1.0 - alpha);
        EXPECT_LE(norm(set), 2.0 + 1e-9);
        if (program.acceleration) {
            EXPECT_LE(norm(set - now), program.acceleration->radius + 1e-9);
        }
        for (const HalfPlane& line : lines) {
            const Vec2 off = set - line.point;
            EXPECT_GE(off.x * line.normal.x + off.y * line.normal.y, -1e-8);
        }
    }
    EXPECT_GT(compared, 500);
}

TEST_F(ModelContract, a_pair_that_can_stop_in_time_never_touches_in_mode_brake)
{
    for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
        SCOPED_TRACE(seed);
        SeededRandom random(seed);
        World world = make_world({.dt = 0.1, .threads = 1});
        const double a[] = {random.log_uniform(0.1, 3.0), random.log_uniform(0.1, 3.0)};
        const double sum = a[0] + a[1];
        const double gap = random.log_uniform(0.01, 3.0);
        // The fastest approach from which both can still stop, or slower.
        const double closing = (std::sqrt(sum * sum * 0.01 + 2.0 * sum * gap) - sum * 0.1) *
                               random.uniform(0.2, 0.999);
        const double part = random.uniform(0.0, 1.0);
        const double drift = random.uniform(-1.0, 1.0);  // both move along together sideways
        const Vec2 velocity[] = {{closing * part, drift}, {-closing * (1.0 - part), drift}};
        const Vec2 at[] = {{0, 0}, {0.5 + gap, 0}};
        AgentHandle agents[2];
        for (int i = 0; i < 2; ++i) {
            const double limit = norm(velocity[i]) + 0.5;
            agents[i] =
                must(world.add({.position = at[i],
                                .velocity = velocity[i],
                                .goal = Vec2{(i == 0 ? 10.0 : -10.0), random.uniform(-2, 2)},
                                .traits = {{"radius", 0.25},
                                           {"max_speed", limit},
                                           {"preferred_speed", limit},
                                           {"max_acceleration", a[i]},
                                           {"acceleration_mode", 2.0}}}));
        }
        for (int step = 0; step < 150; ++step) {
            world.step();
            const Vec2 apart =
                must(world.agent(agents[1])).position - must(world.agent(agents[0])).position;
            ASSERT_GT(norm(apart), 0.5 - 1e-4) << "step " << step;
        }
    }
}

}  // namespace
}  // namespace sidestep::test
