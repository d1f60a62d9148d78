// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// From what a lane perceives to its lines: walls, bodies, neighbours.
#if defined(SIDESTEP_MODELS_HALF_PLANE_LINES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_HALF_PLANE_LINES_INL_HPP
#undef SIDESTEP_MODELS_HALF_PLANE_LINES_INL_HPP
#else
#define SIDESTEP_MODELS_HALF_PLANE_LINES_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "constraints/acceleration-inl.hpp"
#include "constraints/velocity_obstacle-inl.hpp"
#include "constraints/wall_lines-inl.hpp"
#include "models/half_plane_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Hard lines of the walls in reach, nearest edge first, [ORCA11] §5.4. `about_zero` (1 or 0 per
/// lane): the first retreat, lines that leave room for standing still.
inline void add_wall_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                           const float* about_zero, const std::uint32_t* hit_rows,
                           const std::size_t* hit_first, const std::size_t* hit_count,
                           LineRows& lines)
{
    std::size_t most = 0;
    for (std::size_t l = 0; l < lines.lanes; ++l) most = std::max(most, hit_count[l]);
    if (most == 0) return;

    const Vec2<FloatV> p = load2(d, lanes.x, lanes.y);
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    const FloatV r = hn::Load(d, lanes.wall_radius);
    const FloatV tau = hn::Load(d, lanes.wall_tau);
    const FloatV push_time = hn::Load(d, lanes.overlap_time);
    const FloatM retreat = load_mask(d, about_zero);
    for (std::size_t slot = 0; slot < most; ++slot) {
        const WallEdge<float>* edges[kLeafRows];
        Point<float> velocities[kLeafRows];
        std::uint32_t walls[kLeafRows];
        alignas(64) float in_use[kLeafRows];
        for (std::size_t l = 0; l < lines.lanes; ++l) {
            const bool used = slot < hit_count[l];
            const WallEdgeRow& row = snapshot.walls.edges[used ? hit_rows[hit_first[l] + slot] : 0];
            edges[l] = &row.shape;
            velocities[l] = row.velocity;
            walls[l] = row.wall;
            in_use[l] = used ? 1.0f : 0.0f;
        }
        const EdgeLanes<FloatLanes> e = gather_edges(d, edges, velocities);
        const LineColumns<float> made{lines.out.nx.data(), lines.out.ny.data(), lines.out.c.data(),
                                      lines.rows};
        const FloatM active = hn::AndNot(covered(d, e, p, r, tau, made), load_mask(d, in_use));
        if (hn::AllFalse(d, active)) continue;
        const auto line =
            wall_line(d, e, p, select(retreat, e.velocity, v), r, tau, push_time, active);
        alignas(64) float exists[kLeafRows];
        hn::Store(hn::IfThenElseZero(line.exists, hn::Set(d, 1.0f)), d, exists);
        StoredLines stored;
        stored.store(d, line.point, line.normal);
        for (std::size_t l = 0; l < lines.lanes; ++l) {
            if (exists[l] == 0.0f) continue;
            lines.add(l, stored.px[l], stored.py[l], stored.nx[l], stored.ny[l],
                      Explanation::Source::wall, walls[l]);
        }
    }
}

/// The other side of a row of pairs.
struct Others {
    alignas(64) float x[kLeafRows], y[kLeafRows], vx[kLeafRows], vy[kLeafRows], radius[kLeafRows];
    alignas(64) float share[kLeafRows], slack_share[kLeafRows];
    alignas(64) float ties_left[kLeafRows];  ///< 1 or 0
    std::uint32_t id[kLeafRows];
    std::uint32_t apart_from[kLeafRows];  ///< the id that parts coincident centres
    bool used[kLeafRows];

    // Of lanes that leave room to brake: what both together can, and the lane's part of it.
    alignas(64) float braking[kLeafRows];  ///< [m/s2]; 0: no line
    alignas(64) float brake_share[kLeafRows];
};

