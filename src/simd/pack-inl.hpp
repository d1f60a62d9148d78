// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Moves the lanes of a mask next to each other.
//
// Highway's CompressStore does the same, slowly: below AVX-512 its tables are local variables that
// gcc 12 copies to the stack, a kilobyte each time, and with AVX-512 it compresses to memory, which
// Zen 4 is slow at: three of them for each leaf looked at made a step a fifth longer.
#if defined(SIDESTEP_SIMD_PACK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SIMD_PACK_INL_HPP
#undef SIDESTEP_SIMD_PACK_INL_HPP
#else
#define SIDESTEP_SIMD_PACK_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "simd/mask_bits-inl.hpp"
#include "simd/pack_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// How the lanes of a mask move together. D is a tag of 32-bit lanes, of which there are 16, 8, 4
/// or 1.
template <class D>
struct Packing {
    using DU = hn::RebindToUnsigned<D>;
    hn::Mask<D> mask;
    std::uint32_t bits;

    HWY_INLINE Packing(D d, hn::Mask<D> lanes) : mask(lanes), bits(mask_bits(d, lanes)) {}

    std::size_t count() const { return hwy::PopCount(bits); }

    /// The lanes of the mask first, then any.
    template <class DT>
    HWY_INLINE hn::Vec<DT> pack(DT dt, hn::Vec<DT> v) const
    {
#if HWY_TARGET == HWY_SCALAR
        (void)dt;
        return v;
#elif HWY_TARGET <= HWY_AVX3
        return hn::Compress(v, hn::RebindMask(dt, mask));
#else
        const DU du;
        const auto packed = hn::Set(du, kPackedLanes[bits]);
        if constexpr (hn::MaxLanes(DT()) == 8) {
            alignas(32) static constexpr std::uint32_t kShifts[8] = {0, 4, 8, 12, 16, 20, 24, 28};
            const auto lane = hn::And(packed >> hn::Load(du, kShifts), hn::Set(du, 7u));
            return hn::TableLookupLanes(v, hn::IndicesFromVec(dt, lane));
        } else {
            (void)packed;
            const hn::Repartition<std::uint8_t, DT> bytes;
            const auto order = hn::Load(bytes, kPackedBytes[bits]);
            return hn::BitCast(dt, hn::TableLookupBytes(hn::BitCast(bytes, v), order));
        }
#endif
    }
};

/// Numbers of lanes that somebody wants to look at later. A loop over those of one vector ends
/// where nobody can foresee it; to list them first and look at all of them in one loop costs less
/// than the wrong guesses.
template <class D>
struct PackedNumbers {
    static constexpr std::size_t kMost = 248;
    using DI = hn::RebindToSigned<D>;
    std::int32_t number[kMost + 8];
    std::size_t count = 0;

    /// Adds `first` + lane for each lane of the mask. Needs room for a vector of them.
    HWY_INLINE void add(D d, hn::Mask<D> mask, std::size_t first)
    {
        const DI di;
        const Packing<D> wanted(d, mask);
        hn::StoreU(wanted.pack(di, hn::Iota(di, static_cast<std::int32_t>(first))), di,
                   number + count);
        count += wanted.count();
    }
    bool is_full() const { return count > kMost - hn::MaxLanes(D()); }

    /// Calls `visit(number)` for all of them, and has none any more.
    template <class Visit>
    HWY_INLINE void empty_into(Visit&& visit)
    {
        for (std::size_t i = 0; i < count; ++i) visit(static_cast<std::size_t>(number[i]));
        count = 0;
    }
};

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
