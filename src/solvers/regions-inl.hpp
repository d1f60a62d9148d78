// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The velocity nearest to a target that is outside a union of convex forbidden regions and inside
// the discs of what an agent can do, [CP09].
//
//   minimise |v - target|   subject to   v in no region,   |v| <= v_max,   |v - centre| <= reach.
//
// How: the target brought into the discs, if no region forbids it. Else the answer is on the
// boundary of a region ([CP09] Lemma 1), and the pieces of the boundaries that may have it are
// searched, the nearest first (region_queue-inl.hpp has which and why):
//
//   a line    Its points are base + s * along. Each region covers one open interval of s, because
//             it is convex, and the discs leave one [low, high]. From the nearest point that the
//             discs allow, walk to either side past the covered intervals until nothing covers it.
//
//                    low      ======== j          high
//              --------[---------x--------*--------]----->  s
//                          ==========     walks up to *
//
//             What the walk finds is allowed, wherever on the line it is: that a region's line is
//             its boundary between two corners only needs no care.
//
//   an arc    (of a disc that cuts a cone.) The nearest point of the circle, and where it crosses
//             the other circles; its crossings with lines were found on those lines.
//
// [CP09] intersects all pieces, sorts the points along each and classifies the parts between them
// (steps 2-5). The midpoint of such a part is inside region j exactly if it lies in j's interval,
// so the walk gives the same answer without points to sort, and touching corners or shared ends,
// where inside and outside do not alternate, need no care.
//
// A velocity is inside a region where it is deeper than a tolerance: coincident boundaries do not
// forbid one another. A walk that has to move goes to the true end of an interval, not to that of
// the shrunk one. An agent is one lane, and while lines are searched a line is; what an agent gets
// does not depend on its neighbours. Nothing is allocated.
#if defined(SIDESTEP_SOLVERS_REGIONS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SOLVERS_REGIONS_INL_HPP
#undef SIDESTEP_SOLVERS_REGIONS_INL_HPP
#else
#define SIDESTEP_SOLVERS_REGIONS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "math/tolerances.hpp"
#include "simd/region-inl.hpp"
#include "simd/vec2-inl.hpp"
#include "solvers/program-inl.hpp"
#include "solvers/region_lines-inl.hpp"
#include "solvers/region_queue-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
struct OutsideResult {
    using V = hn::Vec<D>;
    Vec2<V> v;             // [m/s]
    V distance;            // |v - target|
    hn::Mask<D> feasible;  // some velocity is allowed; else v is the target within the discs
};

