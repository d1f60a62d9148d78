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
template <class D, class Flags>
HWY_INLINE hn::Mask<D> ties_left_lanes(D d, const Snapshot& snapshot, Flags common)
{
    const hn::RebindToUnsigned<D> du;
    const auto passes_left = hn::RebindMask(d, hn::TestBit(common, hn::Set(du, kPassesLeft)));
    const auto passes_right = hn::RebindMask(d, hn::TestBit(common, hn::Set(du, kPassesRight)));
    if (snapshot.passing_side != PassingSide::left) return passes_left;
    return hn::Or(passes_left, hn::Not(passes_right));
}

/// How many each lane lists.
HWY_INLINE FloatV listed_by(FloatLanes d, const NeighbourLists& lists, std::size_t first_lane)
{
    const hn::RebindToSigned<FloatLanes> di;
    return hn::ConvertTo(d, hn::BitCast(di, hn::Load(FlagLanes(), lists.count + first_lane)));
}

HWY_INLINE FlagV own_rows(const Snapshot& snapshot, const Lanes& lanes)
{
    return hn::Iota(FlagLanes(),
                    static_cast<std::uint32_t>(lanes.record[0] - snapshot.agents.record.data()));
}

HWY_INLINE bool any_in_a_heap(FloatLanes d, const NeighbourLists& lists, std::size_t first_lane)
{
    bool any = false;
    for (std::size_t l = 0; lists.any_coincide && l < hn::Lanes(d); ++l)
        any = any || in_a_heap(lists, first_lane + l);
    return any;
}

/// Rows listed by the lanes from `first_lane` on, from place `slot` on, as many places as there are
/// lanes: out[i] has those of place slot + i. Who lists nobody in a place looks at itself.
HWY_INLINE void load_listed(FloatLanes d, const NeighbourLists& lists, std::size_t first_lane,
                            std::size_t slot, FloatV count, FlagV self,
                            std::uint32_t (&out)[kLeafRows][kLeafRows])
{
    constexpr std::size_t kLanes = hn::MaxLanes(FloatLanes());
    static_assert(kNeighbourListCapacity % kLanes == 0);
    const FlagLanes du;
    FloatV v[kLanes];
    HWY_UNROLL(8)
    for (std::size_t l = 0; l < kLanes; ++l)
        v[l] = hn::BitCast(d, hn::Load(du, &lists.row[first_lane + l][slot]));
    transpose(d, v);
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < kLanes; ++i) {
        const auto used = hn::RebindMask(du, hn::Set(d, static_cast<float>(slot + i)) < count);
        hn::Store(hn::IfThenElse(used, hn::BitCast(du, v[i]), self), du, out[i]);
    }
}

/// One place in the lists, or two, where nothing is special about any of the pairs.
template <class D>
struct PlainRow {
    using V = hn::Vec<D>;
    using M = hn::Mask<D>;
    Pair<V> pair;
    Vec2<V> other_velocity;
    V share;
    M used;  ///< lanes with a partner in this row; the others have one far away
    M ties_left;
    hn::Vec<hn::RebindToUnsigned<D>> ids;
};

/// Takes the partners of one place in the lists, or of two, as rows of their own, where nothing is
/// special about any of the pairs: both react, are of one class, and share by finite ranks, of
/// which none is zero. Says false otherwise. `listed` are the rows in place `slot` and the next,
/// `count` how many each lane lists.
template <class D>
HWY_INLINE bool take_plain_row(D d, const Snapshot& snapshot, const Lanes& lanes,
                               const std::uint32_t* listed, std::size_t slot, FloatV count,
                               PlainRow<D>& row)
{
    using V = hn::Vec<D>;
    using M = hn::Mask<D>;
    const FloatLanes one_row;
    const hn::RebindToUnsigned<D> du;
    const auto own = [&](const float* values)
                         HWY_ATTR { return repeat(d, hn::Load(one_row, values)); };
    const V place = rows_of(d, hn::Set(one_row, static_cast<float>(slot)),
                            hn::Set(one_row, static_cast<float>(slot + 1)));
    row.used = place < repeat(d, count);

    const RecordLanes<D> other = load_records(d, snapshot.agents.record.data(), listed);

    const V zero = hn::Zero(d);
    const V infinite = hn::Set(d, std::numeric_limits<float>::infinity());
    const V own_rank = own(lanes.rank);
    const auto own_flags = repeat(du, hn::Load(FlagLanes(), lanes.flags));
    const auto common = hn::And(own_flags, other.flags);
    const M finite = hn::And(own_rank < infinite, other.rank < infinite);
    row.share = hn::Set(d, 0.5f);
    M both_yield = hn::And(hn::Eq(own_rank, other.rank), own_rank > zero);
    if (HWY_UNLIKELY(!hn::AllTrue(d, both_yield))) {
        row.share = share_from_ranks(d, own_rank, other.rank);
        both_yield = hn::And(row.share > zero, row.share < hn::Set(d, 1.0f));
    }
    const auto odd = hn::Or(hn::AndNot(other.flags, hn::Set(du, kReacts)),
                            hn::Or(hn::And(common, hn::Set(du, kHasShares)),
                                   hn::ShiftRight<24>(hn::Xor(own_flags, other.flags))));
    const M even = hn::RebindMask(d, hn::Eq(odd, hn::Zero(du)));
    const M plain = hn::And(even, hn::And(finite, both_yield));
    if (HWY_UNLIKELY(!hn::AllFalse(d, hn::AndNot(plain, row.used)))) return false;

    // Lanes without a partner in this row have one far away, so that nothing overflows.
    const Vec2<V> far{hn::Set(d, 100.0f), zero};
    const Vec2<V> p{own(lanes.x), own(lanes.y)};
    row.pair.rel_pos = select(row.used, other.position - p, far);
    row.pair.rel_vel = Vec2<V>{own(lanes.vx), own(lanes.vy)} - other.velocity;
    row.pair.radius = own(lanes.radius) + other.radius;
    row.other_velocity = other.velocity;
    row.ties_left = ties_left_lanes(d, snapshot, common);
    row.ids = other.id;
    return true;
}

