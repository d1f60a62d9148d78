// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <new>

#include "constraints/wall_lines-inl.hpp"
#include "math/input_checks.hpp"
#include "sidestep/geometry.hpp"

namespace sidestep {
namespace {

namespace lane = HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, 1>;
using V = hn::Vec<D>;

struct Candidate {
    double dist_sq;
    std::size_t order;  // polygon, then edge
    WallEdge<double> edge;
};

bool comes_before(const Candidate& a, const Candidate& b)
{
    return a.dist_sq != b.dist_sq ? a.dist_sq < b.dist_sq : a.order < b.order;
}

lane::Vec2<V> in(Vec2 a)
{
    return lane::set2(D(), a.x, a.y);
}

Result<std::vector<Candidate>> edges_in_range(std::span<const WallPolygon> walls, Vec2 position,
                                              double range)
{
    const D d;
    std::vector<Candidate> found;
    std::size_t order = 0;
    for (std::size_t i = 0; i < walls.size(); ++i) {
        const auto edges = make_wall_edges(infer_wall_kind(walls[i]), walls[i]);
        if (!edges) {
            return Error{edges.error().code,
                         "polygon " + std::to_string(i) + ": " + edges.error().message};
        }
        for (const WallEdge<double>& edge : *edges) {
            const auto e = lane::broadcast_edge(d, edge);
            const double dist_sq = hn::GetLane(lane::edge_distance_sq(d, e, in(position)));
            if (!(dist_sq > range * range)) found.push_back({dist_sq, order, edge});
            ++order;
        }
    }
    std::sort(found.begin(), found.end(), comes_before);
    return found;
}

/// Lines so far, in the columns `covered` reads.
struct Columns {
    std::vector<double> nx, ny, c;
};

Result<std::vector<HalfPlane>> make_lines(Vec2 position, Vec2 velocity, double radius, double tau_o,
                                          std::span<const WallPolygon> walls, double range)
{
    const D d;
    const auto candidates = edges_in_range(walls, position, range);
    if (!candidates) return candidates.error();
    const auto p = in(position);
    const V r = hn::Set(d, radius);
    const V tau = hn::Set(d, tau_o);
    std::vector<HalfPlane> lines;
    Columns made;
    for (const Candidate& candidate : *candidates) {
        const auto e = lane::broadcast_edge(d, candidate.edge);
        const lane::LineColumns<double> so_far{made.nx.data(), made.ny.data(), made.c.data(),
                                               lines.size()};
        const auto active =
            hn::AndNot(lane::covered(d, e, p, r, tau, so_far), lane::faces(d, e, p));
        const auto line = lane::wall_line(d, e, p, in(velocity), r, tau, hn::Zero(d), active);
        if (hn::AllFalse(d, line.exists)) continue;
        const HalfPlane plane{{hn::GetLane(line.point.x), hn::GetLane(line.point.y)},
                              {hn::GetLane(line.normal.x), hn::GetLane(line.normal.y)},
                              true};
        lines.push_back(plane);
        made.nx.push_back(plane.normal.x);
        made.ny.push_back(plane.normal.y);
        made.c.push_back(hn::GetLane(lane::dot(line.normal, line.point)));
    }
    return lines;
}

}  // namespace

Result<std::vector<HalfPlane>> obstacle_lines(Vec2 position, Vec2 velocity, double radius,
                                              double tau_o, std::span<const WallPolygon> walls,
                                              double range)
{
    InputCheck c;
    c.finite("p", position)
        .finite("v", velocity)
        .not_negative("r", radius)
        .positive("tau_o", tau_o);
    if (c.not_negative_or_infinite("range", range).failed()) return c.error();
    try {
        return make_lines(position, velocity, radius, tau_o, walls, range);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::out_of_memory, "no memory for the lines of the walls"};
    }
}

}  // namespace sidestep
