// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "parallel/workers.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

/// Radius of each walker [m]; `otherwise` where the recording does not say.
std::vector<double> radii_of(const Trajectories& trajectories, double otherwise);

/// Discs of one level that overlap: r_a + r_b less their distance is more than 1 mm. A contact
/// lasts from touch to release, and counts if it gets that deep.
OverlapResult measure_overlaps(const Trajectories& trajectories, const std::vector<double>& radii,
                               Workers& workers);

}  // namespace sidestep
