// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whom an agent avoids, as the world itself explains it.

#include <algorithm>
#include <map>

#include "support/test_worlds.hpp"

namespace sidestep::test {

using Notice = Explanation::Notice;

/// What an agent makes of those in range, by id.
inline std::map<std::uint32_t, Notice> notices(const World& world, AgentHandle agent)
{
    std::map<std::uint32_t, Notice> all;
    for (const Explanation::Neighbour& other : must(world.explain(agent)).neighbours)
        all[other.id] = other.notice;
    return all;
}

inline bool avoids(const World& world, AgentHandle agent, std::uint32_t id)
{
    const auto all = notices(world, agent);
    const auto found = all.find(id);
    return found != all.end() && found->second == Notice::avoided;
}

inline bool avoids_body(const World& world, AgentHandle agent, BodyHandle body)
{
    const auto lines = must(world.explain(agent)).lines;
    return std::any_of(lines.begin(), lines.end(), [&](const Explanation::Line& line) {
        return line.source == Explanation::Source::body && line.source_id == body.index;
    });
}

}  // namespace sidestep::test
