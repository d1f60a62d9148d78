// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Steps of cone models against the exact answers of <sidestep/geometry.hpp>, and the oscillation
// that RVO was made against.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "property/cone_cases.hpp"
#include "sidestep/geometry.hpp"
#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {
namespace {

class ConeSteps : public WorldTest {};

double norm(Vec2 a)
{
    return std::hypot(a.x, a.y);
}

/// Beyond the cut of the linear cone if that is the nearest way out for the relative velocity, else
/// beyond its leg on that side; half of the way is a's.
HalfPlane safe_line(const MovingDisc& a, const MovingDisc& b, double horizon)
{
    const Vec2 between = b.position - a.position, x = a.velocity - b.velocity;
    const double distance = norm(between), radius = a.radius + b.radius;
    const double side = between.x * x.y - between.y * x.x > 0.0 ? 1.0 : -1.0;
    const double leg = std::atan2(between.y, between.x) + side * std::asin(radius / distance);
    const Vec2 over_leg = Vec2{-std::sin(leg), std::cos(leg)} * side;
    const Vec2 over_cut = between * (-1.0 / distance);
    const double to_leg = -dot(x, over_leg);
    const double to_cut = -dot(x, over_cut) - (distance - radius) / horizon;
    const Vec2 normal = to_cut <= to_leg ? over_cut : over_leg;
    return {a.velocity + normal * (0.5 * std::min(to_cut, to_leg)), normal};
}

/// One agent of a cone model and others of the same, apart from each other, and the same in double.
struct Encounters {
    static constexpr double kHorizon = 2.0;
    static constexpr double kMaxSpeed = 2.0;
    World world = make_world({.threads = 1});
    AgentHandle agent;
    MovingDisc self;
    std::vector<MovingDisc> others;
    Vec2 wish;

    /// Others are up to `farthest` metres away. Where they close in [1/s], which is multiplied with
    /// their distance, they do so on the agent alone and may overlap with each other.
    Encounters(std::uint64_t seed, const ProfileSpec& spec, double farthest = 3.0,
               double closing = 0.0)
    {
        SeededRandom random(seed);
        const ProfileId profile = must(world.add_profile(spec));
        self = {{}, to_float(random.in_disc(1.5)), static_cast<float>(0.2), 0};
        wish = to_float(random.in_disc(1.9));
        agent = must(world.add({.velocity = self.velocity, .profile = profile}));
        must(world.drive_by_host(agent, wish));
        const std::size_t count = 2 + random.below(9);
        for (std::uint32_t id = 1; id <= count; ++id) {
            const Vec2 at = to_float(random.direction() * random.uniform(0.42, farthest));
            const Vec2 velocity = to_float(random.in_disc(1.5) - at * closing);
            bool apart = norm(at) > 0.41;
            for (const MovingDisc& other : others) {
                apart &= closing > 0.0 || norm(at - other.position) > 0.41;
            }
            if (!apart) continue;
            others.push_back({at, velocity, static_cast<float>(0.2), id});
            must(world.add({.position = at, .velocity = velocity, .id = id, .profile = profile}));
        }
    }