/// Soft lines of one row of pairs, [ORCA11] §4.
inline void add_pair_lines(FloatLanes d, const Lanes& lanes, const Others& others,
                           Explanation::Source kind, LineRows& lines)
{
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    const Pair<FloatV> pair{.rel_pos = load2(d, others.x, others.y) - load2(d, lanes.x, lanes.y),
                            .rel_vel = v - load2(d, others.vx, others.vy),
                            .radius = hn::Load(d, lanes.radius) + hn::Load(d, others.radius)};
    const Shares<FloatV> shares{hn::Load(d, others.share), hn::Load(d, others.slack_share)};
    const HalfPlane<FloatV> plane =
        orca_half_plane(d, pair, v, hn::Load(d, lanes.tau), hn::Load(d, lanes.overlap_time), shares,
                        hn::Load(d, lanes.uncertainty), PairIds{lanes.id, others.apart_from},
                        load_mask(d, others.ties_left));
    StoredLines stored;
    stored.store(d, plane.point, plane.normal);
    for (std::size_t l = 0; l < lines.lanes; ++l) {
        if (others.used[l])
            lines.add(l, stored.px[l], stored.py[l], stored.nx[l], stored.ny[l], kind,
                      others.id[l]);
    }
}

/// Soft lines that leave both of a pair room to stop, in the lanes that ask for it. `own_radius`
/// [m] is what the lane keeps from the other's rim.
inline void add_brake_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                            const float* own_radius, const Others& others, Explanation::Source kind,
                            LineRows& lines)
{
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    const Pair<FloatV> pair{.rel_pos = load2(d, others.x, others.y) - load2(d, lanes.x, lanes.y),
                            .rel_vel = v - load2(d, others.vx, others.vy),
                            .radius = hn::Load(d, own_radius) + hn::Load(d, others.radius)};
    const HalfPlane<FloatV> plane =
        brake_plane(d, pair, v, hn::Load(d, others.braking), hn::Set(d, snapshot.dt),
                    hn::Load(d, others.brake_share), PairIds{lanes.id, others.apart_from},
                    load_mask(d, others.ties_left))
            .plane;
    StoredLines stored;
    stored.store(d, plane.point, plane.normal);
    for (std::size_t l = 0; l < lines.lanes; ++l) {
        if (others.used[l] && others.braking[l] > 0.0f)
            lines.add(l, stored.px[l], stored.py[l], stored.nx[l], stored.ny[l], kind,
                      others.id[l]);
    }
}

/// A lane without a partner in this row: far away, so that nothing overflows.
HWY_INLINE void skip(const Lanes& lanes, Others& others, std::size_t l)
{
    others.used[l] = false;
    others.x[l] = lanes.x[l] + 100.0f;
    others.y[l] = lanes.y[l];
    others.vx[l] = others.vy[l] = 0.0f;
    others.radius[l] = 1.0f;
    others.share[l] = others.slack_share[l] = 0.0f;
    others.ties_left[l] = 0.0f;
    others.id[l] = others.apart_from[l] = 0;
    others.braking[l] = others.brake_share[l] = 0.0f;
}

/// Whether exact ties of a pair go left: on the side that both keep to, else on the world's.
HWY_INLINE bool ties_left(const Snapshot& snapshot, std::uint32_t own_flags,
                          std::uint32_t other_flags)
{
    const std::uint32_t common = own_flags & other_flags;
    if ((common & kPassesLeft) != 0) return true;
    if ((common & kPassesRight) != 0) return false;
    return snapshot.passing_side == PassingSide::left;
}

/// How hard lane l and its partner can brake towards each other, and the lane's part. Whoever
/// yields to nobody counts as not braking; with one whose acceleration has no limit contact can
/// always be avoided by that one, and no line is needed.
HWY_INLINE void set_braking(const Lanes& lanes, std::size_t l, float other_acceleration,
                            Others& others)
{
    const float own = lanes.acceleration[l];
    const float sum = own + other_acceleration;
    if (lanes.mode[l] != AccelerationMode::brake || !(sum < std::numeric_limits<float>::infinity()))
        return;
    others.braking[l] = sum;
    others.brake_share[l] = own / sum;
}

