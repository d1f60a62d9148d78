// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The regions of velocities that the agents of a leaf must keep out of, row by row.
#if defined(SIDESTEP_MODELS_CONE_REGIONS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_CONE_REGIONS_INL_HPP
#undef SIDESTEP_MODELS_CONE_REGIONS_INL_HPP
#else
#define SIDESTEP_MODELS_CONE_REGIONS_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.hpp"
#include "constraints/cones-inl.hpp"
#include "models/cone_model.hpp"
#include "models/half_plane_attempt-inl.hpp"
#include "solvers/regions-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What a neighbour forbids: its cone; a share of it; a share of its linearised cone; one
/// half-plane of that.
enum class ConeKind { full, reciprocal, linear, half_plane };

/// Whether cones are those of [CP09], cut by a straight line.
constexpr bool is_linear(ConeKind kind)
{
    return kind == ConeKind::linear || kind == ConeKind::half_plane;
}

/// A range of rows.
struct RowRange {
    std::size_t first = 0;
    std::size_t count = 0;

    std::size_t end() const { return first + count; }
};

/// The regions of a group. Row i of `agents` is the i-th nearest neighbour of each lane; `brakes`
/// and `sides` have rows for the same neighbours, in the same order.
struct ConeRows {
    Regions<float> regions;
    RegionScratch<float> work;
    float* whole_cut = nullptr;   ///< c[2] of the rows of agents and bodies, to put them back
    float* whole_disc = nullptr;  ///< disc_r of the same
    bool is_whole_kept = false;   ///< these two are filled
    std::size_t slots = 0;
    RowRange walls, limits, bodies, body_brakes, wall_brakes, agents, brakes, sides;

    FloatV scale;         ///< largest velocity that matters, for the chooser's tolerance
    FloatV fastest_sq;    ///< of others and walls, squared, while rows are made
    Vec2<FloatV> target;  ///< the velocity wanted
    Vec2<FloatV> tie;     ///< where equally good velocities are told apart

    /// Index of row `slot` of lane l in whole_cut and whole_disc.
    std::size_t whole_at(std::size_t slot, std::size_t l) const
    {
        return slot * hn::Lanes(FloatLanes()) + l;
    }
};

/// What the regions are made for.
struct ConePurpose {
    ConeKind kind;
    FloatV horizon;  ///< [s] against agents and bodies
    FloatM sides;    ///< lanes that also keep to one side of each neighbour
    FloatM stands;   ///< lanes that want to stand while they overlap with somebody
    alignas(64) float limited[kLeafRows] = {};  ///< lanes whose acceleration is limited, 1 or 0
};

/// How many rows of each kind the group needs.
inline void lay_out(FloatLanes d, const Group& group, bool any_sides, ConeRows& rows)
{
    const NeighbourLists& lists = group.scratch.neighbours.lists;
    std::size_t walls = 0, agents = 0, bodies = 0;
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        walls = std::max(walls, group.hits.count[l]);
        agents = std::max(agents, std::size_t{lists.count[group.first_lane + l]});
    }
    for (const Body& body : group.snapshot.bodies.bodies)
        bodies += body.live && body.is_disc() ? 1 : 0;
    const bool brakes = group.lanes.any_brake;
    const auto next = [&](std::size_t count) {
        const RowRange range{rows.slots, count};
        rows.slots += count;
        return range;
    };
    rows.slots = 0;
    rows.walls = next(std::min(walls, kMostWallCones));
    rows.limits = next(group.lanes.any_across ? kEllipseSides : 0);
    rows.wall_brakes = next(brakes ? std::min(walls, kMostBrakeWalls) : 0);
    rows.bodies = next(bodies);
    rows.body_brakes = next(brakes ? bodies : 0);
    rows.agents = next(agents);
    rows.brakes = next(brakes ? agents : 0);
    rows.sides = next(any_sides ? agents : 0);

    float* const cells = group.scratch.regions.data();
    const std::size_t column = rows.slots * hn::Lanes(d);
    rows.regions = Regions<float>(cells, hn::Lanes(d));
    constexpr std::size_t kRegion = Regions<float>::kColumns;
    constexpr std::size_t kWork = RegionScratch<float>::kColumns;
    static_assert(kRegion + kWork + 2 == kRegionColumns && kEllipseSides == kEllipseRows);
    rows.work = RegionScratch<float>(cells + kRegion * column, rows.slots, hn::Lanes(d));
    rows.work.most_slots = region_rows(group.snapshot.bodies.bodies.size());
    SIDESTEP_ASSERT(rows.slots <= rows.work.most_slots);
    rows.whole_cut = cells + (kRegion + kWork) * column;
    rows.whole_disc = rows.whole_cut + column;
}

