// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "navigation/goal_shape.hpp"

namespace sidestep {

using plane::dot;
using plane::length;
using plane::Point;

namespace {

/// [m] Between two points that stand for a line.
constexpr double kSpacing = 0.5;
/// [m] The ends of a line are no goals by themselves: bodies have a radius.
constexpr double kEnd = 0.25;
/// [m] Kept from the ends of a line beyond the radius.
constexpr double kMargin = 0.05;
/// [m] Who is to cross a line aims at a point this far behind it.
constexpr double kBeyond = 0.5;
/// [m] Points that stand for the rim of an area lie this far inside: whoever comes there has
/// arrived, and behind a thin wall along the rim nobody has.
constexpr double kInside = 0.01;
/// [1] How far aside of the nearest point of a line an agent aims, per distance to it.
constexpr double kAside = 0.5;

bool lies_in_ring(const std::vector<Point>& ring, Point p)
{
    bool inside = false;
    for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
        if (plane::crosses_right(ring[j] - p, ring[i] - p)) inside = !inside;
    }
    return inside;
}

bool lies_in_area(const GoalShape::Part& part, Point p)
{
    return part.kind == GoalShape::Part::Kind::area && lies_in_ring(part.points, p) &&
           std::none_of(part.holes.begin(), part.holes.end(),
                        [&](const std::vector<Point>& hole) { return lies_in_ring(hole, p); });
}

class ShapeMaker {
public:
    ShapeMaker(const Topology& mesh, const Locator& locator) : mesh_(mesh), locator_(locator) {}

    GoalShape shape;

    void add_point(Point p)
    {
        begin(GoalShape::Part::Kind::point, {p});
        add_source(p);
    }

    void add_line(Point a, Point b)
    {
        begin(GoalShape::Part::Kind::line, {a, b});
        const double size = length(b - a);
        const double end = size > 0 ? std::min(kEnd, 0.25 * size) / size : 0.0;
        add_samples(a + end * (b - a), b - end * (b - a));
        const Point along = plane::unit(b - a), middle = 0.5 * (a + b);
        for (const int left : {0, 1}) {
            const Point beside =
                middle + (left == 1 ? kBeyond : -kBeyond) * Point{-along.y, along.x};
            shape.parts.back().goes_on[left] =
                locator_.find(mesh_, beside, kNoIndex, 0.0) != kNoIndex;
        }
    }

    void add_area(std::vector<Point> shell, std::vector<std::vector<Point>> holes)
    {
        if (shell.size() < 3) return;
        std::erase_if(holes, [](const std::vector<Point>& hole) { return hole.size() < 3; });
        begin(GoalShape::Part::Kind::area, std::move(shell));
        GoalShape::Part& part = shape.parts.back();
        part.holes = std::move(holes);
        add_rim(part, part.points, 1.0);
        for (const std::vector<Point>& hole : part.holes) add_rim(part, hole, -1.0);
        // The rim may lie outside the floor altogether: points inside stand for it as well.
        std::vector<Point>& anchors = part.anchors;
        for (std::uint32_t t = 0; t < mesh_.triangle_count(); ++t) {
            const Point a = mesh_.vertex(3 * t), b = mesh_.vertex(3 * t + 1),
                        c = mesh_.vertex(3 * t + 2);
            const Point centre = (1.0 / 3.0) * (a + b + c);
            for (const Point p : {centre, 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)}) {
                if (lies_in_area(part, p)) anchors.push_back(p);
            }
        }
        for (const Point p : anchors) add_source(p);
        add_grid(part);
    }

private:
    const Topology& mesh_;
    const Locator& locator_;

    void begin(GoalShape::Part::Kind kind, std::vector<Point> points)
    {
        GoalShape::Part& part = shape.parts.emplace_back();
        part.kind = kind;
        part.points = std::move(points);
    }

    bool add_source(Point p)
    {
        if (locator_.find(mesh_, p, kNoIndex, kSourceReach) == kNoIndex) return false;
        shape.sources.push_back({p, static_cast<std::uint32_t>(shape.parts.size() - 1)});
        return true;
    }

    void add_samples(Point a, Point b)
    {
        const double size = length(b - a);
        const auto pieces = static_cast<std::size_t>(std::ceil(size / kSpacing));
        for (std::size_t i = 0; i <= pieces; ++i) {
            const double s =
                pieces == 0 ? 0.0 : static_cast<double>(i) / static_cast<double>(pieces);
            add_source(a + s * (b - a));
        }
    }

