// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "motion/edge_geometry.hpp"

namespace sidestep {

/// Points nearer than this [m] have no direction: far below what a position about the origin holds.
inline constexpr double kNoDirection = 1e-9;

/// The ground that a body reserves: a disc swept along the straight way on which it would stop. Who
/// stops at once reserves its disc.
struct Capsule {
    Spot centre{};
    Spot way{};  ///< on which it stops [m]
    double radius = 0.0;
};

/// What lies between two reserved grounds.
struct Separation {
    Spot towards{};      ///< unit vector from the first to the second, across the gap
    double gap = 0.0;    ///< [m]; not positive where they touch or overlap
    Spot own{}, near{};  ///< the points of the two ways that are nearest to each other [m]
};

/// The separation of two capsules; `apart` is the direction in which the first one leaves the
/// second where their centres coincide. The two see the same: exchanged, and with the opposite
/// `apart`, the answer points the other way and has the same gap. Where the ways cross there is no
/// direction across the gap, and the one between the centres is taken.
Separation separate(const Capsule& first, const Capsule& second, const Spot& apart) noexcept;

/// How fast the first of two may come towards the second, along Separation::towards, so that they
/// do not meet within dt whatever the second does with the rest of the gap, [BVC17]: half of what
/// their present velocities leave of the gap, and its own present approach on top, between nothing
/// and all of it. The two allowances add up to gap / dt [m/s]; none of them is negative, so that
/// standing is always allowed. `approach` is how fast each comes towards the other now [m/s].
double share_of_gap(double gap, double own_approach, double other_approach, double dt) noexcept;

/// The same about velocities that are safe together, own_approach + other_approach <= gap / dt: its
/// own approach, and half of what the two leave of the gap, or all of it where the other does not
/// change any more. Negative where it has to keep going away because the other counts on it.
double share_of_rest(double gap, double own_approach, double other_approach, double dt,
                     bool other_may_change) noexcept;

}  // namespace sidestep
