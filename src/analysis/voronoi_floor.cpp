// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/convex_clip.hpp"
#include "analysis/voronoi.hpp"

namespace sidestep {

namespace {

/// What is nearer to a line than this lies on it [m]: far below what a recording says of places,
/// far above the rounding of plans of some kilometres.
constexpr double kOnLine = 1e-10;

/// Tiles know at least so much more than their reach [1]: a cut-off of 1 m is not to miss them by a
/// rounding.
constexpr double kTileSlack = 1.001;

double distance_to_segment(Vec2 point, Vec2 a, Vec2 b)
{
    const Vec2 along = b - a;
    const double length_sq = dot(along, along);
    const double t =
        length_sq > 0.0 ? std::clamp(dot(point - a, along) / length_sq, 0.0, 1.0) : 0.0;
    const Vec2 apart = point - (a + along * t);
    return std::sqrt(dot(apart, apart));
}

/// False: a segment is farther from a point than `range`, along x or y alone.
bool may_be_near(Vec2 point, double range, Vec2 a, Vec2 b)
{
    return std::min(a.x, b.x) <= point.x + range && std::max(a.x, b.x) >= point.x - range &&
           std::min(a.y, b.y) <= point.y + range && std::max(a.y, b.y) >= point.y - range;
}

/// How far a point is inside of a convex counter-clockwise ring [m]; negative outside.
double depth_in(std::span<const Vec2> ring, Vec2 point)
{
    double depth = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 along = ring[(i + 1) % ring.size()] - ring[i];
        const double length = std::sqrt(dot(along, along));
        if (length > kOnLine) depth = std::min(depth, det(along, point - ring[i]) / length);
    }
    return depth;
}

/// What a segment does to a convex ring.
enum class Touch : std::uint8_t { misses, spans, ends_inside };

Touch touch_of(std::span<const Vec2> ring, Vec2 a, Vec2 b)
{
    double first = 0.0, last = 1.0;  // the part of a -> b that is in the ring
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 along = ring[(i + 1) % ring.size()] - ring[i];
        const double at_a = det(along, a - ring[i]);
        const double at_b = det(along, b - ring[i]);
        if (at_a <= 0.0 && at_b <= 0.0) return Touch::misses;
        if (at_a < 0.0) first = std::max(first, at_a / (at_a - at_b));
        if (at_b < 0.0) last = std::min(last, at_a / (at_a - at_b));
    }
    if (!(first < last)) return Touch::misses;
    if (depth_in(ring, a + (b - a) * ((first + last) / 2.0)) <= kOnLine) return Touch::misses;
    const bool has_end = depth_in(ring, a) > kOnLine || depth_in(ring, b) > kOnLine;
    return has_end ? Touch::ends_inside : Touch::spans;
}

}  // namespace

/// Where the point (0, 0) is: a ray to +x crosses the outline an odd number of times from the
/// floor.
FloorCutter::Side FloorCutter::side_of(std::span<const Edge> edges) const
{
    bool inside = false;
    for (const Edge& edge : edges) {
        if (may_be_near({}, kOnLine, edge.a, edge.b) &&
            distance_to_segment({}, edge.a, edge.b) <= kOnLine)
            return Side::outline;
        if ((edge.a.y > 0.0) == (edge.b.y > 0.0)) continue;
        const bool upwards = edge.b.y > edge.a.y;
        if ((det(edge.a, edge.b) > 0.0) == upwards) inside = !inside;
    }
    return inside ? Side::on : Side::off;
}

FloorTiles& FloorCutter::tiles_for(double reach)
{
    int power = 0;  // tiles for less than 1 m are not worth their making
    while (std::ldexp(kTileSlack, power) < reach) ++power;
    return tiles_.try_emplace(power, *floor_, std::ldexp(1.0, power)).first->second;
}

bool FloorCutter::cut(Vec2 position, VoronoiCell& cell)
{
    if (floor_->open_plane) return true;
    const Vec2 at = position - floor_->origin;
    const double reach = std::sqrt(farthest_sq(cell.ring));
    FloorTiles& tiles = tiles_for(reach);
    const FloorTiles::Tile* tile = tiles.tile_at(at);
    if (tile == nullptr) return false;
    edges_.clear();
    for (const Edge& edge : FloorTiles::edges_of(*tile)) {
        edges_.push_back({edge.a - at, edge.b - at});
    }
    const Side side = side_of(edges_);
    if (side == Side::off) return false;

    std::erase_if(edges_, [&](const Edge& edge) {
        return !may_be_near({}, reach, edge.a, edge.b) ||
               touch_of(cell.ring, edge.a, edge.b) == Touch::misses;
    });
    const bool is_done = edges_.empty() || (side == Side::on && cut_at_spanning_walls(cell));
    if (!is_done) {
        spare_.clear();
        for (const Vec2 corner : cell.ring) spare_.push_back(at + corner);
        if (!cut_by_overlay(tiles.parts_on_floor(*tile, spare_), at, cell)) return false;
    }
    measure(cell);
    return true;
}

/// A wall that spans a convex cell from side to side leaves the walker's side of it, whatever else
/// there is. False: walls are left that end inside.
bool FloorCutter::cut_at_spanning_walls(VoronoiCell& cell)
{
    for (bool has_cut = true; has_cut && !edges_.empty();) {
        has_cut = false;
        for (const Edge& edge : edges_) {
            if (touch_of(cell.ring, edge.a, edge.b) != Touch::spans) continue;
            const Vec2 along = edge.b - edge.a;
            Vec2 normal{-along.y, along.x};  // to be turned away from the walker
            if (dot(edge.a, normal) < 0.0) normal = -normal;
            has_cut |= clip_ring(cell.ring, normal, dot(edge.a, normal), spare_);
        }
        std::erase_if(edges_, [&](const Edge& edge) {
            return touch_of(cell.ring, edge.a, edge.b) == Touch::misses;
        });
    }
    return edges_.empty();
}

/// Takes of the parts of the cell that with the walker in it; of one on the outline, that which it
/// touches.
bool FloorCutter::cut_by_overlay(std::vector<Polygon> parts, Vec2 at, VoronoiCell& cell)
{
    if (parts.empty()) return false;
    std::size_t chosen = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        edges_.clear();
        const auto add_edges = [&](std::span<const Vec2> ring) {
            for (std::size_t k = 0; k < ring.size(); ++k) {
                edges_.push_back({ring[k] - at, ring[(k + 1) % ring.size()] - at});
            }
        };
        add_edges(parts[i].shell);
        for (const std::vector<Vec2>& hole : parts[i].holes) add_edges(hole);
        double distance = 0.0;
        if (side_of(edges_) == Side::off) {
            distance = std::numeric_limits<double>::infinity();
            for (const Edge& edge : edges_) {
                distance = std::min(distance, distance_to_segment({}, edge.a, edge.b));
            }
        }
        if (distance < least) {
            least = distance;
            chosen = i;
        }
    }
    const auto about_walker = [&](std::vector<Vec2>& ring) {
        for (Vec2& corner : ring) corner -= at;
        if (signed_area(ring) < 0.0) std::reverse(ring.begin(), ring.end());
    };
    cell.ring = std::move(parts[chosen].shell);
    about_walker(cell.ring);
    cell.holes = std::move(parts[chosen].holes);
    for (std::vector<Vec2>& hole : cell.holes) about_walker(hole);
    return true;
}

void FloorCutter::measure(VoronoiCell& cell) const
{
    cell.full_area = signed_area(cell.ring);
    for (const std::vector<Vec2>& hole : cell.holes) cell.full_area -= signed_area(hole);
}

}  // namespace sidestep
