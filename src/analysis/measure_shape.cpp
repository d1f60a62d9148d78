// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/measure_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/convex_clip.hpp"
#include "floorplan/floorplan.hpp"

namespace sidestep {

namespace {

/// About its first corner: precise far from (0, 0) too.
double area_of(const std::vector<Vec2>& ring)
{
    double twice = 0.0;
    for (std::size_t i = 1; i + 1 < ring.size(); ++i) {
        twice += det(ring[i] - ring[0], ring[i + 1] - ring[0]);
    }
    return twice / 2.0;
}

void turn_counter_clockwise(std::vector<Vec2>& ring)
{
    if (area_of(ring) < 0.0) std::reverse(ring.begin(), ring.end());
}

bool is_convex(const std::vector<Vec2>& ring)
{
    const std::size_t count = ring.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Vec2 a = ring[i], b = ring[(i + 1) % count], c = ring[(i + 2) % count];
        if (det(b - a, c - b) < 0.0) return false;
    }
    return true;
}

/// Flips `inside` at each edge to the right of the point; true: the point is on the ring.
bool count_crossings(const std::vector<Vec2>& ring, Vec2 point, bool& inside)
{
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 a = ring[i] - point;
        const Vec2 b = ring[(i + 1) % ring.size()] - point;
        const double turn = det(a, b);
        if (turn == 0.0 && dot(a, b) <= 0.0) return true;
        if ((a.y > 0.0) != (b.y > 0.0) && (turn > 0.0) == (b.y > a.y)) inside = !inside;
    }
    return false;
}

}  // namespace

Result<MeasureShape> MeasureShape::read(const std::string& wkt)
{
    const auto shapes = read_wkt(wkt);
    if (!shapes) return shapes.error();
    const Shapes::Named& item = shapes->items.front();
    if (item.polygons.size() != 1 || !item.lines.empty() || !item.points.empty()) {
        return Error{ErrorCode::invalid_argument, "a measurement area is one POLYGON"};
    }
    MeasureShape shape;
    shape.polygon_ = item.polygons.front();
    if (const auto fault = find_fault(shape.polygon_)) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("the polygon has a {} near ({:.6g}, {:.6g})", fault->reason,
                                 fault->place.x, fault->place.y)};
    }
    turn_counter_clockwise(shape.polygon_.shell);
    for (std::vector<Vec2>& hole : shape.polygon_.holes) turn_counter_clockwise(hole);

    const std::vector<Vec2>& shell = shape.polygon_.shell;
    shape.low_ = shape.high_ = shell.front();
    for (const Vec2 p : shell) {
        shape.low_ = {std::min(shape.low_.x, p.x), std::min(shape.low_.y, p.y)};
        shape.high_ = {std::max(shape.high_.x, p.x), std::max(shape.high_.y, p.y)};
    }
    if (shape.polygon_.holes.empty() && is_convex(shell)) {
        shape.pieces_.push_back({shell, 1.0});
    } else {
        shape.add_fan(shell, false);
        for (const std::vector<Vec2>& hole : shape.polygon_.holes) shape.add_fan(hole, true);
    }
    return shape;
}

void MeasureShape::add_fan(const std::vector<Vec2>& ring, bool is_hole)
{
    const Vec2 from = polygon_.shell.front();
    for (std::size_t i = 0; i < ring.size(); ++i) {
        std::vector<Vec2> triangle{from, ring[i], ring[(i + 1) % ring.size()]};
        const double area = area_of(triangle);
        if (area == 0.0) continue;
        const double sign = (area > 0.0) != is_hole ? 1.0 : -1.0;
        turn_counter_clockwise(triangle);
        pieces_.push_back({std::move(triangle), sign});
    }
}

bool MeasureShape::contains(Vec2 point) const
{
    bool inside = false;
    if (count_crossings(polygon_.shell, point, inside)) return false;
    for (const std::vector<Vec2>& hole : polygon_.holes) {
        if (count_crossings(hole, point, inside)) return false;
    }
    return inside;
}

double MeasureShape::overlap(const VoronoiCell& cell, Vec2 position)
{
    double area = 0.0;
    for (const Piece& piece : pieces_) {
        double part = overlap(cell.ring, position, piece);
        for (const std::vector<Vec2>& hole : cell.holes) part -= overlap(hole, position, piece);
        area += piece.sign * part;
    }
    return std::max(area, 0.0);
}

double MeasureShape::overlap(const std::vector<Vec2>& ring, Vec2 position, const Piece& piece)
{
    clipped_ = ring;
    const std::size_t count = piece.ring.size();
    for (std::size_t i = 0; i < count && !clipped_.empty(); ++i) {
        const Vec2 a = piece.ring[i] - position;
        const Vec2 b = piece.ring[(i + 1) % count] - position;
        const Vec2 outwards{b.y - a.y, a.x - b.x};
        clip_ring(clipped_, outwards, dot(a, outwards), spare_);
    }
    return signed_area(clipped_);
}

}  // namespace sidestep
