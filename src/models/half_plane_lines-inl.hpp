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
    alignas(64) float x[kLeafRows], y[kLeafRows], vx[kLeafRows], vy[kLeafRows], radius[kLeafRows],
        share[kLeafRows];
    std::uint32_t id[kLeafRows];
    std::uint32_t apart_from[kLeafRows];  ///< the id that parts coincident centres
    bool used[kLeafRows];
};

/// Soft lines of one row of pairs, [ORCA11] §4.
inline void add_pair_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                           const Others& others, Explanation::Source kind, LineRows& lines)
{
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    const Pair<FloatV> pair{.rel_pos = load2(d, others.x, others.y) - load2(d, lanes.x, lanes.y),
                            .rel_vel = v - load2(d, others.vx, others.vy),
                            .radius = hn::Load(d, lanes.radius) + hn::Load(d, others.radius)};
    const HalfPlane<FloatV> plane =
        orca_half_plane(d, pair, v, hn::Load(d, lanes.tau), hn::Load(d, lanes.overlap_time),
                        hn::Load(d, others.share), hn::Load(d, lanes.uncertainty),
                        PairIds{lanes.id, others.apart_from}, snapshot.passing_side);
    StoredLines stored;
    stored.store(d, plane.point, plane.normal);
    for (std::size_t l = 0; l < lines.lanes; ++l) {
        if (others.used[l])
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
    others.share[l] = 0.0f;
    others.id[l] = others.apart_from[l] = 0;
}

/// Share of the avoidance that lane l takes towards a neighbour: by rank against one that reacts,
/// else all.
HWY_INLINE float share_towards(float own_rank, const AgentRecord& other)
{
    if ((other.flags & kReacts) == 0) return 1.0f;
    const hn::CappedTag<float, 1> one;
    return hn::GetLane(share_from_ranks(one, hn::Set(one, own_rank), hn::Set(one, other.rank)));
}

/// An agent of infinite rank is to others an obstacle with a velocity, and like one it takes no
/// notice of those who avoid it. (The line of share 0 would keep it from setting off towards them.)
HWY_INLINE bool is_noticed(float own_rank, const AgentRecord& other)
{
    return !(std::isinf(own_rank) && (other.flags & kReacts) != 0 && !std::isinf(other.rank));
}

/// Whether two or more others stand exactly where this agent stands. Such a heap is not parted pair
/// by pair: all of it lists the same few neighbours, those of the lowest ids, and would move as
/// one. Each goes in the direction of its own id instead, as if the other's were higher. (The rule
/// for a pair alone is apart_direction.)
HWY_INLINE bool in_a_heap(const NeighbourLists& lists, std::size_t lane)
{
    return lists.count[lane] >= 2 && lists.dist_sq[lane][1] == 0.0f;
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
            const AgentRecord& other = snapshot.agents.record[lists.row[lane][slot]];
            if (!is_noticed(lanes.rank[l], other)) continue;
            others.used[l] = true;
            others.x[l] = other.x;
            others.y[l] = other.y;
            others.vx[l] = other.vx;
            others.vy[l] = other.vy;
            others.radius[l] = other.radius;
            others.share[l] = share_towards(lanes.rank[l], other);
            others.id[l] = other.id;
            others.apart_from[l] = in_a_heap(lists, lane) ? kNoAgent : other.id;
        }
        add_pair_lines(d, snapshot, lanes, others, Explanation::Source::agent, lines);
    }
}

/// Disc bodies yield to nobody: full share. Seen from wherever they could be met within the
/// horizon.
inline void add_body_lines(FloatLanes d, const Snapshot& snapshot, std::uint16_t level,
                           const Lanes& lanes, LineRows& lines)
{
    for (std::size_t index = 0; index < snapshot.bodies.bodies.size(); ++index) {
        const Body& body = snapshot.bodies.bodies[index];
        if (!body.live || !body.is_disc() || body.level != level) continue;
        const auto x = static_cast<float>(body.position.x - snapshot.origin.x);
        const auto y = static_cast<float>(body.position.y - snapshot.origin.y);
        const auto vx = static_cast<float>(body.velocity.x);
        const auto vy = static_cast<float>(body.velocity.y);
        const auto radius = static_cast<float>(body.radius);
        const float speed = std::sqrt(vx * vx + vy * vy);
        Others others;
        bool any = false;
        for (std::size_t l = 0; l < lines.lanes; ++l) {
            skip(lanes, others, l);
            const float dx = x - lanes.x[l];
            const float dy = y - lanes.y[l];
            const float reach =
                std::max(lanes.range[l], lanes.tau[l] * (lanes.max_speed[l] + speed)) +
                lanes.radius[l] + radius;
            if (lanes.alive[l] == 0.0f || dx * dx + dy * dy > reach * reach) continue;
            any = true;
            others.used[l] = true;
            others.x[l] = x;
            others.y[l] = y;
            others.vx[l] = vx;
            others.vy[l] = vy;
            others.radius[l] = radius;
            others.share[l] = 1.0f;
            others.id[l] = others.apart_from[l] = static_cast<std::uint32_t>(index);
        }
        if (any) add_pair_lines(d, snapshot, lanes, others, Explanation::Source::body, lines);
    }
}

/// The walls in reach of each lane, nearest first.
struct WallHits {
    std::size_t first[kLeafRows] = {};
    std::size_t count[kLeafRows] = {};
};

inline WallHits find_lane_walls(const Snapshot& snapshot, std::uint16_t level, const Lanes& lanes,
                                std::size_t lane_count, WallScratch& scratch)
{
    WallHits hits;
    if (snapshot.walls.size() == 0) return hits;
    std::size_t next = 0;
    for (std::size_t l = 0; l < lane_count; ++l) {
        hits.first[l] = next;
        if (lanes.alive[l] == 0.0f) continue;
        const float reach = lanes.wall_tau[l] * lanes.max_speed[l] + lanes.wall_radius[l];
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
