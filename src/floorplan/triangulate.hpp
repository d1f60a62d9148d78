// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sidestep {

/// A point of the lattice that a floor is snapped to. Coordinates stay below 2^40, so that
/// orientation tests are exact in 128 bits and nothing here depends on rounding.
struct LatticePoint {
    std::int64_t x = 0;
    std::int64_t y = 0;

    friend constexpr auto operator<=>(const LatticePoint&, const LatticePoint&) = default;
};

/// Twice the signed area of a, b, c by its sign: +1 counter-clockwise, 0 on one line, -1 clockwise.
int orientation(LatticePoint a, LatticePoint b, LatticePoint c);

/// Triangles that cover the box of all points and more; edge i leads from corner i to corner i + 1.
struct Triangulation {
    std::vector<LatticePoint> points;  ///< as given, then the four corners of a box round them
    std::vector<std::array<std::uint32_t, 3>> triangles;   ///< counter-clockwise, none is flat
    std::vector<std::array<std::uint32_t, 3>> neighbours;  ///< across each edge, or kNoNeighbour
    std::vector<std::array<bool, 3>> fixed;                ///< the edge is one of the segments
};

inline constexpr std::uint32_t kNoNeighbour = 0xffffffffu;

struct TriangulationFault {
    LatticePoint place;  ///< where two segments cross
};

/// Constrained Delaunay triangulation of different points, with all segments among its edges:
/// points are put in one by one, segments by exchanging the diagonals they cross. Segments may
/// share points and pass through points; where two cross, `fault` says where and the result is
/// empty.
std::optional<Triangulation> triangulate(std::span<const LatticePoint> points,
                                         std::span<const std::array<std::uint32_t, 2>> segments,
                                         TriangulationFault& fault);

}  // namespace sidestep
