// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The nearest velocity on the straight pieces of the boundaries of regions (regions-inl.hpp): how
// lines are searched. Which, and in what order, is in region_queue-inl.hpp.
//
// Most agents need three of thirty lines, few need ten. A vector that searched one line of each
// agent at a time would be as slow as its slowest agent; so the lanes of a search are lines, eight
// at a time of whichever agents still need some, and regions are brought into these lanes by a
// permutation. What an agent gets is that of its own lines one after the other, whoever else is
// searched for meanwhile and however many lanes there are: a line that turns out not to have been
// needed does not count.
#if defined(SIDESTEP_SOLVERS_REGION_LINES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SOLVERS_REGION_LINES_INL_HPP
#undef SIDESTEP_SOLVERS_REGION_LINES_INL_HPP
#else
#define SIDESTEP_SOLVERS_REGION_LINES_INL_HPP
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "math/tolerances.hpp"
#include "simd/pack-inl.hpp"
#include "simd/region-inl.hpp"
#include "simd/vec2-inl.hpp"
#include "solvers/program-inl.hpp"
#include "solvers/region_queue-inl.hpp"

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
    // Slots that no agent exceeds, whoever shares its vector: what is found must not depend on how
    // many those have.
    std::size_t most_slots = 0;

    RegionScratch() = default;
    /// Cuts the columns from `storage` of at least kColumns * slots * lanes numbers.
    RegionScratch(T* storage, std::size_t slots, std::size_t lanes)
        : low(storage),
          high(storage + slots * lanes),
          deep_low(storage + 2 * slots * lanes),
          deep_high(storage + 3 * slots * lanes),
          most_slots(slots)
    {}
};

namespace outside {

/// Lines beyond this distance [m/s] do not exist: empty ones are at -kNoBound.
inline constexpr double kFarthestLine = 1e29;

/// Lines of several agents, one in each lane.
template <class D>
struct LineBatch {
    using T = hn::TFromD<D>;
    using Key = typename LineQueue<D>::Key;
    std::size_t count = 0;
    alignas(64) Key of[hn::MaxLanes(D())];  // the lane of the agent
    alignas(64) T bound[hn::MaxLanes(D())], nx[hn::MaxLanes(D())], ny[hn::MaxLanes(D())],
        c[hn::MaxLanes(D())];
};

/// Moves what is in the agents' lanes to those of their lines.
template <class D>
class ToBatch {
public:
    using V = hn::Vec<D>;

    HWY_INLINE ToBatch(D d, const LineBatch<D>& batch) : indices_(hn::SetTableIndices(d, batch.of))
    {}
    HWY_INLINE V operator()(V v) const
    {
        if constexpr (hn::MaxLanes(D()) == 1) return v;
        else return hn::TableLookupLanes(v, indices_);
    }
    HWY_INLINE Vec2<V> operator()(const Vec2<V>& v) const { return {(*this)(v.x), (*this)(v.y)}; }

private:
    decltype(hn::SetTableIndices(D(),
                                 static_cast<const typename LineQueue<D>::Key*>(nullptr))) indices_;
};

/// A line in the plane of velocities: base + s * along. Its base is its point nearest to 0, so that
/// s is no larger than velocities are.
template <class V>
struct Track {
    Vec2<V> n;
    V c;  // n.v on the line
    Vec2<V> along;
};

/// Part of a track, closed or open as the user says.
template <class V>
struct Part {
    V low;
    V high;
};

/// What one region covers of a track: between the true ends, and deeper than the tolerance. Nothing
/// where low >= high.
template <class V>
struct Cover {
    Part<V> all;
    Part<V> deep;
};

/// What is left of the `cover` beyond a line. A line parallel to the track is taken as one that
/// rises as slowly as can be told: it is crossed where no velocity is, or else its depth is within
/// the tolerance all along. That is why a track's own region does not cover it.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Cover<V> beyond(D d, const Vec2<V>& n, V c, const Track<V>& track, V depth,
                           const Cover<V>& cover)
{
    using T = hn::TFromD<D>;
    const V far = hn::Set(d, T(-kNoBound));
    const V least_slope = hn::Set(d, Tolerances<T>::kParallelSine);
    const V sine = dot(n, track.along);
    const V slope = hn::IfThenElse(hn::Abs(sine) < least_slope, least_slope, sine);
    const V run = hn::Set(d, T(1)) / slope;           // along, per unit of height
    const V missing = c - dot(n, track.n) * track.c;  // at the base
    const V crossing = missing * run;
    const V deep_crossing = (missing + depth) * run;
    const auto falls = slope < hn::Zero(d);
    return {{hn::Max(cover.all.low, hn::IfThenElse(falls, hn::Neg(far), crossing)),
             hn::Min(cover.all.high, hn::IfThenElse(falls, crossing, far))},
            {hn::Max(cover.deep.low, hn::IfThenElse(falls, hn::Neg(far), deep_crossing)),
             hn::Min(cover.deep.high, hn::IfThenElse(falls, deep_crossing, far))}};
}

