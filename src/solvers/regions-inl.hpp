// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The velocity nearest to a target that is outside a union of convex forbidden regions and inside
// the discs of what an agent can do, [CP09].
//
//   minimise |v - target|   subject to   v in no region,   |v| <= v_max,   |v - centre| <= reach.
//
// How: the target brought into the discs, if no region forbids it. Else the answer is on the
// boundary of a region ([CP09] Lemma 1), and every piece of every boundary is searched:
//
//   a line    From the foot of the target a point moves along the line, s = 0 at the foot. Each
//             other region covers one open interval of s, because it is convex, and the discs leave
//             one [low, high]. From the nearest s that the discs allow, walk to either side past
//             the covered intervals until nothing covers the point.
//
//                    low      ======== j          high
//              --------[---------x--------*--------]----->  s
//                          ==========     walks up to *
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
// the shrunk one. One lane is one agent; a piece is skipped where it cannot be near enough in any
// lane, and where it is not near enough in this lane it does not count: what a lane returns does
// not depend on its neighbours. Nothing is allocated.
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

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Working columns of the chooser, each of at least `slots` rows of Lanes(d), aligned to a vector:
/// the intervals that the regions cover on a line.
template <class T>
struct RegionScratch {
    static constexpr std::size_t kColumns = 4;
    T* low = nullptr;  // true ends
    T* high = nullptr;
    T* deep_low = nullptr;  // between these the line is deeper inside than the tolerance
    T* deep_high = nullptr;

    RegionScratch() = default;
    /// Cuts the columns from `storage` of at least kColumns * slots * lanes numbers.
    RegionScratch(T* storage, std::size_t slots, std::size_t lanes)
        : low(storage),
          high(storage + slots * lanes),
          deep_low(storage + 2 * slots * lanes),
          deep_high(storage + 3 * slots * lanes)
    {}
};

template <class D>
struct OutsideResult {
    using V = hn::Vec<D>;
    Vec2<V> v;             // [m/s]
    V distance;            // |v - target|
    hn::Mask<D> feasible;  // some velocity is allowed; else v is the target within the discs
};

namespace outside {

/// What is asked, and the best answer so far.
template <class D>
struct Search {
    using V = hn::Vec<D>;
    Discs<D> discs;
    Vec2<V> target;
    Vec2<V> tie;
    V depth;  // deeper than this is inside a region
    V tie_tolerance;
    hn::Mask<D> open;  // lanes that are still searched
    V least;           // smallest distance
    V distance;        // of v
    Vec2<V> v;
    hn::Mask<D> found;

    /// Lanes where something at this distance may still matter.
    HWY_INLINE hn::Mask<D> near_enough(V at_distance) const
    {
        return hn::And(open, at_distance <= least + tie_tolerance);
    }
};

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

/// A line in the plane of velocities: foot + s * along.
template <class V>
struct Track {
    Vec2<V> n;
    Vec2<V> foot;
    Vec2<V> along;
    V height;  // signed distance of the target from the line
};

/// Part of a track, closed or open as the user says.
template <class V>
struct Part {
    V low;
    V high;
};

/// What is left of `part` where foot + s * along is deeper than `depth` beyond a line, of which the
/// foot is `height` beyond and which rises by `slope`. A line parallel to the track holds on all of
/// it or nowhere: s = `start` tells.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Part<V> narrow(D d, const Part<V>& part, V height, V slope, V start, V depth)
{
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const V far = hn::Set(d, T(-kNoBound));
    const auto parallel = hn::Abs(slope) < hn::Set(d, Tolerances<T>::kParallelSine);
    const V crossing = (depth - height) / hn::IfThenElse(parallel, hn::Set(d, T(1)), slope);
    const auto bounds_low = hn::AndNot(parallel, slope > zero);
    const auto bounds_high = hn::AndNot(parallel, slope < zero);
    const auto nowhere = hn::And(parallel, height + slope * start <= depth);
    const V low = hn::IfThenElse(bounds_low, hn::Max(part.low, crossing), part.low);
    const V high = hn::IfThenElse(bounds_high, hn::Min(part.high, crossing), part.high);
    return {hn::IfThenElse(nowhere, far, low), high};
}

/// The part of the track that both discs and the region's own other lines leave, up to `depth`.
/// Empty where low > high.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Part<V> piece_of(D d, const Track<V>& track, const Region<V>& own, std::size_t line,
                            const Discs<D>& discs, V depth)
{
    using T = hn::TFromD<D>;
    const V far = hn::Set(d, T(-kNoBound));
    const V offset = dot(track.n, track.foot);
    const auto speed =
        program::chord(d, offset, hn::Neg(dot(track.along, track.foot)), discs.v_max);
    Part<V> part{speed.low, speed.high};
    auto meets = hn::Abs(offset) <= discs.v_max + depth;
    if (!hn::AllFalse(d, discs.has_reach)) {
        const Vec2<V> to_centre = discs.centre - track.foot;
        const V beside = dot(track.n, to_centre);
        const auto reach = program::chord(d, beside, dot(track.along, to_centre), discs.reach);
        const auto in_reach = hn::Abs(beside) <= discs.reach + depth;
        part.low = hn::IfThenElse(discs.has_reach, hn::Max(part.low, reach.low), part.low);
        part.high = hn::IfThenElse(discs.has_reach, hn::Min(part.high, reach.high), part.high);
        meets = hn::And(meets, hn::Or(hn::Not(discs.has_reach), in_reach));
    }
    for (std::size_t k = 0; k < 3; ++k) {
        if (k == line) continue;
        const V height = dot(own.n[k], track.foot) - own.c[k];
        const V slope = dot(own.n[k], track.along);
        part = narrow(d, part, height, slope, hn::Zero(d), hn::Neg(depth));
    }
    return {hn::IfThenElse(meets, part.low, far), part.high};
}

