// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Operations about social forces.
#include "solve_operations.hpp"

#include <sidestep/forces.hpp>

namespace sidestep::cli {
namespace {

RepulsionLaw repulsion(const Json& in)
{
    return {.strength = number(in, "A"), .reach = number(in, "B"), .anisotropy = number(in, "lam")};
}

WalkingPair walking_pair(const Json& in)
{
    return {vec(in, "pi"), vec(in, "vi"), vec(in, "pj"), vec(in, "vj")};
}

Json acceleration(const Result<Vec2>& result)
{
    return {{"a", to_json(value_of(result))}};
}

Json solve_goal(const Json& in)
{
    return acceleration(sf_goal(vec(in, "v"), number(in, "v0"), vec(in, "e"), number(in, "tau")));
}

Json solve_circ(const Json& in)
{
    return acceleration(sf_circ(vec(in, "pi"), vec(in, "vi"), number(in, "ri"), vec(in, "pj"),
                                number(in, "rj"), repulsion(in)));
}

Json solve_wall(const Json& in)
{
    return acceleration(sf_wall(vec(in, "p"), vec(in, "wa"), vec(in, "wb"), number(in, "r"),
                                number(in, "A"), number(in, "B")));
}

Json solve_ell1(const Json& in)
{
    return acceleration(sf_ell1(walking_pair(in), number(in, "dt_step"), repulsion(in)));
}

Json solve_ell2(const Json& in)
{
    return acceleration(sf_ell2(walking_pair(in), number(in, "dt_step"), repulsion(in)));
}

Json solve_contact(const Json& in)
{
    const Vec2 force = value_of(sf_contact(walking_pair(in), number(in, "ri"), number(in, "rj"),
                                           number(in, "k"), number(in, "kappa")));
    return {{"F", to_json(force)}};
}

Json solve_power(const Json& in)
{
    const auto found = value_of(sf_power(vec(in, "x"), vec(in, "v"), number(in, "R"),
                                         number(in, "k"), number_or_inf(in, "t0")));
    return {{"ttc", found.time_to_collision ? Json(*found.time_to_collision) : Json(nullptr)},
            {"F", to_json(found.force)}};
}

Json solve_step(const Json& in)
{
    const auto end = value_of(sf_step({.position = vec(in, "p"),
                                       .velocity = vec(in, "v"),
                                       .v0 = number(in, "v0"),
                                       .direction = vec(in, "e"),
                                       .force = vec(in, "f"),
                                       .tau = number(in, "tau"),
                                       .dt = number(in, "dt"),
                                       .v_max = number(in, "v_max")}));
    return {{"v", to_json(end.velocity)}, {"p", to_json(end.position)}};
}

// clang-format off
constexpr Operation kOperations[] = {
    {"sf_goal",    solve_goal},
    {"sf_circ",    solve_circ},
    {"sf_ell1",    solve_ell1},
    {"sf_ell2",    solve_ell2},
    {"sf_power",   solve_power},
    {"sf_contact", solve_contact},
    {"sf_wall",    solve_wall},
    {"sf_step",    solve_step},
};
// clang-format on

}  // namespace

std::span<const Operation> force_operations()
{
    return kOperations;
}

}  // namespace sidestep::cli