/// Cones of the nearest walls, with full share; at contact they push out.
inline void add_wall_regions(FloatLanes d, const Group& group, ConeRows& rows)
{
    const Lanes& lanes = group.lanes;
    const Vec2<FloatV> p = load2(d, lanes.x, lanes.y);
    const FloatV r = hn::Load(d, lanes.wall_radius);
    const FloatV tau = hn::Load(d, lanes.wall_tau);
    const FloatV push_time = hn::Load(d, lanes.overlap_time);
    for (std::size_t slot = 0; slot < rows.walls.count; ++slot) {
        alignas(64) float ax[kLeafRows], ay[kLeafRows], bx[kLeafRows], by[kLeafRows];
        alignas(64) float vx[kLeafRows], vy[kLeafRows], used[kLeafRows];
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            const bool in_use = slot < group.hits.count[l];
            const std::uint32_t* hit_rows = group.scratch.walls.leaf_rows.data();
            const WallEdgeRow& edge =
                group.snapshot.walls.edges[in_use ? hit_rows[group.hits.first[l] + slot] : 0];
            ax[l] = edge.shape.a.x;
            ay[l] = edge.shape.a.y;
            bx[l] = edge.shape.b.x;
            by[l] = edge.shape.b.y;
            vx[l] = edge.velocity.x;
            vy[l] = edge.velocity.y;
            used[l] = in_use ? 1.0f : 0.0f;
        }
        const SegmentCone<FloatLanes> cone =
            segment_cone(d, load2(d, ax, ay) - p, load2(d, bx, by) - p, r, tau);
        const Vec2<FloatV> velocity = load2(d, vx, vy);
        const FloatM in_use = load_mask(d, used);
        rows.fastest_sq = hn::Max(rows.fastest_sq, hn::IfThenElseZero(in_use, length_sq(velocity)));
        store_region(d,
                     select(in_use, segment_region(d, cone, velocity, push_time), empty_region(d)),
                     rows.regions, rows.walls.first + slot);
    }
}

/// Rows of lines that were made in the scratch, as regions.
inline void take_lines(FloatLanes d, const LineScratch& lines, std::size_t made, RowRange range,
                       const Regions<float>& regions)
{
    for (std::size_t i = 0; i < range.count; ++i) {
        Region<FloatV> region = empty_region(d);
        if (i < made) {
            const std::size_t at = i * hn::Lanes(d);
            const Vec2<FloatV> n{hn::Load(d, lines.nx.data() + at),
                                 hn::Load(d, lines.ny.data() + at)};
            const FloatM is_line = hn::Or(hn::Ne(n.x, hn::Zero(d)), hn::Ne(n.y, hn::Zero(d)));
            region =
                select(is_line, half_plane_region(d, n, hn::Load(d, lines.c.data() + at)), region);
        }
        store_region(d, region, regions, range.first + i);
    }
}

/// One row of pairs as the chooser sees it.
struct PairRow {
    Pair<FloatV> pair;
    Vec2<FloatV> other_velocity;
    FloatV share;
    FloatV slack_share;
    FloatM used;
    FloatM ties_left;
    PairIds ids;
};

