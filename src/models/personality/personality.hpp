// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// Roles and personality, [LI13]: half-planes as in ORCA, shared by rank, and a velocity between the
// calm one (nearest to the current velocity) and the one nearest to the goal's.
namespace sidestep::personality {

extern const Model kModel;

}  // namespace sidestep::personality
