// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "floorplan/triangulate.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

namespace sidestep {

namespace {

using Edge = std::array<std::uint32_t, 2>;

__extension__ typedef __int128 Wide;

/// [1] Share of the sum of all magnitudes that roundings may make up in lies_in_circle: a dozen
/// operations of 1.1e-16 each, and room.
constexpr double kRoundings = 1e-14;

/// Whether d lies inside the circle through a, b, c (counter-clockwise), by more than roundings.
/// Only what is surely inside counts: every exchange of diagonals then is one step nearer to the
/// Delaunay triangulation, and there is an end to them.
bool lies_in_circle(LatticePoint a, LatticePoint b, LatticePoint c, LatticePoint d)
{
    const auto ax = static_cast<double>(a.x - d.x), ay = static_cast<double>(a.y - d.y);
    const auto bx = static_cast<double>(b.x - d.x), by = static_cast<double>(b.y - d.y);
    const auto cx = static_cast<double>(c.x - d.x), cy = static_cast<double>(c.y - d.y);
    const double a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    const double value =
        a2 * (bx * cy - by * cx) - b2 * (ax * cy - ay * cx) + c2 * (ax * by - ay * bx);
    const double size = a2 * (std::abs(bx * cy) + std::abs(by * cx)) +
                        b2 * (std::abs(ax * cy) + std::abs(ay * cx)) +
                        c2 * (std::abs(ax * by) + std::abs(ay * bx));
    return value > kRoundings * size;
}

class Builder {
public:
    explicit Builder(std::span<const LatticePoint> points)
    {
        m.points.assign(points.begin(), points.end());
        add_box();
    }

    Triangulation m;

    void insert_points()
    {
        const std::size_t count = m.points.size() - 4;
        at_.resize(m.points.size());
        std::uint32_t hint = 0;
        for (const std::uint32_t point : space_order(count)) hint = insert(point, hint);
    }

    bool insert_segment(std::uint32_t a, std::uint32_t b, TriangulationFault& fault)
    {
        while (a != b) {
            const std::uint32_t stop = insert_piece(a, b, fault);
            if (stop == kNoNeighbour) return false;
            a = stop;
        }
        return true;
    }

private:
    std::vector<std::uint32_t> at_;  ///< some triangle at each point
    std::vector<Edge> stack_;        ///< (triangle, edge) to be checked

    void add_box()
    {
        LatticePoint low{0, 0}, high{0, 0};
        if (!m.points.empty()) low = high = m.points[0];
        for (const LatticePoint p : m.points) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        const std::int64_t margin = std::max(high.x - low.x, high.y - low.y) + 16;
        const auto first = static_cast<std::uint32_t>(m.points.size());
        m.points.push_back({low.x - margin, low.y - margin});
        m.points.push_back({high.x + margin, low.y - margin});
        m.points.push_back({high.x + margin, high.y + margin});
        m.points.push_back({low.x - margin, high.y + margin});
        at_.resize(m.points.size());
        add_triangle();
        add_triangle();
        set(0, {first, first + 1, first + 2}, {kNoNeighbour, kNoNeighbour, 1});
        set(1, {first, first + 2, first + 3}, {0, kNoNeighbour, kNoNeighbour});
    }

    std::uint32_t add_triangle()
    {
        m.triangles.push_back({});
        m.neighbours.push_back({});
        m.fixed.push_back({false, false, false});
        return static_cast<std::uint32_t>(m.triangles.size() - 1);
    }

    void set(std::uint32_t t, std::array<std::uint32_t, 3> corners,
             std::array<std::uint32_t, 3> neighbours)
    {
        m.triangles[t] = corners;
        m.neighbours[t] = neighbours;
        for (const std::uint32_t corner : corners) at_[corner] = t;
    }

    /// In strips, up one and down the next: the way from one point to the next is short.
    std::vector<std::uint32_t> space_order(std::size_t count) const
    {
        std::vector<std::uint32_t> order(count);
        std::iota(order.begin(), order.end(), 0u);
        if (count == 0) return order;
        std::int64_t low = m.points[0].x, high = low;
        for (std::size_t i = 0; i < count; ++i) {
            low = std::min(low, m.points[i].x);
            high = std::max(high, m.points[i].x);
        }
        const auto strips = static_cast<std::int64_t>(std::sqrt(static_cast<double>(count))) + 1;
        const std::int64_t width = (high - low) / strips + 1;
        std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
            const LatticePoint a = m.points[i], b = m.points[j];
            const std::int64_t strip_a = (a.x - low) / width, strip_b = (b.x - low) / width;
            if (strip_a != strip_b) return strip_a < strip_b;
            if (a.y != b.y) return (strip_a % 2 == 0) == (a.y < b.y);
            return a.x < b.x;
        });
        return order;
    }

