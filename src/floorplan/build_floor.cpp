// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.hpp"
#include "floorplan/exits.hpp"
#include "floorplan/floorplan.hpp"
#include "floorplan/geos.hpp"
#include "floorplan/stitcher.hpp"
#include "floorplan/thin_walls.hpp"
#include "floorplan/triangulate.hpp"

namespace sidestep {

namespace {

/// The lattice of floors [1/m]: micrometres. Snapping everything to a lattice first makes "touches"
/// a question with an answer, and all tests of the triangulation exact. A second try takes
/// millimetres.
constexpr std::int64_t kFine = 1000000;
constexpr std::int64_t kCoarse = 1000;
/// A line this near to the outline lies on it [m].
constexpr double kOnOutline = 1e-3;
/// Free plane round everything where no floor is given [m].
constexpr double kOpenMargin = 10.0;
/// Half the size of the largest floor [m].
constexpr double kMaxExtent = 1e5;
/// The middle of a floor is no farther from 0 than this [m]: a double there holds a micrometre.
constexpr double kFarthest = 1e9;
/// Pieces of free space smaller than this hold nobody and are dropped [m^2].
constexpr double kMinPiece = 1e-6;

struct Failure {
    std::string message;
    std::optional<Vec2> place;  ///< on the lattice
};

/// Everything in whole steps of the lattice about an origin of whole metres.
struct Frame {
    std::int64_t per_metre = kFine;
    std::int64_t origin_x = 0, origin_y = 0;  ///< [m]

    Vec2 to_lattice(Vec2 p) const
    {
        const auto scale = static_cast<double>(per_metre);
        return {std::round((p.x - static_cast<double>(origin_x)) * scale) + 0.0,
                std::round((p.y - static_cast<double>(origin_y)) * scale) + 0.0};
    }
    /// The double nearest to the decimal number: what was written with six digits comes back.
    Vec2 to_metres(LatticePoint p) const
    {
        const auto scale = static_cast<double>(per_metre);
        return {static_cast<double>(p.x + origin_x * per_metre) / scale,
                static_cast<double>(p.y + origin_y * per_metre) / scale};
    }
    Vec2 to_metres(Vec2 p) const
    {
        return to_metres(LatticePoint{std::llround(p.x), std::llround(p.y)});
    }
};

using Rings = std::vector<std::vector<Vec2>>;

/// The input on the lattice.
struct LatticeInput {
    std::vector<Polygon> floors;
    Rings solids, thin, doors;
    std::vector<std::array<Vec2, 2>> exits;
};

class FloorBuilder {
public:
    FloorBuilder(const FloorInput& input, const Frame& frame, const Polygon* plane) : frame_(frame)
    {
        const auto snap = [&](std::span<const Vec2> points) {
            std::vector<Vec2> snapped;
            for (const Vec2 point : points) {
                const Vec2 p = frame_.to_lattice(point);
                if (snapped.empty() || snapped.back() != p) snapped.push_back(p);
            }
            return snapped;
        };
        const auto snap_polygon = [&](const Polygon& polygon) {
            Polygon snapped{snap(polygon.shell), {}};
            for (const std::vector<Vec2>& hole : polygon.holes) snapped.holes.push_back(snap(hole));
            return snapped;
        };
        for (const Polygon& floor : input.floors) in_.floors.push_back(snap_polygon(floor));
        if (plane != nullptr) in_.floors.push_back(snap_polygon(*plane));
        for (const auto& ring : input.solids) in_.solids.push_back(snap(ring));
        for (const auto& line : input.thin) in_.thin.push_back(snap(line));
        for (const auto& ring : input.doors) in_.doors.push_back(snap(ring));
        stitch();
        for (const auto& ring : in_.doors) door_polygons_.push_back({ring, {}});
        if (plane == nullptr) {
            for (const auto& line : input.exits) {
                in_.exits.push_back({frame_.to_lattice(line[0]), frame_.to_lattice(line[1])});
            }
        }
    }

