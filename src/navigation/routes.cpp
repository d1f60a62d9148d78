// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "navigation/routes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "navigation/goal_shape.hpp"
#include "navigation/locator.hpp"
#include "navigation/search.hpp"
#include "navigation/steering.hpp"
#include "navigation/topology.hpp"

namespace sidestep {

using plane::length;
using plane::Point;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// [m] As the header says.
constexpr double kLocateReach = 0.01;
/// [m] Agents that were pushed farther off the mesh are led back from within this, and have a way.
constexpr double kLostReach = 1.0;
/// [m] A passage is wide enough if it is too narrow by no more than this.
constexpr double kFits = 1e-6;
/// [m] A corner of a path is the vertex within this: vertices are a micrometre apart or more, and
/// coordinates of 10^9 m are rounded to a tenth of that.
constexpr double kSameVertex = 5e-7;

/// [m] So far beside a corner of a path there is floor, if one comes from the right side.
constexpr double kBesideCorner = 0.01;

/// The search for one goal and all radii that pass the same throats.
struct PreparedField {
    std::size_t narrow = 0;  ///< how many throats are too narrow: the class of radii
    Field field;
};

struct Goal {
    GoalShape shape;
    std::vector<PreparedField> fields;
};

}  // namespace

struct Routes::State {
    NavigationMesh mesh;
    std::vector<std::uint8_t> doors;  ///< open?
    bool stale = false;               ///< a door has moved since `topology` was made
    Topology topology;
    Locator locator;
    std::vector<Goal> goals;

    State(NavigationMesh given, std::size_t door_count)
        : mesh(std::move(given)),
          doors(door_count, 1),
          topology(make_topology(mesh, doors)),
          locator(topology)
    {}

    std::size_t class_of(double radius) const
    {
        const auto& throats = topology.throats;
        return static_cast<std::size_t>(
            std::lower_bound(throats.begin(), throats.end(), 2 * radius - kFits) - throats.begin());
    }

    const Field* find_field(std::uint32_t goal, double radius) const
    {
        if (goal >= goals.size()) return nullptr;
        const std::vector<PreparedField>& fields = goals[goal].fields;
        if (fields.size() == 1 && topology.throats.empty()) return &fields[0].field;
        const std::size_t narrow = class_of(radius);
        for (const PreparedField& prepared : fields) {
            if (prepared.narrow == narrow) return &prepared.field;
        }
        return nullptr;
    }

    CornerAhead corner_of(const Root& root, Point after) const
    {
        const Topology::Fan& fan = topology.fans[root.fan];
        return {root.place, fan.vertex, root.turn, fan.width, after};
    }
};

Routes::Routes(NavigationMesh mesh, std::size_t doors)
    : state_(std::make_unique<State>(std::move(mesh), doors))
{}
Routes::Routes(Routes&&) noexcept = default;
Routes& Routes::operator=(Routes&&) noexcept = default;
Routes::~Routes() = default;

std::uint32_t Routes::locate(Vec2 point, std::uint32_t hint) const
{
    const Topology& topology = state_->topology;
    return state_->locator.find(topology, topology.local(point), hint, kLocateReach);
}

bool Routes::is_clear(Vec2 from, Vec2 to) const
{
    const Topology& mesh = state_->topology;
    const Point p = mesh.local(from);
    const std::uint32_t t = state_->locator.find(mesh, p, kNoIndex, kLocateReach);
    std::uint32_t last = kNoIndex;
    return t != kNoIndex && sees(mesh, t, p, mesh.local(to), last);
}

void Routes::set_door(std::uint16_t door, bool open)
{
    State& s = *state_;
    if (door >= s.doors.size() || (s.doors[door] != 0) == open) return;
    s.doors[door] = open ? 1 : 0;
    s.stale = true;
}

void Routes::refresh()
{
    State& s = *state_;
    if (!s.stale) return;
    s.topology = make_topology(s.mesh, s.doors);
    s.stale = false;
    for (Goal& each : s.goals) each.fields.clear();
}

std::uint32_t Routes::add_goal(const RouteGoal& goal)
{
    State& s = *state_;
    s.goals.push_back({make_goal_shape(s.topology, s.locator, goal), {}});
    return static_cast<std::uint32_t>(s.goals.size() - 1);
}

void Routes::prepare(std::uint32_t goal, double radius)
{
    State& s = *state_;
    if (goal >= s.goals.size()) return;
    refresh();
    const std::size_t narrow = s.class_of(radius);
    Goal& of = s.goals[goal];
    for (const PreparedField& prepared : of.fields) {
        if (prepared.narrow == narrow) return;
    }
    // Any width between the widest closed throat and the narrowest open one is the same.
    const auto& throats = s.topology.throats;
    const double width = narrow < throats.size() ? throats[narrow] : kInfinity;
    const double closed = narrow > 0 ? throats[narrow - 1] : 0.0;
    of.fields.push_back({narrow, search_everywhere(s.topology, s.locator, of.shape.sources,
                                                   std::isfinite(width) ? width : closed + 1.0)});
}

