// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "scenario/layouts/plans.hpp"

// Two plazas and a bridge between them:
//
//    +---------+           +---------+
//    |g|       +-----------+       |g|    g  goals west-end and east-end, strips along the far
//    sides |g| west    bridge       east |g|       of the plazas |g|       +-----------+       |g|
//    +---------+           +---------+

namespace sidestep::plans {

namespace {

// clang-format off
constexpr LayoutParam kParams[] = {
    // name         unit  default  min   max          whole  meaning
    {"agents",      "1",  1000.0,  1.0,  kMostAgents, true,  "how many people, of both plazas"},
    {"length",      "m",  40.0,    1.0,  2000.0,      false, "of the bridge"},
    {"width",       "m",  4.0,     0.6,  500.0,       false, "of the bridge, between its rails"},
    {"plaza",       "m",  34.0,    4.0,  2000.0,      false, "side of the square plazas"},
};
// clang-format on

/// Strip in which people have arrived [m].
constexpr double kGoalDepth = 1.0;
/// Nobody starts nearer than this to an edge of a plaza or to the goal strip [m].
constexpr double kInset = 0.5;

std::string build(std::span<const double> values, Scenario& scenario)
{
    const double half_length = values[1] / 2.0;
    const double half_width = values[2] / 2.0;
    const double half_plaza = values[3] / 2.0;
    const double end = half_length + values[3];
    if (half_width > half_plaza)
        return fmt::format("the bridge ({} m wide) is wider than the plazas ({} m)", values[2],
                           values[3]);
    if (std::string fault = check_extent(2.0 * end, values[3]); !fault.empty()) return fault;

    if (half_width == half_plaza) {  // one long hall: no corners at the ends of the bridge
        add_floor(scenario, {make_box(-end, -half_plaza, end, half_plaza), {}});
    } else {
        add_floor(scenario, {snap(Ring{{-end, -half_plaza},
                                       {-half_length, -half_plaza},
                                       {-half_length, -half_width},
                                       {half_length, -half_width},
                                       {half_length, -half_plaza},
                                       {end, -half_plaza},
                                       {end, half_plaza},
                                       {half_length, half_plaza},
                                       {half_length, half_width},
                                       {-half_length, half_width},
                                       {-half_length, half_plaza},
                                       {-end, half_plaza}}),
                             {}});
    }
    const double inner = end - kGoalDepth;
    const double side = half_plaza - kInset;
    add_to_area(scenario, "west", make_box(-inner + kInset, -side, -half_length - kInset, side));
    add_to_area(scenario, "east", make_box(half_length + kInset, -side, inner - kInset, side));
    add_to_goal(scenario, "west-end", make_box(-end, -half_plaza, -inner, half_plaza));
    add_to_goal(scenario, "east-end", make_box(inner, -half_plaza, end, half_plaza));
    return {};
}

}  // namespace

const LayoutInfo kBridge{.name = "bridge",
                         .summary = "two square plazas joined by a narrow bridge, centred at 0",
                         .params = kParams,
                         .makes = "areas: west, east; goals: west-end, east-end",
                         .build = build};

}  // namespace sidestep::plans