    std::optional<BuiltFloor> build(Failure& failure)
    {
        BuiltFloor built;
        const Geometry space = make_space();
        if (!space) return fail(failure);
        std::vector<Polygon> polygons = geos_.polygons_of(space.get());
        if (polygons.empty()) {
            failure = {"nothing of the floor is left free", std::nullopt};
            return std::nullopt;
        }
        std::vector<LatticePoint> points;
        std::vector<std::array<std::uint32_t, 2>> segments;
        if (!node_lines(polygons, points, segments)) return fail(failure);
        TriangulationFault fault;
        const auto triangulation = triangulate(points, segments, fault);
        if (!triangulation) {
            failure = {"outlines cross", Vec2{static_cast<double>(fault.place.x),
                                              static_cast<double>(fault.place.y)}};
            return std::nullopt;
        }
        if (!make_mesh(*triangulation, space.get(), built.mesh)) return fail(failure);
        for (Polygon& polygon : polygons) {
            for (Vec2& point : polygon.shell) point = frame_.to_metres(point);
            for (auto& hole : polygon.holes) {
                for (Vec2& point : hole) point = frame_.to_metres(point);
            }
        }
        built.space = std::move(polygons);
        return built;
    }

private:
    void stitch()
    {
        Stitcher stitcher;
        for (const Polygon& floor : in_.floors) {
            stitcher.add(floor.shell);
            for (const auto& hole : floor.holes) stitcher.add(hole);
        }
        for (const Rings* rings : {&in_.solids, &in_.thin, &in_.doors}) {
            for (const auto& ring : *rings) stitcher.add(ring);
        }
        stitcher.prepare();
        for (Polygon& floor : in_.floors) {
            floor.shell = stitcher.stitch(floor.shell, true);
            for (auto& hole : floor.holes) hole = stitcher.stitch(hole, true);
        }
        for (Rings* rings : {&in_.solids, &in_.doors}) {
            for (auto& ring : *rings) ring = stitcher.stitch(ring, true);
        }
        for (auto& line : in_.thin) {
            line = stitcher.stitch(line, false);
            thin_.add(line);
        }
        thin_.prepare();
    }

    GeosContext geos_;
    Frame frame_;
    LatticeInput in_;
    ThinWalls thin_;
    std::vector<Polygon> door_polygons_;
    std::optional<Vec2> broken_;  ///< a point of the shape that could not be built

    std::optional<BuiltFloor> fail(Failure& failure) const
    {
        failure.message = geos_.message();
        failure.place = broken_;
        Vec2 place;
        if (find_place(failure.message, place)) failure.place = place;
        if (failure.message.empty()) failure.message = "a shape cannot be built";
        return std::nullopt;
    }

    Geometry fail_at(Vec2 place)
    {
        broken_ = place;
        return geos_.own(nullptr);
    }

    /// Snapping may leave fewer than three points of a shape: there is nothing of it to be built.
    static bool has_area(std::span<const Vec2> ring)
    {
        return ring.size() - (ring.size() > 1 && ring.front() == ring.back() ? 1 : 0) >= 3;
    }

    /// Only the polygons of a geometry, as one.
    Geometry keep_polygons(const Geometry& geometry, double min_area) const
    {
        std::vector<Geometry> parts;
        for (const Polygon& polygon : geos_.polygons_of(geometry.get())) {
            Geometry part = geos_.make_polygon(polygon);
            double area = 0;
            if (!part || GEOSArea_r(geos_.get(), part.get(), &area) == 0) return geos_.own(nullptr);
            if (!(area < min_area)) parts.push_back(std::move(part));
        }
        return geos_.collect(GEOS_MULTIPOLYGON, std::move(parts));
    }

    Geometry make_valid(Geometry geometry) const
    {
        if (!geometry || GEOSisValid_r(geos_.get(), geometry.get()) == 1) return geometry;
        Geometry valid = geos_.own(GEOSMakeValid_r(geos_.get(), geometry.get()));
        return valid ? keep_polygons(valid, 0.0) : std::move(valid);
    }

