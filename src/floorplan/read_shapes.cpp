// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "floorplan/floorplan.hpp"
#include "floorplan/geos.hpp"

namespace sidestep {

namespace {

using Json = nlohmann::json;

/// Collections within collections, at most: as deep as a scenario may nest. Readers are recursive.
constexpr int kMaxNesting = 64;

Error refuse(std::string message)
{
    return Error{ErrorCode::invalid_argument, std::move(message)};
}

bool all_finite(std::span<const Vec2> points)
{
    for (const Vec2 point : points) {
        if (!std::isfinite(point.x) || !std::isfinite(point.y)) return false;
    }
    return true;
}

bool all_finite(const Shapes::Named& item)
{
    for (const Polygon& polygon : item.polygons) {
        if (!all_finite(polygon.shell)) return false;
        for (const std::vector<Vec2>& hole : polygon.holes) {
            if (!all_finite(hole)) return false;
        }
    }
    for (const std::vector<Vec2>& line : item.lines) {
        if (!all_finite(line)) return false;
    }
    return all_finite(item.points);
}

// ---------------------------------------------------------------------------------------------
// WKT

bool nests_too_deeply(std::string_view text)
{
    int depth = 0;
    for (const char letter : text) {
        if (letter == '(' && ++depth > kMaxNesting) return true;
        if (letter == ')') --depth;
    }
    return false;
}

void add_geometry(const GeosContext& geos, const GEOSGeometry* geometry, Shapes::Named& item)
{
    if (GEOSisEmpty_r(geos.get(), geometry) != 0) return;
    switch (GEOSGeomTypeId_r(geos.get(), geometry)) {
        case GEOS_POINT: item.points.push_back(geos.points_of(geometry).front()); return;
        case GEOS_LINESTRING:
        case GEOS_LINEARRING: item.lines.push_back(geos.points_of(geometry)); return;
        case GEOS_POLYGON: {
            for (Polygon& polygon : geos.polygons_of(geometry)) {
                item.polygons.push_back(std::move(polygon));
            }
            return;
        }
        default: break;
    }
    const int parts = GEOSGetNumGeometries_r(geos.get(), geometry);
    for (int i = 0; i < parts; ++i) {
        add_geometry(geos, GEOSGetGeometryN_r(geos.get(), geometry, i), item);
    }
}

// ---------------------------------------------------------------------------------------------
// GeoJSON

/// Turns JSON into shapes; `fault` is the first thing that was wrong.
class GeoJsonReader {
public:
    Shapes shapes;
    std::string fault;

    void read_document(const Json& json)
    {
        const std::string type = type_of(json);
        if (type == "FeatureCollection") {
            const auto features = json.find("features");
            if (features == json.end() || !features->is_array()) {
                return fail("a FeatureCollection needs an array `features`");
            }
            for (const Json& feature : *features) {
                if (type_of(feature) != "Feature") return fail("`features` may hold Features only");
                read_feature(feature);
            }
        } else if (type == "Feature") {
            read_feature(json);
        } else {
            shapes.items.emplace_back();
            read_geometry(json, shapes.items.back(), 0);
        }
    }

private:
    void fail(std::string message)
    {
        if (fault.empty()) fault = std::move(message);
    }

    static std::string type_of(const Json& json)
    {
        if (!json.is_object()) return {};
        const auto type = json.find("type");
        return type != json.end() && type->is_string() ? type->get<std::string>() : std::string();
    }

    void read_feature(const Json& feature)
    {
        Shapes::Named& item = shapes.items.emplace_back();
        if (const auto properties = feature.find("properties");
            properties != feature.end() && properties->is_object()) {
            const auto name = properties->find("name");
            if (name != properties->end() && name->is_string()) {
                item.name = name->get<std::string>();
            }
        }
        const auto geometry = feature.find("geometry");
        if (geometry == feature.end()) return fail("a Feature has no `geometry`");
        if (!geometry->is_null()) read_geometry(*geometry, item, 0);
    }

    /// A third number, the height, is allowed and dropped.
    bool read_point(const Json& json, Vec2& point)
    {
        if (!json.is_array() || json.size() < 2 || !json[0].is_number() || !json[1].is_number()) {
            fail(fmt::format("a point is [x, y], not {}", shorten(json)));
            return false;
        }
        point = {json[0].get<double>(), json[1].get<double>()};
        return true;
    }

