// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "floorplan/floor_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "floorplan/floorplan.hpp"
#include "floorplan/geos.hpp"

namespace sidestep {

namespace {

/// A square with no more edges than this is not halved.
constexpr std::size_t kFewEdges = 24;
/// A square whose side is at most this many reaches is not halved: its parts would know nearly all
/// of it.
constexpr double kSmallSide = 2.0;
/// Tiles know a little more than the reach, so that where they end is never seen.
constexpr double kMargin = 1.01;

void shift(std::vector<Vec2>& ring, Vec2 by)
{
    for (Vec2& point : ring) point += by;
}

void shift(Polygon& polygon, Vec2 by)
{
    shift(polygon.shell, by);
    for (std::vector<Vec2>& hole : polygon.holes) shift(hole, by);
}

/// Low corner and high corner of all shells.
std::array<Vec2, 2> box_of(std::span<const Polygon> polygons)
{
    std::array<Vec2, 2> box{polygons.front().shell.front(), polygons.front().shell.front()};
    for (const Polygon& polygon : polygons) {
        for (const Vec2 point : polygon.shell) {
            box[0] = {std::min(box[0].x, point.x), std::min(box[0].y, point.y)};
            box[1] = {std::max(box[1].x, point.x), std::max(box[1].y, point.y)};
        }
    }
    return box;
}

Geometry collect_polygons(const GeosContext& geos, std::span<const Polygon> polygons)
{
    std::vector<Geometry> parts;
    parts.reserve(polygons.size());
    for (const Polygon& polygon : polygons) parts.push_back(geos.make_polygon(polygon));
    return geos.collect(GEOS_MULTIPOLYGON, std::move(parts));
}

Geometry make_box(const GeosContext& geos, Vec2 low, Vec2 high)
{
    return geos.make_polygon(
        std::array<Vec2, 4>{low, Vec2{high.x, low.y}, high, Vec2{low.x, high.y}});
}

}  // namespace

Result<WalkableArea> read_walkable_area(const std::string& wkt)
{
    WalkableArea area;
    if (wkt.empty()) return area;
    const auto shapes = read_wkt(wkt);
    if (!shapes) return shapes.error();
    std::vector<Polygon> polygons;
    for (const Shapes::Named& item : shapes->items) {
        polygons.insert(polygons.end(), item.polygons.begin(), item.polygons.end());
    }
    const Error no_inside{ErrorCode::invalid_argument,
                          "WKT: a walkable area needs a POLYGON with an inside"};
    const bool is_empty =
        std::all_of(shapes->items.begin(), shapes->items.end(), [](const Shapes::Named& item) {
            return item.polygons.empty() && item.lines.empty() && item.points.empty();
        });
    if (is_empty) return area;  // POLYGON EMPTY: nobody said where walls are
    if (polygons.empty()) return no_inside;

    const auto [low, high] = box_of(polygons);
    area.origin = {std::round(low.x + (high.x - low.x) / 2),
                   std::round(low.y + (high.y - low.y) / 2)};
    const GeosContext geos;
    std::vector<Geometry> parts;
    for (Polygon& polygon : polygons) {
        shift(polygon, -area.origin);
        const Geometry raw = geos.make_polygon(polygon);
        if (!raw) continue;
        if (GEOSisValid_r(geos.get(), raw.get()) == 1) {
            parts.push_back(geos.make_polygon(polygon));
        } else {
            parts.push_back(geos.own(GEOSMakeValid_r(geos.get(), raw.get())));
        }
    }
    const Geometry all = geos.collect(GEOS_GEOMETRYCOLLECTION, std::move(parts));
    const Geometry united = geos.own(GEOSUnaryUnion_r(geos.get(), all.get()));
    if (!united) return Error{ErrorCode::invalid_argument, "WKT: " + geos.message()};
    area.polygons = geos.polygons_of(united.get());
    if (area.polygons.empty()) return no_inside;
    area.open_plane = false;
    return area;
}

double area_on_floor(const WalkableArea& floor, Polygon polygon)
{
    const GeosContext geos;
    shift(polygon, -floor.origin);
    const Geometry shape = geos.make_polygon(polygon);
    if (!shape) return 0.0;
    double area = 0.0;
    if (floor.open_plane) {
        GEOSArea_r(geos.get(), shape.get(), &area);
        return area;
    }
    const Geometry all = collect_polygons(geos, floor.polygons);
    const Geometry common = geos.own(GEOSIntersection_r(geos.get(), all.get(), shape.get()));
    if (common) GEOSArea_r(geos.get(), common.get(), &area);
    return area;
}

// ---------------------------------------------------------------------------------------------
// tiles

/// A square of the plane: halved both ways, or whole with its edges.
struct FloorTiles::Tile {
    Vec2 low{};
    double side = 0.0;
    Geometry piece;  ///< the floor in it and in the reach round it
    std::vector<Edge> edges;
    std::array<std::unique_ptr<Tile>, 4> parts;  ///< by (x high) + 2 (y high)
};

struct FloorTiles::Store {
    GeosContext geos;
    double reach = 0.0;  ///< with margin
    std::unique_ptr<Tile> root;

