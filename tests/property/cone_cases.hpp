// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random encounters of one agent with others and with walls, and an oracle for the velocity it may
// take that knows nothing of regions: signed distances by definition, and sampling.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "sidestep/geometry.hpp"
#include "support/seeded_random.hpp"

namespace sidestep::test {

enum class ConeKind : std::uint8_t { vo, rvo, clearpath_1, clearpath_2, safe };

inline constexpr ConeKind kConeKinds[] = {ConeKind::vo, ConeKind::rvo, ConeKind::clearpath_1,
                                          ConeKind::clearpath_2, ConeKind::safe};

inline const char* name_of(ConeKind kind)
{
    constexpr const char* kNames[] = {"vo", "rvo", "clearpath-1", "clearpath-2", "clearpath-safe"};
    return kNames[static_cast<std::size_t>(kind)];
}
inline double share_of(ConeKind kind)
{
    return kind == ConeKind::vo ? 1.0 : 0.5;
}

/// A wall's edge as the agent sees it: ends relative to it [m], and the wall's velocity.
struct SeenEdge {
    Vec2 a;
    Vec2 b;
    Vec2 velocity;
};

struct ConeCase {
    MovingDisc agent;
    std::vector<MovingDisc> neighbours;
    std::vector<SeenEdge> edges;
    double horizon = 1.0;       // [s]
    double edge_horizon = 1.0;  // [s]
    double t_res = 0.5;         // [s], of overlaps and of contact with edges
    double v_max = 1.0;
    Vec2 target;
    std::optional<VelocityDisc> reach;

