// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sidestep/analysis.hpp"

namespace sidestep {

/// A walker as a picture of a moment shows it.
struct SeenWalker {
    Vec2 position{};      ///< [m]
    double radius = 0.0;  ///< [m]
    double speed = 0.0;   ///< [m/s], from the recorded moments before and after; NaN: none near
};

/// Everybody on the level in a frame, in id order.
std::vector<SeenWalker> walkers_at(const Trajectories& trajectories, std::size_t frame,
                                   std::uint16_t level);
/// Index of the frame nearest to a time [s], the earlier of two; there must be one.
std::size_t frame_near(const Trajectories& trajectories, double time);

}  // namespace sidestep