/// Whether two or more others stand exactly where this agent stands. Such a heap is not parted pair
/// by pair: all of it lists the same few neighbours, those of the lowest ids, and would move as
/// one. Each goes in the direction of its own id instead, as if the other's were higher. (The rule
/// for a pair alone is apart_direction.)
HWY_INLINE bool in_a_heap(const NeighbourLists& lists, std::size_t lane)
{
    return lists.count[lane] >= 2 && lists.dist_sq[lane][1] == 0.0f;
}

/// Makes the agent in `row` the partner of lane l, unless it is ignored.
HWY_INLINE void take_agent(const Snapshot& snapshot, const Lanes& lanes, std::size_t l,
                           std::uint32_t row, Others& others)
{
    const AgentRecord& other = snapshot.agents.record[row];
    const Role role = role_towards(snapshot.shares, *lanes.record[l], other);
    if (role.ignored) return;
    others.used[l] = true;
    others.x[l] = other.x;
    others.y[l] = other.y;
    others.vx[l] = other.vx;
    others.vy[l] = other.vy;
    others.radius[l] = other.radius;
    others.share[l] = role.pair.conflict;
    others.slack_share[l] = role.pair.slack;
    others.ties_left[l] = ties_left(snapshot, lanes.record[l]->flags, other.flags) ? 1.0f : 0.0f;
    others.id[l] = others.apart_from[l] = other.id;
    if (lanes.mode[l] == AccelerationMode::brake) {
        const float brakes =
            role.obstacle ? 0.0f
                          : param_of(snapshot.agents, snapshot.profiles, row, kMaxAcceleration);
        set_braking(lanes, l, brakes, others);
    }
}

inline void add_agent_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                            std::size_t first_lane, const NeighbourLists& lists, LineRows& lines)
{
    std::size_t most = 0;
    for (std::size_t l = 0; l < lines.lanes; ++l)
        most = std::max(most, std::size_t{lists.count[first_lane + l]});
    for (std::size_t slot = 0; slot < most; ++slot) {
        Others others;
        for (std::size_t l = 0; l < lines.lanes; ++l) {
            const std::size_t lane = first_lane + l;
            skip(lanes, others, l);
            if (slot >= lists.count[lane]) continue;
            take_agent(snapshot, lanes, l, lists.row[lane][slot], others);
            if (in_a_heap(lists, lane)) others.apart_from[l] = kNoAgent;
        }
        add_pair_lines(d, lanes, others, Explanation::Source::agent, lines);
        if (lanes.any_brake)
            add_brake_lines(d, snapshot, lanes, lanes.radius, others, Explanation::Source::agent,
                            lines);
    }
}

/// A disc body in the world's own coordinates.
struct DiscBody {
    float x, y, vx, vy, radius, speed;
};

HWY_INLINE DiscBody disc_body(const Snapshot& snapshot, const Body& body)
{
    const auto vx = static_cast<float>(body.velocity.x);
    const auto vy = static_cast<float>(body.velocity.y);
    return {static_cast<float>(body.position.x - snapshot.origin.x),
            static_cast<float>(body.position.y - snapshot.origin.y),
            vx,
            vy,
            static_cast<float>(body.radius),
            std::sqrt(vx * vx + vy * vy)};
}

/// Whether lane l minds the body: it could be met within the horizon, and does not go unnoticed.
HWY_INLINE bool minds(const Lanes& lanes, std::size_t l, const DiscBody& body, std::size_t index,
                      std::size_t first_lane, const Perceived& perceived)
{
    const float dx = body.x - lanes.x[l];
    const float dy = body.y - lanes.y[l];
    const float reach = std::max(lanes.range[l], lanes.tau[l] * (lanes.max_speed[l] + body.speed)) +
                        lanes.radius[l] + body.radius;
    if (lanes.alive[l] == 0.0f || dx * dx + dy * dy > reach * reach) return false;
    return perceived.unnoticed_bodies.empty() ||
           (perceived.unnoticed_bodies[index] >> (first_lane + l) & 1u) == 0;
}

