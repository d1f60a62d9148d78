// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Lines of the boundaries of regions (regions-inl.hpp) that may have the nearest velocity: which
// are searched (region_lines-inl.hpp), and in what order.
//
// Which: just before the answer, on the way there from the wish (the target brought into the
// discs), everything is forbidden: the discs are convex, and the distance from the target grows
// along that way. So the answer is on a line of a region that was entered and is left there, and of
// that line the wish is on the forbidden side. The other lines need no search: in a crowd half of
// those that are near. (Where cones are cut by discs they do: an arc may be left where it meets
// such a line, and that is found on the line.)
//
// In what order: no point of the piece on line k of a region is nearer to the target than
//
//     bound_k = max(|h_k|, -h_0, -h_1, -h_2),    h = signed distance of the target from a line,
//
// so each agent takes its lines by (bound, row) and is done when the next is farther than its best
// velocity. The nearest eight of each agent are looked up at a time, which is enough for most: they
// stay sorted in registers while the regions pass.
#if defined(SIDESTEP_SOLVERS_REGION_QUEUE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SOLVERS_REGION_QUEUE_INL_HPP
#undef SIDESTEP_SOLVERS_REGION_QUEUE_INL_HPP
#else
#define SIDESTEP_SOLVERS_REGION_QUEUE_INL_HPP
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "simd/region-inl.hpp"
#include "simd/rows-inl.hpp"
#include "simd/vec2-inl.hpp"
#include "solvers/program-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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
    std::size_t most_slots;
    Vec2<V> wish;          // the target brought into the discs
    hn::Mask<D> has_disc;  // some region of the lane has one
    bool any_disc;         // some lane does
    hn::Mask<D> open;      // lanes that are still searched
    V least;               // smallest distance
    V distance;            // of v
    Vec2<V> v;
    hn::Mask<D> found;

    /// Lanes where something at this distance may still matter.
    HWY_INLINE hn::Mask<D> near_enough(V at_distance) const
    {
        return hn::And(open, at_distance <= least + tie_tolerance);
    }
};

/// How many lines of each lane are looked up at a time.
inline constexpr std::size_t kLookAhead = 8;

/// Lines of each lane in the order in which they are searched. A key is the bound, its lowest bits
/// replaced by the row (4 * region + line): a little less than the bound, and no two are equal.
template <class D>
struct LineQueue {
    using DI = hn::RebindToSigned<D>;
    using Key = hn::TFromD<DI>;
    alignas(64) Key key[kLookAhead * hn::MaxLanes(D())];  // the nearest of each lane, the next, ...
};

/// The bits of a key that are the row.
template <class Key>
HWY_INLINE Key row_bits(std::size_t most_slots)
{
    return static_cast<Key>((std::uint64_t{1} << std::bit_width(4 * most_slots)) - 1);
}

/// Sorts a and b.
template <class VI>
HWY_INLINE void in_order(VI& a, VI& b)
{
    const VI larger = hn::Max(a, b);
    a = hn::Min(a, b);
    b = larger;
}

/// Sorts eight that rise and then fall, or fall and then rise, in three rounds.
template <class VI>
HWY_INLINE void sort_risen(VI& k0, VI& k1, VI& k2, VI& k3, VI& k4, VI& k5, VI& k6, VI& k7)
{
    in_order(k0, k4);
    in_order(k1, k5);
    in_order(k2, k6);
    in_order(k3, k7);
    in_order(k0, k2);
    in_order(k1, k3);
    in_order(k4, k6);
    in_order(k5, k7);
    in_order(k0, k1);
    in_order(k2, k3);
    in_order(k4, k5);
    in_order(k6, k7);
}

