// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
        bool is_whole = false;  ///< what is drawn is rounded
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

/// The profiles that agents of a plan can have.
template <class Plan>
std::vector<std::uint32_t> profiles_of(const Plan& plan)
{
    std::vector<std::uint32_t> profiles;
    for (const MixPart& part : plan.mix) profiles.push_back(part.profile);
    if (profiles.empty()) profiles.push_back(plan.profile);
    return profiles;
}
/// Of `count` agents from `first_id` on, who has which profile. The numbers are those of the
/// shares, rounded by largest remainder; who is who depends on the seed and the ids alone.
std::vector<std::uint32_t> deal_profiles(const AgentsPlan& plan, std::uint64_t count,
                                         std::uint64_t seed, std::uint32_t first_id);
/// The profile of a newcomer.
std::uint32_t draw_profile(const SourcePlan& plan, std::uint64_t seed, std::uint32_t id);
/// The smallest radius of a body of some profiles, and the largest [m].
double smallest_radius(std::span<const RunProfile> all, std::span<const std::uint32_t> of);
double largest_radius(std::span<const RunProfile> all, std::span<const std::uint32_t> of);

/// Gives the world the scenario's profiles. `model` replaces every profile's own; parameters it
/// does not know are left out then.
std::vector<RunProfile> add_profiles(const Scenario& scenario,
                                     const std::optional<std::string>& model, World& world,
                                     Problems& problems);

}  // namespace sidestep
