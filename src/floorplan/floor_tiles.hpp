// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sidestep/result.hpp"
#include "sidestep/scenario.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// What a recording says can be walked on, in coordinates about an origin near its middle, so that
/// small shapes far from (0, 0) keep their digits.
struct WalkableArea {
    bool open_plane = true;         ///< all of the plane; the origin is (0, 0)
    Vec2 origin{};                  ///< whole metres [m]
    std::vector<Polygon> polygons;  ///< valid and disjoint, less the origin [m]
};

/// From WKT: its polygons, mended where they are not valid, and united. Empty text and an empty
/// geometry are the open plane; an Error where it is no WKT, or has no polygon with an inside.
Result<WalkableArea> read_walkable_area(const std::string& wkt);

/// Area of the part of a polygon, in the coordinates of the WKT, that is on the floor [m2].
double area_on_floor(const WalkableArea& floor, Polygon polygon);

/// The floor near any of its points, cut out of a large one: squares are halved again and again
/// until few edges are left in them, and each is made when it is first asked for. For one thread.
class FloorTiles {
public:
    struct Edge {
        Vec2 a{}, b{};  ///< of the outline [m]
    };
    struct Tile;

    /// Tiles know the floor as far as `reach` > 0 [m] from their points, and 1 % farther. The floor
    /// must outlive this.
    FloorTiles(const WalkableArea& floor, double reach);
    ~FloorTiles();
    FloorTiles(const FloorTiles&) = delete;
    FloorTiles& operator=(const FloorTiles&) = delete;

    /// The tile of a point about the floor's origin; null: it is farther than `reach` from all of
    /// the floor.
    const Tile* tile_at(Vec2 point);
    /// Edges of the outline within reach of the tile's points, and others farther away that may
    /// be none.
    static std::span<const Edge> edges_of(const Tile& tile);
    /// The parts of a convex ring, no farther than `reach` from a point of the tile, that are on
    /// the floor; empty also where GEOS fails.
    std::vector<Polygon> parts_on_floor(const Tile& tile, std::span<const Vec2> ring);

private:
    struct Store;
    std::unique_ptr<Store> store_;
};

}  // namespace sidestep