namespace outside {

/// Takes `v` in the lanes of `mask` where it is nearer, or as near and farther to the right of
/// `tie`.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void offer(Search<D>& search, const Vec2<V>& v, V distance, hn::Mask<D> mask)
{
    const auto nearer = distance < search.least - search.tie_tolerance;
    const auto as_near = distance <= search.least + search.tie_tolerance;
    const auto righter = det(search.tie, v) < det(search.tie, search.v);
    const auto take = hn::And(mask, hn::Or(nearer, hn::And(as_near, righter)));
    const auto less = hn::And(mask, distance < search.least);
    search.least = hn::IfThenElse(less, distance, search.least);
    search.v = select(take, v, search.v);
    search.distance = hn::IfThenElse(take, distance, search.distance);
    search.found = hn::Or(search.found, take);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> inside_any(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                                  const Vec2<V>& v, V depth)
{
    auto inside = program::none(d);
    for (std::size_t i = 0; i < slots; ++i) {
        inside = hn::Or(inside, inside_region(d, load_region(d, regions, i), v, depth));
    }
    return inside;
}

/// Offers `v` in the lanes of `mask` where it is near enough, in the discs and in no region.
template <class D, class V = hn::Vec<D>>
HWY_ATTR void try_point(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                        const Vec2<V>& v, hn::Mask<D> mask, Search<D>& search)
{
    const V distance = length(v - search.target);
    const Discs<D>& discs = search.discs;
    const auto in_reach =
        hn::Or(hn::Not(discs.has_reach), length(v - discs.centre) <= discs.reach + search.depth);
    auto live = hn::And(hn::And(mask, search.near_enough(distance)),
                        hn::And(in_reach, length(v) <= discs.v_max + search.depth));
    if (hn::AllFalse(d, live)) return;
    live = hn::AndNot(inside_any(d, regions, slots, v, search.depth), live);
    offer(search, v, distance, live);
}

/// Tries the two points where the circles (centre, radius) of `mask` cross. They are built from
/// the smaller circle: from one that is K times as large, the root would be off by K^2 roundings.
template <class D, class V = hn::Vec<D>>
HWY_ATTR void try_crossings(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                            const Vec2<V>& a, V a_r, const Vec2<V>& b, V b_r, hn::Mask<D> mask,
                            Search<D>& search)
{
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const auto from_a = a_r <= b_r;
    const V small_r = hn::Min(a_r, b_r);
    const V large_r = hn::Max(a_r, b_r);
    const Vec2<V> between = b - a;
    const V apart = length(between);
    const Vec2<V> e = unit_or_zero(d, between);
    const V power = divide_or_zero(d, (small_r - large_r) * (small_r + large_r), apart);
    const V along = (apart + power) * hn::Set(d, T(0.5));  // from the small centre to the other
    const auto meet =
        hn::And(hn::And(mask, apart > zero), hn::Abs(along) <= small_r + search.depth);
    if (hn::AllFalse(d, meet)) return;
    const V reached = hn::IfThenElseZero(meet, along);
    const V across = hn::Sqrt(hn::Max((small_r - reached) * (small_r + reached), zero));
    const Vec2<V> middle = select(from_a, a + e * reached, b - e * reached);
    try_point(d, regions, slots, middle + left(e) * across, meet, search);
    try_point(d, regions, slots, middle - left(e) * across, meet, search);
}

/// Searches the circle of region i.
template <class D, class V = hn::Vec<D>>
HWY_ATTR void search_arc(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                         std::size_t i, Search<D>& search)
{
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const V radius = hn::Load(d, regions.disc_r + regions.at(i));
    const auto circles = radius > zero;
    if (hn::AllFalse(d, circles)) return;
    const Vec2<V> centre{hn::Load(d, regions.disc_x + regions.at(i)),
                         hn::Load(d, regions.disc_y + regions.at(i))};
    const Vec2<V> off = search.target - centre;
    const V off_size = length(off);
    auto live = hn::And(circles, search.near_enough(hn::Abs(off_size - radius)));
    if (hn::AllFalse(d, live)) return;

    // A target in the very centre is as far from all of the arc: then the point on the right.
    const auto central = off_size <= hn::Set(d, Tolerances<T>::kDegenerate) * radius;
    const Vec2<V> towards = select(central, unit_or_zero(d, right(search.tie)),
                                   off * divide_or_zero(d, hn::Set(d, T(1)), off_size));
    try_point(d, regions, slots, centre + towards * radius, live, search);
    for (std::size_t j = i + 1; j < slots; ++j) {
        const V other = hn::Load(d, regions.disc_r + regions.at(j));
        const Vec2<V> other_centre{hn::Load(d, regions.disc_x + regions.at(j)),
                                   hn::Load(d, regions.disc_y + regions.at(j))};
        const auto pair = hn::And(live, other > zero);
        if (hn::AllFalse(d, pair)) continue;
        try_crossings(d, regions, slots, centre, radius, other_centre, other, pair, search);
    }
    try_crossings(d, regions, slots, centre, radius, zero2(d), search.discs.v_max, live, search);
    const auto reaching = hn::And(live, search.discs.has_reach);
    if (hn::AllFalse(d, reaching)) return;
    try_crossings(d, regions, slots, centre, radius, search.discs.centre, search.discs.reach,
                  reaching, search);
}

}  // namespace outside

/// The velocity nearest to `target` [m/s] in the discs and outside regions [0, slots), for the
/// `active` lanes; lanes with fewer regions are padded with empty ones. Of velocities equally near
/// the one with the smallest det(tie, v) is taken: the one farthest to the right as seen along
/// `tie`, which may be 0. `scale` = max(1, v_max, largest |apex|) of the lane: the size rounding
/// grows with. Discs that do not meet allow nothing. Other lanes return something finite if their
/// input was.
template <class D, class V = hn::Vec<D>>
HWY_ATTR OutsideResult<D> nearest_outside(D d, const Regions<hn::TFromD<D>>& regions,
                                          std::size_t slots, const Discs<D>& discs,
                                          const Vec2<V>& target, const Vec2<V>& tie, V scale,
                                          const RegionScratch<hn::TFromD<D>>& scratch,
                                          hn::Mask<D> active)
{
    using T = hn::TFromD<D>;
    const Vec2<V> wish = program::disc_optimum(d, discs, target, Aim::nearest);
    const V wish_distance = length(wish - target);
    const V depth = scale * hn::Set(d, Tolerances<T>::kViolation);
    const auto apart = hn::And(discs.has_reach, length(discs.centre) > discs.v_max + discs.reach);
    const auto solvable = hn::AndNot(apart, active);
    const V tie_tolerance = scale * hn::Set(d, Tolerances<T>::kTie);
    V largest_disc = hn::Zero(d);
    for (std::size_t i = 0; i < slots; ++i)
        largest_disc = hn::Max(largest_disc, hn::Load(d, regions.disc_r + regions.at(i)));
    const auto has_disc = largest_disc > hn::Zero(d);
    outside::Search<D> search{.discs = discs,
                              .target = target,
                              .tie = tie,
                              .depth = depth,
                              .tie_tolerance = tie_tolerance,
                              .most_slots = scratch.most_slots,
                              .wish = wish,
                              .has_disc = has_disc,
                              .any_disc = !hn::AllFalse(d, has_disc),
                              .open = solvable,
                              .least = wish_distance,
                              .distance = wish_distance,
                              .v = wish,
                              .found = program::none(d)};
    const typename outside::LineQueue<D>::DI di;
    outside::LineQueue<D> queue;
    const auto inside = outside::next_lines(d, regions, slots, search, hn::Set(di, -1), queue);
    const auto free = hn::AndNot(inside, solvable);

    // Where the target itself is free nothing else is as near; where it was brought into the discs
    // something may be.
    search.found = free;
    search.open = hn::AndNot(hn::And(free, wish_distance <= tie_tolerance), solvable);
    search.least = hn::IfThenElse(free, wish_distance, hn::Set(d, T(-kNoBound)));
    if (!hn::AllFalse(d, search.open)) {
        outside::search_lines(d, regions, slots, scratch, queue, search);
        for (std::size_t i = 0; search.any_disc && i < slots; ++i)
            outside::search_arc(d, regions, slots, i, search);
    }
    const Vec2<V> v = program::into_discs(d, discs, search.v);
    return {select(search.found, v, wish), search.distance, search.found};
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
