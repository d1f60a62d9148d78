// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Lines that a lane keeps to because of others: neighbours and disc bodies.
#if defined(SIDESTEP_MODELS_HALF_PLANE_PAIRS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_HALF_PLANE_PAIRS_INL_HPP
#undef SIDESTEP_MODELS_HALF_PLANE_PAIRS_INL_HPP
#else
#define SIDESTEP_MODELS_HALF_PLANE_PAIRS_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "constraints/acceleration-inl.hpp"
#include "constraints/velocity_obstacle-inl.hpp"
#include "models/half_plane_lanes-inl.hpp"
#include "neighbours/record_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

/// What lines of pairs are for. Those that leave room to brake are made first: where not all lines
/// fit they are kept before the others.
enum class Purpose { brake, avoid };

HWY_INLINE void add_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                          const Others& others, Purpose purpose, Explanation::Source kind,
                          LineRows& lines)
{
    if (purpose == Purpose::avoid) add_pair_lines(d, lanes, others, kind, lines);
    else add_brake_lines(d, snapshot, lanes, lanes.radius, others, kind, lines);
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
            role.obstacle ? 0.0f : walking_acceleration(snapshot.agents, snapshot.profiles, row);
        set_braking(lanes, l, brakes, others);
    }
}

/// Whether exact ties go left in each lane, from the flags of both (ties_left).
HWY_INLINE FloatM ties_left_lanes(FloatLanes d, const Snapshot& snapshot, FlagV common)
{
    const FlagLanes du;
    const auto passes_left = hn::RebindMask(d, hn::TestBit(common, hn::Set(du, kPassesLeft)));
    const auto passes_right = hn::RebindMask(d, hn::TestBit(common, hn::Set(du, kPassesRight)));
    if (snapshot.passing_side != PassingSide::left) return passes_left;
    return hn::Or(passes_left, hn::Not(passes_right));
}

/// The agents of a vector as partners of others see them, for add_plain_pairs.
struct OwnSide {
    FloatV rank;
    FlagV flags;
    FloatV count;  ///< neighbours listed
};

HWY_INLINE OwnSide own_side(FloatLanes d, const Lanes& lanes, std::size_t first_lane,
                            const NeighbourLists& lists)
{
    const FlagLanes du;
    alignas(64) float rank[kLeafRows], count[kLeafRows];
    alignas(64) std::uint32_t flags[kLeafRows];
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        rank[l] = lanes.record[l]->rank;
        flags[l] = lanes.record[l]->flags;
        count[l] = static_cast<float>(lists.count[first_lane + l]);
    }
    return {hn::Load(d, rank), hn::Load(du, flags), hn::Load(d, count)};
}

/// One place in the lists where nothing is special about any of its pairs.
struct PlainRow {
    Pair<FloatV> pair;
    Vec2<FloatV> other_velocity;
    FloatV share;
    FloatM used;  ///< lanes with a partner in this row; the others have one far away
    FloatM ties_left;
    FlagV ids;
};

/// Takes the partners of one place in the lists where nothing is special about any of the pairs:
/// both react, are of one class, and share by finite ranks, of which none is zero. Says false
/// otherwise.
HWY_INLINE bool take_plain_row(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                               const OwnSide& own, std::size_t first_lane, std::size_t slot,
                               const NeighbourLists& lists, PlainRow& row)
{
    const FlagLanes du;
    const AgentRecord* records[kLeafRows];
    HWY_UNROLL(8)
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        const std::size_t lane = first_lane + l;
        records[l] = slot < lists.count[lane] ? &snapshot.agents.record[lists.row[lane][slot]]
                                              : lanes.record[l];
    }
    const RecordLanes<FloatLanes> other = load_records(d, records);
    row.used = hn::Set(d, static_cast<float>(slot)) < own.count;

    const FloatV zero = hn::Zero(d);
    const FloatV infinite = hn::Set(d, std::numeric_limits<float>::infinity());
    const FlagV common = hn::And(own.flags, other.flags);
    const FloatM finite = hn::And(own.rank < infinite, other.rank < infinite);
    row.share = hn::Set(d, 0.5f);
    FloatM both_yield = hn::And(hn::Eq(own.rank, other.rank), own.rank > zero);
    if (HWY_UNLIKELY(!hn::AllTrue(d, both_yield))) {
        row.share = share_from_ranks(d, own.rank, other.rank);
        both_yield = hn::And(row.share > zero, row.share < hn::Set(d, 1.0f));
    }
    const FlagV odd = hn::Or(hn::AndNot(other.flags, hn::Set(du, kReacts)),
                             hn::Or(hn::And(common, hn::Set(du, kHasShares)),
                                    hn::ShiftRight<24>(hn::Xor(own.flags, other.flags))));
    const FloatM even = hn::RebindMask(d, hn::Eq(odd, hn::Zero(du)));
    const FloatM plain = hn::And(even, hn::And(finite, both_yield));
    if (HWY_UNLIKELY(!hn::AllFalse(d, hn::AndNot(plain, row.used)))) return false;

    const Vec2<FloatV> p = load2(d, lanes.x, lanes.y);
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    // Far away, so that nothing overflows.
    const Vec2<FloatV> far{hn::Set(d, 100.0f), zero};
    row.pair.rel_pos = select(row.used, other.position - p, far);
    row.pair.rel_vel = v - other.velocity;
    row.pair.radius = hn::Load(d, lanes.radius) + other.radius;
    row.other_velocity = other.velocity;
    row.ties_left = ties_left_lanes(d, snapshot, common);
    row.ids = other.id;
    return true;
}

