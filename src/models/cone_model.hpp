// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "models/half_plane_model.hpp"

// What VO, RVO and ClearPath have in common, [VO98], [RVO08], [CP09].
//
// Each neighbour forbids a cone of velocities, walls forbid cones of their own, and the velocity
// nearest to the wanted one outside all of them is taken. The allowed set is not convex: an agent
// may pass a neighbour on either side, where half-planes have decided the side already. When
// nothing is left, the models differ in what they give up; walls come first in all of them.
namespace sidestep {

/// Places of parameters after those that half-plane models begin with, which cone models have too.
inline constexpr std::size_t kChooser = kHalfPlaneParamEnd;                 ///< of vo and rvo
inline constexpr std::size_t kContactWeightParam = kHalfPlaneParamEnd + 1;  ///< of the same
inline constexpr std::size_t kVariant = kHalfPlaneParamEnd;                 ///< of clearpath
inline constexpr std::size_t kOverlapWish = kHalfPlaneParamEnd + 1;

/// How vo and rvo choose, in the order of the words.
enum class Chooser : std::uint8_t { exact, sampled };

/// Which ClearPath.
enum class ClearPathVariant : std::uint8_t { one = 1, two = 2 };

/// What an agent of model clearpath wants while it overlaps with somebody.
enum class OverlapWish : std::uint8_t { stand, walk };

/// Walls beyond so many edges, the nearest, have no cones of their own: the velocity that was
/// chosen is held against them, and against all others, by their hard lines.
inline constexpr std::size_t kMostWallCones = 24;

/// Rows of the lines of a limit across the heading.
inline constexpr std::size_t kEllipseRows = 16;

/// Rows of regions that agents may need: cones of walls, agents and bodies; lines of ellipses and
/// of room to brake; sides of [CP09].
constexpr std::size_t region_rows(std::size_t bodies)
{
    return kMostWallCones + kEllipseRows + kMostBrakeWalls + 2 * bodies +
           3 * kNeighbourListCapacity;
}

/// Columns of a row of regions: the region, the chooser's own, and the two that are put back.
inline constexpr std::size_t kRegionColumns = 12 + 8 + 2;

inline constexpr std::string_view kChooserWords[] = {"exact", "sampled"};

/// Parameters of vo and rvo.
inline constexpr auto kConeParams = [] {
    std::array<ParamInfo, std::size(kHalfPlaneParams) + 2> params;
    std::copy(std::begin(kHalfPlaneParams), std::end(kHalfPlaneParams), params.begin());
    params[kChooser - kTraitCount] = {
        .name = "chooser",
        .unit = "",
        .default_value = 0.0f,
        .min = 0.0f,
        .max = 1.0f,
        .meaning = "exact: the nearest velocity outside all cones; sampled: the best of 253",
        .choices = kChooserWords};
    params[kContactWeightParam - kTraitCount] = {
        "contact_weight",
        "m",
        2.0f,
        0.0f,
        100.0f,
        "where velocities are sampled: a contact in so many seconds is as "
        "bad as 1 m/s off the wish"};
    return params;
}();

/// Keeps out of the cones of others as if they went on as they do, [VO98].
ChooseVelocities choose_outside_full_cones(Isa isa);
/// Keeps out of its share of the cones, [RVO08].
ChooseVelocities choose_outside_reciprocal_cones(Isa isa);
/// Keeps out of its share of linearised cones, [CP09].
ChooseVelocities choose_outside_linear_cones(Isa isa);
/// Keeps to one half-plane of each linearised cone, on which both of a pair agree.
ChooseVelocities choose_in_safe_half_planes(Isa isa);

}  // namespace sidestep