/// Keeps the nearest eight of those of the queue and of three more. Written out: a loop would keep
/// the queue in memory.
template <class VI>
HWY_INLINE void merge(VI& k0, VI& k1, VI& k2, VI& k3, VI& k4, VI& k5, VI& k6, VI& k7, VI a, VI b,
                      VI c)
{
    in_order(a, b);
    in_order(b, c);
    in_order(a, b);
    k7 = hn::Min(k7, a);
    k6 = hn::Min(k6, b);
    k5 = hn::Min(k5, c);
    sort_risen(k0, k1, k2, k3, k4, k5, k6, k7);
}

/// Regions `slot` and, where DR has two rows, the next, or an empty one in place of the one behind
/// the last.
template <class DR, class D, class V = hn::Vec<DR>>
HWY_INLINE Region<V> load_regions(DR dr, D d, const Regions<hn::TFromD<D>>& regions,
                                  std::size_t slot, std::size_t slots)
{
    const Region<hn::Vec<D>> first = load_region(d, regions, slot);
    if constexpr (hn::MaxLanes(DR()) == hn::MaxLanes(D())) {
        return first;
    } else {
        const auto next =
            HWY_LIKELY(slot + 1 < slots) ? load_region(d, regions, slot + 1) : empty_region(d);
        const auto both = [&](const auto& a, const auto& b) HWY_ATTR {
            return Vec2<V>{rows_of(dr, a.x, b.x), rows_of(dr, a.y, b.y)};
        };
        return {
            {both(first.n[0], next.n[0]), both(first.n[1], next.n[1]), both(first.n[2], next.n[2])},
            {rows_of(dr, first.c[0], next.c[0]), rows_of(dr, first.c[1], next.c[1]),
             rows_of(dr, first.c[2], next.c[2])},
            both(first.disc, next.disc),
            rows_of(dr, first.disc_r, next.disc_r)};
    }
}

