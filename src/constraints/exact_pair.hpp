// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "constraints/velocity_obstacle-inl.hpp"
#include "sidestep/geometry.hpp"
#include "simd/one_double.hpp"

namespace sidestep::one_double {

inline lane::Pair<V> in(const Encounter& pair)
{
    return {in(pair.rel_pos), in(pair.rel_vel), in(pair.radius)};
}

/// Two discs as `a` sees them.
inline lane::Pair<V> pair_of(const MovingDisc& a, const MovingDisc& b)
{
    return {in(b.position) - in(a.position), in(a.velocity) - in(b.velocity),
            in(a.radius) + in(b.radius)};
}

}  // namespace sidestep::one_double
