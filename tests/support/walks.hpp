// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A few walkers, followed step by step, and what papers measure of them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "sidestep/analysis.hpp"
#include "sidestep/world.hpp"
#include "support/test_worlds.hpp"

namespace sidestep::test {

inline double length(Vec2 v)
{
    return std::sqrt(dot(v, v));
}

/// Where a walker was and how it moved at the start of each step, and after its last one.
struct Walk {
    std::vector<Vec2> position;  ///< [m]
    std::vector<Vec2> velocity;  ///< [m/s]

    Vec2 start() const { return position.front(); }
    double speed(std::size_t k) const { return length(velocity[k]); }
};

struct Walks {
    double dt = 0.0;  ///< [s]
    std::vector<Walk> of;

    const Walk& operator[](std::size_t i) const { return of[i]; }
    std::size_t frames() const { return of.front().position.size(); }
    /// The frame at this time [s].
    std::size_t at(double time) const
    {
        return std::min(frames() - 1, static_cast<std::size_t>(std::lround(time / dt)));
    }
};

/// Steps the world and writes down where these agents are; `go_on` is asked before each step.
inline Walks follow(World& world, const std::vector<AgentHandle>& agents,
                    const std::function<bool(const Walks&)>& go_on)
{
    Walks walks{world.dt(), std::vector<Walk>(agents.size())};
    const auto look = [&] {
        for (std::size_t i = 0; i < agents.size(); ++i) {
            const AgentState state = must(world.agent(agents[i]));
            walks.of[i].position.push_back(state.position);
            walks.of[i].velocity.push_back(state.velocity);
        }
    };
    look();
    while (go_on(walks)) {
        if (const StepReport report = world.step(); report.fault)
            throw std::runtime_error(report.fault->cause);
        look();
    }
    return walks;
}

inline Walks follow(World& world, const std::vector<AgentHandle>& agents, double seconds)
{
    return follow(world, agents, [&](const Walks& w) {
        return static_cast<double>(w.frames() - 1) * w.dt < seconds - 0.5 * w.dt;
    });
}

/// A walker that keeps its preferred velocity for ever, and has it from the start.
inline AgentHandle add_walker(World& world, Vec2 position, Vec2 preferred, ProfileId profile)
{
    const AgentHandle agent =
        must(world.add({.position = position, .velocity = preferred, .profile = profile}));
    must(world.drive_by_host(agent, preferred));
    return agent;
}

/// Smallest distance of two walkers' centres while both are there [m].
inline double min_distance(const Walks& walks, std::size_t a, std::size_t b)
{
    double least = std::numeric_limits<double>::infinity();
    const std::size_t frames = std::min(walks[a].position.size(), walks[b].position.size());
    for (std::size_t k = 0; k < frames; ++k)
        least = std::min(least, length(walks[a].position[k] - walks[b].position[k]));
    return least;
}

/// Smallest distance of any two [m].
inline double min_distance(const Walks& walks)
{
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < walks.of.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) least = std::min(least, min_distance(walks, a, b));
    }
    return least;
}

/// Largest distance from the line through the start in this direction [m].
inline double deviation(const Walk& walk, Vec2 direction)
{
    double most = 0.0;
    for (const Vec2 p : walk.position)
        most = std::max(most, std::fabs(det(direction, p - walk.start())) / length(direction));
    return most;
}

/// How near two walkers will come if both go on as at frame k [m].
inline double projected_distance(const Walks& walks, std::size_t k)
{
    return closest_approach(walks[0].position[k], walks[0].velocity[k], walks[1].position[k],
                            walks[1].velocity[k])
        ->distance;
}

/// When two who meet stop to observe and begin to react, and when they have reacted [s], by the
/// distance at which they are going to pass, [RCAP10] §3.
struct Phases {
    double observed = 0.0;  ///< it has left its first value by 5 % of the whole change
    double reacted = 0.0;   ///< from here on it stays within 5 % of its last one
    double first = 0.0;     ///< [m]
    double last = 0.0;      ///< [m], median of the last fifth before they are closest
};

inline Phases phases_of(const Walks& walks)
{
    std::size_t closest = 0;
    for (std::size_t k = 0; k < walks.frames(); ++k) {
        const auto gap = [&](std::size_t i) {
            return length(walks[0].position[i] - walks[1].position[i]);
        };
        if (gap(k) < gap(closest)) closest = k;
    }
    std::vector<double> m;
    for (std::size_t k = 0; k <= closest; ++k) m.push_back(projected_distance(walks, k));
    std::vector<double> tail(m.begin() + static_cast<std::ptrdiff_t>(m.size() * 4 / 5), m.end());
    std::sort(tail.begin(), tail.end());
    Phases p{.first = m.front(), .last = tail[tail.size() / 2]};
    const double change = std::fabs(p.last - p.first);
    std::size_t k = 0;
    while (k < m.size() && std::fabs(m[k] - p.first) <= 0.05 * change) ++k;
    p.observed = static_cast<double>(k) * walks.dt;
    k = m.size();
    while (k > 0 && std::fabs(m[k - 1] - p.last) <= 0.05 * change) --k;
    p.reacted = static_cast<double>(k) * walks.dt;
    return p;
}

/// Largest change of velocity between the start and any later frame [m/s].
inline double velocity_change(const Walk& walk)
{
    double most = 0.0;
    for (const Vec2 v : walk.velocity) most = std::max(most, length(v - walk.velocity.front()));
    return most;
}

/// All turning of a walk up to this frame, left and right [rad].
inline double heading_variation(const Walk& walk, std::size_t frames)
{
    double sum = 0.0;
    for (std::size_t k = 1; k < frames; ++k) {
        const Vec2 a = walk.velocity[k - 1];
        const Vec2 b = walk.velocity[k];
        sum += std::fabs(std::atan2(det(a, b), dot(a, b)));
    }
    return sum;
}

}  // namespace sidestep::test