    std::unique_ptr<Tile> make(const GEOSGeometry* floor, Vec2 low, double side) const
    {
        auto tile = std::make_unique<Tile>();
        tile->low = low;
        tile->side = side;
        const Vec2 margin{reach, reach};
        const Geometry box = make_box(geos, low - margin, low + Vec2{side, side} + margin);
        tile->piece = geos.own(GEOSIntersection_r(geos.get(), floor, box.get()));
        if (!tile->piece) tile->piece = geos.make_empty();
        for (const Polygon& polygon : geos.polygons_of(tile->piece.get())) {
            add_edges(polygon.shell, tile->edges);
            for (const std::vector<Vec2>& hole : polygon.holes) add_edges(hole, tile->edges);
        }
        return tile;
    }

    bool is_whole(const Tile& tile) const
    {
        return tile.edges.size() <= kFewEdges || tile.side <= kSmallSide * reach;
    }

    static void add_edges(std::span<const Vec2> ring, std::vector<Edge>& edges)
    {
        for (std::size_t i = 0; i < ring.size(); ++i) {
            edges.push_back({ring[i], ring[(i + 1) % ring.size()]});
        }
    }
};

FloorTiles::FloorTiles(const WalkableArea& floor, double reach) : store_(std::make_unique<Store>())
{
    store_->reach = reach * kMargin;
    if (floor.open_plane || floor.polygons.empty()) return;
    const auto [low, high] = box_of(floor.polygons);
    const Geometry all = collect_polygons(store_->geos, floor.polygons);
    if (!all) return;
    const Vec2 margin{reach, reach};
    const Vec2 size = high - low;
    store_->root = store_->make(all.get(), low - margin, std::max(size.x, size.y) + 2.0 * reach);
}

FloorTiles::~FloorTiles() = default;

const FloorTiles::Tile* FloorTiles::tile_at(Vec2 point)
{
    Tile* tile = store_->root.get();
    if (tile == nullptr) return nullptr;
    const Vec2 at = point - tile->low;
    if (!(at.x >= 0.0 && at.y >= 0.0 && at.x <= tile->side && at.y <= tile->side)) return nullptr;
    while (!store_->is_whole(*tile)) {
        const double half = tile->side / 2.0;
        const bool right = point.x >= tile->low.x + half;
        const bool upper = point.y >= tile->low.y + half;
        std::unique_ptr<Tile>& part = tile->parts[(right ? 1u : 0u) + (upper ? 2u : 0u)];
        if (!part) {
            const Vec2 low = tile->low + Vec2{right ? half : 0.0, upper ? half : 0.0};
            part = store_->make(tile->piece.get(), low, half);
        }
        tile = part.get();
    }
    return tile;
}

std::span<const FloorTiles::Edge> FloorTiles::edges_of(const Tile& tile)
{
    return tile.edges;
}

std::vector<Polygon> FloorTiles::parts_on_floor(const Tile& tile, std::span<const Vec2> ring)
{
    const Geometry shape = store_->geos.make_polygon(ring);
    if (!shape) return {};
    const Geometry common =
        store_->geos.own(GEOSIntersection_r(store_->geos.get(), shape.get(), tile.piece.get()));
    if (!common) return {};
    return store_->geos.polygons_of(common.get());
}

}  // namespace sidestep
