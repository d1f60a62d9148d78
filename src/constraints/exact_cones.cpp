// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The questions of sidestep/geometry.hpp about cones, answered by the lane code with one lane of
// double.
#include <cmath>
#include <optional>

#include "constraints/cones-inl.hpp"
#include "constraints/exact_pair.hpp"
#include "math/input_checks.hpp"
#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

using namespace one_double;

InputCheck& check(InputCheck& c, const MovingDisc& disc)
{
    return c.finite("p", disc.position).finite("v", disc.velocity).not_negative("r", disc.radius);
}

}  // namespace

Result<ForbiddenCone> fvo(const MovingDisc& a, const MovingDisc& b, double horizon, double share)
{
    InputCheck c;
    check(check(c, a), b).positive_or_infinite("T", horizon);
    if (c.require(share > 0.0, "share", "must be > 0").fraction("share", share).failed()) {
        return c.error();
    }
    const D d;
    const auto pair = pair_of(a, b);
    if (holds(lane::overlaps(d, pair))) {
        return Error{ErrorCode::invalid_argument, "the discs touch or overlap: they have no cone"};
    }
    const auto cone = lane::pair_cone(d, pair, in(a.velocity), in(share), in(horizon),
                                      lane::ties_to(d, PassingSide::right));
    return ForbiddenCone{out(cone.apex),      out(cone.leg_left),   out(cone.leg_right),
                         out(cone.middle),    out(cone.half_width), out(cone.end_left),
                         out(cone.end_right), out(cone.side)};
}

Result<SegmentObstacle> seg_fvo(Vec2 a, Vec2 b, double radius, double horizon)
{
    InputCheck c;
    c.finite("A", a).finite("B", b).not_negative("r", radius).positive_or_infinite("T", horizon);
    if (c.failed()) return c.error();
    const auto cone = lane::segment_cone(D(), in(a), in(b), in(radius), in(horizon));
    SegmentObstacle result{out(cone.axis), out(cone.cut), std::nullopt};
    if (result.axis.x == 0.0 && result.axis.y == 0.0) {
        return Error{ErrorCode::invalid_argument, "the segment is a point at the disc's centre"};
    }
    if (!holds(cone.contact)) {
        result.legs = SegmentLegs{out(cone.leg_left), out(cone.leg_right), out(cone.end_left),
                                  out(cone.end_right)};
    }
    return result;
}

Result<CollisionResolution> cp_collision(const MovingDisc& a, const MovingDisc& b, double a_max,
                                         double dt)
{
    InputCheck c;
    check(check(c, a), b).not_negative_or_infinite("a_max", a_max).positive("dt", dt);
    if (c.failed()) return c.error();
    const D d;
    const auto r =
        lane::resolve_collision(d, pair_of(a, b), in(a.velocity), in(a_max), in(dt),
                                lane::PairIds{&a.id, &b.id}, lane::ties_to(d, PassingSide::right));
    CollisionResolution result;
    if (holds(r.none)) return result;
    if (holds(r.unreachable)) {
        result.kind = CollisionKind::unreachable;
        result.best = out(r.v_best);
    } else if (holds(r.cone)) {
        result.kind = CollisionKind::cone;
        result.apex = out(r.cone_apex);
        result.axis = out(-r.axis);
        result.half = std::asin(out(r.cone_sine));
    } else {
        result.kind = CollisionKind::plane;
        result.point = out(r.plane_point);
        result.normal = out(r.axis);
    }
    return result;
}

}  // namespace sidestep
