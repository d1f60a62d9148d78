// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "sidestep/vec2.hpp"

namespace sidestep {

/// Signed area of a ring [m2], positive counter-clockwise; precise where the ring is near (0, 0).
inline double signed_area(std::span<const Vec2> ring)
{
    double twice = 0.0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        twice += det(ring[i], ring[i + 1 < ring.size() ? i + 1 : 0]);
    }
    return twice / 2.0;
}

/// Squared distance of the corner that is farthest from (0, 0) [m2].
inline double farthest_sq(std::span<const Vec2> ring)
{
    double farthest = 0.0;
    for (const Vec2 corner : ring) farthest = std::max(farthest, dot(corner, corner));
    return farthest;
}

/// Cuts away the part of a ring where dot(point, normal) > limit. Of a ring that is not convex
/// parts may stay joined by edges that cover each other: its area is right all the same. False:
/// nothing was cut. `spare` is for its memory.
inline bool clip_ring(std::vector<Vec2>& ring, Vec2 normal, double limit, std::vector<Vec2>& spare)
{
    const std::size_t count = ring.size();
    bool cuts = false;
    for (std::size_t i = 0; i < count && !cuts; ++i) cuts = dot(ring[i], normal) > limit;
    if (!cuts) return false;

    spare.clear();
    double before = dot(ring[count - 1], normal) - limit;
    for (std::size_t i = 0; i < count; ++i) {
        const double here = dot(ring[i], normal) - limit;
        if ((before > 0.0) != (here > 0.0)) {
            const Vec2 from = ring[i > 0 ? i - 1 : count - 1];
            spare.push_back(from + (ring[i] - from) * (before / (before - here)));
        }
        if (!(here > 0.0)) spare.push_back(ring[i]);
        before = here;
    }
    ring.swap(spare);
    return true;
}

}  // namespace sidestep
