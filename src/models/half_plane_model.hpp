// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// What ORCA, RCAP and the model of roles and personality have in common, [ORCA11].
//
// Each neighbour that was perceived forbids the velocities that lead to contact within the horizon;
// the nearest way out of that set gives a half-plane, of which each of the two takes its share.
// Walls give half-planes of their own, which come first. The velocity nearest to a wanted one
// inside all of them, and inside the discs of the speed and acceleration limits, is taken; when
// there is none, walls give way last. The models differ in what they take for granted (defaults of
// traits) and in the wanted velocity: one kernel serves them all.
namespace sidestep {

/// Places of the parameters that all half-plane models begin with, after the traits.
enum HalfPlaneParam : std::size_t {
    kTimeHorizon = kTraitCount,
    kWallTimeHorizon,
    kOverlapTime,
    kVelocityUncertainty,
    kHalfPlaneParamEnd,
};

/// Place of the parameter that only model personality has.
inline constexpr std::size_t kWhenStuck = kHalfPlaneParamEnd;

/// What an agent of model personality does when its lines leave nothing, in the order of the words.
enum class WhenStuck : std::uint8_t { least, wait_clamped, wait };

/// An agent that brakes in time minds so many wall edges, the nearest. (All of them have their hard
/// lines anyway.)
inline constexpr std::size_t kMostBrakeWalls = 32;

/// Rows of lines that agents may need beyond one per wall edge, body and neighbour: as many again
/// of bodies and neighbours to brake in time, kMostBrakeWalls, and 16 of a limit across the
/// heading.
constexpr std::size_t extra_line_rows(std::size_t bodies)
{
    return bodies + kNeighbourListCapacity + kMostBrakeWalls + 16;
}

// clang-format off
inline constexpr ParamInfo kHalfPlaneParams[] = {
    // name                   unit   default  min    max    meaning
    {"time_horizon",          "s",   2.0f,    0.05f, 60.0f, "tau: later collisions with agents are ignored"},
    {"wall_time_horizon",     "s",   1.0f,    0.05f, 60.0f, "the same, for walls"},
    {"overlap_time",          "s",   0.0f,    0.0f,  60.0f, "time in which an overlap is undone; 0: one step. Longer is gentler"},
    {"velocity_uncertainty",  "m/s", 0.0f,    0.0f,  10.0f, "radius of the disc that a neighbour's true velocity lies in"},
};
// clang-format on
static_assert(kTraitCount + std::size(kHalfPlaneParams) == kHalfPlaneParamEnd);

/// Takes the velocity nearest to the preferred one, [ORCA11] eq. (9).
ChooseVelocities choose_towards_goal(Isa isa);
/// Blends it with the one nearest to the current velocity, by trait alpha, [LI13] eq. (11).
ChooseVelocities choose_by_personality(Isa isa);

}  // namespace sidestep
