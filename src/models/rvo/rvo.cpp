// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/rvo/rvo.hpp"

#include "models/cone_model.hpp"

namespace sidestep::rvo {

const Model kModel{
    .info = {.name = "rvo",
             .summary = "reciprocal velocity obstacles: half of every avoidance, on either side",
             .params = kConeParams},
    .avoidance = AvoidanceClass::reciprocal_cones,
    .reacts = true,
    .choose_for = choose_outside_reciprocal_cones};

}  // namespace sidestep::rvo