    Geometry unite(std::vector<Geometry> parts) const
    {
        const Geometry all = geos_.collect(GEOS_GEOMETRYCOLLECTION, std::move(parts));
        return all ? geos_.own(GEOSUnaryUnionPrec_r(geos_.get(), all.get(), 1.0))
                   : geos_.own(nullptr);
    }

    /// Joined in plain double first and snapped at the end: snapping each step of a union of
    /// thousands takes GEOS seconds. Snapping may turn needles into lines, which the next operation
    /// would not take.
    Geometry unite_polygons(std::vector<Geometry> parts) const
    {
        const Geometry all = geos_.collect(GEOS_GEOMETRYCOLLECTION, std::move(parts));
        if (!all) return geos_.own(nullptr);
        Geometry united = geos_.own(GEOSUnaryUnion_r(geos_.get(), all.get()));
        const GEOSGeometry* source = united ? united.get() : all.get();
        united = geos_.own(united ? GEOSGeom_setPrecision_r(geos_.get(), source, 1.0, 0)
                                  : GEOSUnaryUnionPrec_r(geos_.get(), source, 1.0));
        return united ? keep_polygons(united, 0.0) : std::move(united);
    }

    Geometry subtract(const Geometry& from, const Geometry& what) const
    {
        Geometry rest = geos_.own(GEOSDifferencePrec_r(geos_.get(), from.get(), what.get(), 1.0));
        return rest ? keep_polygons(rest, 0.0) : std::move(rest);
    }

    /// False where GEOS fails; rings without an area add nothing.
    bool add_rings(const Rings& rings, std::vector<Geometry>& parts)
    {
        for (const std::vector<Vec2>& ring : rings) {
            if (!has_area(ring)) continue;
            parts.push_back(make_valid(geos_.make_polygon(ring)));
            if (!parts.back()) return fail_at(ring[0]) != nullptr;
        }
        return true;
    }

    Geometry unite_rings(const Rings& rings)
    {
        std::vector<Geometry> parts;
        if (!add_rings(rings, parts)) return geos_.own(nullptr);
        return parts.empty() ? geos_.make_empty() : unite_polygons(std::move(parts));
    }

    /// A floor whose holes may touch or overlap anything.
    Geometry make_floor(const Polygon& floor)
    {
        Geometry whole = geos_.make_polygon(floor);
        if (whole && GEOSisValid_r(geos_.get(), whole.get()) == 1) return whole;
        const Geometry shell = make_valid(geos_.make_polygon(floor.shell));
        const Geometry holes = unite_rings(floor.holes);
        if (!shell || !holes) return fail_at(floor.shell[0]);
        Geometry rest = subtract(shell, holes);
        return rest ? std::move(rest) : fail_at(floor.shell[0]);
    }

    Geometry make_space()
    {
        std::vector<Geometry> parts;
        for (const Polygon& polygon : in_.floors) {
            if (!has_area(polygon.shell)) continue;
            parts.push_back(make_floor(polygon));
            if (!parts.back()) return geos_.own(nullptr);
        }
        Geometry free = parts.empty() ? geos_.make_empty() : unite_polygons(std::move(parts));
        if (!free) return free;

        const std::vector<Polygon> outline = geos_.polygons_of(free.get());
        std::vector<Geometry> more;
        for (const auto& line : in_.exits) {
            const auto scale = static_cast<double>(frame_.per_metre);
            const auto apron = make_apron(outline, line, kOnOutline * scale, kExitDepth * scale);
            if (!apron) continue;
            more.push_back(geos_.make_polygon(*apron));
            if (!more.back()) return fail_at(line[0]);
        }
        if (!add_rings(in_.doors, more)) return geos_.own(nullptr);
        if (!more.empty()) {
            more.push_back(std::move(free));
            free = unite_polygons(std::move(more));
            if (!free) return free;
        }
        // Also where nothing is subtracted: only this snaps all pieces of floor to each other, so
        // that no slit of a micrometre is left between a room and its doorway.
        const Geometry solids = unite_rings(in_.solids);
        if (!solids) return geos_.own(nullptr);
        const Geometry space = subtract(free, solids);
        if (!space) return geos_.own(nullptr);
        const auto scale = static_cast<double>(frame_.per_metre);
        return keep_polygons(space, kMinPiece * scale * scale);
    }