/// Soft lines of one place in the lists, as a row of its own, where nothing is special about any of
/// its pairs. Does nothing and says false otherwise.
HWY_INLINE bool add_plain_pairs(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                                const OwnSide& own, std::size_t first_lane, std::size_t slot,
                                const NeighbourLists& lists, LineRows& lines)
{
    PlainRow row;
    if (!take_plain_row(d, snapshot, lanes, own, first_lane, slot, lists, row)) return false;
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    alignas(64) std::uint32_t ids[kLeafRows];
    hn::Store(row.ids, FlagLanes(), ids);
    const Shares<FloatV> shares{row.share, row.share};
    const FloatV rho = hn::Load(d, lanes.uncertainty);
    const FloatM overlap = overlaps(d, row.pair);
    HalfPlane<FloatV> plane;
    if (HWY_LIKELY(lanes.exact_per_tau && hn::AllFalse(d, overlap))) {
        const TimesInverse<FloatV> per_tau{hn::Load(d, lanes.per_tau)};
        const auto exit = exit_by_feature(d, row.pair, per_tau, overlap, row.ties_left);
        plane = half_plane_of(d, enlarge(exit, rho), v, shares);
    } else {
        plane =
            orca_half_plane(d, row.pair, v, hn::Load(d, lanes.tau), hn::Load(d, lanes.overlap_time),
                            shares, rho, PairIds{lanes.id, ids}, row.ties_left);
    }
    lines.add_row(d, row.used, plane.point, plane.normal, Explanation::Source::agent, ids);
    return true;
}

/// Lines of one place in the lists, whatever the pairs are to each other.
inline void add_any_pairs(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                          std::size_t first_lane, std::size_t slot, const NeighbourLists& lists,
                          Purpose purpose, LineRows& lines)
{
    Others others;
    for (std::size_t l = 0; l < lines.lanes; ++l) {
        const std::size_t lane = first_lane + l;
        skip(lanes, others, l);
        if (slot >= lists.count[lane]) continue;
        take_agent(snapshot, lanes, l, lists.row[lane][slot], others);
        if (in_a_heap(lists, lane)) others.apart_from[l] = kNoAgent;
    }
    add_lines(d, snapshot, lanes, others, purpose, Explanation::Source::agent, lines);
}

inline void add_agent_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                            std::size_t first_lane, const NeighbourLists& lists, Purpose purpose,
                            LineRows& lines)
{
    std::size_t most = 0;
    bool heap = false;
    for (std::size_t l = 0; l < lines.lanes; ++l) {
        most = std::max(most, std::size_t{lists.count[first_lane + l]});
        heap = heap || in_a_heap(lists, first_lane + l);
    }
    const bool may_be_plain = purpose == Purpose::avoid && !heap;
    const OwnSide own = own_side(d, lanes, first_lane, lists);
    for (std::size_t slot = 0; slot < most; ++slot) {
        if (!may_be_plain ||
            !add_plain_pairs(d, snapshot, lanes, own, first_lane, slot, lists, lines))
            add_any_pairs(d, snapshot, lanes, first_lane, slot, lists, purpose, lines);
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
                           Purpose purpose, LineRows& lines)
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
        add_lines(d, snapshot, lanes, others, purpose, Explanation::Source::body, lines);
    }
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
