// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parallel/workers.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

/// Who is slower does not walk [m/s]: it has no direction, and after a while it stalls.
inline constexpr double kLeastWalkingSpeed = 0.2;

/// Of each row [m/s]; NaN in both: not known.
struct Velocities {
    std::vector<float> x, y;

    bool known(std::size_t row) const { return !std::isnan(x[row]); }
    double speed(std::size_t row) const
    {
        const double vx = x[row];
        const double vy = y[row];
        return std::sqrt(vx * vx + vy * vy);
    }
};

/// Rows before and after that a velocity is taken over: `asked`, or where that is 0 as many as make
/// about 0.4 s in all, at least 1.
std::uint32_t frame_step_of(const Trajectories& trajectories, std::uint32_t asked);

/// v_i = (x_(i+k) - x_(i-k)) / (t_(i+k) - t_(i-k)), where i counts the rows of a stretch
/// (track.hpp) and k is frame_step > 0, or near the ends of the stretch what there is on the
/// shorter side: that is [PedPy] compute_individual_speed with SpeedCalculation.BORDER_ADAPTIVE.
/// The first and the last row of a stretch, which have none there, get the difference to the row
/// beside them. A stretch of one row: not known.
Velocities individual_velocities(const Trajectories& trajectories, std::uint32_t frame_step,
                                 Workers& workers);

}  // namespace sidestep
