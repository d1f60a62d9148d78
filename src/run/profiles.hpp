// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario/distribution.hpp"
#include "sidestep/scenario.hpp"
#include "sidestep/world.hpp"

namespace sidestep {

/// A profile of the scenario in the engine: constants are the engine's profile, the rest is drawn
/// for each agent.
struct RunProfile {
    ProfileId engine = 0;
    std::string model;
    double radius = 0.0;           ///< [m], where it is the same for all
    double smallest_radius = 0.0;  ///< [m], of all that can be drawn
    double largest_radius = 0.0;
    double wall_clearance = 0.0;   ///< [m], where it is the same for all
    double preferred_speed = 0.0;  ///< [m/s], likewise
    struct Drawn {
        std::string name;
        std::uint32_t use = 0;  ///< RandomUse: fixed by the trait, not by its place in the file
        Distribution distribution;
    };
    std::vector<Drawn> drawn;
};

/// The traits that are this agent's own.
struct DrawnTraits {
    double radius = 0.0;
    double wall_clearance = 0.0;
    double preferred_speed = 0.0;
    std::vector<ParamValue> values;
};
DrawnTraits draw_traits(const RunProfile& profile, std::uint64_t seed, std::uint32_t id);

/// Gives the world the scenario's profiles. `model` replaces every profile's own; parameters it
/// does not know are left out then.
std::vector<RunProfile> add_profiles(const Scenario& scenario,
                                     const std::optional<std::string>& model, World& world,
                                     Problems& problems);

}  // namespace sidestep
