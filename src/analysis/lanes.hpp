// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "analysis/velocities.hpp"
#include "parallel/workers.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

/// Order of lanes along an axis [rad], [RexLoewen07], in the form that is used of pedestrians
/// [NowakSchadschneider12]: phi_i = ((same - opposite) / (same + opposite))^2 over others whose
/// distance across the axis is below 0.75 m, mean over walkers that have such others. Who moves at
/// less than 0.2 m/s along the axis has no direction. No axis: the principal one of all velocities.
LaneResult measure_lanes(const Trajectories& trajectories, const Velocities& velocities,
                         std::optional<double> axis, Workers& workers);

}  // namespace sidestep
