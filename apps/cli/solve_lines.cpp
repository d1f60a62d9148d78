// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Operations about half-planes of velocities.
#include "solve_operations.hpp"

#include <cstddef>
#include <vector>

namespace sidestep::cli {
namespace {

const char* name_of(BoundaryFeature feature)
{
    switch (feature) {
        case BoundaryFeature::arc: return "arc";
        case BoundaryFeature::left: return "left";
        case BoundaryFeature::right: return "right";
        case BoundaryFeature::overlap: break;
    }
    return "overlap";
}

const char* status_of(const ProgramSolution& solution)
{
    return solution.relaxed ? "relaxed" : "ok";
}

Json solve_vo_contains(const Json& in)
{
    const auto test = value_of(vo_contains(encounter(in), number_or_inf(in, "tau")));
    Json ttc = nullptr;
    if (test.time_to_collision) ttc = *test.time_to_collision;
    return {{"inside", test.inside}, {"ttc", ttc}};
}

Json solve_vo_project(const Json& in)
{
    const auto exit = value_of(vo_project(encounter(in), number_or_inf(in, "tau")));
    return {{"u", to_json(exit.u)},
            {"n", to_json(exit.normal)},
            {"sd", exit.signed_distance},
            {"feature", name_of(exit.feature)}};
}

Json solve_vo_uncertain(const Json& in)
{
    const auto exit =
        value_of(vo_uncertain(encounter(in), number_or_inf(in, "tau"), number(in, "rho")));
    return {{"inside", exit.inside()},
            {"u", to_json(exit.u)},
            {"n", to_json(exit.normal)},
            {"sd", exit.signed_distance}};
}

Json solve_orca_line(const Json& in)
{
    const auto line = value_of(orca_line(agent(in, "a"), agent(in, "b"), number_or_inf(in, "tau"),
                                         number(in, "t_res"), number(in, "w")));
    return {{"u", to_json(line.u)},
            {"n", to_json(line.normal)},
            {"q", to_json(line.point)},
            {"feature", name_of(line.feature)}};
}

Json solve_lp(const Json& in)
{
    const auto lines = to_items(member(in, "lines"), "lines", to_half_plane);
    const auto solution = value_of(
        solve_program({lines, number(in, "v_max"), vec(in, "v_pref"), acceleration_disc(in)}));
    return {{"status", status_of(solution)},
            {"v", to_json(solution.velocity)},
            {"t_soft", solution.t_soft},
            {"t_hard", solution.t_hard}};
}

Json solve_obstacle_lines(const Json& in)
{
    const auto lines = value_of(obstacle_lines(vec(in, "p"), vec(in, "v"), number(in, "r"),
                                               number(in, "tau_o"), polygons(in)));
    Json out = Json::array();
    for (const HalfPlane& line : lines) {
        out.push_back({{"n", to_json(line.normal)}, {"c", dot(line.normal, line.point)}});
    }
    return {{"lines", out}};
}

Json solve_orca_step(const Json& in)
{
    const Json& agents = list(member(in, "agents"), "agents");
    if (agents.empty()) throw BadInput("'agents' must hold at least the agent that plans");
    std::vector<OrcaNeighbour> neighbours;
    for (std::size_t i = 1; i < agents.size(); ++i) {
        neighbours.push_back(to_neighbour(agents[i], item_name("agents", i)));
    }
    const std::vector<WallPolygon> walls = polygons(in);
    const auto solution = value_of(orca_step({.agent = to_agent(agents[0], "agents[0]"),
                                              .neighbours = neighbours,
                                              .walls = walls,
                                              .tau = number_or_inf(in, "tau"),
                                              .tau_o = number(in, "tau_o"),
                                              .dt = number(in, "dt"),
                                              .v_max = number(in, "v_max"),
                                              .preferred = vec(in, "v_pref")}));
    return {{"status", status_of(solution)},
            {"v", to_json(solution.velocity)},
            {"t_soft", solution.t_soft}};
}

Json solve_fair_area(const Json& in)
{
    const Encounter pair{vec(in, "P"), number(in, "R"), vec(in, "va") - vec(in, "vb")};
    const auto areas =
        value_of(fair_area(pair, number_or_inf(in, "tau"), number(in, "w"), number(in, "radius")));
    return {{"area_a", areas.a}, {"area_b", areas.b}};
}

Json solve_li_weight(const Json& in)
{
    const double rank_i = number_or_inf(in, "rank_i");
    const double rank_j = number_or_inf(in, "rank_j");
    return {{"w_ij", value_of(share_from_ranks(rank_i, rank_j))},
            {"w_ji", value_of(share_from_ranks(rank_j, rank_i))}};
}

/// Walls are an extra: `polygons`, and then `tau_o`.
Json solve_li_step(const Json& in)
{
    const auto neighbours = to_items(member(in, "nbs"), "nbs", to_neighbour);
    std::vector<WallPolygon> walls;
    if (const Json* given = optional_member(in, "polygons")) walls = to_polygons(*given);
    const auto v = value_of(li_step({.agent = agent(in, "a"),
                                     .neighbours = neighbours,
                                     .walls = walls,
                                     .tau = number_or_inf(in, "tau"),
                                     .tau_o = walls.empty() ? 1.0 : number(in, "tau_o"),
                                     .t_res = number(in, "t_res"),
                                     .dt = number(in, "dt"),
                                     .v_max = number(in, "v_max"),
                                     .a_max = number_or_inf(in, "a_max"),
                                     .alpha = number(in, "alpha"),
                                     .preferred = vec(in, "v_pref")}));
    return {{"v_calm", to_json(v.calm)},
            {"v_goal", to_json(v.goal)},
            {"v_set", to_json(v.set)},
            {"v_new", to_json(v.next)}};
}

// clang-format off
constexpr Operation kOperations[] = {
    {"vo_contains",    solve_vo_contains},
    {"vo_project",     solve_vo_project},
    {"vo_uncertain",   solve_vo_uncertain},
    {"orca_line",      solve_orca_line},
    {"lp",             solve_lp},
    {"obstacle_lines", solve_obstacle_lines},
    {"orca_step",      solve_orca_step},
    {"fair_area",      solve_fair_area},
    {"li_weight",      solve_li_weight},
    {"li_step",        solve_li_step},
};
// clang-format on

}  // namespace

std::span<const Operation> line_operations()
{
    return kOperations;
}

}  // namespace sidestep::cli
