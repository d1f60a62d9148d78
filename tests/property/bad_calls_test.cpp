// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Calls that cannot be done: each answers with an Error in words and leaves the world as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "support/refused_calls.hpp"

namespace sidestep::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class BadCalls : public WorldTest {};

struct BadCall {
    std::string name;
    ErrorCode code;
    Attempt call;
};

/// Calls that are refused in every world.
std::vector<BadCall> all_bad_calls()
{
    std::vector<BadCall> calls;
    const auto bad = [&](std::string name, ErrorCode code, auto call) {
        calls.push_back({std::move(name), code, attempt(call)});
    };
    const auto invalid = ErrorCode::invalid_argument;
    const auto range = ErrorCode::out_of_range;
    const auto unknown = ErrorCode::unknown_name;
    const auto dead = ErrorCode::dead_handle;

    // Agents: places and velocities
    for (const double x : {kNan, kInfinity, -kInfinity}) {
        const std::string word = std::to_string(x);
        bad("add at " + word, invalid, [x](Place& s) {
            return s.world.add({.position = {x, 0.0}});
        });
        bad("add at y " + word, invalid, [x](Place& s) {
            return s.world.add({.position = {0.0, x}});
        });
        bad("add velocity " + word, invalid, [x](Place& s) {
            return s.world.add({.velocity = {0.0, x}});
        });
        bad("add goal " + word, invalid, [x](Place& s) {
            return s.world.add({.goal = Vec2{x, 0.0}});
        });
        bad("teleport " + word, invalid, [x](Place& s) {
            return s.world.teleport(s.agents[0], {x, 0.0});
        });
        bad("teleport y " + word, invalid, [x](Place& s) {
            return s.world.teleport(s.agents[0], {0.0, x}, std::uint16_t{3});
        });
        bad("set_goal " + word, invalid, [x](Place& s) {
            return s.world.set_goal(s.agents[0], {x, 0.0});
        });
        bad("set_velocity " + word, invalid, [x](Place& s) {
            return s.world.set_velocity(s.agents[0], {x, 0.0});
        });
        bad("drive_by_host " + word, invalid, [x](Place& s) {
            return s.world.drive_by_host(s.agents[0], {0.0, x});
        });
    }
    bad("set_velocity of 1001 m/s", invalid, [](Place& s) {
        return s.world.set_velocity(s.agents[0], {0.0, 1001.0});
    });
    bad("add far out", range, [](Place& s) { return s.world.add({.position = {4000.1, 0.0}}); });
    bad("add goal far out", range, [](Place& s) {
        return s.world.add({.goal = Vec2{0.0, -4000.1}});
    });
    bad("teleport far out", range, [](Place& s) {
        return s.world.teleport(s.agents[0], {1e300, 0.0});
    });
    bad("set_goal far out", range, [](Place& s) {
        return s.world.set_goal(s.agents[0], {-1e7, 0.0});
    });
    bad("add in a wall", ErrorCode::inside_wall, [](Place& s) {
        return s.world.add({.position = {22.0, 22.0}});
    });
    bad("add in a body", ErrorCode::inside_wall, [](Place& s) {
        return s.world.add({.position = {-29.0, 1.0}});
    });
    bad("teleport into a wall", ErrorCode::inside_wall, [](Place& s) {
        return s.world.teleport(s.agents[0], {22.0, 22.0});
    });
    bad("teleport into a wall of another level", ErrorCode::inside_wall, [](Place& s) {
        return s.world.teleport(s.agents[1], {22.0, 22.0}, std::uint16_t{0});
    });
    bad("add at level 65535", range, [](Place& s) { return s.world.add({.level = 65535}); });
    bad("teleport to level 65535", range,
        [](Place& s) { return s.world.teleport(s.agents[0], {}, std::uint16_t{65535}); });

    // Agents: traits, models, profiles, ids
    for (const double radius :
         {kNan, kInfinity, -kInfinity, -0.3, 0.0, 0.00999, 50.001, 1e30, 1e300}) {
        const std::string word = std::to_string(radius);
        bad("set_radius " + word, range,
            [radius](Place& s) { return s.world.set_radius(s.agents[0], radius); });
        bad("add radius " + word, range,
            [spec = AgentSpec{.traits = {{"radius", radius}}}](Place& s) {
                return s.world.add(spec);
            });
        bad("profile radius " + word, range,
            [spec = ProfileSpec{"orca", {{"radius", radius}}}](Place& s) {
                return s.world.add_profile(spec);
            });
    }
    for (const ParamInfo& info : traits()) {
        const std::string name(info.name);
        bad("nan for " + name, range,
            [name](Place& s) { return s.world.set_trait(s.agents[0], name, kNan); });
        bad("-1 for " + name, range,
            [name](Place& s) { return s.world.set_trait(s.agents[0], name, -1.0); });
        bad("-inf for " + name, range,
            [name](Place& s) { return s.world.set_trait(s.agents[0], name, -kInfinity); });
        bad("1e7 for " + name, range,
            [name](Place& s) { return s.world.set_trait(s.agents[0], name, 1e7); });
        if (!info.may_be_infinite) {
            bad("inf for " + name, range,
                [name](Place& s) { return s.world.set_trait(s.agents[0], name, kInfinity); });
        }
    }
    bad("part of a neighbour", invalid,
        [](Place& s) { return s.world.set_trait(s.agents[0], "max_neighbours", 2.5); });
    bad("horizon 0", range,
        [](Place& s) { return s.world.set_trait(s.agents[0], "time_horizon", 0.0); });
    bad("set_trait unknown", unknown,
        [](Place& s) { return s.world.set_trait(s.agents[0], "charm", 1.0); });
    bad("set_trait nameless", unknown,
        [](Place& s) { return s.world.set_trait(s.agents[0], "", 1.0); });
    bad("trait unknown", unknown, [](Place& s) { return s.world.trait(s.agents[0], "charm"); });
    bad("add with unknown trait", unknown,
        [spec = AgentSpec{.traits = {{"radius", 0.3}, {"charm", 1.0}}}](Place& s) {
            return s.world.add(spec);
        });
    bad("add_profile unknown model", unknown,
        [spec = ProfileSpec{"teleporter", {}}](Place& s) { return s.world.add_profile(spec); });
    bad("add_profile unknown trait", unknown,
        [spec = ProfileSpec{"orca", {{"charm", 1.0}}}](Place& s) {
            return s.world.add_profile(spec);
        });
    bad("add_profile trait of another model", unknown,
        [spec = ProfileSpec{"seek", {{"time_horizon", 1.0}}}](Place& s) {
            return s.world.add_profile(spec);
        });
    bad("set_model unknown", unknown,
        [](Place& s) { return s.world.set_model(s.agents[0], "teleporter"); });
    bad("set_profile unknown", unknown,
        [](Place& s) { return s.world.set_profile(s.agents[0], 77); });
    bad("add unknown profile", unknown, [](Place& s) { return s.world.add({.profile = 77}); });
    bad("add taken id", ErrorCode::duplicate_id, [](Place& s) { return s.world.add({.id = 4}); });
    bad("add reserved id", ErrorCode::duplicate_id,
        [](Place& s) { return s.world.add({.id = kNoAgent}); });
    bad("add one id twice", ErrorCode::duplicate_id,
        [specs = std::vector<AgentSpec>{{.id = 1001}, {.id = 1003}, {.id = 1001}}](Place& s) {
            return s.world.add(specs);
        });
    std::vector<AgentSpec> several(20);
    several[7].traits = {{"wall_clearance", 0.2}};
    several[19].level = 65535;
    bad("add several, the last is bad", range,
        [several](Place& s) { return s.world.add(several); });

    // Dead handles
    const auto dead_agent = [&](const std::string& name, auto call) {
        bad(name + " removed agent", dead,
            [call](Place& s) { return call(s.world, s.dead_agent); });
        bad(name + " no agent", dead, [call](Place& s) { return call(s.world, AgentHandle{}); });
        bad(name + " agent to come", dead, [call](Place& s) {
            return call(s.world, AgentHandle{s.dead_agent.index, s.dead_agent.generation + 1});
        });
        bad(name + " agent of another world", dead, [call](Place& s) {
            return call(s.world, AgentHandle{1'000'000, 0});
        });
    };
    dead_agent("remove", [](World& w, AgentHandle a) { return w.remove(a); });
    dead_agent("teleport", [](World& w, AgentHandle a) { return w.teleport(a, {}); });
    dead_agent("set_goal", [](World& w, AgentHandle a) { return w.set_goal(a, {}); });
    dead_agent("clear_goal", [](World& w, AgentHandle a) { return w.clear_goal(a); });
    dead_agent("drive_by_host", [](World& w, AgentHandle a) { return w.drive_by_host(a); });
    dead_agent("set_velocity", [](World& w, AgentHandle a) { return w.set_velocity(a, {}); });
    dead_agent("set_trait", [](World& w, AgentHandle a) { return w.set_trait(a, "rank", 2.0); });
    dead_agent("trait", [](World& w, AgentHandle a) { return w.trait(a, "rank"); });
    dead_agent("set_profile", [](World& w, AgentHandle a) { return w.set_profile(a, 0); });
    dead_agent("set_model", [](World& w, AgentHandle a) { return w.set_model(a, "seek"); });
    dead_agent("agent", [](World& w, AgentHandle a) { return w.agent(a); });
    dead_agent("explain", [](World& w, AgentHandle a) { return w.explain(a); });
    dead_agent("watch", [](World& w, AgentHandle a) { return w.watch(a); });
    dead_agent("unwatch", [](World& w, AgentHandle a) { return w.unwatch(a); });
    const auto dead_wall = [&](const std::string& name, auto call) {
        bad(name + " removed wall", dead, [call](Place& s) { return call(s.world, s.dead_wall); });
        bad(name + " no wall", dead, [call](Place& s) { return call(s.world, WallHandle{}); });
        bad(name + " wall to come", dead, [call](Place& s) {
            return call(s.world, WallHandle{s.dead_wall.index, s.dead_wall.generation + 1});
        });
    };
    dead_wall("remove", [](World& w, WallHandle h) { return w.remove_wall(h); });
    dead_wall("vertices of", [](World& w, WallHandle h) { return w.wall_vertices(h); });
    dead_wall("move",
              [to = square({}, 1.0)](World& w, WallHandle h) { return w.move_wall(h, to); });
    const auto dead_body = [&](const std::string& name, auto call) {
        bad(name + " removed body", dead, [call](Place& s) { return call(s.world, s.dead_body); });
        bad(name + " no body", dead, [call](Place& s) { return call(s.world, BodyHandle{}); });
        bad(name + " body to come", dead, [call](Place& s) {
            return call(s.world, BodyHandle{s.dead_body.index, s.dead_body.generation + 1});
        });
    };
    dead_body("remove", [](World& w, BodyHandle h) { return w.remove_body(h); });
    dead_body("teleport", [](World& w, BodyHandle h) { return w.teleport_body(h, {}); });
    dead_body("velocity of", [](World& w, BodyHandle h) { return w.set_body_velocity(h, {}); });
    dead_body("position of", [](World& w, BodyHandle h) { return w.body_position(h); });

    // Groups
    dead_agent("clear_group", [](World& w, AgentHandle a) { return w.clear_group(a); });
    dead_agent("group_of", [](World& w, AgentHandle a) { return w.group_of(a); });
    bad("set_group no group", dead,
        [](Place& s) { return s.world.set_group(s.agents[0], GroupHandle{}); });
    bad("remove_group no group", dead, [](Place& s) {
        return s.world.remove_group(GroupHandle{5, 0});
    });
    bad("members of no group", dead, [](Place& s) { return s.world.group_members(GroupHandle{}); });
    const auto bad_group = [&](const std::string& name, ErrorCode code, GroupSpec spec) {
        bad("group " + name, code, [spec](Place& s) { return s.world.add_group(spec); });
    };
    const Place twin = make_place();  // handles are the same in each
    const AgentHandle one = twin.agents[0];
    const AgentHandle other = twin.agents[1];
    bad_group("with a removed agent", dead, {.members = {one, twin.dead_agent}});
    bad_group("with one twice", invalid, {.members = {one, other, one}});
    bad_group("of 65", range, {.members = std::vector<AgentHandle>(65, one)});
    bad_group("of no formation", invalid,
              {.members = {one}, .formation = static_cast<Formation>(7)});
    bad_group("without the leader it needs", invalid,
              {.members = {one}, .formation = Formation::leader});
    bad_group("with a leader from outside", invalid,
              {.members = {one}, .formation = Formation::leader, .leader = other});
    bad_group("in a V with a leader", invalid,
              {.members = {one}, .formation = Formation::v, .leader = one});

    // Walls and bodies
    struct BadShape {
        std::string name;
        std::vector<Vec2> vertices;
        ErrorCode code;
    };
    const std::vector<BadShape> bad_polygons{
        {"one point", {{1.0, 1.0}}, invalid},
        {"two points", {{1.0, 1.0}, {2.0, 2.0}}, invalid},
        {"self-crossing", {{0.0, 0.0}, {4.0, 4.0}, {4.0, 0.0}, {0.0, 4.0}}, invalid},
        {"pentagram", {{0.0, 3.0}, {1.8, -2.4}, {-2.9, 0.9}, {2.9, 0.9}, {-1.8, -2.4}}, invalid},
        {"edge without length", {{0.0, 0.0}, {4.0, 0.0}, {4.0, 0.0}, {0.0, 4.0}}, invalid},
        {"closed by hand", {{0.0, 0.0}, {4.0, 0.0}, {0.0, 4.0}, {0.0, 0.0}}, invalid},
        {"edge too short for float",
         {{3000.0, 0.0}, {3004.0, 0.0}, {3004.00001, 0.0}, {3000.0, 4.0}},
         invalid},
        {"all in one place", {{1.0, 1.0}, {1.0, 1.0}, {1.0, 1.0}}, invalid},
        {"without area", {{0.0, 0.0}, {1.0, 1.0}, {2.0, 2.0}}, invalid},
        {"folding back", {{0.0, 0.0}, {4.0, 0.0}, {2.0, 0.0}, {2.0, 3.0}}, invalid},
        {"touching itself", {{0.0, 0.0}, {4.0, 0.0}, {4.0, 4.0}, {2.0, 0.0}, {0.0, 4.0}}, invalid},
        {"nan", {{0.0, 0.0}, {kNan, 0.0}, {0.0, 4.0}}, invalid},
        {"infinite", {{0.0, 0.0}, {4.0, -kInfinity}, {0.0, 4.0}}, invalid},
        {"far out", {{0.0, 0.0}, {4001.0, 0.0}, {0.0, 4.0}}, range},
    };
    for (const BadShape& shape : bad_polygons) {
        for (const WallKind kind : {WallKind::solid, WallKind::room}) {
            bad((kind == WallKind::solid ? "solid, " : "room, ") + shape.name, shape.code,
                [spec = WallSpec{shape.vertices, kind}](Place& s) {
                    return s.world.add_wall(spec);
                });
        }
        bad("move wall, " + shape.name, shape.code,
            [shape](Place& s) { return s.world.move_wall(s.wall, shape.vertices); });
        bad("body, " + shape.name, shape.code,
            [spec = BodySpec{.outline = shape.vertices}](Place& s) {
                return s.world.add_body(spec);
            });
    }
    bad("polygon of nothing", invalid,
        [spec = WallSpec{{}, WallKind::solid}](Place& s) { return s.world.add_wall(spec); });
    bad("move wall to nothing", invalid, [](Place& s) { return s.world.move_wall(s.wall, {}); });
    bad("thin wall of one point", invalid,
        [spec = WallSpec{{{0.0, 0.0}}, WallKind::thin}](Place& s) {
            return s.world.add_wall(spec);
        });
    bad("thin wall of three points", invalid,
        [spec = WallSpec{{{0.0, 0.0}, {1.0, 0.0}, {2.0, 1.0}}, WallKind::thin}](Place& s) {
            return s.world.add_wall(spec);
        });
    bad("thin wall without length", invalid,
        [spec = WallSpec{{{1.0, 0.0}, {1.0, 0.0}}, WallKind::thin}](Place& s) {
            return s.world.add_wall(spec);
        });
    bad("move thin wall, three points", invalid,
        [to = square({}, 1.0)](Place& s) { return s.world.move_wall(s.thin_wall, to); });
    bad("wall at level 65535", range,
        [spec = WallSpec{square({}, 1.0), WallKind::solid, 65535}](Place& s) {
            return s.world.add_wall(spec);
        });
    for (const double radius : {kNan, kInfinity, -1.0, 0.0, 100.5}) {
        bad("disc of radius " + std::to_string(radius), range,
            [radius](Place& s) { return s.world.add_body({.radius = radius}); });
    }
    bad("disc at nan", invalid, [](Place& s) {
        return s.world.add_body({.position = {kNan, 0.0}});
    });
    bad("disc far out", range, [](Place& s) {
        return s.world.add_body({.position = {0.0, 5000.0}});
    });
    bad("disc of infinite speed", invalid, [](Place& s) {
        return s.world.add_body({.velocity = {kInfinity, 0.0}});
    });
    bad("polygon of speed nan", invalid,
        [spec = BodySpec{.outline = square({}, 1.0), .velocity = {0.0, kNan}}](Place& s) {
            return s.world.add_body(spec);
        });
    bad("disc at level 65535", range, [](Place& s) { return s.world.add_body({.level = 65535}); });
    bad("polygon at level 65535", range,
        [spec = BodySpec{.outline = square({}, 1.0), .level = 65535}](Place& s) {
            return s.world.add_body(spec);
        });
    for (const double x : {kNan, kInfinity}) {
        bad("speed of disc", invalid, [x](Place& s) {
            return s.world.set_body_velocity(s.disc, {x, 0.0});
        });
        bad("speed of polygon", invalid, [x](Place& s) {
            return s.world.set_body_velocity(s.polygon, {0.0, x});
        });
        bad("teleport disc", invalid, [x](Place& s) {
            return s.world.teleport_body(s.disc, {x, 0.0});
        });
        bad("teleport polygon", invalid, [x](Place& s) {
            return s.world.teleport_body(s.polygon, {0.0, x});
        });
    }
    bad("teleport disc far out", range, [](Place& s) {
        return s.world.teleport_body(s.disc, {4000.5, 0.0});
    });
    bad("teleport polygon half out", range, [](Place& s) {
        return s.world.teleport_body(s.polygon, {3999.0, 0.0});
    });
    return calls;
}