/// The `cover` and a disc's chord: one interval, their union being convex.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Cover<V> join_disc(D d, const Vec2<V>& disc, V radius, const Track<V>& track, V depth,
                              const Cover<V>& cover)
{
    const V beside = dot(track.n, disc) - track.c;
    const V middle = dot(track.along, disc);
    const auto true_chord = program::chord(d, beside, middle, radius);
    const auto deep_chord = program::chord(d, beside, middle, radius - depth);
    const auto crosses = hn::And(radius > depth, deep_chord.meets);
    const auto both = hn::And(crosses, cover.deep.low < cover.deep.high);
    const auto join = [&](const Part<V>& part, V low, V high) HWY_ATTR {
        return Part<V>{
            hn::IfThenElse(both, hn::Min(part.low, low), hn::IfThenElse(crosses, low, part.low)),
            hn::IfThenElse(both, hn::Max(part.high, high),
                           hn::IfThenElse(crosses, high, part.high))};
    };
    return {join(cover.all, true_chord.low, true_chord.high),
            join(cover.deep, deep_chord.low, deep_chord.high)};
}

/// What a region covers of the tracks. Lines that hold everywhere are no exception: they are
/// crossed far away, and to look which they are costs more than they do.
template <bool kDiscs, class D, class V = hn::Vec<D>>
HWY_INLINE Cover<V> cover_of(D d, const Region<V>& r, const ToBatch<D>& to_batch,
                             const Track<V>& track, V depth)
{
    const V far = hn::Set(d, hn::TFromD<D>(-kNoBound));
    Cover<V> cover{{hn::Neg(far), far}, {hn::Neg(far), far}};
    cover = beyond(d, to_batch(r.n[0]), to_batch(r.c[0]), track, depth, cover);
    cover = beyond(d, to_batch(r.n[1]), to_batch(r.c[1]), track, depth, cover);
    cover = beyond(d, to_batch(r.n[2]), to_batch(r.c[2]), track, depth, cover);
    if constexpr (kDiscs)
        cover = join_disc(d, to_batch(r.disc), to_batch(r.disc_r), track, depth, cover);
    return cover;
}

/// The part of the tracks that both discs leave. Empty where low > high.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Part<V> within_discs(D d, const Track<V>& track, const Discs<D>& discs,
                                const ToBatch<D>& to_batch, V depth)
{
    using T = hn::TFromD<D>;
    const V v_max = to_batch(discs.v_max);
    const auto speed = program::chord(d, track.c, hn::Zero(d), v_max);
    Part<V> part{speed.low, speed.high};
    auto meets = hn::Abs(track.c) <= v_max + depth;
    if (!hn::AllFalse(d, discs.has_reach)) {
        const V limited = hn::IfThenElseZero(discs.has_reach, hn::Set(d, T(1)));
        const auto has_reach = to_batch(limited) > hn::Zero(d);
        const V radius = to_batch(discs.reach);
        const Vec2<V> centre = to_batch(discs.centre);
        const V beside = dot(track.n, centre) - track.c;
        const auto reach = program::chord(d, beside, dot(track.along, centre), radius);
        const auto in_reach = hn::Abs(beside) <= radius + depth;
        part.low = hn::IfThenElse(has_reach, hn::Max(part.low, reach.low), part.low);
        part.high = hn::IfThenElse(has_reach, hn::Min(part.high, reach.high), part.high);
        meets = hn::And(meets, hn::Or(hn::Not(has_reach), in_reach));
    }
    return {hn::IfThenElse(meets, part.low, hn::Set(d, T(-kNoBound))), part.high};
}

