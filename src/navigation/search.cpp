// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "navigation/search.hpp"

#include <limits>
#include <queue>

namespace sidestep {

using plane::det;
using plane::dot;
using plane::length;
using plane::Point;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// [m] Points nearer than this coincide: far above roundings of a floor of some km about its own
/// origin, far below the micrometre that vertices are apart.
constexpr double kSame = 1e-10;
/// [m] A way must be shorter by more than this to count.
constexpr double kShorter = 1e-12;
/// [1] Sine of the angle of directions that coincide.
constexpr double kParallel = 1e-12;
/// [m] A point this far outside a wedge is in it: on the common edge of two wedges one of them must
/// hold it, and both were rounded far from their root.
constexpr double kSeen = 1e-8;

/// Something that happens at a distance from the goal.
struct Event {
    enum class Kind : std::uint8_t { window, corner, found };

    double key = 0.0;  ///< least length of a way that this can lead to
    std::uint32_t serial = 0;
    Kind kind = Kind::window;
    std::int8_t turn = 0;     ///< corner: which way round
    std::uint32_t at = 0;     ///< window: the half-edge entered; corner: the corner 3 t + i
    std::uint32_t entry = 0;  ///< corner: the half-edge its triangle was entered by, or kNoIndex
    std::uint32_t root = 0;
    double left = 0.0, right = 1.0;  ///< window: part of the half-edge, from its start

    bool operator<(const Event& other) const  // the least on top of the heap
    {
        return key != other.key ? key > other.key : serial > other.serial;
    }
};

/// A window that has been taken, in the list of its half-edge.
struct Taken {
    double left, right;
    std::uint32_t root;
    std::uint32_t next;
};

class WindowSearch {
public:
    WindowSearch(const Topology& mesh, double width) : mesh_(mesh), width_(width)
    {
        taken_at_.assign(mesh.corners.size(), kNoIndex);
        best_.assign(2 * mesh.fans.size(), kInfinity);
        settled_.assign(2 * mesh.fans.size(), 0);
    }

    std::vector<Root> roots;
    std::vector<std::uint32_t> sight_triangles;
    std::vector<Sight> sights;
    std::uint32_t found = kNoIndex;  ///< the root that the start sees

    void set_target(Point target, std::vector<std::uint32_t> triangles)
    {
        has_target_ = true;
        target_ = target;
        target_triangles_ = std::move(triangles);
    }

    /// Lights the triangles that hold a source.
    void add_source(const Source& source, std::span<const std::uint32_t> triangles)
    {
        const auto root = static_cast<std::uint32_t>(roots.size());
        roots.push_back({source.place, 0.0, kNoIndex, kNoIndex, source.part, 0});
        for (const std::uint32_t t : triangles) {
            see(t, root, Point{}, Point{});
            for (std::uint32_t e = 3 * t; e < 3 * t + 3; ++e) {
                reach_corner(e, kNoIndex, root);
                const Point a = mesh_.vertex(e), b = mesh_.vertex(next_edge(e));
                if (length(plane::nearest_on(a, b, source.place) - source.place) <= kSame) continue;
                push_window(mesh_.twins[e], root, 0.0, 1.0);
            }
        }
    }

    void run()
    {
        while (!queue_.empty()) {
            const Event event = queue_.top();
            queue_.pop();
            if (event.kind == Event::Kind::found) {
                found = event.root;
                return;
            }
            if (event.kind == Event::Kind::corner) {
                turn_at_corner(event);
            } else {
                pass_window(event);
            }
        }
    }

private:
    const Topology& mesh_;
    double width_;
    bool has_target_ = false;
    Point target_{};
    std::vector<std::uint32_t> target_triangles_;
    std::priority_queue<Event> queue_;
    std::uint32_t serial_ = 0;
    std::vector<Taken> taken_;
    std::vector<std::uint32_t> taken_at_;  ///< half-edge -> the last window taken there
    std::vector<double> best_;             ///< 2 fan + (turns left) -> way from there
    std::vector<std::uint8_t> settled_;

