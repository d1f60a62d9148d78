// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/clearpath/clearpath.hpp"

#include "models/cone_model.hpp"

namespace sidestep::clearpath {

namespace {

constexpr std::string_view kOverlapWishes[] = {"stand", "walk"};

/// Those of half-plane models, with the horizon T of [CP09].
constexpr auto kSafeParams = [] {
    std::array<ParamInfo, std::size(kHalfPlaneParams)> params;
    std::copy(std::begin(kHalfPlaneParams), std::end(kHalfPlaneParams), params.begin());
    params[std::size_t{kTimeHorizon} - kTraitCount].default_value = 1.5f;
    return params;
}();

constexpr auto kParams = [] {
    std::array<ParamInfo, std::size(kSafeParams) + 2> params;
    std::copy(std::begin(kSafeParams), std::end(kSafeParams), params.begin());
    params[kVariant - kTraitCount] = {
        .name = "variant",
        .unit = "1",
        .default_value = 2.0f,
        .min = 1.0f,
        .max = 2.0f,
        .meaning = "1: keeps to one side of each neighbour while it can; 2: passes on either side",
        .whole = true};
    params[kOverlapWish - kTraitCount] = {
        .name = "overlap_wish",
        .unit = "",
        .default_value = 1.0f,
        .min = 0.0f,
        .max = 1.0f,
        .meaning =
            "while it overlaps with somebody: stand, as in the paper, or walk on as far as "
            "getting out allows",
        .choices = kOverlapWishes};
    return params;
}();

}  // namespace

const Model kModel{
    .info = {.name = "clearpath",
             .summary = "ClearPath: the nearest velocity outside all linearised cones",
             .params = kParams},
    .avoidance = AvoidanceClass::linear_cones,
    .reacts = true,
    .choose_for = choose_outside_linear_cones};

const Model kSafeModel{
    .info = {.name = "clearpath-safe",
             .summary = "ClearPath with a guarantee: one half-plane of each linearised cone",
             .params = kSafeParams},
    .avoidance = AvoidanceClass::linear_half_planes,
    .reacts = true,
    .choose_for = choose_in_safe_half_planes};

}  // namespace sidestep::clearpath