    std::vector<Vec2> read_points(const Json& json, std::size_t at_least, const char* what)
    {
        std::vector<Vec2> points;
        if (!json.is_array()) {
            fail(fmt::format("{} is an array of points, not {}", what, shorten(json)));
            return points;
        }
        points.resize(json.size());
        for (std::size_t i = 0; i < json.size(); ++i) {
            if (!read_point(json[i], points[i])) return {};
        }
        if (points.size() < at_least) {
            fail(fmt::format("{} needs {} points, this one has {}", what, at_least, points.size()));
        }
        return points;
    }

    std::vector<Vec2> read_ring(const Json& json)
    {
        std::vector<Vec2> ring = read_points(json, 3, "a ring");
        if (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
        if (ring.size() < 3) fail("a ring needs 3 different points");
        return ring;
    }

    void read_polygon(const Json& json, Shapes::Named& item)
    {
        if (!json.is_array()) return fail("the coordinates of a Polygon are an array of rings");
        if (json.empty()) return;
        Polygon polygon;
        polygon.shell = read_ring(json[0]);
        for (std::size_t i = 1; i < json.size(); ++i) polygon.holes.push_back(read_ring(json[i]));
        item.polygons.push_back(std::move(polygon));
    }

    void read_geometry(const Json& json, Shapes::Named& item, int depth)
    {
        if (depth > kMaxNesting) return fail("geometries nest too deeply");
        const std::string type = type_of(json);
        if (type == "GeometryCollection") {
            const auto parts = json.find("geometries");
            if (parts == json.end() || !parts->is_array()) {
                return fail("a GeometryCollection needs an array `geometries`");
            }
            for (const Json& part : *parts) read_geometry(part, item, depth + 1);
            return;
        }
        static constexpr std::string_view kTypes[] = {
            "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"};
        std::size_t kind = 0;
        while (kind < 6 && type != kTypes[kind]) ++kind;
        if (kind == 6) {
            return fail(type.empty() ? fmt::format("`type` is missing in {}", shorten(json))
                                     : fmt::format("`{}` is no type of geometry of GeoJSON", type));
        }
        const auto coordinates = json.find("coordinates");
        if (coordinates == json.end() || !coordinates->is_array()) {
            return fail(fmt::format("a {} needs an array `coordinates`", type));
        }
        if (kind == 0) {
            Vec2 point;
            if (read_point(*coordinates, point)) item.points.push_back(point);
        } else if (kind == 1) {
            for (const Vec2 point : read_points(*coordinates, 0, "a MultiPoint")) {
                item.points.push_back(point);
            }
        } else if (kind == 2) {
            item.lines.push_back(read_points(*coordinates, 2, "a line"));
        } else if (kind == 4) {
            read_polygon(*coordinates, item);
        } else {
            for (const Json& part : *coordinates) {
                if (kind == 3) item.lines.push_back(read_points(part, 2, "a line"));
                if (kind == 5) read_polygon(part, item);
            }
        }
    }

    static std::string shorten(const Json& json)
    {
        std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
        if (text.size() > 40) text = text.substr(0, 37) + "...";
        return text;
    }
};

}  // namespace

Result<Shapes> read_wkt(std::string_view text)
{
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        return refuse(fmt::format("WKT: a zero byte at character {}", zero + 1));
    }
    if (nests_too_deeply(text)) return refuse("WKT: nests too deeply");
    const GeosContext geos;
    GEOSWKTReader* reader = GEOSWKTReader_create_r(geos.get());
    const Geometry geometry =
        geos.own(GEOSWKTReader_read_r(geos.get(), reader, std::string(text).c_str()));
    GEOSWKTReader_destroy_r(geos.get(), reader);
    if (!geometry) return refuse("WKT: " + geos.message());

    Shapes shapes;
    add_geometry(geos, geometry.get(), shapes.items.emplace_back());
    if (!all_finite(shapes.items.back())) return refuse("WKT: a coordinate is not finite");
    return shapes;
}

Result<Shapes> read_geojson(std::string_view text)
{
    GeoJsonReader reader;
    try {
        reader.read_document(Json::parse(text));
    } catch (const Json::parse_error& error) {
        return refuse(fmt::format("GeoJSON: no JSON: wrong at character {}", error.byte));
    } catch (const Json::exception& error) {
        return refuse(fmt::format("GeoJSON: {}", error.what()));
    }
    if (!reader.fault.empty()) return refuse("GeoJSON: " + reader.fault);
    for (const Shapes::Named& item : reader.shapes.items) {
        if (!all_finite(item)) return refuse("GeoJSON: a coordinate is not finite");
    }
    return std::move(reader.shapes);
}

}  // namespace sidestep
