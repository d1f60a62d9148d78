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
#include <limits>
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

/// What is told of one lane.
struct ToldLane {
    std::size_t l = 0;
    Vec2<double> v{};       ///< that it takes
    Vec2<double> target{};  ///< that it wanted to be near
    double depth = 0.0;     ///< by which it may be inside a region unnoticed [m/s]
    bool found = false;     ///< as in ConeChoice
    bool complete = false;
    bool by_walls = false;  ///< walls' lines had the last word
    bool pressed = false;
    bool clamped = false;
    bool exceeded = false;  ///< the limit of acceleration was
    bool turned = false;    ///< its wish was
};

/// Whether v is inside region `at` as it was before any were given up.
inline bool is_inside(const ConeRows& rows, std::size_t slot, std::size_t l, const Vec2<double>& v,
                      double depth)
{
    const Regions<float>& r = rows.regions;
    const std::size_t at = r.at(slot, l);
    const std::size_t whole = rows.whole_at(slot, l);
    const double x = v.x - r.disc_x[at], y = v.y - r.disc_y[at];
    const double within = rows.whole_disc[whole] - depth;
    if (within > 0.0 && x * x + y * y < within * within) return true;
    const double c[3] = {r.c[0][at], r.c[1][at], rows.whole_cut[whole]};
    for (std::size_t k = 0; k < 3; ++k) {
        if (!(r.nx[k][at] * v.x + r.ny[k][at] * v.y > c[k] + depth)) return false;
    }
    return true;
}

/// Tells of region `slot` of a lane, in the form of a cone or a line.
inline void explain_region(const ConeRows& rows, std::size_t slot, const ToldLane& lane,
                           const RegionSource& source, Explanation& out)
{
    const std::size_t l = lane.l;
    const Regions<float>& r = rows.regions;
    const std::size_t at = r.at(slot, l);
    const auto normal = [&](std::size_t k) { return Vec2<double>{r.nx[k][at], r.ny[k][at]}; };
    const Vec2<double> left = normal(0), right = normal(1), cut = normal(2);
    const double cut_at = rows.whole_cut[rows.whole_at(slot, l)];
    if ((left.x == 0.0 && left.y == 0.0) || cut_at > -kNoBound * 0.5) return;  // empty
    const double left_at = r.c[0][at], right_at = r.c[1][at];
    if (right.x == 0.0 && right.y == 0.0) {  // forbids left.v > left_at
        out.lines.push_back(
            {.point = {left.x * left_at, left.y * left_at},
             .normal = {-left.x, -left.y},
             .hard = source.hard,
             .source = source.kind,
             .source_id = source.id,
             .given_up = source.given_up || is_inside(rows, slot, l, lane.v, lane.depth)});
        return;
    }
    Explanation::Cone cone;
    cone.source = source.kind;
    cone.source_id = source.id;
    cone.given_up = source.given_up || is_inside(rows, slot, l, lane.v, lane.depth);
    cone.left_direction = {-left.y, left.x};  // normals point inwards
    cone.right_direction = {right.y, -right.x};
    const bool is_cut = cut.x != 0.0 || cut.y != 0.0;
    const Vec2<double> a =
        is_cut ? corner(left, left_at, cut, cut_at) : corner(left, left_at, right, right_at);
    const Vec2<double> b = is_cut ? corner(right, right_at, cut, cut_at) : a;
    cone.left_start = {a.x, a.y};
    cone.right_start = {b.x, b.y};
    cone.arc_centre = {r.disc_x[at], r.disc_y[at]};
    cone.arc_radius = rows.whole_disc[rows.whole_at(slot, l)];
    out.cones.push_back(cone);
}

/// Of what the constraints of a lane are: the reason is not to speak of cones where there are none.
enum class Shapes { cones, lines, both };

/// Sides of cones, and overlaps among them, go with the cones; lines of clearpath-safe do not.
inline Shapes shapes_of(ConeKind kind, const Explanation& told)
{
    if (told.cones.empty()) return Shapes::lines;
    return kind == ConeKind::half_plane ? Shapes::both : Shapes::cones;
}

/// What a velocity does that nothing forbids.
inline const char* allowed_words(Shapes shapes)
{
    switch (shapes) {
        case Shapes::cones: return "is outside all cones";
        case Shapes::lines: return "keeps to all lines";
        case Shapes::both: break;
    }
    return "keeps to all lines and is outside all cones";
}