    /// All outlines, cut where they meet: points, and segments that share points only.
    bool node_lines(std::span<const Polygon> space, std::vector<LatticePoint>& points,
                    std::vector<std::array<std::uint32_t, 2>>& segments)
    {
        std::vector<Geometry> lines;
        bool built = true;
        const auto add = [&](std::vector<Vec2> line, bool closed) {
            if (closed && !line.empty()) line.push_back(line.front());
            line.erase(std::unique(line.begin(), line.end()), line.end());
            if (line.size() < 2) return;
            lines.push_back(geos_.make_line(line));
            if (!lines.back()) built = fail_at(line[0]) != nullptr;
        };
        for (const Polygon& polygon : space) {
            add(polygon.shell, true);
            for (const std::vector<Vec2>& hole : polygon.holes) add(hole, true);
        }
        for (const std::vector<Vec2>& door : in_.doors) add(door, true);
        for (const std::vector<Vec2>& line : in_.thin) add(line, false);
        if (!built) return false;
        const Geometry noded = unite(std::move(lines));
        if (!noded) return false;

        std::vector<std::array<LatticePoint, 2>> pieces;
        collect_segments(noded.get(), pieces);
        for (const auto& piece : pieces) points.insert(points.end(), piece.begin(), piece.end());
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
        const auto index = [&](LatticePoint p) {
            return static_cast<std::uint32_t>(std::lower_bound(points.begin(), points.end(), p) -
                                              points.begin());
        };
        for (const auto& piece : pieces) {
            std::array<std::uint32_t, 2> ends{index(piece[0]), index(piece[1])};
            if (ends[0] > ends[1]) std::swap(ends[0], ends[1]);
            if (ends[0] != ends[1]) segments.push_back(ends);
        }
        std::sort(segments.begin(), segments.end());
        segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
        return true;
    }

    void collect_segments(const GEOSGeometry* geometry,
                          std::vector<std::array<LatticePoint, 2>>& pieces) const
    {
        const int type = GEOSGeomTypeId_r(geos_.get(), geometry);
        if (type == GEOS_LINESTRING || type == GEOS_LINEARRING) {
            const std::vector<Vec2> line = geos_.points_of(geometry);
            for (std::size_t i = 1; i < line.size(); ++i) {
                pieces.push_back(
                    {LatticePoint{std::llround(line[i - 1].x), std::llround(line[i - 1].y)},
                     LatticePoint{std::llround(line[i].x), std::llround(line[i].y)}});
            }
        } else if (type == GEOS_MULTILINESTRING || type == GEOS_GEOMETRYCOLLECTION) {
            const int parts = GEOSGetNumGeometries_r(geos_.get(), geometry);
            for (int i = 0; i < parts; ++i) {
                collect_segments(GEOSGetGeometryN_r(geos_.get(), geometry, i), pieces);
            }
        }
    }

    // -----------------------------------------------------------------------------------------
    // triangles -> mesh

    static plane::Point corner_of(const Triangulation& all, std::size_t t, std::size_t i)
    {
        const LatticePoint p = all.points[all.triangles[t][i]];
        return {static_cast<double>(p.x), static_cast<double>(p.y)};
    }

    static Vec2 centre_of(const Triangulation& all, std::uint32_t t)
    {
        double x = 0, y = 0;
        for (const std::uint32_t corner : all.triangles[t]) {
            x += static_cast<double>(all.points[corner].x) / 3;
            y += static_cast<double>(all.points[corner].y) / 3;
        }
        return {x, y};
    }

