// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Masks as bits of an integer.
#if defined(SIDESTEP_SIMD_MASK_BITS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SIMD_MASK_BITS_INL_HPP
#undef SIDESTEP_SIMD_MASK_BITS_INL_HPP
#else
#define SIDESTEP_SIMD_MASK_BITS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A bit for each lane of a mask, the first lane lowest. D is a tag of at most 16 lanes.
template <class D>
HWY_INLINE std::uint32_t mask_bits(D d, hn::Mask<D> mask)
{
    static_assert(hn::MaxLanes(D()) <= 16);
    std::uint8_t bytes[8] = {};  // Highway may write all of them
    hn::StoreMaskBits(d, mask, bytes);
    return bytes[0] | std::uint32_t{bytes[1]} << 8;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
