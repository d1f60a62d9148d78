// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "floorplan/floorplan.hpp"
#include "floorplan/geos.hpp"
#include "navigation/plane.hpp"

namespace sidestep {

namespace {

using plane::Point;

/// A point this near to an outline lies on it [m]: a point computed on a slanted edge is off it by
/// roundings, also at coordinates of 10^6 m.
constexpr double kOnOutline = 1e-9;

/// GEOS's words -> ours; others are passed on in lower case.
std::string describe(std::string reason)
{
    static constexpr std::string_view kWords[][2] = {
        {"Self-intersection", "self-intersection"},
        {"Ring Self-intersection", "ring touches or crosses itself"},
        {"Hole lies outside shell", "hole outside the shell"},
        {"Holes are nested", "hole inside another hole"},
        {"Interior is disconnected", "holes cut the polygon into pieces"},
        {"Duplicate Rings", "the same ring twice"},
        {"Too few points in geometry component", "fewer than three different points"},
        {"Invalid Coordinate", "coordinate that is not finite"},
    };
    for (const auto& pair : kWords) {
        if (reason == pair[0]) return std::string(pair[1]);
    }
    if (!reason.empty() && reason[0] >= 'A' && reason[0] <= 'Z') {
        reason[0] = static_cast<char>(reason[0] - 'A' + 'a');
    }
    return reason;
}

std::optional<ShapeFault> find_fault_of_points(std::span<const Vec2> ring, const char* what)
{
    const std::size_t count =
        ring.size() > 1 && ring.front() == ring.back() ? ring.size() - 1 : ring.size();
    if (count < 3) {
        return ShapeFault{fmt::format("{} of fewer than three points", what),
                          ring.empty() ? Vec2{} : ring[0]};
    }
    for (const Vec2 point : ring) {
        if (!std::isfinite(point.x) || !std::isfinite(point.y)) {
            return ShapeFault{"coordinate that is not finite", {}};
        }
    }
    return std::nullopt;
}

/// `inside` flips at each crossing of the ray to the right.
bool is_on_ring(std::span<const Vec2> ring, Vec2 point, bool& inside)
{
    for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
        const Point a{ring[j].x - point.x, ring[j].y - point.y};
        const Point b{ring[i].x - point.x, ring[i].y - point.y};
        if (plane::length(plane::nearest_on(a, b, {})) <= kOnOutline) return true;
        if (plane::crosses_right(a, b)) inside = !inside;
    }
    return false;
}

}  // namespace

std::optional<ShapeFault> find_fault(const Polygon& polygon)
{
    if (auto fault = find_fault_of_points(polygon.shell, "ring")) return fault;
    for (const std::vector<Vec2>& hole : polygon.holes) {
        if (auto fault = find_fault_of_points(hole, "hole")) return fault;
    }
    const GeosContext geos;
    const Geometry geometry = geos.make_polygon(polygon);
    if (!geometry) return ShapeFault{describe(geos.message()), polygon.shell[0]};

    char* reason = nullptr;
    GEOSGeometry* place = nullptr;
    const char valid = GEOSisValidDetail_r(geos.get(), geometry.get(), 0, &reason, &place);
    const Geometry owned_place = geos.own(place);
    ShapeFault fault{describe(reason != nullptr ? reason : geos.message()), polygon.shell[0]};
    GEOSFree_r(geos.get(), reason);
    if (valid == 1) return std::nullopt;
    if (place != nullptr) {
        GEOSGeomGetX_r(geos.get(), place, &fault.place.x);
        GEOSGeomGetY_r(geos.get(), place, &fault.place.y);
    }
    return fault;
}

std::optional<ShapeFault> find_fault(std::span<const Vec2> ring)
{
    return find_fault(Polygon{{ring.begin(), ring.end()}, {}});
}

bool covers(std::span<const Polygon> polygons, Vec2 point)
{
    for (const Polygon& polygon : polygons) {
        if (polygon.shell.empty()) continue;
        bool inside = false;
        if (is_on_ring(polygon.shell, point, inside)) return true;
        if (!inside) continue;
        bool in_hole = false;
        for (const std::vector<Vec2>& hole : polygon.holes) {
            if (hole.empty()) continue;
            bool in_this = false;
            if (is_on_ring(hole, point, in_this)) return true;
            in_hole = in_hole || in_this;
        }
        if (!in_hole) return true;
    }
    return false;
}

std::string to_wkt(std::span<const Polygon> polygons)
{
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    const auto add_ring = [&](std::span<const Vec2> ring) {
        fmt::format_to(out, "(");
        for (std::size_t i = 0; i <= ring.size(); ++i) {
            const Vec2 point = ring[i % ring.size()];
            fmt::format_to(out, "{}{} {}", i > 0 ? ", " : "", point.x, point.y);
        }
        fmt::format_to(out, ")");
    };
    const auto add_polygon = [&](const Polygon& polygon) {
        fmt::format_to(out, "(");
        add_ring(polygon.shell);
        for (const std::vector<Vec2>& hole : polygon.holes) {
            fmt::format_to(out, ", ");
            add_ring(hole);
        }
        fmt::format_to(out, ")");
    };
    if (polygons.empty()) return "POLYGON EMPTY";
    if (polygons.size() == 1) {
        fmt::format_to(out, "POLYGON ");
        add_polygon(polygons[0]);
        return fmt::to_string(text);
    }
    fmt::format_to(out, "MULTIPOLYGON (");
    for (std::size_t i = 0; i < polygons.size(); ++i) {
        if (i > 0) fmt::format_to(out, ", ");
        add_polygon(polygons[i]);
    }
    fmt::format_to(out, ")");
    return fmt::to_string(text);
}

}  // namespace sidestep
