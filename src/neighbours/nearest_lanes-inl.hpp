// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The k nearest of many candidates, for as many agents as there are lanes, without a branch per
// candidate.
//
// A key is the squared distance as a float, whose bits are ordered as a number is, with the number
// of the candidate in place of the lowest: sorted by one minimum and one maximum. Candidates come
// four at a time; they are sorted among each other and merged into the list by a bitonic network,
// [BAT68]: 13 minima or maxima for each with eleven places, where to move each through the list
// would take 22. Distances that differ by less than the bits of the number are told apart later.
#if defined(SIDESTEP_NEIGHBOURS_NEAREST_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_NEIGHBOURS_NEAREST_LANES_INL_HPP
#undef SIDESTEP_NEIGHBOURS_NEAREST_LANES_INL_HPP
#else
#define SIDESTEP_NEIGHBOURS_NEAREST_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The key of no candidate, beyond every distance: the largest float.
inline constexpr std::int32_t kNobody = 0x7f7fffff;

/// Candidates that are merged at a time.
inline constexpr std::size_t kMergedKeys = 4;

template <class V>
HWY_INLINE void sort_two(V& a, V& b)
{
    const V low = hn::Min(a, b);
    b = hn::Max(a, b);
    a = low;
}

template <class V>
HWY_INLINE void sort_four(V (&c)[kMergedKeys])
{
    sort_two(c[0], c[1]);
    sort_two(c[2], c[3]);
    sort_two(c[0], c[2]);
    sort_two(c[1], c[3]);
    sort_two(c[1], c[2]);
}

/// Sorts four keys that rise and then fall, or the other way round.
template <class V>
HWY_INLINE void sort_bitonic_four(V& a, V& b, V& c, V& e)
{
    sort_two(a, c);
    sort_two(b, e);
    sort_two(a, b);
    sort_two(c, e);
}

/// The nearest so far of each lane, sorted. D is a tag of 32-bit integers.
template <class D, std::size_t kPlaces>
struct NearestLanes {
    using V = hn::Vec<D>;
    static constexpr std::size_t kBlocks = kPlaces / kMergedKeys;
    V key[kPlaces];

    /// Takes the nearest of the list and four more, in any order.
    HWY_INLINE void merge(D d, V (&more)[kMergedKeys])
    {
        if constexpr (kPlaces == 1) {
            key[0] = hn::Min(hn::Min(key[0], hn::Min(more[0], more[1])), hn::Min(more[2], more[3]));
        } else {
            sort_four(more);
            // With few places a merge costs less than to guess wrong whether it is needed.
            if constexpr (kPlaces > 17 && hn::MaxLanes(D()) <= 8) {
                if (hn::AllFalse(d, more[0] < key[kPlaces - 1])) return;
            }
            if constexpr (kPlaces == 11) merge_into_eleven(more);
            else merge_into_blocks(more);
        }
    }

    /// Takes the nearest of the list and of another one.
    HWY_INLINE void merge_list(const NearestLanes& other)
    {
        if constexpr (kPlaces == 1) {
            key[0] = hn::Min(key[0], other.key[0]);
        } else if constexpr (kPlaces == 11) {
            // One after the other, which falls, with a gap of ten between them, they are one
            // bitonic sequence of 32. Of its lower half eight are ordered, and three of the others.
            V* k = key;
            const V* o = other.key;
            V seq[16] = {k[0],
                         k[1],
                         k[2],
                         k[3],
                         k[4],
                         hn::Min(k[5], o[10]),
                         hn::Min(k[6], o[9]),
                         hn::Min(k[7], o[8]),
                         hn::Min(k[8], o[7]),
                         hn::Min(k[9], o[6]),
                         hn::Min(k[10], o[5]),
                         o[4],
                         o[3],
                         o[2],
                         o[1],
                         o[0]};
            part_bitonic<2>(seq, seq + 8);
            sort_bitonic<2>(seq);
            V a = hn::Min(seq[8], seq[12]), b = hn::Min(seq[9], seq[13]);
            V c = hn::Min(seq[10], seq[14]), e = hn::Min(seq[11], seq[15]);
            sort_two(a, c);
            sort_two(b, e);
            HWY_UNROLL(8)
            for (std::size_t i = 0; i < 8; ++i) k[i] = seq[i];
            k[8] = hn::Min(a, b);
            k[9] = hn::Max(a, b);
            k[10] = hn::Min(c, e);
        } else {
            merge_long_list(other);
        }
    }

private:
    /// Of two sequences of so many fours, one place after the other: the nearer go into `low`.
    template <std::size_t kCount>
    static HWY_INLINE void part_bitonic(V* low, V* high)
    {
        if constexpr (kCount > 0) {
            sort_two(low[0], high[0]);
            sort_two(low[1], high[1]);
            sort_two(low[2], high[2]);
            sort_two(low[3], high[3]);
            part_bitonic<kCount - 1>(low + kMergedKeys, high + kMergedKeys);
        }
    }

    /// Sorts a bitonic sequence of so many fours, a power of two.
    template <std::size_t kCount>
    static HWY_INLINE void sort_bitonic(V* seq)
    {
        if constexpr (kCount == 1) {
            sort_bitonic_four(seq[0], seq[1], seq[2], seq[3]);
        } else {
            part_bitonic<kCount / 2>(seq, seq + kCount / 2 * kMergedKeys);
            sort_bitonic<kCount / 2>(seq);
            sort_bitonic<kCount / 2>(seq + kCount / 2 * kMergedKeys);
        }
    }