TEST_F(BadCalls, are_refused_with_words_and_change_nothing)
{
    Place place = make_place();
    Place twin = make_place();
    const Visible before = visible(place);
    ASSERT_EQ(before, visible(twin));
    for (const BadCall& bad : all_bad_calls()) {
        SCOPED_TRACE(bad.name);
        const Outcome outcome = bad.call(place, kNever);
        EXPECT_FALSE(outcome.ok);
        EXPECT_EQ(outcome.error.code, bad.code);
        EXPECT_GT(outcome.error.message.size(), 10u);
        ASSERT_EQ(visible(place), before);
    }
    EXPECT_EQ(future(place.world), future(twin.world));
}

TEST_F(BadCalls, are_refused_also_when_there_is_no_memory_for_the_words)
{
    Place place = make_place();
    Place twin = make_place();
    const Visible before = visible(place);
    for (const BadCall& bad : all_bad_calls()) {
        for (const long allocations : {0L, 1L, 2L, 3L, 5L, 8L}) {
            SCOPED_TRACE(bad.name + ", " + std::to_string(allocations) + " allocations");
            const Outcome outcome = bad.call(place, allocations);
            EXPECT_FALSE(outcome.threw) << "an exception crossed the interface";
            EXPECT_FALSE(outcome.ok);
            EXPECT_TRUE(outcome.threw || !outcome.error.message.empty());
        }
        ASSERT_EQ(visible(place), before) << bad.name;
    }
    EXPECT_EQ(future(place.world), future(twin.world));
}

