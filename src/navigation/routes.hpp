// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "navigation/mesh.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// An area of a goal; rings are closed by themselves, in either sense.
struct RouteArea {
    std::vector<Vec2> shell;
    std::vector<std::vector<Vec2>> holes;
};

/// A goal as routes see it: the nearest point of all of its parts counts.
struct RouteGoal {
    std::vector<Vec2> points;
    std::vector<std::array<Vec2, 2>> lines;
    std::vector<RouteArea> areas;
};

/// What an agent remembers between two steps; starts empty, may be forgotten at any time.
struct RouteMemory {
    std::uint32_t triangle = kNoTriangle;  ///< where it was: a hint for the search
};

/// Where to walk now.
struct Heading {
    bool reachable = false;
    Vec2 direction{};         ///< unit vector; 0 where the agent is at the goal
    double distance = 0.0;    ///< length of the way that is left [m]
    bool goal_ahead = false;  ///< the target is the goal itself, not a corner
    bool astray = false;      ///< of a path: from here there is a better one
};

/// A corner on the way to a goal of one's own.
struct PathCorner {
    Vec2 place{};
    std::int8_t turn = 0;  ///< +1: the way turns left round it, -1 right; 0: the goal, the last
    double beyond = 0.0;   ///< length of the way from here on [m]
};

/// Ways over one mesh, as docs/routes.md tells. Many agents to few goals share one search: for each
/// goal, and each class of radii that fit through the same passages, the whole floor is searched
/// once, from the goal outwards, and again after a door has moved. Agents look up the next corner
/// from there. An agent with a goal of its own gets an A* search of its own. Widths are those of
/// passages between two edges of a triangle, one mesh for all radii: meshes inset by each radius
/// would have to be built for each, and their rounded corners have many vertices.
class Routes {
public:
    Routes(NavigationMesh mesh, std::size_t doors);
    Routes(Routes&&) noexcept;
    Routes& operator=(Routes&&) noexcept;
    ~Routes();

    /// The triangle that holds a point (a wall's edge counts), or the nearest within 1 cm.
    std::uint32_t locate(Vec2 point, std::uint32_t hint = kNoTriangle) const;

    /// Whether the straight line between two points of the floor meets no wall or closed door.
    bool is_clear(Vec2 from, Vec2 to) const;

    /// Takes effect with the next prepare or refresh: several doors may move at once.
    void set_door(std::uint16_t door, bool open);
    /// Doors that were moved are walls or ways from now on. Searches of before are dropped: prepare
    /// again.
    void refresh();

    std::uint32_t add_goal(const RouteGoal& goal);
    /// Searches for agents of this goal and radius [m], unless that has been done and no door has
    /// moved since. Before steer and distance; not at the same time as them.
    void prepare(std::uint32_t goal, double radius);
    /// Length of the shortest way [m]; infinite where there is none. Thread-safe after prepare. As
    /// for steer, find_path and follow, who was pushed off the floor by up to 1 m is where the
    /// floor is nearest.
    double distance(std::uint32_t goal, Vec2 from, double radius) const;
    /// Direction to walk in. `lateral` in [0, 1) is the agent's own habit: how much of the free
    /// width it keeps from corners, and which part of a wide goal it takes. Thread-safe after
    /// prepare.
    Heading steer(std::uint32_t goal, Vec2 from, double radius, double lateral,
                  RouteMemory& memory) const;

    /// Shortest way to a single point, by A*: its corners, and the goal last; empty if there is
    /// none.
    std::vector<PathCorner> find_path(Vec2 from, Vec2 to, double radius) const;
    /// Direction along such a path; `next` moves on as corners are passed. Not reachable: the next
    /// corner is out of sight (pushed aside, a door moved), ask for a new path. Astray: it is seen
    /// from the wrong side of a wall that ends there, so that the path leads through the wall.
    Heading follow(std::span<const PathCorner> path, std::size_t& next, Vec2 from, double radius,
                   double lateral, RouteMemory& memory) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sidestep
