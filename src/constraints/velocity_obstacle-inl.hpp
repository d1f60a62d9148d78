// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// From a pair of discs to a half-plane of velocities.
//
// In: where B is as seen from A (rel_pos), how A moves relative to B (rel_vel), the sum of the
// radii. The velocity obstacle VO^tau holds the relative velocities that bring the discs into
// contact within tau, [ORCA11] §4.1. For discs apart it is convex:
//
//            \   VO^tau   /       legs: tangents from 0 to the disc (rel_pos, radius)
//       left  \          /  right
//              \___  ___/         arc: disc (rel_pos, radius) / tau
//                  --
//                  0              rel_vel = 0: nothing moves
//
// Out: the smallest change u of rel_vel that reaches the boundary, the outward normal there, and
// from both the half-plane A keeps to when it takes its share of u. Discs that touch or overlap use
// the disc of the time in which they shall be apart again (t_res), which has no legs.
//
// One lane is one pair. All cases are computed and selected by masks; lanes that are not used only
// have to be finite with tau, t_res > 0.
#if defined(SIDESTEP_CONSTRAINTS_VELOCITY_OBSTACLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_CONSTRAINTS_VELOCITY_OBSTACLE_INL_HPP
#undef SIDESTEP_CONSTRAINTS_VELOCITY_OBSTACLE_INL_HPP
#else
#define SIDESTEP_CONSTRAINTS_VELOCITY_OBSTACLE_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>

#include "math/tolerances.hpp"
#include "math/trig.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A pair (A, B) as A sees it: rel_pos = p_B - p_A [m], rel_vel = v_A - v_B [m/s], radius = r_A +
/// r_B [m].
template <class V>
struct Pair {
    Vec2<V> rel_pos;
    Vec2<V> rel_vel;
    V radius;
};

/// Features of the boundary, as the lane values of Exit::feature.
inline constexpr int kArc = 0;
inline constexpr int kLeftLeg = 1;
inline constexpr int kRightLeg = 2;
inline constexpr int kOverlap = 3;

/// The nearest way out: u = depth * normal is the smallest change of rel_vel that ends on the
/// boundary. depth > 0 inside the obstacle, < 0 outside: the signed distance is -depth.
template <class V>
struct Exit {
    V depth;         // u . n
    Vec2<V> normal;  // outward, whatever the direction of u
    V feature;       // kArc, kLeftLeg, kRightLeg, kOverlap

    HWY_INLINE Vec2<V> u() const { return normal * depth; }
};

/// { v : dot(v - point, normal) >= 0 }.
template <class V>
struct HalfPlane {
    Vec2<V> point;
    Vec2<V> normal;
};

/// Ids of the two agents of each lane, Lanes(d) entries. Read only where the centres coincide.
struct PairIds {
    const std::uint32_t* a = nullptr;
    const std::uint32_t* b = nullptr;
};

/// The same passing side in every lane, as the mask that says which lanes send exact ties left.
template <class D>
HWY_INLINE hn::Mask<D> ties_to(D d, PassingSide side)
{
    using T = hn::TFromD<D>;
    return hn::Ne(hn::Set(d, side == PassingSide::left ? T(1) : T(0)), hn::Zero(d));
}

/// Division by a time.
template <class V>
struct DividedBy {
    V time;
    HWY_INLINE V operator()(V a) const { return a / time; }
};
/// The same where times are powers of two: the product with the inverse has the same bits, and
/// costs a fifth.
template <class V>
struct TimesInverse {
    V inverse;
    HWY_INLINE V operator()(V a) const { return a * inverse; }
};

/// Lanes whose discs touch or overlap: VO^tau would be the whole plane there.
template <class D, class V = hn::Vec<D>>
HWY_INLINE auto overlaps(D /*d*/, const Pair<V>& pair)
{
    return length_sq(pair.rel_pos) <= sq(pair.radius);
}

/// Where the boundary is a disc (arc or overlap) and where a leg; both need one root and one
/// division. `per_time` divides by tau, or by t_res in the lanes of `overlap`; an exact tie between
/// the legs goes left in the lanes of `ties_left`.
template <class D, class M, class PerTime, class V = hn::Vec<D>>
HWY_INLINE Exit<V> exit_by_feature(D d, const Pair<V>& pair, const PerTime& per_time, M overlap,
                                   M ties_left)
{
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const Vec2<V>& P = pair.rel_pos;
    const V R = pair.radius;

    // From the disc's centre to rel_vel.
    const Vec2<V> w = pair.rel_vel - Vec2<V>{per_time(P.x), per_time(P.y)};
    const V w_sq = length_sq(w);
    const V along = dot(w, P);
    const auto before = hn::And(along<zero, sq(along)> sq(R) * w_sq);
    const auto on_disc = hn::Or(overlap, before);

    const V dist_sq = length_sq(P);
    const V root = hn::Sqrt(hn::IfThenElse(on_disc, w_sq, hn::Max(dist_sq - sq(R), zero)));
    const V denominator = hn::IfThenElse(on_disc, root, dist_sq);
    const V scale = divide_or_zero(d, hn::Set(d, T(1)), denominator);

    // Tangent from 0 to the disc: (Px h - Py R, Px R + Py h) / |P|^2 on the left, R negated on the
    // right.
    const V side_det = det(P, pair.rel_vel);
    const auto is_left = hn::Or(side_det > zero, hn::And(ties_left, hn::Eq(side_det, zero)));
    const V R_signed = hn::IfThenElse(is_left, R, hn::Neg(R));
    const Vec2<V> leg{(P.x * root - P.y * R_signed) * scale, (P.x * R_signed + P.y * root) * scale};
    const Vec2<V> leg_normal = select(is_left, left(leg), right(leg));

    const Vec2<V> normal = select(on_disc, w * scale, leg_normal);
    const V depth =
        hn::IfThenElse(on_disc, per_time(R) - root, hn::Neg(dot(pair.rel_vel, leg_normal)));
    const V leg_feature =
        hn::IfThenElse(is_left, hn::Set(d, T(kLeftLeg)), hn::Set(d, T(kRightLeg)));
    const V disc_feature = hn::IfThenElse(overlap, hn::Set(d, T(kOverlap)), hn::Set(d, T(kArc)));
    return {depth, normal, hn::IfThenElse(on_disc, disc_feature, leg_feature)};
}

