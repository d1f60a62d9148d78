// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Why an agent of a cone model does what it does: its cones, what was given up, and one sentence.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/wall_scenes.hpp"

namespace sidestep::test {
namespace {

class ConeExplain : public WorldTest {};

/// Velocities [m/s] this far inside a cone are at its rim: what a step overlooks, at speeds of 2
/// m/s and of neighbours twice as fast, and the rounding of the cone's corners.
constexpr double kRim = 5e-5;

double cross(Vec2 a, Vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

/// By the words of struct Explanation::Cone.
bool is_inside(const Explanation::Cone& cone, Vec2 v)
{
    if (cone.arc_radius > 0.0 && norm(v - cone.arc_centre) < cone.arc_radius - kRim) return true;
    if (cross(cone.left_direction, v - cone.left_start) > -kRim) return false;
    if (cross(cone.right_direction, v - cone.right_start) < kRim) return false;
    const Vec2 cut = cone.left_start - cone.right_start;
    if (norm(cut) < 1e-9) return true;
    const Vec2 inwards = Vec2{cut.y, -cut.x} * (1.0 / norm(cut));
    return dot(v - cone.left_start, inwards) > kRim;
}

bool starts_with(const std::string& text, const char* begin)
{
    return text.rfind(begin, 0) == 0;
}

const ProfileSpec kConeSpecs[] = {
    {.model = "vo", .values = {}},
    {.model = "rvo", .values = {}},
    {.model = "clearpath", .values = {{"variant", 1}}},
    {.model = "clearpath", .values = {{"variant", 2}}},
    {.model = "seek", .values = {{"filter", 2}}},
};

/// A crowd at one per m2 with a pillar, a disc that moves and every acceleration mode.
struct Crowd {
    World world = make_world({.threads = 1});
    std::vector<AgentHandle> agents;

    Crowd(const ProfileSpec& spec, std::uint64_t seed)
    {
        const ProfileId profile = must(world.add_profile(spec));
        must(world.add_wall({rectangle({-4, -4}, {4, 4}), WallKind::room}));
        must(world.add_wall({rectangle({-0.5, -0.5}, {0.5, 0.5}), WallKind::solid}));
        must(world.add_body({.position = {2, 2}, .radius = 0.3, .velocity = {-0.3, 0.1}}));
        SeededRandom random(seed);
        for (int i = 0; i < 60; ++i) {
            const Vec2 at = random.in_box(3.7);
            const Vec2 goal = random.in_box(3.7);
            const char* mode = random.one_of({"disc", "clamp", "brake", "avo"});
            if (std::abs(at.x) < 0.8 && std::abs(at.y) < 0.8) continue;
            agents.push_back(must(world.add({.position = at, .goal = goal, .profile = profile})));
            if (i % 3 != 0) continue;
            must(world.set_trait(agents.back(), "max_acceleration", 2.0));
            must(world.set_trait(agents.back(), "acceleration_mode", mode));
        }
    }
};

/// Every cone and line is of a neighbour, body or wall that there is, and no neighbour has two
/// cones. Each has a cone or a line, but for those that overlap with one that cannot do anything
/// about it within its limit of acceleration, or need not: [CP09] §3.4 demands nothing there.
void expect_known_sources(const Explanation& why)
{
    std::set<std::uint32_t> neighbours, seen;
    for (const Explanation::Neighbour& n : why.neighbours) neighbours.insert(n.id);
    for (const Explanation::Cone& cone : why.cones) {
        switch (cone.source) {
            case Explanation::Source::agent:
                EXPECT_TRUE(neighbours.contains(cone.source_id));
                EXPECT_TRUE(seen.insert(cone.source_id).second);
                break;
            case Explanation::Source::body: EXPECT_EQ(cone.source_id, 0u); break;
            case Explanation::Source::wall: EXPECT_LT(cone.source_id, 2u); break;
        }
        EXPECT_NEAR(norm(cone.left_direction), 1.0, 1e-6);
        EXPECT_NEAR(norm(cone.right_direction), 1.0, 1e-6);
    }
    for (const Explanation::Line& line : why.lines) {
        if (line.source == Explanation::Source::agent) seen.insert(line.source_id);
    }
    for (const Explanation::Neighbour& n : why.neighbours)
        EXPECT_TRUE(seen.contains(n.id) || n.distance < 0.4) << n.id << " at " << n.distance;
}

bool has(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

/// How many neighbours are kept out of by the words of the reason, nearest first: all, or those it
/// says. Nothing where the choice was not made among cones, or was changed afterwards.
std::optional<std::size_t> kept_by_reason(const Explanation& why)
{
    if (has(why.reason, "acceleration limit")) return std::nullopt;
    const std::size_t some = why.reason.find("the nearest ");  // a filter has words before
    if (has(why.reason, "leaves room: the nearest ") && !has(why.reason, "not even")) {
        std::size_t kept = 0, all = 0;
        EXPECT_EQ(
            std::sscanf(why.reason.c_str() + some, "the nearest %zu of %zu neigh", &kept, &all), 2);
        EXPECT_EQ(all, why.neighbours.size());
        EXPECT_LT(kept, all);
        return kept;
    }
    if (has(why.reason, "nearest to the wish that is outside all cones") ||
        has(why.reason, "is outside all cones of the next "))
        return why.neighbours.size();
    return std::nullopt;
}

/// Neighbours come nearest first, and the farthest are given up.
void expect_given_up_from(std::size_t kept, const Explanation& why)
{
    std::map<std::uint32_t, std::size_t> rank;
    for (std::size_t i = 0; i < why.neighbours.size(); ++i) {
        rank[why.neighbours[i].id] = i;
        if (i > 0) {
            EXPECT_GE(why.neighbours[i].distance, why.neighbours[i - 1].distance);
        }
    }
    const auto is_kept = [&](Explanation::Source source, std::uint32_t id) {
        return source != Explanation::Source::agent || rank.at(id) < kept;
    };
    for (const Explanation::Cone& cone : why.cones)
        ASSERT_EQ(cone.given_up, !is_kept(cone.source, cone.source_id)) << cone.source_id;
    for (const Explanation::Line& line : why.lines)
        ASSERT_EQ(line.given_up, !is_kept(line.source, line.source_id)) << line.source_id;
}

TEST_F(ConeExplain, tells_what_the_step_then_does_and_the_cones_it_kept_out_of)
{
    for (const ProfileSpec& spec : kConeSpecs) {
        std::size_t compared = 0, outside = 0, by_all = 0, by_some = 0, of_walls = 0, of_bodies = 0;
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
            Crowd crowd(spec, seed);
            for (int step = 0; step < 12; ++step) {
                SCOPED_TRACE(spec.model + ", seed " + std::to_string(seed) + ", step " +
                             std::to_string(step));
                std::vector<Explanation> told;
                for (const AgentHandle agent : crowd.agents)
                    told.push_back(must(crowd.world.explain(agent)));
                const bool cut = crowd.world.step().wall_contacts > 0;
                for (std::size_t i = 0; i < told.size(); ++i) {
                    const Explanation& why = told[i];
                    SCOPED_TRACE("agent " + std::to_string(why.id) + ": " + why.reason);
                    if (!cut) {
                        ASSERT_EQ(must(crowd.world.agent(crowd.agents[i])).velocity,
                                  why.chosen_velocity);
                        ++compared;
                    }
                    expect_known_sources(why);
                    if (const auto kept = kept_by_reason(why)) {
                        ASSERT_NO_FATAL_FAILURE(expect_given_up_from(*kept, why));
                        (*kept < why.neighbours.size() ? by_some : by_all) += 1;
                    }
                    for (const Explanation::Cone& cone : why.cones) {
                        if (!cone.given_up) {
                            ASSERT_FALSE(is_inside(cone, why.chosen_velocity));
                            ++outside;
                        }
                        of_walls += cone.source == Explanation::Source::wall ? 1 : 0;
                        of_bodies += cone.source == Explanation::Source::body ? 1 : 0;
                    }
                }
            }
        }
        SCOPED_TRACE(spec.model);
        std::printf("%s: outside all cones %zu, of the nearest %zu\n", spec.model.c_str(), by_all,
                    by_some);
        const bool gives_up = spec.model != "vo" && spec.model != "rvo";  // those sample
        EXPECT_GT(compared, 300u);
        EXPECT_GT(outside, 5'000u);
        EXPECT_GT(by_all, 500u);
        if (gives_up) {
            EXPECT_GT(by_some, 50u);
        }
        EXPECT_GT(of_walls, 1'000u);
        EXPECT_GT(of_bodies, 300u);
    }
}

TEST_F(ConeExplain, gives_up_no_cone_of_what_is_outside_all_of_them)
{
    std::size_t complete = 0;
    for (const ProfileSpec& spec : kConeSpecs) {
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            Crowd crowd(spec, seed);
            for (int step = 0; step < 6; ++step) crowd.world.step();
            for (const AgentHandle agent : crowd.agents) {
                const Explanation why = must(crowd.world.explain(agent));
                if (why.reason.find("the velocity nearest to the wish that is outside all cones") ==
                        std::string::npos ||
                    why.reason.find("cut back") != std::string::npos)
                    continue;
                ++complete;
                for (const Explanation::Cone& cone : why.cones)
                    EXPECT_FALSE(cone.given_up) << why.id << ": " << why.reason;
            }
        }
    }
    EXPECT_GT(complete, 500u);
}

/// One agent at 0 that wants to go east, among others of its kind.
struct Alone {
    World world = make_world({.threads = 1});
    ProfileId profile;
    AgentHandle agent;

    explicit Alone(const ProfileSpec& spec, Vec2 velocity = {1, 0})
        : profile(must(world.add_profile(spec))),
          agent(must(world.add({.velocity = velocity, .goal = Vec2{9, 0}, .profile = profile})))
    {}
    void meet(Vec2 at, Vec2 velocity)
    {
        must(world.add({.position = at, .velocity = velocity, .profile = profile}));
    }
    /// Six close in from all sides, fast, the first from `nearest` metres, each from a little
    /// farther.
    void surround(double nearest = 0.6, double farther = 0.0)
    {
        for (int i = 0; i < 6; ++i) {
            const Vec2 from = turned({nearest + farther * i, 0}, 1.0472 * i);
            meet(from, from * -3.0);
        }
    }
    Explanation why() { return must(world.explain(agent)); }
};

TEST_F(ConeExplain, says_that_nobody_is_in_the_way)
{
    for (const ProfileSpec& spec : kConeSpecs) {
        const Explanation why = Alone(spec).why();
        EXPECT_NE(why.reason.find("nobody is in the way"), std::string::npos) << why.reason;
        EXPECT_TRUE(why.cones.empty());
        EXPECT_NEAR(why.chosen_velocity.x, 1.34, 1e-5);
    }
}

TEST_F(ConeExplain, says_that_the_velocity_is_outside_all_cones_and_on_its_own_side)
{
    for (const ProfileSpec& spec : kConeSpecs) {
        Alone scene(spec);
        scene.meet({1.5, 0.1}, {-1, 0});
        const Explanation why = scene.why();
        EXPECT_NE(why.reason.find("the velocity nearest to the wish that is outside all cones"),
                  std::string::npos)
            << why.reason;
        ASSERT_EQ(why.cones.size(), 1u);
        EXPECT_FALSE(why.cones[0].given_up);
        EXPECT_TRUE(is_inside(why.cones[0], why.preferred_velocity));
        const bool sided = spec.model == "clearpath" && spec.values[0].second == 1.0;
        EXPECT_EQ(why.reason.find("on its own side") != std::string::npos, sided) << why.reason;
        EXPECT_EQ(why.lines.size(), sided ? 1u : 0u);
        EXPECT_EQ(why.neighbours.at(0).share, spec.model == "vo" ? 1.0 : 0.5);
    }
}

TEST_F(ConeExplain, says_how_many_neighbours_clearpath_still_avoids)
{
    Alone scene({.model = "clearpath", .values = {{"variant", 2}}});
    scene.surround(0.41, 0.005);
    const Explanation why = scene.why();
    std::size_t kept = 0, all = 0;
    ASSERT_EQ(std::sscanf(why.reason.c_str(), "not every cone leaves room: the nearest %zu of %zu",
                          &kept, &all),
              2)
        << why.reason;
    EXPECT_EQ(all, 6u);
    EXPECT_LT(kept, 6u);
    const auto given_up = std::count_if(why.cones.begin(), why.cones.end(),
                                        [](const Explanation::Cone& c) { return c.given_up; });
    EXPECT_GT(given_up, 0);
    EXPECT_LE(static_cast<std::size_t>(given_up), 6u - kept);
    EXPECT_GT(scene.world.step().infeasible_programs, 0u);
}

TEST_F(ConeExplain, speaks_of_lines_where_there_are_no_cones)
{
    const ProfileSpec safe{.model = "clearpath-safe", .values = {}};
    Alone free(safe);
    free.meet({1.5, 0.1}, {-1, 0});
    EXPECT_EQ(free.why().reason, "the velocity nearest to the wish that keeps to all lines");

    Alone near(safe);
    near.surround();
    EXPECT_TRUE(starts_with(near.why().reason, "keeps to all lines of the next "))
        << near.why().reason;

    Alone stuck(safe);
    stuck.surround(0.41, 0.005);
    const Explanation why = stuck.why();
    std::size_t kept = 0, all = 0;
    ASSERT_EQ(std::sscanf(why.reason.c_str(), "not every line leaves room: the nearest %zu of %zu",
                          &kept, &all),
              2)
        << why.reason;
    EXPECT_TRUE(why.cones.empty());
    ASSERT_EQ(why.lines.size(), all);
    ASSERT_EQ(why.neighbours.size(), all);
    for (std::size_t i = 0; i < all; ++i) {  // neighbours and lines alike come nearest first
        EXPECT_EQ(why.lines[i].source_id, why.neighbours[i].id);
        EXPECT_EQ(why.lines[i].given_up, i >= kept) << i;
    }

    Alone by_wall(safe);
    must(by_wall.world.add_wall({{{0.8, -3}, {0.8, 3}}, WallKind::thin}));
    by_wall.meet({-1, 0}, {0, 0});
    EXPECT_EQ(by_wall.why().reason,
              "the velocity nearest to the wish that keeps to all lines and is outside all cones");
}

TEST_F(ConeExplain, says_how_far_clearpath_1_still_looks_to_keep_its_sides)
{
    Alone scene({.model = "clearpath", .values = {{"variant", 1}}});
    scene.surround();
    const Explanation why = scene.why();
    double horizon = 0.0;
    ASSERT_EQ(std::sscanf(why.reason.c_str(), "is outside all cones of the next %lf s", &horizon),
              1)
        << why.reason;
    EXPECT_NEAR(horizon, 1.5 / 16, 0.005);  // halved until it fits, not below the step of 0.05 s
    EXPECT_NE(why.reason.find("on its own side"), std::string::npos);
}

TEST_F(ConeExplain, says_that_a_velocity_was_sampled_and_whether_it_had_to_be)
{
    for (const char* model : {"vo", "rvo"}) {
        Alone asked({.model = model, .values = {{"chooser", 1}}});
        asked.meet({1.5, 0.1}, {-1, 0});
        EXPECT_TRUE(starts_with(asked.why().reason, "the sampled velocity of least penalty"))
            << asked.why().reason;
        Alone stuck({.model = model, .values = {}});
        stuck.surround();
        const Explanation why = stuck.why();
        EXPECT_TRUE(starts_with(why.reason, "no velocity is outside all cones: the sampled one"))
            << why.reason;
        EXPECT_TRUE(std::any_of(why.cones.begin(), why.cones.end(),
                                [](const Explanation::Cone& cone) { return cone.given_up; }));
    }
}

TEST_F(ConeExplain, says_that_walls_decide_where_their_cones_leave_nothing)
{
    for (ProfileSpec spec : kConeSpecs) {
        spec.values.emplace_back("max_acceleration", 0.1);
        Alone scene(spec, {1.3, 0});
        must(scene.world.add_wall({{{0.4, -3}, {0.4, 3}}, WallKind::thin}));
        const Explanation why = scene.why();
        EXPECT_NE(why.reason.find("keeps to the walls' lines"), std::string::npos) << why.reason;
        EXPECT_EQ(why.lines.size() + why.cones.size(), 1u);
        EXPECT_TRUE(why.acceleration_exceeded);
        EXPECT_LE(why.chosen_velocity.x, 0.2 + 1e-4);  // 0.2 m of room, 1 s
    }
}

TEST_F(ConeExplain, says_that_a_change_was_cut_back_or_sampled_for_a_slow_response)
{
    for (const ProfileSpec& spec : kConeSpecs) {
        for (const auto& c :
             {std::pair<const char*, const char*>{"clamp", "cut back to the acceleration limit"},
              std::pair<const char*, const char*>{"brake", "slow enough to stop in time"},
              std::pair<const char*, const char*>{"avo", "slow to respond"}}) {
            Alone scene(spec);
            must(scene.world.set_trait(scene.agent, "max_acceleration", 1.0));
            must(scene.world.set_trait(scene.agent, "acceleration_mode", c.first));
            scene.meet({1.5, 0.1}, {-1, 0});
            EXPECT_NE(scene.why().reason.find(c.second), std::string::npos) << scene.why().reason;
        }
    }
}

TEST_F(ConeExplain, walks_through_no_bodies_for_want_of_a_choice)
{
    for (const char* model : {"clearpath", "clearpath-safe"}) {
        Alone scene({.model = model, .values = {}});
        for (const Vec2 at : {Vec2{0.55, 0}, Vec2{-0.55, 0}, Vec2{0, 0.55}, Vec2{0, -0.55}})
            must(scene.world.add_body({.position = at, .radius = 0.36}));
        const Explanation why = scene.why();
        EXPECT_NE(why.reason.find("as small as it can be"), std::string::npos) << why.reason;
        for (int step = 0; step < 20; ++step) scene.world.step();
        EXPECT_LT(norm(must(scene.world.agent(scene.agent)).position), 0.1) << model;
    }
}

TEST_F(ConeExplain, passes_a_body_on_the_side_of_its_world)
{
    for (const PassingSide side : {PassingSide::right, PassingSide::left}) {
        for (const ProfileSpec& spec : kConeSpecs) {
            World world = make_world({.passing_side = side, .threads = 1});
            const AgentHandle agent = must(world.add({.position = {0, 0},
                                                      .velocity = {1.34, 0},
                                                      .goal = Vec2{20, 0},
                                                      .profile = must(world.add_profile(spec))}));
            must(world.add_body({.position = {1.8, 0}, .radius = 0.3}));
            world.step();
            const double aside = must(world.agent(agent)).velocity.y;
            EXPECT_GT(side == PassingSide::left ? aside : -aside, 0.1) << spec.model;
        }
    }
}

TEST_F(ConeExplain, counts_neighbours_given_up_in_mode_clamp)
{
    Alone scene({.model = "clearpath", .values = {{"max_acceleration", 0.2}}}, {1.3, 0});
    must(scene.world.set_trait(scene.agent, "acceleration_mode", "clamp"));
    scene.meet({1.0, 0.1}, {-1, 0});
    scene.meet({1.6, -0.2}, {-1, 0});
    EXPECT_GT(scene.world.step().infeasible_programs, 0u);
}

// The row of the side that bodies do not have was once that of the nearest wall.
TEST_F(ConeExplain, keeps_the_nearest_wall_of_clearpath_1_where_there_is_a_body)
{
    Alone scene({.model = "clearpath", .values = {{"variant", 1}}});
    const WallHandle wall = must(scene.world.add_wall({{{0.8, -3}, {0.8, 3}}, WallKind::thin}));
    must(scene.world.add_body({.position = {0, 3}, .radius = 0.5}));
    scene.meet({-1, 0}, {0, 0});
    const Explanation why = scene.why();
    const auto of_wall =
        std::count_if(why.cones.begin(), why.cones.end(), [&](const Explanation::Cone& cone) {
            return cone.source == Explanation::Source::wall && cone.source_id == wall.index;
        });
    EXPECT_EQ(of_wall, 1);
    EXPECT_NE(why.reason.find("outside all cones"), std::string::npos) << why.reason;
    EXPECT_NEAR(why.chosen_velocity.x, 0.6, 1e-4);  // 0.8 m less the radius, 1 s
}

}  // namespace
}  // namespace sidestep::test