inline PairRow pair_row(FloatLanes d, const Lanes& lanes, const Others& others, ConeKind kind)
{
    alignas(64) float used[kLeafRows] = {};
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        used[l] = others.used[l] && others.share[l] > 0.0f ? 1.0f : 0.0f;
    const FloatV one = hn::Set(d, 1.0f);
    const FloatM in_use = load_mask(d, used);
    const FloatV share =
        kind == ConeKind::full ? one : hn::IfThenElse(in_use, hn::Load(d, others.share), one);
    return {.pair = {.rel_pos = load2(d, others.x, others.y) - load2(d, lanes.x, lanes.y),
                     .rel_vel = load2(d, lanes.vx, lanes.vy) - load2(d, others.vx, others.vy),
                     .radius = hn::Load(d, lanes.radius) + hn::Load(d, others.radius)},
            .other_velocity = load2(d, others.vx, others.vy),
            .share = share,
            .slack_share = hn::Load(d, others.slack_share),
            .used = in_use,
            .ties_left = load_mask(d, others.ties_left),
            .ids = PairIds{lanes.id, others.apart_from}};
}

/// Most that an agent is asked to leave an overlap with, in terms of its maximum speed, or of the
/// change it can make in this step: less than all of it, so that it can still choose a direction.
inline constexpr float kLeaveSpeed = 0.9f;

/// Most speed along `axis` [m/s] with which it is asked to leave an overlap; for a single lane
/// ask_what_can_be_left() says the same.
inline FloatV most_leaving(FloatLanes d, const Lanes& lanes, const ConePurpose& purpose,
                           const Vec2<FloatV>& axis)
{
    const FloatM limited = hn::And(load_mask(d, purpose.limited), is_finite(d, lanes.reach));
    const FloatV part = hn::Set(d, kLeaveSpeed);
    const FloatV in_reach =
        dot(axis, load2(d, lanes.vx, lanes.vy)) + hn::Load(d, lanes.reach) * part;
    return hn::IfThenElse(limited, in_reach, hn::Load(d, lanes.max_speed) * part);
}

/// What a pair that overlaps forbids an agent that keeps out of round cones. Who keeps out of whole
/// ones is asked to leave as far as it can: where more is asked for nothing is left, and all that
/// is sampled is as bad, so that two would walk on in each other's place.
inline Region<FloatV> leaving_region(FloatLanes d, const Lanes& lanes, const ConePurpose& purpose,
                                     const PairRow& row)
{
    const FloatV time = hn::Load(d, lanes.overlap_time);
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    if (purpose.kind != ConeKind::full)
        return overlap_region(d, row.pair, v, row.share, time, row.ids, row.ties_left);
    const HalfPlane<FloatV> plane =
        orca_half_plane(d, row.pair, v, time, time, Shares<FloatV>{row.share, row.share},
                        hn::Zero(d), row.ids, row.ties_left);
    const FloatV most = most_leaving(d, lanes, purpose, plane.normal);
    return half_plane_region(d, plane.normal, hn::Min(dot(plane.normal, plane.point), most));
}

/// [CP09] §3.4: where discs overlap the agent wants to stand, and out of the overlap within
/// overlap_time, as far as it can reach in this step. Differs from it: of two that overlap each
/// takes its share of the way; where both take all of it a crowd is thrown about.
inline Region<FloatV> resolution_region(FloatLanes d, const Group& group,
                                        const ConePurpose& purpose, const PairRow& row,
                                        FloatM overlap, ConeRows& rows)
{
    const Lanes& lanes = group.lanes;
    const FloatV time = hn::Load(d, lanes.overlap_time);
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    const FloatM limited = hn::And(load_mask(d, purpose.limited), is_finite(d, lanes.reach));
    const FloatV a_max = hn::IfThenElse(limited, hn::Load(d, lanes.reach) / time,
                                        hn::Set(d, std::numeric_limits<float>::infinity()));
    const Pair<FloatV> scaled{row.pair.rel_pos * row.share, row.pair.rel_vel * row.share,
                              row.pair.radius * row.share};
    const Resolution<FloatLanes> resolution =
        resolve_collision(d, scaled, v, a_max, time, row.ids, row.ties_left);
    const FloatM colliding = hn::And(row.used, overlap);
    const FloatM unreachable = hn::And(colliding, resolution.unreachable);
    rows.target = select(hn::And(colliding, purpose.stands), zero2(d), rows.target);
    rows.target = select(unreachable, resolution.v_best, rows.target);
    const FloatV out = dot(resolution.axis, resolution.plane_point);
    const FloatV most = most_leaving(d, lanes, purpose, resolution.axis);
    return select(hn::AndNot(resolution.unreachable, limited), resolution.region,
                  half_plane_region(d, resolution.axis, hn::Min(out, most)));
}

