// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Calls that cannot be done: each answers with an Error in words and leaves the world as it was.
// Memory runs out in all places it is taken, one after the other: this program has its own operator
// new, which fails when told to.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>
#include <ostream>
#include <string>
#include <vector>

#include "support/seeded_random.hpp"
#include "support/test_worlds.hpp"

namespace {

constexpr long kNever = std::numeric_limits<long>::max();

/// Allocations that still succeed.
std::atomic<long> allocations_left{kNever};

bool may_allocate()
{
    if (allocations_left.load(std::memory_order_relaxed) == kNever) return true;
    return allocations_left.fetch_sub(1, std::memory_order_relaxed) > 0;
}

// Not inlined: gcc would otherwise see free() meet what it takes for another operator new.
[[gnu::noinline]] void* take(std::size_t size, std::size_t alignment) noexcept
{
    if (!may_allocate()) return nullptr;
    const std::size_t rounded = (size + alignment) / alignment * alignment;
    return std::aligned_alloc(alignment, rounded);
}

[[gnu::noinline]] void give_back(void* memory) noexcept
{
    std::free(memory);
}

[[gnu::noinline]] void* take_or_throw(std::size_t size, std::size_t alignment)
{
    if (void* memory = take(size, alignment)) return memory;
    throw std::bad_alloc();
}

constexpr std::size_t kAlignment = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t size)
{
    return take_or_throw(size, kAlignment);
}
void* operator new[](std::size_t size)
{
    return take_or_throw(size, kAlignment);
}
void* operator new(std::size_t size, std::align_val_t alignment)
{
    return take_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment)
{
    return take_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept
{
    return take(size, kAlignment);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept
{
    return take(size, kAlignment);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept
{
    give_back(memory);
}
void operator delete[](void* memory) noexcept
{
    give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept
{
    give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept
{
    give_back(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept
{
    give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
    give_back(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept
{
    give_back(memory);
}

namespace sidestep::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// While it lives, this many allocations succeed and all later ones fail.
class ShortMemory {
public:
    explicit ShortMemory(long allocations) { allocations_left = allocations; }
    ~ShortMemory() { allocations_left = kNever; }
    ShortMemory(const ShortMemory&) = delete;
    ShortMemory& operator=(const ShortMemory&) = delete;
};

/// A world with a bit of everything, the same each time, and handles of what is in it and of what
/// was.
struct Place {
    World world;
    std::vector<AgentHandle> agents;
    AgentHandle dead_agent;
    WallHandle wall, thin_wall, dead_wall;
    BodyHandle disc, polygon, dead_body;
};

std::vector<Vec2> square(Vec2 corner, double side)
{
    return {corner, corner + Vec2{side, 0.0}, corner + Vec2{side, side}, corner + Vec2{0.0, side}};
}

Place make_place(std::size_t agents = 40, double half_side = 8.0)
{
    Place place{.world = make_world(),
                .agents = {},
                .dead_agent = {},
                .wall = {},
                .thin_wall = {},
                .dead_wall = {},
                .disc = {},
                .polygon = {},
                .dead_body = {}};
    World& world = place.world;
    SeededRandom random(2);
    place.wall = must(world.add_wall({square({20.0, 20.0}, 4.0), WallKind::solid}));
    place.thin_wall = must(world.add_wall({{{-12.0, -12.0}, {-12.0, 12.0}}, WallKind::thin}));
    place.dead_wall = must(world.add_wall({square({60.0, 20.0}, 4.0), WallKind::solid}));
    place.disc = must(world.add_body(
        {.position = {30.0, 0.0}, .radius = 1.0, .outline = {}, .velocity = {-0.5, 0.0}}));
    place.polygon =
        must(world.add_body({.outline = square({-30.0, 0.0}, 2.0), .velocity = {0.5, 0.0}}));
    place.dead_body =
        must(world.add_body({.outline = square({-60.0, 0.0}, 2.0), .velocity = {0.5, 0.0}}));
    std::vector<AgentSpec> specs;
    for (std::uint32_t i = 0; i < agents; ++i) {
        specs.push_back({.position = random.in_box(half_side),
                         .goal = random.in_box(half_side),
                         .id = 2 * i,
                         .level = static_cast<std::uint16_t>(i % 2)});
    }
    place.agents = must(world.add(specs));
    place.dead_agent = place.agents.back();
    must(world.remove(place.dead_agent));
    place.agents.pop_back();
    must(world.remove_wall(place.dead_wall));
    must(world.remove_body(place.dead_body));
    must(world.set_rank(place.agents[3], 4.0));
    for (int i = 0; i < 3; ++i) world.step();
    return place;
}

/// All of the state that a caller can see.
struct Visible {
    std::uint64_t hash, added, removed, step;
    std::size_t size;
    std::vector<Vec2> preferred;
    bool operator==(const Visible&) const = default;
    friend void PrintTo(const Visible& seen, std::ostream* out)
    {
        *out << "hash " << seen.hash << ", " << seen.size << " agents, " << seen.added << " added, "
             << seen.removed << " removed, step " << seen.step << ", preferred velocities";
        for (const Vec2 v : seen.preferred) *out << " (" << v.x << ", " << v.y << ")";
    }
};

Visible visible(const Place& place)
{
    const World& world = place.world;
    Visible seen{world.state_hash(), world.added(), world.removed(),
                 world.step_index(), world.size(),  {}};
    for (const AgentHandle agent : place.agents)
        seen.preferred.push_back(must(world.agent(agent)).preferred_velocity);
    return seen;
}

/// Hashes of the next steps: what cannot be seen must not have changed either.
std::vector<std::uint64_t> future(World& world)
{
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 9; ++i) {  // rows are sorted in one of them
        EXPECT_FALSE(world.step().fault);
        hashes.push_back(world.state_hash());
    }
    return hashes;
}

class BadCalls : public WorldTest {};

/// What a call answered, whatever its type of value.
struct Outcome {
    bool ok = true;
    bool threw = false;
    Error error;
};

/// Makes a call with memory for so many allocations.
using Attempt = std::function<Outcome(Place&, long allocations)>;

/// `call` itself must take no memory: what it hands over is made before.
template <class Call>
Attempt attempt(Call call)
{
    return [call](Place& place, long allocations) -> Outcome {
        try {
            const auto result = [&] {
                const ShortMemory memory(allocations);
                return call(place);
            }();
            return result ? Outcome{} : Outcome{false, false, result.error()};
        } catch (const std::bad_alloc&) {
            return {false, true, {}};
        }
    };
}

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

// ------------------------------------------------------------------------------------------------
// out of memory

/// Makes the call in fresh worlds with room for 0, 1, 2, ... allocations until it succeeds. Each
/// failure must be an Error, must leave the world as it was, and must not show in the steps that
/// follow.
void expect_safe_without_memory(const std::function<Place()>& make, const Attempt& call,
                                long at_least)
{
    Place untouched = make();
    const Visible before = visible(untouched);
    const auto expected = future(untouched.world);
    for (long allocations = 0;; ++allocations) {
        SCOPED_TRACE("room for " + std::to_string(allocations) + " allocations");
        ASSERT_LT(allocations, 3000) << "never succeeds";
        Place place = make();
        const Outcome outcome = call(place, allocations);
        ASSERT_FALSE(outcome.threw) << "an exception crossed the interface";
        if (outcome.ok) {
            EXPECT_GE(allocations, at_least)
                << "the call takes less memory than this test was made for";
            EXPECT_FALSE(place.world.step().fault);
            return;
        }
        ASSERT_EQ(outcome.error.code, ErrorCode::out_of_memory) << outcome.error.message;
        ASSERT_FALSE(outcome.error.message.empty());
        ASSERT_EQ(visible(place), before);
        ASSERT_EQ(future(place.world), expected);
        const Outcome again = call(place, kNever);  // with memory it works
        ASSERT_TRUE(again.ok) << again.error.message;
    }
}

template <class Call>
void expect_safe_without_memory(Call call, long at_least = 1)
{
    expect_safe_without_memory([] { return make_place(); }, attempt(call), at_least);
}

TEST_F(BadCalls, adding_an_agent_without_memory_changes_nothing)
{
    expect_safe_without_memory([](Place& s) { return s.world.add({.position = {1.0, 1.0}}); });
    expect_safe_without_memory(
        [spec = AgentSpec{.position = {1.0, 1.0},
                          .level = 7,
                          .traits = {{"radius", 0.3}, {"wall_clearance", 0.1}}}](Place& s) {
            return s.world.add(spec);
        });
}

TEST_F(BadCalls, adding_many_agents_without_memory_adds_none)
{
    std::vector<AgentSpec> specs;
    for (std::uint32_t i = 0; i < 500; ++i) {
        specs.push_back({.position = {0.1 * i, 1.0},
                         .id = 5000 + i,
                         .level = static_cast<std::uint16_t>(i % 3)});
        if (i % 50 == 0) specs.back().traits = {{"radius", 0.3}, {"neighbour_range", 3.0}};
    }
    expect_safe_without_memory([&specs](Place& s) { return s.world.add(specs); }, 20);
}

TEST_F(BadCalls, a_lonely_crowd_grows_without_memory_and_still_sorts)
{
    // Everybody far from everybody: a sort takes a leaf for each of them, as many as there is
    // memory for, and no more.
    const auto make = [] { return make_place(300, 3900.0); };
    std::vector<AgentSpec> specs(5000);
    for (std::uint32_t i = 0; i < specs.size(); ++i)
        specs[i] = {.position = {0.7 * i, -0.7 * i}, .id = 9000 + i};
    expect_safe_without_memory(make, attempt([&specs](Place& s) { return s.world.add(specs); }),
                               10);
    expect_safe_without_memory(
        make, attempt([](Place& s) {
            return s.world.teleport(s.agents[0], {5.0, 5.0}, std::uint16_t{9});
        }),
        0);
}

TEST_F(BadCalls, other_edits_of_agents_without_memory_change_nothing)
{
    expect_safe_without_memory(
        [](Place& s) { return s.world.set_trait(s.agents[0], "radius", 0.4); });
    expect_safe_without_memory(
        [](Place& s) { return s.world.set_trait(s.agents[0], "velocity_uncertainty", 0.1); });
    expect_safe_without_memory([spec = ProfileSpec{"orca", {{"radius", 0.4}}}](Place& s) {
        return s.world.add_profile(spec);
    });
    expect_safe_without_memory([](Place& s) { return s.world.set_model(s.agents[0], "seek"); });
    expect_safe_without_memory([](Place& s) { return s.world.reserve(5000); });
    expect_safe_without_memory([](Place& s) { return s.world.watch(s.agents[0]); });
    expect_safe_without_memory([](Place& s) { return s.world.explain(s.agents[0]); });
}

TEST_F(BadCalls, traits_that_need_a_memory_without_memory_change_nothing)
{
    for (const char* trait : {"observation_time", "field_of_view_deg", "lateral_acceleration"}) {
        expect_safe_without_memory(
            [trait](Place& s) { return s.world.set_trait(s.agents[0], trait, 1.0); }, 2);
    }
    const auto make = [] {
        Place place = make_place();
        must(place.world.add_profile({"rcap", {{"field_of_view_deg", 90.0}}}));
        return place;
    };
    const auto profile = static_cast<ProfileId>(must(make().world.add_profile({})) - 1);
    expect_safe_without_memory(
        make, attempt([profile](Place& s) { return s.world.set_profile(s.agents[0], profile); }),
        2);
    std::vector<AgentSpec> specs(30);
    for (std::uint32_t i = 0; i < specs.size(); ++i)
        specs[i] = {.position = {0.2 * i, 1.0}, .profile = profile};
    expect_safe_without_memory(make, attempt([&specs](Place& s) { return s.world.add(specs); }), 4);
}

TEST_F(BadCalls, walls_and_bodies_without_memory_change_nothing)
{
    expect_safe_without_memory([spec = WallSpec{square({40.0, 40.0}, 3.0), WallKind::solid}](
                                   Place& s) { return s.world.add_wall(spec); });
    expect_safe_without_memory([spec = WallSpec{square({-1.0, -1.0}, 3.0), WallKind::solid}](
                                   Place& s) { return s.world.add_wall(spec); });
    expect_safe_without_memory([spec = WallSpec{{{40.0, 40.0}, {41.0, 42.0}}, WallKind::thin}](
                                   Place& s) { return s.world.add_wall(spec); });
    const std::vector<Vec2> hexagon{{20.0, 20.0}, {22.0, 19.0}, {24.0, 20.0},
                                    {24.0, 23.0}, {22.0, 24.0}, {20.0, 23.0}};
    expect_safe_without_memory([&hexagon](Place& s) { return s.world.move_wall(s.wall, hexagon); });
    expect_safe_without_memory([](Place& s) { return s.world.wall_vertices(s.wall); });
    expect_safe_without_memory([](Place& s) {
        return s.world.add_body({.position = {3.0, 3.0}, .radius = 0.5});
    });
    expect_safe_without_memory(
        [spec = BodySpec{.outline = square({3.0, 3.0}, 1.0), .velocity = {0.5, 0.5}}](Place& s) {
            return s.world.add_body(spec);
        });
    expect_safe_without_memory([](Place& s) {
        return s.world.teleport_body(s.polygon, {-20.0, 5.0});
    });
    expect_safe_without_memory([](Place& s) { return s.world.body_position(s.polygon); }, 0);
}

/// Makes worlds with room for 0, 1, 2, ... allocations until one can be made.
void expect_errors_until_made(std::uint32_t threads)
{
    long allocations = 0;
    for (;; ++allocations) {
        ASSERT_LT(allocations, 3000);
        SCOPED_TRACE("room for " + std::to_string(allocations) + " allocations");
        const auto world = [&] {
            const ShortMemory memory(allocations);
            return World::create({.threads = threads});
        }();
        if (world) break;
        ASSERT_EQ(world.error().code, ErrorCode::out_of_memory);
        ASSERT_FALSE(world.error().message.empty());
    }
    EXPECT_GT(allocations, 10);
}

TEST_F(BadCalls, a_world_that_cannot_be_made_is_an_error)
{
    expect_errors_until_made(1);
    // oneTBB hangs for ever where memory is short when a program first uses it. What is tried here
    // are our own allocations.
    const World first = make_world({.threads = 2});
    expect_errors_until_made(2);
}

TEST_F(BadCalls, what_was_reserved_can_be_added_without_memory_for_more_rows)
{
    // A step in between spreads a lonely crowd over all rows there are; adding must find those that
    // hold nobody.
    World world = make_world();
    must(world.reserve(1000));
    for (std::uint32_t i = 0; i < 600; ++i)
        must(world.add({.position = {6.0 * i, -20.0 * (i % 150)}}));
    world.step();
    EXPECT_GT(world.columns().rows, 1000u) << "the sort spread nobody: this test shows nothing";
    for (std::uint32_t i = 0; world.size() < 1000; ++i) {
        const AgentSpec spec{.position = {3.0 * i, 60.0},
                             .level = static_cast<std::uint16_t>(i / 40 % 2)};
        bool added = false;
        {
            // Room for the small vectors of the call itself, not for columns.
            const ShortMemory memory(2);
            added = world.add(spec).has_value();
        }
        ASSERT_TRUE(added) << world.size() << " agents";
        if (i % 100 == 50) world.step();
    }
    EXPECT_FALSE(world.step().fault);
}

TEST_F(BadCalls, a_step_without_memory_goes_on_without_what_was_to_be_watched)
{
    Place watched = make_place();
    Place plain = make_place();
    must(watched.world.watch(watched.agents[0]));
    must(watched.world.watch(watched.agents[1]));
    for (long allocations = 0; allocations < 30; ++allocations) {
        plain.world.step();
        bool threw = false;
        try {
            const ShortMemory memory(allocations);
            watched.world.step();
        } catch (const std::bad_alloc&) {
            threw = true;
        }
        ASSERT_FALSE(threw) << "an exception crossed the interface, room for " << allocations
                            << " allocations";
        ASSERT_EQ(watched.world.state_hash(), plain.world.state_hash());
        if (allocations == 0) {
            EXPECT_EQ(watched.world.watched(watched.agents[0]), nullptr);
        }
    }
    EXPECT_NE(watched.world.watched(watched.agents[0]), nullptr);
}

}  // namespace
}  // namespace sidestep::test
