// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "navigation/steering.hpp"

#include <limits>

namespace sidestep {

using plane::det;
using plane::dot;
using plane::length;
using plane::Point;
using plane::unit;

namespace {

/// [m] Walls farther ahead than this do not bend the direction yet.
constexpr double kLookAhead = 3.0;
/// [m] Kept from a corner beyond the radius, where there is room.
constexpr double kMargin = 0.02;
/// [m] At most this much of the free width at a corner is used.
constexpr double kMaxExtra = 1.0;
/// [m] A direction is checked against the walls this far ahead.
constexpr double kGuard = 0.05;
/// [1] Sine of the largest angle between the line of sight to a corner and the direction taken to
/// keep away from it, as long as the corner is not passed.
constexpr double kMaxTurnOut = 0.85;
/// [radii] Walls farther aside of the wanted direction than this do not matter, not even after
/// those on the other side have bent it.
constexpr double kBeside = 3.0;
/// [m] Who keeps a distance but for this keeps it: the tangent to a circle has roundings.
constexpr double kKept = 1e-9;
/// [m] Rays end this far before their target, which may be the corner of a wall itself: below the
/// micrometre that vertices are apart.
constexpr double kStopShort = 1e-7;
/// [m] From nearer than this, the least distance of two vertices, a corner has no direction.
constexpr double kAtCorner = 1e-6;
/// [1] Cosine of the angle from which on a wall is met head on: along it there is no way ahead.
constexpr double kHeadOn = 0.1;

Point turn_left(Point d, double sine, double cosine)
{
    return {d.x * cosine - d.y * sine, d.x * sine + d.y * cosine};
}

/// The direction that passes a point at `d` at distance `radius`, leaving it on the left (side =
/// +1) or right (-1); across, where it is nearer already.
Point tangent(Point d, double radius, int side)
{
    const double dist = length(d);
    if (!(dist > 0)) return {};
    const double sine = std::min(1.0, radius / dist);
    const double cosine = std::sqrt(std::max(0.0, 1.0 - sine * sine));
    return turn_left({d.x / dist, d.y / dist}, -side * sine, cosine);
}

/// Walks along a ray from triangle to triangle. visit(right, left, at): crossed an edge with these
/// corners (3 t + i) at this distance; false stops. Returns false where a wall was met before
/// `reach`; `edge` is the last edge then.
template <class Visit>
bool walk_ray(const Topology& mesh, std::uint32_t triangle, Point p, Point direction, double reach,
              std::uint32_t& edge, Visit&& visit)
{
    // The edge through which the ray leaves the first triangle.
    edge = kNoIndex;
    double leaves_at = std::numeric_limits<double>::infinity();
    for (std::uint32_t e = 3 * triangle; e < 3 * triangle + 3; ++e) {
        const Point a = mesh.vertex(e), ab = mesh.vertex(next_edge(e)) - a;
        const double outwards = det(direction, ab);
        if (!(outwards > 0)) continue;
        const double ahead = det(a - p, ab);  // over `outwards`: at this distance
        if (ahead < leaves_at * outwards) leaves_at = std::max(0.0, ahead / outwards), edge = e;
    }
    // Each step leaves a triangle for good, as the ray is straight.
    for (std::size_t step = 0; step <= mesh.triangle_count(); ++step) {
        if (edge == kNoIndex || leaves_at >= reach) return true;
        if (!visit(edge, next_edge(edge), leaves_at)) return true;
        const std::uint32_t twin = mesh.twins[edge];
        if (twin == kNoIndex) return false;
        const std::uint32_t apex = previous_edge(twin);
        edge = det(direction, mesh.vertex(apex) - p) > 0 ? next_edge(twin) : apex;
        const Point a = mesh.vertex(edge), ab = mesh.vertex(next_edge(edge)) - a;
        const double outwards = det(direction, ab);
        leaves_at = outwards > 0 ? std::max(leaves_at, det(a - p, ab) / outwards) : leaves_at;
    }
    return true;
}

/// Points of walls that stick out beside the line of sight, and the directions between which a body
/// passes them.
class Limits {
public:
    Limits(Point wanted, double radius) : wanted_(wanted), radius_(radius) {}

    /// A point (relative to the body) that is to stay on the left (side = +1) or right (-1), at a
    /// distance.
    void add(Point x, double distance, int side)
    {
        const double aside = side * det(wanted_, x);
        if (aside > kBeside * radius_) return;
        // Points and their tangents are kept until one is in the way: mostly none is.
        in_the_way_ = in_the_way_ || aside < distance - kKept;
        if (count_ < kRoom) points_[count_++] = {x, distance, side};
    }

