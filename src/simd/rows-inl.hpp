// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Two rows of lanes in one vector, where there are vectors that long: with AVX-512 a leaf of eight
// fills half of one. What is done to each lane is the same, and so are the bits.
//
// Rows<D> is the tag of as many rows of D as fit, two or one; code for it is written once and used
// for the row that may be left over too.
#if defined(SIDESTEP_SIMD_ROWS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SIMD_ROWS_INL_HPP
#undef SIDESTEP_SIMD_ROWS_INL_HPP
#else
#define SIDESTEP_SIMD_ROWS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET <= HWY_AVX3
template <class D>
inline constexpr std::size_t kRowsAtOnce = sizeof(hn::Vec<D>) == 32 ? 2 : 1;
#else
template <class D>
inline constexpr std::size_t kRowsAtOnce = 1;
#endif

template <class D>
using Rows = hn::CappedTag<hn::TFromD<D>, kRowsAtOnce<D> * hn::MaxLanes(D())>;

/// One row after the other; the first where DR has one only.
template <class DR, class V>
HWY_INLINE hn::Vec<DR> rows_of(DR dr, V first, V second)
{
#if HWY_TARGET <= HWY_AVX3
    if constexpr (sizeof(hn::Vec<DR>) > sizeof(V)) return hn::Combine(dr, second, first);
    else return first;
#else
    (void)dr;
    (void)second;
    return first;
#endif
}

/// The same lanes in each row.
template <class DR, class V>
HWY_INLINE hn::Vec<DR> repeat(DR dr, V row)
{
    return rows_of(dr, row, row);
}

/// The first row of two, or the only one. D is the tag of a row.
template <class D, class VR>
HWY_INLINE hn::Vec<D> first_row(D d, VR v)
{
#if HWY_TARGET <= HWY_AVX3
    if constexpr (sizeof(VR) > sizeof(hn::Vec<D>)) return hn::LowerHalf(d, v);
    else return v;
#else
    (void)d;
    return v;
#endif
}

/// The second row of two, or the only one.
template <class D, class VR>
HWY_INLINE hn::Vec<D> last_row(D d, VR v)
{
#if HWY_TARGET <= HWY_AVX3
    if constexpr (sizeof(VR) > sizeof(hn::Vec<D>)) return hn::UpperHalf(d, v);
    else return v;
#else
    (void)d;
    return v;
#endif
}

/// `op` of the rows of v, lane by lane.
template <class D, class VR, class Op>
HWY_INLINE hn::Vec<D> fold_rows(D d, VR v, Op&& op)
{
    if constexpr (sizeof(VR) > sizeof(hn::Vec<D>)) return op(first_row(d, v), last_row(d, v));
    else return v;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
