// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// From a pair of discs, or a disc and a wall, to the cone of velocities that A must not take.
//
// B's velocity obstacle, moved to an apex between the two velocities and shrunk towards it by A's
// share s of the avoidance: s = 1 is the plain obstacle [VO98], apex v_B; s = 1/2 the reciprocal
// one [RVO08], apex (v_A + v_B) / 2. A velocity v is inside where (v - apex) / s is in VO^T:
//
//          \       forbidden      /      legs: directions of the tangents from A to the disc of B
//        left \                / right
//           EL *------ M -----* ER      linear cut, at s (l - R) / T from the apex [CP09];
//               \    (   )   /          round cut: the disc s (P, R) / T + apex
//                 \        /
//                    apex
//
// l = |P|, P = p_B - p_A, R = r_A + r_B. The linear cut touches the disc, so that cone contains the
// true one. Differs from [CP09]: M and eta are printed without the scale s / T.
//
// The regions that come out are those of simd/region-inl.hpp. One lane is one pair; all cases are
// computed and selected by masks. Lanes that are not used only have to be finite with T, t_res > 0.
#if defined(SIDESTEP_CONSTRAINTS_CONES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_CONSTRAINTS_CONES_INL_HPP
#undef SIDESTEP_CONSTRAINTS_CONES_INL_HPP
#else
#define SIDESTEP_CONSTRAINTS_CONES_INL_HPP
#endif

#include <hwy/highway.h>

#include <limits>
#include <span>

#include "constraints/velocity_obstacle-inl.hpp"
#include "math/tolerances.hpp"
#include "simd/region-inl.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Unit vectors along the tangents from 0 to a disc.
template <class V>
struct Tangents {
    Vec2<V> left;
    Vec2<V> right;
};

/// Tangents from 0 to the disc (centre, radius); needs |centre| > radius.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Tangents<V> tangents(D d, const Vec2<V>& centre, V radius)
{
    using T = hn::TFromD<D>;
    const Vec2<V>& P = centre;
    const V dist_sq = length_sq(P);
    const V h = hn::Sqrt(hn::Max(dist_sq - sq(radius), hn::Zero(d)));
    const V scale = divide_or_zero(d, hn::Set(d, T(1)), dist_sq);
    return {{(P.x * h - P.y * radius) * scale, (P.x * radius + P.y * h) * scale},
            {(P.x * h + P.y * radius) * scale, (P.y * h - P.x * radius) * scale}};
}

/// The forbidden cone of a pair.
template <class V>
struct PairCone {
    Vec2<V> apex;
    Vec2<V> leg_left;  // unit vectors
    Vec2<V> leg_right;
    Vec2<V> axis;       // unit(P)
    V cut;              // distance of the linear cut from the apex [m/s]
    Vec2<V> middle;     // M
    V half_width;       // eta: from M to either end of the cut [m/s]
    Vec2<V> end_left;   // EL
    Vec2<V> end_right;  // ER
    Vec2<V> side;       // unit normal of the line along the axis, to the side that is allowed
    Vec2<V> disc;       // the disc that cuts the round cone
    V disc_r;
    V chord;  // distance from the apex of the line where the legs touch that disc [m/s]
};

