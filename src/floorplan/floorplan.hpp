// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "navigation/mesh.hpp"
#include "sidestep/result.hpp"
#include "sidestep/scenario.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

// Floors, exactly. All that needs GEOS is in this folder: reading WKT and GeoJSON, validity, the
// free space (floors less walls), and its triangles.

// ------------------------------------------------------------------------------------- reading

/// What a shape file or a WKT string may hold.
struct Shapes {
    struct Named {
        std::string name;  ///< property `name` of a GeoJSON feature; empty for WKT
        std::vector<Polygon> polygons;
        std::vector<std::vector<Vec2>> lines;
        std::vector<Vec2> points;
    };
    std::vector<Named> items;
};

/// WKT of any geometry; an error says at which character it is wrong where that is known.
Result<Shapes> read_wkt(std::string_view text);
/// GeoJSON in local metres: a geometry, feature or feature collection (names are kept).
Result<Shapes> read_geojson(std::string_view text);

/// What is wrong with a polygon and where.
struct ShapeFault {
    std::string reason;  ///< "self-intersection", "hole outside the shell", ...
    Vec2 place{};
};
std::optional<ShapeFault> find_fault(const Polygon& polygon);
/// The same for a ring that has no holes.
std::optional<ShapeFault> find_fault(std::span<const Vec2> ring);

// ---------------------------------------------------------------------------------- free space

/// One level of a scenario as it is walked on.
struct FloorInput {
    std::vector<Polygon> floors;            ///< empty: the open plane
    std::vector<std::vector<Vec2>> solids;  ///< polygons nobody enters
    std::vector<std::vector<Vec2>> thin;    ///< lines of two or more points
    std::vector<std::vector<Vec2>> doors;   ///< pieces of floor that can be closed
    /// Segments on the outline of the floor where people leave: the floor goes on for
    /// kExitDepth behind them, so that the wall there is open. Others are left alone.
    std::vector<std::array<Vec2, 2>> exits;
    /// Everything that must be on the mesh in an open plane (starts, goals): its box, with a
    /// margin, is the floor then.
    std::vector<Vec2> points;
};

/// How far the floor goes on behind an exit line [m].
inline constexpr double kExitDepth = 2.0;

/// A level ready for the engine and for routes.
struct BuiltFloor {
    bool open_plane = false;      ///< no floors were given: no outline is a wall
    std::vector<Polygon> space;   ///< free space with all doors open; disjoint polygons
    NavigationMesh mesh;          ///< of the space; doors are pieces of their own
    std::uint64_t mesh_hash = 0;  ///< over vertices and triangles
};

/// Free space and mesh of a level, as docs/routes.md tells. All is snapped to micrometres, and
/// outlines are cut where they meet; where that or the triangulation fails it is tried again in
/// millimetres; then the Error says where. Thin walls are edges of the mesh without neighbours; the
/// free space does not know them.
Result<BuiltFloor> build_floor(const FloorInput& input);

/// Whether a point lies in the polygons (boundary counts as inside).
bool covers(std::span<const Polygon> polygons, Vec2 point);

/// The polygons less slits of 2 mm along lines: for readers who know no walls without thickness.
/// Where GEOS cannot do it, the polygons as they are.
std::vector<Polygon> cut_slits(std::span<const Polygon> polygons,
                               std::span<const std::vector<Vec2>> lines);

/// WKT of polygons: POLYGON or MULTIPOLYGON, digits enough to read back the same doubles.
std::string to_wkt(std::span<const Polygon> polygons);

}  // namespace sidestep