/// What discs apart forbid each other by their cone.
template <bool kLinear>
HWY_INLINE Region<FloatV> cone_region(FloatLanes d, const PairCone<FloatV>& cone, FloatV rho)
{
    if constexpr (kLinear) return enlarge_region(d, linear_region(d, cone), rho);
    else return enlarge_region(d, round_region(d, cone), rho);
}

/// Stores cone_region<true>, an empty one in the lanes that are not used, into row `slot`, and
/// where D has two rows into the next too. Number by number: gcc 12 takes regions through memory.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void store_linear_cone(D d, const PairCone<V>& cone, V rho, hn::Mask<D> used,
                                  const Regions<float>& regions, std::size_t slot)
{
    constexpr std::size_t kLanes = hn::MaxLanes(FloatLanes());
    const FloatLanes row;
    float* const first = regions.nx[0] + regions.at(slot);
    float* const last = first + regions.row_size;
    const auto store = [&](V v, std::size_t k) HWY_ATTR {
        hn::Store(first_row(row, v), row, first + k * kLanes);
        if constexpr (hn::MaxLanes(D()) > kLanes)
            hn::Store(last_row(row, v), row, last + k * kLanes);
    };
    const V ax = cone.apex.x, ay = cone.apex.y;
    const V left_x = cone.leg_left.y, left_y = hn::Neg(cone.leg_left.x);
    const V right_x = hn::Neg(cone.leg_right.y), right_y = cone.leg_right.x;
    const auto is_cut = cone.cut > hn::Zero(d);
    const V cut = cone.axis.x * ax + cone.axis.y * ay + cone.cut - rho;
    const V everywhere = hn::Set(d, static_cast<float>(kNoBound));
    const V end = hn::IfThenElse(is_cut, cut, everywhere);
    store(left_x, 0);
    store(left_y, 1);
    store(left_x * ax + left_y * ay - rho, 2);
    store(right_x, 3);
    store(right_y, 4);
    store(right_x * ax + right_y * ay - rho, 5);
    store(hn::IfThenElseZero(is_cut, cone.axis.x), 6);
    store(hn::IfThenElseZero(is_cut, cone.axis.y), 7);
    store(hn::IfThenElse(used, end, hn::Neg(everywhere)), 8);
    store(hn::Zero(d), 9);
    store(hn::Zero(d), 10);
    store(hn::Zero(d), 11);
}

/// What discs apart forbid each other.
HWY_INLINE Region<FloatV> pair_region(FloatLanes d, const Lanes& lanes, const ConePurpose& purpose,
                                      const PairRow& row, const PairCone<FloatV>& cone)
{
    const FloatV uncertainty = hn::Load(d, lanes.uncertainty);
    if (purpose.kind == ConeKind::half_plane) {
        const HalfPlane<FloatV> plane =
            safe_half_plane(d, row.pair, load2(d, lanes.vx, lanes.vy), purpose.horizon,
                            hn::Load(d, lanes.overlap_time), {row.share, row.slack_share},
                            uncertainty, row.ids, row.ties_left);
        return half_plane_region(d, plane.normal, dot(plane.normal, plane.point));
    }
    const FloatV rho = uncertainty * row.share;
    return is_linear(purpose.kind) ? cone_region<true>(d, cone, rho)
                                   : cone_region<false>(d, cone, rho);
}

/// In place of a row for sides: none are kept to.
inline constexpr std::size_t kNoSides = static_cast<std::size_t>(-1);

