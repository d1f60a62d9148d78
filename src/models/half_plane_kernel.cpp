// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/half_plane_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "constraints/velocity_obstacle-inl.hpp"
#include "constraints/wall_lines-inl.hpp"
#include "models/half_plane_model.hpp"
#include "simd/isa.hpp"
#include "solvers/program-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// What a change of velocity can gain when the velocity it leads to is rounded [1]: the
/// acceleration limit is kept with this to spare.
inline constexpr float kVelocityRounding = 2.0f * std::numeric_limits<float>::epsilon();

using FloatLanes = hn::CappedTag<float, kLeafRows>;
using FloatV = hn::Vec<FloatLanes>;
using FloatM = hn::Mask<FloatLanes>;

/// The agents of one vector of lanes: a leaf, or a part of it where vectors are shorter. Rows that
/// hold nobody get harmless numbers.
struct Lanes {
    alignas(64) float x[kLeafRows], y[kLeafRows], vx[kLeafRows], vy[kLeafRows];
    alignas(64) float radius[kLeafRows];       ///< planning radius [m]
    alignas(64) float wall_radius[kLeafRows];  ///< body and wall clearance [m]
    alignas(64) float preferred_vx[kLeafRows], preferred_vy[kLeafRows];
    alignas(64) float max_speed[kLeafRows],
        reach[kLeafRows];  ///< speed and acceleration discs [m/s]; reach may be infinite
    alignas(64) float tau[kLeafRows], wall_tau[kLeafRows], overlap_time[kLeafRows],
        uncertainty[kLeafRows];
    float rank[kLeafRows], range[kLeafRows];
    std::uint32_t id[kLeafRows];
    alignas(64) float alive[kLeafRows];  ///< 1 or 0
};

void load_lanes(const Snapshot& snapshot, std::size_t first_row, std::size_t count, Lanes& lanes)
{
    const AgentTable& agents = snapshot.agents;
    for (std::size_t l = 0; l < count; ++l) {
        const std::size_t row = first_row + l;
        const AgentRecord& record = agents.record[row];
        const bool alive = record.id != kNoAgent;
        const auto param = [&](std::size_t p) {
            return param_of(agents, snapshot.profiles, row, p);
        };
        lanes.alive[l] = alive ? 1.0f : 0.0f;
        lanes.x[l] = alive ? record.x : 0.0f;
        lanes.y[l] = alive ? record.y : 0.0f;
        lanes.vx[l] = record.vx;
        lanes.vy[l] = record.vy;
        lanes.radius[l] = alive ? record.radius : 1.0f;
        lanes.rank[l] = record.rank;
        lanes.id[l] = record.id;
        lanes.preferred_vx[l] = agents.preferred_vx[row];
        lanes.preferred_vy[l] = agents.preferred_vy[row];
        lanes.wall_radius[l] = alive ? param(kRadius) + param(kWallClearance) : 1.0f;
        lanes.range[l] = alive ? param(kNeighbourRange) : 0.0f;
        lanes.max_speed[l] = alive ? param(kMaxSpeed) : 0.0f;
        const float rounding = kVelocityRounding * (std::fabs(record.vx) + std::fabs(record.vy));
        lanes.reach[l] =
            alive ? std::max(param(kMaxAcceleration) * snapshot.dt * (1.0f - kVelocityRounding) -
                                 rounding,
                             0.0f)
                  : 1.0f;
        lanes.tau[l] = alive ? param(kTimeHorizon) : 1.0f;
        lanes.wall_tau[l] = alive ? param(kWallTimeHorizon) : 1.0f;
        lanes.uncertainty[l] = alive ? param(kVelocityUncertainty) : 0.0f;
        const float overlap_time = alive ? param(kOverlapTime) : 0.0f;
        lanes.overlap_time[l] = overlap_time > 0.0f ? overlap_time : snapshot.dt;
    }
}