    Vec2 tie() const
    {
        Vec2 way{};
        double least = std::numeric_limits<double>::infinity();
        for (const MovingDisc& b : neighbours) {  // ids ascend
            const Vec2 p = b.position - agent.position;
            if (dot(p, p) >= least) continue;
            least = dot(p, p);
            way = p;
        }
        return way;
    }
    double scale(ConeKind kind) const
    {
        double s = std::max(1.0, v_max);
        for (const MovingDisc& b : neighbours) {
            const double w = share_of(kind);
            const Vec2 apex = agent.velocity * (1.0 - w) + b.velocity * w;
            s = std::max(s, std::sqrt(dot(apex, apex)));
        }
        for (const SeenEdge& e : edges) s = std::max(s, std::sqrt(dot(e.velocity, e.velocity)));
        return s;
    }
};

inline double to_float(double x)
{
    return static_cast<double>(static_cast<float>(x));
}
inline Vec2 to_float(Vec2 a)
{
    return {to_float(a.x), to_float(a.y)};
}

/// Up to 20 neighbours and 4 edges; some touch, overlap, coincide, stand symmetrically or in rows.
/// All numbers are floats, so that a question in float and one in double are the same question.
inline ConeCase random_cone_case(std::uint64_t seed)
{
    SeededRandom random(seed);
    ConeCase c;
    c.agent = {{0.0, 0.0}, to_float(random.in_disc(1.6)), to_float(random.uniform(0.15, 0.5)), 0};
    c.v_max = to_float(random.uniform(0.4, 2.5));
    c.target = to_float(random.in_disc(1.3 * c.v_max));
    if (random.chance(0.2)) c.target = c.agent.velocity;
    c.horizon = to_float(random.log_uniform(0.3, 6.0));
    c.edge_horizon = to_float(random.log_uniform(0.3, 3.0));
    c.t_res = to_float(random.uniform(0.1, 1.0));
    if (random.chance(0.3)) {
        c.reach = VelocityDisc{c.agent.velocity, to_float(random.uniform(0.1, 1.5))};
    }
    const double spread = random.one_of({1.5, 3.0, 6.0});
    const bool rows = random.chance(0.1);  // places and velocities of round numbers: many ties
    const auto grid = [](Vec2 a) {
        return Vec2{std::round(2.0 * a.x) / 2.0, std::round(2.0 * a.y) / 2.0};
    };
    const std::size_t count = 1 + random.below(random.chance(0.5) ? 4 : 20);
    for (std::size_t i = 0; i < count; ++i) {
        MovingDisc b{random.in_disc(spread), random.in_disc(1.6), random.uniform(0.15, 0.5),
                     static_cast<std::uint32_t>(i + 1)};
        if (rows) {
            b.position = grid(b.position);
            b.velocity = grid(b.velocity);
        }
        if (random.chance(0.1)) b.velocity = {};
        if (random.chance(0.05) && i > 0) {  // the same cone twice
            b.position = c.neighbours.back().position;
            b.velocity = c.neighbours.back().velocity;
            b.radius = c.neighbours.back().radius;
        }
        if (random.chance(0.7) && !rows) {  // most stand apart
            const double dist = std::sqrt(dot(b.position, b.position));
            const double least = c.agent.radius + b.radius;
            if (dist < least) b.position = b.position * (1.2 * least / std::max(dist, 1e-3));
        }
        b.position = to_float(b.position);
        b.velocity = to_float(b.velocity);
        b.radius = to_float(b.radius);
        c.neighbours.push_back(b);
    }
    const std::size_t edges = random.chance(0.5) ? random.below(5) : 0;
    for (std::size_t i = 0; i < edges; ++i) {
        const Vec2 a = random.in_disc(spread + 1.0);
        const Vec2 b = random.in_disc(spread + 1.0);
        const bool moves = random.chance(0.2);
        c.edges.push_back(
            {to_float(a), to_float(b), moves ? to_float(random.in_disc(0.5)) : Vec2{0.0, 0.0}});
    }
    return c;
}

// ---------------------------------------------------------------- the oracle

inline double size(Vec2 a)
{
    return std::sqrt(dot(a, a));
}
inline Vec2 left_of(Vec2 a)
{
    return {-a.y, a.x};
}

/// How far a velocity is outside something forbidden [m/s], negative inside; exact inside, and
/// outside no more than the distance.
using Clearance = std::function<double(Vec2)>;

inline Clearance half_plane_clearance(Vec2 point, Vec2 normal)
{
    return [=](Vec2 v) { return dot(v - point, normal); };
}

/// Out of the cone with these legs (angles [rad]) or before the cut at distance g along `axis`.
inline Clearance cone_clearance(Vec2 apex, double left_angle, double right_angle, Vec2 axis,
                                double g)
{
    const Vec2 out_left{-std::sin(left_angle), std::cos(left_angle)};
    const Vec2 out_right{std::sin(right_angle), -std::cos(right_angle)};
    return [=](Vec2 v) {
        const Vec2 y = v - apex;
        return std::max({dot(y, out_left), dot(y, out_right), g - dot(y, axis)});
    };
}

inline Clearance pair_clearance(const ConeCase& c, const MovingDisc& b, ConeKind kind)
{
    const Vec2 P = b.position - c.agent.position;
    const double R = c.agent.radius + b.radius;
    const double share = share_of(kind);
    const Vec2 apex = c.agent.velocity * (1.0 - share) + b.velocity * share;
    if (dot(P, P) <= R * R) {
        const auto line = orca_line(c.agent, b, c.horizon, c.t_res, share);
        return half_plane_clearance(line->point, line->normal);
    }
    const double l = size(P);
    const double angle = std::atan2(P.y, P.x);
    const double half = std::asin(R / l);
    const Clearance legs = cone_clearance(apex, angle + half, angle - half, P * (1.0 / l),
                                          share * (l - R) / c.horizon);
    if (kind == ConeKind::clearpath_2) return legs;
    if (kind == ConeKind::safe) {  // the way out that both find, of which each takes its share
        const Vec2 x = c.agent.velocity - b.velocity;
        const double side = P.x * x.y - P.y * x.x > 0.0 ? 1.0 : -1.0;
        const double turn = angle + side * half;
        const Vec2 out_leg = Vec2{-std::sin(turn), std::cos(turn)} * side;
        const Vec2 out_cut = P * (-1.0 / l);
        const double leg_depth = -dot(x, out_leg);
        const double cut_depth = -dot(x, out_cut) - (l - R) / c.horizon;
        const bool over_cut = cut_depth <= leg_depth;
        const Vec2 normal = over_cut ? out_cut : out_leg;
        return half_plane_clearance(
            c.agent.velocity + normal * (share * (over_cut ? cut_depth : leg_depth)), normal);
    }
    if (kind == ConeKind::clearpath_1) {
        const Vec2 across = left_of(P * (1.0 / l));
        const double sign = dot(c.agent.velocity - b.velocity, across) > 0.0 ? 1.0 : -1.0;
        return [=](Vec2 v) { return std::min(legs(v), sign * dot(v - apex, across)); };
    }
    const double tau = c.horizon;
    return [=](Vec2 v) {
        const Vec2 x = (v - apex) * (1.0 / share);
        const Vec2 w = x - P * (1.0 / tau);
        if (-dot(w, P) > R * size(w)) return share * (size(w) - R / tau);
        const double side = P.x * x.y - P.y * x.x > 0.0 ? 1.0 : -1.0;
        const double turn = angle + side * half;
        return share * side * dot(x, Vec2{-std::sin(turn), std::cos(turn)});
    };
}

inline Clearance edge_clearance(const ConeCase& c, const SeenEdge& e)
{
    const Vec2 along = e.b - e.a;
    const double place = std::clamp(-dot(e.a, along) / dot(along, along), 0.0, 1.0);
    const Vec2 nearest = e.a + along * place;
    const double l = size(nearest);
    const double r = c.agent.radius;
    const Vec2 axis = nearest * (1.0 / l);
    if (l <= r) {
        return half_plane_clearance(e.velocity - axis * ((r - l) / c.t_res), axis * -1.0);
    }
    const double angle = std::atan2(axis.y, axis.x);
    double leftmost = 0.0, rightmost = 0.0;
    for (const Vec2 end : {e.a, e.b}) {
        const double off = std::atan2(axis.x * end.y - axis.y * end.x, dot(axis, end));
        const double half = std::asin(r / size(end));
        leftmost = std::max(leftmost, off + half);
        rightmost = std::min(rightmost, off - half);
    }
    return cone_clearance(e.velocity, angle + leftmost, angle + rightmost, axis,
                          (l - r) / c.edge_horizon);
}

/// All that forbids velocities to the agent of a case.
class ConeOracle {
public:
    ConeOracle(const ConeCase& c, ConeKind kind) : case_(c)
    {
        for (const MovingDisc& b : c.neighbours) all_.push_back(pair_clearance(c, b, kind));
        for (const SeenEdge& e : c.edges) all_.push_back(edge_clearance(c, e));
    }