/// The cone of B for an agent A of velocity v_a that takes `share` in (0, 1] of the avoidance, cut
/// at `horizon` > 0 [s], which may be infinite. Needs |rel_pos| > radius. The allowed side is the
/// one A passes on already; where the relative velocity is along the axis, A's right, or left in
/// the lanes of `ties_left`, [CP09].
template <class D, class V = hn::Vec<D>>
HWY_INLINE PairCone<V> pair_cone(D d, const Pair<V>& pair, const Vec2<V>& v_a, V share, V horizon,
                                 hn::Mask<D> ties_left)
{
    const V zero = hn::Zero(d);
    const Vec2<V>& P = pair.rel_pos;
    const V R = pair.radius;
    const V dist_sq = length_sq(P);
    const V dist = hn::Sqrt(dist_sq);
    const V per_dist = divide_or_zero(d, hn::Set(d, hn::TFromD<D>(1)), dist);
    const V h_sq = hn::Max(dist_sq - sq(R), zero);
    const V shrink = share * (hn::Set(d, hn::TFromD<D>(1)) / horizon);
    // The tangents, which need but one division together with the axis. Number by number: gcc 12
    // copies vectors of the plane through memory.
    const V per_dist_sq = sq(per_dist);
    const V along = hn::Sqrt(h_sq) * per_dist_sq;
    const V beside = R * per_dist_sq;

    PairCone<V> cone;
    cone.apex.x = v_a.x - pair.rel_vel.x * share;
    cone.apex.y = v_a.y - pair.rel_vel.y * share;
    cone.leg_left.x = P.x * along - P.y * beside;
    cone.leg_left.y = P.x * beside + P.y * along;
    cone.leg_right.x = P.x * along + P.y * beside;
    cone.leg_right.y = P.y * along - P.x * beside;
    cone.axis.x = P.x * per_dist;
    cone.axis.y = P.y * per_dist;
    cone.cut = (dist - R) * shrink;
    cone.middle = cone.apex + cone.axis * cone.cut;
    cone.half_width = cone.cut * divide_or_zero(d, R, hn::Sqrt(h_sq));
    const Vec2<V> across = left(cone.axis) * cone.half_width;
    cone.end_left = cone.middle + across;
    cone.end_right = cone.middle - across;

    const V sideways = dot(pair.rel_vel, left(cone.axis));
    const auto to_left = hn::Or(sideways > zero, hn::And(ties_left, hn::Eq(sideways, zero)));
    cone.side = select(to_left, left(cone.axis), right(cone.axis));

    cone.disc = cone.apex + P * shrink;
    cone.disc_r = R * shrink;
    cone.chord = h_sq * per_dist * shrink;
    return cone;
}

/// Inside the legs of a cone with this apex and beyond the line across `axis` at `cut` >= 0 from
/// the apex; the cut holds everywhere where it is 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> cut_cone(D d, const Vec2<V>& apex, const Vec2<V>& leg_left,
                              const Vec2<V>& leg_right, const Vec2<V>& axis, V cut)
{
    using T = hn::TFromD<D>;
    const auto is_cut = cut > hn::Zero(d);
    const Vec2<V> n_left = right(leg_left);
    const Vec2<V> n_right = left(leg_right);
    const V beyond = hn::IfThenElse(is_cut, dot(axis, apex) + cut, hn::Set(d, T(kNoBound)));
    return {{n_left, n_right, select(is_cut, axis, zero2(d))},
            {dot(n_left, apex), dot(n_right, apex), beyond},
            zero2(d),
            hn::Zero(d)};
}

/// L and R and T of [CP09]: the cone with its linear cut.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> linear_region(D d, const PairCone<V>& cone)
{
    return cut_cone(d, cone.apex, cone.leg_left, cone.leg_right, cone.axis, cone.cut);
}

/// The cone with its round cut: exactly the velocities that lead to contact within the horizon when
/// B does its part.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> round_region(D d, const PairCone<V>& cone)
{
    Region<V> r = cut_cone(d, cone.apex, cone.leg_left, cone.leg_right, cone.axis, cone.chord);
    r.disc = cone.disc;
    r.disc_r = cone.disc_r;
    return r;
}

/// What C of [CP09] forbids: the other side of the axis. Differs from it: printed negated.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> side_region(D d, const PairCone<V>& cone)
{
    return half_plane_region(d, cone.side, dot(cone.side, cone.apex));
}

/// The region grown by `rho` >= 0 [m/s] on all sides: A's share of an uncertainty of v_B. Exact but
/// for the corners of a linear cut, which stay corners.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> enlarge_region(D d, const Region<V>& region, V rho)
{
    const auto round = region.disc_r > hn::Zero(d);
    // Points of touch move out along the legs' normals, and their chord with them.
    const V chord_share = dot(region.n[0], region.n[2]);
    Region<V> r = region;
    r.c[0] = r.c[0] - rho;
    r.c[1] = r.c[1] - rho;
    r.c[2] = r.c[2] - rho * hn::IfThenElse(round, chord_share, hn::Set(d, hn::TFromD<D>(1)));
    r.disc_r = hn::IfThenElseZero(round, r.disc_r + rho);
    return r;
}

/// What A must leave because its disc touches or overlaps that of B: the half-plane that brings
/// them apart within t_res, of which A takes its share.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> overlap_region(D d, const Pair<V>& pair, const Vec2<V>& v_a, V share, V t_res,
                                    PairIds ids, hn::Mask<D> ties_left)
{
    const HalfPlane<V> plane = orca_half_plane(d, pair, v_a, t_res, t_res, Shares<V>{share, share},
                                               hn::Zero(d), ids, ties_left);
    return half_plane_region(d, plane.normal, dot(plane.normal, plane.point));
}