/// Moves both points out of what a region covers, to its true ends, where they are deeper inside
/// than the tolerance. Returns the lanes in which one moved.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> leave(const Cover<V>& cover, Part<V>& at)
{
    const auto down = hn::And(at.low > cover.deep.low, at.low < cover.deep.high);
    const auto up = hn::And(at.high > cover.deep.low, at.high < cover.deep.high);
    at.low = hn::IfThenElse(down, cover.all.low, at.low);
    at.high = hn::IfThenElse(up, cover.all.high, at.high);
    return hn::Or(down, up);
}

/// The nearest points below and above `start` that no region covers. What regions cover is kept in
/// the scratch.
template <bool kDiscs, class D, class V = hn::Vec<D>>
HWY_INLINE Part<V> walk_out(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                            const ToBatch<D>& to_batch, const Track<V>& track, V start, V depth,
                            const RegionScratch<hn::TFromD<D>>& scratch)
{
    const std::size_t lanes = hn::Lanes(d);
    Part<V> at{start, start};
    auto moved = program::none(d);
    std::size_t end = 0;
    for (std::size_t j = 0; j < slots; ++j) {
        const Cover<V> cover =
            cover_of<kDiscs>(d, load_region(d, regions, j), to_batch, track, depth);
        moved = hn::Or(moved, leave<D>(cover, at));
        hn::Store(cover.all.low, d, scratch.low + end);
        hn::Store(cover.all.high, d, scratch.high + end);
        hn::Store(cover.deep.low, d, scratch.deep_low + end);
        hn::Store(cover.deep.high, d, scratch.deep_high + end);
        end += lanes;
    }
    // A point leaves each interval at most once, so this ends after as many passes.
    for (std::size_t pass = 0; pass < end && !hn::AllFalse(d, moved); pass += lanes) {
        moved = program::none(d);
        for (std::size_t row = 0; row < end; row += lanes) {
            const Cover<V> cover{
                {hn::Load(d, scratch.low + row), hn::Load(d, scratch.high + row)},
                {hn::Load(d, scratch.deep_low + row), hn::Load(d, scratch.deep_high + row)}};
            moved = hn::Or(moved, leave<D>(cover, at));
        }
    }
    return at;
}

/// The best velocity of each agent so far, by lane, to be updated one line at a time.
template <class D>
struct Best {
    using T = hn::TFromD<D>;
    static constexpr std::size_t kLanes = hn::MaxLanes(D());
    alignas(64) T least[kLanes], distance[kLanes], x[kLanes], y[kLanes], to_left[kLanes];
    alignas(64) T tie_tolerance[kLanes];
    alignas(64) T limit[kLanes];  // lines beyond this distance do not matter
};

/// The distance beyond which nothing is as near as `least`.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V limit_of(D d, V least, V tie_tolerance)
{
    return hn::Min(least + tie_tolerance, hn::Set(d, hn::TFromD<D>(kFarthestLine)));
}

/// The best velocity on each line of a batch.
template <class D>
struct BatchBest {
    using T = hn::TFromD<D>;
    static constexpr std::size_t kLanes = hn::MaxLanes(D());
    alignas(64) T least[kLanes], distance[kLanes], x[kLanes], y[kLanes];
    alignas(64) T to_left[kLanes];  // det(tie, v)
};

