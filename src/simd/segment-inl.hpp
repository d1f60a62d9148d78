// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Distances from points to segments across lanes.
#if defined(SIDESTEP_SIMD_SEGMENT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SIMD_SEGMENT_INL_HPP
#undef SIDESTEP_SIMD_SEGMENT_INL_HPP
#else
#define SIDESTEP_SIMD_SEGMENT_INL_HPP
#endif

#include <hwy/highway.h>

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

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