/// The region of one row of pairs, into row `at`, and where asked for the side that is left open,
/// into row `side_at`.
inline HWY_NOINLINE void add_pair_regions(FloatLanes d, const Group& group,
                                          const ConePurpose& purpose, const PairRow& row,
                                          std::size_t at, std::size_t side_at, ConeRows& rows)
{
    const Lanes& lanes = group.lanes;
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    const FloatM overlap = overlaps(d, row.pair);
    const PairCone<FloatV> cone =
        pair_cone(d, row.pair, v, row.share, purpose.horizon, row.ties_left);
    Region<FloatV> region = pair_region(d, lanes, purpose, row, cone);
    if (HWY_UNLIKELY(!hn::AllFalse(d, overlap))) {
        const Region<FloatV> apart = is_linear(purpose.kind)
                                         ? resolution_region(d, group, purpose, row, overlap, rows)
                                         : leaving_region(d, lanes, purpose, row);
        region = select(overlap, apart, region);
    }
    rows.fastest_sq =
        hn::Max(rows.fastest_sq, hn::IfThenElseZero(row.used, length_sq(row.other_velocity)));
    if (HWY_UNLIKELY(!hn::AllTrue(d, row.used))) region = select(row.used, region, empty_region(d));
    store_region(d, region, rows.regions, at);
    if (rows.sides.count == 0 || side_at == kNoSides) return;
    // Whoever takes all of the avoidance needs no side: the other does not move aside.
    const FloatM sided = hn::And(hn::And(purpose.sides, row.used),
                                 hn::AndNot(overlap, row.share < hn::Set(d, 1.0f)));
    store_region(d, select(sided, side_region(d, cone), empty_region(d)), rows.regions, side_at);
}

/// A line that leaves a pair room to stop, as a region.
inline void add_brake_region(FloatLanes d, const Group& group, const float* own_radius,
                             const Others& others, std::size_t at, ConeRows& rows)
{
    LineRows lines(group.scratch.lines, hn::Lanes(d));
    add_brake_lines(d, group.snapshot, group.lanes, own_radius, others, Explanation::Source::agent,
                    lines);
    take_lines(d, group.scratch.lines, lines.rows, {at, 1}, rows.regions);
}

inline void add_body_regions(FloatLanes d, const Group& group, const ConePurpose& purpose,
                             ConeRows& rows)
{
    const std::uint16_t level = group.snapshot.agents.leaf_level[group.leaf];
    std::size_t row = 0;
    for (std::size_t index = 0; index < group.snapshot.bodies.bodies.size(); ++index) {
        const Body& body = group.snapshot.bodies.bodies[index];
        if (!body.live || !body.is_disc()) continue;
        const DiscBody disc = disc_body(group.snapshot, body);
        Others others;
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            skip(group.lanes, others, l);
            if (body.level == level)
                take_body(group.snapshot, group.lanes, l, disc, index, group.first_lane,
                          group.scratch.perceived, others);
        }
        add_pair_regions(d, group, purpose, pair_row(d, group.lanes, others, purpose.kind),
                         rows.bodies.first + row, kNoSides, rows);
        if (rows.body_brakes.count > 0)
            add_brake_region(d, group, group.lanes.radius, others, rows.body_brakes.first + row,
                             rows);
        ++row;
    }
}

/// Regions of one place in the lists, whatever the pairs are to each other.
inline void add_any_regions(FloatLanes d, const Group& group, const ConePurpose& purpose,
                            std::size_t slot, ConeRows& rows)
{
    const NeighbourLists& lists = group.scratch.neighbours.lists;
    Others others;
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        const std::size_t lane = group.first_lane + l;
        skip(group.lanes, others, l);
        if (slot >= lists.count[lane] || group.lanes.alive[l] == 0.0f) continue;
        take_agent(group.snapshot, group.lanes, l, lists.row[lane][slot], others);
        if (in_a_heap(lists, lane)) others.apart_from[l] = kNoAgent;
    }
    add_pair_regions(d, group, purpose, pair_row(d, group.lanes, others, purpose.kind),
                     rows.agents.first + slot, rows.sides.first + slot, rows);
    if (rows.brakes.count > 0)
        add_brake_region(d, group, group.lanes.radius, others, rows.brakes.first + slot, rows);
}

