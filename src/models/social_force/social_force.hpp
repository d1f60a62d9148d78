// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// Social forces, [SF95]: a pedestrian speeds up towards its preferred velocity and is pushed away
// by others, by walls and by whatever drives. How others push is one of several published forms.
//
// In: the neighbours that are perceived, bodies, the wall index. Out: the velocity whose step leads
// where the forces do. A step is cut into parts short enough for the forces; in these the agent
// itself moves on, and everybody else as they did when the step began:
//
//     for each part:  forces at the present place, others extrapolated   (social_force_pushes)
//                     velocity: the goal's pull implicitly, the rest not (social_force_motion)
//     the answer:     the way made / dt
namespace sidestep::social_force {

/// Places of the parameters, after the traits.
enum Param : std::size_t {
    kRelaxationTime = kTraitCount,
    kRepulsion,
    kStrength,
    kReach,
    kAnisotropy,
    kWeighting,
    kLookAhead,
    kPowerScale,
    kPowerTime,
    kContact,
    kContactStiffness,
    kContactFriction,
    kMass,
    kWallStrength,
    kWallReach,
    kBodyStrength,
    kBodyReach,
    kSideConvention,
    kParamEnd,
};

/// How others push, in the order of the words.
enum class RepulsionForm : std::uint8_t { circular, elliptical_1, elliptical_2, power_law, none };

/// How pushes from the side and from behind count, in the order of the words.
enum class Weighting : std::uint8_t { cosine, view_1995 };

/// Whether bodies that touch press each other, in the order of the words.
enum class ContactForm : std::uint8_t { none, helbing_2000 };

ChooseVelocities choose_for(Isa isa);

extern const Model kModel;

}  // namespace sidestep::social_force