    static double area_of(const Triangulation& all, std::uint32_t t)
    {
        const LatticePoint a = all.points[all.triangles[t][0]];
        const LatticePoint b = all.points[all.triangles[t][1]];
        const LatticePoint c = all.points[all.triangles[t][2]];
        return static_cast<double>(b.x - a.x) * static_cast<double>(c.y - a.y) -
               static_cast<double>(b.y - a.y) * static_cast<double>(c.x - a.x);
    }

    /// Whether each triangle is floor, and which door. Triangles with no outline between them are
    /// one region; the largest answers for all, because its centre is farthest from any outline.
    /// False where GEOS fails.
    bool classify(const Triangulation& all, const GEOSGeometry* space, std::vector<bool>& free,
                  std::vector<std::uint16_t>& door)
    {
        const std::size_t count = all.triangles.size();
        free.assign(count, false);
        door.assign(count, kNoDoor);
        const GEOSPreparedGeometry* prepared = GEOSPrepare_r(geos_.get(), space);
        if (prepared == nullptr) return false;
        std::vector<bool> seen(count, false);
        std::vector<std::uint32_t> region;
        for (std::uint32_t start = 0; start < count; ++start) {
            if (seen[start]) continue;
            region.assign(1, start);
            seen[start] = true;
            std::uint32_t largest = start;
            for (std::size_t i = 0; i < region.size(); ++i) {
                const std::uint32_t t = region[i];
                if (area_of(all, t) > area_of(all, largest)) largest = t;
                for (std::uint32_t e = 0; e < 3; ++e) {
                    const std::uint32_t n = all.neighbours[t][e];
                    if (n == kNoNeighbour || all.fixed[t][e] || seen[n]) continue;
                    seen[n] = true;
                    region.push_back(n);
                }
            }
            const Vec2 centre = centre_of(all, largest);
            const Geometry point =
                geos_.own(GEOSGeom_createPointFromXY_r(geos_.get(), centre.x, centre.y));
            const char meets = GEOSPreparedIntersects_r(geos_.get(), prepared, point.get());
            if (meets == 2) {  // GEOS's word for failure
                broken_ = centre;
                break;
            }
            if (meets == 0) continue;
            const std::uint16_t here = find_door(centre);
            for (const std::uint32_t t : region) {
                free[t] = true;
                door[t] = here;
            }
        }
        GEOSPreparedGeom_destroy_r(geos_.get(), prepared);
        return !broken_;
    }

    std::uint16_t find_door(Vec2 point) const
    {
        for (std::size_t i = 0; i < door_polygons_.size(); ++i) {
            if (covers({&door_polygons_[i], 1}, point)) return static_cast<std::uint16_t>(i);
        }
        return kNoDoor;
    }

    bool make_mesh(const Triangulation& all, const GEOSGeometry* space, NavigationMesh& mesh)
    {
        std::vector<bool> free;
        std::vector<std::uint16_t> door;
        if (!classify(all, space, free, door)) return false;
        constexpr std::uint32_t kUnused = 0xffffffffu;
        std::vector<std::uint32_t> triangle(all.triangles.size(), kNoTriangle);
        std::vector<std::uint32_t> vertex(all.points.size(), kUnused);
        std::uint32_t kept = 0;
        for (std::size_t t = 0; t < all.triangles.size(); ++t) {
            if (!free[t]) continue;
            triangle[t] = kept++;
            for (const std::uint32_t corner : all.triangles[t]) vertex[corner] = 0;
        }
        for (std::size_t v = 0; v < all.points.size(); ++v) {
            if (vertex[v] == kUnused) continue;
            vertex[v] = static_cast<std::uint32_t>(mesh.vertices.size());
            mesh.vertices.push_back(frame_.to_metres(all.points[v]));
        }
        for (std::size_t t = 0; t < all.triangles.size(); ++t) {
            if (!free[t]) continue;
            std::array<std::uint32_t, 3> corners{}, neighbours{};
            for (std::uint32_t e = 0; e < 3; ++e) {
                corners[e] = vertex[all.triangles[t][e]];
                const std::uint32_t n = all.neighbours[t][e];
                neighbours[e] = n == kNoNeighbour ? kNoTriangle : triangle[n];
                if (neighbours[e] != kNoTriangle && all.fixed[t][e] &&
                    thin_.hold(corner_of(all, t, e), corner_of(all, t, (e + 1) % 3))) {
                    neighbours[e] = kNoTriangle;
                }
            }
            mesh.triangles.push_back(corners);
            mesh.neighbours.push_back(neighbours);
            mesh.door.push_back(door[t]);
        }
        return true;
    }
};

struct Extent {
    Vec2 low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    bool finite = true;