/// The intervals of the track that each region covers, into the scratch; that of region `own` is
/// empty.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void cover(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                      std::size_t own, const Track<V>& track, V start, V depth,
                      const RegionScratch<hn::TFromD<D>>& scratch)
{
    using T = hn::TFromD<D>;
    const std::size_t lanes = hn::Lanes(d);
    const V zero = hn::Zero(d);
    const V one = hn::Set(d, T(1));
    const V far = hn::Set(d, T(-kNoBound));
    const V parallel_sine = hn::Set(d, Tolerances<T>::kParallelSine);
    for (std::size_t j = 0; j < slots; ++j) {
        Part<V> all{hn::Neg(far), far};
        Part<V> deep = all;
        const Region<V> r = load_region(d, regions, j);
        for (std::size_t k = 0; k < 3; ++k) {
            if (hn::AllTrue(d, hn::Eq(r.c[k], hn::Neg(far)))) continue;  // holds everywhere
            const V height = dot(r.n[k], track.foot) - r.c[k];
            const V slope = dot(r.n[k], track.along);
            const auto parallel = hn::Abs(slope) < parallel_sine;
            const V run = one / hn::IfThenElse(parallel, one, slope);  // along, per unit of height
            const V crossing = hn::Neg(height) * run;
            const V deep_crossing = (depth - height) * run;
            const auto rises = hn::AndNot(parallel, slope > zero);
            const auto falls = hn::AndNot(parallel, slope < zero);
            const auto nowhere = hn::And(parallel, height + slope * start <= depth);
            all.low = hn::IfThenElse(rises, hn::Max(all.low, crossing), all.low);
            all.high = hn::IfThenElse(falls, hn::Min(all.high, crossing), all.high);
            deep.low = hn::IfThenElse(rises, hn::Max(deep.low, deep_crossing), deep.low);
            deep.high = hn::IfThenElse(falls, hn::Min(deep.high, deep_crossing), deep.high);
            deep.low = hn::IfThenElse(nowhere, far, deep.low);
        }
        auto covers = deep.low < deep.high;
        // The disc's chord; with the part beyond the lines one interval, the union being convex.
        const auto has_disc = r.disc_r > depth;
        if (!hn::AllFalse(d, has_disc)) {
            const Vec2<V> to_disc = r.disc - track.foot;
            const V beside = dot(track.n, to_disc);
            const V middle = dot(track.along, to_disc);
            const auto true_chord = program::chord(d, beside, middle, r.disc_r);
            const auto deep_chord = program::chord(d, beside, middle, r.disc_r - depth);
            const auto crosses = hn::And(has_disc, deep_chord.meets);
            const auto both = hn::And(crosses, covers);
            const auto join = [&](Part<V>& part, V low, V high) HWY_ATTR {
                part.low = hn::IfThenElse(both, hn::Min(part.low, low),
                                          hn::IfThenElse(crosses, low, part.low));
                part.high = hn::IfThenElse(both, hn::Max(part.high, high),
                                           hn::IfThenElse(crosses, high, part.high));
            };
            join(all, true_chord.low, true_chord.high);
            join(deep, deep_chord.low, deep_chord.high);
            covers = hn::Or(covers, crosses);
        }
        if (j == own) covers = program::none(d);
        hn::Store(all.low, d, scratch.low + j * lanes);
        hn::Store(all.high, d, scratch.high + j * lanes);
        hn::Store(hn::IfThenElse(covers, deep.low, far), d, scratch.deep_low + j * lanes);
        hn::Store(hn::IfThenElse(covers, deep.high, hn::Neg(far)), d,
                  scratch.deep_high + j * lanes);
    }
}

