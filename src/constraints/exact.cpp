// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The questions of sidestep/geometry.hpp about pairs and lines, answered by the lane code with one
// lane of double.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "constraints/acceleration-inl.hpp"
#include "constraints/exact_pair.hpp"
#include "constraints/first_order_response-inl.hpp"
#include "constraints/velocity_obstacle-inl.hpp"
#include "math/input_checks.hpp"
#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

using namespace one_double;

/// Equal parts of the horizon at whose ends avo_contains looks.
constexpr std::size_t kResponseParts = 4000;

BoundaryFeature feature_of(V code)
{
    switch (static_cast<int>(out(code))) {
        case lane::kArc: return BoundaryFeature::arc;
        case lane::kLeftLeg: return BoundaryFeature::left;
        case lane::kRightLeg: return BoundaryFeature::right;
        default: return BoundaryFeature::overlap;
    }
}

bool overlap(const lane::Pair<V>& pair)
{
    return !hn::AllFalse(D(), lane::overlaps(D(), pair));
}

InputCheck& check(InputCheck& c, const Encounter& pair)
{
    return c.finite("P", pair.rel_pos).not_negative("R", pair.radius).finite("v", pair.rel_vel);
}
InputCheck& check(InputCheck& c, const MovingDisc& disc)
{
    return c.finite("p", disc.position).finite("v", disc.velocity).not_negative("r", disc.radius);
}

Error no_boundary()
{
    return Error{ErrorCode::invalid_argument,
                 "the discs touch or overlap: their velocity obstacle is the whole plane"};
}

}  // namespace

Result<VelocityObstacleTest> vo_contains(const Encounter& pair, double tau)
{
    if (InputCheck c; check(c, pair).positive_or_infinite("tau", tau).failed()) return c.error();
    const D d;
    VelocityObstacleTest result;
    result.inside = !hn::AllFalse(d, lane::inside_velocity_obstacle(d, in(pair), in(tau)));
    const double t = out(lane::time_to_collision(d, in(pair)));
    if (std::isfinite(t)) result.time_to_collision = t;
    return result;
}

Result<VelocityObstacleExit> vo_project(const Encounter& pair, double tau)
{
    return vo_uncertain(pair, tau, 0.0);
}

Result<VelocityObstacleExit> vo_uncertain(const Encounter& pair, double tau, double rho)
{
    if (InputCheck c;
        check(c, pair).positive_or_infinite("tau", tau).not_negative("rho", rho).failed()) {
        return c.error();
    }
    if (overlap(in(pair))) return no_boundary();
    const auto exit = lane::enlarge(lane::nearest_exit(D(), in(pair), in(tau)), in(rho));
    return VelocityObstacleExit{out(exit.u()), out(exit.normal), -out(exit.depth),
                                feature_of(exit.feature)};
}

Result<OrcaLine> orca_line(const MovingDisc& a, const MovingDisc& b, double tau, double t_res,
                           double share, double rho)
{
    InputCheck c;
    check(check(c, a), b).positive_or_infinite("tau", tau).positive("t_res", t_res);
    if (c.fraction("w", share).not_negative("rho", rho).failed()) return c.error();
    const D d;
    const lane::PairIds ids{&a.id, &b.id};
    const auto exit = lane::nearest_exit(d, pair_of(a, b), in(tau), in(t_res), ids,
                                         lane::ties_to(d, PassingSide::right));
    const auto plane = lane::orca_half_plane(d, pair_of(a, b), in(a.velocity), in(tau), in(t_res),
                                             in(share), in(rho), ids, PassingSide::right);
    return OrcaLine{out(lane::enlarge(exit, in(rho)).u()), out(plane.normal), out(plane.point),
                    feature_of(exit.feature)};
}

Result<Vec2> accel_clamp(Vec2 v_old, Vec2 v_wanted, double a_max, double dt)
{
    InputCheck c;
    c.finite("v_old", v_old).finite("v_computed", v_wanted);
    if (c.not_negative_or_infinite("a_max", a_max).positive("dt", dt).failed()) return c.error();
    return out(lane::clamp_change(D(), in(v_old), in(v_wanted), in(a_max * dt)));
}

Result<BrakeLine> brake_plane(const MovingDisc& a, const MovingDisc& b, double a_sum, double dt,
                              double share)
{
    InputCheck c;
    check(check(c, a), b).not_negative("a_sum", a_sum).positive("dt", dt);
    if (c.fraction("w", share).failed()) return c.error();
    const auto brake =
        lane::brake_plane(D(), pair_of(a, b), in(a.velocity), in(a_sum), in(dt), in(share),
                          lane::PairIds{&a.id, &b.id}, lane::ties_to(D(), PassingSide::right));
    return BrakeLine{out(brake.c_max), out(brake.plane.normal), out(brake.plane.point)};
}

Result<ResponseTest> avo_contains(const Encounter& pair, Vec2 v_target, double delta, double tau)
{
    InputCheck c;
    check(c, pair).finite("v_target", v_target).not_negative_or_infinite("delta", delta);
    if (c.positive("tau", tau).failed()) return c.error();
    double least_sq = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i <= kResponseParts; ++i) {
        const double t = tau * static_cast<double>(i) / static_cast<double>(kResponseParts);
        const Response moved = response_after(t, delta);
        const auto gap = lane::gap_after(in(pair.rel_pos), in(pair.rel_vel), in(moved.kept),
                                         in(v_target), in(moved.told));
        least_sq = std::min(least_sq, out(lane::length_sq(gap)));
    }
    const double min_dist = std::sqrt(least_sq);
    return ResponseTest{min_dist < pair.radius, min_dist};
}

Result<VelocityBound> wall_line(Vec2 position, double radius, Vec2 point, Vec2 normal, double tau,
                                double t_res)
{
    InputCheck c;
    c.finite("p", position).not_negative("r", radius).finite("s", point).unit("n", normal);
    if (c.positive_or_infinite("tau", tau).positive("t_res", t_res).failed()) return c.error();
    const D d;
    const auto n = lane::unit_or_zero(d, in(normal));
    const V bound =
        lane::infinite_wall_bound(d, in(position), in(radius), in(point), n, in(tau), in(t_res));
    return VelocityBound{out(n), out(bound)};
}

Result<FairAreas> fair_area(const Encounter& pair, double tau, double share, double q)
{
    InputCheck c;
    check(c, pair).positive_or_infinite("tau", tau).fraction("w", share);
    if (c.positive("radius", q).failed()) return c.error();
    if (overlap(in(pair))) return no_boundary();
    const double depth = out(lane::nearest_exit(D(), in(pair), in(tau)).depth);
    // Circular segment beyond a line at distance h from the centre.
    const auto area = [q](double at) {
        const double h = std::clamp(at, -q, q);
        return q * q * std::acos(h / q) - h * std::sqrt((q - h) * (q + h));
    };
    return FairAreas{area(share * depth), area((1.0 - share) * depth)};
}

Result<double> share_from_ranks(double rank_i, double rank_j)
{
    InputCheck c;
    if (c.not_negative_or_infinite("rank_i", rank_i)
            .not_negative_or_infinite("rank_j", rank_j)
            .failed()) {
        return c.error();
    }
    return out(lane::share_from_ranks(D(), in(rank_i), in(rank_j)));
}

}  // namespace sidestep
