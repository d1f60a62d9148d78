// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The nearest velocity on the straight pieces of the boundaries of regions (regions-inl.hpp): how
// lines are searched. Which, and in what order, is in region_queue-inl.hpp.
//
// Most agents need three of thirty lines, few need ten. A vector that searched one line of each
// agent at a time would be as slow as its slowest agent; so the lanes of a search are lines, as
// many as a vector holds (16 with AVX-512) of whichever agents still need some, and regions are
// brought into these lanes by a permutation. What an agent gets is that of its own lines one after
// the other, whoever else is searched for meanwhile and however many lanes there are: a line that
// turns out not to have been needed does not count.
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
#include "simd/rows-inl.hpp"
#include "simd/vec2-inl.hpp"
#include "solvers/program-inl.hpp"
#include "solvers/region_queue-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Working columns of the chooser, each of at least `slots` rows of as many lines as are searched
/// at a time: the intervals that the regions cover on a line.
template <class T>
struct RegionScratch {
    static constexpr std::size_t kMostAtOnce = 2;  // lines for each lane of an agent
    static constexpr std::size_t kColumns = 4 * kMostAtOnce;
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
          high(storage + kMostAtOnce * slots * lanes),
          deep_low(storage + 2 * kMostAtOnce * slots * lanes),
          deep_high(storage + 3 * kMostAtOnce * slots * lanes),
          most_slots(slots)
    {}
};

namespace outside {

/// Lines beyond this distance [m/s] do not exist: empty ones are at -kNoBound.
inline constexpr double kFarthestLine = 1e29;

/// The lines of agents in the lanes of D that are searched at a time.
template <class D>
using Lines = Rows<D>;

/// Lines of several agents, one in each lane of Lines<D>, and by their places in a LineQueue.
template <class D>
struct LineBatch {
    using Key = typename LineQueue<D>::Key;
    static constexpr std::size_t kMost = hn::MaxLanes(Lines<D>());
    static_assert(kMost <= RegionScratch<hn::TFromD<D>>::kMostAtOnce * hn::MaxLanes(D()));
    static constexpr std::size_t kPlaces = kLookAhead * hn::MaxLanes(D());
    std::size_t count = 0;
    alignas(64) Key place[kMost + hn::MaxLanes(D())];  // in order
    alignas(64) Key lane[kPlaces];                     // by place: that of the line, or below 0
};

/// Moves what is in the agents' lanes to those of their lines.
template <class D>
class ToLines {
public:
    using T = hn::TFromD<D>;
    using DL = Lines<D>;
    using DLI = hn::RebindToSigned<DL>;
    using V = hn::Vec<D>;
    using VL = hn::Vec<DL>;

