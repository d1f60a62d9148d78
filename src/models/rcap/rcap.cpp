// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/rcap/rcap.hpp"

#include "models/half_plane_model.hpp"

namespace sidestep::rcap {

namespace {

// [RCAP10] fitted T_obs = 0.79 s, r = 0.38 m and a_max = 0.09 m/s2 to two people who were walking
// already. From rest that acceleration takes 15 s to 1.4 m/s: crowds get 1.5 m/s2.
constexpr TraitValue kTraitDefaults[] = {
    {"observation_time", 0.79f},
    {"max_acceleration", 1.5f},
    {"planning_radius", 0.38f},
    {"sight", float{static_cast<std::uint8_t>(Sight::centre)}},
};

}  // namespace

const Model kModel{
    .info = {.name = "rcap",
             .summary = "ORCA for people: observation time, acceleration limit, personal space",
             .params = kHalfPlaneParams,
             .trait_defaults = kTraitDefaults},
    .avoidance = AvoidanceClass::half_planes,
    .reacts = true,
    .choose_for = choose_towards_goal};

}  // namespace sidestep::rcap
