// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "neighbours/wall_index.hpp"

namespace sidestep {

// The last word on walls. Whatever a model chose, a move that would take a body into a wall is cut where they touch, and a wall that is
// moved over an agent carries the agent along.

/// Share of the displacement (dx, dy) [m] that a disc at (x, y) can make before it touches a wall it is in front of, in [0, 1]. A disc
/// that is already closer than its radius may move as long as it comes no closer (but for kContactSlop); its centre never crosses.
/// Edges of wall `ignored` do not count.
float free_share(const WallIndex& index, float x, float y, float dx, float dy, float radius, std::uint16_t level,
                 std::uint32_t ignored = 0xffffffffu) noexcept;

/// By how much [m] a body may sink into a wall beyond where it was before its move is cut: a body that slides along a wall is held at
/// its radius by a line in float, and cutting it for a rounding error would make it stick.
inline constexpr float kContactSlop = 5e-4f;

/// Where a wall that moved leaves an agent that it swept over: just in front of the face that reached it, or where it was.
struct Carried {
    bool moved = false;
    float x = 0.0f;
    float y = 0.0f;
};

/// `before` and `after` are the edges of one wall in the same order; they move along straight lines between the two. Positions and
/// radius [m] are about the same origin.
Carried carry(std::span<const WallEdgeRow> before, std::span<const WallEdgeRow> after, float x, float y, float radius) noexcept;

/// Where a solid outline that appears around an agent leaves it: outside, in front of the nearest face.
Carried expel(std::span<const WallEdgeRow> solid, float x, float y, float radius) noexcept;

}  // namespace sidestep