/// What is forbidden to A because of B: the round cone, or the half-plane that separates discs
/// that touch or overlap. share in (0, 1], tau > 0 (may be infinite), t_res > 0 [s].
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> reciprocal_region(D d, const Pair<V>& pair, const Vec2<V>& v_a, V share, V tau,
                                       V t_res, PairIds ids, hn::Mask<D> ties_left)
{
    const auto overlap = overlaps(d, pair);
    const Region<V> cone = round_region(d, pair_cone(d, pair, v_a, share, tau, ties_left));
    if (HWY_LIKELY(hn::AllFalse(d, overlap))) return cone;
    return select(overlap, overlap_region(d, pair, v_a, share, t_res, ids, ties_left), cone);
}

/// A neighbour as one agent sees it who tries velocities: where it is, and the apex of its cone.
template <class T>
struct ApexDisc {
    Vec2<T> rel_pos;
    T radius;  // sum of both [m]
    Vec2<T> apex;
    T share;
};

/// Time until the first of `others` is touched [s] by an agent that walks at v while each of them
/// does its part, infinity where none is; 0 where one overlaps. A lane is a velocity.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V first_contact_time(D d, std::span<const ApexDisc<hn::TFromD<D>>> others,
                                const Vec2<V>& v)
{
    using T = hn::TFromD<D>;
    V soonest = hn::Set(d, std::numeric_limits<T>::infinity());
    for (const ApexDisc<T>& other : others) {
        const Vec2<V> rel_vel = (v - set2(d, other.apex.x, other.apex.y)) / hn::Set(d, other.share);
        const Pair<V> pair{set2(d, other.rel_pos.x, other.rel_pos.y), rel_vel,
                           hn::Set(d, other.radius)};
        soonest = hn::Min(soonest, time_to_collision(d, pair));
    }
    return soonest;
}

/// The cone of a wall's edge.
template <class D>
struct SegmentCone {
    using V = hn::Vec<D>;
    Vec2<V> leg_left;  // unit vectors; not of use where `contact`
    Vec2<V> leg_right;
    Vec2<V> axis;      // towards the nearest point of the edge
    V cut;             // distance of the linear cut from the apex [m/s], 0 where `contact`
    Vec2<V> end_left;  // of the cut, relative to the apex
    Vec2<V> end_right;
    V overlap;            // how deep the disc is in the edge [m], where `contact`
    hn::Mask<D> contact;  // the edge is within the radius
};

/// Cone of the edge a..b, given relative to the centre of a disc of this radius [m], cut at
/// `horizon` [s] (may be infinite). Legs are the outermost tangents to the discs about both ends;
/// the cut is across the way to the nearest point. An edge through the centre: the axis is the left
/// normal of a -> b.
template <class D, class V = hn::Vec<D>>
HWY_INLINE SegmentCone<D> segment_cone(D d, const Vec2<V>& a, const Vec2<V>& b, V radius, V horizon)
{
    const V zero = hn::Zero(d);
    const Vec2<V> edge = b - a;
    const V place = hn::Neg(dot(a, edge));
    const auto before = place <= zero;
    const auto beside = hn::AndNot(before, place < length_sq(edge));
    // Beside the edge its normal, which is exact however near the edge is; beyond an end the vertex
    // itself, so that edges that meet there agree.
    const Vec2<V> across = unit_or_zero(d, left(edge));
    const V height = dot(a, across);
    // The height of an edge through the centre is a rounding of either sign. What tells such an
    // edge is exact where it matters: for an end in the centre, or ends that are opposite.
    const auto through = hn::And(hn::Eq(det(a, b), zero), dot(a, b) <= zero);
    const Vec2<V> end = select(before, a, b);
    const V apart = hn::IfThenElse(beside, hn::Abs(height), length(end));
    const V dist = hn::IfThenZeroElse(through, apart);
    const Vec2<V> beside_axis = select(height < zero, -across, across);
    const Vec2<V> end_axis{divide_or_zero(d, end.x, dist), divide_or_zero(d, end.y, dist)};

    SegmentCone<D> cone;
    cone.contact = sq(dist) <= sq(radius);
    cone.axis = select(through, across, select(beside, beside_axis, end_axis));
    const Tangents<V> to_a = tangents(d, a, radius);
    const Tangents<V> to_b = tangents(d, b, radius);
    // All four are within 90 degrees of the axis, so that det says which is farther round.
    cone.leg_left = select(det(to_a.left, to_b.left) > zero, to_b.left, to_a.left);
    cone.leg_right = select(det(to_a.right, to_b.right) < zero, to_b.right, to_a.right);
    cone.cut = hn::IfThenZeroElse(cone.contact, (dist - radius) / horizon);
    const V left_cos = dot(cone.leg_left, cone.axis);
    const V right_cos = dot(cone.leg_right, cone.axis);
    cone.end_left = cone.leg_left * divide_or_zero(d, cone.cut, left_cos);
    cone.end_right = cone.leg_right * divide_or_zero(d, cone.cut, right_cos);
    cone.overlap = hn::Max(radius - dist, zero);
    return cone;
}

