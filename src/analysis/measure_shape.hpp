// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analysis/voronoi.hpp"
#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// A measurement area M, made ready for two questions: is somebody in it, and how much of a cell
/// is?
class MeasureShape {
public:
    /// From WKT of one valid POLYGON, holes allowed; an Error says what is wrong with it.
    static Result<MeasureShape> read(const std::string& wkt);

    const Polygon& polygon() const { return polygon_; }
    Vec2 low() const { return low_; }    ///< corner of its box [m]
    Vec2 high() const { return high_; }  ///< corner of its box [m]

    /// The outline does not count, as in [PedPy].
    bool contains(Vec2 point) const;
    /// Area of what a walker's whole cell has in common with M [m2].
    double overlap(const VoronoiCell& cell, Vec2 position);

private:
    /// M is the sum of convex rings, some of them taken away: itself, or the triangles from one
    /// corner to each edge, whose areas add up with their signs.
    struct Piece {
        std::vector<Vec2> ring;  ///< counter-clockwise [m]
        double sign = 1.0;
    };

    void add_fan(const std::vector<Vec2>& ring, bool is_hole);
    double overlap(const std::vector<Vec2>& ring, Vec2 position, const Piece& piece);

    Polygon polygon_;
    Vec2 low_{}, high_{};
    std::vector<Piece> pieces_;
    std::vector<Vec2> clipped_, spare_;
};

}  // namespace sidestep
