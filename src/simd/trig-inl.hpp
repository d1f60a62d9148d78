// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Sine, cosine and their inverses across lanes of double: math/trig.hpp for kernels. Only + - * /
// and exact operations, so every instruction set gives equal bits.
#if defined(SIDESTEP_SIMD_TRIG_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SIMD_TRIG_INL_HPP
#undef SIDESTEP_SIMD_TRIG_INL_HPP
#else
#define SIDESTEP_SIMD_TRIG_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr double kPi = 3.141592653589793;

template <class V>
struct SinCosLanes {
    V sin;
    V cos;
};

/// sin x = x + x z S(z) and cos x = 1 - z / 2 + z z C(z) with z = x x: Taylor series; on [-pi/4,
/// pi/4] the first terms left out are below 1e-18.
inline constexpr double kSineSeries[] = {
    -1.0 / 6.0,        1.0 / 120.0,        -1.0 / 5040.0,          1.0 / 362880.0,
    -1.0 / 39916800.0, 1.0 / 6227020800.0, -1.0 / 1307674368000.0, 1.0 / 355687428096000.0};
inline constexpr double kCosineSeries[] = {
    1.0 / 24.0,        -1.0 / 720.0,         1.0 / 40320.0,          -1.0 / 3628800.0,
    1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0, -1.0 / 6402373705728000.0};

/// c[0] + c[1] z + c[2] z^2 + ...
template <class D, std::size_t N, class V = hn::Vec<D>>
HWY_INLINE V polynomial(D d, V z, const double (&c)[N])
{
    V sum = hn::Set(d, c[N - 1]);
    for (std::size_t i = N - 1; i > 0; --i) sum = sum * z + hn::Set(d, c[i - 1]);
    return sum;
}

/// Sine and cosine of x [rad] with an error below 2e-16 + 1e-16 |x| / 1e6. From |x| = 1e12 on,
/// where neighbouring numbers are 1e-4 rad apart, an angle means nothing and counts as 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE SinCosLanes<V> sin_cos_lanes(D d, V x)
{
    // pi/2 = kHead + kMiddle + kTail; the first two have 33 bits, so that up to 2^20 times either
    // is exact. Quarter turns beyond 2^20 go in two steps.
    constexpr double kHead = 1.57079632673412561417e+00;
    constexpr double kMiddle = 6.07710050630396597660e-11;
    constexpr double kTail = 2.02226624879595063154e-21;
    constexpr double kMany = 1048576.0;
    const V one = hn::Set(d, 1.0), half = hn::Set(d, 0.5);
    const V angle = hn::IfThenElseZero(hn::Abs(x) < hn::Set(d, 1e12), x);
    const V n = hn::Floor(angle * hn::Set(d, 0.6366197723675814) + half);
    const V high = hn::Trunc(n * hn::Set(d, 1.0 / kMany)) * hn::Set(d, kMany);
    const V near = (angle - high * hn::Set(d, kHead)) - (n - high) * hn::Set(d, kHead);
    const V r = (near - n * hn::Set(d, kMiddle)) - n * hn::Set(d, kTail);

    const V z = r * r;
    const V s = r + r * (z * polynomial(d, z, kSineSeries));
    const V half_z = half * z;
    const V head = one - half_z;
    const V c = head + (((one - head) - half_z) + z * (z * polynomial(d, z, kCosineSeries)));

    // Quarter turn n mod 4: an odd one swaps, the sine changes sign for 2 and 3, the cosine for
    // 1, 2.
    const V quarter = n - hn::Floor(n * hn::Set(d, 0.25)) * hn::Set(d, 4.0);
    const auto odd = hn::Or(quarter == one, quarter == hn::Set(d, 3.0));
    const V sine = hn::IfThenElse(odd, c, s);
    const V cosine = hn::IfThenElse(odd, s, c);
    const auto middle = hn::Or(quarter == one, quarter == hn::Set(d, 2.0));
    return {hn::IfThenElse(quarter > hn::Set(d, 1.5), hn::Neg(sine), sine),
            hn::IfThenElse(middle, hn::Neg(cosine), cosine)};
}

/// The angle [rad] of the point (x, y), in [-pi, pi], with an error below 5e-16; 0 at the origin.
/// -0 counts as 0: straight behind is +pi.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V arc_tangent_lanes(D d, V y, V x)
{
    // atan t = atan c + atan((t - c) / (1 + t c)) with t in [0, 1] and c the nearest of 0, 1/4, ...
    // 1: of what is left, at most 1/8, the series has nine terms; the first left out is below
    // 1e-17.
    static constexpr double kSeries[] = {-1.0 / 3.0,  1.0 / 5.0,  -1.0 / 7.0,  1.0 / 9.0,
                                         -1.0 / 11.0, 1.0 / 13.0, -1.0 / 15.0, 1.0 / 17.0};
    const V zero = hn::Zero(d);
    const V ax = hn::Abs(x), ay = hn::Abs(y);
    const auto steep = ay > ax;
    const V num = hn::IfThenElse(steep, ax, ay);
    const V den = hn::IfThenElse(steep, ay, ax);

    V c = zero, atan_c = zero;
    const auto from = [&](double least, double centre, double angle) HWY_ATTR {
        const auto here = num > den * hn::Set(d, least);
        c = hn::IfThenElse(here, hn::Set(d, centre), c);
        atan_c = hn::IfThenElse(here, hn::Set(d, angle), atan_c);
    };
    from(0.125, 0.25, 0.24497866312686415);
    from(0.375, 0.5, 0.4636476090008061);
    from(0.625, 0.75, 0.6435011087932844);
    from(0.875, 1.0, 0.7853981633974483);
    const V below = den + c * num;
    const auto usable = below > zero;
    const V t = hn::IfThenElseZero(
        usable, (num - c * den) / hn::IfThenElse(usable, below, hn::Set(d, 1.0)));
    const V z = t * t;
    V angle = atan_c + (t + t * (z * polynomial(d, z, kSeries)));

    angle = hn::IfThenElse(steep, hn::Set(d, 0.5 * kPi) - angle, angle);
    angle = hn::IfThenElse(x < zero, hn::Set(d, kPi) - angle, angle);
    return hn::IfThenElse(y < zero, hn::Neg(angle), angle);
}

/// The angle [rad] in [-pi/2, pi/2] whose sine is x, with an error below 5e-16; beyond [-1, 1] that
/// of the nearer end.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V arc_sine_lanes(D d, V x)
{
    const V one = hn::Set(d, 1.0);
    const V in_range = hn::Min(hn::Max(x, hn::Neg(one)), one);
    return arc_tangent_lanes(d, in_range, hn::Sqrt((one - in_range) * (one + in_range)));
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