    /// Samples of a ring of an area, on its inner side (+1) or on the outer one of a hole (-1).
    void add_rim(const GoalShape::Part& part, const std::vector<Point>& ring, double side)
    {
        double turn = 0.0;  // twice the signed area
        for (std::size_t i = 0; i < ring.size(); ++i) {
            turn += plane::det(ring[i] - ring[0], ring[(i + 1) % ring.size()] - ring[0]);
        }
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const Point a = ring[i], b = ring[(i + 1) % ring.size()];
            const Point along = plane::unit(b - a);
            const double size = length(b - a), end = std::min(kInside, 0.25 * size);
            const Point inwards = side * (turn > 0 ? kInside : -kInside) * Point{-along.y, along.x};
            const auto pieces = static_cast<std::size_t>(std::ceil((size - 2 * end) / kSpacing));
            for (std::size_t k = 0; k <= pieces; ++k) {
                const double s =
                    pieces == 0 ? 0.5 : static_cast<double>(k) / static_cast<double>(pieces);
                const Point p = a + (end + s * (size - 2 * end)) * along + inwards;
                if (lies_in_area(part, p)) add_source(p);
            }
        }
    }

    /// Places to spread over inside an area: a grid of some 10 x 10.
    void add_grid(GoalShape::Part& part)
    {
        Point low = part.points[0], high = low;
        for (const Point p : part.points) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        constexpr int kCells = 10;
        part.anchors.clear();
        for (int y = 0; y < kCells; ++y) {
            for (int x = 0; x < kCells; ++x) {
                const Point p{low.x + (x + 0.5) / kCells * (high.x - low.x),
                              low.y + (y + 0.5) / kCells * (high.y - low.y)};
                if (lies_in_area(part, p) && locator_.find(mesh_, p, kNoIndex, 0.0) != kNoIndex) {
                    part.anchors.push_back(p);
                }
            }
        }
    }
};

}  // namespace

GoalShape make_goal_shape(const Topology& mesh, const Locator& locator, const RouteGoal& goal)
{
    ShapeMaker maker(mesh, locator);
    for (const Vec2 p : goal.points) maker.add_point(mesh.local(p));
    for (const auto& line : goal.lines) maker.add_line(mesh.local(line[0]), mesh.local(line[1]));
    const auto make_ring = [&](const std::vector<Vec2>& points) {
        std::vector<Point> ring;
        ring.reserve(points.size());
        for (const Vec2 p : points) ring.push_back(mesh.local(p));
        return ring;
    };
    for (const RouteArea& area : goal.areas) {
        std::vector<std::vector<Point>> holes;
        for (const std::vector<Vec2>& hole : area.holes) holes.push_back(make_ring(hole));
        maker.add_area(make_ring(area.shell), std::move(holes));
    }
    return std::move(maker.shape);
}

bool lies_in_part(const GoalShape& shape, const Root& root, Point p)
{
    return lies_in_area(shape.parts[root.part], p);
}

double distance_to_part(const GoalShape& shape, const Root& root, Point p)
{
    const GoalShape::Part& part = shape.parts[root.part];
    if (lies_in_area(part, p)) return 0.0;
    if (part.kind != GoalShape::Part::Kind::line) return length(root.place - p);
    // The nearest point of the piece of the line about the sample: p sees that.
    const Point along = plane::unit(part.points[1] - part.points[0]);
    const Point q = plane::nearest_on(root.place - 0.5 * kSpacing * along,
                                      root.place + 0.5 * kSpacing * along, p);
    return length(plane::nearest_on(part.points[0], part.points[1], q) - p);
}

Point choose_target(const GoalShape& shape, const Root& root, Point p, double radius,
                    double lateral)
{
    const GoalShape::Part& part = shape.parts[root.part];
    if (part.kind == GoalShape::Part::Kind::area) {
        if (part.anchors.empty() || !lies_in_area(part, p)) return root.place;
        const auto count = static_cast<double>(part.anchors.size());
        const Point anchor =
            part.anchors[static_cast<std::size_t>(std::clamp(lateral * count, 0.0, count - 1.0))];
        return length(anchor - p) < kMargin + radius ? p : anchor;
    }
    if (part.kind == GoalShape::Part::Kind::point) return root.place;
    const Point a = part.points[0], along = part.points[1] - a;
    const double size = length(along);
    if (!(size > 0)) return a;
    const double end = std::min(radius + kMargin, 0.5 * size);
    const double nearest = std::clamp(dot(p - a, along) / size, end, size - end);
    const double own = end + lateral * (size - 2 * end);
    const double aside = kAside * length(a + (nearest / size) * along - p);
    const double aim = nearest + std::clamp(own - nearest, -aside, aside);
    const Point target = a + (aim / size) * along;
    // To arrive is to cross it: a point on the line itself would be reached with a last little
    // step.
    const bool on_left = plane::det(along, p - a) > 0;
    if (!part.goes_on[on_left ? 0 : 1]) return target;
    const double away = (on_left ? -kBeyond : kBeyond) / size;
    return target + away * Point{-along.y, along.x};
}

}  // namespace sidestep