    void add(Vec2 p)
    {
        finite = finite && std::isfinite(p.x) && std::isfinite(p.y);
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    void add(std::span<const Vec2> points)
    {
        for (const Vec2 p : points) add(p);
    }
};

Extent measure(const FloorInput& input)
{
    Extent extent;
    for (const Polygon& floor : input.floors) {
        extent.add(floor.shell);
        for (const auto& hole : floor.holes) extent.add(hole);
    }
    for (const Rings* rings : {&input.solids, &input.thin, &input.doors}) {
        for (const std::vector<Vec2>& ring : *rings) extent.add(ring);
    }
    for (const auto& line : input.exits) extent.add(line);
    if (input.floors.empty()) extent.add(input.points);
    if (extent.low.x > extent.high.x) extent.add(Vec2{0.0, 0.0});
    return extent;
}

std::uint64_t hash_mesh(const NavigationMesh& mesh)
{
    StateHash hash;
    for (const Vec2 vertex : mesh.vertices) {
        hash.add(vertex.x);
        hash.add(vertex.y);
    }
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t i = 0; i < 3; ++i) {
            hash.add(mesh.triangles[t][i]);
            hash.add(mesh.neighbours[t][i]);
        }
        hash.add(mesh.door[t]);
    }
    return hash.digest();
}

}  // namespace

Result<BuiltFloor> build_floor(const FloorInput& input)
{
    const Extent extent = measure(input);
    if (!extent.finite) {
        return Error{ErrorCode::invalid_argument, "a coordinate of the floor is not finite"};
    }
    if (input.doors.size() >= kNoDoor) return Error{ErrorCode::out_of_range, "too many doors"};
    const Vec2 middle{0.5 * (extent.low.x + extent.high.x), 0.5 * (extent.low.y + extent.high.y)};
    const double half = 0.5 * std::max(extent.high.x - extent.low.x, extent.high.y - extent.low.y);
    if (half > kMaxExtent || std::abs(middle.x) > kFarthest || std::abs(middle.y) > kFarthest) {
        return Error{ErrorCode::out_of_range,
                     fmt::format("the floor is larger than {} km", 2e-3 * kMaxExtent)};
    }
    Polygon plane;
    const bool open_plane = input.floors.empty();
    if (open_plane) {
        const Vec2 low{extent.low.x - kOpenMargin, extent.low.y - kOpenMargin};
        const Vec2 high{extent.high.x + kOpenMargin, extent.high.y + kOpenMargin};
        plane.shell = {low, {high.x, low.y}, high, {low.x, high.y}};
    }
    Failure failure;
    for (const std::int64_t per_metre : {kFine, kCoarse}) {
        const Frame frame{per_metre, std::llround(middle.x), std::llround(middle.y)};
        FloorBuilder builder(input, frame, open_plane ? &plane : nullptr);
        if (auto built = builder.build(failure)) {
            built->open_plane = open_plane;
            built->mesh_hash = hash_mesh(built->mesh);
            return std::move(*built);
        }
        if (failure.place) failure.place = frame.to_metres(*failure.place);
    }
    std::string message = "the floor cannot be built: " + failure.message;
    if (failure.place) {
        message += fmt::format(" near ({:.6g}, {:.6g})", failure.place->x, failure.place->y);
    }
    return Error{ErrorCode::invalid_argument, std::move(message)};
}

}  // namespace sidestep