    /// The nearest of so many fours.
    template <std::size_t kCount>
    static HWY_INLINE V least_of(const V* seq)
    {
        const V least = hn::Min(hn::Min(seq[0], seq[1]), hn::Min(seq[2], seq[3]));
        if constexpr (kCount == 1) return least;
        else return hn::Min(least, least_of<kCount - 1>(seq + kMergedKeys));
    }

    /// As merge_list of eleven: the nearest but one place are the lower quarter of a bitonic
    /// sequence, and the last place is for the nearest of the quarter after that.
    HWY_INLINE void merge_long_list(const NearestLanes& other)
    {
        constexpr std::size_t kLast = kPlaces - 1;
        V high[kLast];
        high[0] = hn::Min(key[kLast], other.key[kLast - 1]);
        HWY_UNROLL(32)
        for (std::size_t i = 1; i < kLast; ++i) high[i] = other.key[kLast - 1 - i];
        key[kLast - 1] = hn::Min(key[kLast - 1], other.key[kLast]);
        part_bitonic<kBlocks>(key, high);
        sort_bitonic<kBlocks>(key);
        key[kLast] = least_of<kBlocks>(high);
    }

    /// The lower halves of two sorted fours stay in `low`. Written out, as is all of this: what is
    /// indexed in a loop does not stay in registers.
    static HWY_INLINE void split(V* low, const V (&more)[kMergedKeys], V (&high)[kMergedKeys])
    {
        high[0] = hn::Max(low[0], more[3]);
        high[1] = hn::Max(low[1], more[2]);
        high[2] = hn::Max(low[2], more[1]);
        high[3] = hn::Max(low[3], more[0]);
        low[0] = hn::Min(low[0], more[3]);
        low[1] = hn::Min(low[1], more[2]);
        low[2] = hn::Min(low[2], more[1]);
        low[3] = hn::Min(low[3], more[0]);
    }

    /// The list and the four, which fall, are one bitonic sequence of 16 with a gap of one at its
    /// 12th place. The three largest are not wanted, nor is what would only order them.
    HWY_INLINE void merge_into_eleven(const V (&more)[kMergedKeys])
    {
        V high[kMergedKeys];
        split(key + 4, more, high);
        sort_two(key[0], key[4]);
        sort_two(key[1], key[5]);
        sort_two(key[2], key[6]);
        sort_two(key[3], key[7]);
        sort_bitonic_four(key[0], key[1], key[2], key[3]);
        sort_bitonic_four(key[4], key[5], key[6], key[7]);
        V a = hn::Min(key[8], high[0]);
        V b = hn::Min(key[9], high[1]);
        V c = hn::Min(key[10], high[2]);
        V e = high[3];
        sort_two(a, c);
        sort_two(b, e);
        key[8] = hn::Min(a, b);
        key[9] = hn::Max(a, b);
        key[10] = hn::Min(c, e);
    }

    /// Blocks of four in one bitonic sequence, whose length is a power of two.
    static constexpr std::size_t bitonic_blocks()
    {
        std::size_t blocks = 1;
        while (blocks < kBlocks + 1) blocks *= 2;
        return blocks;
    }

    /// Sorts the blocks of the list from kFirst on, kSize of a bitonic sequence, of which `last` is
    /// the last one; the others are sorted already, and those beyond the list are farther than
    /// everything. Most comparisons of the network are between blocks that are in order, and are
    /// left out.
    template <std::size_t kFirst, std::size_t kSize>
    HWY_INLINE void sort_blocks(V (&last)[kMergedKeys])
    {
        if constexpr (kFirst >= kBlocks) {  // not wanted, but for the nearest
            const V nearest = hn::Min(hn::Min(last[0], last[1]), hn::Min(last[2], last[3]));
            key[kPlaces - 1] = hn::Min(key[kPlaces - 1], nearest);
        } else if constexpr (kSize == 1) {
            sort_bitonic_four(last[0], last[1], last[2], last[3]);
            V* block = key + kFirst * kMergedKeys;
            block[0] = last[0];
            block[1] = last[1];
            block[2] = last[2];
            block[3] = last[3];
        } else {
            constexpr std::size_t kMiddle = kFirst + kSize / 2;
            if constexpr (kMiddle <= kBlocks) {
                V* block = key + (kMiddle - 1) * kMergedKeys;
                V low[kMergedKeys] = {hn::Min(block[0], last[0]), hn::Min(block[1], last[1]),
                                      hn::Min(block[2], last[2]), hn::Min(block[3], last[3])};
                V high[kMergedKeys] = {hn::Max(block[0], last[0]), hn::Max(block[1], last[1]),
                                       hn::Max(block[2], last[2]), hn::Max(block[3], last[3])};
                sort_blocks<kFirst, kSize / 2>(low);
                sort_blocks<kMiddle, kSize / 2>(high);
            } else {
                sort_blocks<kFirst, kSize / 2>(last);
            }
        }
    }

    /// The list and the four, which fall, are one bitonic sequence.
    HWY_INLINE void merge_into_blocks(const V (&more)[kMergedKeys])
    {
        static_assert(kPlaces % kMergedKeys == 1);
        V falling[kMergedKeys] = {more[3], more[2], more[1], more[0]};
        sort_blocks<0, bitonic_blocks()>(falling);
    }
};

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
