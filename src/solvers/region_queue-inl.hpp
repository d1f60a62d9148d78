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

/// Signed distances of v from the three lines of a region, positive inside.
template <class V>
struct Heights {
    V first, second, third;
    V least;
};

template <class V>
HWY_INLINE Heights<V> heights_of(const Region<V>& r, const Vec2<V>& v)
{
    const V first = dot(r.n[0], v) - r.c[0];
    const V second = dot(r.n[1], v) - r.c[1];
    const V third = dot(r.n[2], v) - r.c[2];
    return {first, second, third, hn::Min(hn::Min(first, second), third)};
}

/// Sorts a and b.
template <class VI>
HWY_INLINE void in_order(VI& a, VI& b)
{
    const VI larger = hn::Max(a, b);
    a = hn::Min(a, b);
    b = larger;
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
    // These rise and then fall, or fall and then rise: three rounds sort them.
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

/// Puts the keys of the next lines of each lane into `queue`; with kMore those behind `last`.
/// Returns the lanes whose wish is inside a region.
template <bool kMore, class D>
HWY_ATTR hn::Mask<D> next_lines(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slots,
                                const Search<D>& search, hn::VFromD<hn::RebindToSigned<D>> last,
                                LineQueue<D>& queue)
{
    using T = hn::TFromD<D>;
    using V = hn::Vec<D>;
    using Key = typename LineQueue<D>::Key;
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    const typename LineQueue<D>::DI di;
    const V zero = hn::Zero(d);
    const V shallow = hn::Neg(search.depth);
    const V far = hn::Set(d, T(-kNoBound));
    // Where an arc meets a line is looked for on the line, whichever of the two is left there.
    const V most_outside = hn::IfThenElse(search.has_disc, hn::Neg(far), shallow);
    const auto row_mask = hn::Set(di, row_bits<Key>(search.most_slots));
    const bool at_target = hn::AllTrue(
        d, hn::And(hn::Eq(search.wish.x, search.target.x), hn::Eq(search.wish.y, search.target.y)));
    const auto no_line = hn::BitCast(di, far);
    auto k0 = no_line, k1 = no_line, k2 = no_line, k3 = no_line;
    auto k4 = no_line, k5 = no_line, k6 = no_line, k7 = no_line;
    auto inside = program::none(d);
    auto row = hn::Zero(di);
    const auto next_row = hn::Set(di, Key(1));
    for (std::size_t i = 0; i < slots; ++i) {
        const Region<V> r = load_region(d, regions, i);
        const Heights<V> at_wish = heights_of(r, search.wish);
        Heights<V> h = at_wish;
        if (HWY_UNLIKELY(!at_target)) h = heights_of(r, search.target);
        inside = hn::Or(inside, at_wish.least > search.depth);
        auto is_chord = program::none(d);
        if (search.any_disc) {
            const auto has_disc = r.disc_r > zero;
            is_chord = has_disc;
            const auto in_disc = length(search.wish - r.disc) < r.disc_r - search.depth;
            inside = hn::Or(inside, hn::And(has_disc, in_disc));
        }
        const V to_region = hn::Max(shallow - h.least, zero);
        const auto key_of = [&](V height, hn::Mask<D> usable) HWY_ATTR {
            const V bound = hn::Max(hn::Abs(height), to_region);
            const auto bits = hn::BitCast(di, hn::IfThenElse(usable, bound, far));
            const auto key = hn::Or(hn::AndNot(row_mask, bits), row);
            row = row + next_row;
            if constexpr (!kMore) return key;
            else return hn::IfThenElse(hn::Gt(key, last), key, no_line);
        };
        const auto a = key_of(h.first, at_wish.first >= most_outside);
        const auto b = key_of(h.second, at_wish.second >= most_outside);
        const auto c = key_of(h.third, hn::AndNot(is_chord, at_wish.third >= most_outside));
        row = row + next_row;
        merge(k0, k1, k2, k3, k4, k5, k6, k7, a, b, c);
    }
    static_assert(kLookAhead == 8);
    hn::Store(k0, di, queue.key);
    hn::Store(k1, di, queue.key + kLanes);
    hn::Store(k2, di, queue.key + 2 * kLanes);
    hn::Store(k3, di, queue.key + 3 * kLanes);
    hn::Store(k4, di, queue.key + 4 * kLanes);
    hn::Store(k5, di, queue.key + 5 * kLanes);
    hn::Store(k6, di, queue.key + 6 * kLanes);
    hn::Store(k7, di, queue.key + 7 * kLanes);
    return inside;
}

}  // namespace outside
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