double Routes::distance(std::uint32_t goal, Vec2 from, double radius) const
{
    const State& s = *state_;
    const Field* field = s.find_field(goal, radius);
    if (field == nullptr) return kInfinity;
    Point p = s.topology.local(from);
    const std::uint32_t t = s.locator.enter(s.topology, p, kNoIndex, kLostReach);
    if (t == kNoIndex) return kInfinity;
    const Lookup found = look_up(*field, t, p);
    if (found.root == kNoIndex) return kInfinity;
    if (field->roots[found.root].parent == kNoIndex) {
        return distance_to_part(s.goals[goal].shape, field->roots[found.root], p);
    }
    return found.length;
}

Heading Routes::steer(std::uint32_t goal, Vec2 from, double radius, double lateral,
                      RouteMemory& memory) const
{
    const State& s = *state_;
    Heading heading;
    heading.distance = kInfinity;
    const Field* field = s.find_field(goal, radius);
    if (field == nullptr) return heading;
    const Point position = s.topology.local(from);
    Point p = position;
    const std::uint32_t t = s.locator.enter(s.topology, p, memory.triangle, kLostReach);
    memory.triangle = t;
    if (t == kNoIndex) return heading;
    const Lookup found = look_up(*field, t, p);
    if (found.root == kNoIndex) return heading;

    const Root& root = field->roots[found.root];
    heading.reachable = true;
    heading.distance = found.length;
    heading.goal_ahead = root.parent == kNoIndex;
    Point direction{};
    if (heading.goal_ahead) {
        const GoalShape& shape = s.goals[goal].shape;
        heading.distance = distance_to_part(shape, root, p);
        bool seen = true;
        const Point target = choose_target(shape, root, p, radius, lateral);
        direction = steer_to(s.topology, t, p, target, radius, seen);
        if (!seen && lies_in_part(shape, root, p)) {
            direction = {};  // inside the area already
        } else if (!seen) {
            direction = steer_to(s.topology, t, p, root.place, radius, seen);
        }
    } else {
        const CornerAhead corner = s.corner_of(root, field->roots[root.parent].place);
        direction = steer_round(s.topology, t, p, corner, radius, lateral);
    }
    const Point off = position - p;
    if (length(off) > kLocateReach) direction = plane::unit(-off);  // back to the floor first
    heading.direction = {direction.x, direction.y};
    return heading;
}

std::vector<PathCorner> Routes::find_path(Vec2 from, Vec2 to, double radius) const
{
    const State& s = *state_;
    std::vector<PathCorner> path;
    const Point start = s.topology.local(from), end = s.topology.local(to);
    for (const Root& root :
         search_way(s.topology, s.locator, start, kLostReach, end, 2 * radius - kFits)) {
        path.push_back({s.topology.global(root.place), root.turn, root.beyond});
    }
    return path;
}

Heading Routes::follow(std::span<const PathCorner> path, std::size_t& next, Vec2 from,
                       double radius, double lateral, RouteMemory& memory) const
{
    const State& s = *state_;
    const Topology& mesh = s.topology;
    Heading heading;
    heading.distance = kInfinity;
    if (next >= path.size()) return heading;
    const Point position = mesh.local(from);
    Point p = position;
    const std::uint32_t t = s.locator.enter(mesh, p, memory.triangle, kLostReach);
    memory.triangle = t;
    if (t == kNoIndex) return heading;
    std::uint32_t last = kNoIndex;
    while (next + 1 < path.size() && sees(mesh, t, p, mesh.local(path[next + 1].place), last))
        ++next;
    const PathCorner& corner = path[next];
    const Point place = mesh.local(corner.place);
    if (!sees(mesh, t, p, place, last)) return heading;
    heading.goal_ahead = next + 1 == path.size();
    if (!heading.goal_ahead) {
        const Point ahead = plane::unit(place - p);
        const double side = corner.turn > 0 ? -kBesideCorner : kBesideCorner;
        std::uint32_t triangle = kNoIndex;
        heading.astray =
            !sees(mesh, t, p, place + Point{-side * ahead.y, side * ahead.x}, triangle);
    }

    heading.reachable = true;
    heading.distance = length(place - p) + corner.beyond;
    Point direction{};
    if (heading.goal_ahead) {
        bool seen = true;
        direction = steer_to(mesh, t, p, place, radius, seen);
    } else {
        std::uint32_t vertex = kNoIndex;
        double width = 2 * radius;
        for (std::uint32_t c = 3 * last; c < 3 * last + 3; ++c) {
            if (length(mesh.vertex(c) - place) > kSameVertex || mesh.fan_of[c] == kNoIndex)
                continue;
            vertex = mesh.corners[c];
            width = mesh.fans[mesh.fan_of[c]].width;
        }
        direction = steer_round(
            mesh, t, p, {place, vertex, corner.turn, width, mesh.local(path[next + 1].place)},
            radius, lateral);
    }
    if (length(position - p) > kLocateReach) direction = plane::unit(p - position);
    heading.direction = {direction.x, direction.y};
    return heading;
}

}  // namespace sidestep
