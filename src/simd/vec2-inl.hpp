// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Vectors of the plane across lanes: Vec2<V> holds N vectors, one per lane of V. No fused
// multiply-add and no approximate reciprocal, so every instruction set gives equal bits.
//
// Included once per target (the guard toggles), inside foreach_target or as the static target.
#if defined(SIDESTEP_SIMD_VEC2_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SIMD_VEC2_INL_HPP
#undef SIDESTEP_SIMD_VEC2_INL_HPP
#else
#define SIDESTEP_SIMD_VEC2_INL_HPP
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class V>
struct Vec2 {
    V x;
    V y;
};

template <class V>
HWY_INLINE Vec2<V> operator+(const Vec2<V>& a, const Vec2<V>& b)
{
    return {a.x + b.x, a.y + b.y};
}
template <class V>
HWY_INLINE Vec2<V> operator-(const Vec2<V>& a, const Vec2<V>& b)
{
    return {a.x - b.x, a.y - b.y};
}
template <class V>
HWY_INLINE Vec2<V> operator-(const Vec2<V>& a)
{
    return {hn::Neg(a.x), hn::Neg(a.y)};
}
template <class V>
HWY_INLINE Vec2<V> operator*(const Vec2<V>& a, V s)
{
    return {a.x * s, a.y * s};
}
template <class V>
HWY_INLINE Vec2<V> operator/(const Vec2<V>& a, V s)
{
    return {a.x / s, a.y / s};
}

template <class V>
HWY_INLINE V sq(V a)
{
    return a * a;
}
template <class V>
HWY_INLINE V dot(const Vec2<V>& a, const Vec2<V>& b)
{
    return a.x * b.x + a.y * b.y;
}
/// Positive where b is to the left of a.
template <class V>
HWY_INLINE V det(const Vec2<V>& a, const Vec2<V>& b)
{
    return a.x * b.y - a.y * b.x;
}
template <class V>
HWY_INLINE V length_sq(const Vec2<V>& a)
{
    return a.x * a.x + a.y * a.y;
}
template <class V>
HWY_INLINE V length(const Vec2<V>& a)
{
    return hn::Sqrt(length_sq(a));
}
/// Left normal: a turned by +90 degrees.
template <class V>
HWY_INLINE Vec2<V> left(const Vec2<V>& a)
{
    return {hn::Neg(a.y), a.x};
}
/// Right normal: a turned by -90 degrees.
template <class V>
HWY_INLINE Vec2<V> right(const Vec2<V>& a)
{
    return {a.y, hn::Neg(a.x)};
}
template <class M, class V>
HWY_INLINE Vec2<V> select(M mask, const Vec2<V>& yes, const Vec2<V>& no)
{
    return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y)};
}
template <class M, class V>
HWY_INLINE V select(M mask, V yes, V no)
{
    return hn::IfThenElse(mask, yes, no);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> zero2(D d)
{
    return {hn::Zero(d), hn::Zero(d)};
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> set2(D d, hn::TFromD<D> x, hn::TFromD<D> y)
{
    return {hn::Set(d, x), hn::Set(d, y)};
}

/// a / b, and 0 where b is 0: keeps lanes that are not used finite.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V divide_or_zero(D d, V a, V b)
{
    const auto usable = hn::Ne(b, hn::Zero(d));
    return hn::IfThenElseZero(usable, a / hn::IfThenElse(usable, b, hn::Set(d, hn::TFromD<D>(1))));
}
/// a / |a|, and 0 where a is 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> unit_or_zero(D d, const Vec2<V>& a)
{
    const V len = length(a);
    return {divide_or_zero(d, a.x, len), divide_or_zero(d, a.y, len)};
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
