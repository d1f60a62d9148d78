// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Whoever may be a neighbour of somebody in a leaf: a list without gaps, from which each lane takes
// its nearest.
#if defined(SIDESTEP_NEIGHBOURS_CANDIDATES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_NEIGHBOURS_CANDIDATES_INL_HPP
#undef SIDESTEP_NEIGHBOURS_CANDIDATES_INL_HPP
#else
#define SIDESTEP_NEIGHBOURS_CANDIDATES_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "neighbours/nearest_lanes-inl.hpp"
#include "neighbours/neighbours.hpp"
#include "neighbours/record_lanes-inl.hpp"
#include "simd/pack-inl.hpp"
#include "simd/rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatLanes = hn::CappedTag<float, kLeafRows>;
using RowLanes = hn::RebindToSigned<FloatLanes>;
using FloatV = hn::Vec<FloatLanes>;
using RowV = hn::Vec<RowLanes>;

/// Candidates that are merged at a time, in all rows.
inline constexpr std::size_t kCandidatesAtOnce = kMergedKeys * kRowsAtOnce<FloatLanes>;

/// Most candidates at a time; their numbers take the lowest bits of a key.
inline constexpr std::size_t kMostCandidates = 512;
inline constexpr std::int32_t kCandidateBits = kMostCandidates - 1;

/// Keys from here on are of rows that hold nobody, and of the padding (the bits of 1e30f).
inline constexpr std::int32_t kFarKey = 0x7149f2ca;

/// What all lanes of a leaf have in common, in every lane: nobody farther from the box is wanted.
/// Vectors, which stay in registers where floats would be read again after everything written.
struct LeafReach {
    FloatV min_x, min_y, max_x, max_y;
    FloatV reach_sq;

    HWY_INLINE LeafReach(FloatLanes d, const Box& box, float most_sq)
        : min_x(hn::Set(d, box.min_x)),
          min_y(hn::Set(d, box.min_y)),
          max_x(hn::Set(d, box.max_x)),
          max_y(hn::Set(d, box.max_y)),
          reach_sq(hn::Set(d, most_sq))
    {}
};

/// Small enough that all of it is one load.
struct alignas(16) Candidate {
    float x, y;
    std::int32_t row;
    std::int32_t unused;
};

/// Writes as many candidates as there are lanes.
HWY_INLINE void store_candidates(FloatLanes d, FloatV x, FloatV y, RowV row, Candidate* out)
{
#if HWY_TARGET == HWY_SCALAR
    *out = {hn::GetLane(x), hn::GetLane(y), hn::GetLane(row), 0};
    (void)d;
#else
    const hn::CappedTag<float, 4> one;
    FloatV a = x, b = y, c = hn::BitCast(d, row), e = c;
    transpose4(d, a, b, c, e);
    const auto store = [&](auto v, std::size_t i) HWY_ATTR {
        if constexpr (sizeof(v) == 32) {
            hn::Store(hn::LowerHalf(one, v), one, &out[i].x);
            hn::Store(hn::UpperHalf(one, v), one, &out[i + 4].x);
        } else {
            hn::Store(v, one, &out[i].x);
        }
    };
    store(a, 0);
    store(b, 1);
    store(c, 2);
    store(e, 3);
#endif
}

/// Where the candidates of these numbers stand, and in which rows. There are as many as lanes.
HWY_INLINE Vec2<FloatV> load_candidates(FloatLanes d, const Candidate* all,
                                        const std::int32_t* number, RowV& row)
{
    const RowLanes di;
#if HWY_TARGET == HWY_SCALAR
    const Candidate& one = all[number[0]];
    row = hn::Set(di, one.row);
    return set2(d, one.x, one.y);
#else
    const hn::CappedTag<float, 4> one;
    const auto load = [&](auto lanes, std::size_t l) HWY_ATTR {
        const auto low = hn::Load(one, &all[number[l]].x);
        if constexpr (hn::MaxLanes(lanes) == 8) {
            return hn::Combine(lanes, hn::Load(one, &all[number[l + 4]].x), low);
        } else {
            return low;
        }
    };
    FloatV a = load(d, 0), b = load(d, 1), c = load(d, 2), e = load(d, 3);
    transpose4(d, a, b, c, e);
    row = hn::BitCast(di, c);
    return {a, b};
#endif
}

