// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The questions of sidestep/forces.hpp, answered by the lane code with one lane of double.
#include <algorithm>
#include <cmath>
#include <limits>

#include "constraints/forces-inl.hpp"
#include "math/input_checks.hpp"
#include "math/tolerances.hpp"
#include "sidestep/forces.hpp"
#include "simd/one_double.hpp"

namespace sidestep {
namespace {

using namespace one_double;

lane::Repulsion<V> repulsion(const RepulsionLaw& law)
{
    return {in(law.strength), in(law.reach), in(law.anisotropy)};
}

InputCheck& check(InputCheck& c, const RepulsionLaw& law)
{
    return c.finite("A", law.strength).positive("B", law.reach).fraction("lam", law.anisotropy);
}

InputCheck& check(InputCheck& c, const WalkingPair& pair)
{
    return c.finite("pi", pair.p_i)
        .finite("vi", pair.v_i)
        .finite("pj", pair.p_j)
        .finite("vj", pair.v_j);
}

Result<Vec2> finite_force(const lane::Vec2<V>& force)
{
    const Vec2 result = out(force);
    if (!std::isfinite(result.x) || !std::isfinite(result.y))
        return Error{ErrorCode::invalid_argument, "the force is too large for a number"};
    return result;
}

/// Unit vector from j to i and the way between them [m].
struct Apart {
    lane::Vec2<V> away;
    V distance;
};

Apart apart(Vec2 from, Vec2 to)
{
    const auto offset = in(to)-in(from);
    return {lane::unit_or_zero(D(), offset), lane::length(offset)};
}

Result<Vec2> elliptical(const WalkingPair& pair, double look_ahead, const RepulsionLaw& law,
                        bool relative)
{
    InputCheck c;
    if (check(check(c, pair), law).not_negative("dt_step", look_ahead).failed()) return c.error();
    const auto moves = relative ? in(pair.v_j) - in(pair.v_i) : in(pair.v_j);
    return finite_force(lane::elliptical_force(
        D(), in(pair.p_i) - in(pair.p_j), moves * in(look_ahead), in(pair.v_i), repulsion(law)));
}

}  // namespace

Result<Vec2> sf_goal(Vec2 v, double v0, Vec2 direction, double tau)
{
    InputCheck c;
    c.finite("v", v).finite("v0", v0).finite("e", direction).positive("tau", tau);
    if (c.failed()) return c.error();
    return finite_force(lane::goal_force(in(v), in(direction)*in(v0), in(tau)));
}

Result<Vec2> sf_circ(Vec2 p_i, Vec2 v_i, double r_i, Vec2 p_j, double r_j, const RepulsionLaw& law)
{
    InputCheck c;
    c.finite("pi", p_i).finite("vi", v_i).not_negative("ri", r_i).finite("pj", p_j);
    if (check(c.not_negative("rj", r_j), law).failed()) return c.error();
    const Apart pair = apart(p_j, p_i);
    const V gap = pair.distance - (in(r_i) + in(r_j));
    return finite_force(lane::circular_force(D(), pair.away, gap, in(v_i), repulsion(law)));
}

Result<Vec2> sf_ell1(const WalkingPair& pair, double look_ahead, const RepulsionLaw& law)
{
    return elliptical(pair, look_ahead, law, false);
}

Result<Vec2> sf_ell2(const WalkingPair& pair, double look_ahead, const RepulsionLaw& law)
{
    return elliptical(pair, look_ahead, law, true);
}

Result<Vec2> sf_contact(const WalkingPair& pair, double r_i, double r_j, double k, double kappa)
{
    InputCheck c;
    check(c, pair).not_negative("ri", r_i).not_negative("rj", r_j).not_negative("k", k);
    if (c.not_negative("kappa", kappa).failed()) return c.error();
    const Apart bodies = apart(pair.p_j, pair.p_i);
    const V depth = lane::depth_of(D(), bodies.distance - (in(r_i) + in(r_j)));
    return finite_force(
        lane::contact_force(bodies.away, depth, in(pair.v_j) - in(pair.v_i), in(k), in(kappa)));
}

Result<AnticipatoryForce> sf_power(Vec2 rel_pos, Vec2 rel_vel, double radius, double k, double t0)
{
    InputCheck c;
    c.finite("x", rel_pos).finite("v", rel_vel).not_negative("R", radius).finite("k", k);
    if (c.positive_or_infinite("t0", t0).failed()) return c.error();
    const lane::Pair<V> pair{-in(rel_pos), in(rel_vel), in(radius)};
    const auto found = lane::anticipatory_force(D(), pair, in(k), in(t0), in(0.0));
    const auto force = finite_force(found.force);
    if (!force) return force.error();
    AnticipatoryForce result{std::nullopt, *force};
    const double time = out(found.time);
    if (time < std::numeric_limits<double>::infinity()) result.time_to_collision = time;
    return result;
}

Result<Vec2> sf_wall(Vec2 p, Vec2 a, Vec2 b, double radius, double strength, double reach)
{
    InputCheck c;
    c.finite("p", p).finite("wa", a).finite("wb", b).not_negative("r", radius);
    if (c.finite("A", strength).positive("B", reach).failed()) return c.error();
    const D d;
    const auto offset = in(p)-lane::nearest_of_segment(d, in(p), in(a), in(b));
    const V distance = lane::length(offset);
    auto away = lane::unit_or_zero(d, offset);
    // The nearest point of an oblique wall is rounded: so near, p is on it.
    const double scale = std::max({1.0, std::fabs(p.x), std::fabs(p.y)});
    if (out(distance) <= Tolerances<double>::kDegenerate * scale) {
        if (a.x == b.x && a.y == b.y)
            return Error{ErrorCode::invalid_argument, "the wall is a point, and p is on it"};
        away = lane::left(lane::unit_or_zero(d, in(b)-in(a)));
    }
    const V push = lane::falling_push(d, in(strength), in(reach), distance - in(radius));
    return finite_force(away * push);
}

Result<ForceStepEnd> sf_step(const ForceStep& step)
{
    InputCheck c;
    c.finite("p", step.position).finite("v", step.velocity).finite("v0", step.v0);
    c.finite("e", step.direction).finite("f", step.force).positive("tau", step.tau);
    if (c.positive("dt", step.dt).not_negative("v_max", step.v_max).failed()) return c.error();
    const D d;
    const auto wanted =
        lane::relaxed_velocity(d, in(step.velocity), in(step.direction) * in(step.v0),
                               in(step.force), in(step.tau), in(step.dt));
    const auto v = lane::at_most(d, wanted, in(step.v_max));
    const auto velocity = finite_force(v);
    if (!velocity) return velocity.error();
    return ForceStepEnd{out(in(step.position) + v * in(step.dt)), *velocity};
}

}  // namespace sidestep