/// Regions of one place in the lists where nothing is special about any of its pairs. Does nothing
/// and says false otherwise.
template <bool kLinear>
HWY_INLINE bool add_plain_regions(FloatLanes d, const Group& group, const ConePurpose& purpose,
                                  const std::uint32_t* listed, std::size_t slot, FloatV count,
                                  FloatV horizon, ConeRows& rows, FloatV& fastest_sq)
{
    const Lanes& lanes = group.lanes;
    PlainRow<FloatLanes> plain;
    if (!take_plain_row(d, group.snapshot, lanes, listed, slot, count, plain)) return false;
    const FloatV one = hn::Set(d, 1.0f);
    const FloatV share = purpose.kind == ConeKind::full ? one : plain.share;
    const FloatM overlap = overlaps(d, plain.pair);
    if (HWY_UNLIKELY(purpose.kind == ConeKind::half_plane || !hn::AllFalse(d, overlap))) {
        alignas(64) std::uint32_t ids[kLeafRows];
        hn::Store(plain.ids, FlagLanes(), ids);
        const PairRow row{plain.pair,      plain.other_velocity,  share, plain.share, plain.used,
                          plain.ties_left, PairIds{lanes.id, ids}};
        add_pair_regions(d, group, purpose, row, rows.agents.first + slot, rows.sides.first + slot,
                         rows);
        return true;
    }
    const PairCone<FloatV> cone =
        pair_cone(d, plain.pair, load2(d, lanes.vx, lanes.vy), share, horizon, plain.ties_left);
    const FloatV rho = hn::Load(d, lanes.uncertainty) * share;
    if constexpr (kLinear) {
        store_linear_cone(d, cone, rho, plain.used, rows.regions, rows.agents.first + slot);
    } else {
        const Region<FloatV> region = cone_region<false>(d, cone, rho);
        store_region(d, select(plain.used, region, empty_region(d)), rows.regions,
                     rows.agents.first + slot);
    }
    const FloatV speed_sq = hn::IfThenElseZero(plain.used, length_sq(plain.other_velocity));
    fastest_sq = hn::Max(fastest_sq, speed_sq);
    if (HWY_UNLIKELY(rows.sides.count > 0)) {
        const FloatM sided = hn::And(hn::And(purpose.sides, plain.used), share < one);
        store_region(d, select(sided, side_region(d, cone), empty_region(d)), rows.regions,
                     rows.sides.first + slot);
    }
    return true;
}

/// Linear cones of one place in the lists and the next, where nothing is special about any of the
/// pairs and none overlap. Does nothing and says false otherwise.
HWY_INLINE bool add_plain_cones(FloatLanes d, const Group& group, const std::uint32_t* listed,
                                std::size_t slot, FloatV count, FloatV horizon, ConeRows& rows,
                                FloatV& fastest_sq)
{
    using DR = Rows<FloatLanes>;
    using V = hn::Vec<DR>;
    const DR dr;
    const Lanes& lanes = group.lanes;
    PlainRow<DR> plain;
    if (!take_plain_row(dr, group.snapshot, lanes, listed, slot, count, plain)) return false;
    if (HWY_UNLIKELY(!hn::AllFalse(dr, overlaps(dr, plain.pair)))) return false;
    const auto own = [&](const float* values) HWY_ATTR { return repeat(dr, hn::Load(d, values)); };
    const Vec2<V> v{own(lanes.vx), own(lanes.vy)};
    const PairCone<V> cone =
        pair_cone(dr, plain.pair, v, plain.share, repeat(dr, horizon), plain.ties_left);
    store_linear_cone(dr, cone, own(lanes.uncertainty) * plain.share, plain.used, rows.regions,
                      rows.agents.first + slot);
    const V speed_sq = hn::IfThenElseZero(plain.used, length_sq(plain.other_velocity));
    fastest_sq =
        hn::Max(fastest_sq,
                fold_rows(d, speed_sq, [](FloatV a, FloatV b) HWY_ATTR { return hn::Max(a, b); }));
    return true;
}

