// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "motion/wall_carry.hpp"

#include <array>

namespace sidestep {

namespace {

/// Parts of its way that a wall is moved in: each at most half a radius, but no more than this
/// many.
constexpr int kMostParts = 64;

/// Tries at pushing a disc out between several edges: each brings it closer to where it touches all
/// of them.
constexpr int kMostPushes = 12;

/// How often a disc that does not fit is halved: 0.2 m down to 0.05 mm.
constexpr int kMostHalvings = 12;

/// Room [m] that a centre keeps at least where a whole disc finds no place.
constexpr double kLeastRoom = 2e-3;

/// Farthest an agent gives way, in rings of half a radius.
constexpr int kMostRings = 400;

Spot rounded(const Spot& p)
{
    return {static_cast<float>(p.x), static_cast<float>(p.y)};
}

Carried carried_to(const Spot& p, float x, float y)
{
    const auto to_x = static_cast<float>(p.x);
    const auto to_y = static_cast<float>(p.y);
    return {to_x != x || to_y != y, to_x, to_y};
}

/// One part of the way of a wall: its edges go from time t0 to t1 of the whole way.
struct Part {
    const MovingWall& wall;
    double t0;
    double t1;

    std::size_t edges() const { return wall.after.size(); }
    Segment at(std::size_t i, double t) const
    {
        const Segment from = segment_of(wall.before[i]);
        const Segment to = segment_of(wall.after[i]);
        return {from.a * (1.0 - t) + to.a * t, from.b * (1.0 - t) + to.b * t, from.second_copy};
    }
    Segment from(std::size_t i) const { return at(i, t0); }
    Segment to(std::size_t i) const { return at(i, t1); }

    /// Distance to the nearest edge that p faces at time t, at most `reach`.
    double clearance(const Spot& p, double t, double reach) const
    {
        double nearest = reach;
        for (std::size_t i = 0; i < edges(); ++i) {
            const Segment s = at(i, t);
            if (faces(s, p)) nearest = std::min(nearest, distance_to(s, p));
        }
        return nearest;
    }

    /// The edge that is the first to pass over a point on its way from p to q, or edges() where
    /// none does.
    std::size_t first_to_pass(const Spot& p, const Spot& q) const
    {
        std::size_t first = edges();
        double earliest = 2.0;
        for (std::size_t i = 0; i < edges(); ++i) {
            const double t = time_of_passing(from(i), to(i), p, q);
            if (t < earliest) {
                earliest = t;
                first = i;
            }
        }
        return first;
    }
    bool passes(const Spot& p, const Spot& q) const { return first_to_pass(p, q) < edges(); }

    /// Whether the way from p to q goes through the wall as it stands at the beginning.
    bool crosses_before(const Spot& p, const Spot& q) const
    {
        for (std::size_t i = 0; i < edges(); ++i) {
            if (crosses(from(i), p, q)) return true;
        }
        return false;
    }
};

/// q moved out of the way of the edge that is most in its way at the end of the part, to distance
/// r; p is where it came from.
Spot pushed(const Part& part, const Spot& p, const Spot& q, double r)
{
    const std::size_t face = part.first_to_pass(p, q);
    if (face < part.edges()) {
        const Segment s = part.to(face);
        const Spot n = normal_of(s);
        return q + n * (r - dot(n, q - s.a));
    }
    Spot best = q;
    double nearest = r;
    for (std::size_t i = 0; i < part.edges(); ++i) {
        const Segment s = part.to(i);
        if (!faces(s, q)) continue;
        const double distance = distance_to(s, q);
        if (distance >= nearest) continue;
        nearest = distance;
        best = nearest_point(s, q) + away_from(s, q) * r;
    }
    return best;
}

/// Goes towards the target as far as walls let a disc, sliding along them.
Spot glide(const WallsAround& walls, Spot p, const Spot& target, double radius)
{
    for (int i = 0; i < 3; ++i) {
        const Spot start = p;
        const Move move = move_disc(walls, start, target - start, radius);
        p = rounded(start + move.displacement);
        if (crosses_wall(walls, start, p)) return start;
        if (!move.cut) break;
    }
    return p;
}

/// Pushes a disc that has shrunk to radius r ahead of the wall. False where other walls leave no
/// room for it.
bool make_way(const Part& part, const Spot& p, double r, Spot& place)
{
    Spot q = p;
    for (int i = 0; i < kMostPushes; ++i) {
        const Spot target = pushed(part, p, q, r);
        if (length(target - q) <= 1e-3 * r) break;
        q = glide(part.wall.others, q, target, r);
    }
    if (part.passes(p, q) || part.clearance(q, part.t1, r) < 0.9 * r) return false;
    place = q;
    return true;
}

/// Directions in which a place is looked for: round about, and along the walls on both sides, since
/// a gap may be narrow.
struct Directions {
    std::array<Spot, 96> direction;
    std::size_t count = 0;