    int side(std::uint32_t a, std::uint32_t b, std::uint32_t c) const
    {
        return orientation(m.points[a], m.points[b], m.points[c]);
    }

    std::uint32_t edge_to(std::uint32_t t, std::uint32_t neighbour) const
    {
        const auto& n = m.neighbours[t];
        return n[0] == neighbour ? 0 : n[1] == neighbour ? 1 : 2;
    }

    void redirect(std::uint32_t t, std::uint32_t from, std::uint32_t to)
    {
        if (t != kNoNeighbour) m.neighbours[t][edge_to(t, from)] = to;
    }

    /// The triangle that holds the point; `on_edge` is the edge it lies on, or 3.
    std::uint32_t find(std::uint32_t point, std::uint32_t hint, std::uint32_t& on_edge) const
    {
        std::uint32_t t = hint;
        for (std::size_t step = 0; step <= 2 * m.triangles.size(); ++step) {
            on_edge = 3;
            std::uint32_t next = kNoNeighbour;
            for (std::uint32_t i = 0; i < 3; ++i) {
                const int s = side(m.triangles[t][i], m.triangles[t][(i + 1) % 3], point);
                if (s == 0) on_edge = i;
                if (s < 0) next = m.neighbours[t][i];
            }
            if (next == kNoNeighbour) return t;
            t = next;
        }
        for (t = 0; t < m.triangles.size(); ++t) {  // the walk went round in circles
            bool inside = true;
            on_edge = 3;
            for (std::uint32_t i = 0; i < 3; ++i) {
                const int s = side(m.triangles[t][i], m.triangles[t][(i + 1) % 3], point);
                if (s == 0) on_edge = i;
                inside = inside && s >= 0;
            }
            if (inside) return t;
        }
        return 0;
    }

    std::uint32_t insert(std::uint32_t p, std::uint32_t hint)
    {
        std::uint32_t edge = 3;
        const std::uint32_t t = find(p, hint, edge);
        if (edge == 3) {
            split_triangle(t, p);
        } else {
            split_edge(t, edge, p);
        }
        restore_delaunay();
        return at_[p];
    }

    void split_triangle(std::uint32_t t, std::uint32_t p)
    {
        const auto [a, b, c] = m.triangles[t];
        const auto [ab, bc, ca] = m.neighbours[t];
        const std::uint32_t u = add_triangle(), w = add_triangle();
        set(t, {a, b, p}, {ab, u, w});
        set(u, {b, c, p}, {bc, w, t});
        set(w, {c, a, p}, {ca, t, u});
        redirect(bc, t, u);
        redirect(ca, t, w);
        stack_ = {{t, 0}, {u, 0}, {w, 0}};
    }

    void split_edge(std::uint32_t t, std::uint32_t i, std::uint32_t p)
    {
        const std::uint32_t u = m.neighbours[t][i], j = edge_to(u, t);
        const std::uint32_t a = m.triangles[t][i], b = m.triangles[t][(i + 1) % 3];
        const std::uint32_t c = m.triangles[t][(i + 2) % 3], d = m.triangles[u][(j + 2) % 3];
        const std::uint32_t bc = m.neighbours[t][(i + 1) % 3], ca = m.neighbours[t][(i + 2) % 3];
        const std::uint32_t ad = m.neighbours[u][(j + 1) % 3], db = m.neighbours[u][(j + 2) % 3];
        const std::uint32_t t2 = add_triangle(), u2 = add_triangle();
        set(t, {c, a, p}, {ca, u2, t2});
        set(t2, {b, c, p}, {bc, t, u});
        set(u, {d, b, p}, {db, t2, u2});
        set(u2, {a, d, p}, {ad, u, t});
        redirect(bc, t, t2);
        redirect(ad, u, u2);
        stack_ = {{t, 0}, {t2, 0}, {u, 0}, {u2, 0}};
    }

