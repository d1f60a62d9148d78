// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <geos_c.h>

#include "sidestep/scenario.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

struct DestroyGeometry {
    GEOSContextHandle_t context = nullptr;
    void operator()(GEOSGeometry* geometry) const { GEOSGeom_destroy_r(context, geometry); }
};
/// Null where GEOS failed; GeosContext::message says why.
using Geometry = std::unique_ptr<GEOSGeometry, DestroyGeometry>;

/// One context of GEOS with the last message it gave; nothing is shared between two of them, so
/// each call of the library makes its own and any thread may.
class GeosContext {
public:
    GeosContext();
    ~GeosContext();
    GeosContext(const GeosContext&) = delete;
    GeosContext& operator=(const GeosContext&) = delete;

    GEOSContextHandle_t get() const { return handle_; }
    Geometry own(GEOSGeometry* geometry) const
    {
        return Geometry(geometry, DestroyGeometry{handle_});
    }
    /// What GEOS said last, without the name of its exception; empty: nothing.
    std::string message() const;

    /// A polygon as given; null with fewer than three points in a ring.
    Geometry make_polygon(const Polygon& polygon) const;
    Geometry make_polygon(std::span<const Vec2> ring) const;
    Geometry make_line(std::span<const Vec2> points) const;
    Geometry make_empty() const;
    Geometry collect(int type, std::vector<Geometry> parts) const;

    /// All polygons in a geometry of any type; closing vertices are dropped.
    std::vector<Polygon> polygons_of(const GEOSGeometry* geometry) const;
    /// The points of a line or ring.
    std::vector<Vec2> points_of(const GEOSGeometry* line) const;

private:
    GEOSGeometry* make_ring(std::span<const Vec2> ring) const;
    void add_polygons(const GEOSGeometry* geometry, std::vector<Polygon>& polygons) const;

    GEOSContextHandle_t handle_;
    std::string message_;
};

/// The point of a "... at or near x y" message of GEOS; false where there is none.
bool find_place(const std::string& message, Vec2& place);

}  // namespace sidestep
