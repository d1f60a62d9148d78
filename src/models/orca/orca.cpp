// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/orca/orca.hpp"

#include "models/half_plane_model.hpp"

namespace sidestep::orca {

const Model kModel{
    .info = {.name = "orca",
             .summary = "optimal reciprocal collision avoidance: half-planes and an exact program",
             .params = kHalfPlaneParams},
    .avoidance = AvoidanceClass::half_planes,
    .reacts = true,
    .choose_for = choose_towards_goal};

}  // namespace sidestep::orca
