// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// Optimal reciprocal collision avoidance, [ORCA11].
//
// Each neighbour forbids the velocities that lead to contact within the horizon; the nearest way
// out of that set gives a half-plane, of which each of the two takes its share. Walls give
// half-planes of their own, which come first. The velocity nearest to the preferred one inside all
// of them, and inside the discs of the speed and acceleration limits, is taken; when there is none,
// walls give way last.
namespace sidestep::orca {

/// Places of the model's own parameters in a profile, after the traits.
enum Param : std::size_t {
    kTimeHorizon = kTraitCount,
    kWallTimeHorizon,
    kOverlapTime,
    kVelocityUncertainty,
    kParamEnd,
};

ChooseVelocities choose_for(Isa isa);

extern const Model kModel;

}  // namespace sidestep::orca