    bool passes(std::uint32_t corner) const { return mesh_.clearances[corner] >= width_; }

    void push(Event event)
    {
        event.serial = serial_++;
        queue_.push(event);
    }

    // -------------------------------------------------------------------------------- windows

    Point on_edge(std::uint32_t e, double s) const
    {
        const Point a = mesh_.vertex(e), b = mesh_.vertex(next_edge(e));
        return s <= 0.0 ? a : s >= 1.0 ? b : a + s * (b - a);
    }

    /// Length of the shortest way through a window: to its nearest point, or on to the target.
    double least_length(const Root& root, Point left, Point right) const
    {
        const Point r = root.place;
        if (!has_target_) return root.beyond + length(plane::nearest_on(left, right, r) - r);
        const Point along = right - left;
        Point target = target_;
        const double root_side = det(along, r - left), target_side = det(along, target - left);
        if (root_side * target_side > 0) {  // on the same side: its mirror image
            const double k = 2 * target_side / dot(along, along);
            target = {target.x + k * along.y, target.y - k * along.x};
        }
        const Point way = target - r;
        if (det(left - r, way) > 0) return root.beyond + length(left - r) + length(target - left);
        if (det(right - r, way) < 0)
            return root.beyond + length(right - r) + length(target - right);
        return root.beyond + length(way);
    }

    void push_window(std::uint32_t e, std::uint32_t root, double left, double right)
    {
        if (e == kNoIndex) return;
        const Point l = on_edge(e, left), r = on_edge(e, right);
        if (length(l - r) <= kSame) return;
        Event event;
        event.kind = Event::Kind::window;
        event.key = least_length(roots[root], l, r);
        event.at = e;
        event.root = root;
        event.left = left;
        event.right = right;
        push(event);
    }

    double length_at(std::uint32_t root, std::uint32_t e, double s) const
    {
        return roots[root].beyond + length(on_edge(e, s) - roots[root].place);
    }

    /// Where on [from, to] an earlier window stops being as near as a new one: it is nearer at
    /// `from` and farther at `to`. Keeps to the side where it is nearer.
    double find_change(std::uint32_t e, std::uint32_t earlier, std::uint32_t later, double from,
                       double to) const
    {
        for (int i = 0; i < 40; ++i) {
            const double middle = 0.5 * (from + to);
            const bool nearer = length_at(earlier, e, middle) <= length_at(later, e, middle);
            (nearer ? from : to) = middle;
        }
        return from;
    }

    /// Cuts off both ends of a new window what earlier ones reach at least as soon. Neither root
    /// lies inside the triangle between the other and the common part (that is free floor), so the
    /// lengths from the two change order at most once on it: what holds at both ends of the common
    /// part holds between.
    bool cut(const Event& event, double& left, double& right) const
    {
        const std::uint32_t e = event.at;
        for (std::uint32_t i = taken_at_[e]; i != kNoIndex; i = taken_[i].next) {
            const Taken& taken = taken_[i];
            const double low = std::max(left, taken.left), high = std::min(right, taken.right);
            if (high <= low) continue;
            if (low > left && high < right) continue;
            const bool nearer_low =
                length_at(taken.root, e, low) <= length_at(event.root, e, low) + kShorter;
            const bool nearer_high =
                length_at(taken.root, e, high) <= length_at(event.root, e, high) + kShorter;
            if (low <= left && nearer_low) {
                left = nearer_high ? high : find_change(e, taken.root, event.root, low, high);
            } else if (high >= right && nearer_high) {
                right = nearer_low ? low : find_change(e, taken.root, event.root, high, low);
            }
            if (right <= left) return false;
        }
        return length(on_edge(e, left) - on_edge(e, right)) > kSame;
    }

