// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The experiments of [LI13]: two of different role and temper who meet, and eight who swap places.
// Run twice: as the equations say, in double with li_step and the step of 0.5 s of the paper, and
// by a world, whose longest step is 0.25 s. The paper has one time for step and horizon, with which
// nobody can step aside in time; the horizon is 10 s here.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "sidestep/geometry.hpp"
#include "support/seeded_random.hpp"
#include "support/walks.hpp"

namespace sidestep::test {
namespace {

class LiExperiments : public WorldTest {};

constexpr double kSpeed = 1.2;      ///< preferred [m/s]
constexpr double kRadius = 0.4;     ///< [m]
constexpr double kArrived = 2.0;    ///< [m] from the goal; from then on nobody minds them
constexpr double kPaperStep = 0.5;  ///< [s]

struct Person {
    Vec2 start;
    Vec2 goal;
    double v_max;
    double a_max;
    double alpha;

    Vec2 way() const { return (goal - start) * (1.0 / length(goal - start)); }
};

struct Experiment {
    std::vector<Person> people;
    std::vector<std::vector<double>> share;  ///< share[i][j]: what i takes towards j
    double tau = 10.0;
    double pillar = 0.0;  ///< radius of a standing disc at (0, 0), 0: none
    const char* mode = "clamp";
};

/// What one of the two engines made of an experiment.
struct Outcome {
    Walks walks;
    std::vector<double> arrival;  ///< [s], infinite for who did not arrive
    double pillar_gap = 1e9;      ///< smallest distance to the pillar's rim less the radius [m]
};

/// Notes a frame; true when all have arrived.
class Notebook {
public:
    Notebook(const Experiment& e, double dt) : experiment_(e)
    {
        outcome.walks = {dt, std::vector<Walk>(e.people.size())};
        outcome.arrival.assign(e.people.size(), std::numeric_limits<double>::infinity());
    }

    bool is_there(std::size_t i) const { return !std::isfinite(outcome.arrival[i]); }

    /// True if this was the frame of its arrival.
    bool note(std::size_t i, Vec2 position, Vec2 velocity, double time)
    {
        outcome.walks.of[i].position.push_back(position);
        outcome.walks.of[i].velocity.push_back(velocity);
        if (experiment_.pillar > 0.0) {
            outcome.pillar_gap =
                std::min(outcome.pillar_gap, length(position) - experiment_.pillar - kRadius);
        }
        if (length(experiment_.people[i].goal - position) > kArrived) return false;
        outcome.arrival[i] = time;
        return true;
    }

