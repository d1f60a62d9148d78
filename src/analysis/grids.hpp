// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/level_floors.hpp"
#include "analysis/velocities.hpp"
#include "parallel/workers.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

/// Density and speed in the cells of each level. Counts are integers until the end, so that the
/// sums of threads have no order. A count is smoothed by the weights (1 2 1) / 4 along x and along
/// y, which keep the number of people; the grid has a row of cells around all positions for it.
/// Positions and floors are no farther than kFarthest.
std::vector<GridResult> measure_grids(const Trajectories& trajectories, const LevelFloors& floors,
                                      const Velocities& velocities, double cell, Workers& workers);

}  // namespace sidestep