/// Smallest change of rel_vel that reaches the boundary of VO^tau, and the outward normal there,
/// [ORCA11] §4.2. An exact tie between the legs (rel_vel on the axis) goes to the passing
/// side. Needs |rel_pos| > radius, tau > 0 [s].
template <class D, class V = hn::Vec<D>>
HWY_INLINE Exit<V> nearest_exit(D d, const Pair<V>& pair, V tau,
                                PassingSide side = PassingSide::right)
{
    const auto none = hn::Lt(tau, tau);
    return exit_by_feature(d, pair, DividedBy<V>{tau}, none, ties_to(d, side));
}

/// Directions of agents `ids.a` away from `ids.b` in the lanes of `mask` (rare: coincident
/// centres); mirrored where ties go left.
template <class D, class M, class V = hn::Vec<D>>
HWY_NOINLINE HWY_MAYBE_UNUSED Vec2<V> apart_directions(D d, M mask, PairIds ids, M ties_left)
{
    using T = hn::TFromD<D>;
    alignas(64) T chosen[hn::MaxLanes(d)];
    alignas(64) T x[hn::MaxLanes(d)] = {};
    alignas(64) T y[hn::MaxLanes(d)] = {};
    alignas(64) T leftward[hn::MaxLanes(d)];
    hn::Store(hn::IfThenElseZero(mask, hn::Set(d, T(1))), d, chosen);
    hn::Store(hn::IfThenElseZero(ties_left, hn::Set(d, T(1))), d, leftward);
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        if (chosen[l] == T(0)) continue;
        const auto side = leftward[l] != T(0) ? PassingSide::left : PassingSide::right;
        const auto n = apart_direction(ids.a[l], ids.b[l], side);
        x[l] = static_cast<T>(n.x);
        y[l] = static_cast<T>(n.y);
    }
    return {hn::Load(d, x), hn::Load(d, y)};
}

/// Exit for discs apart (horizon tau) and for discs that touch or overlap (apart again after
/// t_res). Overlap without relative motion towards the disc's rim: away from B, and if the centres
/// coincide too, in the direction that the ids give.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Exit<V> nearest_exit(D d, const Pair<V>& pair, V tau, V t_res, PairIds ids,
                                hn::Mask<D> ties_left)
{
    using T = hn::TFromD<D>;
    const V one = hn::Set(d, T(1));
    const V tol = hn::Set(d, Tolerances<T>::kDegenerate);
    const auto overlap = overlaps(d, pair);
    const V time = hn::IfThenElse(overlap, t_res, tau);
    Exit<V> e = exit_by_feature(d, pair, DividedBy<V>{time}, overlap, ties_left);
    if (HWY_LIKELY(hn::AllFalse(d, overlap))) return e;

    const V rho = pair.radius / time;
    const Vec2<V> w = pair.rel_vel - pair.rel_pos / time;
    const auto no_direction = hn::And(overlap, length(w) <= tol * hn::Max(one, rho));
    if (HWY_UNLIKELY(!hn::AllFalse(d, no_direction))) {
        const V dist = length(pair.rel_pos);
        const auto coincide = hn::And(no_direction, dist <= tol * hn::Max(one, pair.radius));
        Vec2<V> n = unit_or_zero(d, -pair.rel_pos);
        if (!hn::AllFalse(d, coincide)) {
            n = select(coincide, apart_directions(d, coincide, ids, ties_left), n);
        }
        e.normal = select(no_direction, n, e.normal);
        e.depth = hn::IfThenElse(no_direction, rho - dot(w, n), e.depth);
    }
    return e;
}

/// Neighbour velocity known up to a disc of radius rho [m/s]: VO^tau (+) D(0, rho) is the offset of
/// a convex set, so the exit keeps its normal and is rho longer (exact, outside too).
template <class V>
HWY_INLINE Exit<V> enlarge(const Exit<V>& e, V rho)
{
    return {e.depth + rho, e.normal, e.feature};
}

