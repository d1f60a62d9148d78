// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Records of agents, one in each lane. A record is 32 bytes: eight of them are eight loads and a
// transposition, where gathers would fetch each of the 64 numbers by itself.
#if defined(SIDESTEP_NEIGHBOURS_RECORD_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_NEIGHBOURS_RECORD_LANES_INL_HPP
#undef SIDESTEP_NEIGHBOURS_RECORD_LANES_INL_HPP
#else
#define SIDESTEP_NEIGHBOURS_RECORD_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "sidestep/world.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
struct RecordLanes {
    Vec2<hn::Vec<D>> position, velocity;
    hn::Vec<D> radius, rank;
    hn::Vec<hn::RebindToUnsigned<D>> id, flags;
};

static_assert(sizeof(AgentRecord) == 8 * sizeof(float) && offsetof(AgentRecord, vx) == 8 &&
              offsetof(AgentRecord, radius) == 16 && offsetof(AgentRecord, id) == 24);

#if HWY_TARGET == HWY_SCALAR

template <class D>
HWY_INLINE RecordLanes<D> load_records(D d, const AgentRecord* all, const std::uint32_t* rows)
{
    const hn::RebindToUnsigned<D> du;
    const AgentRecord& record = all[rows[0]];
    return {.position = set2(d, record.x, record.y),
            .velocity = set2(d, record.vx, record.vy),
            .radius = hn::Set(d, record.radius),
            .rank = hn::Set(d, record.rank),
            .id = hn::Set(du, record.id),
            .flags = hn::Set(du, record.flags)};
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> load_positions(D d, const AgentRecord* all, const std::uint32_t* rows)
{
    return set2(d, all[rows[0]].x, all[rows[0]].y);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V load_ids(D d, const AgentRecord* all, const std::uint32_t* rows)
{
    return hn::Set(d, all[rows[0]].id);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE void transpose(D /*d*/, V (&/*v*/)[1])
{}

#else

/// Columns of a 4 x 4 block of each 128 bits of four vectors.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void transpose4(D d, V& a, V& b, V& c, V& e)
{
    const hn::Repartition<double, D> pairs;
    const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
    const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
    const auto ce_low = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
    const auto ce_high = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
    a = hn::BitCast(d, hn::InterleaveLower(pairs, ab_low, ce_low));
    b = hn::BitCast(d, hn::InterleaveUpper(pairs, ab_low, ce_low));
    c = hn::BitCast(d, hn::InterleaveLower(pairs, ab_high, ce_high));
    e = hn::BitCast(d, hn::InterleaveUpper(pairs, ab_high, ce_high));
}

/// There are as many `rows` as lanes, which are 16, 8 or 4. (No array of pointers: gcc would make
/// them in vectors, and take them out again one by one.)
template <class D, class V = hn::Vec<D>>
HWY_INLINE RecordLanes<D> load_records(D d, const AgentRecord* all, const std::uint32_t* rows)
{
    const hn::RebindToUnsigned<D> du;
    const auto floats = [&](std::size_t l) HWY_ATTR { return &all[rows[l]].x; };
    const auto load = [&](std::size_t l, std::size_t first)
                          HWY_ATTR { return hn::Load(d, floats(l) + first); };
    if constexpr (hn::MaxLanes(d) == 16) {
        // Record l next to record l + 8, so that blocks only change places with their neighbours.
        const hn::Half<D> half;
        const auto two = [&](std::size_t l) HWY_ATTR {
            return hn::Combine(d, hn::Load(half, floats(l + 8)), hn::Load(half, floats(l)));
        };
        V a = two(0), b = two(1), c = two(2), e = two(3);
        V f = two(4), g = two(5), h = two(6), i = two(7);
        transpose4(d, a, b, c, e);
        transpose4(d, f, g, h, i);
        const auto low = [](V v, V w)
                             HWY_ATTR { return hn::OddEvenBlocks(hn::SwapAdjacentBlocks(w), v); };
        const auto high = [](V v, V w)
                              HWY_ATTR { return hn::OddEvenBlocks(w, hn::SwapAdjacentBlocks(v)); };
        return {.position = {low(a, f), low(b, g)},
                .velocity = {low(c, h), low(e, i)},
                .radius = high(a, f),
                .rank = high(b, g),
                .id = hn::BitCast(du, high(c, h)),
                .flags = hn::BitCast(du, high(e, i))};
    } else if constexpr (hn::MaxLanes(d) == 8) {
        V a = load(0, 0), b = load(1, 0), c = load(2, 0), e = load(3, 0);
        V f = load(4, 0), g = load(5, 0), h = load(6, 0), i = load(7, 0);
        transpose4(d, a, b, c, e);
        transpose4(d, f, g, h, i);
        return {.position = {hn::ConcatLowerLower(d, f, a), hn::ConcatLowerLower(d, g, b)},
                .velocity = {hn::ConcatLowerLower(d, h, c), hn::ConcatLowerLower(d, i, e)},
                .radius = hn::ConcatUpperUpper(d, f, a),
                .rank = hn::ConcatUpperUpper(d, g, b),
                .id = hn::BitCast(du, hn::ConcatUpperUpper(d, h, c)),
                .flags = hn::BitCast(du, hn::ConcatUpperUpper(d, i, e))};
    } else {
        static_assert(hn::MaxLanes(d) == 4);
        V x = load(0, 0), y = load(1, 0), vx = load(2, 0), vy = load(3, 0);
        V radius = load(0, 4), rank = load(1, 4), id = load(2, 4), flags = load(3, 4);
        transpose4(d, x, y, vx, vy);
        transpose4(d, radius, rank, id, flags);
        return {.position = {x, y},
                .velocity = {vx, vy},
                .radius = radius,
                .rank = rank,
                .id = hn::BitCast(du, id),
                .flags = hn::BitCast(du, flags)};
    }
}

/// Four columns of 128 bits of records, from the number `first` on: record l in the first 128 bits
/// of column l, l + 4 in the next, and so on. D is a tag of 16, 8 or 4 floats.
template <class D>
struct RecordColumns {
    hn::Vec<D> column[4];

    HWY_INLINE RecordColumns(D d, const AgentRecord* all, const std::uint32_t* rows,
                             std::size_t first)
    {
        const hn::CappedTag<float, 4> one;
        const auto load = [&](std::size_t l)
                              HWY_ATTR { return hn::Load(one, &all[rows[l]].x + first); };
        HWY_UNROLL(4)
        for (std::size_t l = 0; l < 4; ++l) {
            if constexpr (hn::MaxLanes(D()) == 16) {
                const hn::Half<D> half;
                column[l] = hn::Combine(d, hn::Combine(half, load(l + 12), load(l + 8)),
                                        hn::Combine(half, load(l + 4), load(l)));
            } else if constexpr (hn::MaxLanes(D()) == 8) {
                column[l] = hn::Combine(d, load(l + 4), load(l));
            } else {
                column[l] = load(l);
            }
        }
    }
};

/// The positions alone, of 16, 8 or 4: half of the loads, a quarter of the transposition.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> load_positions(D d, const AgentRecord* all, const std::uint32_t* rows)
{
    const hn::Repartition<double, D> pairs;
    const RecordColumns<D> of(d, all, rows, 0);
    const auto low = hn::BitCast(pairs, hn::InterleaveLower(d, of.column[0], of.column[1]));
    const auto high = hn::BitCast(pairs, hn::InterleaveLower(d, of.column[2], of.column[3]));
    return {hn::BitCast(d, hn::InterleaveLower(pairs, low, high)),
            hn::BitCast(d, hn::InterleaveUpper(pairs, low, high))};
}

/// The ids alone. D is a tag of 16, 8 or 4 unsigned numbers.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V load_ids(D d, const AgentRecord* all, const std::uint32_t* rows)
{
    using DF = hn::RebindToFloat<D>;
    const DF df;
    const hn::Repartition<double, DF> pairs;
    const RecordColumns<DF> of(df, all, rows, 4);
    const auto low = hn::BitCast(pairs, hn::InterleaveUpper(df, of.column[0], of.column[1]));
    const auto high = hn::BitCast(pairs, hn::InterleaveUpper(df, of.column[2], of.column[3]));
    return hn::BitCast(d, hn::InterleaveLower(pairs, low, high));
}

/// Turns a square of as many vectors as there are lanes, 8 or 4: v[i] gets lane i of each.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void transpose(D d, V (&v)[hn::MaxLanes(D())])
{
    transpose4(d, v[0], v[1], v[2], v[3]);
    if constexpr (hn::MaxLanes(d) == 8) {
        transpose4(d, v[4], v[5], v[6], v[7]);
        const auto halves = [&](V& low, V& high) HWY_ATTR {
            const V upper = hn::ConcatUpperUpper(d, high, low);
            low = hn::ConcatLowerLower(d, high, low);
            high = upper;
        };
        halves(v[0], v[4]);
        halves(v[1], v[5]);
        halves(v[2], v[6]);
        halves(v[3], v[7]);
    }
}

#endif

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