    void pass_window(const Event& event)
    {
        double left = event.left, right = event.right;
        if (!cut(event, left, right)) return;
        const std::uint32_t e = event.at;
        taken_.push_back({left, right, event.root, taken_at_[e]});
        taken_at_[e] = static_cast<std::uint32_t>(taken_.size() - 1);

        const Point r = roots[event.root].place;
        const Point to_left = plane::unit(on_edge(e, left) - r);
        const Point to_right = plane::unit(on_edge(e, right) - r);
        see(e / 3, event.root, to_left, to_right);

        const std::uint32_t left_edge = previous_edge(e), right_edge = next_edge(e);
        const Point a = mesh_.vertex(e), b = mesh_.vertex(right_edge), c = mesh_.vertex(left_edge);
        const double beyond_left = det(to_left, c - r);  // > 0: the apex is out of sight, left
        const double beyond_right = -det(to_right, c - r);
        if (beyond_left <= kSame && beyond_right <= kSame) {
            reach_corner(left_edge, e, event.root);
        }
        if (beyond_left < -kSame && passes(e)) {
            push_window(mesh_.twins[left_edge], event.root, cut_at(r, to_left, a, c),
                        beyond_right > kSame ? cut_at(r, to_right, a, c) : 1.0);
        }
        if (beyond_right < -kSame && passes(right_edge)) {
            push_window(mesh_.twins[right_edge], event.root,
                        beyond_left > kSame ? cut_at(r, to_left, c, b) : 0.0,
                        cut_at(r, to_right, c, b));
        }
    }

    /// Where a ray meets the segment from p to q, as a part of it; ends within kSame are the ends.
    static double cut_at(Point r, Point ray, Point p, Point q)
    {
        const double side_p = det(ray, p - r), side_q = det(ray, q - r);
        const double size = length(q - p);
        if (!(std::abs(side_p - side_q) > 0)) return 0.0;
        const double s = side_p / (side_p - side_q);
        if (!(s * size > kSame)) return 0.0;
        if (!((1.0 - s) * size > kSame)) return 1.0;
        return s;
    }

    void see(std::uint32_t triangle, std::uint32_t root, Point left, Point right)
    {
        if (!has_target_) {
            sight_triangles.push_back(triangle);
            sights.push_back({root, left, right});
            return;
        }
        if (std::find(target_triangles_.begin(), target_triangles_.end(), triangle) ==
            target_triangles_.end()) {
            return;
        }
        const Point way = target_ - roots[root].place;
        if (det(left, way) > kSeen || det(right, way) < -kSeen) return;
        Event event;
        event.kind = Event::Kind::found;
        event.key = roots[root].beyond + length(way);
        event.root = root;
        push(event);
    }

    // -------------------------------------------------------------------------------- corners

    /// A vertex has come into sight of a root, in the triangle of `corner`: if ways bend there,
    /// the corner may become a root.
    void reach_corner(std::uint32_t corner, std::uint32_t entry, std::uint32_t root)
    {
        const std::uint32_t f = mesh_.fan_of[corner];
        if (f == kNoIndex || !mesh_.fans[f].reflex) return;
        const Topology::Fan& fan = mesh_.fans[f];
        const Point v = mesh_.vertices[fan.vertex];
        const Point ahead = v - roots[root].place;
        const double dist = length(ahead);
        if (dist <= kSame) return;
        const double way = roots[root].beyond + dist;
        for (const std::int8_t turn : {std::int8_t{-1}, std::int8_t{1}}) {
            double& best = best_[2 * f + (turn > 0)];
            if (!(way < best - kShorter) || !hides(fan, corner, ahead, dist, turn)) continue;
            std::uint32_t place = 0;
            if (!find_sector(fan, corner, entry, ahead, turn, place)) continue;
            best = way;
            Event event;
            event.kind = Event::Kind::corner;
            event.key = has_target_ ? way + length(target_ - v) : way;
            event.turn = turn;
            event.at = corner;
            event.entry = entry;
            event.root = root;
            push(event);
        }
    }