/// The list, and what was found in it so far. The first eight candidates are the rows of the leaf
/// itself.
struct Candidates {
    alignas(64) Candidate at[kMostCandidates + kLeafRows];
    std::size_t count = 0;
    std::size_t merged = 0;   ///< those before this one are in the lists
    float max_radius = 0.0f;  ///< of nobody listed is it larger

    HWY_INLINE void start(const AgentTable& agents, std::size_t leaf, float radius)
    {
        const FloatLanes d;
        for (std::size_t i = 0; i < kLeafRows; i += hn::Lanes(d)) {
            const std::size_t first = leaf * kLeafRows + i;
            store_candidates(d, hn::Load(d, agents.x.data() + first),
                             hn::Load(d, agents.y.data() + first),
                             hn::Iota(RowLanes(), static_cast<std::int32_t>(first)), at + i);
        }
        count = kLeafRows;
        merged = 0;
        max_radius = radius;
    }

    bool is_full() const { return count + kLeafRows > kMostCandidates; }

    /// Adds those of a leaf that are near. Needs room for all of them.
    HWY_INLINE void add_near(const AgentTable& agents, std::size_t leaf, const LeafReach& own)
    {
        const FloatLanes d;
        const RowLanes di;
        const FloatV zero = hn::Zero(d);
        const RowV lane_number = hn::Iota(di, 0);
        for (std::size_t i = 0; i < kLeafRows; i += hn::Lanes(d)) {
            const std::size_t first = leaf * kLeafRows + i;
            const FloatV px = hn::Load(d, agents.x.data() + first);
            const FloatV py = hn::Load(d, agents.y.data() + first);
            const FloatV dx = hn::Max(hn::Max(px - own.max_x, own.min_x - px), zero);
            const FloatV dy = hn::Max(hn::Max(py - own.max_y, own.min_y - py), zero);
            const Packing<FloatLanes> near(d, dx * dx + dy * dy <= own.reach_sq);
            const RowV rows = lane_number + hn::Set(di, static_cast<std::int32_t>(first));
            store_candidates(d, near.pack(d, px), near.pack(d, py), near.pack(di, rows),
                             at + count);
            count += near.count();
        }
    }

    /// Candidates up to the next whole number of merges are far away.
    HWY_INLINE void pad()
    {
        for (std::size_t i = count; i % kCandidatesAtOnce != 0; ++i) at[i] = far_away();
    }

    /// Keeps only those that are in a list, under new numbers: makes room for others.
    template <std::size_t kPlaces>
    HWY_NOINLINE void compact(std::int32_t (&key)[kPlaces][kLeafRows])
    {
        std::int32_t number[kMostCandidates];
        std::fill_n(number, kMostCandidates, -1);
        for (const auto& place : key) {
            for (const std::int32_t k : place)
                if (k < kFarKey) number[k & kCandidateBits] = 0;
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (number[i] < 0) continue;
            at[kept] = at[i];
            number[i] = static_cast<std::int32_t>(kept++);
        }
        // Numbers keep their order, and with it so do keys that differ in nothing else.
        for (auto& place : key) {
            for (std::int32_t& k : place)
                if (k < kFarKey) k = (k & ~kCandidateBits) | number[k & kCandidateBits];
        }
        count = merged = (kept + kCandidatesAtOnce - 1) / kCandidatesAtOnce * kCandidatesAtOnce;
        for (std::size_t i = kept; i < count; ++i) at[i] = far_away();
    }

    Candidate far_away() const { return {kFarAway, kFarAway, at[0].row, 0}; }
};

/// Two rows of keys, or one: those of the lanes from some lane on, for the candidates from a number
/// on, and in the second row for those kMergedKeys after them.
struct KeyRows {
    using D = Rows<FloatLanes>;
    using DI = Rows<RowLanes>;
    using V = hn::Vec<D>;
    using VI = hn::Vec<DI>;

    const Candidates& candidates;
    V x, y;
    VI number;

    HWY_INLINE KeyRows(const Candidates& all, FloatV own_x, FloatV own_y, std::size_t first)
        : candidates(all), x(repeat(D(), own_x)), y(repeat(D(), own_y))
    {
        const RowLanes di;
        const RowV start = hn::Set(di, static_cast<std::int32_t>(first));
        number = rows_of(DI(), start, start + hn::Set(di, std::int32_t{kMergedKeys}));
    }