    bool in_discs(Vec2 v, double slack = 0.0) const
    {
        return size(v) <= case_.v_max + slack &&
               (!case_.reach || size(v - case_.reach->centre) <= case_.reach->radius + slack);
    }
    /// Smallest clearance from anything forbidden.
    double clearance(Vec2 v) const
    {
        double least = std::numeric_limits<double>::infinity();
        for (const Clearance& f : all_) least = std::min(least, f(v));
        return least;
    }

    /// A velocity with at least this clearance that is nearer to the target than `distance`, if one
    /// is found: on a polar grid about the target, close to `answer`, and by descent from the
    /// nearest allowed points of the grid.
    std::optional<Vec2> nearer(double distance, Vec2 answer, double clearance)
    {
        if (!(distance > 0.0)) return std::nullopt;
        least_clearance_ = clearance;
        std::vector<std::pair<double, Vec2>> starts;
        constexpr int kRings = 12, kSpokes = 40;
        const double reach = std::min(distance, case_.v_max + size(case_.target));
        for (int ring = 0; ring <= kRings; ++ring) {
            for (int spoke = 0; spoke < kSpokes; ++spoke) {
                // Beyond the answer too: a descent may start there.
                const double r = 1.15 * reach * ring / kRings;
                const Vec2 v = case_.target + spoke_of(spoke, kSpokes) * r;
                if (!allowed(v)) continue;
                if (r < distance) return v;
                starts.push_back({r, v});
            }
        }
        for (double r = 1e-6; r < 1.0; r *= 4.0) {
            for (int spoke = 0; spoke < 24; ++spoke) {
                const Vec2 v = answer + spoke_of(spoke, 24) * r;
                if (size(v - case_.target) < distance && allowed(v)) return v;
            }
        }
        const std::size_t most = std::min<std::size_t>(starts.size(), 5);
        for (std::size_t i = 0; i < most; ++i) {
            // Spread over the list: neighbours on the grid lead to the same place.
            const Vec2 v = descend(starts[i * starts.size() / most].second);
            if (size(v - case_.target) < distance) return v;
        }
        return std::nullopt;
    }

private:
    static Vec2 spoke_of(int i, int of)
    {
        const double angle = 6.283185307179586 * i / of + 0.1;
        return {std::cos(angle), std::sin(angle)};
    }
    bool allowed(Vec2 v) const
    {
        if (!in_discs(v)) return false;
        return std::all_of(all_.begin(), all_.end(),
                           [&](const Clearance& f) { return f(v) >= least_clearance_; });
    }
    /// Compass search for a nearer allowed velocity.
    Vec2 descend(Vec2 v) const
    {
        for (double step = 0.2; step > 1e-7;) {
            bool moved = false;
            for (int spoke = 0; spoke < 12 && !moved; ++spoke) {
                const Vec2 next = v + spoke_of(spoke, 12) * step;
                if (size(next - case_.target) >= size(v - case_.target) || !allowed(next)) continue;
                v = next;
                moved = true;
            }
            if (!moved) step *= 0.4;
        }
        return v;
    }

    const ConeCase& case_;
    std::vector<Clearance> all_;
    double least_clearance_ = 0.0;
};

}  // namespace sidestep::test