    /// Exchanges the diagonal of the two triangles at edge i of t: t = (a, b, c) with a -> b the
    /// edge and d beyond it become (a, d, c) and (d, b, c), edge 0 of each facing away from c.
    void flip(std::uint32_t t, std::uint32_t i)
    {
        const std::uint32_t u = m.neighbours[t][i], j = edge_to(u, t);
        const std::uint32_t a = m.triangles[t][i], b = m.triangles[t][(i + 1) % 3];
        const std::uint32_t c = m.triangles[t][(i + 2) % 3], d = m.triangles[u][(j + 2) % 3];
        const std::uint32_t i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const std::uint32_t bc = m.neighbours[t][i1], ca = m.neighbours[t][i2];
        const std::uint32_t ad = m.neighbours[u][j1], db = m.neighbours[u][j2];
        const bool fixed_bc = m.fixed[t][i1], fixed_ca = m.fixed[t][i2];
        const bool fixed_ad = m.fixed[u][j1], fixed_db = m.fixed[u][j2];
        redirect(bc, t, u);
        redirect(ad, u, t);
        set(t, {a, d, c}, {ad, u, ca});
        set(u, {d, b, c}, {db, bc, t});
        m.fixed[t] = {fixed_ad, false, fixed_ca};
        m.fixed[u] = {fixed_db, fixed_bc, false};
    }

    /// Whether the four corners round edge i of t form a strictly convex quadrilateral.
    bool can_flip(std::uint32_t t, std::uint32_t i) const
    {
        const std::uint32_t u = m.neighbours[t][i];
        if (u == kNoNeighbour || m.fixed[t][i]) return false;
        const std::uint32_t a = m.triangles[t][i], b = m.triangles[t][(i + 1) % 3];
        const std::uint32_t c = m.triangles[t][(i + 2) % 3];
        const std::uint32_t d = m.triangles[u][(edge_to(u, t) + 2) % 3];
        return side(a, d, c) > 0 && side(d, b, c) > 0;
    }

    bool wants_flip(std::uint32_t t, std::uint32_t i) const
    {
        if (!can_flip(t, i)) return false;
        const std::uint32_t u = m.neighbours[t][i];
        const std::uint32_t d = m.triangles[u][(edge_to(u, t) + 2) % 3];
        const auto& v = m.triangles[t];
        return lies_in_circle(m.points[v[0]], m.points[v[1]], m.points[v[2]], m.points[d]);
    }

    void restore_delaunay()
    {
        while (!stack_.empty()) {
            const auto [t, i] = stack_.back();
            stack_.pop_back();
            if (!wants_flip(t, i)) continue;
            const std::uint32_t u = m.neighbours[t][i];
            flip(t, i);
            stack_.push_back({t, 0});
            stack_.push_back({u, 0});
        }
    }

    /// The triangle with the edge a -> b and that edge's index, or kNoNeighbour. At a corner of the
    /// box the triangles do not close a circle: then the other way round as well.
    Edge find_edge(std::uint32_t a, std::uint32_t b) const
    {
        const std::uint32_t start = at_[a];
        for (const std::uint32_t way : {2u, 0u}) {
            std::uint32_t t = start;
            do {
                const auto& v = m.triangles[t];
                const std::uint32_t k = v[0] == a ? 0 : v[1] == a ? 1 : 2;
                if (v[(k + 1) % 3] == b) return {t, k};
                t = m.neighbours[t][(k + way) % 3];
            } while (t != start && t != kNoNeighbour);
            if (t == start) break;
        }
        return {kNoNeighbour, 0};
    }

    void fix(std::uint32_t t, std::uint32_t i)
    {
        m.fixed[t][i] = true;
        const std::uint32_t u = m.neighbours[t][i];
        if (u != kNoNeighbour) m.fixed[u][edge_to(u, t)] = true;
    }