    ChosenVelocity by_clearpath(bool sides) const { return by_clearpath(sides, kHorizon, others); }
    ChosenVelocity by_clearpath(bool sides, double horizon, std::span<const MovingDisc> kept) const
    {
        return must(clearpath({.agent = self,
                               .neighbours = kept,
                               .horizon = horizon,
                               .v_max = kMaxSpeed,
                               .preferred = wish,
                               .keep_sides = sides}));
    }
    /// clearpath-safe: the nearest velocity within the half-planes of those that are kept.
    ChosenVelocity by_safe_lines(double horizon, std::span<const MovingDisc> kept) const
    {
        std::vector<HalfPlane> lines;
        for (const MovingDisc& other : kept) lines.push_back(safe_line(self, other, horizon));
        const ProgramSolution answer = must(solve_program({lines, kMaxSpeed, wish, {}}));
        return {!answer.relaxed, answer.velocity, norm(answer.velocity - wish)};
    }
    ChosenVelocity by_obstacles(double share) const
    {
        return must(vo_exact({.agent = self,
                              .neighbours = others,
                              .tau = kHorizon,
                              .share = share,
                              .v_max = kMaxSpeed,
                              .preferred = wish}));
    }
};

/// Two velocities whose distances from the wish differ by less [m/s] are equally good to a step: it
/// overlooks 3e-6 times the largest speed at each boundary, and at a corner of two a few times
/// that.
constexpr double kNearTie = 2e-5;

/// A step takes the exact answer, but for another velocity that is as near.
template <class Exact>
void expect_exact_steps(const ProfileSpec& spec, Exact exact)
{
    std::size_t compared = 0, turned = 0, ties = 0;
    for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
        Encounters e(seed, spec);
        const ChosenVelocity answer = exact(e);
        if (!answer.feasible) continue;
        e.world.step();
        const Vec2 v = must(e.world.agent(e.agent)).velocity;
        ++compared;
        turned += norm(answer.velocity - e.wish) > 1e-3 ? 1 : 0;
        if (norm(v - answer.velocity) <= 1e-4) continue;
        ASSERT_NEAR(norm(v - e.wish), answer.distance, kNearTie)
            << "seed " << seed << ": (" << v.x << ", " << v.y << ") in place of ("
            << answer.velocity.x << ", " << answer.velocity.y << ")";
        ++ties;
    }
    EXPECT_GT(compared, 4'000u);
    EXPECT_GT(turned, 1'500u);
    EXPECT_LT(ties * 500, compared);  // at most 4 of 4,546 as this is written
}

ProfileSpec spec_of(const char* model, std::vector<ParamValue> values = {})
{
    values.emplace_back("time_horizon", Encounters::kHorizon);
    values.emplace_back("max_speed", Encounters::kMaxSpeed);
    return {.model = model, .values = values};
}

TEST_F(ConeSteps, of_vo_take_the_exact_velocity)
{
    expect_exact_steps(spec_of("vo"), [](const Encounters& e) { return e.by_obstacles(1.0); });
}

TEST_F(ConeSteps, of_rvo_take_the_exact_velocity)
{
    expect_exact_steps(spec_of("rvo"), [](const Encounters& e) { return e.by_obstacles(0.5); });
}

TEST_F(ConeSteps, of_clearpath_1_take_the_exact_velocity)
{
    expect_exact_steps(spec_of("clearpath", {{"variant", 1}}),
                       [](const Encounters& e) { return e.by_clearpath(true); });
}

TEST_F(ConeSteps, of_clearpath_2_take_the_exact_velocity)
{
    expect_exact_steps(spec_of("clearpath", {{"variant", 2}}),
                       [](const Encounters& e) { return e.by_clearpath(false); });
}

TEST_F(ConeSteps, of_clearpath_safe_take_the_exact_velocity)
{
    expect_exact_steps(spec_of("clearpath-safe"), [](const Encounters& e) {
        return e.by_safe_lines(Encounters::kHorizon, e.others);
    });
}

/// What ClearPath comes to when it gives way, by the words of its page: it looks half as far ahead
/// and again, not below the step of 0.05 s; one that keeps sides then lets them be and begins
/// again; then the farthest neighbours are given up, but the nearest never.
struct Retreat {
    ChosenVelocity answer;
    bool halved = false;
    bool lets_sides_be = false;
    std::size_t given_up = 0;
};

template <class Exact>  ///< (keeps sides, horizon, neighbours kept) -> ChosenVelocity
Retreat retreat(const Encounters& e, bool sides, Exact exact)
{
    Retreat found;
    double shortest = 0.0;
    for (const bool keeps_sides : {true, false}) {
        if (keeps_sides && !sides) continue;
        found.lets_sides_be = sides && !keeps_sides;
        for (double horizon = Encounters::kHorizon; horizon >= 0.05; horizon *= 0.5) {
            shortest = horizon;
            found.halved = horizon < Encounters::kHorizon;
            found.answer = exact(keeps_sides, horizon, std::span(e.others));
            if (found.answer.feasible) return found;
        }
    }
    std::vector<MovingDisc> kept = e.others;
    std::sort(kept.begin(), kept.end(), [](const MovingDisc& a, const MovingDisc& b) {
        return norm(a.position) < norm(b.position);
    });
    while (!found.answer.feasible && kept.size() > 1) {
        kept.pop_back();
        ++found.given_up;
        found.answer = exact(false, shortest, std::span<const MovingDisc>(kept));
    }
    return found;
}

/// Steps into crowds that leave nothing, without a limit of acceleration.
template <class Exact>
void expect_exact_retreats(const ProfileSpec& spec, bool sides, Exact exact)
{
    std::size_t compared = 0, halved = 0, without_sides = 0, given_up = 0, others = 0;
    for (std::uint64_t seed = 0; seed < 4'000; ++seed) {
        Encounters e =
            seed % 2 == 0 ? Encounters(seed, spec, 1.0) : Encounters(seed, spec, 0.6, 3.0);
        const Retreat expected = retreat(e, sides, [&](bool keeps, double horizon, auto kept) {
            return exact(e, keeps, horizon, kept);
        });
        if (!expected.answer.feasible) continue;  // not even the nearest: lines decide
        e.world.step();
        const Vec2 v = must(e.world.agent(e.agent)).velocity;
        ++compared;
        halved += expected.halved && !expected.lets_sides_be && expected.given_up == 0 ? 1 : 0;
        without_sides += expected.lets_sides_be && expected.given_up == 0 ? 1 : 0;
        given_up += expected.given_up > 0 ? 1 : 0;
        if (norm(v - expected.answer.velocity) <= 1e-4) continue;
        // What just fits in double may just not in float, or is as near.
        others += std::abs(norm(v - e.wish) - expected.answer.distance) > kNearTie ? 1 : 0;
    }
    std::printf(
        "%s: %zu compared, of these looked less far %zu, let sides be %zu, gave up %zu; "
        "otherwise %zu\n",
        spec.model.c_str(), compared, halved, without_sides, given_up, others);
    EXPECT_GT(compared, 3'500u);
    EXPECT_GT(halved, 100u);
    if (sides) {
        EXPECT_GT(without_sides, 200u);
    }
    EXPECT_GT(given_up, 100u);
    EXPECT_LT(others * 200, compared);
}

TEST_F(ConeSteps, of_clearpath_1_that_find_nothing_give_way_as_its_page_says)
{
    expect_exact_retreats(spec_of("clearpath", {{"variant", 1}}), true,
                          [](const Encounters& e, bool sides, double horizon, auto kept) {
                              return e.by_clearpath(sides, horizon, kept);
                          });
}

TEST_F(ConeSteps, of_clearpath_2_that_find_nothing_give_way_as_its_page_says)
{
    expect_exact_retreats(spec_of("clearpath", {{"variant", 2}}), false,
                          [](const Encounters& e, bool sides, double horizon, auto kept) {
                              return e.by_clearpath(sides, horizon, kept);
                          });
}

TEST_F(ConeSteps, of_clearpath_safe_that_find_nothing_give_way_as_its_page_says)
{
    expect_exact_retreats(spec_of("clearpath-safe"), false,
                          [](const Encounters& e, bool, double horizon, auto kept) {
                              return e.by_safe_lines(horizon, kept);
                          });
}

/// What is forbidden to an agent by its `kept` nearest neighbours alone.
class KeptCones {
public:
    KeptCones(const Encounters& e, ConeKind kind, std::size_t kept)
        : case_{.agent = e.self,
                .neighbours = e.others,
                .edges = {},
                .horizon = Encounters::kHorizon,
                .v_max = Encounters::kMaxSpeed,
                .target = e.wish,
                .reach = {}}
    {
        std::vector<MovingDisc>& all = case_.neighbours;
        std::sort(all.begin(), all.end(), [](const MovingDisc& a, const MovingDisc& b) {
            return norm(a.position) < norm(b.position);
        });
        all.resize(std::min(all.size(), kept));
        oracle_.emplace(case_, kind);
    }
    KeptCones(const KeptCones&) = delete;

    double clearance(Vec2 v) const { return oracle_->clearance(v); }
    /// Of 60 x 90 velocities within `reach` of the present one, and within the speed limit, the
    /// least distance from the wish of those that are clearly allowed.
    double least_sampled(double reach) const
    {
        double least = std::numeric_limits<double>::infinity();
        for (int ring = 0; ring <= 60; ++ring) {
            for (int spoke = 0; spoke < 90; ++spoke) {
                const double angle = 0.0698132 * spoke + 0.01;
                const Vec2 v = case_.agent.velocity +
                               Vec2{std::cos(angle), std::sin(angle)} * (reach * ring / 60);
                if (norm(v) > case_.v_max || clearance(v) < 3e-5) continue;
                least = std::min(least, norm(v - case_.target));
            }
        }
        return least;
    }

private:
    ConeCase case_;
    std::optional<ConeOracle> oracle_;
};

// The kinodynamic limit of [CP09], step 6: neighbours are given up, the farthest first, while
// nothing within reach is left, and no more of them.
TEST_F(ConeSteps, of_clearpath_give_up_no_more_than_leaves_something_within_reach)
{
    constexpr double kReach = 4.0 * 0.05;  // [m/s]
    constexpr double kNothing = std::numeric_limits<double>::infinity();
    for (const int variant : {1, 2}) {
        const ConeKind kind = variant == 1 ? ConeKind::clearpath_1 : ConeKind::clearpath_2;
        std::size_t all = 0, some = 0, none = 0;
        for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
            SCOPED_TRACE("variant " + std::to_string(variant) + ", seed " + std::to_string(seed));
            Encounters e(
                seed,
                spec_of("clearpath", {{"variant", double(variant)}, {"max_acceleration", 4.0}}),
                1.5);
            const Explanation why = must(e.world.explain(e.agent));
            const std::string& reason = why.reason;
            e.world.step();
            const Vec2 v = must(e.world.agent(e.agent)).velocity;
            ASSERT_LE(norm(v - e.self.velocity), kReach + 1e-5);
            if (reason.find("not even the nearest") != std::string::npos) continue;
            if (reason.find("cut back") != std::string::npos) {
                ASSERT_EQ(KeptCones(e, kind, 1).least_sampled(kReach), kNothing);
                ++none;
                continue;
            }
            std::size_t kept = e.others.size(), of = kept;
            if (reason.find("leaves room") != std::string::npos) {
                ASSERT_EQ(
                    std::sscanf(reason.c_str(),
                                "not every cone leaves room: the nearest %zu of %zu", &kept, &of),
                    2)
                    << reason;
            }
            ASSERT_EQ(of, e.others.size());
            const KeptCones cones(e, kind, kept);
            ASSERT_GE(cones.clearance(v), -3e-5) << reason;
            ASSERT_LE(norm(v - e.wish), cones.least_sampled(kReach) + kNearTie) << reason;
            (kept < of ? some : all) += 1;
            if (kept < of) {
                ASSERT_EQ(KeptCones(e, kind, kept + 1).least_sampled(kReach), kNothing) << reason;
            }
        }
        std::printf("variant %d: %zu avoid all, %zu some, %zu are cut back\n", variant, all, some,
                    none);
        EXPECT_GT(all, 200u);
        EXPECT_GT(some, 200u);
        EXPECT_GT(none, 20u);
    }
}

/// Two that are 0.3 m deep in each other, and want the same way: nobody gets out of that in a step.
TEST_F(ConeSteps, of_vo_leave_an_overlap_that_outlasts_the_step)
{
    for (const double chooser : {0.0, 1.0}) {
        SCOPED_TRACE(chooser == 0.0 ? "exact" : "sampled");
        World world = make_world({.threads = 1});
        const ProfileId profile = must(world.add_profile(spec_of("vo", {{"chooser", chooser}})));
        std::vector<AgentHandle> pair;
        for (const double y : {0.05, -0.05}) {
            pair.push_back(must(
                world.add({.position = {0.0, y}, .velocity = {1.0, 0.0}, .profile = profile})));
            must(world.drive_by_host(pair.back(), {1.0, 0.0}));
        }
        for (int step = 0; step < 20; ++step) ASSERT_FALSE(world.step().fault);
        const Vec2 between =
            must(world.agent(pair[0])).position - must(world.agent(pair[1])).position;
        EXPECT_GE(norm(between), 0.4 - 1e-3);
        EXPECT_GT(must(world.agent(pair[0])).position.x, 0.2);
    }
}

/// One agent that overlaps by 0.1 m with another of its kind to the east, who stands: radii 0.2 m,
/// overlap_time 0.5 s, steps of 0.05 s. Of its share, 1/2, of this pair it still overlaps with
/// after that time at velocities in the disc C2, [CP09] §3.4, about 0.15 / 0.5 = 0.3 m/s east of
/// half its own, of radius 0.2 / 0.5 = 0.4 m/s.
struct Overlapping {
    World world = make_world({.dt = 0.05, .threads = 1});
    AgentHandle agent;

    Overlapping(ProfileSpec spec, Vec2 velocity, Vec2 wish)
    {
        spec.values.emplace_back("radius", 0.2);
        spec.values.emplace_back("overlap_time", 0.5);
        const ProfileId profile = must(world.add_profile(spec));
        agent = must(world.add({.velocity = velocity, .profile = profile}));
        must(world.add({.position = {0.3, 0}, .profile = profile}));
        must(world.drive_by_host(agent, wish));
    }
    void expect_step_to(Vec2 expected)
    {
        const std::string reason = must(world.explain(agent)).reason;
        world.step();
        const Vec2 v = must(world.agent(agent)).velocity;
        EXPECT_NEAR(v.x, expected.x, 1e-5) << reason;
        EXPECT_NEAR(v.y, expected.y, 1e-5) << reason;
    }
};

const Vec2 kNorth{0, 1.3};
/// Values of overlap_wish.
constexpr double kStands = 0.0, kWalks = 1.0;

/// The ways ClearPath chooses, each with a limit of acceleration [m/s2], or none.
std::vector<ProfileSpec> clearpath_specs(double walks, std::optional<double> a_max = std::nullopt)
{
    std::vector<ProfileSpec> all{
        {.model = "clearpath", .values = {{"variant", 1}, {"overlap_wish", walks}}},
        {.model = "clearpath", .values = {{"variant", 2}, {"overlap_wish", walks}}}};
    if (walks == kWalks) all.push_back({.model = "clearpath-safe", .values = {}});
    if (a_max)
        for (ProfileSpec& spec : all) spec.values.emplace_back("max_acceleration", *a_max);
    return all;
}

// C2 ends at 0.3 - 0.4 = -0.1 m/s: everything east of that is forbidden.
TEST_F(ConeSteps, of_clearpath_leave_an_overlap_over_a_line_where_nothing_limits_them)
{
    for (const ProfileSpec& spec : clearpath_specs(kWalks)) {
        SCOPED_TRACE(spec.model);
        Overlapping(spec, {0, 0}, kNorth).expect_step_to({-0.1, 1.3});
        Overlapping(spec, {0, 0}, {1.3, 0}).expect_step_to({-0.1, 0});
        Overlapping(spec, {0, 0}, {-1.3, 0}).expect_step_to({-1.3, 0});
    }
    for (const ProfileSpec& spec : clearpath_specs(kStands)) {
        Overlapping(spec, {0, 0}, kNorth).expect_step_to({-0.1, 0});
        Overlapping(spec, {0, 0}, {-1.3, 0}).expect_step_to({-0.1, 0});
    }
}

// With 4 m/s2, 0.2 m/s can be reached in a step. The circles cross at a distance of
// h = (0.3^2 + 0.4^2 - 0.2^2) / (2 * 0.3) = 0.35 m/s from the centre of C2: x = -0.05, y = +-sqrt
// 0.0375. Tangents there meet at the apex x = 0.3 - 0.4^2 / 0.35 = -0.157143 with a half angle of
// sine 0.875. Nearest to 0 on them, on the right: the foot, 0.157143 (sine^2, sine cosine) off.
TEST_F(ConeSteps, of_clearpath_leave_an_overlap_over_a_cone_within_their_limit)
{
    const double sine = 0.35 / 0.4, cosine = std::sqrt(1.0 - sine * sine), apex = 0.16 / 0.35 - 0.3;
    for (const ProfileSpec& spec : clearpath_specs(kStands, 4.0)) {
        const Vec2 foot{-apex * sine * sine, -apex * sine * cosine};
        Overlapping(spec, {0, 0}, kNorth).expect_step_to(foot);
        Overlapping(spec, {0, 0}, {1.3, 0}).expect_step_to(foot);
    }
    for (const ProfileSpec& spec : clearpath_specs(kWalks, 4.0)) {
        SCOPED_TRACE(spec.model);
        Overlapping(spec, {0, 0}, kNorth).expect_step_to({-0.05, std::sqrt(0.0375)});
        Overlapping(spec, {0, 0}, {0, -1.3}).expect_step_to({-0.05, -std::sqrt(0.0375)});
    }
}

// With 1 m/s2 all that can be reached, up to 0.05 m/s, is in C2: as far out of it as possible,
// whatever they want.
TEST_F(ConeSteps, of_clearpath_leave_as_fast_as_they_can_an_overlap_that_outlasts_the_step)
{
    for (const double walks : {kStands, kWalks}) {
        for (const ProfileSpec& spec : clearpath_specs(walks, 1.0)) {
            SCOPED_TRACE(spec.model);
            Overlapping(spec, {0, 0}, kNorth).expect_step_to({-0.05, 0});
            Overlapping(spec, {0, 0}, {1.3, 0}).expect_step_to({-0.05, 0});
            // Half of 0.2 m/s north moves C2 there too: out of it is west and north.
            const Vec2 out = Vec2{-0.3, 0.1} * (1.0 / std::sqrt(0.1));
            Overlapping(spec, {0, 0.2}, {1.3, 0}).expect_step_to(Vec2{0, 0.2} + out * 0.05);
        }
    }
}

// Half of 1 m/s west is away from C2 by 0.5 + 0.3 > 0.2 + 0.4 m/s: nothing is asked for.
TEST_F(ConeSteps, of_clearpath_are_free_in_an_overlap_that_they_leave_anyway)
{
    for (const ProfileSpec& spec : clearpath_specs(kStands, 4.0))
        Overlapping(spec, {-1, 0}, kNorth).expect_step_to({-0.8, 0});
    for (const ProfileSpec& spec : clearpath_specs(kWalks, 4.0)) {
        SCOPED_TRACE(spec.model);
        Overlapping(spec, {-1, 0}, kNorth)
            .expect_step_to(Vec2{-1, 0} + Vec2{1, 1.3} * (0.2 / norm({1, 1.3})));
    }
}

// The circle of velocities that lead into a wide body soon is many times that of maximum speed; the
// only good answer is where they cross.
TEST_F(ConeSteps, that_start_before_a_wide_body_take_the_exact_velocity)
{
    std::size_t crossings = 0;
    for (const double body_radius : {1.0, 2.0, 5.0, 10.0}) {
        for (const double goal_x : {-40.0, -20.0, -5.0, 0.0, 5.0, 20.0}) {
            for (const double gap : {0.05, 0.1, 0.2}) {
                SCOPED_TRACE(testing::Message() << body_radius << " m, goal at x = " << goal_x
                                                << ", gap " << gap << " m");
                World world = make_world({.threads = 1});
                const ProfileId profile = must(world.add_profile(
                    {.model = "vo", .values = {{"time_horizon", 0.1}, {"max_speed", 1.9}}}));
                const AgentHandle agent = must(world.add({.profile = profile}));
                const Vec2 wish =
                    to_float(Vec2{goal_x, 99.9} * (1.9 / norm(Vec2{goal_x, 99.9})) * 0.9999);
                must(world.drive_by_host(agent, wish));
                const Vec2 at = to_float({body_radius + 0.2 + gap, 0});
                must(world.add_body({.position = at, .radius = body_radius, .velocity = {-1, 0}}));
                const MovingDisc body[] = {{at, {-1, 0}, body_radius, 1}};
                const ChosenVelocity exact =
                    must(vo_exact({.agent = {{}, {}, static_cast<float>(0.2), 0},
                                   .neighbours = body,
                                   .tau = 0.1,
                                   .share = 1.0,
                                   .v_max = 1.9,
                                   .preferred = wish}));
                ASSERT_TRUE(exact.feasible);
                crossings += norm(exact.velocity) > 1.9 - 1e-6 ? 1 : 0;
                world.step();
                const Vec2 v = must(world.agent(agent)).velocity;
                EXPECT_NEAR(v.x, exact.velocity.x, 1e-4);
                EXPECT_NEAR(v.y, exact.velocity.y, 1e-4);
            }
        }
    }
    EXPECT_GT(crossings, 20u);
}

// A step samples the same 253 velocities in float: of two whose penalties differ by a rounding it
// may take the other.
TEST_F(ConeSteps, that_sample_take_the_candidate_of_least_penalty_by_contact_weight)
{
    for (const char* model : {"vo", "rvo"}) {
        for (const double weight : {0.25, 2.0, 8.0}) {
            SCOPED_TRACE(std::string(model) + ", weight " + std::to_string(weight));
            std::size_t turned = 0, others = 0;
            for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
                Encounters e(seed, spec_of(model, {{"chooser", 1}, {"contact_weight", weight}}));
                const SampledVelocity answer =
                    must(rvo_sample({.agent = e.self,
                                     .neighbours = e.others,
                                     .share = std::string(model) == "vo" ? 1.0 : 0.5,
                                     .weight = weight,
                                     .v_max = Encounters::kMaxSpeed,
                                     .preferred = e.wish}));
                e.world.step();
                const Vec2 v = must(e.world.agent(e.agent)).velocity;
                turned += answer.index != 0 ? 1 : 0;
                others += norm(v - answer.velocity) > 1e-4 ? 1 : 0;
            }
            EXPECT_GT(turned, 300u);
            EXPECT_LE(others, 1u);
        }
    }
}

/// What two who meet almost head on do in 60 steps.
struct Swings {
    int reversals = 0;       ///< of the sideways velocity of one
    double variation = 0.0;  ///< sum of |dv_x| + |dv_y| [m/s]
    double nearest = 1e9;    ///< between the bodies [m]
};

Swings swings_of(const ProfileSpec& spec)
{
    World world = make_world({.dt = 0.25, .threads = 1});
    const ProfileId profile = must(world.add_profile(spec));
    const AgentHandle a =
        must(world.add({.position = {-5, 0}, .velocity = {1.3, 0}, .profile = profile}));
    const AgentHandle b =
        must(world.add({.position = {5, 0.02}, .velocity = {-1.3, 0}, .profile = profile}));
    must(world.drive_by_host(a, {1.3, 0}));
    must(world.drive_by_host(b, {-1.3, 0}));
    Swings swings;
    double last_change = 0.0;
    Vec2 before{};
    for (int step = 0; step < 60; ++step) {
        world.step();
        const AgentState now = must(world.agent(a));
        swings.nearest =
            std::min(swings.nearest, norm(now.position - must(world.agent(b)).position) - 1.0);
        const Vec2 change = now.velocity - before;
        before = now.velocity;
        if (step == 0) continue;
        swings.variation += std::abs(change.x) + std::abs(change.y);
        if (std::abs(change.y) <= 1e-6) continue;
        if (change.y * last_change < 0.0) ++swings.reversals;
        last_change = change.y;
    }
    return swings;
}

TEST_F(ConeSteps, of_two_who_meet_swing_with_vo_and_with_nobody_else)
{
    struct Case {
        std::string model;
        std::vector<ParamValue> values;
    };
    for (const Case& c :
         {Case{"vo", {}}, Case{"rvo", {}}, Case{"orca", {}}, Case{"clearpath", {{"variant", 1.0}}},
          Case{"clearpath", {{"variant", 2.0}}}, Case{"clearpath-safe", {}}}) {
        SCOPED_TRACE(c.model + (c.values.empty() ? "" : std::to_string(c.values[0].second)));
        ProfileSpec spec{.model = c.model, .values = c.values};
        spec.values.insert(spec.values.end(), {{"radius", 0.5},
                                               {"time_horizon", 4.0},
                                               {"max_speed", 2.0},
                                               {"neighbour_range", 20.0}});
        const Swings swings = swings_of(spec);
        EXPECT_GT(swings.nearest, -1e-4);
        if (c.model == "vo") {
            EXPECT_GE(swings.reversals, 8);
            EXPECT_NEAR(swings.variation, 4.18, 0.05);
        } else {
            EXPECT_LE(swings.reversals, 1);
            EXPECT_NEAR(swings.variation, 0.139, 0.01);
        }
    }
}

}  // namespace
}  // namespace sidestep::test