/// What the edge forbids: its cone, or at contact all that goes further into it. `velocity` [m/s]
/// is the wall's own; at contact the edge is left within `push_time` [s], or, where that is
/// infinite, may be kept as it is.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> segment_region(D d, const SegmentCone<D>& cone, const Vec2<V>& velocity,
                                    V push_time)
{
    const Region<V> apart =
        cut_cone(d, velocity, cone.leg_left, cone.leg_right, cone.axis, cone.cut);
    const Vec2<V> away = -cone.axis;
    const V speed = dot(away, velocity) + cone.overlap / push_time;
    return select(cone.contact, half_plane_region(d, away, speed), apart);
}

/// How an overlap is resolved within one step, [CP09], and what that forbids.
template <class D>
struct Resolution {
    using V = hn::Vec<D>;
    hn::Mask<D> none;         // nothing that A can reach leaves the discs in contact
    hn::Mask<D> unreachable;  // everything that A can reach does: v_best is the least bad
    hn::Mask<D> cone;         // in the other lanes a half-plane
    Vec2<V> v_best;
    Vec2<V> axis;       // away from B's disc in velocity space: outward normal of the half-plane
    Vec2<V> cone_apex;  // the cone opens along -axis
    V cone_sine;        // of its half angle
    Vec2<V> plane_point;
    Region<V> region;  // empty where none or unreachable
};

/// Outcome of the step dt > 0 [s] for A, which changes its velocity v_a by at most a_max dt (may be
/// infinite: then always a half-plane or none), while B keeps its velocity. The velocities that
/// leave the discs in contact after the step are a disc about v_B + P / dt. What is forbidden is
/// the cone of its tangents at the corners of the lens it has in common with what A can reach;
/// where that is flat, the half-plane beyond the disc's nearest point. Differs from [CP09]: its
/// circles lack the velocities and 1 / dt.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Resolution<D> resolve_collision(D d, const Pair<V>& pair, const Vec2<V>& v_a, V a_max,
                                           V dt, PairIds ids, hn::Mask<D> ties_left)
{
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const V one = hn::Set(d, T(1));
    const V tol = hn::Set(d, Tolerances<T>::kDegenerate);
    const V r1 = a_max * dt;
    const V r2 = pair.radius / dt;
    const Vec2<V> w = pair.rel_vel - pair.rel_pos / dt;  // from the centre of B's disc to v_a
    const Vec2<V> c2 = v_a - w;
    const V dist = length(w);
    const auto central = dist <= tol * hn::Max(one, r2);

    Resolution<D> out;
    out.axis = unit_or_zero(d, w);
    if (HWY_UNLIKELY(!hn::AllFalse(d, central))) {
        const V apart = length(pair.rel_pos);
        const auto coincide = hn::And(central, apart <= tol * hn::Max(one, pair.radius));
        Vec2<V> n = unit_or_zero(d, -pair.rel_pos);
        if (!hn::AllFalse(d, coincide)) {
            n = select(coincide, apart_directions(d, coincide, ids, ties_left), n);
        }
        out.axis = select(central, n, out.axis);
    }
    out.none = dist >= r1 + r2;
    out.unreachable = hn::AndNot(out.none, dist + r1 <= r2);
    const auto limited = r1 < hn::Set(d, T(-kNoBound));
    const V r1_used = hn::IfThenElseZero(limited, r1);
    out.v_best = v_a + out.axis * r1_used;

    // Distance from the centre of B's disc to the chord of the lens.
    const V lens =
        (dist + divide_or_zero(d, (r2 - r1_used) * (r2 + r1_used), dist)) * hn::Set(d, T(0.5));
    const V chord = hn::IfThenElse(hn::And(limited, hn::Not(central)), lens, hn::Neg(one));
    const auto closed = hn::Or(out.none, out.unreachable);
    out.cone = hn::AndNot(closed, chord > hn::Set(d, T(0.05)) * r2);
    const V chord_used = hn::IfThenElse(out.cone, chord, one);
    out.cone_apex = c2 + out.axis * (sq(r2) / chord_used);
    out.cone_sine = hn::Min(divide_or_zero(d, chord_used, r2), one);
    out.plane_point = c2 + out.axis * r2;

    const V cosine = hn::Sqrt(hn::Max((one - out.cone_sine) * (one + out.cone_sine), zero));
    const Vec2<V> along = out.axis * hn::Neg(cosine);
    const Vec2<V> across = left(out.axis) * out.cone_sine;
    const Region<V> cone =
        cut_cone(d, out.cone_apex, along - across, along + across, -out.axis, zero);
    const Region<V> plane = half_plane_region(d, out.axis, dot(out.axis, out.plane_point));
    out.region = select(closed, empty_region(d), select(out.cone, cone, plane));
    return out;
}

