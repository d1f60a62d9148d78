// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/velocities.hpp"
#include "parallel/workers.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

/// Two of one level meet when they come closer than `range` [m], and part when they are farther
/// apart than 1.25 x range or one of them is not recorded. It counts where both were recorded in
/// the frame before (so that they were seen to come), both walk at 0.2 m/s or more, and their
/// headings differ by more than 30 degrees: who walks side by side or one behind the other does not
/// pass. `joined` says of each row whether the frame before has the walker, without a gap.
EncounterResult measure_encounters(const Trajectories& trajectories, const Velocities& velocities,
                                   const std::vector<std::uint8_t>& joined, double range,
                                   Workers& workers);

}  // namespace sidestep
