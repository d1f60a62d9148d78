// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// e^x across lanes, of float or double: math/exp_log.hpp for kernels. Only + - * and exact
// operations, so every instruction set gives equal bits.
#if defined(SIDESTEP_SIMD_EXP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SIMD_EXP_INL_HPP
#undef SIDESTEP_SIMD_EXP_INL_HPP
#else
#define SIDESTEP_SIMD_EXP_INL_HPP
#endif

#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// ln 2 = kLn2 (so few bits that any whole multiple in range is exact) + kLn2Tail. Beyond kLargest
/// the result is infinite, below kSmallest 0: between them 2^k is a normal number.
template <class T>
struct ExpConstants;

template <>
struct ExpConstants<float> {
    static constexpr float kLn2 = 0.693359375f;
    static constexpr float kLn2Tail = -2.12194440e-4f;
    static constexpr float kLargest = 88.0f;
    static constexpr float kSmallest = -87.0f;
    static constexpr int kTerms = 8;  ///< of the series; the first left out is below 1e-9
    static constexpr int kMantissaBits = 23;
    static constexpr int kBias = 127;
};

template <>
struct ExpConstants<double> {
    static constexpr double kLn2 = 6.93147180369123816490e-01;
    static constexpr double kLn2Tail = 1.90821492927058770002e-10;
    static constexpr double kLargest = 709.0;
    static constexpr double kSmallest = -708.0;
    static constexpr int kTerms = 14;  ///< below 1e-18
    static constexpr int kMantissaBits = 52;
    static constexpr int kBias = 1023;
};

/// e^x, to some 3 units of the last place; x is not NaN. Infinite from 88 (float) or 709 (double)
/// on, 0 below -87 or -708.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_lanes(D d, V x)
{
    using T = hn::TFromD<D>;
    using Constants = ExpConstants<T>;
    const V one = hn::Set(d, T(1));
    const V largest = hn::Set(d, Constants::kLargest);
    const V smallest = hn::Set(d, Constants::kSmallest);
    const V in_range = hn::Min(hn::Max(x, smallest), largest);
    const V k = hn::Floor(in_range * hn::Set(d, T(1.4426950408889634)) + hn::Set(d, T(0.5)));
    const V r = (in_range - k * hn::Set(d, Constants::kLn2)) - k * hn::Set(d, Constants::kLn2Tail);
    // Taylor series; |r| <= 0.35.
    V sum = one;
    for (int n = Constants::kTerms; n >= 1; --n) sum = one + r * sum * hn::Set(d, T(1) / T(n));
    const hn::RebindToSigned<D> whole;
    using Whole = hn::TFromD<decltype(whole)>;
    const auto exponent = hn::ConvertTo(whole, k) + hn::Set(whole, Whole(Constants::kBias));
    const V scale = hn::BitCast(d, hn::ShiftLeft<Constants::kMantissaBits>(exponent));
    const V result =
        hn::IfThenElse(x > largest, hn::Set(d, std::numeric_limits<T>::infinity()), sum * scale);
    return hn::IfThenZeroElse(x < smallest, result);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