template <bool kLinear>
inline void add_agent_regions(FloatLanes d, const Group& group, const ConePurpose& purpose,
                              ConeRows& rows)
{
    const NeighbourLists& lists = group.scratch.neighbours.lists;
    const FloatV count =
        hn::IfThenElseZero(load_mask(d, group.lanes.alive), listed_by(d, lists, group.first_lane));
    const FlagV self = own_rows(group.snapshot, group.lanes);
    const bool may_be_plain = rows.brakes.count == 0 && !any_in_a_heap(d, lists, group.first_lane);
    const bool may_be_two =
        may_be_plain && purpose.kind == ConeKind::linear && rows.sides.count == 0;
    alignas(64) std::uint32_t listed[kLeafRows][kLeafRows];
    constexpr bool kTwoPlaces = (kRowsAtOnce<FloatLanes>) > 1;
    const FloatV horizon = purpose.horizon;
    FloatV fastest_sq = hn::Zero(d);
    // From far to near: the nearest decides the target.
    for (std::size_t end = rows.agents.count; end > 0;) {
        const std::size_t first = (end - 1) / hn::Lanes(d) * hn::Lanes(d);
        load_listed(d, lists, group.first_lane, first, count, self, listed);
        for (std::size_t slot = end; slot-- > first;) {
            if constexpr (kLinear && kTwoPlaces) {
                if (may_be_two && slot % 2 == 1 &&
                    add_plain_cones(d, group, listed[slot - 1 - first], slot - 1, count, horizon,
                                    rows, fastest_sq)) {
                    --slot;
                    continue;
                }
            }
            if (!may_be_plain ||
                !add_plain_regions<kLinear>(d, group, purpose, listed[slot - first], slot, count,
                                            horizon, rows, fastest_sq))
                add_any_regions(d, group, purpose, slot, rows);
        }
        end = first;
    }
    rows.fastest_sq = hn::Max(rows.fastest_sq, fastest_sq);
}

/// Where equally good velocities are told apart: the nearest neighbour or body is passed on the
/// side that both keep to, or on the world's.
inline Vec2<FloatV> tie_of(FloatLanes d, const Group& group)
{
    const NeighbourLists& lists = group.scratch.neighbours.lists;
    const Lanes& lanes = group.lanes;
    const FloatV count =
        hn::IfThenElseZero(load_mask(d, lanes.alive), listed_by(d, lists, group.first_lane));
    const FlagLanes du;
    const FlagV self = own_rows(group.snapshot, lanes);
    const FloatM listed = count > hn::Zero(d);
    alignas(64) std::uint32_t nearest[kLeafRows];
    hn::Store(self, du, nearest);
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        const std::size_t lane = group.first_lane + l;
        nearest[l] = lists.count[lane] != 0 ? lists.row[lane][0] : nearest[l];
    }
    const RecordLanes<FloatLanes> other =
        load_records(d, group.snapshot.agents.record.data(), nearest);
    const FloatM to_left =
        ties_left_lanes(d, group.snapshot, hn::And(hn::Load(du, lanes.flags), other.flags));
    const Vec2<FloatV> way = other.position - load2(d, lanes.x, lanes.y);
    const FloatV infinite = hn::Set(d, std::numeric_limits<float>::infinity());
    const FloatV dist_sq = hn::IfThenElse(listed, length_sq(way), infinite);
    const FloatM is_way = dist_sq < infinite;
    alignas(64) float x[kLeafRows], y[kLeafRows], nearest_sq[kLeafRows];
    hn::Store(hn::IfThenElseZero(is_way, hn::IfThenElse(to_left, hn::Neg(way.x), way.x)), d, x);
    hn::Store(hn::IfThenElseZero(is_way, hn::IfThenElse(to_left, hn::Neg(way.y), way.y)), d, y);
    hn::Store(dist_sq, d, nearest_sq);
    const bool bodies_left = group.snapshot.passing_side == PassingSide::left;
    const auto take = [&](std::size_t l, float other_x, float other_y) {
        const float dx = other_x - lanes.x[l], dy = other_y - lanes.y[l];
        const float apart_sq = dx * dx + dy * dy;
        if (!(apart_sq < nearest_sq[l])) return;
        nearest_sq[l] = apart_sq;
        x[l] = bodies_left ? -dx : dx;
        y[l] = bodies_left ? -dy : dy;
    };
    const std::uint16_t level = group.snapshot.agents.leaf_level[group.leaf];
    for (std::size_t index = 0; index < group.snapshot.bodies.bodies.size(); ++index) {
        const Body& row = group.snapshot.bodies.bodies[index];
        if (!row.live || !row.is_disc() || row.level != level) continue;
        const DiscBody body = disc_body(group.snapshot, row);
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            if (minds(lanes, l, body, index, group.first_lane, group.scratch.perceived))
                take(l, body.x, body.y);
        }
    }
    return load2(d, x, y);
}

