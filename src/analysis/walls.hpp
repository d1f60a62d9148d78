// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/level_floors.hpp"
#include "parallel/workers.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

/// Rows and moves against the outline of the walkable area of their level; doors are open in it.
WallResult measure_walls(const Trajectories& trajectories, const LevelFloors& floors,
                         const std::vector<double>& radii, Workers& workers);

}  // namespace sidestep
