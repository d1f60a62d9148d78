// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "navigation/topology.hpp"

#include <limits>

namespace sidestep {

using plane::det;
using plane::dot;
using plane::length;
using plane::Point;

namespace {

/// Sine of the angle by which a wall may bend and still count as straight: below it a corner hides
/// less than a micrometre of a long hall.
constexpr double kStraight = 1e-9;

/// [m] Widths that differ by roundings only are one: a plan repeats its doors.
constexpr double kSameWidth = 1e-6;
/// With more throats than this that are narrower than kWide [m], those within a centimetre are one,
/// and as narrow as the narrowest of them: every set of passable throats costs a search and its
/// memory.
constexpr std::ptrdiff_t kManyThroats = 64;
constexpr double kWide = 2.0;
constexpr double kCoarseWidth = 0.01;

bool is_closed(const NavigationMesh& mesh, std::span<const std::uint8_t> door_is_open,
               std::uint32_t triangle)
{
    const std::uint16_t door = mesh.door.empty() ? kNoDoor : mesh.door[triangle];
    return door != kNoDoor && door < door_is_open.size() && door_is_open[door] == 0;
}

void set_twins(const NavigationMesh& mesh, std::span<const std::uint8_t> door_is_open,
               Topology& out)
{
    out.twins.assign(out.corners.size(), kNoIndex);
    for (std::uint32_t e = 0; e < out.corners.size(); ++e) {
        const std::uint32_t t = e / 3, n = mesh.neighbours[t][e % 3];
        if (n == kNoTriangle || is_closed(mesh, door_is_open, t) ||
            is_closed(mesh, door_is_open, n)) {
            continue;
        }
        for (std::uint32_t k = 3 * n; k < 3 * n + 3; ++k) {
            if (out.corners[k] == out.corners[next_edge(e)] &&
                out.corners[next_edge(k)] == out.corners[e]) {
                out.twins[e] = k;
            }
        }
    }
}

/// The way round a point c beyond half-edge e, [Demyen06]: as narrow as the nearest wall that can
/// be reached across edges with c's foot between their ends; `best` is the least width so far.
double search_width(const Topology& mesh, Point c, std::uint32_t e, double best, int depth)
{
    const Point u = mesh.vertex(e), v = mesh.vertex(next_edge(e));
    const Point uv = v - u;
    if (dot(c - u, uv) < 0 || dot(c - v, uv) > 0) return best;  // obtuse: an end is nearest
    const double size = length(uv);
    const double away = size > 0 ? std::abs(det(uv, c - u)) / size : 0.0;
    if (away >= best) return best;
    const std::uint32_t twin = mesh.twins[e];
    if (twin == kNoIndex) return away;
    if (depth == 0) return away;
    best = std::min(best, length(mesh.vertex(previous_edge(twin)) - c));
    best = search_width(mesh, c, next_edge(twin), best, depth - 1);
    return search_width(mesh, c, previous_edge(twin), best, depth - 1);
}

/// Keeps the least of each group of throats.
void join_throats(std::vector<double>& throats, double within)
{
    std::size_t kept = 0;
    for (const double width : throats) {
        if (kept == 0 || width - throats[kept - 1] > within) throats[kept++] = width;
    }
    throats.resize(kept);
}

void set_clearances(Topology& mesh)
{
    constexpr int kDepth = 64;  // edges beyond the opposite one; in a Delaunay mesh a few
    mesh.clearances.resize(mesh.corners.size());
    mesh.throats.clear();
    for (std::uint32_t e = 0; e < mesh.corners.size(); ++e) {
        const Point c = mesh.vertex(e);
        const double best = std::min(length(mesh.vertex(next_edge(e)) - c),
                                     length(mesh.vertex(previous_edge(e)) - c));
        mesh.clearances[e] = search_width(mesh, c, next_edge(e), best, kDepth);
        if (mesh.twins[e] != kNoIndex && mesh.twins[previous_edge(e)] != kNoIndex) {
            mesh.throats.push_back(mesh.clearances[e]);
        }
    }
    std::sort(mesh.throats.begin(), mesh.throats.end());
    join_throats(mesh.throats, kSameWidth);
    const auto wide = std::lower_bound(mesh.throats.begin(), mesh.throats.end(), kWide);
    if (wide - mesh.throats.begin() > kManyThroats) join_throats(mesh.throats, kCoarseWidth);
}

/// Whether the directions round a vertex, from wall to wall, span more than half a turn.
bool spans_more_than_half(const Topology& mesh, std::span<const std::uint32_t> corners)
{
    const Point v = mesh.vertex(corners[0]);
    const Point wall = mesh.vertex(next_edge(corners[0])) - v;
    for (const std::uint32_t corner : corners) {
        const Point u = mesh.vertex(previous_edge(corner)) - v;
        if (det(wall, u) < -kStraight * length(wall) * length(u)) return true;
    }
    return false;
}

double width_beside(const Topology& mesh, std::span<const std::uint32_t> corners)
{
    double width = std::numeric_limits<double>::infinity();
    const Point v = mesh.vertex(corners[0]);
    for (const std::uint32_t corner : corners) {
        const bool left_open = mesh.twins[previous_edge(corner)] != kNoIndex;
        const bool right_open = mesh.twins[corner] != kNoIndex;
        if (left_open) width = std::min(width, length(mesh.vertex(previous_edge(corner)) - v));
        if (left_open && right_open) width = std::min(width, mesh.clearances[corner]);
    }
    return width;
}

void set_fans(Topology& mesh)
{
    mesh.fans.clear();
    mesh.fan_corners.clear();
    mesh.fan_of.assign(mesh.corners.size(), kNoIndex);
    mesh.place_in_fan.assign(mesh.corners.size(), 0);
    for (std::uint32_t start = 0; start < mesh.corners.size(); ++start) {
        if (mesh.twins[start] != kNoIndex) continue;  // a fan starts with a wall on its right
        Topology::Fan fan;
        fan.first = static_cast<std::uint32_t>(mesh.fan_corners.size());
        fan.vertex = mesh.corners[start];
        const auto id = static_cast<std::uint32_t>(mesh.fans.size());
        for (std::uint32_t corner = start;;) {
            mesh.fan_of[corner] = id;
            mesh.place_in_fan[corner] = fan.count++;
            mesh.fan_corners.push_back(corner);
            const std::uint32_t across = mesh.twins[previous_edge(corner)];
            if (across == kNoIndex) break;
            corner = across;
        }
        const std::span<const std::uint32_t> corners(mesh.fan_corners.data() + fan.first,
                                                     fan.count);
        fan.reflex = spans_more_than_half(mesh, corners);
        fan.width = width_beside(mesh, corners);
        mesh.fans.push_back(fan);
    }
}

}  // namespace

Topology make_topology(const NavigationMesh& mesh, std::span<const std::uint8_t> door_is_open)
{
    Topology out;
    if (!mesh.vertices.empty()) {
        double low_x = mesh.vertices[0].x, high_x = low_x;
        double low_y = mesh.vertices[0].y, high_y = low_y;
        for (const Vec2 v : mesh.vertices) {
            low_x = std::min(low_x, v.x), high_x = std::max(high_x, v.x);
            low_y = std::min(low_y, v.y), high_y = std::max(high_y, v.y);
        }
        // Whole metres: subtracting them is exact.
        out.origin_x = std::floor(0.5 * (low_x + high_x));
        out.origin_y = std::floor(0.5 * (low_y + high_y));
    }
    for (const Vec2 v : mesh.vertices) out.vertices.push_back(out.local(v));
    for (const auto& t : mesh.triangles) out.corners.insert(out.corners.end(), t.begin(), t.end());
    set_twins(mesh, door_is_open, out);
    set_clearances(out);
    set_fans(out);
    return out;
}

}  // namespace sidestep