/// Lines of these lanes while they are made. Rows that a lane does not use are empty.
struct LineRows {
    LineScratch& out;
    std::size_t lanes;
    std::size_t rows = 0;
    std::size_t filled[kLeafRows] = {};  ///< next free row of each lane
    alignas(64) float scale[kLeafRows];  ///< largest |point| so far, for the program's tolerance

    explicit LineRows(LineScratch& scratch, std::size_t lane_count)
        : out(scratch), lanes(lane_count)
    {
        for (float& value : scale) value = 1.0f;
    }

    void open_row()
    {
        for (std::size_t l = 0; l < lanes; ++l) {
            const std::size_t at = rows * lanes + l;
            out.nx.data()[at] = out.ny.data()[at] = 0.0f;
            out.c.data()[at] = static_cast<float>(kNoBound);
        }
        ++rows;
    }

    void add(std::size_t l, float px, float py, float nx, float ny, Explanation::Source kind,
             std::uint32_t source)
    {
        if (filled[l] == rows) open_row();
        const std::size_t at = filled[l]++ * lanes + l;
        out.nx.data()[at] = nx;
        out.ny.data()[at] = ny;
        out.c.data()[at] = nx * px + ny * py;
        out.source.data()[at] = source;
        out.source_kind.data()[at] = static_cast<std::uint8_t>(kind);
        scale[l] = std::max(scale[l], std::sqrt(px * px + py * py));
    }

    /// Later lines of all lanes start in the same row.
    void align()
    {
        for (std::size_t& next : filled) next = rows;
    }
};

/// Half-planes or wall lines of one row of lanes, stored to be dealt out.
struct StoredLines {
    alignas(64) float px[kLeafRows], py[kLeafRows], nx[kLeafRows], ny[kLeafRows];

    void store(FloatLanes d, const Vec2<FloatV>& point, const Vec2<FloatV>& normal)
    {
        hn::Store(point.x, d, px);
        hn::Store(point.y, d, py);
        hn::Store(normal.x, d, nx);
        hn::Store(normal.y, d, ny);
    }
};

HWY_INLINE Vec2<FloatV> load2(FloatLanes d, const float* x, const float* y)
{
    return {hn::Load(d, x), hn::Load(d, y)};
}

HWY_INLINE FloatM load_mask(FloatLanes d, const float* flags)
{
    return hn::Ne(hn::Load(d, flags), hn::Zero(d));
}

/// Hard lines of the walls in reach, nearest edge first, [ORCA11] §5.4. `about_zero` (1 or 0 per
/// lane): the first retreat, lines that leave room for standing still.
void add_wall_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                    const float* about_zero, const std::uint32_t* hit_rows,
                    const std::size_t* hit_first, const std::size_t* hit_count, LineRows& lines)
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
void add_pair_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
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