/// Makes a disc body the partner of lane l, if it minds it. Bodies yield to nobody: full share.
HWY_INLINE void take_body(const Snapshot& snapshot, const Lanes& lanes, std::size_t l,
                          const DiscBody& body, std::size_t index, std::size_t first_lane,
                          const Perceived& perceived, Others& others)
{
    if (!minds(lanes, l, body, index, first_lane, perceived)) return;
    others.used[l] = true;
    others.x[l] = body.x;
    others.y[l] = body.y;
    others.vx[l] = body.vx;
    others.vy[l] = body.vy;
    others.radius[l] = body.radius;
    others.share[l] = others.slack_share[l] = 1.0f;
    others.ties_left[l] = snapshot.passing_side == PassingSide::left ? 1.0f : 0.0f;
    others.id[l] = others.apart_from[l] = static_cast<std::uint32_t>(index);
    set_braking(lanes, l, 0.0f, others);
}

inline void add_body_lines(FloatLanes d, const Snapshot& snapshot, std::uint16_t level,
                           const Lanes& lanes, std::size_t first_lane, const Perceived& perceived,
                           LineRows& lines)
{
    for (std::size_t index = 0; index < snapshot.bodies.bodies.size(); ++index) {
        const Body& row = snapshot.bodies.bodies[index];
        if (!row.live || !row.is_disc() || row.level != level) continue;
        const DiscBody body = disc_body(snapshot, row);
        Others others;
        bool any = false;
        for (std::size_t l = 0; l < lines.lanes; ++l) {
            skip(lanes, others, l);
            take_body(snapshot, lanes, l, body, index, first_lane, perceived, others);
            any = any || others.used[l];
        }
        if (!any) continue;
        add_pair_lines(d, lanes, others, Explanation::Source::body, lines);
        if (lanes.any_brake)
            add_brake_lines(d, snapshot, lanes, lanes.radius, others, Explanation::Source::body,
                            lines);
    }
}

/// Point of the edge nearest to (x, y).
HWY_INLINE Point<float> nearest_point(const WallEdge<float>& edge, float x, float y)
{
    const float ex = edge.b.x - edge.a.x;
    const float ey = edge.b.y - edge.a.y;
    const float along = (x - edge.a.x) * ex + (y - edge.a.y) * ey;
    const float length_sq = ex * ex + ey * ey;
    if (!(along > 0.0f)) return edge.a;
    if (along >= length_sq) return edge.b;
    const float s = along / length_sq;
    return {edge.a.x + s * ex, edge.a.y + s * ey};
}

/// Soft lines that leave room to stop at the nearest walls: each as a standing point, the nearest
/// of an edge.
inline void add_wall_brake_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                                 const std::uint32_t* hit_rows, const std::size_t* hit_first,
                                 const std::size_t* hit_count, LineRows& lines)
{
    std::size_t most = 0;
    for (std::size_t l = 0; l < lines.lanes; ++l)
        if (lanes.mode[l] == AccelerationMode::brake) most = std::max(most, hit_count[l]);
    for (std::size_t slot = 0; slot < std::min(most, kMostBrakeWalls); ++slot) {
        Others others;
        for (std::size_t l = 0; l < lines.lanes; ++l) {
            skip(lanes, others, l);
            if (slot >= hit_count[l] || lanes.mode[l] != AccelerationMode::brake) continue;
            const WallEdgeRow& edge = snapshot.walls.edges[hit_rows[hit_first[l] + slot]];
            const Point<float> at = nearest_point(edge.shape, lanes.x[l], lanes.y[l]);
            if (at.x == lanes.x[l] && at.y == lanes.y[l]) continue;  // no direction to brake in
            others.used[l] = true;
            others.x[l] = at.x;
            others.y[l] = at.y;
            others.vx[l] = edge.velocity.x;
            others.vy[l] = edge.velocity.y;
            others.radius[l] = 0.0f;
            others.id[l] = edge.wall;
            set_braking(lanes, l, 0.0f, others);
        }
        add_brake_lines(d, snapshot, lanes, lanes.wall_radius, others, Explanation::Source::wall,
                        lines);
    }
}