/// Nearest way out of the linearised cone of relative velocities, as nearest_exit for VO^tau: over
/// the cut where that is nearest, else over the leg on the side where rel_vel is (an exact tie goes
/// right, or left in the lanes of `ties_left`). Outside near a corner of the cut the line that
/// leaves more slack is taken. Both agents of a pair find opposite exits.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Exit<V> linear_exit(D d, const Pair<V>& pair, V horizon, hn::Mask<D> ties_left)
{
    using T = hn::TFromD<D>;
    const PairCone<V> cone = pair_cone(d, pair, pair.rel_vel, hn::Set(d, T(1)), horizon, ties_left);
    const Vec2<V>& x = pair.rel_vel;
    const auto to_left = dot(cone.side, left(cone.axis)) > hn::Zero(d);
    const Vec2<V> leg_normal = select(to_left, left(cone.leg_left), right(cone.leg_right));
    const V leg_depth = hn::Neg(dot(x, leg_normal));
    const V cut_depth = dot(x, cone.axis) - cone.cut;
    const auto over_cut = cut_depth <= leg_depth;
    const V leg = hn::IfThenElse(to_left, hn::Set(d, T(kLeftLeg)), hn::Set(d, T(kRightLeg)));
    return {hn::IfThenElse(over_cut, cut_depth, leg_depth),
            select(over_cut, -cone.axis, leg_normal),
            hn::IfThenElse(over_cut, hn::Set(d, T(kArc)), leg)};
}

/// Half-plane that A keeps to because of B when both keep to the linear cone with a guarantee: of
/// the way out of the linearised cone A takes its share. [CP09] lets each choose its own way round
/// the cone, and its Theorem 1 does not hold for cones that are cut; here both decide alike. The
/// arguments and the rule for discs that touch or overlap are those of orca_half_plane.
template <class D, class V = hn::Vec<D>>
HWY_INLINE HalfPlane<V> safe_half_plane(D d, const Pair<V>& pair, const Vec2<V>& v_a, V horizon,
                                        V t_res, const Shares<V>& shares, V rho, PairIds ids,
                                        hn::Mask<D> ties_left)
{
    Exit<V> e = linear_exit(d, pair, horizon, ties_left);
    const auto overlap = overlaps(d, pair);
    if (HWY_UNLIKELY(!hn::AllFalse(d, overlap))) {
        const Exit<V> apart = nearest_exit(d, pair, horizon, t_res, ids, ties_left);
        e.depth = hn::IfThenElse(overlap, apart.depth, e.depth);
        e.normal = select(overlap, apart.normal, e.normal);
        e.feature = hn::IfThenElse(overlap, apart.feature, e.feature);
    }
    e = enlarge(e, rho);
    const V share = hn::IfThenElse(e.depth < hn::Zero(d), shares.slack, shares.conflict);
    return {v_a + e.normal * (e.depth * share), e.normal};
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
