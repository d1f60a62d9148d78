// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What a limit of acceleration leaves of the velocities: clamped changes, ellipses for walkers that
// swerve less than they brake, and half-planes that leave room to stop.
//
// An ellipse about the current velocity has the axes a_max dt along the heading and a_lat dt across
// it. The program knows lines and discs only, so it gets the polygon of kEllipseSides corners on
// the ellipse: convex, inside it, and cos(pi / 16) = 0.981 of its width where a side is nearest, at
// most 2 % smaller. (8 sides would lose 8 %, 32 would double the lines for 1.5 %.)
#if defined(SIDESTEP_CONSTRAINTS_ACCELERATION_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_CONSTRAINTS_ACCELERATION_INL_HPP
#undef SIDESTEP_CONSTRAINTS_ACCELERATION_INL_HPP
#else
#define SIDESTEP_CONSTRAINTS_ACCELERATION_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "constraints/velocity_obstacle-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Velocity reachable from v_old within the change `reach` = a_max dt [m/s] on the way to v_wanted,
/// [RCAP10] eq. (8). Differs from it: applied only where the limit is exceeded, because the printed
/// form always moves by the full reach and divides by 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> clamp_change(D d, const Vec2<V>& v_old, const Vec2<V>& v_wanted, V reach)
{
    const Vec2<V> change = v_wanted - v_old;
    const V size = length(change);
    const auto within = size <= reach;
    return select(within, v_wanted, v_old + change * divide_or_zero(d, reach, size));
}

/// Half-plane that lets A and B still stop before contact, and the largest closing speed it allows.
template <class V>
struct BrakePlane {
    V c_max;  // [m/s]
    HalfPlane<V> plane;
};

/// Closing speed c with c dt + c^2 / (2 a_sum) <= gap, shared by `share`. a_sum [m/s^2] is the sum
/// of both acceleration limits (the own one against what does not yield), dt [s] the step.
template <class D, class V = hn::Vec<D>>
HWY_INLINE BrakePlane<V> brake_plane(D d, const Pair<V>& pair, const Vec2<V>& v_a, V a_sum, V dt,
                                     V share, PairIds ids, hn::Mask<D> ties_left)
{
    using T = hn::TFromD<D>;
    const V dist = length(pair.rel_pos);
    const V gap = hn::Max(dist - pair.radius, hn::Zero(d));
    const V reach = a_sum * dt;
    const V c_max = hn::Sqrt(sq(reach) + (a_sum + a_sum) * gap) - reach;

    Vec2<V> n = unit_or_zero(d, -pair.rel_pos);
    const V tol = hn::Set(d, Tolerances<T>::kDegenerate);
    const auto coincide = dist <= tol * hn::Max(hn::Set(d, T(1)), pair.radius);
    if (HWY_UNLIKELY(!hn::AllFalse(d, coincide))) {
        n = select(coincide, apart_directions(d, coincide, ids, ties_left), n);
    }
    const V closing = hn::Neg(dot(pair.rel_vel, n));
    return {c_max, {v_a + n * (share * (closing - c_max)), n}};
}

/// Changes of velocity that a walker can make in a step: inside the ellipse with these half axes
/// [m/s], `along` the unit vector `heading` and `across` it.
template <class V>
struct ReachEllipse {
    Vec2<V> heading;
    V along;
    V across;
};

/// Shorter half axes [m/s] count as this: nothing divides by 0 and squares stay finite.
inline constexpr double kShortestAxis = 1e-12;

/// The same as clamp_change, for an ellipse: the change is shortened, not turned.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> clamp_change(D d, const Vec2<V>& v_old, const Vec2<V>& v_wanted,
                                const ReachEllipse<V>& ellipse)
{
    using T = hn::TFromD<D>;
    const V least = hn::Set(d, T(kShortestAxis));
    const Vec2<V> change = v_wanted - v_old;
    const Vec2<V> scaled{dot(change, ellipse.heading) / hn::Max(ellipse.along, least),
                         det(ellipse.heading, change) / hn::Max(ellipse.across, least)};
    const V size = length(scaled);
    const V one = hn::Set(d, T(1));
    return select(size <= one, v_wanted, v_old + change * divide_or_zero(d, one, size));
}

inline constexpr std::size_t kEllipseSides = 16;
/// Cosine of half the angle of a side: how far the polygon's sides are from the centre of a circle.
inline constexpr double kEllipseInradius = 0.9807852804032304;
/// Directions of the middles of the sides in the first quadrant [cosines]: 11.25, 33.75, ...
/// degrees.
inline constexpr double kSideCosines[] = {0.9807852804032304, 0.8314696123025452,
                                          0.5555702330196022, 0.19509032201612828};

/// Side `index` of the polygon inside the ellipse about v_old. The polygon is made smaller by
/// `spare` [m/s]: what a solver may overlook.
template <class D, class V = hn::Vec<D>>
HWY_INLINE HalfPlane<V> ellipse_side(D d, const Vec2<V>& v_old, const ReachEllipse<V>& ellipse,
                                     std::size_t index, V spare)
{
    using T = hn::TFromD<D>;
    const V least = hn::Set(d, T(kShortestAxis));
    const V along = hn::Max(ellipse.along - spare, least);
    const V across = hn::Max(ellipse.across - spare, least);
    const std::size_t quadrant = index / 4;
    const std::size_t place = index % 4;
    const T cosine = T(kSideCosines[place]) * (quadrant == 1 || quadrant == 2 ? T(-1) : T(1));
    const T sine = T(kSideCosines[3 - place]) * (quadrant >= 2 ? T(-1) : T(1));
    // Outward normal of x cos / along + y sin / across <= inradius, times along * across.
    const V nx = across * hn::Set(d, cosine);
    const V ny = along * hn::Set(d, sine);
    const V size = length(Vec2<V>{nx, ny});
    const V offset = along * divide_or_zero(d, across * hn::Set(d, T(kEllipseInradius)), size);
    const Vec2<V> outward = ellipse.heading * divide_or_zero(d, nx, size) +
                            left(ellipse.heading) * divide_or_zero(d, ny, size);
    return {v_old + outward * offset, -outward};
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