    Outcome outcome;

private:
    const Experiment& experiment_;
};

Vec2 towards_goal(Vec2 position, Vec2 goal, double dt)
{
    const Vec2 way = goal - position;
    return way * (std::min(kSpeed, length(way) / dt) / length(way));
}

/// As the equations say.
Outcome by_equations(const Experiment& e, double dt, double seconds)
{
    const std::size_t n = e.people.size();
    Notebook notes(e, dt);
    std::vector<MovingDisc> now, next;
    for (std::uint32_t i = 0; i < n; ++i) {
        now.push_back({e.people[i].start, e.people[i].way() * kSpeed, kRadius, i});
        notes.note(i, now[i].position, now[i].velocity, 0.0);
    }
    for (int k = 1; k * dt <= seconds; ++k, now = next) {
        next = now;
        for (std::size_t i = 0; i < n; ++i) {
            if (!notes.is_there(i)) continue;
            const Person& who = e.people[i];
            std::vector<OrcaNeighbour> others;
            for (std::size_t j = 0; j < n; ++j) {
                if (j != i && notes.is_there(j)) others.push_back({now[j], e.share[i][j]});
            }
            if (e.pillar > 0.0) others.push_back({{{}, {}, e.pillar, 1000}, 1.0});
            const LiVelocities v =
                must(li_step({.agent = now[i],
                              .neighbours = others,
                              .walls = {},
                              .tau = e.tau,
                              .t_res = dt,
                              .dt = dt,
                              .v_max = who.v_max,
                              .a_max = who.a_max,
                              .alpha = who.alpha,
                              .preferred = towards_goal(now[i].position, who.goal, dt)}));
            next[i].velocity = v.next;
            next[i].position = now[i].position + v.next * dt;
        }
        for (std::size_t i = 0; i < n; ++i) {
            if (notes.is_there(i)) notes.note(i, next[i].position, next[i].velocity, k * dt);
        }
    }
    return std::move(notes.outcome);
}

/// By a world with agents of model personality.
Outcome by_world(const Experiment& e, double dt, double seconds)
{
    World world = make_world({.dt = dt});
    const ProfileId who = must(world.add_profile({"personality",
                                                  {{"radius", kRadius},
                                                   {"preferred_speed", kSpeed},
                                                   {"time_horizon", e.tau},
                                                   {"wall_time_horizon", e.tau},
                                                   {"neighbour_range", 100.0}}}));
    Notebook notes(e, dt);
    std::vector<AgentHandle> agents;
    for (const Person& p : e.people) {
        agents.push_back(must(world.add(
            {.position = p.start,
             .velocity = p.way() * kSpeed,
             .goal = p.goal,
             .profile = who,
             .traits = {
                 {"max_speed", p.v_max}, {"max_acceleration", p.a_max}, {"alpha", p.alpha}}})));
        must(world.set_trait(agents.back(), "acceleration_mode", std::string_view(e.mode)));
        notes.note(agents.size() - 1, p.start, p.way() * kSpeed, 0.0);
    }
    for (std::size_t i = 0; i < agents.size(); ++i) {
        for (std::size_t j = i + 1; j < agents.size(); ++j)
            must(world.set_share(agents[i], agents[j], e.share[i][j]));
    }
    if (e.pillar > 0.0) must(world.add_body({.position = {}, .radius = e.pillar}));
    while (world.time() + dt <= seconds && world.size() > 0) {
        const StepReport report = world.step();
        if (report.fault) throw std::runtime_error(report.fault->cause);
        for (std::size_t i = 0; i < agents.size(); ++i) {
            if (!notes.is_there(i)) continue;
            const AgentState state = must(world.agent(agents[i]));
            if (notes.note(i, state.position, state.velocity, world.time()))
                must(world.remove(agents[i]));
        }
    }
    return std::move(notes.outcome);
}

// ------------------------------------------------------------------------------------ two who meet

constexpr double kSide = 40.0;  ///< of the square [m]

/// One of the three experiments: limits of speed and acceleration, alpha, w12.
struct Temper {
    double v_max[2];
    double a_max[2];
    double alpha[2];
    double w12;
};
constexpr Temper kFirst{{5, 5}, {0.05, 0.05}, {0.5, 0.5}, 0.5};
constexpr Temper kSecond{{5, 5}, {0.05, 0.05}, {0.4, 0.8}, 0.5};
constexpr Temper kThird{{5, 7}, {0.05, 0.085}, {0.4, 0.4}, 0.35};

Experiment two(const Temper& t, Vec2 start_2, Vec2 goal_2)
{
    // A hair to the left: nobody steps aside for somebody exactly in the line of their way.
    const Vec2 left = Vec2{-1.0, 1.0} * (1.2e-3 / std::sqrt(2.0));
    return {.people = {{left, {kSide, kSide}, t.v_max[0], t.a_max[0], t.alpha[0]},
                       {start_2, goal_2, t.v_max[1], t.a_max[1], t.alpha[1]}},
            .share = {{0.0, t.w12}, {1.0 - t.w12, 0.0}}};
}

Experiment head_on(const Temper& t)
{
    return two(t, {kSide, kSide}, {0.0, 0.0});
}

/// The second on the other diagonal, this far ahead of the first on its way to the crossing [m].
Experiment crossing(const Temper& t, double lead)
{
    const Vec2 way = Vec2{-1.0, 1.0} * (1.0 / std::sqrt(2.0));
    return two(t, Vec2{kSide, 0.0} + way * lead, {0.0, kSide});
}

double deviation(const Experiment& e, const Outcome& o, std::size_t i)
{
    return test::deviation(o.walks[i], e.people[i].way());
}

TEST_F(LiExperiments, deviate_in_the_equations_as_in_the_reference_runs)
{
    struct Row {
        const Temper& temper;
        double dev_1, dev_2;
    };
    for (const Row& row :
         {Row{kFirst, 0.426, 0.425}, Row{kSecond, 0.419, 0.458}, Row{kThird, 0.307, 0.534}}) {
        const Experiment e = head_on(row.temper);
        const Outcome o = by_equations(e, kPaperStep, 60.0);
        EXPECT_NEAR(deviation(e, o, 0), row.dev_1, 0.001);
        EXPECT_NEAR(deviation(e, o, 1), row.dev_2, 0.001);
        EXPECT_GE(min_distance(o.walks), 0.83);
    }
}

TEST_F(LiExperiments, one_equals_share_the_way_equally)
{
    const Experiment e = head_on(kFirst);
    const Outcome o = by_world(e, 0.25, 60.0);
    std::printf("I: deviations %.3f %.3f m, closest %.3f m\n", deviation(e, o, 0),
                deviation(e, o, 1), min_distance(o.walks));
    EXPECT_NEAR(deviation(e, o, 0) / deviation(e, o, 1), 1.0, 0.02);
    EXPECT_NEAR(deviation(e, o, 0), 0.42, 0.02);
    EXPECT_GT(min_distance(o.walks), 2 * kRadius);
}

TEST_F(LiExperiments, two_the_calmer_one_goes_the_longer_way)
{
    const Experiment e = head_on(kSecond);
    const Outcome o = by_world(e, 0.25, 60.0);
    std::printf("II: deviations %.3f %.3f m, closest %.3f m\n", deviation(e, o, 0),
                deviation(e, o, 1), min_distance(o.walks));
    EXPECT_GT(deviation(e, o, 1), 1.02 * deviation(e, o, 0));
    EXPECT_NEAR(deviation(e, o, 0), 0.415, 0.02);
    EXPECT_GT(min_distance(o.walks), 2 * kRadius);
}

TEST_F(LiExperiments, three_the_elder_deviates_by_its_smaller_share)
{
    const Experiment e = head_on(kThird);
    const Outcome o = by_world(e, 0.25, 60.0);
    const double ratio = deviation(e, o, 0) / deviation(e, o, 1);
    std::printf("III: deviations %.3f %.3f m, ratio %.3f, closest %.3f m\n", deviation(e, o, 0),
                deviation(e, o, 1), ratio, min_distance(o.walks));
    EXPECT_GE(ratio, 0.45);
    EXPECT_LE(ratio, 0.65);
    EXPECT_NEAR(deviation(e, o, 1), 0.53, 0.02);
    EXPECT_GT(min_distance(o.walks), 2 * kRadius);
}

TEST_F(LiExperiments, ranks_give_the_same_as_the_shares_they_stand_for)
{
    // w12 = rank_2 / (rank_1 + rank_2) = 0.35.
    const Experiment e = head_on(kThird);
    const Outcome by_share = by_world(e, 0.25, 60.0);
    World world = make_world({.dt = 0.25});
    const ProfileId who = must(world.add_profile({"personality",
                                                  {{"radius", kRadius},
                                                   {"preferred_speed", kSpeed},
                                                   {"time_horizon", e.tau},
                                                   {"neighbour_range", 100.0}}}));
    std::vector<AgentHandle> agents;
    for (const double rank : {13.0, 7.0}) {
        const Person& p = e.people[agents.size()];
        agents.push_back(must(world.add({.position = p.start,
                                         .velocity = p.way() * kSpeed,
                                         .goal = p.goal,
                                         .profile = who,
                                         .traits = {{"max_speed", p.v_max},
                                                    {"max_acceleration", p.a_max},
                                                    {"alpha", p.alpha},
                                                    {"rank", rank}}})));
        must(world.set_trait(agents.back(), "acceleration_mode", std::string_view("clamp")));
    }
    const Walks walks = follow(world, agents, 40.0);
    for (const std::size_t i : {0u, 1u}) {
        EXPECT_NEAR(test::deviation(walks[i], e.people[i].way()), deviation(e, by_share, i), 0.01);
    }
}

TEST_F(LiExperiments, speeds_return_to_the_preferred_one_after_passing)
{
    for (const Temper* temper : {&kFirst, &kSecond, &kThird}) {
        for (const Experiment& e : {head_on(*temper), crossing(*temper, 0.0)}) {
            const Outcome o = by_world(e, 0.25, 60.0);
            for (const Walk& walk : o.walks.of) {
                EXPECT_NEAR(walk.speed(walk.velocity.size() - 1), kSpeed, 0.01);
            }
        }
    }
}

TEST_F(LiExperiments, three_crossing_the_first_to_arrive_passes_in_front_and_faster)
{
    const Experiment e = crossing(kThird, 0.3);
    const Outcome o = by_world(e, 0.25, 60.0);
    // When the second crosses the diagonal of the first, the first has not come so far yet.
    const auto& [first, second] = std::pair{o.walks[0], o.walks[1]};
    std::size_t k = 0;
    while (second.position[k].x > second.position[k].y) ++k;
    const double at_crossing = second.position[k].x;
    EXPECT_LT(first.position[k].x, at_crossing);
    EXPECT_GT(second.speed(k), kSpeed + 0.01);
    EXPECT_LT(first.speed(k), kSpeed);
    EXPECT_GT(min_distance(o.walks), 2 * kRadius);
    std::printf("III crossing: speeds %.3f %.3f m/s, closest %.3f m\n", first.speed(k),
                second.speed(k), min_distance(o.walks));
}

// --------------------------------------------------------------------------------------- core
// roles

TEST_F(LiExperiments, who_has_rank_hardly_leaves_the_way_and_who_has_none_yields)
{
    for (const char* model : {"orca", "rcap", "personality"}) {
        SCOPED_TRACE(model);
        World world = make_world();
        const ProfileId who = must(world.add_profile(
            {model, {{"radius", 0.5}, {"preferred_speed", 1.3}, {"alpha", 0.0}}}));
        const auto high = must(world.add({.position = {9.0, 1.0},
                                          .goal = Vec2{-10.0, 1.0},
                                          .profile = who,
                                          .traits = {{"rank", 1.0}}}));
        const auto low = must(world.add({.position = {1.0, 10.0},
                                         .goal = Vec2{1.0, -10.0},
                                         .profile = who,
                                         .traits = {{"rank", 0.0}}}));
        const Walks walks = follow(world, {high, low}, 25.0);
        const double straight = test::deviation(walks[0], {1.0, 0.0});
        const double aside = test::deviation(walks[1], {0.0, 1.0});
        double slowest = kSpeed;
        for (std::size_t k = walks.at(3.0); k < walks.at(8.0); ++k)
            slowest = std::min(slowest, walks[1].speed(k));
        std::printf("%s, ranks 1 and 0: deviations %.4f %.3f m, slowest %.2f m/s, closest %.3f m\n",
                    model, straight, aside, slowest, min_distance(walks));
        EXPECT_LT(straight, 0.05);
        EXPECT_TRUE(aside > 0.1 || slowest < 1.0);
        EXPECT_GE(min_distance(walks), 1.0 - 0.001);
        EXPECT_LT(length(walks[0].position.back() - Vec2{-10.0, 1.0}), 0.5);
        EXPECT_LT(length(walks[1].position.back() - Vec2{1.0, -10.0}), 0.5);
    }
}

// ------------------------------------------------------------------------------- eight on a circle

Experiment eight(std::uint64_t seed, double tau)
{
    SeededRandom random(seed);
    Experiment e{.people = {}, .share = {}, .tau = tau, .pillar = 1.0};
    for (int i = 0; i < 8; ++i) {
        const double angle = i * 3.141592653589793 / 4.0;
        const Vec2 start = Vec2{std::cos(angle), std::sin(angle)} * 40.0;
        const double v_max = random.uniform(4.0, 8.0);
        const double a_max = random.uniform(0.05, 0.08);
        e.people.push_back({start, start * -1.0, v_max, a_max, random.uniform(0.3, 0.7)});
    }
    e.share.assign(8, std::vector<double>(8, 0.0));
    for (std::size_t i = 0; i < 8; ++i) {
        for (std::size_t j = i + 1; j < 8; ++j) {
            e.share[i][j] = random.uniform(0.2, 0.75);
            e.share[j][i] = 1.0 - e.share[i][j];
        }
    }
    return e;
}

TEST_F(LiExperiments, eight_swap_places_round_a_pillar_without_contact)
{
    for (const char* mode : {"clamp", "disc"}) {
        for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
            SCOPED_TRACE(std::string(mode) + ' ' + std::to_string(seed));
            Experiment e = eight(seed, 25.0);
            e.mode = mode;
            const Outcome o = by_world(e, 0.25, 120.0);
            const double last = *std::max_element(o.arrival.begin(), o.arrival.end());
            std::printf("eight, %s, seed %d: closest %.3f m, pillar %.5f m, all there at %.1f s\n",
                        mode, static_cast<int>(seed), min_distance(o.walks), o.pillar_gap, last);
            EXPECT_GT(min_distance(o.walks), 2 * kRadius);
            EXPECT_GT(o.pillar_gap, -0.001);
            EXPECT_LE(last, 120.0);
        }
    }
}

TEST_F(LiExperiments, eight_look_ahead_too_little_for_their_acceleration_and_collide)
{
    // Why the horizon is 25 s: with 8 s the same people cannot turn in time.
    double closest = 1e9;
    for (const std::uint64_t seed : {1u, 2u, 3u})
        closest = std::min(closest, min_distance(by_world(eight(seed, 8.0), 0.25, 120.0).walks));
    EXPECT_LT(closest, 2 * kRadius);
}

TEST_F(LiExperiments, the_work_of_a_step_grows_with_the_neighbours_listed_not_with_all)
{
    // [LI13] figure 7: with k nearest neighbours each agent's program has at most k lines.
    for (const std::size_t n : {25u, 50u, 100u, 150u}) {
        World world = make_world({.dt = 0.25});
        const ProfileId who = must(world.add_profile(
            {"personality",
             {{"radius", kRadius}, {"neighbour_range", 100.0}, {"max_neighbours", 10.0}}}));
        SeededRandom random(n);
        std::vector<AgentHandle> agents;
        for (std::size_t i = 0; i < n; ++i) {
            const Vec2 at{static_cast<double>(i % 15) * 2.0, static_cast<double>(i / 15) * 2.0};
            agents.push_back(must(
                world.add({.position = at, .goal = at + random.in_box(20.0), .profile = who})));
        }
        for (int step = 0; step < 20; ++step) ASSERT_FALSE(world.step().fault);
        std::size_t lines = 0;
        for (const AgentHandle agent : agents) {
            const std::size_t own = must(world.explain(agent)).lines.size();
            EXPECT_LE(own, 10u);
            lines += own;
        }
        EXPECT_LE(lines, 10 * n);
        EXPECT_GE(lines, 9 * n);
    }
}

}  // namespace
}  // namespace sidestep::test