TEST_F(BadCalls, values_at_the_rim_of_their_range_are_kept_inside_it)
{
    Place place = make_place();
    for (const ParamInfo& info : traits()) {
        SCOPED_TRACE(info.name);
        for (const double value : {double{info.min}, double{info.max}, double{info.min} - 5e-10,
                                   double{info.max} + 5e-10}) {
            const auto result = place.world.set_trait(place.agents[0], info.name, value);
            if (!result) continue;  // refused is right, too
            const double kept = must(place.world.trait(place.agents[0], info.name));
            EXPECT_GE(kept, double{info.min});
            EXPECT_LE(kept, double{info.max});
        }
        must(place.world.set_trait(place.agents[0], info.name, info.min));
        must(place.world.set_trait(place.agents[0], info.name, info.max));
        must(place.world.set_trait(place.agents[0], info.name, info.default_value));
    }
    EXPECT_FALSE(place.world.step().fault);
}

TEST_F(BadCalls, a_value_is_refused_with_what_it_may_be)
{
    World world = make_world();
    const AgentHandle agent = must(world.add(AgentSpec{}));
    must(world.set_model(agent, "personality"));
    const auto words = [&](const char* trait, double value) {
        const auto result = world.set_trait(agent, trait, value);
        return result ? "accepted" : result.error().message;
    };
    EXPECT_EQ(words("acceleration_mode", 7.0),
              "acceleration_mode must be one of disc, clamp, brake, avo; got 7");
    EXPECT_EQ(words("when_stuck", 0.5),
              "when_stuck must be one of least, wait_clamped, wait; got 0.5");
    EXPECT_EQ(words("sight", kNan), "sight must be one of through_walls, centre, body; got nan");
    EXPECT_EQ(words("sight", -0.25), "sight must be one of through_walls, centre, body; got -0.25");
    EXPECT_EQ(words("radius", 0.0), "radius must be between 0.01 and 50 [m], got 0");
    EXPECT_EQ(words("rank", -1.0), "rank must be between 0 and 1e+06 or infinite [1], got -1");
    EXPECT_EQ(words("acceleration_mode", 3.0), "accepted");
}