/// The nearest points below and above `start` that no interval of the scratch covers.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Part<V> walk_out(D d, std::size_t slots, V start,
                            const RegionScratch<hn::TFromD<D>>& scratch)
{
    const std::size_t lanes = hn::Lanes(d);
    Part<V> at{start, start};
    // A point leaves each interval at most once, so this ends after as many passes.
    for (std::size_t pass = 0; pass <= slots; ++pass) {
        auto moved = program::none(d);
        for (std::size_t j = 0; j < slots; ++j) {
            const V deep_low = hn::Load(d, scratch.deep_low + j * lanes);
            const V deep_high = hn::Load(d, scratch.deep_high + j * lanes);
            const auto down = hn::And(at.low > deep_low, at.low < deep_high);
            const auto up = hn::And(at.high > deep_low, at.high < deep_high);
            const auto either = hn::Or(down, up);
            if (hn::AllFalse(d, either)) continue;
            moved = hn::Or(moved, either);
            at.low = hn::IfThenElse(down, hn::Load(d, scratch.low + j * lanes), at.low);
            at.high = hn::IfThenElse(up, hn::Load(d, scratch.high + j * lanes), at.high);
        }
        if (hn::AllFalse(d, moved)) break;
    }
    return at;
}

/// Searches line k of region i.
template <class D, class V = hn::Vec<D>>
HWY_ATTR void search_line(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                          std::size_t i, std::size_t k, const RegionScratch<hn::TFromD<D>>& scratch,
                          Search<D>& search)
{
    const V zero = hn::Zero(d);
    const std::size_t at = i * hn::Lanes(d);
    const Vec2<V> n{hn::Load(d, regions.nx[k] + at), hn::Load(d, regions.ny[k] + at)};
    const V height = dot(n, search.target) - hn::Load(d, regions.c[k] + at);
    auto live =
        hn::And(search.near_enough(hn::Abs(height)), hn::Or(hn::Ne(n.x, zero), hn::Ne(n.y, zero)));
    if (k == 2) live = hn::AndNot(hn::Load(d, regions.disc_r + at) > zero, live);
    if (hn::AllFalse(d, live)) return;

    const Track<V> track{n, search.target - n * height, left(n), height};
    const Part<V> piece =
        piece_of(d, track, load_region(d, regions, i), k, search.discs, search.depth);
    const V start = hn::Min(hn::Max(zero, piece.low), piece.high);
    const auto distance = [&](V s) HWY_ATTR { return hn::Sqrt(sq(height) + sq(s)); };
    live = hn::And(live, piece.low <= piece.high);
    live = hn::And(live, search.near_enough(distance(hn::IfThenElseZero(live, start))));
    if (hn::AllFalse(d, live)) return;

    cover(d, regions, slots, i, track, hn::IfThenElseZero(live, start), search.depth, scratch);
    const Part<V> ends = walk_out(d, slots, start, scratch);
    const V low = hn::Max(ends.low, piece.low);
    const V high = hn::Min(ends.high, piece.high);
    const auto low_serves = hn::And(live, ends.low >= piece.low - search.depth);
    const auto high_serves = hn::And(live, ends.high <= piece.high + search.depth);
    offer(search, track.foot + track.along * low, distance(hn::IfThenElseZero(low_serves, low)),
          low_serves);
    offer(search, track.foot + track.along * high, distance(hn::IfThenElseZero(high_serves, high)),
          high_serves);
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
    const std::size_t lanes = hn::Lanes(d);
    const V zero = hn::Zero(d);
    const V radius = hn::Load(d, regions.disc_r + i * lanes);
    const auto circles = radius > zero;
    if (hn::AllFalse(d, circles)) return;
    const Vec2<V> centre{hn::Load(d, regions.disc_x + i * lanes),
                         hn::Load(d, regions.disc_y + i * lanes)};
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
        const V other = hn::Load(d, regions.disc_r + j * lanes);
        const Vec2<V> other_centre{hn::Load(d, regions.disc_x + j * lanes),
                                   hn::Load(d, regions.disc_y + j * lanes)};
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
    const auto free = hn::AndNot(outside::inside_any(d, regions, slots, wish, depth), solvable);

    // Where the target itself is free nothing else is as near; where it was brought into the discs
    // something may be.
    const V tie_tolerance = scale * hn::Set(d, Tolerances<T>::kTie);
    const auto done = hn::And(free, wish_distance <= tie_tolerance);
    const V least = hn::IfThenElse(free, wish_distance, hn::Set(d, T(-kNoBound)));
    outside::Search<D> search{
        discs, target,        tie,  depth, tie_tolerance, hn::AndNot(done, solvable),
        least, wish_distance, wish, free};
    if (!hn::AllFalse(d, search.open)) {
        for (std::size_t i = 0; i < slots; ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                outside::search_line(d, regions, slots, i, k, scratch, search);
            }
        }
        for (std::size_t i = 0; i < slots; ++i) {
            outside::search_arc(d, regions, slots, i, search);
        }
    }
    const Vec2<V> v = program::into_discs(d, discs, search.v);
    return {select(search.found, v, wish), search.distance, search.found};
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