/// The ellipse of each lane as it is kept in floats.
HWY_INLINE ReachEllipse<FloatV> load_ellipses(FloatLanes d, const Lanes& lanes)
{
    return {load2(d, lanes.heading_x, lanes.heading_y), hn::Load(d, lanes.along),
            hn::Min(hn::Load(d, lanes.across), hn::Load(d, lanes.along))};
}

/// Hard lines of the ellipses of the lanes of `limited` (1 or 0) that have one.
inline void add_ellipse_lines(FloatLanes d, const Lanes& lanes, const float* limited,
                              LineRows& lines)
{
    const ReachEllipse<FloatV> ellipse = load_ellipses(d, lanes);
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    // Twice what the program may overlook: lines are looked up at a scale of the speed limit.
    const FloatV scale =
        hn::Max(hn::Max(hn::Set(d, 1.0f), hn::Load(d, lanes.max_speed)), length(v));
    const FloatV spare = scale * hn::Set(d, 2.0f * Tolerances<float>::kViolation);
    for (std::size_t side = 0; side < kEllipseSides; ++side) {
        const HalfPlane<FloatV> plane = ellipse_side(d, v, ellipse, side, spare);
        StoredLines stored;
        stored.store(d, plane.point, plane.normal);
        for (std::size_t l = 0; l < lines.lanes; ++l) {
            if (limited[l] != 0.0f && lanes.across[l] < std::numeric_limits<float>::infinity())
                lines.add(l, stored.px[l], stored.py[l], stored.nx[l], stored.ny[l], kOwnLimit, 0);
        }
    }
}

/// The walls in reach of each lane, nearest first.
struct WallHits {
    std::size_t first[kLeafRows] = {};
    std::size_t count[kLeafRows] = {};
};

/// How far [m] walls matter to lane l: within the horizon, and the way to a stop of one that brakes
/// in time.
HWY_INLINE float wall_reach(const Snapshot& snapshot, const Lanes& lanes, std::size_t l)
{
    const float horizon = lanes.wall_tau[l] * lanes.max_speed[l];
    const float braking = lanes.acceleration[l];
    if (lanes.mode[l] != AccelerationMode::brake ||
        !(braking < std::numeric_limits<float>::infinity()))
        return horizon + lanes.wall_radius[l];
    const float speed =
        std::sqrt(lanes.vx[l] * lanes.vx[l] + lanes.vy[l] * lanes.vy[l]) + braking * snapshot.dt;
    const float stop = speed * snapshot.dt + speed * speed / (2.0f * braking);
    return std::max(horizon, stop) + lanes.wall_radius[l];
}

inline WallHits find_lane_walls(const Snapshot& snapshot, std::uint16_t level, const Lanes& lanes,
                                std::size_t lane_count, WallScratch& scratch)
{
    WallHits hits;
    if (snapshot.walls.size() == 0) return hits;
    std::size_t next = 0;
    for (std::size_t l = 0; l < lane_count; ++l) {
        hits.first[l] = next;
        if (lanes.alive[l] == 0.0f) continue;
        const float reach = wall_reach(snapshot, lanes, l);
        find_walls(snapshot.walls, lanes.x[l], lanes.y[l], level, reach, lanes.wall_tau[l],
                   scratch);
        for (const WallHit& hit : scratch.hits) scratch.leaf_rows.data()[next++] = hit.row;
        hits.count[l] = scratch.hits.size();
    }
    return hits;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