    /// The allowed direction nearest to the wanted one; the middle where nothing is allowed.
    Point choose() const
    {
        if (!in_the_way_) return wanted_;
        Point left{}, right{};  // 0: none
        double left_sq = 1.0, right_sq = 1.0;
        for (int i = 0; i < count_; ++i) {
            const auto& [place, distance, side] = points_[i];
            const Point limit = tangent(place, distance, side);
            Point& most = side > 0 ? left : right;
            const bool none = most.x == 0 && most.y == 0;
            if (!none && side * det(most, limit) >= 0) continue;
            most = limit;
            (side > 0 ? left_sq : right_sq) = dot(place, place);
        }
        if (det(left, right) > 0) {
            // Both cannot be kept: between, and the nearer counts more.
            const Point middle = unit(right_sq * left + left_sq * right);
            return middle.x != 0 || middle.y != 0 ? middle : wanted_;
        }
        if (det(left, wanted_) > 0) return left;
        if (det(right, wanted_) < 0) return right;
        return wanted_;
    }

private:
    static constexpr int kRoom = 16;  ///< points so near within a few metres
    struct Beside {
        Point place;
        double distance;
        int side;
    };
    Point wanted_;
    double radius_;
    bool in_the_way_ = false;
    int count_ = 0;
    Beside points_[kRoom];
};

/// Turns a direction that runs into a wall within a few centimetres along that wall.
Point keep_on_mesh(const Topology& mesh, std::uint32_t triangle, Point p, Point direction,
                   Point safe)
{
    for (int attempt = 0; attempt < 2; ++attempt) {
        std::uint32_t edge = kNoIndex;
        if (walk_ray(mesh, triangle, p, direction, kGuard, edge,
                     [](std::uint32_t, std::uint32_t, double) { return true; })) {
            return direction;
        }
        const Point along = unit(mesh.vertex(next_edge(edge)) - mesh.vertex(edge));
        const double forward = dot(along, direction);
        direction = std::abs(forward) < kHeadOn ? safe : forward > 0 ? along : -along;
        if (dot(direction, safe) < 0) direction = safe;
    }
    return safe;
}

/// Limits along the line of sight to a target; false where a wall is between.
bool find_limits(const Topology& mesh, std::uint32_t triangle, Point p, Point target, double radius,
                 std::uint32_t skip_vertex, Limits& limits)
{
    const Point way = target - p;
    const double dist = length(way);
    if (!(dist > 0)) return true;
    const Point direction{way.x / dist, way.y / dist};
    const auto add = [&](std::uint32_t corner, int side) {
        const Point x = mesh.vertex(corner) - p;
        const double ahead = dot(x, direction);
        if (ahead <= 0 || ahead > dist || mesh.corners[corner] == skip_vertex) return;
        // No farther from a wall than the target itself is: it may lie in a nook.
        limits.add(x, std::min(radius, length(x - way)), side);
    };
    std::uint32_t edge = kNoIndex;
    std::uint32_t last_right = kNoIndex, last_left = kNoIndex;  // vertices seen already
    return walk_ray(mesh, triangle, p, direction, std::min(dist - kStopShort, kLookAhead), edge,
                    [&](std::uint32_t right, std::uint32_t left, double) {
                        if (last_right == kNoIndex) {  // the third corner of p's own triangle
                            const std::uint32_t third = previous_edge(right);
                            add(third, det(direction, mesh.vertex(third) - p) > 0 ? 1 : -1);
                        }
                        if (mesh.corners[right] != last_right) add(right, -1);
                        if (mesh.corners[left] != last_left) add(left, 1);
                        last_right = mesh.corners[right];
                        last_left = mesh.corners[left];
                        return true;
                    });
}

}  // namespace

Point steer_round(const Topology& mesh, std::uint32_t triangle, Point p, const CornerAhead& corner,
                  double radius, double lateral)
{
    const Point to_corner = corner.place - p;
    const double dist = length(to_corner);
    const Point after = unit(corner.after - corner.place);
    if (!(dist > kAtCorner)) return after;
    const Point straight{to_corner.x / dist, to_corner.y / dist};
    const double room = std::max(0.0, 0.5 * corner.width - radius);
    const double keep = std::min(radius, 0.5 * corner.width) + std::min(kMargin, room);
    const double wanted = keep + lateral * std::min(kMaxExtra, std::max(0.0, room - kMargin));

    const int side = corner.turn > 0 ? 1 : -1;
    const Point aim = tangent(to_corner, std::min(wanted, kMaxTurnOut * dist), side);
    Limits limits(aim, radius);
    limits.add(to_corner, std::min(keep, kMaxTurnOut * dist), side);
    find_limits(mesh, triangle, p, corner.place, radius, corner.vertex, limits);
    Point direction = limits.choose();
    if (dist < keep) {
        // Too near: round it, and outwards.
        const Point across = turn_left(straight, -side, 0.0);
        const double out = (keep - dist) / keep;
        direction = unit(across - out * straight);
    }
    return keep_on_mesh(mesh, triangle, p, direction, straight);
}

Point steer_to(const Topology& mesh, std::uint32_t triangle, Point p, Point target, double radius,
               bool& seen)
{
    seen = true;
    const Point straight = unit(target - p);
    if (straight.x == 0 && straight.y == 0) return straight;
    Limits limits(straight, radius);
    seen = find_limits(mesh, triangle, p, target, radius, kNoIndex, limits);
    return keep_on_mesh(mesh, triangle, p, limits.choose(), straight);
}

bool sees(const Topology& mesh, std::uint32_t triangle, Point p, Point q, std::uint32_t& last)
{
    const Point way = q - p;
    const double dist = length(way);
    last = triangle;
    if (!(dist > 0)) return true;
    std::uint32_t edge = kNoIndex;
    const bool free = walk_ray(mesh, triangle, p, {way.x / dist, way.y / dist}, dist - kStopShort,
                               edge, [](std::uint32_t, std::uint32_t, double) { return true; });
    if (edge != kNoIndex) last = edge / 3;
    return free;
}

}  // namespace sidestep
