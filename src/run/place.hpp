// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "run/floors.hpp"
#include "run/profiles.hpp"
#include "sidestep/scenario.hpp"

namespace sidestep {

/// Somebody's start.
struct Start {
    Vec2 position{};
    std::uint32_t plan = 0;     ///< number of the [[agents]] table
    std::uint32_t profile = 0;  ///< number of the profile
    DrawnTraits traits;
};

/// A shape to draw points from: triangles, chosen by area.
class AreaSampler {
public:
    /// Empty if the area is no valid floor.
    explicit AreaSampler(std::span<const Polygon> area);
    bool empty() const { return corners_.empty(); }
    double area() const { return sums_.empty() ? 0.0 : sums_.back(); }
    /// Uniform in the area.
    Vec2 sample(std::uint64_t seed, std::uint64_t subject, std::uint32_t use,
                std::uint32_t turn) const;
    Vec2 low() const { return low_; }
    Vec2 high() const { return high_; }

private:
    std::vector<std::array<Vec2, 3>> corners_;
    std::vector<double> sums_;  ///< areas up to and with each triangle [m2]
    Vec2 low_{}, high_{};
};

/// Starts of all agents, ids in the order of the list. What does not fit is a problem: somebody in
/// a wall, too many for an area, two in one place.
std::vector<Start> place_agents(const Scenario& scenario, std::uint64_t seed,
                                std::span<const Floor> floors, std::span<const RunProfile> profiles,
                                Problems& problems);

/// "agents.0 'visitors'": a table as messages name it, and as --set does.
std::string name_of(const AgentsPlan& plan, std::size_t index);

const Floor* floor_of(std::span<const Floor> floors, std::uint16_t level);

}  // namespace sidestep
