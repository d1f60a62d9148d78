// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// Optimal reciprocal collision avoidance, [ORCA11]: half-planes, everybody seen at once, no limit
// of acceleration. models/half_plane_model.hpp tells how it works.
namespace sidestep::orca {

extern const Model kModel;

}  // namespace sidestep::orca
