// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "floorplan/floor_tiles.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

// The Voronoi cell of a walker: what is nearer to it than to any other of its level and frame, no
// farther from it than a cut-off, and on the floor.
//
//   polygon of the cut-off --> less the far side of the bisector with each neighbour, nearest
//   first,
//                              until those farther away cannot matter --> a convex ring
//   convex ring --> less what is behind walls that span it (most cells end here)
//               --> else GEOS: the part of ring and floor that holds the walker
//
// This is [PedPy] compute_individual_voronoi_polygons with Cutoff(radius, quad_segments = 3), for
// any number of walkers.

/// Corners of the polygon that stands for the disc of the cut-off. They lie on its circle, the
/// first in direction +x; the polygon's area is 3 radius^2.
inline constexpr std::size_t kCutoffCorners = 12;

struct VoronoiCell {
    std::vector<Vec2> ring;                ///< counter-clockwise, less the walker's position [m]
    std::vector<std::vector<Vec2>> holes;  ///< likewise: pillars that the cell goes round
    double full_area = 0.0;                ///< of the ring less its holes [m2]
    /// Walkers at this very point, this one included: they share the cell, each has an equal part.
    std::uint32_t sharers = 1;

    double area() const { return full_area / sharers; }
};

/// Walkers of one frame and level, for cells of any of them.
class VoronoiSites {
public:
    /// Takes finite positions [m]; `cutoff` > 0 [m]. Memory is kept from call to call.
    void build(std::span<const Vec2> positions, double cutoff);
    /// The cell of positions[site] in the open plane.
    void make_cell(std::size_t site, VoronoiCell& cell);

private:
    struct Near {
        double distance_sq;
        std::uint32_t site;
        Vec2 offset;
    };

    std::size_t column_of(double x) const;
    std::size_t row_of(double y) const;
    void collect_ring(Vec2 centre, std::size_t distance, double within_sq);
    void collect_bins(std::size_t row, std::size_t first, std::size_t last, Vec2 centre,
                      double within_sq);

    double cutoff_ = 1.0;
    Vec2 low_{};
    double side_ = 1.0;
    std::size_t columns_ = 0, rows_ = 0;
    std::vector<Vec2> positions_;
    std::vector<std::uint32_t> bin_begin_;  ///< first in bin_site_ of each, row by row
    std::vector<std::uint32_t> bin_site_;
    std::vector<std::uint32_t> bin_of_;
    std::vector<Near> near_;
    std::vector<Vec2> spare_;
};

/// Cuts cells to the floor. For one thread; the floor must outlive it.
class FloorCutter {
public:
    explicit FloorCutter(const WalkableArea& floor) : floor_(&floor) {}

    /// Leaves of a convex cell what is on the floor and joined to the walker. False: the walker is
    /// not on the floor (its outline counts), and the cell is without meaning.
    bool cut(Vec2 position, VoronoiCell& cell);

private:
    using Edge = FloorTiles::Edge;
    enum class Side : std::uint8_t { off, on, outline };

    FloorTiles& tiles_for(double reach);
    Side side_of(std::span<const Edge> edges) const;
    bool cut_at_spanning_walls(VoronoiCell& cell);
    bool cut_by_overlay(std::vector<Polygon> parts, Vec2 at, VoronoiCell& cell);
    void measure(VoronoiCell& cell) const;

    const WalkableArea* floor_;
    /// By the power of two that is their reach [m]: small cells are not to see all of a large plan
    /// because the cut-off would let them.
    std::map<int, FloorTiles> tiles_;
    std::vector<Edge> edges_;  ///< of the outline, about the walker, that may touch its cell
    std::vector<Vec2> spare_;
};

}  // namespace sidestep
