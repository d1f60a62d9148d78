// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "floorplan/geos.hpp"

#include <cctype>
#include <charconv>
#include <string_view>

namespace sidestep {

namespace {

void keep_message(const char* message, void* text)
{
    *static_cast<std::string*>(text) = message;
}

}  // namespace

GeosContext::GeosContext() : handle_(GEOS_init_r())
{
    GEOSContext_setErrorMessageHandler_r(handle_, keep_message, &message_);
}

GeosContext::~GeosContext()
{
    GEOS_finish_r(handle_);
}

std::string GeosContext::message() const
{
    // "ParseException: Expected ..." -> "Expected ..."
    const std::size_t colon = message_.find("Exception: ");
    return colon == std::string::npos ? message_ : message_.substr(colon + 11);
}

GEOSGeometry* GeosContext::make_ring(std::span<const Vec2> ring) const
{
    std::size_t count = ring.size();
    if (count > 1 && ring.front() == ring.back()) --count;
    if (count < 3) return nullptr;
    GEOSCoordSequence* points = GEOSCoordSeq_create_r(handle_, static_cast<unsigned>(count + 1), 2);
    if (points == nullptr) return nullptr;
    for (std::size_t i = 0; i <= count; ++i) {
        const Vec2 point = ring[i % count];
        GEOSCoordSeq_setXY_r(handle_, points, static_cast<unsigned>(i), point.x, point.y);
    }
    return GEOSGeom_createLinearRing_r(handle_, points);
}

Geometry GeosContext::make_polygon(const Polygon& polygon) const
{
    GEOSGeometry* shell = make_ring(polygon.shell);
    if (shell == nullptr) return own(nullptr);
    std::vector<GEOSGeometry*> holes;
    for (const std::vector<Vec2>& ring : polygon.holes) {
        if (GEOSGeometry* hole = make_ring(ring)) {
            holes.push_back(hole);
            continue;
        }
        GEOSGeom_destroy_r(handle_, shell);
        for (GEOSGeometry* hole : holes) GEOSGeom_destroy_r(handle_, hole);
        return own(nullptr);
    }
    return own(GEOSGeom_createPolygon_r(handle_, shell, holes.data(),
                                        static_cast<unsigned>(holes.size())));
}

Geometry GeosContext::make_polygon(std::span<const Vec2> ring) const
{
    GEOSGeometry* shell = make_ring(ring);
    return own(shell == nullptr ? nullptr : GEOSGeom_createPolygon_r(handle_, shell, nullptr, 0));
}

Geometry GeosContext::make_line(std::span<const Vec2> line) const
{
    if (line.size() < 2) return own(nullptr);
    GEOSCoordSequence* points =
        GEOSCoordSeq_create_r(handle_, static_cast<unsigned>(line.size()), 2);
    if (points == nullptr) return own(nullptr);
    for (std::size_t i = 0; i < line.size(); ++i) {
        GEOSCoordSeq_setXY_r(handle_, points, static_cast<unsigned>(i), line[i].x, line[i].y);
    }
    return own(GEOSGeom_createLineString_r(handle_, points));
}

Geometry GeosContext::make_empty() const
{
    return own(GEOSGeom_createEmptyPolygon_r(handle_));
}

Geometry GeosContext::collect(int type, std::vector<Geometry> parts) const
{
    std::vector<GEOSGeometry*> raw;
    raw.reserve(parts.size());
    for (Geometry& part : parts) {
        if (part) raw.push_back(part.release());
    }
    return own(
        GEOSGeom_createCollection_r(handle_, type, raw.data(), static_cast<unsigned>(raw.size())));
}

std::vector<Vec2> GeosContext::points_of(const GEOSGeometry* line) const
{
    std::vector<Vec2> points;
    const GEOSCoordSequence* sequence = GEOSGeom_getCoordSeq_r(handle_, line);
    unsigned count = 0;
    if (sequence == nullptr || GEOSCoordSeq_getSize_r(handle_, sequence, &count) == 0)
        return points;
    points.resize(count);
    for (unsigned i = 0; i < count; ++i) {
        GEOSCoordSeq_getXY_r(handle_, sequence, i, &points[i].x, &points[i].y);
    }
    return points;
}

void GeosContext::add_polygons(const GEOSGeometry* geometry, std::vector<Polygon>& polygons) const
{
    if (GEOSisEmpty_r(handle_, geometry) != 0) return;
    const int type = GEOSGeomTypeId_r(handle_, geometry);
    if (type == GEOS_POLYGON) {
        const auto open_ring = [&](const GEOSGeometry* ring) {
            std::vector<Vec2> points = points_of(ring);
            if (!points.empty()) points.pop_back();
            return points;
        };
        Polygon& polygon = polygons.emplace_back();
        polygon.shell = open_ring(GEOSGetExteriorRing_r(handle_, geometry));
        const int holes = GEOSGetNumInteriorRings_r(handle_, geometry);
        for (int i = 0; i < holes; ++i) {
            polygon.holes.push_back(open_ring(GEOSGetInteriorRingN_r(handle_, geometry, i)));
        }
    } else if (type == GEOS_MULTIPOLYGON || type == GEOS_GEOMETRYCOLLECTION) {
        const int parts = GEOSGetNumGeometries_r(handle_, geometry);
        for (int i = 0; i < parts; ++i) {
            add_polygons(GEOSGetGeometryN_r(handle_, geometry, i), polygons);
        }
    }
}

std::vector<Polygon> GeosContext::polygons_of(const GEOSGeometry* geometry) const
{
    std::vector<Polygon> polygons;
    add_polygons(geometry, polygons);
    return polygons;
}

bool find_place(const std::string& message, Vec2& place)
{
    // The last two numbers of the text: "... at or near point 3 4", "... at 3 4".
    const auto number_at = [&](std::size_t begin, double& value) -> std::size_t {
        const char* end = message.data() + message.size();
        const auto [stop, error] = std::from_chars(message.data() + begin, end, value);
        return error == std::errc() ? static_cast<std::size_t>(stop - message.data()) : 0;
    };
    bool found = false;
    for (std::size_t i = 0; i < message.size(); ++i) {
        if (i > 0 && message[i - 1] != ' ' && message[i - 1] != '(') continue;
        double x = 0, y = 0;
        const std::size_t space = number_at(i, x);
        if (space == 0 || space >= message.size() || message[space] != ' ') continue;
        if (number_at(space + 1, y) == 0) continue;
        place = {x, y};
        found = true;
    }
    return found;
}

}  // namespace sidestep