    /// Whether the wall at a corner hides something from a root in direction -ahead: on the
    /// counter-clockwise side (ways from there turn right) or on the other.
    bool hides(const Topology::Fan& fan, std::uint32_t corner, Point ahead, double dist,
               std::int8_t turn) const
    {
        const bool ccw = turn < 0;
        const std::uint32_t end = mesh_.fan_corners[fan.first + (ccw ? fan.count - 1 : 0)];
        const Point wall =
            mesh_.vertex(ccw ? previous_edge(end) : next_edge(end)) - mesh_.vertex(end);
        const double side = (ccw ? 1.0 : -1.0) * det(ahead, wall);
        const double slack = kParallel * dist * length(wall);
        if (side > slack) return true;
        if (side < -slack || dot(ahead, wall) > 0) return false;
        // The root lies along a wall without thickness, on its other side.
        return mesh_.place_in_fan[corner] == (ccw ? 0 : fan.count - 1);
    }

    /// The first triangle of a fan that the wall hides in part, going round from where the corner
    /// was seen; false where the way there is too narrow.
    bool find_sector(const Topology::Fan& fan, std::uint32_t corner, std::uint32_t entry,
                     Point ahead, std::int8_t turn, std::uint32_t& place) const
    {
        const bool ccw = turn < 0;
        const Point v = mesh_.vertices[fan.vertex];
        place = mesh_.place_in_fan[corner];
        const auto passed = [&](std::uint32_t c) {  // the far side of this triangle lies beyond
            const Point u = mesh_.vertex(ccw ? previous_edge(c) : next_edge(c)) - v;
            return (ccw ? 1.0 : -1.0) * det(ahead, u) > 0;
        };
        // The triangle where the root is: it cannot hold the way ahead, but a corner that is seen
        // along an edge may have come with the triangle on the other side.
        if (!leaves(corner, entry, ccw)) return false;
        const std::uint32_t last = ccw ? fan.count - 1 : 0;
        bool first = true;
        for (;; first = false) {
            const std::uint32_t c = mesh_.fan_corners[fan.first + place];
            if (!first && passed(c)) return true;
            if (place == last) return !first;
            if (!first && !passes(c)) return false;
            place += ccw ? 1u : 0xffffffffu;
        }
    }

    /// Whether one can go from the edge a triangle was entered by to its edge at `corner` on one
    /// side.
    bool leaves(std::uint32_t corner, std::uint32_t entry, bool ccw) const
    {
        const std::uint32_t out = ccw ? previous_edge(corner) : corner;
        if (entry == kNoIndex || entry == out) return true;
        if (entry == next_edge(corner)) return passes(ccw ? out : next_edge(out));
        return passes(corner);
    }

    /// Lights what the wall at a corner hides from the root before it.
    void turn_at_corner(const Event& event)
    {
        const std::uint32_t f = mesh_.fan_of[event.at];
        std::uint8_t& settled = settled_[2 * f + (event.turn > 0)];
        if (settled != 0) return;
        const Topology::Fan& fan = mesh_.fans[f];
        const Point v = mesh_.vertices[fan.vertex];
        const Point ahead = v - roots[event.root].place;
        std::uint32_t place = 0;
        if (!find_sector(fan, event.at, event.entry, ahead, event.turn, place)) return;
        settled = 1;
        const auto root = static_cast<std::uint32_t>(roots.size());
        roots.push_back({v, roots[event.root].beyond + length(ahead), event.root, f,
                         roots[event.root].part, event.turn});

        const bool ccw = event.turn < 0;
        const std::uint32_t last = ccw ? fan.count - 1 : 0;
        for (bool first = true;; first = false, place += ccw ? 1u : 0xffffffffu) {
            const std::uint32_t c = mesh_.fan_corners[fan.first + place];
            const std::uint32_t x = next_edge(c), y = previous_edge(c);  // right and left of v
            const std::uint32_t entry = ccw ? c : y;
            double limit = 0.0;  // how much of the opposite edge the root before sees
            if (first) {
                limit = ccw ? cut_at(v, ahead, mesh_.vertex(x), mesh_.vertex(y))
                            : cut_at(v, ahead, mesh_.vertex(y), mesh_.vertex(x));
            }
            if (limit < 1.0) {
                const Point hit = ccw ? on_edge(x, limit) : on_edge(x, 1.0 - limit);
                const Point px = plane::unit((ccw ? hit : mesh_.vertex(x)) - v);
                const Point py = plane::unit((ccw ? mesh_.vertex(y) : hit) - v);
                see(c / 3, root, py, px);
            }
            if (!ccw || limit <= 0.0) reach_corner(x, entry, root);
            if (ccw || limit <= 0.0) reach_corner(y, entry, root);
            if (limit < 1.0 && passes(ccw ? x : y)) {
                // The twin of x -> y runs from y, its left end.
                push_window(mesh_.twins[x], root, ccw ? 0.0 : limit, ccw ? 1.0 - limit : 1.0);
            }
            if (place == last || !passes(c)) return;
        }
    }
};

/// All triangles that hold a point: more than one where it lies on an edge or vertex.
std::vector<std::uint32_t> find_triangles(const Topology& mesh, const Locator& locator, Point p,
                                          double reach, Point& inside)
{
    std::vector<std::uint32_t> found;
    const std::uint32_t t = locator.find(mesh, p, kNoIndex, reach);
    if (t == kNoIndex) return found;
    inside = nearest_in(mesh, t, p);
    found.push_back(t);
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (std::uint32_t e = 3 * found[i]; e < 3 * found[i] + 3; ++e) {
            const std::uint32_t twin = mesh.twins[e];
            if (twin == kNoIndex) continue;
            const Point q = plane::nearest_on(mesh.vertex(e), mesh.vertex(next_edge(e)), inside);
            if (length(q - inside) > kOnEdge) continue;
            if (std::find(found.begin(), found.end(), twin / 3) == found.end()) {
                found.push_back(twin / 3);
            }
        }
    }
    return found;
}

}  // namespace