/// Searches the lines of a batch. The distance is twice -kNoBound where a line has nothing.
template <class D>
HWY_ATTR void search_batch(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                           const RegionScratch<hn::TFromD<D>>& scratch, const Search<D>& search,
                           const LineBatch<D>& batch, BatchBest<D>& best)
{
    using T = hn::TFromD<D>;
    using V = hn::Vec<D>;
    const V nothing = hn::Set(d, T(-2.0 * kNoBound));
    const ToBatch<D> to_batch(d, batch);
    const Vec2<V> n{hn::Load(d, batch.nx), hn::Load(d, batch.ny)};
    const V c = hn::Load(d, batch.c);
    const Track<V> track{n, c, left(n)};
    const Vec2<V> target = to_batch(search.target);
    const V height = dot(n, target) - c;
    const V foot = dot(track.along, target);
    const V depth = to_batch(search.depth);

    const Part<V> piece = within_discs(d, track, search.discs, to_batch, depth);
    // Where nothing is left of it, a point that nothing covers.
    const auto live = piece.low <= piece.high;
    const V start = hn::IfThenElse(live, hn::Min(hn::Max(foot, piece.low), piece.high), nothing);
    const Part<V> ends =
        search.any_disc
            ? walk_out<true>(d, regions, slots, to_batch, track, start, depth, scratch)
            : walk_out<false>(d, regions, slots, to_batch, track, start, depth, scratch);
    const V low = hn::Max(ends.low, piece.low);
    const V high = hn::Min(ends.high, piece.high);
    const auto low_serves = hn::And(live, ends.low >= piece.low - depth);
    const auto high_serves = hn::And(live, ends.high <= piece.high + depth);
    const auto distance_at = [&](hn::Mask<D> serves, V s) HWY_ATTR {
        const V off = hn::IfThenElseZero(serves, s - foot);
        return hn::IfThenElse(serves, hn::Sqrt(sq(height) + sq(off)), nothing);
    };
    const V low_distance = distance_at(low_serves, low);
    const V high_distance = distance_at(high_serves, high);
    const Vec2<V> base = n * c;
    const Vec2<V> low_v = base + track.along * hn::IfThenElseZero(low_serves, low);
    const Vec2<V> high_v = base + track.along * hn::IfThenElseZero(high_serves, high);
    const Vec2<V> tie = to_batch(search.tie);
    const V low_left = det(tie, low_v);
    const V high_left = det(tie, high_v);
    const V tolerance = to_batch(search.tie_tolerance);
    const auto nearer = high_distance < low_distance - tolerance;
    const auto as_near = high_distance <= low_distance + tolerance;
    const auto take_high = hn::Or(nearer, hn::And(as_near, high_left < low_left));
    const Vec2<V> v = select(take_high, high_v, low_v);
    hn::Store(hn::Min(low_distance, high_distance), d, best.least);
    hn::Store(hn::IfThenElse(take_high, high_distance, low_distance), d, best.distance);
    hn::Store(v.x, d, best.x);
    hn::Store(v.y, d, best.y);
    hn::Store(hn::IfThenElse(take_high, high_left, low_left), d, best.to_left);
}

/// Takes what was found on a line where it is nearer, or as near and farther to the right, in the
/// order of the lines; passes over lines that were not needed after all.
template <class D>
HWY_INLINE void take_batch(const LineBatch<D>& batch, const BatchBest<D>& on_line, Best<D>& best)
{
    using T = hn::TFromD<D>;
    const hn::CappedTag<T, 1> one;
    const auto get = [&](const T* from) HWY_ATTR { return hn::LoadU(one, from); };
    for (std::size_t i = 0; i < batch.count; ++i) {
        const auto l = static_cast<std::size_t>(batch.of[i]);
        const auto distance = get(on_line.distance + i);
        const auto needed = get(batch.bound + i) <= get(best.limit + l);
        const auto least = get(best.least + l);
        const auto tolerance = get(best.tie_tolerance + l);
        const auto nearer = distance < least - tolerance;
        const auto as_near = distance <= least + tolerance;
        const auto righter = get(on_line.to_left + i) < get(best.to_left + l);
        const auto take = hn::And(needed, hn::Or(nearer, hn::And(as_near, righter)));
        const auto keep = [&](const T* from, T* to) HWY_ATTR {
            hn::StoreU(hn::IfThenElse(take, get(from + i), get(to + l)), one, to + l);
        };
        keep(on_line.distance, best.distance);
        keep(on_line.x, best.x);
        keep(on_line.y, best.y);
        keep(on_line.to_left, best.to_left);
        const auto now_least =
            hn::Min(least, hn::IfThenElse(needed, get(on_line.least + i), least));
        hn::StoreU(now_least, one, best.least + l);
        hn::StoreU(limit_of(one, now_least, tolerance), one, best.limit + l);
    }
}

