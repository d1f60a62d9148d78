// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sidestep/analysis.hpp"
#include "sidestep/result.hpp"

namespace sidestep {

/// Lengths that are lengths, lines that have one, names that say which.
Result<void> check_options(const AnalysisOptions& options);

/// Columns that fit together and positions that are finite and no farther from (0, 0) than
/// kFarthest: a caller may have made them by hand.
Result<void> check_trajectories(const Trajectories& trajectories);

/// Lines and areas are on levels that the recording names or that somebody is on; one that names
/// none has all.
Result<void> check_levels(const AnalysisOptions& options, const Trajectories& trajectories);

}  // namespace sidestep