Field search_everywhere(const Topology& mesh, const Locator& locator,
                        std::span<const Source> sources, double width)
{
    WindowSearch search(mesh, width);
    for (Source source : sources) {
        const auto triangles =
            find_triangles(mesh, locator, source.place, kSourceReach, source.place);
        if (!triangles.empty()) search.add_source(source, triangles);
    }
    search.run();

    Field field;
    field.roots = std::move(search.roots);
    field.first.assign(mesh.triangle_count() + 1, 0);
    for (const std::uint32_t t : search.sight_triangles) ++field.first[t + 1];
    for (std::size_t t = 1; t < field.first.size(); ++t) field.first[t] += field.first[t - 1];
    field.sights.resize(search.sights.size());
    std::vector<std::uint32_t> fill(field.first.begin(), field.first.end() - 1);
    for (std::size_t i = 0; i < search.sights.size(); ++i) {
        field.sights[fill[search.sight_triangles[i]]++] = search.sights[i];
    }
    return field;
}

std::vector<Root> search_way(const Topology& mesh, const Locator& locator, Point from, double reach,
                             Point to, double width)
{
    const auto start = find_triangles(mesh, locator, from, reach, from);
    const auto goal = find_triangles(mesh, locator, to, kSourceReach, to);
    std::vector<Root> way;
    if (start.empty() || goal.empty()) return way;
    WindowSearch search(mesh, width);
    search.set_target(from, start);
    search.add_source({to, 0}, goal);
    search.run();
    for (std::uint32_t root = search.found; root != kNoIndex; root = search.roots[root].parent) {
        way.push_back(search.roots[root]);
    }
    return way;
}

Lookup look_up(const Field& field, std::uint32_t triangle, Point p)
{
    Lookup best, nearest;
    best.length = kInfinity;
    double least = kInfinity;
    for (std::uint32_t i = field.first[triangle]; i < field.first[triangle + 1]; ++i) {
        const Sight& sight = field.sights[i];
        const Root& root = field.roots[sight.root];
        const Point way = p - root.place;
        const double outside = std::max(det(sight.left, way), -det(sight.right, way));
        if (outside <= kSeen) {
            const double total = root.beyond + length(way);
            if (total < best.length) best = {sight.root, total};
        } else if (outside < least) {
            least = outside;
            nearest = {sight.root, root.beyond + length(way)};
        }
    }
    return best.root != kNoIndex ? best : nearest;
}

}  // namespace sidestep
