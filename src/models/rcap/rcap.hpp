// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// Reciprocal collision avoidance for pedestrians, [RCAP10]: half-planes as in ORCA, but of those
// neighbours only that have been seen for longer than the observation time; within a limit of
// acceleration, with a personal space wider than the body.
namespace sidestep::rcap {

extern const Model kModel;

}  // namespace sidestep::rcap
