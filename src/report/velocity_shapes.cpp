// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/velocity_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sidestep {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
/// Corners of a whole circle: at 280 pixels of radius it leaves the true one by 0.1.
constexpr int kCorners = 120;

Vec2 unit(Vec2 a)
{
    const double length = std::sqrt(dot(a, a));
    return length > 0.0 ? a / length : Vec2{1.0, 0.0};
}

/// The direction in which the cone opens; legs of a very wide one nearly cancel, their inward
/// normals do not.
Vec2 axis_of(const Explanation::Cone& cone)
{
    const Vec2 left = cone.left_direction, right = cone.right_direction;
    return unit(left + right + Vec2{left.y, -left.x} + Vec2{-right.y, right.x});
}

/// Corners between the starts of the legs on the side from which the cone is seen.
void append_arc(const Explanation::Cone& cone, std::vector<Vec2>& out)
{
    const Vec2 from = cone.left_start - cone.arc_centre, to = cone.right_start - cone.arc_centre;
    const double begin = std::atan2(from.y, from.x);
    double turn = std::atan2(to.y, to.x) - begin;
    if (turn < 0.0) turn += kTurn;
    // The near arc goes over the point farthest against the directions of the legs.
    const Vec2 axis = axis_of(cone);
    const double middle = begin + 0.5 * turn;
    if (std::cos(middle) * axis.x + std::sin(middle) * axis.y > 0.0) turn -= kTurn;
    const int corners =
        std::max(2, static_cast<int>(std::ceil(std::fabs(turn) / kTurn * kCorners)));
    for (int i = 1; i < corners; ++i) {
        const double angle = begin + turn * i / corners;
        out.push_back(cone.arc_centre + Vec2{std::cos(angle), std::sin(angle)} * cone.arc_radius);
    }
}

/// Keeps what has signed distance >= 0 from one side of the square.
template <class Distance>
std::vector<Vec2> cut(const std::vector<Vec2>& polygon, Distance distance)
{
    std::vector<Vec2> out;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec2 a = polygon[i], b = polygon[(i + 1) % polygon.size()];
        const double at_a = distance(a), at_b = distance(b);
        if (at_a >= 0.0) out.push_back(a);
        if ((at_a >= 0.0) != (at_b >= 0.0)) out.push_back(a + (b - a) * (at_a / (at_a - at_b)));
    }
    return out;
}

/// The part of a -> b inside the square, as parts of its length; none where it passes by.
std::optional<std::pair<double, double>> part_inside(Vec2 a, Vec2 b, double half)
{
    double first = 0.0, last = 1.0;
    const auto keep = [&](double at_a, double at_b) {  // where the distance is >= 0
        if (at_a < 0.0 && at_b < 0.0) return false;
        if (at_a < 0.0) first = std::max(first, at_a / (at_a - at_b));
        if (at_b < 0.0) last = std::min(last, at_a / (at_a - at_b));
        return first <= last;
    };
    const bool meets = keep(half - a.x, half - b.x) && keep(half + a.x, half + b.x) &&
                       keep(half - a.y, half - b.y) && keep(half + a.y, half + b.y);
    if (!meets) return std::nullopt;
    return std::pair{first, last};
}

}  // namespace

double far_from(const Explanation::Cone& cone, double half)
{
    const auto size = [](Vec2 a) { return std::fabs(a.x) + std::fabs(a.y); };
    return 10.0 * (half + size(cone.left_start) + size(cone.right_start));
}

std::vector<Vec2> cone_outline(const Explanation::Cone& cone, double far)
{
    std::vector<Vec2> out{cone.left_start + cone.left_direction * far, cone.left_start};
    if (cone.arc_radius > 0.0) append_arc(cone, out);
    out.push_back(cone.right_start);
    out.push_back(cone.right_start + cone.right_direction * far);
    return out;
}

std::vector<Vec2> visible_cone(const Explanation::Cone& cone, double half)
{
    const double far = far_from(cone, half);
    std::vector<Vec2> polygon = cone_outline(cone, far);
    polygon.push_back(0.5 * (cone.left_start + cone.right_start) + axis_of(cone) * far);
    return clip_polygon(std::move(polygon), half);
}

std::vector<Vec2> clip_polygon(std::vector<Vec2> polygon, double half)
{
    polygon = cut(polygon, [&](Vec2 p) { return half - p.x; });
    polygon = cut(polygon, [&](Vec2 p) { return half + p.x; });
    polygon = cut(polygon, [&](Vec2 p) { return half - p.y; });
    polygon = cut(polygon, [&](Vec2 p) { return half + p.y; });
    if (polygon.size() < 3) polygon.clear();
    return polygon;
}

std::vector<std::vector<Vec2>> clip_line(std::span<const Vec2> line, double half)
{
    std::vector<std::vector<Vec2>> out;
    bool goes_on = false;  // the last part ends where the next piece begins
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const Vec2 a = line[i], b = line[i + 1];
        const auto part = part_inside(a, b, half);
        if (!part) {
            goes_on = false;
            continue;
        }
        if (!goes_on || part->first > 0.0) out.push_back({a + (b - a) * part->first});
        out.back().push_back(a + (b - a) * part->second);
        goes_on = part->second >= 1.0;
    }
    return out;
}

std::optional<std::pair<Vec2, Vec2>> clip_edge(const Explanation::Line& line, double half)
{
    const Vec2 n = unit(line.normal);
    const Vec2 along{n.y, -n.x};  // the allowed side is on its left
    const Vec2 nearest = n * dot(n, line.point);
    const double reach = 3.0 * half;  // more than from the centre to a corner
    const Vec2 a = nearest - along * reach, b = nearest + along * reach;
    const auto part = part_inside(a, b, half);
    if (!part || part->second <= part->first) return std::nullopt;
    return std::pair{a + (b - a) * part->first, a + (b - a) * part->second};
}

std::vector<Vec2> circle(Vec2 centre, double radius)
{
    std::vector<Vec2> out;
    for (int i = 0; i <= kCorners; ++i) {
        const double angle = kTurn * (i % kCorners) / kCorners;
        out.push_back(centre + Vec2{std::cos(angle), std::sin(angle)} * radius);
    }
    return out;
}

bool contains(std::span<const Vec2> convex, Vec2 point)
{
    bool left = false, right = false;
    for (std::size_t i = 0; i < convex.size(); ++i) {
        const Vec2 a = convex[i], b = convex[(i + 1) % convex.size()];
        const double side = det(b - a, point - a);
        left = left || side > 0.0;
        right = right || side < 0.0;
    }
    return !convex.empty() && !(left && right);
}

}  // namespace sidestep
