// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Phase 1 of a moving agent: it brakes while it turns left at full rate, and goes on turning on the
// spot once it rests. Its end is one root, found here one manoeuvre at a time.

#include "sidestep/vec2.hpp"

namespace sidestep {

struct BrakeTurn {
    Vec2 destination;  ///< y >= 0 [m]
    double speed = 0.0, braking = 1.0, rate = 0.0;
};

struct BrakePose {
    double time = 0.0;  ///< [s]
    Vec2 place;         ///< [m]
    double heading = 0.0, speed = 0.0;
    Vec2 destination;  ///< as seen from there [m]
};

/// The agent after t >= 0 [s] of braking and turning.
BrakePose brake_for(const BrakeTurn& turn, double t);

/// The agent when the bearing of its destination first equals `bearing`; at the start it is larger.
BrakePose brake_until(const BrakeTurn& turn, double bearing);

/// The bearing [rad] in [0, 2 pi) at which a destination is seen: an agent that turns left sees
/// those to its right last.
double bearing_to_left(Vec2 destination);

}  // namespace sidestep