    /// Puts the segment in from a as far as the first point on it, and returns that point.
    std::uint32_t insert_piece(std::uint32_t a, std::uint32_t b, TriangulationFault& fault)
    {
        std::uint32_t t = at_[a], x = 0, y = 0;
        const std::uint32_t start = t;
        for (;;) {  // round a: an edge along the segment, or the triangle it leaves through
            const auto& v = m.triangles[t];
            const std::uint32_t k = v[0] == a ? 0 : v[1] == a ? 1 : 2;
            x = v[(k + 1) % 3], y = v[(k + 2) % 3];
            const int sx = side(a, b, x), sy = side(a, b, y);
            if (x == b || (sx == 0 && is_ahead(a, b, x))) {
                fix(t, k);
                return x;
            }
            if (sx < 0 && sy > 0) {
                t = m.neighbours[t][(k + 1) % 3];
                if (const auto [f, e] = find_in(t, x, y); m.fixed[f][e]) return refuse(x, fault);
                break;
            }
            t = m.neighbours[t][(k + 2) % 3];
            if (t == start || t == kNoNeighbour) return refuse(a, fault);
        }
        std::deque<Edge> crossed{{x, y}};
        std::uint32_t end = b;
        for (;;) {  // t is beyond the edge x (right), y (left)
            const auto [e, i] = find_in(t, x, y);
            const std::uint32_t apex = m.triangles[e][(i + 2) % 3];
            const int s = side(a, b, apex);
            if (apex == b || s == 0) {
                end = apex;
                break;
            }
            if (s > 0) {
                y = apex;
            } else {
                x = apex;
            }
            const auto [f, k] = find_in(t, x, y);
            if (m.fixed[f][k]) return refuse(x, fault);
            crossed.push_back({x, y});
            t = m.neighbours[t][k];
        }
        exchange(a, end, crossed);
        return end;
    }

    bool is_ahead(std::uint32_t a, std::uint32_t b, std::uint32_t x) const
    {
        const LatticePoint pa = m.points[a], pb = m.points[b], px = m.points[x];
        return Wide{pb.x - pa.x} * (px.x - pa.x) + Wide{pb.y - pa.y} * (px.y - pa.y) > 0;
    }

    std::uint32_t refuse(std::uint32_t point, TriangulationFault& fault) const
    {
        fault.place = m.points[point];
        return kNoNeighbour;
    }

    /// The edge between x and y in t, whichever way it runs.
    Edge find_in(std::uint32_t t, std::uint32_t x, std::uint32_t y) const
    {
        for (std::uint32_t i = 0; i < 3; ++i) {
            const std::uint32_t p = m.triangles[t][i], q = m.triangles[t][(i + 1) % 3];
            if ((p == x && q == y) || (p == y && q == x)) return {t, i};
        }
        return {t, 0};
    }

    /// Turns the diagonals that cross a, b until one of them is a, b.
    void exchange(std::uint32_t a, std::uint32_t b, std::deque<Edge>& crossed)
    {
        std::vector<Edge> made;
        while (!crossed.empty()) {
            const auto [x, y] = crossed.front();
            crossed.pop_front();
            const auto [t, i] = find_edge(x, y);
            if (!can_flip(t, i)) {
                crossed.push_back({x, y});
                continue;
            }
            const std::uint32_t u = m.neighbours[t][i];
            const std::uint32_t c = m.triangles[t][(i + 2) % 3];
            const std::uint32_t d = m.triangles[u][(edge_to(u, t) + 2) % 3];
            flip(t, i);
            const bool touches = c == a || c == b || d == a || d == b;
            if (!touches && side(a, b, c) * side(a, b, d) < 0) {
                crossed.push_back({c, d});
            } else {
                made.push_back({c, d});
            }
        }
        if (const auto [t, i] = find_edge(a, b); t != kNoNeighbour) fix(t, i);
        for (bool changed = true; changed;) {
            changed = false;
            for (Edge& edge : made) {
                const auto [t, i] = find_edge(edge[0], edge[1]);
                if (t == kNoNeighbour || !wants_flip(t, i)) continue;
                const std::uint32_t u = m.neighbours[t][i];
                const std::uint32_t c = m.triangles[t][(i + 2) % 3];
                const std::uint32_t d = m.triangles[u][(edge_to(u, t) + 2) % 3];
                flip(t, i);
                edge = {c, d};
                changed = true;
            }
        }
    }
};

}  // namespace

int orientation(LatticePoint a, LatticePoint b, LatticePoint c)
{
    const Wide area = Wide{b.x - a.x} * (c.y - a.y) - Wide{b.y - a.y} * (c.x - a.x);
    return area > 0 ? 1 : area < 0 ? -1 : 0;
}

std::optional<Triangulation> triangulate(std::span<const LatticePoint> points,
                                         std::span<const std::array<std::uint32_t, 2>> segments,
                                         TriangulationFault& fault)
{
    Builder builder(points);
    builder.insert_points();
    for (const auto& [a, b] : segments) {
        if (!builder.insert_segment(a, b, fault)) return std::nullopt;
    }
    return std::move(builder.m);
}

}  // namespace sidestep
