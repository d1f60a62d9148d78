// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "floorplan/floorplan.hpp"
#include "floorplan/geos.hpp"

namespace sidestep {

namespace {

/// [m] Half the width of a slit: wide enough to survive 1 mm lattices of other programs.
constexpr double kHalfSlit = 1e-3;

}  // namespace

std::vector<Polygon> cut_slits(std::span<const Polygon> polygons,
                               std::span<const std::vector<Vec2>> lines)
{
    std::vector<Polygon> as_they_are(polygons.begin(), polygons.end());
    if (lines.empty()) return as_they_are;
    const GeosContext geos;
    std::vector<Geometry> floors, slits;
    for (const Polygon& polygon : polygons) floors.push_back(geos.make_polygon(polygon));
    for (const auto& line : lines) {
        const Geometry path = geos.make_line(line);
        if (path == nullptr) return as_they_are;
        slits.push_back(geos.own(GEOSBufferWithStyle_r(
            geos.get(), path.get(), kHalfSlit, 1, GEOSBUF_CAP_SQUARE, GEOSBUF_JOIN_MITRE, 2.0)));
    }
    const Geometry floor = geos.collect(GEOS_MULTIPOLYGON, std::move(floors));
    const Geometry parts = geos.collect(GEOS_GEOMETRYCOLLECTION, std::move(slits));
    if (floor == nullptr || parts == nullptr) return as_they_are;
    const Geometry walls = geos.own(GEOSUnaryUnion_r(geos.get(), parts.get()));
    if (walls == nullptr) return as_they_are;
    const Geometry rest = geos.own(GEOSDifference_r(geos.get(), floor.get(), walls.get()));
    if (rest == nullptr) return as_they_are;
    return geos.polygons_of(rest.get());
}

}  // namespace sidestep