/// What A takes of u: where the pair is on a collision course (u.n >= 0), and of the slack where it
/// is not. Equal between agents that split by the same rule.
template <class V>
struct Shares {
    V conflict;
    V slack;
};

/// Half-plane of the exit: A takes its share of the change.
template <class D, class V>
HWY_INLINE HalfPlane<V> half_plane_of(D d, const Exit<V>& e, const Vec2<V>& v_a,
                                      const Shares<V>& shares)
{
    const V share = hn::IfThenElse(e.depth < hn::Zero(d), shares.slack, shares.conflict);
    return {v_a + e.normal * (e.depth * share), e.normal};
}

/// Half-plane that A keeps to because of B, [ORCA11] §4.2 eq. (6); the paper has share = 1/2.
/// v_a [m/s]; tau horizon, t_res time to resolve an overlap [s]; shares in [0, 1] of the change
/// that A takes; rho [m/s] uncertainty of v_B; ties go left in the lanes of `ties_left`.
template <class D, class V = hn::Vec<D>>
HWY_INLINE HalfPlane<V> orca_half_plane(D d, const Pair<V>& pair, const Vec2<V>& v_a, V tau,
                                        V t_res, const Shares<V>& shares, V rho, PairIds ids,
                                        hn::Mask<D> ties_left)
{
    const Exit<V> e = enlarge(nearest_exit(d, pair, tau, t_res, ids, ties_left), rho);
    return half_plane_of(d, e, v_a, shares);
}

/// The same with one share and one passing side.
template <class D, class V = hn::Vec<D>>
HWY_INLINE HalfPlane<V> orca_half_plane(D d, const Pair<V>& pair, const Vec2<V>& v_a, V tau,
                                        V t_res, V share, V rho, PairIds ids,
                                        PassingSide side = PassingSide::right)
{
    return orca_half_plane(d, pair, v_a, tau, t_res, Shares<V>{share, share}, rho, ids,
                           ties_to(d, side));
}

/// Lanes whose rel_vel is in VO^tau: the discs come closer than the sum of radii within tau (may be
/// infinite). Strict, so a tangent ray is outside.
template <class D, class V = hn::Vec<D>>
HWY_INLINE auto inside_velocity_obstacle(D d, const Pair<V>& pair, V tau)
{
    const V zero = hn::Zero(d);
    const V closest = divide_or_zero(d, dot(pair.rel_pos, pair.rel_vel), length_sq(pair.rel_vel));
    const V t = hn::Min(hn::Max(closest, zero), tau);
    return length(pair.rel_vel * t - pair.rel_pos) < pair.radius;
}

/// Time until the discs touch [s], infinity where they never do, 0 where they overlap.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V time_to_collision(D d, const Pair<V>& pair)
{
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const V c = length_sq(pair.rel_pos) - sq(pair.radius);
    const V b = dot(pair.rel_pos, pair.rel_vel);
    const V discriminant = sq(b) - length_sq(pair.rel_vel) * c;
    const auto hits = hn::And(b > zero, discriminant > zero);
    const V root = hn::Sqrt(hn::IfThenElseZero(hits, discriminant));
    const V t = divide_or_zero(d, c, b + root);
    const V never = hn::Set(d, std::numeric_limits<T>::infinity());
    return hn::IfThenElse(c < zero, zero, hn::IfThenElse(hits, t, never));
}

/// Share of the avoidance that i takes towards j: rank_j / (rank_i + rank_j), [LI13]. Ranks are >=
/// 0 and may be infinite; two equal extremes (0/0, inf/inf) share equally.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V share_from_ranks(D d, V rank_i, V rank_j)
{
    using T = hn::TFromD<D>;
    const V half = hn::Set(d, T(0.5));
    const V infinite = hn::Set(d, std::numeric_limits<T>::infinity());
    const auto i_inf = hn::Eq(rank_i, infinite);
    const auto j_inf = hn::Eq(rank_j, infinite);
    const V i = hn::IfThenZeroElse(i_inf, rank_i) * half;  // halved: the sum cannot overflow
    const V j = hn::IfThenZeroElse(j_inf, rank_j) * half;
    const auto both_zero = hn::Eq(i + j, hn::Zero(d));
    V share = hn::IfThenElse(both_zero, half, divide_or_zero(d, j, i + j));
    share = hn::IfThenElse(i_inf, hn::Zero(d), share);
    share = hn::IfThenElse(j_inf, hn::Set(d, T(1)), share);
    return hn::IfThenElse(hn::And(i_inf, j_inf), half, share);
}

/// c of the line v.n >= c that an infinite wall through s with unit normal n (to the free side)
/// demands of a disc of radius r at p: stay out for tau, or leave within t_res where the disc is in
/// the wall.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V infinite_wall_bound(D d, const Vec2<V>& p, V r, const Vec2<V>& s, const Vec2<V>& n,
                                 V tau, V t_res)
{
    const V clearance = dot(p - s, n) - r;
    return hn::Neg(clearance) / hn::IfThenElse(clearance > hn::Zero(d), tau, t_res);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
