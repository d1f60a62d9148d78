// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Why an agent of a cone model does what it does: all its cones, lines, and one sentence.
#if defined(SIDESTEP_MODELS_CONE_EXPLAIN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_CONE_EXPLAIN_INL_HPP
#undef SIDESTEP_MODELS_CONE_EXPLAIN_INL_HPP
#else
#define SIDESTEP_MODELS_CONE_EXPLAIN_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdio>
#include <string>

#include "models/cone_choose-inl.hpp"
#include "models/half_plane_explain-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What a row of regions is about.
struct RegionSource {
    Explanation::Source kind = Explanation::Source::agent;
    std::uint32_t id = 0;
    bool hard = false;
    bool given_up = false;
};

/// Crossing of the lines n.v = c of two half-planes of a region, in double.
inline Vec2<double> corner(const Vec2<double>& n, double c, const Vec2<double>& m, double e)
{
    const double det = n.x * m.y - n.y * m.x;
    if (det == 0.0) return {n.x * c, n.y * c};
    return {(c * m.y - e * n.y) / det, (n.x * e - m.x * c) / det};
}

/// Tells of region `slot` of lane l, in the form of a cone or a line.
inline void explain_region(const ConeRows& rows, std::size_t slot, std::size_t l,
                           const RegionSource& source, Explanation& out)
{
    const std::size_t at = slot * hn::Lanes(FloatLanes()) + l;
    const Regions<float>& r = rows.regions;
    const auto normal = [&](std::size_t k) { return Vec2<double>{r.nx[k][at], r.ny[k][at]}; };
    const Vec2<double> left = normal(0), right = normal(1), cut = normal(2);
    const double cut_at = rows.whole_cut[at];
    if ((left.x == 0.0 && left.y == 0.0) || cut_at > -kNoBound * 0.5) return;  // empty
    const double left_at = r.c[0][at], right_at = r.c[1][at];
    if (right.x == 0.0 && right.y == 0.0) {  // forbids left.v > left_at
        out.lines.push_back({.point = {left.x * left_at, left.y * left_at},
                             .normal = {-left.x, -left.y},
                             .hard = source.hard,
                             .source = source.kind,
                             .source_id = source.id});
        return;
    }
    Explanation::Cone cone;
    cone.source = source.kind;
    cone.source_id = source.id;
    cone.given_up = source.given_up;
    cone.left_direction = {-left.y, left.x};  // normals point inwards
    cone.right_direction = {right.y, -right.x};
    const bool is_cut = cut.x != 0.0 || cut.y != 0.0;
    const Vec2<double> a =
        is_cut ? corner(left, left_at, cut, cut_at) : corner(left, left_at, right, right_at);
    const Vec2<double> b = is_cut ? corner(right, right_at, cut, cut_at) : a;
    cone.left_start = {a.x, a.y};
    cone.right_start = {b.x, b.y};
    cone.arc_centre = {r.disc_x[at], r.disc_y[at]};
    cone.arc_radius = rows.whole_disc[at];
    out.cones.push_back(cone);
}

inline std::string cone_reason(const Group& group, ConeKind kind, const ConeChoice& choice,
                               std::size_t l, bool found, bool complete, bool by_walls,
                               bool pressed)
{
    char text[120];
    const std::size_t neighbours = group.scratch.neighbours.lists.count[group.first_lane + l];
    if (by_walls)
        return "walls leave nothing between their cones: the velocity nearest to the wish that "
               "keeps to the walls' lines";
    if (pressed)
        return "not even the nearest neighbour leaves room: the largest violation of anybody's "
               "line "
               "within the shortest horizon is as small as it can be, walls are kept";
    if (choice.sampled[l])
        return complete || found
                   ? std::string("the sampled velocity of least penalty, of those that walls allow")
                   : std::string("no velocity is outside all cones");
    if (complete)
        return kind == ConeKind::linear && choice.sided[l]
                   ? "the velocity nearest to the wish that is outside all cones, on its own side "
                     "of each neighbour"
                   : "the velocity nearest to the wish that is outside all cones";
    if (choice.kept[l] < neighbours) {
        std::snprintf(text, sizeof text,
                      "not every cone leaves room: the nearest %zu of %zu neighbours are avoided",
                      choice.kept[l], neighbours);
        return text;
    }
    if (!choice.keeps_bodies[l])
        return "neither neighbours nor bodies leave room: walls alone count";
    std::snprintf(text, sizeof text, "outside all cones of the next %.2f s",
                  double{choice.horizon[l]});
    return choice.sided[l] ? std::string(text) + ", on its own side of each neighbour"
                           : std::string("outside all cones, on any side of the neighbours");
}

/// Neighbours of lane l, as half_plane_explain-inl.hpp tells of them.
inline void explain_cone_lane(const Group& group, ConeKind kind, const ConeRows& rows,
                              const ConeChoice& choice, std::size_t l, bool found, bool complete,
                              bool by_walls, bool pressed, bool turned)
{
    Explanation& out = *group.scratch.explain;
    const Snapshot& snapshot = group.snapshot;
    const std::size_t lane = group.first_lane + l;
    for (std::size_t i = 0; i < std::min(rows.walls.count, group.hits.count[l]); ++i) {
        const std::uint32_t* hit_rows = group.scratch.walls.leaf_rows.data();
        const std::uint32_t wall = snapshot.walls.edges[hit_rows[group.hits.first[l] + i]].wall;
        explain_region(rows, rows.walls.first + i, l,
                       {Explanation::Source::wall, wall, true, false}, out);
    }
    std::size_t row = 0;
    for (std::size_t index = 0; index < snapshot.bodies.bodies.size(); ++index) {
        const Body& body = snapshot.bodies.bodies[index];
        if (!body.live || !body.is_disc()) continue;
        explain_region(rows, rows.bodies.first + row++, l,
                       {Explanation::Source::body, static_cast<std::uint32_t>(index), false,
                        !choice.keeps_bodies[l]},
                       out);
    }
    const NeighbourLists& lists = group.scratch.neighbours.lists;
    for (std::size_t i = 0; i < lists.count[lane]; ++i) {
        const AgentRecord& other = snapshot.agents.record[lists.row[lane][i]];
        const Role role = role_towards(snapshot.shares, *group.lanes.record[l], other);
        out.neighbours.push_back(
            {.id = other.id,
             .distance = std::sqrt(double{lists.dist_sq[lane][i]}),
             .share = kind == ConeKind::full && !role.ignored ? 1.0 : double{role.pair.conflict},
             .notice = role.ignored ? Explanation::Notice::ignored : Explanation::Notice::avoided});
        const RegionSource source{Explanation::Source::agent, other.id, false, i >= choice.kept[l]};
        explain_region(rows, rows.agents.first + i, l, source, out);
        if (rows.sides.count > 0 && choice.sided[l])
            explain_region(rows, rows.sides.first + i, l, source, out);
        if (rows.brakes.count > 0) explain_region(rows, rows.brakes.first + i, l, source, out);
    }
    out.reason = cone_reason(group, kind, choice, l, found, complete, by_walls, pressed);
    if (turned) out.reason += "; turned to its own side of somebody met head on";
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