/// Puts the keys of the next lines of each lane, those behind key `last`, into `queue`. Returns the
/// lanes whose wish is inside a region. (Not inlined: it is called twice, and two of it would push
/// other code out of the caches.)
template <class D>
HWY_ATTR HWY_NOINLINE hn::Mask<D> next_lines(D d, const Regions<hn::TFromD<D>>& regions,
                                             std::size_t slots, const Search<D>& search,
                                             hn::VFromD<hn::RebindToSigned<D>> last,
                                             LineQueue<D>& queue)
{
    using T = hn::TFromD<D>;
    using DR = Rows<D>;  // two regions at once, if there is room: each row has a queue of its own
    using V = hn::Vec<DR>;
    using Key = typename LineQueue<D>::Key;
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    constexpr std::size_t kAtOnce = kRowsAtOnce<D>;
    const DR dr;
    const typename LineQueue<D>::DI di;
    const hn::RebindToSigned<DR> dri;
    const auto both = [&](hn::Vec<D> v) HWY_ATTR { return repeat(dr, v); };
    const V zero = hn::Zero(dr);
    const V depth = both(search.depth);
    const V shallow = hn::Neg(depth);
    const V far = hn::Set(dr, T(-kNoBound));
    const Vec2<V> wish{both(search.wish.x), both(search.wish.y)};
    const Vec2<V> target{both(search.target.x), both(search.target.y)};
    // Where an arc meets a line is looked for on the line, whichever of the two is left there.
    const V most_outside =
        both(hn::IfThenElse(search.has_disc, hn::Set(d, T(kNoBound)), hn::Neg(search.depth)));
    const auto row_mask = hn::Set(dri, row_bits<Key>(search.most_slots));
    const bool at_target = hn::AllTrue(
        d, hn::And(hn::Eq(search.wish.x, search.target.x), hn::Eq(search.wish.y, search.target.y)));
    const auto no_line = hn::BitCast(dri, far);
    const auto behind = repeat(dri, last);
    auto k0 = no_line, k1 = no_line, k2 = no_line, k3 = no_line;
    auto k4 = no_line, k5 = no_line, k6 = no_line, k7 = no_line;
    auto inside = program::none(dr);
    auto row = rows_of(dri, hn::Zero(di), hn::Set(di, Key(4)));
    const auto next_line = hn::Set(dri, Key(1));
    const auto next_rows = hn::Set(dri, Key(4 * kAtOnce - 3));
    for (std::size_t i = 0; i < slots; i += kAtOnce) {
        const Region<V> r = load_regions(dr, d, regions, i, slots);
        // Signed distances from the three lines, positive inside.
        const V wish_0 = dot(r.n[0], wish) - r.c[0];
        const V wish_1 = dot(r.n[1], wish) - r.c[1];
        const V wish_2 = dot(r.n[2], wish) - r.c[2];
        V height_0 = wish_0, height_1 = wish_1, height_2 = wish_2;
        V least = hn::Min(hn::Min(wish_0, wish_1), wish_2);
        inside = hn::Or(inside, least > depth);
        if (HWY_UNLIKELY(!at_target)) {
            height_0 = dot(r.n[0], target) - r.c[0];
            height_1 = dot(r.n[1], target) - r.c[1];
            height_2 = dot(r.n[2], target) - r.c[2];
            least = hn::Min(hn::Min(height_0, height_1), height_2);
        }
        auto is_chord = program::none(dr);
        if (search.any_disc) {
            const auto has_disc = r.disc_r > zero;
            is_chord = has_disc;
            const auto in_disc = length(wish - r.disc) < r.disc_r - depth;
            inside = hn::Or(inside, hn::And(has_disc, in_disc));
        }
        const V to_region = hn::Max(shallow - least, zero);
        const auto key_of = [&](V height, hn::Mask<DR> usable) HWY_ATTR {
            const V bound = hn::Max(hn::Abs(height), to_region);
            const auto bits = hn::BitCast(dri, hn::IfThenElse(usable, bound, far));
            const auto key = hn::Or(hn::AndNot(row_mask, bits), row);
            row = row + next_line;
            return hn::IfThenElse(hn::Gt(key, behind), key, no_line);
        };
        const auto a = key_of(height_0, wish_0 >= most_outside);
        const auto b = key_of(height_1, wish_1 >= most_outside);
        const auto c = key_of(height_2, hn::AndNot(is_chord, wish_2 >= most_outside));
        row = row + next_rows;
        merge(k0, k1, k2, k3, k4, k5, k6, k7, a, b, c);
    }
    static_assert(kLookAhead == 8);
    const auto store = [&](auto v0, auto v1, auto v2, auto v3, auto v4, auto v5, auto v6, auto v7)
                           HWY_ATTR {
                               hn::Store(v0, di, queue.key);
                               hn::Store(v1, di, queue.key + kLanes);
                               hn::Store(v2, di, queue.key + 2 * kLanes);
                               hn::Store(v3, di, queue.key + 3 * kLanes);
                               hn::Store(v4, di, queue.key + 4 * kLanes);
                               hn::Store(v5, di, queue.key + 5 * kLanes);
                               hn::Store(v6, di, queue.key + 6 * kLanes);
                               hn::Store(v7, di, queue.key + 7 * kLanes);
                           };
    if constexpr (kAtOnce == 1) {
        store(k0, k1, k2, k3, k4, k5, k6, k7);
        return inside;
    } else {
        // The nearest eight of both rows' queues.
        const auto nearer = [&](auto a, auto b)
                                HWY_ATTR { return hn::Min(first_row(di, a), last_row(di, b)); };
        auto n0 = nearer(k0, k7), n1 = nearer(k1, k6), n2 = nearer(k2, k5), n3 = nearer(k3, k4);
        auto n4 = nearer(k4, k3), n5 = nearer(k5, k2), n6 = nearer(k6, k1), n7 = nearer(k7, k0);
        sort_risen(n0, n1, n2, n3, n4, n5, n6, n7);
        store(n0, n1, n2, n3, n4, n5, n6, n7);
        const auto flags = hn::IfThenElseZero(inside, hn::Set(dr, T(1)));
        const auto any = [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); };
        return fold_rows(d, flags, any) > hn::Zero(d);
    }
}

}  // namespace outside
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