/// Searches the queued lines of the lanes of `open`.
template <class D>
HWY_ATTR void search_queue(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                           const RegionScratch<hn::TFromD<D>>& scratch, const Search<D>& search,
                           const LineQueue<D>& queue, hn::Mask<D> open, Best<D>& best)
{
    using T = hn::TFromD<D>;
    using Queue = LineQueue<D>;
    using Key = typename Queue::Key;
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    const typename Queue::DI di;
    const Key row_mask = row_bits<Key>(search.most_slots);
    const auto limit = hn::BitCast(di, hn::Load(d, best.limit));
    alignas(64) Key waiting[(kLookAhead + 1) * kLanes];  // the nearest line of each lane, the next
    std::size_t end = 0;
    for (std::size_t q = 0; q < kLookAhead; ++q) {
        const auto bits = hn::AndNot(hn::Set(di, row_mask), hn::Load(di, queue.key + q * kLanes));
        const auto waits = hn::AndNot(hn::Gt(bits, limit), hn::RebindMask(di, open));
        if (hn::AllFalse(di, waits)) break;
        const auto place = hn::Iota(di, static_cast<Key>(q * kLanes));
        if constexpr (kLanes == 1) {
            hn::Store(place, di, waiting + end++);
        } else {
            const Packing<typename Queue::DI> packing(di, waits);
            hn::StoreU(packing.pack(di, place), di, waiting + end);
            end += packing.count();
        }
    }
    for (std::size_t next = 0;;) {
        LineBatch<D> batch;
        Key picked[kLanes];
        while (next < end && batch.count < kLanes) {
            const Key place = waiting[next++];
            const std::size_t l = static_cast<std::size_t>(place) % kLanes;
            picked[batch.count] = place;
            const T bound = std::bit_cast<T>(static_cast<Key>(queue.key[place] & ~row_mask));
            batch.bound[batch.count] = bound;
            batch.count += static_cast<std::size_t>(bound <= best.limit[l]);
        }
        if (batch.count == 0) break;
        hn::Store(hn::Zero(di), di, batch.of);
        hn::Store(hn::Zero(d), d, batch.nx);
        hn::Store(hn::Zero(d), d, batch.ny);
        hn::Store(hn::Set(d, T(-kNoBound)), d, batch.c);  // lanes without a line: out of reach
        for (std::size_t i = 0; i < batch.count; ++i) {
            const Key key = queue.key[picked[i]];
            const Key row = key & row_mask;
            const std::size_t l = static_cast<std::size_t>(picked[i]) % kLanes;
            const auto* line = regions.nx[0] + regions.at(static_cast<std::size_t>(row) / 4, l) +
                               static_cast<std::size_t>(row) % 4 * (3 * kLanes);
            batch.of[i] = static_cast<Key>(l);
            batch.nx[i] = line[0];
            batch.ny[i] = line[kLanes];
            batch.c[i] = line[2 * kLanes];
        }
        BatchBest<D> on_line;
        search_batch(d, regions, slots, scratch, search, batch, on_line);
        take_batch(batch, on_line, best);
    }
}

/// Searches the lines of the open lanes, of which `queue` has the nearest.
template <class D>
HWY_ATTR void search_lines(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                           const RegionScratch<hn::TFromD<D>>& scratch, LineQueue<D>& queue,
                           Search<D>& search)
{
    using T = hn::TFromD<D>;
    using Queue = LineQueue<D>;
    const typename Queue::DI di;
    const auto row_mask = hn::Set(di, row_bits<typename Queue::Key>(search.most_slots));
    Best<D> best;
    hn::Store(search.least, d, best.least);
    hn::Store(search.distance, d, best.distance);
    hn::Store(search.v.x, d, best.x);
    hn::Store(search.v.y, d, best.y);
    hn::Store(det(search.tie, search.v), d, best.to_left);
    hn::Store(search.tie_tolerance, d, best.tie_tolerance);
    hn::Store(limit_of(d, search.least, search.tie_tolerance), d, best.limit);

    auto open = search.open;
    for (;;) {
        search_queue(d, regions, slots, scratch, search, queue, open, best);
        search.least = hn::Load(d, best.least);
        const auto limit = hn::BitCast(di, hn::Load(d, best.limit));
        const auto last = hn::Load(di, queue.key + (kLookAhead - 1) * hn::MaxLanes(D()));
        open = hn::And(open, hn::RebindMask(d, hn::Not(hn::Gt(hn::AndNot(row_mask, last), limit))));
        if (hn::AllFalse(d, open)) break;
        next_lines<true>(d, regions, slots, search, last, queue);
    }
    search.distance = hn::Load(d, best.distance);
    search.v = {hn::Load(d, best.x), hn::Load(d, best.y)};
    search.found = search.least < hn::Set(d, T(kFarthestLine));
}

}  // namespace outside
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