/// All regions of the group. Uses the scratch of lines.
inline ConeRows make_regions(FloatLanes d, const Group& group, const ConePurpose& purpose)
{
    const Lanes& lanes = group.lanes;
    ConeRows rows;
    lay_out(d, group, !hn::AllFalse(d, purpose.sides), rows);
    rows.fastest_sq = length_sq(load2(d, lanes.vx, lanes.vy));
    rows.target = load2(d, lanes.preferred_vx, lanes.preferred_vy);
    rows.tie = tie_of(d, group);
    add_wall_regions(d, group, rows);
    if (HWY_UNLIKELY(rows.limits.count > 0)) {
        LineRows lines(group.scratch.lines, hn::Lanes(d));
        add_ellipse_lines(d, lanes, purpose.limited, lines);
        take_lines(d, group.scratch.lines, lines.rows, rows.limits, rows.regions);
    }
    if (HWY_UNLIKELY(rows.wall_brakes.count > 0)) {
        LineRows lines(group.scratch.lines, hn::Lanes(d));
        add_wall_brake_lines(d, group.snapshot, lanes, group.scratch.walls.leaf_rows.data(),
                             group.hits.first, group.hits.count, lines);
        take_lines(d, group.scratch.lines, lines.rows, rows.wall_brakes, rows.regions);
    }
    add_body_regions(d, group, purpose, rows);
    if (is_linear(purpose.kind)) add_agent_regions<true>(d, group, purpose, rows);
    else add_agent_regions<false>(d, group, purpose, rows);
    rows.scale =
        hn::Max(hn::Max(hn::Set(d, 1.0f), hn::Load(d, lanes.max_speed)), hn::Sqrt(rows.fastest_sq));
    return rows;
}

/// Remembers all rows, so that those that are emptied can be put back.
inline void keep_whole(FloatLanes d, ConeRows& rows)
{
    if (rows.is_whole_kept) return;
    for (std::size_t i = 0; i < rows.slots; ++i) {
        const std::size_t at = rows.regions.at(i);
        std::copy_n(rows.regions.c[2] + at, hn::Lanes(d), rows.whole_cut + rows.whole_at(i, 0));
        std::copy_n(rows.regions.disc_r + at, hn::Lanes(d), rows.whole_disc + rows.whole_at(i, 0));
    }
    rows.is_whole_kept = true;
}

/// Empties rows of a range, in lane l those from `kept[l]` on, and puts the others back.
inline void keep_first(FloatLanes d, const std::size_t* kept, RowRange range, ConeRows& rows)
{
    for (std::size_t i = 0; i < range.count; ++i) {
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            const std::size_t at = rows.regions.at(range.first + i, l);
            const std::size_t whole = rows.whole_at(range.first + i, l);
            const bool is_kept = i < kept[l];
            rows.regions.c[2][at] = is_kept ? rows.whole_cut[whole] : static_cast<float>(-kNoBound);
            rows.regions.disc_r[at] = is_kept ? rows.whole_disc[whole] : 0.0f;
        }
    }
}

/// Lanes whose v is inside a wall's cone by more than the chooser overlooks.
inline FloatM in_wall_cones(FloatLanes d, const ConeRows& rows, const Vec2<FloatV>& v)
{
    const FloatV depth = rows.scale * hn::Set(d, 2.0f * Tolerances<float>::kViolation);
    FloatM inside = program::none(d);
    for (std::size_t i = rows.walls.first; i < rows.walls.end(); ++i)
        inside = hn::Or(inside, inside_region(d, load_region(d, rows.regions, i), v, depth));
    return inside;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