/// Soft lines of one place in the lists, or of two, where nothing is special about any of the
/// pairs. Does nothing and says false otherwise.
template <class D>
HWY_INLINE bool add_plain_pairs(D d, const Snapshot& snapshot, const Lanes& lanes,
                                const std::uint32_t* listed, std::size_t slot, FloatV count,
                                LineRows& lines)
{
    using V = hn::Vec<D>;
    PlainRow<D> row;
    if (!take_plain_row(d, snapshot, lanes, listed, slot, count, row)) return false;
    const FloatLanes one_row;
    const hn::RebindToUnsigned<D> du;
    const auto own = [&](const float* values)
                         HWY_ATTR { return repeat(d, hn::Load(one_row, values)); };
    const Vec2<V> v{own(lanes.vx), own(lanes.vy)};
    const Shares<V> shares{row.share, row.share};
    const V rho = own(lanes.uncertainty);
    const auto overlap = overlaps(d, row.pair);
    HalfPlane<V> plane;
    if (HWY_LIKELY(lanes.exact_per_tau && hn::AllFalse(d, overlap))) {
        const TimesInverse<V> per_tau{own(lanes.per_tau)};
        const auto exit = exit_by_feature(d, row.pair, per_tau, overlap, row.ties_left);
        plane = half_plane_of(d, enlarge(exit, rho), v, shares);
    } else {
        alignas(64) std::uint32_t own_ids[hn::MaxLanes(d)], ids[hn::MaxLanes(d)];
        hn::Store(repeat(du, hn::Load(FlagLanes(), lanes.id)), du, own_ids);
        hn::Store(row.ids, du, ids);
        plane = orca_half_plane(d, row.pair, v, own(lanes.tau), own(lanes.overlap_time), shares,
                                rho, PairIds{own_ids, ids}, row.ties_left);
    }
    lines.add_rows(d, row.used, plane.point, plane.normal, Explanation::Source::agent, row.ids);
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
    constexpr std::size_t kAtOnce = kRowsAtOnce<FloatLanes>;
    std::uint32_t most = 0;
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        most = std::max(most, lists.count[first_lane + l]);
    const bool may_be_plain = purpose == Purpose::avoid && !any_in_a_heap(d, lists, first_lane);
    const FloatV count = listed_by(d, lists, first_lane);
    const FlagV self = own_rows(snapshot, lanes);
    alignas(64) std::uint32_t listed[kLeafRows][kLeafRows];
    for (std::size_t slot = 0; slot < most;) {
        const std::size_t place = slot % hn::Lanes(d);
        if (place == 0) load_listed(d, lists, first_lane, slot, count, self, listed);
        if constexpr (kAtOnce > 1) {
            if (may_be_plain && slot % kAtOnce == 0 && slot + kAtOnce <= most &&
                add_plain_pairs(Rows<FloatLanes>(), snapshot, lanes, listed[place], slot, count,
                                lines)) {
                slot += kAtOnce;
                continue;
            }
        }
        if (!may_be_plain ||
            !add_plain_pairs(d, snapshot, lanes, listed[place], slot, count, lines))
            add_any_pairs(d, snapshot, lanes, first_lane, slot, lists, purpose, lines);
        ++slot;
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
