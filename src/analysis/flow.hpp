// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/velocities.hpp"
#include "sidestep/analysis.hpp"

namespace sidestep {

// Who goes through a line, when, and which way: docs/metrics/flow.md.
//
//   forward is to the left of a -> b            ^
//                                       a ------+------> b
//
// A walker crosses where it gets from one side to the other: between two rows without a gap
// (track.hpp), the time in proportion; over rows on the line itself, when it leaves it. It counts
// where it goes through [a, b], ends included. To touch the line and turn back is no crossing.

/// Crossings, counts and flow of each line. Speeds are those of the row after the crossing. A line
/// of length 0 has no crossings.
std::vector<FlowResult> line_flows(const Trajectories& trajectories, const Velocities& velocities,
                                   std::span<const MeasureLine> lines);

/// The same for each exit among the recording's places, in their order, from the ends that its
/// notes tell: who left there, and when exactly. All are forward; speeds are those of the last row.
std::vector<FlowResult> exit_flows(const Trajectories& trajectories, const Velocities& velocities);

/// J = 0.6 (n - 1) / (t80 - t20) of n ascending times [s], where t20 and t80 are their quantiles by
/// linear interpolation: the slope of N(t) without its ends [1/s]. 0 with fewer than 3 times, or
/// where t80 = t20.
double flow_of(std::span<const double> times);

}  // namespace sidestep
