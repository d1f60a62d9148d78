// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sidestep/models.hpp"

namespace sidestep {

/// The traits every agent has, in the order of the table `traits()`. New ones go last: the place of
/// a trait is a key of random numbers.
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
    kLateralAcceleration,
    kAccelerationMode,
    kResponseTime,
    kAlpha,
    kPassingSide,
    kPatience,
    kObservationTime,
    kForgetTime,
    kFieldOfView,
    kSight,
    kFilter,
    kFilterHorizon,
    kRepulsionFactor,
    kReplanTime,
    kMotion,
    kTurnRate,
    kBraking,
    kTurningRadius,
    kWheelbase,
    kMaxSteering,
    kTurnThreshold,
    kGround,
    kTraitCount,
};

/// How a limit of acceleration is kept, in the order of the trait's words.
enum class AccelerationMode : std::uint8_t { disc, clamp, brake, avo };

/// On which side an agent passes whom it meets head on: as everybody in its world, or its own way.
enum class OwnSide : std::uint8_t { world, right, left };

/// What walls hide: nothing; whoever's centre they hide; only who is hidden from shoulder to
/// shoulder.
enum class Sight : std::uint8_t { through_walls, centre, body };

/// What the velocity that a model wants is passed through before it is taken.
enum class Filter : std::uint8_t { none, orca, clearpath };

/// How a body moves: in any direction at once; forward and turning; forward, steered by a front
/// wheel.
enum class Motion : std::uint8_t { free, unicycle, bicycle };

/// What a vehicle keeps free: the way on which it stops, or a circle that it can drive for ever.
enum class GroundKind : std::uint8_t { automatic, stopping_way, turning_circle };

/// Most parameters a profile holds: the traits, then those of its model.
inline constexpr std::size_t kMaxParams = 64;

/// Most neighbours an agent can be told to list: the per-worker lists have this length.
inline constexpr std::size_t kNeighbourListCapacity = 256;

/// A model and a value for each of its parameters. Traits first, at the same place in every
/// profile.
struct Profile {
    std::uint8_t model = 0;  ///< place in the registry
    std::array<float, kMaxParams> value{};
};

}  // namespace sidestep
