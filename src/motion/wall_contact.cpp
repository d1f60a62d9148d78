// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "motion/wall_contact.hpp"

#include <algorithm>
#include <cmath>

namespace sidestep {

namespace {

/// Time in [0, 1] at which p + t d first comes within r of the point q, or 1 if it does not.
float time_to_point(float px, float py, float dx, float dy, float qx, float qy, float r)
{
    const float rx = px - qx;
    const float ry = py - qy;
    const float b = rx * dx + ry * dy;
    if (!(b < 0.0f)) return 1.0f;  // moving away
    const float a = dx * dx + dy * dy;
    const float c = rx * rx + ry * ry - r * r;
    const float discriminant = b * b - a * c;
    if (discriminant <= 0.0f) return 1.0f;
    return std::clamp(c / (-b + std::sqrt(discriminant)), 0.0f, 1.0f);
}

/// The same for an edge approached from its free side.
float time_to_edge(const WallEdgeRow& edge, float px, float py, float dx, float dy, float r)
{
    // Distance to the carrier line falls at the rate -dn; the free side is to the right of the edge.
    const float nx = edge.shape.direction.y;
    const float ny = -edge.shape.direction.x;
    const float dn = nx * dx + ny * dy;
    float earliest = 1.0f;
    if (dn < 0.0f) {
        const float gap = nx * (px - edge.shape.a.x) + ny * (py - edge.shape.a.y) - r;
        const float t = std::max(gap / -dn, 0.0f);
        if (t < 1.0f) {
            const float along = edge.shape.direction.x * (px + t * dx - edge.shape.a.x) + edge.shape.direction.y * (py + t * dy - edge.shape.a.y);
            const float length = edge.shape.direction.x * (edge.shape.b.x - edge.shape.a.x) + edge.shape.direction.y * (edge.shape.b.y - edge.shape.a.y);
            if (along >= 0.0f && along <= length) earliest = t;
        }
    }
    earliest = std::min(earliest, time_to_point(px, py, dx, dy, edge.shape.a.x, edge.shape.a.y, r));
    return std::min(earliest, time_to_point(px, py, dx, dy, edge.shape.b.x, edge.shape.b.y, r));
}

double side_at(const WallEdgeRow& before, const WallEdgeRow& after, double t, double x, double y)
{
    const double ax = before.shape.a.x + t * (double{after.shape.a.x} - before.shape.a.x);
    const double ay = before.shape.a.y + t * (double{after.shape.a.y} - before.shape.a.y);
    const double bx = before.shape.b.x + t * (double{after.shape.b.x} - before.shape.b.x);
    const double by = before.shape.b.y + t * (double{after.shape.b.y} - before.shape.b.y);
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

/// Whether the point projects onto the edge at time t, ends included.
bool beside_at(const WallEdgeRow& before, const WallEdgeRow& after, double t, double x, double y)
{
    const double ax = before.shape.a.x + t * (double{after.shape.a.x} - before.shape.a.x);
    const double ay = before.shape.a.y + t * (double{after.shape.a.y} - before.shape.a.y);
    const double ex = before.shape.b.x + t * (double{after.shape.b.x} - before.shape.b.x) - ax;
    const double ey = before.shape.b.y + t * (double{after.shape.b.y} - before.shape.b.y) - ay;
    const double along = (x - ax) * ex + (y - ay) * ey;
    return along >= 0.0 && along <= ex * ex + ey * ey;
}

/// Time at which a moving edge passes over a point it had in front of it, or 2 if it does not.
double time_of_passing(const WallEdgeRow& before, const WallEdgeRow& after, double x, double y)
{
    if (!faces(before, static_cast<float>(x), static_cast<float>(y)) || !(side_at(before, after, 1.0, x, y) > 0.0)) return 2.0;
    double low = 0.0;
    double high = 1.0;
    for (int i = 0; i < 40; ++i) {  // halving: a fixed count, the same bits everywhere
        const double middle = 0.5 * (low + high);
        (side_at(before, after, middle, x, y) > 0.0 ? high : low) = middle;
    }
    return beside_at(before, after, high, x, y) ? high : 2.0;
}

/// The point at distance `radius` in front of the carrier of an edge, straight out from (x, y).
Carried in_front_of(const WallEdgeRow& edge, float x, float y, float radius)
{
    const float nx = edge.shape.direction.y;
    const float ny = -edge.shape.direction.x;
    const float missing = radius - (nx * (x - edge.shape.a.x) + ny * (y - edge.shape.a.y));
    return {true, x + missing * nx, y + missing * ny};
}

}  // namespace

float free_share(const WallIndex& index, float x, float y, float dx, float dy, float radius, std::uint16_t level,
                 std::uint32_t ignored) noexcept
{
    float share = 1.0f;
    const Box swept{std::min(x, x + dx), std::min(y, y + dy), std::max(x, x + dx), std::max(y, y + dy)};
    for_each_edge_near(index, swept, radius, level, [&](std::size_t row) {
        const WallEdgeRow& edge = index.edges[row];
        if (edge.wall == ignored || !faces(edge, x, y)) return;
        const float closest = std::min(radius, std::sqrt(dist_sq(edge, x, y)));
        const float kept = closest - std::min(kContactSlop, 0.5f * closest);
        share = std::min(share, time_to_edge(edge, x, y, dx, dy, kept));
    });
    return share;
}

Carried carry(std::span<const WallEdgeRow> before, std::span<const WallEdgeRow> after, float x, float y, float radius) noexcept
{
    double first = 2.0;
    std::size_t face = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double t = time_of_passing(before[i], after[i], x, y);
        if (t < first) {
            first = t;
            face = i;
        }
    }
    return first > 1.0 ? Carried{} : in_front_of(after[face], x, y, radius);
}

Carried expel(std::span<const WallEdgeRow> solid, float x, float y, float radius) noexcept
{
    const WallEdgeRow* nearest = nullptr;
    float nearest_sq = 0.0f;
    for (const WallEdgeRow& edge : solid) {
        const float distance = dist_sq(edge, x, y);
        if (nearest == nullptr || distance < nearest_sq) {
            nearest = &edge;
            nearest_sq = distance;
        }
    }
    return nearest == nullptr ? Carried{} : in_front_of(*nearest, x, y, radius);
}

}  // namespace sidestep
