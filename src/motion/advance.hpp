// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "motion/wall_touch.hpp"

namespace sidestep {

/// How fast one goes back to the place it holds: without haste, slower as it comes near, and not at
/// all for the width of a finger.
inline constexpr float kMostReturnSpeed = 0.5f;  ///< [m/s]
inline constexpr float kNearlyThere = 0.01f;     ///< [m]
inline constexpr float kReturnRate = 1.0f;       ///< [1/s]

/// Velocity straight to the goal at preferred speed, capped so that one step cannot overshoot; zero
/// without a goal; the host's own where the host drives. Reads x, y, goal [m]; writes preferred
/// velocity [m/s] of the leaves [first, last). Returns how many have nowhere to go.
using SetWishes = std::uint64_t (*)(AgentTable& agents, const Column<Profile>& profiles, float dt,
                                    std::size_t first_leaf, std::size_t last_leaf);

SetWishes set_wishes_for(Isa isa);

/// One agent of the above without writing.
Point<float> preferred_velocity_of(const AgentTable& agents, const Column<Profile>& profiles,
                                   float dt, std::size_t row) noexcept;

/// One leaf of the above without writing: for a look ahead.
void preferred_velocities_of_leaf(const AgentTable& agents, const Column<Profile>& profiles,
                                  float dt, std::size_t leaf, float* vx, float* vy) noexcept;

/// What moves had to be cut short, and what they started from.
struct MoveCounts {
    std::uint64_t wall_contacts = 0;  ///< moves cut at a wall
    std::uint64_t wall_penetrations =
        0;  ///< bodies deeper than kPenetration in a wall at the start
    std::uint64_t acceleration_exceeded =
        0;  ///< velocities within the acceleration limit that a wall changed beyond it
};

/// Deeper than this into a wall [m] counts as a penetration.
inline constexpr float kPenetration = 0.01f;

/// Next velocity -> velocity and position of the leaves [first, last); moves are cut at walls.
/// Positions carry what they lose to rounding to the next step: 0.1 m/s at 700 m would be 2 %
/// slower otherwise.
MoveCounts advance(AgentTable& agents, const Column<Profile>& profiles, const WallIndex& walls,
                   FindTouching find_touching, float dt, std::size_t first_leaf,
                   std::size_t last_leaf) noexcept;

}  // namespace sidestep
