// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The programs of sidestep/geometry.hpp, solved by the lane code with one lane of double.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "math/input_checks.hpp"
#include "sidestep/geometry.hpp"
#include "simd/one_double.hpp"
#include "solvers/program-inl.hpp"

namespace sidestep {
namespace {

using namespace one_double;

InputCheck check(const VelocityProgram& program)
{
    InputCheck c;
    c.not_negative("v_max", program.v_max).finite("v_pref", program.preferred);
    if (program.acceleration) {
        c.finite("acc.c", program.acceleration->centre)
            .not_negative("acc.r", program.acceleration->radius);
    }
    for (const HalfPlane& line : program.lines) c.finite("q", line.point).unit("n", line.normal);
    return c;
}

ProgramSolution solve(const VelocityProgram& program)
{
    const D d;
    const std::size_t slots = program.lines.size();
    std::vector<double> nx, ny, c;
    nx.reserve(slots);
    ny.reserve(slots);
    c.reserve(slots);
    double scale = std::max(1.0, program.v_max);
    std::size_t hard_slots = 0;
    for (const bool hard : {true, false}) {
        for (const HalfPlane& line : program.lines) {
            if (line.hard != hard) continue;
            const auto n = lane::unit_or_zero(d, in(line.normal));
            nx.push_back(hn::GetLane(n.x));
            ny.push_back(hn::GetLane(n.y));
            c.push_back(hn::GetLane(lane::dot(n, in(line.point))));
            scale = std::max(scale, hn::GetLane(lane::length(in(line.point))));
        }
        if (hard) hard_slots = c.size();
    }
    std::vector<double> storage(lane::ProgramScratch<double>::kColumns * slots);
    const lane::ProgramScratch<double> scratch(storage.data(), slots, 1);

    const VelocityDisc acceleration = program.acceleration.value_or(VelocityDisc{});
    const auto all = hn::Eq(hn::Zero(d), hn::Zero(d));
    const auto has_reach = program.acceleration ? all : hn::Not(all);
    const lane::Discs<D> discs{hn::Set(d, program.v_max), in(acceleration.centre),
                               hn::Set(d, acceleration.radius), has_reach};
    const auto r = lane::solve_program(
        d, lane::ProgramLines<double>{nx.data(), ny.data(), c.data()}, hard_slots, slots, discs,
        in(program.preferred), hn::Set(d, scale), scratch, all);
    return {{hn::GetLane(r.v.x), hn::GetLane(r.v.y)},
            hn::GetLane(r.t_hard),
            hn::GetLane(r.t_soft),
            !hn::AllFalse(d, r.relaxed),
            !hn::AllFalse(d, r.discs_apart)};
}

/// What an agent has to keep to: its walls and its neighbours.
struct Surroundings {
    const MovingDisc& agent;
    std::span<const OrcaNeighbour> neighbours;
    std::span<const WallPolygon> walls;
    double tau;
    double tau_o;
    double t_res;
    double v_max;
};

Result<std::vector<HalfPlane>> lines_of(const Surroundings& s)
{
    const double range = s.tau_o * s.v_max + s.agent.radius;
    auto lines =
        obstacle_lines(s.agent.position, s.agent.velocity, s.agent.radius, s.tau_o, s.walls, range);
    if (!lines) return lines.error();
    for (const OrcaNeighbour& neighbour : s.neighbours) {
        const auto line = orca_line(s.agent, neighbour.disc, s.tau, s.t_res, neighbour.share);
        if (!line) return line.error();
        lines->push_back({line->point, line->normal, false});
    }
    return lines;
}

Result<ProgramSolution> plan(const OrcaStep& step)
{
    const auto lines = lines_of(
        {step.agent, step.neighbours, step.walls, step.tau, step.tau_o, step.dt, step.v_max});
    if (!lines) return lines.error();
    return solve_program({*lines, step.v_max, step.preferred, std::nullopt});
}

Result<LiVelocities> plan(const LiStep& step)
{
    const auto lines = lines_of(
        {step.agent, step.neighbours, step.walls, step.tau, step.tau_o, step.t_res, step.v_max});
    if (!lines) return lines.error();
    const Vec2 present = step.agent.velocity;
    const auto calm = solve_program({*lines, step.v_max, present, std::nullopt});  // eq. (10)
    if (!calm) return calm.error();
    const auto goal = solve_program({*lines, step.v_max, step.preferred, std::nullopt});
    if (!goal) return goal.error();
    const double rest = 1.0 - step.alpha;
    const Vec2 set{step.alpha * calm->velocity.x + rest * goal->velocity.x,  // eq. (11)
                   step.alpha * calm->velocity.y + rest * goal->velocity.y};
    const auto next = accel_clamp(present, set, step.a_max, step.dt);
    if (!next) return next.error();
    return LiVelocities{calm->velocity, goal->velocity, set, *next, goal->relaxed};
}

InputCheck check(const MovingDisc& agent)
{
    InputCheck c;
    c.finite("p", agent.position).finite("v", agent.velocity).not_negative("r", agent.radius);
    return c;
}

}  // namespace

Result<ProgramSolution> solve_program(const VelocityProgram& program)
{
    if (const InputCheck c = check(program); c.failed()) return c.error();
    try {
        return solve(program);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "no memory for the lines of the program"};
    }
}

Result<ProgramSolution> orca_step(const OrcaStep& step)
{
    InputCheck c = check(step.agent);
    c.positive_or_infinite("tau", step.tau).positive("tau_o", step.tau_o).positive("dt", step.dt);
    if (c.not_negative("v_max", step.v_max).finite("v_pref", step.preferred).failed())
        return c.error();
    try {
        return plan(step);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "no memory for the lines of the step"};
    }
}

Result<LiVelocities> li_step(const LiStep& step)
{
    InputCheck c = check(step.agent);
    c.positive_or_infinite("tau", step.tau).positive("tau_o", step.tau_o);
    c.positive("t_res", step.t_res).positive("dt", step.dt).not_negative("v_max", step.v_max);
    c.not_negative_or_infinite("a_max", step.a_max).fraction("alpha", step.alpha);
    if (c.finite("v_pref", step.preferred).failed()) return c.error();
    try {
        return plan(step);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "no memory for the lines of the step"};
    }
}

}  // namespace sidestep
