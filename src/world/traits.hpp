// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sidestep/models.hpp"

namespace sidestep {

/// The traits every agent has, in the order of the table `traits()`.
enum Trait : std::size_t {
    kRadius,
    kPlanningRadius,
    kWallClearance,
    kPreferredSpeed,
    kMaxSpeed,
    kMaxAcceleration,
    kRank,
    kNeighbourRange,
    kMaxNeighbours,
    kTraitCount,
};

/// Most parameters a profile holds: the traits, then those of its model.
inline constexpr std::size_t kMaxParams = 32;

/// Most neighbours an agent can be told to list: the per-worker lists have this length.
inline constexpr std::size_t kNeighbourListCapacity = 256;

/// A model and a value for each of its parameters. Traits first, at the same place in every
/// profile.
struct Profile {
    std::uint8_t model = 0;  ///< place in the registry
    std::array<float, kMaxParams> value{};
};

}  // namespace sidestep
