// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "models/vo/vo.hpp"

#include "models/cone_model.hpp"

namespace sidestep::vo {

const Model kModel{
    .info = {.name = "vo",
             .summary =
                 "velocity obstacles: out of everybody's cone, as if the others went on as they do",
             .params = kConeParams},
    .avoidance = AvoidanceClass::full_cones,
    .reacts = true,
    .choose_for = choose_outside_full_cones};

}  // namespace sidestep::vo
