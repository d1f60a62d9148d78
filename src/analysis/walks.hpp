// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/velocities.hpp"
#include "parallel/workers.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

/// Times, ways, energy and stalls of each walker, in id order.
std::vector<WalkerResult> measure_walks(const Trajectories& trajectories,
                                        const Velocities& velocities, Workers& workers);

/// What all of them make together.
StallResult sum_stalls(const std::vector<WalkerResult>& walkers);

/// Travel times and times of arrival of those who arrived: as the notes say, also of those who came
/// and went between two frames; without notes of the walkers.
struct Arrivals {
    std::vector<double> times;         ///< ascending [s]
    std::vector<double> travel_times;  ///< [s]
};
Arrivals find_arrivals(const Trajectories& trajectories, const std::vector<WalkerResult>& walkers);

}  // namespace sidestep
