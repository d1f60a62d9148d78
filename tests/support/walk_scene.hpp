// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sidestep/simulation.hpp"
#include "support/run_scene.hpp"
#include "support/walks.hpp"

namespace sidestep::test {

/// Everybody's walk in a shipped scene, in the order of their ids, until they leave.
inline Walks walk_scene(std::string_view name, const std::vector<Override>& overrides = {})
{
    const std::optional<Scenario> scenario = read_scene(name, overrides);
    if (!scenario) return {};
    Problems problems;
    std::optional<Simulation> simulation = Simulation::create(*scenario, {}, problems);
    EXPECT_TRUE(simulation) << list(problems);
    if (!simulation) return {};
    std::map<std::uint32_t, Walk> walks;
    const auto look = [&] {
        const AgentColumns columns = simulation->world().columns();
        const Vec2 origin = simulation->world().origin();
        for (std::size_t row = 0; row < columns.rows; ++row) {
            const AgentRecord& record = columns.record[row];
            if (record.id == kNoAgent) continue;
            walks[record.id].position.push_back(origin + Vec2{record.x, record.y});
            walks[record.id].velocity.push_back({record.vx, record.vy});
        }
    };
    look();
    while (!simulation->finished()) {
        if (simulation->step().fault) {
            ADD_FAILURE() << name << " stopped with a fault";
            break;
        }
        look();
    }
    Walks result{simulation->world().dt(), {}};
    for (auto& [id, walk] : walks) result.of.push_back(std::move(walk));
    return result;
}

}  // namespace sidestep::test