void add_agent_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
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
/// horizon, unless they go unnoticed.
void add_body_lines(FloatLanes d, const Snapshot& snapshot, std::uint16_t level, const Lanes& lanes,
                    std::size_t first_lane, const Perceived& perceived, LineRows& lines)
{
    const auto is_unnoticed = [&](std::size_t index, std::size_t l) {
        return !perceived.unnoticed_bodies.empty() &&
               (perceived.unnoticed_bodies[index] >> (first_lane + l) & 1u) != 0;
    };
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
            if (is_unnoticed(index, l)) continue;
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

WallHits find_lane_walls(const Snapshot& snapshot, std::uint16_t level, const Lanes& lanes,
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

/// One try at the velocities of these lanes.
struct Attempt {
    ProgramResult<FloatLanes> result;
    std::size_t hard_rows;
    std::size_t rows;
};

Attempt attempt(FloatLanes d, const Snapshot& snapshot, std::size_t leaf, std::size_t first_lane,
                const Lanes& lanes, const WallHits& hits, const float* about_zero,
                const float* no_reach, ModelScratch& scratch)
{
    LineRows lines(scratch.lines, hn::Lanes(d));
    add_wall_lines(d, snapshot, lanes, about_zero, scratch.walls.leaf_rows.data(), hits.first,
                   hits.count, lines);
    lines.align();
    const std::size_t hard_rows = lines.rows;
    add_body_lines(d, snapshot, snapshot.agents.leaf_level[leaf], lanes, first_lane,
                   scratch.perceived, lines);
    add_agent_lines(d, snapshot, lanes, first_lane, scratch.neighbours.lists, lines);

    const FloatV infinity = hn::Set(d, std::numeric_limits<float>::infinity());
    const FloatV reach = hn::Load(d, lanes.reach);
    const FloatM has_reach = hn::AndNot(load_mask(d, no_reach), reach < infinity);
    const FloatV max_speed = hn::Load(d, lanes.max_speed);
    const Discs<FloatLanes> discs{.v_max = max_speed,
                                  .centre = load2(d, lanes.vx, lanes.vy),
                                  .reach = hn::IfThenElse(has_reach, reach, hn::Set(d, 1.0f)),
                                  .has_reach = has_reach};
    const FloatV scale = hn::Max(hn::Load(d, lines.scale), max_speed);
    const ProgramScratch<float> program_scratch(scratch.lines.projected.data(),
                                                std::max<std::size_t>(lines.rows, 1), hn::Lanes(d));
    const ProgramLines<float> columns{scratch.lines.nx.data(), scratch.lines.ny.data(),
                                      scratch.lines.c.data()};
    return {solve_program(d, columns, hard_rows, lines.rows, discs,
                          load2(d, lanes.preferred_vx, lanes.preferred_vy), scale, program_scratch,
                          load_mask(d, lanes.alive)),
            hard_rows, lines.rows};
}

/// Tells why: lines, neighbours and what gave way, of one lane of the last attempt.
void explain_lane(const Snapshot& snapshot, std::size_t l, std::size_t first_lane,
                  const Lanes& lanes, const Attempt& tried, float t_hard, float t_soft,
                  bool about_zero, bool no_reach, ModelScratch& scratch)
{
    Explanation& out = *scratch.explain;
    const std::size_t count = hn::Lanes(FloatLanes());
    for (std::size_t row = 0; row < tried.rows; ++row) {
        const std::size_t at = row * count + l;
        const float nx = scratch.lines.nx.data()[at];
        const float ny = scratch.lines.ny.data()[at];
        const float c = scratch.lines.c.data()[at];
        if (nx == 0.0f && ny == 0.0f) continue;
        out.lines.push_back(
            {.point = {nx * c, ny * c},
             .normal = {nx, ny},
             .hard = row < tried.hard_rows,
             .source = static_cast<Explanation::Source>(scratch.lines.source_kind.data()[at]),
             .source_id = scratch.lines.source.data()[at]});
    }
    const NeighbourLists& lists = scratch.neighbours.lists;
    for (std::size_t i = 0; i < lists.count[first_lane + l]; ++i) {
        const AgentRecord& other = snapshot.agents.record[lists.row[first_lane + l][i]];
        const bool noticed = is_noticed(lanes.rank[l], other);
        out.neighbours.push_back(
            {.id = other.id,
             .distance = std::sqrt(double{lists.dist_sq[first_lane + l][i]}),
             .share = noticed ? double{share_towards(lanes.rank[l], other)} : 0.0,
             .notice = noticed ? Explanation::Notice::avoided : Explanation::Notice::ignored});
    }
    out.hard_relaxation = t_hard;
    out.soft_relaxation = t_soft;
    out.wall_lines_about_zero = about_zero;
    out.acceleration_exceeded = no_reach;
    const char* reason = "the velocity nearest to the preferred one that keeps to all lines";
    if (out.lines.empty())
        reason = "nobody is in the way: the preferred velocity, within the speed limit";
    if (t_soft > 0.0f)
        reason =
            "not every line fits: the largest violation of an agent's line is as small as it can "
            "be, walls are kept";
    if (t_hard > 0.0f)
        reason =
            "not even the walls' lines fit: they are violated as little as possible, agents come "
            "after";
    out.reason = reason;
}

void choose_leaf(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                 Choice& choice)
{
    const FloatLanes d;
    const std::size_t count = hn::Lanes(d);
    const FloatV zero = hn::Zero(d);
    const FloatV one = hn::Set(d, 1.0f);
    for (std::size_t first_lane = 0; first_lane < kLeafRows; first_lane += count) {
        Lanes lanes{};
        load_lanes(snapshot, leaf * kLeafRows + first_lane, count, lanes);
        const WallHits hits = find_lane_walls(snapshot, snapshot.agents.leaf_level[leaf], lanes,
                                              count, scratch.walls);

        // When not everything fits: walls, then maximum speed, then acceleration, then agents.
        alignas(64) float about_zero[kLeafRows] = {};
        alignas(64) float no_reach[kLeafRows] = {};
        Attempt tried =
            attempt(d, snapshot, leaf, first_lane, lanes, hits, about_zero, no_reach, scratch);
        if (HWY_UNLIKELY(!hn::AllFalse(d, tried.result.t_hard > zero))) {
            hn::Store(hn::IfThenElseZero(tried.result.t_hard > zero, one), d, about_zero);
            tried =
                attempt(d, snapshot, leaf, first_lane, lanes, hits, about_zero, no_reach, scratch);
        }
        const FloatM limited =
            hn::Load(d, lanes.reach) < hn::Set(d, std::numeric_limits<float>::infinity());
        const FloatM too_slow_to_turn =
            hn::And(limited, hn::Or(tried.result.t_hard > zero, tried.result.discs_apart));
        if (HWY_UNLIKELY(!hn::AllFalse(d, too_slow_to_turn))) {
            hn::Store(hn::IfThenElseZero(too_slow_to_turn, one), d, no_reach);
            tried =
                attempt(d, snapshot, leaf, first_lane, lanes, hits, about_zero, no_reach, scratch);
        }

        alignas(64) float vx[kLeafRows], vy[kLeafRows], t_hard[kLeafRows], t_soft[kLeafRows],
            relaxed[kLeafRows];
        hn::Store(tried.result.v.x, d, vx);
        hn::Store(tried.result.v.y, d, vy);
        hn::Store(tried.result.t_hard, d, t_hard);
        hn::Store(tried.result.t_soft, d, t_soft);
        hn::Store(hn::IfThenElseZero(tried.result.relaxed, one), d, relaxed);
        for (std::size_t l = 0; l < count; ++l) {
            const bool alive = lanes.alive[l] != 0.0f;
            choice.vx[first_lane + l] = alive ? vx[l] : 0.0f;
            choice.vy[first_lane + l] = alive ? vy[l] : 0.0f;
            if (!alive) continue;
            choice.infeasible += relaxed[l] != 0.0f ? 1 : 0;
            choice.wall_lines_about_zero += about_zero[l] != 0.0f ? 1 : 0;
            choice.acceleration_exceeded += no_reach[l] != 0.0f ? 1 : 0;
        }
        if (scratch.explain != nullptr && scratch.explain_lane >= first_lane &&
            scratch.explain_lane < first_lane + count) {
            const std::size_t l = scratch.explain_lane - first_lane;
            explain_lane(snapshot, l, first_lane, lanes, tried, t_hard[l], t_soft[l],
                         about_zero[l] != 0.0f, no_reach[l] != 0.0f, scratch);
        }
    }
}

void choose_towards_goal(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                         Choice& choice)
{
    choose_leaf(snapshot, leaf, scratch, choice);
}

void choose_by_personality(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                           Choice& choice)
{
    choose_leaf(snapshot, leaf, scratch, choice);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sidestep {

HWY_EXPORT(choose_towards_goal);
HWY_EXPORT(choose_by_personality);

ChooseVelocities choose_towards_goal(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(choose_towards_goal), isa);
}

ChooseVelocities choose_by_personality(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(choose_by_personality), isa);
}

}  // namespace sidestep
#endif