    void add(const Spot& d)
    {
        if (count < direction.size()) direction[count++] = d;
    }
    void add_along(const Segment& s)
    {
        const Spot n = normal_of(s);
        add({-n.y, n.x});
        add({n.y, -n.x});
    }
    void add_round_about()
    {
        constexpr double kTurn[] = {1.0, 0.9238795325112867, 0.7071067811865476, 0.3826834323650898,
                                    0.0};  // cos of 22.5 degrees each
        for (int i = 0; i < 4; ++i) {
            const Spot d{kTurn[i], kTurn[4 - i]};
            add(d);
            add({-d.y, d.x});
            add({-d.x, -d.y});
            add({d.y, -d.x});
        }
    }
};

Directions directions_around(const MovingWall& wall, const Spot& p, double radius)
{
    Directions directions;
    directions.add_round_about();
    for_each_faced_edge(wall.others, p, p, radius, [&](const Segment& s) {
        if (directions.count < 56) directions.add_along(s);
    });
    for (const WallEdgeRow& edge : wall.after) directions.add_along(segment_of(edge));
    return directions;
}

/// Size of the wall, before and after together [m]: nobody has to go farther to get out of its way.
double extent_of(const MovingWall& wall)
{
    Spot low{1e30, 1e30};
    Spot high{-1e30, -1e30};
    for (const auto edges : {wall.before, wall.after}) {
        for (const WallEdgeRow& edge : edges) {
            const Segment s = segment_of(edge);
            low = {std::min(low.x, s.a.x), std::min(low.y, s.a.y)};
            high = {std::max(high.x, s.a.x), std::max(high.y, s.a.y)};
        }
    }
    return length(high - low);
}

/// The nearest place about p that `accepts(place, room)`, with room for half a disc or else for a
/// centre.
template <class Accepts>
bool find_place(const MovingWall& wall, const Spot& p, double radius, Accepts&& accepts,
                Spot& place)
{
    const Directions directions = directions_around(wall, p, radius);
    const double ring = 0.5 * radius;
    const int rings = static_cast<int>(std::min<double>(kMostRings, extent_of(wall) / ring + 8.0));
    for (const double room : {0.5 * radius, kLeastRoom}) {
        for (int i = 1; i <= rings; ++i) {
            for (std::size_t k = 0; k < directions.count; ++k) {
                place = rounded(p + directions.direction[k] * (ring * i));
                if (accepts(place, room)) return true;
            }
        }
    }
    return false;
}

/// Where a disc at p is at the end of one part of the wall's way.
Spot carry_part(const Part& part, const Spot& p, double radius)
{
    const double before = part.clearance(p, part.t0, radius);
    const bool passed = part.passes(p, p);
    if (!passed && part.clearance(p, part.t1, radius) >= std::min(before, radius - kContactSlop))
        return p;

    Spot place = p;
    double r = std::clamp(before, 0.5 * radius, radius);
    for (int i = 0; i <= kMostHalvings; ++i, r *= 0.5) {
        if (make_way(part, p, r, place)) return place;
    }
    if (!passed) return p;
    // No room ahead, not even for a point: aside, before the wall comes, and then out of its way
    // from there.
    const double squeezed = clearance(part.wall.others, p, radius);
    const auto accepts = [&](Spot& q, double room) {
        if (part.crosses_before(p, q) || crosses_wall(part.wall.others, p, q)) return false;
        const Spot aside = q;
        return make_way(part, aside, 2.0 * room, q) &&
               clearance(part.wall.others, q, room) >= std::min(room, squeezed);
    };
    return find_place(part.wall, p, radius, accepts, place) ? place : p;
}

bool is_inside(std::span<const WallEdgeRow> loop, const Spot& p)
{
    bool inside = false;
    for (const WallEdgeRow& edge : loop) {
        const Segment s = segment_of(edge);
        if ((s.a.y > p.y) == (s.b.y > p.y)) continue;
        if (p.x < s.a.x + (p.y - s.a.y) / (s.b.y - s.a.y) * (s.b.x - s.a.x)) inside = !inside;
    }
    return inside;
}

double distance_to_outline(std::span<const WallEdgeRow> loop, const Spot& p)
{
    double nearest = 1e30;
    for (const WallEdgeRow& edge : loop)
        nearest = std::min(nearest, distance_to(segment_of(edge), p));
    return nearest;
}

}  // namespace

Carried carry(const MovingWall& wall, float x, float y, float radius) noexcept
{
    double travel = 0.0;
    for (std::size_t i = 0; i < wall.after.size(); ++i) {
        travel =
            std::max(travel, length(segment_of(wall.after[i]).a - segment_of(wall.before[i]).a));
    }
    const int parts =
        static_cast<int>(std::clamp(std::ceil(travel / (0.5 * radius)), 1.0, double{kMostParts}));
    Spot p{x, y};
    for (int i = 0; i < parts; ++i) {
        p = carry_part({wall, double(i) / parts, double(i + 1) / parts}, p, radius);
    }
    return carried_to(p, x, y);
}

bool is_misplaced(const MovingWall& wall, float x, float y) noexcept
{
    const Spot p{x, y};
    switch (wall.kind) {
        case WallKind::solid: return is_inside(wall.after, p);
        case WallKind::room: return is_inside(wall.before, p) && !is_inside(wall.after, p);
        default: return false;
    }
}

Carried expel(const MovingWall& wall, float x, float y, float radius) noexcept
{
    const Spot p{x, y};
    const auto allowed = [&](const Spot& q, double room) {
        return is_inside(wall.after, q) == (wall.kind == WallKind::room) &&
               distance_to_outline(wall.after, q) >= room;
    };
    const auto reachable = [&](const Spot& q, double room) {
        return allowed(q, room) && !crosses_wall(wall.others, p, q) &&
               clearance(wall.others, q, room) >= room;
    };
    Spot best = p;
    double shortest = 1e30;
    for (const WallEdgeRow& edge : wall.after) {  // straight out through the nearest face
        const Segment s = segment_of(edge);
        const Spot q = rounded(nearest_point(s, p) + normal_of(s) * radius);
        if (length(q - p) >= shortest || !reachable(q, 0.5 * radius)) continue;
        best = q;
        shortest = length(q - p);
    }
    if (shortest < 1e30) return carried_to(best, x, y);
    if (find_place(wall, p, radius, reachable, best)) return carried_to(best, x, y);
    // Walled in: through another wall, rather than inside this one.
    const auto free_of_solids = [&](const Spot& q, double room) {
        const auto qx = static_cast<float>(q.x);
        const auto qy = static_cast<float>(q.y);
        return allowed(q, room) &&
               solid_wall_around(wall.table, qx, qy, wall.others.level) == nullptr;
    };
    return find_place(wall, p, radius, free_of_solids, best) ? carried_to(best, x, y) : Carried{};
}

Carried carry_by_disc(const WallsAround& walls, const Spot& body, const Spot& displacement,
                      double body_radius, float x, float y, float radius) noexcept
{
    const double touch = body_radius + radius;
    const double travel = length(displacement);
    const int parts = static_cast<int>(
        std::clamp(std::ceil(travel / (0.5 * body_radius)), 1.0, double{kMostParts}));
    Spot p{x, y};
    for (int i = 0; i < parts; ++i) {
        const double before = length(p - (body + displacement * (double(i) / parts)));
        const Spot centre = body + displacement * (double(i + 1) / parts);
        const Spot off = p - centre;
        const double distance = length(off);
        const double kept = std::min(touch, before);
        if (distance >= std::min(touch - kContactSlop, before)) continue;
        const Spot n = distance > 1e-6 ? off * (1.0 / distance) : displacement * (1.0 / travel);
        p = glide(walls, p, centre + n * kept, radius);
    }
    return carried_to(p, x, y);
}

Carried push_away(const WallsAround& walls, const Spot& point, double distance, const Spot& else_to,
                  float x, float y, float radius) noexcept
{
    const Spot p{x, y};
    const Spot off = p - point;
    const double now = length(off);
    if (now >= distance - kContactSlop) return {false, x, y};
    const Spot way = now > 1e-6 ? off : else_to;
    const double size = length(way);
    if (!(size > 0.0)) return {false, x, y};
    return carried_to(glide(walls, p, point + way * (distance / size), radius), x, y);
}

}  // namespace sidestep
