// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "motion/wall_contact.hpp"
#include "world/agent_table.hpp"

namespace sidestep {

// Who may come to a wall in a step. Most do not, and need not be asked in double.

/// The discs of a leaf.
struct MovingDiscs {
    alignas(kColumnAlignment) float x[kLeafRows];  ///< [m]
    alignas(kColumnAlignment) float y[kLeafRows];
    alignas(kColumnAlignment) float reach[kLeafRows];  ///< radius, way and room for rounding [m];
                                                       ///< negative: holds nobody
    Box box = kEmptyBox;                               ///< of their centres
    float farthest = 0.0f;                             ///< largest reach [m]
};

/// A bit for each lane whose disc comes within its reach of an edge of this level, on whichever
/// side; `near` gets all edges that are so near to somebody.
using FindTouching = std::uint8_t (*)(const WallIndex& walls, std::uint16_t level,
                                      const MovingDiscs& discs, NearWalls& near);

FindTouching find_touching_for(Isa isa);

}  // namespace sidestep