TEST_F(BadCalls, create_refuses_options_that_make_no_sense)
{
    const auto expect_refused = [](const WorldOptions& options, ErrorCode code) {
        for (const long allocations : {kNever, 0L, 1L, 2L, 3L}) {
            WorldOptions copy = options;
            const auto world = [&] {
                const ShortMemory memory(allocations);
                return World::create(std::move(copy));
            }();
            ASSERT_FALSE(world);
            EXPECT_FALSE(world.error().message.empty());
            if (allocations == kNever) {
                EXPECT_EQ(world.error().code, code);
            }
        }
    };
    for (const double dt : {0.0, -0.0, -0.05, 1.0, 0.2501, kNan, kInfinity, -kInfinity}) {
        SCOPED_TRACE(dt);
        expect_refused({.dt = dt}, ErrorCode::out_of_range);
    }
    for (const double x : {0.5, -1e-9, kNan, kInfinity, 1e10}) {
        SCOPED_TRACE(x);
        expect_refused({.origin = {x, 0.0}}, ErrorCode::invalid_argument);
        expect_refused({.origin = {0.0, x}}, ErrorCode::invalid_argument);
    }
    expect_refused({.threads = 5000}, ErrorCode::out_of_range);
    const auto run = [](void*, std::uint32_t, void (*)(void*, std::uint32_t, std::uint32_t),
                        void*) {};
    expect_refused({.executor = {.workers = 0, .host = nullptr, .run = run}},
                   ErrorCode::out_of_range);
    expect_refused({.executor = {.workers = 5000, .host = nullptr, .run = run}},
                   ErrorCode::out_of_range);
    expect_refused({.isa = static_cast<Isa>(99)}, ErrorCode::unsupported);
    const auto available = available_isas();
    for (const Isa isa : {Isa::scalar, Isa::sse4, Isa::avx2, Isa::avx3}) {
        if (std::find(available.begin(), available.end(), isa) != available.end()) continue;
        SCOPED_TRACE(to_string(isa));
        expect_refused({.isa = isa}, ErrorCode::unsupported);
    }
}

TEST_F(BadCalls, more_agents_than_any_machine_holds_are_refused)
{
    Place place = make_place();
    const Visible before = visible(place);
    for (const std::size_t agents : {std::size_t{1'000'000'000'000'000}, std::size_t{0xffffffff},
                                     std::numeric_limits<std::size_t>::max()}) {
        const auto result = place.world.reserve(agents);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::out_of_memory);
        EXPECT_FALSE(result.error().message.empty());
        ASSERT_EQ(visible(place), before);
    }
    EXPECT_TRUE(place.world.reserve(10));
    EXPECT_FALSE(place.world.step().fault);
}

}  // namespace
}  // namespace sidestep::test
