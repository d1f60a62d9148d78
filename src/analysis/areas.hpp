// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/level_floors.hpp"
#include "analysis/velocities.hpp"
#include "parallel/workers.hpp"
#include "sidestep/analysis.hpp"
#include "sidestep/result.hpp"

namespace sidestep {

// Measurement areas and the individual densities, both from Voronoi cells (voronoi.hpp). Cells are
// made only for those who can matter: walkers that an area is in reach of, and the rows of the
// sample. A walker off the floor has no cell, but others keep their distance to it.

/// Density, speed and their Voronoi kind in each area of the options, frame by frame:
/// docs/metrics/fundamental-diagram.md. An Error names the area that is no polygon or off the
/// floor.
Result<std::vector<AreaResult>> measure_areas(const Trajectories& trajectories,
                                              const LevelFloors& floors,
                                              const Velocities& velocities,
                                              const AnalysisOptions& options, Workers& workers);

/// The most rows that are taken for speed over density.
inline constexpr std::size_t kDensitySpeedRows = 20'000;

/// 1 / (area of the cell) and speed of rows that are spread evenly over the recording; those
/// without a cell or a speed are left out. Empty where options.voronoi is off.
Result<std::vector<DensitySpeed>> sample_density_speed(const Trajectories& trajectories,
                                                       const LevelFloors& floors,
                                                       const Velocities& velocities,
                                                       const AnalysisOptions& options,
                                                       Workers& workers);

}  // namespace sidestep
