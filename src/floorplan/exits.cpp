// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "floorplan/exits.hpp"

#include <algorithm>
#include <cmath>

#include "floorplan/floorplan.hpp"

namespace sidestep {

namespace {

/// [steps of the lattice] Points this near to an edge are snapped onto it.
constexpr double kExactly = 0.4;
/// [1] Lines shorter than this many times `near` lie within it of a point, not along an outline.
constexpr double kShortest = 2.0;
/// [1] Beside a line, floor is looked for this many times `near` away (1 cm): surely off the
/// outline that the line lies on, and inside the narrowest room.
constexpr double kBeside = 10.0;
/// [1] An apron reaches this many times `near` into the floor, so that no slit is left between a
/// line that is off by `near` and the outline.
constexpr double kOverlap = 2.0;

struct Interval {
    double from, to;
};

/// Where along the line (0 to 1) it is within `near` of the line of an edge and beside that edge.
/// Lines on the same outline are parallel, so the rectangle round the edge is all that counts.
std::optional<Interval> clip_to_edge(const std::array<Vec2, 2>& line, Vec2 a, Vec2 b, double near)
{
    const double ex = b.x - a.x, ey = b.y - a.y;
    const double length = std::sqrt(ex * ex + ey * ey);
    if (!(length > 0)) return std::nullopt;
    const double ux = ex / length, uy = ey / length;
    const auto along = [&](Vec2 p) { return (p.x - a.x) * ux + (p.y - a.y) * uy; };
    const auto across = [&](Vec2 p) { return (p.y - a.y) * ux - (p.x - a.x) * uy; };

    Interval range{0.0, 1.0};
    const auto keep = [&](double at_0, double at_1) {  // values that must not be negative
        if (at_0 < 0 && at_1 < 0) return false;
        if (at_0 < 0) range.from = std::max(range.from, at_0 / (at_0 - at_1));
        if (at_1 < 0) range.to = std::min(range.to, at_0 / (at_0 - at_1));
        return range.from <= range.to;
    };
    const double a0 = along(line[0]), a1 = along(line[1]);
    const double c0 = across(line[0]), c1 = across(line[1]);
    if (!keep(a0 + near, a1 + near) || !keep(length + near - a0, length + near - a1)) {
        return std::nullopt;
    }
    if (!keep(near - c0, near - c1) || !keep(near + c0, near + c1)) return std::nullopt;
    return range;
}

bool lies_on_outline(std::span<const Polygon> floor, const std::array<Vec2, 2>& line, double near,
                     double length)
{
    std::vector<Interval> covered;
    const auto add_ring = [&](std::span<const Vec2> ring) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
            if (auto part = clip_to_edge(line, ring[i], ring[(i + 1) % ring.size()], near)) {
                covered.push_back(*part);
            }
        }
    };
    for (const Polygon& polygon : floor) {
        add_ring(polygon.shell);
        for (const std::vector<Vec2>& hole : polygon.holes) add_ring(hole);
    }
    std::sort(covered.begin(), covered.end(),
              [](const Interval& a, const Interval& b) { return a.from < b.from; });
    double reached = 0.0;
    const double slack = near / length;
    for (const Interval& part : covered) {
        if (part.from > reached + slack) return false;
        reached = std::max(reached, part.to);
    }
    return reached >= 1.0 - slack;
}

}  // namespace

std::optional<std::vector<Vec2>> make_apron(std::span<const Polygon> floor,
                                            const std::array<Vec2, 2>& line, double near,
                                            double depth)
{
    const double dx = line[1].x - line[0].x, dy = line[1].y - line[0].y;
    const double length = std::sqrt(dx * dx + dy * dy);
    if (!(length > kShortest * near) || !lies_on_outline(floor, line, near, length))
        return std::nullopt;

    Vec2 normal{-dy / length, dx / length};
    const Vec2 middle{line[0].x + 0.5 * dx, line[0].y + 0.5 * dy};
    const auto beside = [&](double by) {
        return covers(floor, {middle.x + by * normal.x, middle.y + by * normal.y});
    };
    const bool left = beside(kBeside * near), right = beside(-kBeside * near);
    if (left == right) return std::nullopt;
    if (left) normal = {-normal.x, -normal.y};

    const auto corner = [&](Vec2 end, double by) {
        return Vec2{end.x + by * normal.x, end.y + by * normal.y};
    };
    // A line that lies on the outline exactly needs no overlap, which would leave vertices there.
    const double overlap = lies_on_outline(floor, line, kExactly, length) ? 0.0 : kOverlap * near;
    return std::vector<Vec2>{corner(line[0], -overlap), corner(line[1], -overlap),
                             corner(line[1], depth), corner(line[0], depth)};
}

}  // namespace sidestep
