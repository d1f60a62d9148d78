// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// Velocity obstacles, [VO98]: the velocity nearest to the preferred one that keeps clear of
// everybody for the horizon, if the others went on as they do. Two of this kind both give way, find
// that there was no need, and swing back: the oscillation that RVO and ORCA were made against.
namespace sidestep::vo {

extern const Model kModel;

}  // namespace sidestep::vo