    HWY_INLINE explicit ToLines(hn::Vec<DLI> agents) : indices_(hn::IndicesFromVec(DL(), agents)) {}
    HWY_INLINE VL operator()(V v) const
    {
        if constexpr (hn::MaxLanes(DL()) == 1) return v;
        else return hn::TableLookupLanes(repeat(DL(), v), indices_);
    }
    HWY_INLINE Vec2<VL> operator()(const Vec2<V>& v) const { return {(*this)(v.x), (*this)(v.y)}; }
    /// The same from memory, of which as many numbers are read as there are lines.
    HWY_INLINE VL load(const T* from) const
    {
        if constexpr (hn::MaxLanes(DL()) == 1) return hn::LoadU(DL(), from);
        else return hn::TableLookupLanes(hn::LoadU(DL(), from), indices_);
    }

private:
    decltype(hn::IndicesFromVec(DL(), hn::Zero(DLI()))) indices_;
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

/// How a line is met on a track.
template <class V>
struct Meeting {
    V run;      // along the track, per unit of height above the line
    V missing;  // height that the base is short of
};

/// A line parallel to the track is taken as one that rises as slowly as can be told: it is crossed
/// where no velocity is, or else its depth is within the tolerance all along. That is why a track's
/// own region does not cover it.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Meeting<V> meet(D d, const Vec2<V>& n, V c, const Track<V>& track)
{
    using T = hn::TFromD<D>;
    const V least_slope = hn::Set(d, Tolerances<T>::kParallelSine);
    const V sine = dot(n, track.along);
    const V slope = hn::IfThenElse(hn::Abs(sine) < least_slope, least_slope, sine);
    return {hn::Set(d, T(1)) / slope, c - dot(n, track.n) * track.c};
}

/// How the three lines of a region are met. `row` are its numbers. Lines that hold everywhere are
/// no exception: they are crossed far away, and to look which they are costs more than they do.
template <class V>
struct Meetings {
    Meeting<V> first, second, third;
};

template <class D, class V = hn::Vec<Lines<D>>>
HWY_INLINE Meetings<V> meet_region(D /*d*/, const hn::TFromD<D>* row, const ToLines<D>& to_lines,
                                   const Track<V>& track)
{
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    const Lines<D> dl;
    const auto column = [&](std::size_t k) HWY_ATTR { return to_lines.load(row + k * kLanes); };
    return {meet(dl, {column(0), column(1)}, column(2), track),
            meet(dl, {column(3), column(4)}, column(5), track),
            meet(dl, {column(6), column(7)}, column(8), track)};
}

/// What is left of the `cover` beyond a line.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Cover<V> beyond(D d, const Meeting<V>& line, V depth, const Cover<V>& cover)
{
    const V crossing = line.missing * line.run;
    const V deep_crossing = (line.missing + depth) * line.run;
    const auto falls = line.run < hn::Zero(d);
    return {{hn::IfThenElse(falls, cover.all.low, hn::Max(cover.all.low, crossing)),
             hn::IfThenElse(falls, hn::Min(cover.all.high, crossing), cover.all.high)},
            {hn::IfThenElse(falls, cover.deep.low, hn::Max(cover.deep.low, deep_crossing)),
             hn::IfThenElse(falls, hn::Min(cover.deep.high, deep_crossing), cover.deep.high)}};
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

/// What the region of these numbers covers of the tracks.
template <bool kDiscs, class D, class V = hn::Vec<Lines<D>>>
HWY_INLINE Cover<V> cover_of(D d, const hn::TFromD<D>* row, const Meetings<V>& lines,
                             const ToLines<D>& to_lines, const Track<V>& track, V depth)
{
    const Lines<D> dl;
    const V far = hn::Set(dl, hn::TFromD<D>(-kNoBound));
    Cover<V> cover{{hn::Neg(far), far}, {hn::Neg(far), far}};
    cover = beyond(dl, lines.first, depth, cover);
    cover = beyond(dl, lines.second, depth, cover);
    cover = beyond(dl, lines.third, depth, cover);
    if constexpr (kDiscs) {
        constexpr std::size_t kLanes = hn::MaxLanes(D());
        const Vec2<V> disc{to_lines.load(row + 9 * kLanes), to_lines.load(row + 10 * kLanes)};
        const V disc_r = to_lines(hn::Load(d, row + 11 * kLanes));  // the last: nothing behind it
        cover = join_disc(dl, disc, disc_r, track, depth, cover);
    }
    return cover;
}

/// The part of the tracks that both discs leave. Empty where low > high.
template <class D, class V = hn::Vec<Lines<D>>>
HWY_INLINE Part<V> within_discs(D d, const Track<V>& track, const Discs<D>& discs,
                                const ToLines<D>& to_lines, V depth)
{
    using T = hn::TFromD<D>;
    const Lines<D> dl;
    const V v_max = to_lines(discs.v_max);
    const auto speed = program::chord(dl, track.c, hn::Zero(dl), v_max);
    Part<V> part{speed.low, speed.high};
    auto meets = hn::Abs(track.c) <= v_max + depth;
    if (!hn::AllFalse(d, discs.has_reach)) {
        const auto limited = hn::IfThenElseZero(discs.has_reach, hn::Set(d, T(1)));
        const auto has_reach = to_lines(limited) > hn::Zero(dl);
        const V radius = to_lines(discs.reach);
        const Vec2<V> centre = to_lines(discs.centre);
        const V beside = dot(track.n, centre) - track.c;
        const auto reach = program::chord(dl, beside, dot(track.along, centre), radius);
        const auto in_reach = hn::Abs(beside) <= radius + depth;
        part.low = hn::IfThenElse(has_reach, hn::Max(part.low, reach.low), part.low);
        part.high = hn::IfThenElse(has_reach, hn::Min(part.high, reach.high), part.high);
        meets = hn::And(meets, hn::Or(hn::Not(has_reach), in_reach));
    }
    return {hn::IfThenElse(meets, part.low, hn::Set(dl, T(-kNoBound))), part.high};
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
template <bool kDiscs, class D, class V = hn::Vec<Lines<D>>>
HWY_INLINE Part<V> walk_out(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                            const ToLines<D>& to_lines, const Track<V>& track, V start, V depth,
                            const RegionScratch<hn::TFromD<D>>& scratch)
{
    using DL = Lines<D>;
    const DL dl;
    const std::size_t lanes = hn::Lanes(dl);
    Part<V> at{start, start};
    if (slots == 0) return at;
    auto moved = program::none(dl);
    std::size_t end = 0;
    using T = hn::TFromD<D>;
    const T* row = regions.nx[0];
    T* const low = scratch.low;
    T* const high = scratch.high;
    T* const deep_low = scratch.deep_low;
    T* const deep_high = scratch.deep_high;
    // Lines are met a region ahead, so that their divisions are not waited for.
    Meetings<V> ahead = meet_region(d, row, to_lines, track);
    for (std::size_t j = 0; j < slots; ++j) {
        const Meetings<V> met = ahead;
        const T* next = row + regions.row_size;
        if (j + 1 < slots) ahead = meet_region(d, next, to_lines, track);
        const Cover<V> cover = cover_of<kDiscs>(d, row, met, to_lines, track, depth);
        moved = hn::Or(moved, leave<DL>(cover, at));
        hn::StoreU(cover.all.low, dl, low + end);
        hn::StoreU(cover.all.high, dl, high + end);
        hn::StoreU(cover.deep.low, dl, deep_low + end);
        hn::StoreU(cover.deep.high, dl, deep_high + end);
        end += lanes;
        row = next;
    }
    // A point leaves each interval at most once, so this ends after as many passes. By now few
    // move: to guess that none does costs less than to wait for each row before the next.
    for (std::size_t pass = 0; pass < slots && !hn::AllFalse(dl, moved); ++pass) {
        moved = program::none(dl);
        for (std::size_t i = 0; i < end; i += lanes) {
            const Part<V> deep{hn::LoadU(dl, deep_low + i), hn::LoadU(dl, deep_high + i)};
            const auto down = hn::And(at.low > deep.low, at.low < deep.high);
            const auto up = hn::And(at.high > deep.low, at.high < deep.high);
            const auto moves = hn::Or(down, up);
            if (HWY_LIKELY(hn::AllFalse(dl, moves))) continue;
            at.low = hn::IfThenElse(down, hn::LoadU(dl, low + i), at.low);
            at.high = hn::IfThenElse(up, hn::LoadU(dl, high + i), at.high);
            moved = moves;
        }
    }
    return at;
}

/// The best velocity of each agent so far.
template <class V>
struct Best {
    V least, distance;
    Vec2<V> v;
    V to_left;  // det(tie, v)
    V limit;    // lines beyond this distance do not matter
};

/// The distance beyond which nothing is as near as `least`.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V limit_of(D d, V least, V tie_tolerance)
{
    return hn::Min(least + tie_tolerance, hn::Set(d, hn::TFromD<D>(kFarthestLine)));
}

/// The best velocity on each line of a batch.
template <class V>
struct OnLine {
    V least, distance;  // twice -kNoBound where there is none
    Vec2<V> v;
    V to_left;
};

/// Lines n.v = c of the agents in these lanes.
template <class D>
struct LineLanes {
    using DL = Lines<D>;
    Vec2<hn::Vec<DL>> n;
    hn::Vec<DL> c;
    ToLines<D> to_lines;
};

/// Searches the lines of a batch.
template <class D, class V = hn::Vec<Lines<D>>>
HWY_INLINE OnLine<V> search_batch(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                                  const RegionScratch<hn::TFromD<D>>& scratch,
                                  const Search<D>& search, const LineLanes<D>& lines)
{
    using DL = Lines<D>;
    const DL dl;
    const V nothing = hn::Set(dl, hn::TFromD<D>(-2.0 * kNoBound));
    const ToLines<D>& to_lines = lines.to_lines;
    const Vec2<V> n = lines.n;
    const V c = lines.c;
    const Track<V> track{n, c, left(n)};
    const Vec2<V> target = to_lines(search.target);
    const V height = dot(n, target) - c;
    const V foot = dot(track.along, target);
    const V depth = to_lines(search.depth);

    const Part<V> piece = within_discs(d, track, search.discs, to_lines, depth);
    // Where nothing is left of it, a point that nothing covers.
    const auto live = piece.low <= piece.high;
    const V start = hn::IfThenElse(live, hn::Min(hn::Max(foot, piece.low), piece.high), nothing);
    const Part<V> ends =
        search.any_disc
            ? walk_out<true>(d, regions, slots, to_lines, track, start, depth, scratch)
            : walk_out<false>(d, regions, slots, to_lines, track, start, depth, scratch);
    const V low = hn::Max(ends.low, piece.low);
    const V high = hn::Min(ends.high, piece.high);
    const auto low_serves = hn::And(live, ends.low >= piece.low - depth);
    const auto high_serves = hn::And(live, ends.high <= piece.high + depth);
    const auto distance_at = [&](hn::Mask<DL> serves, V s) HWY_ATTR {
        const V off = hn::IfThenElseZero(serves, s - foot);
        return hn::IfThenElse(serves, hn::Sqrt(sq(height) + sq(off)), nothing);
    };
    const V low_distance = distance_at(low_serves, low);
    const V high_distance = distance_at(high_serves, high);
    const Vec2<V> base = n * c;
    const Vec2<V> low_v = base + track.along * hn::IfThenElseZero(low_serves, low);
    const Vec2<V> high_v = base + track.along * hn::IfThenElseZero(high_serves, high);
    const Vec2<V> tie = to_lines(search.tie);
    const V low_left = det(tie, low_v);
    const V high_left = det(tie, high_v);
    const V tolerance = to_lines(search.tie_tolerance);
    const auto nearer = high_distance < low_distance - tolerance;
    const auto as_near = high_distance <= low_distance + tolerance;
    const auto take_high = hn::Or(nearer, hn::And(as_near, high_left < low_left));
    const Vec2<V> v = select(take_high, high_v, low_v);
    return {hn::Min(low_distance, high_distance),
            hn::IfThenElse(take_high, high_distance, low_distance), v,
            hn::IfThenElse(take_high, high_left, low_left)};
}

/// Picks lines of the open lanes for a batch: the nearest of each, the next, and so on, from row
/// `row` of the queue on, those behind place `last`. Lines beyond `limit` are not needed.
template <class D>
HWY_INLINE void pick_lines(D /*d*/, const LineQueue<D>& queue, hn::Vec<D> limit, hn::Mask<D> open,
                           hn::VFromD<hn::RebindToSigned<D>> row_mask, std::size_t row,
                           typename LineQueue<D>::Key last, LineBatch<D>& batch)
{
    using Key = typename LineQueue<D>::Key;
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    const typename LineQueue<D>::DI di;
    const auto most = hn::BitCast(di, limit);
    const auto is_open = hn::RebindMask(di, open);
    std::size_t count = 0;
    for (; row < kLookAhead && count < batch.kMost; ++row) {
        const auto bits = hn::AndNot(row_mask, hn::Load(di, queue.key + row * kLanes));
        const auto waits = hn::AndNot(hn::Gt(bits, most), is_open);
        if (hn::AllFalse(di, waits)) break;
        hn::Store(hn::Set(di, Key(-1)), di, batch.lane + row * kLanes);
        const auto place = hn::Iota(di, static_cast<Key>(row * kLanes));
        const auto picked = hn::And(waits, hn::Gt(place, hn::Set(di, last)));
        if constexpr (kLanes == 1) {
            hn::Store(place, di, batch.place + count);
            count += hn::AllTrue(di, picked) ? 1 : 0;
        } else {
            const Packing<typename LineQueue<D>::DI> packing(di, picked);
            hn::StoreU(packing.pack(di, place), di, batch.place + count);
            count += packing.count();
        }
    }
    batch.count = count < batch.kMost ? count : batch.kMost;
}

/// The lines that were picked.
template <class D>
HWY_INLINE LineLanes<D> load_lines(const Regions<hn::TFromD<D>>& regions, const LineQueue<D>& queue,
                                   typename LineQueue<D>::Key row_mask, LineBatch<D>& batch)
{
    using T = hn::TFromD<D>;
    using Key = typename LineQueue<D>::Key;
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    static_assert(Regions<T>::kColumns == 4 * 3, "a row of the queue for each line, and the disc");
    const Lines<D> dl;
    const hn::RebindToSigned<Lines<D>> dli;
    alignas(64) Key of[LineBatch<D>::kMost];
    alignas(64) T nx[LineBatch<D>::kMost], ny[LineBatch<D>::kMost], c[LineBatch<D>::kMost];
    hn::Store(hn::Zero(dli), dli, of);
    hn::Store(hn::Zero(dl), dl, nx);
    hn::Store(hn::Zero(dl), dl, ny);
    hn::Store(hn::Set(dl, T(-kNoBound)), dl, c);  // lanes without a line: out of reach
    for (std::size_t i = 0; i < batch.count; ++i) {
        const auto place = static_cast<std::size_t>(batch.place[i]);
        const auto row = static_cast<std::size_t>(queue.key[place] & row_mask);
        const std::size_t l = place % kLanes;
        const T* line = regions.nx[0] + row * (3 * kLanes) + l;
        batch.lane[place] = static_cast<Key>(i);
        of[i] = static_cast<Key>(l);
        nx[i] = line[0];
        ny[i] = line[kLanes];
        c[i] = line[2 * kLanes];
    }
    return {{hn::Load(dl, nx), hn::Load(dl, ny)}, hn::Load(dl, c), ToLines<D>(hn::Load(dli, of))};
}

/// Takes what was found on a line where it is nearer, or as near and farther to the right, row
/// after row of the queue; passes over lines that were not needed after all.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void take_batch(D d, const LineQueue<D>& queue,
                           hn::VFromD<hn::RebindToSigned<D>> row_mask, V tolerance,
                           const LineBatch<D>& batch, const OnLine<hn::Vec<Lines<D>>>& on_line,
                           Best<V>& best)
{
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    const typename LineQueue<D>::DI di;
    const Lines<D> dl;
    const hn::RebindToSigned<Lines<D>> dli;
    const auto end = static_cast<std::size_t>(batch.place[batch.count - 1]) / kLanes;
    for (auto row = static_cast<std::size_t>(batch.place[0]) / kLanes; row <= end; ++row) {
        const auto lane = hn::Load(di, batch.lane + row * kLanes);
        const auto bits = hn::AndNot(row_mask, hn::Load(di, queue.key + row * kLanes));
        const auto from = hn::Max(lane, hn::Zero(di));
        const auto indices = hn::IndicesFromVec(dl, repeat(dli, from));
        const auto of_agents = [&](hn::Vec<Lines<D>> v) HWY_ATTR {
            if constexpr (hn::MaxLanes(Lines<D>()) == 1) return v;
            else return first_row(d, hn::TableLookupLanes(v, indices));
        };
        const auto in_batch = hn::RebindMask(d, hn::Eq(lane, from));
        const auto needed = hn::And(in_batch, hn::BitCast(d, bits) <= best.limit);
        const V distance = of_agents(on_line.distance);
        const V to_left = of_agents(on_line.to_left);
        const auto nearer = distance < best.least - tolerance;
        const auto as_near = distance <= best.least + tolerance;
        const auto righter = to_left < best.to_left;
        const auto take = hn::And(needed, hn::Or(nearer, hn::And(as_near, righter)));
        best.distance = hn::IfThenElse(take, distance, best.distance);
        best.v.x = hn::IfThenElse(take, of_agents(on_line.v.x), best.v.x);
        best.v.y = hn::IfThenElse(take, of_agents(on_line.v.y), best.v.y);
        best.to_left = hn::IfThenElse(take, to_left, best.to_left);
        const V least = hn::Min(best.least, of_agents(on_line.least));
        best.least = hn::IfThenElse(needed, least, best.least);
        best.limit = limit_of(d, best.least, tolerance);
    }
}

/// Searches the queued lines of the lanes of `open`.
template <class D>
HWY_ATTR void search_queue(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                           const RegionScratch<hn::TFromD<D>>& scratch, const Search<D>& search,
                           const LineQueue<D>& queue, hn::Mask<D> open, Best<hn::Vec<D>>& best)
{
    using Key = typename LineQueue<D>::Key;
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    const typename LineQueue<D>::DI di;
    const Key row_bits_set = row_bits<Key>(search.most_slots);
    const auto row_mask = hn::Set(di, row_bits_set);
    Key last = -1;
    for (std::size_t row = 0;;) {
        LineBatch<D> batch;
        pick_lines(d, queue, best.limit, open, row_mask, row, last, batch);
        if (batch.count == 0) break;
        const LineLanes<D> lines = load_lines<D>(regions, queue, row_bits_set, batch);
        const auto on_line = search_batch(d, regions, slots, scratch, search, lines);
        take_batch(d, queue, row_mask, search.tie_tolerance, batch, on_line, best);
        if (batch.count < batch.kMost) break;
        last = batch.place[batch.count - 1];
        row = static_cast<std::size_t>(last) / kLanes;
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
    Best<hn::Vec<D>> best{search.least, search.distance, search.v, det(search.tie, search.v),
                          limit_of(d, search.least, search.tie_tolerance)};
    auto open = search.open;
    for (;;) {
        search_queue(d, regions, slots, scratch, search, queue, open, best);
        search.least = best.least;
        const auto limit = hn::BitCast(di, best.limit);
        const auto last = hn::Load(di, queue.key + (kLookAhead - 1) * hn::MaxLanes(D()));
        open = hn::And(open, hn::RebindMask(d, hn::Not(hn::Gt(hn::AndNot(row_mask, last), limit))));
        if (hn::AllFalse(d, open)) break;
        next_lines(d, regions, slots, search, last, queue);
    }
    search.distance = best.distance;
    search.v = best.v;
    search.found = search.least < hn::Set(d, T(kFarthestLine));
}

}  // namespace outside
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
