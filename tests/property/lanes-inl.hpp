// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Values in and out of lanes, for tests that compare instruction sets. Included once per target.
#if defined(SIDESTEP_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_LANES_INL
#undef SIDESTEP_LANES_INL
#else
#define SIDESTEP_LANES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "property/lane_values.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

using test::LaneValues;

/// Loads one member of up to Lanes(d) cases; lanes beyond the last repeat it.
template <class D, class Case, class Member>
hn::Vec<D> load(D d, const std::vector<Case>& cases, std::size_t first, Member member)
{
    alignas(64) float lane[hn::MaxLanes(d)];
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        lane[l] = cases[std::min(first + l, cases.size() - 1)].*member;
    return hn::Load(d, lane);
}

/// Appends the columns of `values` for the lanes that hold cases, case by case.
template <class D, std::size_t N>
void append(D d, const hn::Vec<D> (&values)[N], std::size_t count, LaneValues& out)
{
    alignas(64) float lane[N][hn::MaxLanes(d)];
    for (std::size_t k = 0; k < N; ++k) hn::Store(values[k], d, lane[k]);
    for (std::size_t l = 0; l < count; ++l) {
        for (std::size_t k = 0; k < N; ++k) out.push_back(lane[k][l] + 0.0f);
    }
}

template <class D>
hn::Vec<D> flag(D d, hn::Mask<D> mask)
{
    return hn::IfThenElseZero(mask, hn::Set(d, 1.0f));
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