/// What the chooser did.
inline std::string chooser_words(const Group& group, ConeKind kind, const ConeChoice& choice,
                                 const ToldLane& lane, Shapes shapes)
{
    const std::size_t l = lane.l;
    const std::size_t neighbours = group.scratch.neighbours.lists.count[group.first_lane + l];
    const std::string allowed = allowed_words(shapes);
    const char* sided =
        kind == ConeKind::linear && choice.sided[l] ? ", on its own side of each neighbour" : "";
    char text[120];
    if (choice.sampled[l])
        return choice.stuck[l] ? "no velocity " + allowed +
                                     ": the sampled one of least penalty, of those that walls allow"
                               : "the sampled velocity of least penalty, of those that walls allow";
    if (lane.complete) return "the velocity nearest to the wish that " + allowed + sided;
    if (choice.kept[l] < neighbours) {
        std::snprintf(text, sizeof text,
                      "not every %s leaves room: the nearest %zu of %zu neighbours are avoided",
                      shapes == Shapes::cones ? "cone" : "line", choice.kept[l], neighbours);
        return text;
    }
    std::snprintf(text, sizeof text, " of the next %.2f s", double{choice.horizon[l]});
    return allowed + text + sided;
}

inline std::string cone_reason(const Group& group, ConeKind kind, const ConeChoice& choice,
                               const ToldLane& lane, const Explanation& told)
{
    const Lanes& lanes = group.lanes;
    const Shapes shapes = shapes_of(kind, told);
    std::string text;
    if (lane.by_walls && lane.found && !choice.stuck[lane.l])
        text = std::string("the velocity nearest to what ") +
               (shapes == Shapes::cones ? "cones leave" : "others leave") +
               " that keeps to the walls' lines, which come first";
    else if (lane.by_walls)
        text = std::string("walls leave nothing") +
               (shapes == Shapes::lines ? "" : " between their cones") +
               ": the velocity nearest to the wish that keeps to the walls' lines";
    else if (lane.pressed)
        text =
            "not even the nearest neighbour leaves room: the largest violation of anybody's line "
            "within the shortest horizon is as small as it can be, walls are kept";
    else if (lanes.mode[lane.l] == AccelerationMode::avo)
        text = "the best of the sampled velocities for one that is slow to respond";
    else if (told.cones.empty() && told.lines.empty())
        text = "nobody is in the way: the preferred velocity, within the speed limit";
    else text = chooser_words(group, kind, choice, lane, shapes);
    const float off_x = static_cast<float>(lane.target.x) - lanes.preferred_vx[lane.l];
    const float off_y = static_cast<float>(lane.target.y) - lanes.preferred_vy[lane.l];
    if (off_x != 0.0f || off_y != 0.0f)
        text +=
            "; it overlaps with somebody and its wish is " +
            velocity_words(static_cast<float>(lane.target.x), static_cast<float>(lane.target.y));
    if (lane.turned) text += "; turned to its own side of somebody met head on";
    if (!(lanes.acceleration[lane.l] < std::numeric_limits<float>::infinity())) return text;
    if (lanes.mode[lane.l] == AccelerationMode::brake) text += "; slow enough to stop in time";
    if (lanes.mode[lane.l] == AccelerationMode::clamp || lane.clamped)
        text += lane.exceeded
                    ? "; walls and the speed limit come before the acceleration limit"
                    : "; the change is cut back to the acceleration limit, walls are kept";
    return text;
}

inline void explain_walls(const Group& group, const ConeRows& rows, const ToldLane& lane,
                          Explanation& out)
{
    const std::uint32_t* hit_rows = group.scratch.walls.leaf_rows.data();
    for (std::size_t i = 0; i < std::min(rows.walls.count, group.hits.count[lane.l]); ++i) {
        const std::uint32_t row = hit_rows[group.hits.first[lane.l] + i];
        explain_region(
            rows, rows.walls.first + i, lane,
            {Explanation::Source::wall, group.snapshot.walls.edges[row].wall, true, false}, out);
    }
}

inline void explain_bodies(const Group& group, const ConeRows& rows, const ToldLane& lane,
                           Explanation& out)
{
    std::size_t row = 0;
    for (std::size_t index = 0; index < group.snapshot.bodies.bodies.size(); ++index) {
        const Body& body = group.snapshot.bodies.bodies[index];
        if (!body.live || !body.is_disc()) continue;
        const RegionSource source{Explanation::Source::body, static_cast<std::uint32_t>(index),
                                  false, false};
        explain_region(rows, rows.bodies.first + row, lane, source, out);
        if (rows.body_brakes.count > 0)
            explain_region(rows, rows.body_brakes.first + row, lane, source, out);
        ++row;
    }
}

/// All of one lane: neighbours as half_plane_explain-inl.hpp tells of them.
inline void explain_cone_lane(const Group& group, ConeKind kind, const ConeRows& rows,
                              const ConeChoice& choice, const ToldLane& told)
{
    Explanation& out = *group.scratch.explain;
    const Snapshot& snapshot = group.snapshot;
    const std::size_t l = told.l;
    const std::size_t lane = group.first_lane + l;
    explain_walls(group, rows, told, out);
    explain_bodies(group, rows, told, out);
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
        explain_region(rows, rows.agents.first + i, told, source, out);
        if (rows.sides.count > 0 && choice.sided[l])
            explain_region(rows, rows.sides.first + i, told, source, out);
        if (rows.brakes.count > 0) explain_region(rows, rows.brakes.first + i, told, source, out);
    }
    out.reason = cone_reason(group, kind, choice, told, out);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
