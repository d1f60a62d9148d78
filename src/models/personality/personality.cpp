// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/personality/personality.hpp"

#include <array>

#include "models/half_plane_model.hpp"

namespace sidestep::personality {

namespace {

constexpr std::string_view kWhenStuckWords[] = {"least", "wait_clamped", "wait"};

constexpr auto kParams = [] {
    std::array<ParamInfo, std::size(kHalfPlaneParams) + 1> params;
    std::copy(std::begin(kHalfPlaneParams), std::end(kHalfPlaneParams), params.begin());
    params[kWhenStuck - kTraitCount] = {
        .name = "when_stuck",
        .unit = "",
        .default_value = 0.0f,
        .min = 0.0f,
        .max = 2.0f,
        .meaning = "where nothing fits: least violation, brake and wait, or stop dead and wait",
        .choices = kWhenStuckWords};
    return params;
}();

constexpr TraitValue kTraitDefaults[] = {{"max_acceleration", 1.5f}};

}  // namespace

const Model kModel{
    .info = {.name = "personality",
             .summary = "ORCA with roles by rank and a temper between calm and bent on the goal",
             .params = kParams,
             .trait_defaults = kTraitDefaults},
    .avoidance = AvoidanceClass::half_planes,
    .reacts = true,
    .may_wait = true,
    .choose_for = choose_by_personality};

}  // namespace sidestep::personality
