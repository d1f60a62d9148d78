// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "scenario/layouts/plans.hpp"

// An empty square on the open plane, as large as the crowd and its density ask for. Nothing bounds
// it: it only says where people start.

namespace sidestep::plans {

namespace {

// clang-format off
constexpr LayoutParam kParams[] = {
    // name      unit     default  min    max          whole  meaning
    {"agents",   "1",     1000.0,  1.0,   kMostAgents, true,  "how many people"},
    {"density",  "1/m2",  0.5,     1e-4,  4.0,         false, "people per square metre"},
};
// clang-format on

std::string build(std::span<const double> values, Scenario& scenario)
{
    const double side = std::sqrt(values[0] / values[1]);
    if (std::string fault = check_extent(side, side); !fault.empty()) return fault;
    add_to_area(scenario, "field", make_box(-side / 2.0, -side / 2.0, side / 2.0, side / 2.0));
    return {};
}

}  // namespace

const LayoutInfo kField{.name = "field",
                        .summary = "an empty square without walls, centred at 0",
                        .params = kParams,
                        .makes = "areas: field",
                        .build = build};

}  // namespace sidestep::plans
