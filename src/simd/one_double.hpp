// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hwy/highway.h>

#include "sidestep/vec2.hpp"
#include "simd/vec2-inl.hpp"

// The lane code with one lane of double: how exact answers call what steps run with many floats.
namespace sidestep::one_double {

namespace lane = HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 1>;
using V = hn::Vec<D>;

inline V in(double x)
{
    return hn::Set(D(), x);
}
inline lane::Vec2<V> in(Vec2 a)
{
    return {in(a.x), in(a.y)};
}
inline double out(V x)
{
    return hn::GetLane(x);
}
inline Vec2 out(const lane::Vec2<V>& a)
{
    return {out(a.x), out(a.y)};
}
inline bool holds(hn::Mask<D> mask)
{
    return !hn::AllFalse(D(), mask);
}

}  // namespace sidestep::one_double
