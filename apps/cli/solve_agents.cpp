// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Operations about what an agent sees, can do and has done.
#include "solve_operations.hpp"

#include <sidestep/analysis.hpp>

#include <optional>
#include <vector>

namespace sidestep::cli {
namespace {

Json solve_visible(const Json& in)
{
    const auto walls = to_items(member(in, "walls"), "walls", to_segment);
    std::optional<Vec2> heading;
    if (const Json* value = optional_member(in, "heading")) heading = to_vec(*value, "heading");
    constexpr double kRadiansPerDegree = 3.141592653589793 / 180.0;
    const double fov_deg = number_or_inf(in, "fov_deg");
    if (fov_deg < 0.0) throw BadInput("fov_deg must be >= 0");
    const double all_round = 6.283185307179586;
    return {{"visible",
             value_of(visible(
                 {.from = vec(in, "pa"),
                  .to = vec(in, "pb"),
                  .heading = heading,
                  .field_of_view = fov_deg >= 360.0 ? all_round : fov_deg * kRadiansPerDegree,
                  .range = number_or_inf(in, "range"),
                  .walls = walls}))}};
}

Json solve_rcap_gate(const Json& in)
{
    std::vector<bool> seen;
    for (const Json& step : list(member(in, "visible"), "visible")) {
        if (!step.is_boolean()) throw BadInput("'visible' must hold true or false for each step");
        seen.push_back(step.get<bool>());
    }
    const auto active = value_of(rcap_gate(seen, number_or_inf(in, "T_obs"),
                                           number_or_inf(in, "T_forget"), number(in, "dt")));
    Json out = Json::array();
    for (const bool step : active) out.push_back(step);
    return {{"active", out}};
}

Json solve_mpd(const Json& in)
{
    const auto closest =
        value_of(closest_approach(vec(in, "pa"), vec(in, "va"), vec(in, "pb"), vec(in, "vb")));
    return {{"t", closest.time}, {"d", closest.distance}};
}

Json solve_energy(const Json& in)
{
    const auto velocities = to_items(member(in, "v"), "v", to_vec);
    return {{"E", value_of(walking_energy(velocities, number(in, "dt"), number(in, "m")))}};
}

Json solve_accel_clamp(const Json& in)
{
    const Vec2 v = value_of(accel_clamp(vec(in, "v_old"), vec(in, "v_computed"),
                                        number_or_inf(in, "a_max"), number(in, "dt")));
    return {{"v", to_json(v)}};
}

Json solve_brake_plane(const Json& in)
{
    const auto brake = value_of(brake_plane(agent(in, "a"), agent(in, "b"), number(in, "a_sum"),
                                            number(in, "dt"), number(in, "w")));
    return {{"c_max", brake.c_max}, {"n", to_json(brake.normal)}, {"q", to_json(brake.point)}};
}

Json solve_avo_contains(const Json& in)
{
    const Encounter pair{vec(in, "P"), number(in, "R"), vec(in, "v_rel")};
    const auto test = value_of(
        avo_contains(pair, vec(in, "v_target"), number_or_inf(in, "delta"), number(in, "tau")));
    return {{"inside", test.inside}, {"min_dist", test.min_dist}};
}

Json solve_wall_line(const Json& in)
{
    const auto line = value_of(wall_line(vec(in, "p"), number(in, "r"), vec(in, "s"), vec(in, "n"),
                                         number_or_inf(in, "tau"), number(in, "t_res")));
    return {{"n", to_json(line.normal)}, {"c", line.bound}};
}

// clang-format off
constexpr Operation kOperations[] = {
    {"visible",      solve_visible},
    {"rcap_gate",    solve_rcap_gate},
    {"mpd",          solve_mpd},
    {"energy",       solve_energy},
    {"accel_clamp",  solve_accel_clamp},
    {"brake_plane",  solve_brake_plane},
    {"avo_contains", solve_avo_contains},
    {"wall_line",    solve_wall_line},
};
// clang-format on

}  // namespace

std::span<const Operation> agent_operations()
{
    return kOperations;
}

}  // namespace sidestep::cli