    /// Where candidate i stands, in all lanes; in those of the second row the other one.
    HWY_INLINE Vec2<V> place_of(std::size_t i) const
    {
        const D d;
        const Candidate* at = candidates.at + i;
#if HWY_TARGET <= HWY_AVX3
        const FloatLanes row;
        const V both =
            rows_of(d, hn::LoadDup128(row, &at[0].x), hn::LoadDup128(row, &at[kMergedKeys].x));
        return {hn::Broadcast<0>(both), hn::Broadcast<1>(both)};
#else
        return {hn::Set(d, at->x), hn::Set(d, at->y)};
#endif
    }

    /// The key of candidate i, which is that of `number`; the next one is next.
    HWY_INLINE VI next(std::size_t i)
    {
        const DI di;
        const Vec2<V> at = place_of(i);
        const V dx = x - at.x;
        const V dy = y - at.y;
        const VI key =
            hn::OrAnd(number, hn::BitCast(di, dx * dx + dy * dy), hn::Set(di, ~kCandidateBits));
        number = number + hn::Set(di, 1);
        return key;
    }

    /// Passes over those that the second row has had.
    HWY_INLINE void skip()
    {
        constexpr std::size_t kAhead = kCandidatesAtOnce - kMergedKeys;
        if constexpr (kAhead > 0)
            number = number + hn::Set(DI(), static_cast<std::int32_t>(kAhead));
    }
};

/// Merges the candidates that are not in the lists yet into those of the lanes from `first_lane`
/// on, whose agents stand at `x`, `y`. Where vectors are long enough half of the candidates go into
/// lists of their own, which are merged in the end.
template <std::size_t kPlaces>
HWY_INLINE void merge_nearest(const Candidates& candidates, std::size_t first_lane, FloatV x,
                              FloatV y, std::int32_t (&key)[kPlaces][kLeafRows])
{
    const RowLanes di;
    using DI = KeyRows::DI;
    using V = KeyRows::VI;
    const DI rows;
    const RowV nobody = hn::Set(di, kNobody);
    NearestLanes<DI, kPlaces> nearest;
    HWY_UNROLL(33)
    for (std::size_t i = 0; i < kPlaces; ++i)
        nearest.key[i] = rows_of(rows, hn::Load(di, key[i] + first_lane), nobody);

    std::size_t i = candidates.merged;
    KeyRows keys(candidates, x, y, i);
    if (i == 0) {  // nobody is its own neighbour
        const V lane = repeat(rows, hn::Iota(di, static_cast<std::int32_t>(first_lane)));
        for (; i < kLeafRows; i += kCandidatesAtOnce) {
            const auto other_key_of = [&](std::size_t other) HWY_ATTR {
                const auto own = hn::Eq(lane, keys.number);
                return hn::IfThenElse(own, repeat(rows, nobody), keys.next(other));
            };
            V more[kMergedKeys] = {other_key_of(i), other_key_of(i + 1), other_key_of(i + 2),
                                   other_key_of(i + 3)};
            nearest.merge(rows, more);
            keys.skip();
        }
    }
    for (; i < candidates.count; i += kCandidatesAtOnce) {
        V more[kMergedKeys] = {keys.next(i), keys.next(i + 1), keys.next(i + 2), keys.next(i + 3)};
        nearest.merge(rows, more);
        keys.skip();
    }
    NearestLanes<RowLanes, kPlaces> all;
    HWY_UNROLL(33)
    for (std::size_t place = 0; place < kPlaces; ++place)
        all.key[place] = first_row(di, nearest.key[place]);
    if constexpr (kCandidatesAtOnce > kMergedKeys) {
        NearestLanes<RowLanes, kPlaces> others;
        HWY_UNROLL(33)
        for (std::size_t place = 0; place < kPlaces; ++place)
            others.key[place] = last_row(di, nearest.key[place]);
        all.merge_list(others);
    }
    HWY_UNROLL(33)
    for (std::size_t place = 0; place < kPlaces; ++place)
        hn::Store(all.key[place], di, key[place] + first_lane);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
