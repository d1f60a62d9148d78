// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Distances from points and boxes to segments across lanes.
#if defined(SIDESTEP_SIMD_SEGMENT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SIMD_SEGMENT_INL_HPP
#undef SIDESTEP_SIMD_SEGMENT_INL_HPP
#else
#define SIDESTEP_SIMD_SEGMENT_INL_HPP
#endif

#include <hwy/highway.h>

#include "math/box_tree.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Squared distance from p to the segment a..b; beyond an end, to that very point. The same
/// operations as dist_sq of a wall edge.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V segment_dist_sq(D d, const Vec2<V>& a, const Vec2<V>& b, const Vec2<V>& p)
{
    const Vec2<V> edge = b - a;
    const Vec2<V> from_a = p - a;
    const V along = dot(from_a, edge);
    const V size_sq = length_sq(edge);
    const Vec2<V> beside = from_a - edge * (along / size_sq);
    const V result = hn::IfThenElse(along >= size_sq, length_sq(p - b), length_sq(beside));
    return hn::IfThenElse(along > hn::Zero(d), result, length_sq(from_a));
}

/// Squared distance from `box` to the box about the segment a..b: no more than to the segment.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V segment_box_dist_sq(D d, const Vec2<V>& a, const Vec2<V>& b, const Box& box)
{
    const V zero = hn::Zero(d);
    const V dx = hn::Max(hn::Max(hn::Min(a.x, b.x) - hn::Set(d, box.max_x),
                                 hn::Set(d, box.min_x) - hn::Max(a.x, b.x)),
                         zero);
    const V dy = hn::Max(hn::Max(hn::Min(a.y, b.y) - hn::Set(d, box.max_y),
                                 hn::Set(d, box.min_y) - hn::Max(a.y, b.y)),
                         zero);
    return dx * dx + dy * dy;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
