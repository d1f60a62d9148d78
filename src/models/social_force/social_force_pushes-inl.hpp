// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// What pushes the agents of these lanes at one moment of their step: others, bodies and walls.
#if defined(SIDESTEP_MODELS_SOCIAL_FORCE_PUSHES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_SOCIAL_FORCE_PUSHES_INL_HPP
#undef SIDESTEP_MODELS_SOCIAL_FORCE_PUSHES_INL_HPP
#else
#define SIDESTEP_MODELS_SOCIAL_FORCE_PUSHES_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "constraints/encounter-inl.hpp"
#include "constraints/forces-inl.hpp"
#include "math/tolerances.hpp"
#include "models/roles.hpp"
#include "models/social_force/social_force_walkers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE::forces {
namespace hn = hwy::HWY_NAMESPACE;

/// Farther than so many reaches a push is below a millionth of its strength: walls are not asked.
inline constexpr float kFarthest = 14.0f;
/// Deeper than so many reaches into each other it grows no more: the sum of all stays finite.
inline constexpr float kDeepest = 20.0f;
/// Collisions sooner than this [s] push like one at this time, and none harder than the bound
/// [m/s2]: the law has neither.
inline constexpr float kSoonestCollision = 0.05f;
inline constexpr float kHardestAnticipation = 20.0f;
/// Cosine of 100 degrees, beyond which a push counts half, [SF95].
inline constexpr float kViewCosine = -0.17364818f;
inline constexpr float kHalfBehind = 0.5f;
/// Of bodies that move: their way within this time [s], [SF07] II; they are minded when as near as
/// they come within the other.
inline constexpr float kBodyLookAhead = 0.5f;
inline constexpr float kBodyNotice = 2.0f;

/// What presses the agents of these lanes and what they rub along, per mass: the force is
/// push + drag - M v, M = {{xx, xy}, {xy, yy}}.
struct Press {
    Vec2<FloatV> push;  // [m/s2]
    Vec2<FloatV> drag;  // of what moves, [m/s2]
    FloatV xx, xy, yy;  // [1/s]

    explicit HWY_INLINE Press(FloatLanes d)
        : push(zero2(d)), drag(zero2(d)), xx(hn::Zero(d)), xy(hn::Zero(d)), yy(hn::Zero(d))
    {}

    /// [SF00] eq. (2) of something deep in the agent that moves at `v`.
    HWY_INLINE void add(const Vec2<FloatV>& away, FloatV depth, const Vec2<FloatV>& v,
                        FloatV stiffness, FloatV friction)
    {
        const Vec2<FloatV> along = left(away);
        const FloatV rub = friction * depth;
        push = push + away * (stiffness * depth);
        drag = drag + along * (rub * dot(v, along));
        xx = xx + rub * along.x * along.x;
        xy = xy + rub * along.x * along.y;
        yy = yy + rub * along.y * along.y;
    }
};

/// All that acts at one moment.
struct Pushes {
    Vec2<FloatV> force;  // of others, bodies and walls without contact [m/s2]
    Press solid;         // of what does not yield: walls, bodies, agents of other models
    Press pairs;         // of agents that press back

    explicit HWY_INLINE Pushes(FloatLanes d) : force(zero2(d)), solid(d), pairs(d) {}
};

/// The present state of the lanes within their step.
struct Moment {
    Vec2<FloatV> p, v;
    Row time;  ///< since the step began [s]
};

/// Whom to tell who pushes how much; nobody unless `out` is set.
struct Told {
    Explanation* out = nullptr;
    std::size_t lane = 0;

    HWY_INLINE void tell(FloatLanes d, const Vec2<FloatV>& push, const float* used,
                         Explanation::Source source, const std::uint32_t* id) const
    {
        if (HWY_LIKELY(out == nullptr) || used[lane] == 0.0f) return;
        alignas(64) Row x, y;
        hn::Store(push.x, d, x);
        hn::Store(push.y, d, y);
        out->pushes.push_back(
            {.source = source, .source_id = id[lane], .acceleration = {x[lane], y[lane]}});
    }
};

/// The other side of a row of pairs.
struct Others {
    alignas(64) Row x, y, vx, vy, radius, body_radius;
    alignas(64) Row used, presses_back;  ///< 1 or 0
    std::uint32_t id[kLeafRows];
    std::uint32_t apart_from[kLeafRows];  ///< the id that parts coincident centres
};

/// A lane without a partner: far away, so that nothing overflows.
HWY_INLINE void skip(const Walkers& w, std::size_t l, Others& others)
{
    others.used[l] = others.presses_back[l] = 0.0f;
    others.x[l] = w.x[l] + 100.0f;
    others.y[l] = w.y[l];
    others.vx[l] = others.vy[l] = 0.0f;
    others.radius[l] = others.body_radius[l] = 1.0f;
    others.id[l] = others.apart_from[l] = 0;
}

/// Two or more at the very place of an agent are not parted pair by pair: each goes in the
/// direction of its own id, as if the other's were higher.
HWY_INLINE bool in_a_heap(const NeighbourLists& lists, std::size_t lane)
{
    return lists.count[lane] >= 2 && lists.dist_sq[lane][1] == 0.0f;
}

/// Makes the agent in `row` the partner of lane l as it will be `time` [s] after the step began,
/// unless it is ignored.
HWY_INLINE void take_agent(const Snapshot& snapshot, const Walkers& w, std::size_t l, float time,
                           std::uint32_t row, std::uint8_t own_model, Others& others)
{
    const AgentRecord& other = snapshot.agents.record[row];
    if (role_towards(snapshot.shares, *w.record[l], other).ignored) return;
    others.used[l] = 1.0f;
    others.x[l] = other.x + other.vx * time;
    others.y[l] = other.y + other.vy * time;
    others.vx[l] = other.vx;
    others.vy[l] = other.vy;
    others.radius[l] = other.radius;
    others.id[l] = others.apart_from[l] = other.id;
    if (HWY_LIKELY(w.presses[l] == 0.0f)) return;
    const auto param = [&](std::size_t p) {
        return param_of(snapshot.agents, snapshot.profiles, row, p);
    };
    others.body_radius[l] = param(kRadius);
    if (snapshot.agents.leaf_model[row / kLeafRows] == own_model)
        others.presses_back[l] = param(social_force::kContact) != 0.0f ? 1.0f : 0.0f;
}

/// The way from the other and its direction; where the centres coincide, that of the ids.
struct Apart {
    Vec2<FloatV> offset, away;
    FloatV distance;
};

HWY_INLINE Apart apart_of(FloatLanes d, const Snapshot& snapshot, const Walkers& w,
                          const Vec2<FloatV>& p, const Others& others)
{
    Apart a{.offset = p - load2(d, others.x, others.y), .away = {}, .distance = {}};
    a.distance = length(a.offset);
    a.away = unit_or_zero(d, a.offset);
    const FloatM coincide = hn::And(load_mask(d, others.used),
                                    a.distance <= hn::Set(d, Tolerances<float>::kDegenerate));
    if (HWY_LIKELY(hn::AllFalse(d, coincide))) return a;
    a.away = select(coincide,
                    apart_directions(d, coincide, PairIds{w.id, others.apart_from},
                                     ties_to(d, snapshot.passing_side)),
                    a.away);
    // An ellipse has no slope at its middle.
    a.offset = select(coincide, a.away * hn::Set(d, static_cast<float>(kLeastAxis)), a.offset);
    return a;
}

HWY_INLINE FloatM has_form(FloatLanes d, const Walkers& w, social_force::RepulsionForm form)
{
    return hn::Eq(hn::Load(d, w.form), hn::Set(d, static_cast<float>(form)));
}

HWY_INLINE Repulsion<FloatV> repulsion_of(FloatLanes d, const Walkers& w)
{
    return {hn::Load(d, w.strength), hn::Load(d, w.reach), hn::Load(d, w.anisotropy)};
}

/// The pushes of a row of others, each lane by its own form. Only forms that somebody here has are
/// computed, and each lane takes its own: what the others of a leaf have changes nothing.
HWY_INLINE Vec2<FloatV> repulsion(FloatLanes d, const Walkers& w, const Moment& now,
                                  const Others& others, const Apart& apart)
{
    using social_force::RepulsionForm;
    const auto any = [&](RepulsionForm form) { return w.any_form[static_cast<std::size_t>(form)]; };
    const FloatV radii = hn::Load(d, w.radius) + hn::Load(d, others.radius);
    const Repulsion<FloatV> law = repulsion_of(d, w);
    const Vec2<FloatV> other_v = load2(d, others.vx, others.vy);
    const FloatV look_ahead = hn::Load(d, w.look_ahead);
    Vec2<FloatV> f = zero2(d);
    if (any(RepulsionForm::circular)) {
        const FloatV gap = hn::Max(apart.distance - radii, law.reach * hn::Set(d, -kDeepest));
        f = select(has_form(d, w, RepulsionForm::circular),
                   circular_force(d, apart.away, gap, now.v, law), f);
    }
    if (any(RepulsionForm::elliptical_1))
        f = select(has_form(d, w, RepulsionForm::elliptical_1),
                   elliptical_force(d, apart.offset, other_v * look_ahead, now.v, law), f);
    if (any(RepulsionForm::elliptical_2))
        f = select(has_form(d, w, RepulsionForm::elliptical_2),
                   elliptical_force(d, apart.offset, (other_v - now.v) * look_ahead, now.v, law),
                   f);
    if (any(RepulsionForm::power_law)) {
        const Pair<FloatV> pair{-apart.offset, now.v - other_v, radii};
        const Vec2<FloatV> foreseen =
            anticipatory_force(d, pair, hn::Load(d, w.power_scale), hn::Load(d, w.power_time),
                               hn::Set(d, kSoonestCollision))
                .force;
        f = select(has_form(d, w, RepulsionForm::power_law),
                   at_most(d, foreseen, hn::Set(d, kHardestAnticipation)), f);
    }
    // [SF95]: half where it comes from beyond 100 degrees off the wish.
    const FloatM behind =
        hn::And(load_mask(d, w.half_behind), hn::Neg(dot(load2(d, w.heading_x, w.heading_y), f)) <
                                                 length(f) * hn::Set(d, kViewCosine));
    f = select(behind, f * hn::Set(d, kHalfBehind), f);
    return select(load_mask(d, others.used), f, zero2(d));
}

/// Presses what touches the lanes' bodies. `used`: 1 or 0; `presses_back`: the other does the same.
HWY_INLINE Vec2<FloatV> press(FloatLanes d, const Walkers& w, const Others& others,
                              const Vec2<FloatV>& away, FloatV gap, Pushes& sum)
{
    const FloatV depth = hn::IfThenElseZero(load_mask(d, others.used), depth_of(d, gap));
    if (HWY_LIKELY(hn::AllTrue(d, hn::Eq(depth, hn::Zero(d))))) return zero2(d);
    const FloatM back = load_mask(d, others.presses_back);
    const Vec2<FloatV> v = load2(d, others.vx, others.vy);
    const FloatV stiffness = hn::Load(d, w.stiffness);
    const FloatV friction = hn::Load(d, w.friction);
    sum.pairs.add(away, hn::IfThenElseZero(back, depth), v, stiffness, friction);
    sum.solid.add(away, hn::IfThenZeroElse(back, depth), v, stiffness, friction);
    return away * (stiffness * depth);
}

/// Sets `frontal` in lanes that meet somebody head on.
HWY_INLINE void look_for_encounters(FloatLanes d, const Walkers& w, const Moment& now,
                                    const Others& others, FloatM& frontal)
{
    const Vec2<FloatV> other_v = load2(d, others.vx, others.vy);
    const Pair<FloatV> pair{.rel_pos = load2(d, others.x, others.y) - now.p,
                            .rel_vel = now.v - other_v,
                            .radius = hn::Load(d, w.radius) + hn::Load(d, others.radius)};
    const FloatM meets = meets_head_on(d, pair, load2(d, w.heading_x, w.heading_y), other_v);
    frontal = hn::Or(frontal, hn::And(meets, load_mask(d, others.used)));
}

/// Of the neighbours that are perceived, as they are on their way now. In a frontal encounter also
/// to the passing side.
inline void push_from_agents(FloatLanes d, const Snapshot& snapshot, std::size_t leaf,
                             std::size_t first_lane, const Walkers& w, const Moment& now,
                             const NeighbourLists& lists, const Told& told, Pushes& sum)
{
    const std::size_t count = hn::Lanes(d);
    const std::uint8_t model = snapshot.agents.leaf_model[leaf];
    std::size_t most = 0;
    for (std::size_t l = 0; l < count; ++l)
        most = std::max(most, std::size_t{lists.count[first_lane + l]});
    FloatM frontal = hn::Lt(hn::Zero(d), hn::Zero(d));
    for (std::size_t slot = 0; slot < most; ++slot) {
        Others others;
        for (std::size_t l = 0; l < count; ++l) {
            const std::size_t lane = first_lane + l;
            skip(w, l, others);
            if (slot >= lists.count[lane]) continue;
            take_agent(snapshot, w, l, now.time[l], lists.row[lane][slot], model, others);
            if (in_a_heap(lists, lane)) others.apart_from[l] = kNoAgent;
        }
        const Apart apart = apart_of(d, snapshot, w, now.p, others);
        Vec2<FloatV> push = repulsion(d, w, now, others, apart);
        sum.force = sum.force + push;
        if (HWY_UNLIKELY(w.any_contact)) {
            const FloatV bodies = hn::Load(d, w.body_radius) + hn::Load(d, others.body_radius);
            const FloatV gap =
                hn::IfThenElse(load_mask(d, w.presses), apart.distance - bodies, hn::Set(d, 1.0f));
            push = push + press(d, w, others, apart.away, gap, sum);
        }
        look_for_encounters(d, w, now, others, frontal);
        told.tell(d, push, others.used, Explanation::Source::agent, others.id);
    }
    const Vec2<FloatV> aside = left(load2(d, w.heading_x, w.heading_y)) * hn::Load(d, w.side);
    sum.force = select(frontal, sum.force + aside, sum.force);
}

/// Of a row of solid things, `gap` from the agents' rims: as a wall does, and along its way where
/// it moves.
HWY_INLINE void push_from_solids(FloatLanes d, const Walkers& w, const Moment& now,
                                 const Others& others, const Vec2<FloatV>& away, FloatV distance,
                                 Explanation::Source source, const Told& told, Pushes& sum)
{
    const FloatM used = load_mask(d, others.used);
    const FloatV reach = hn::Load(d, w.wall_reach);
    const FloatV own = hn::Load(d, w.wall_radius);
    const FloatV beyond = hn::Load(d, others.radius);
    const FloatV gap = distance - (own + beyond);
    Vec2<FloatV> push = away * falling_push(d, hn::Load(d, w.wall_strength), reach,
                                            hn::Max(gap, reach * hn::Set(d, -kDeepest)));
    const Vec2<FloatV> v = load2(d, others.vx, others.vy);
    const FloatM moves = hn::And(used, length_sq(v) > hn::Zero(d));
    if (HWY_UNLIKELY(!hn::AllFalse(d, moves))) {
        // From rim to rim: ellipses are about points.
        const FloatV rim = hn::Max(gap, hn::Set(d, static_cast<float>(kLeastAxis)));
        const Repulsion<FloatV> law{hn::Load(d, w.body_strength), hn::Load(d, w.body_reach),
                                    hn::Load(d, w.anisotropy)};
        const Vec2<FloatV> ahead = (v - now.v) * hn::Set(d, kBodyLookAhead);
        const Vec2<FloatV> foreseen = elliptical_force(d, away * rim, ahead, now.v, law);
        push = select(moves, push + foreseen, push);
    }
    push = select(used, push, zero2(d));
    sum.force = sum.force + push;
    if (HWY_UNLIKELY(w.any_contact)) {
        const FloatV body_gap =
            hn::IfThenElse(load_mask(d, w.presses),
                           distance - (hn::Load(d, w.body_radius) + beyond), hn::Set(d, 1.0f));
        push = push + press(d, w, others, away, body_gap, sum);
    }
    told.tell(d, push, others.used, source, others.id);
}

/// Of the disc bodies on this level that are noticed.
inline void push_from_bodies(FloatLanes d, const Snapshot& snapshot, std::uint16_t level,
                             std::size_t first_lane, const Walkers& w, const Moment& now,
                             const Perceived& perceived, const Told& told, Pushes& sum)
{
    const auto& bodies = snapshot.bodies.bodies;
    for (std::size_t index = 0; index < bodies.size(); ++index) {
        const Body& body = bodies[index];
        if (!body.live || !body.is_disc() || body.level != level) continue;
        const std::uint8_t unnoticed = perceived.unnoticed_bodies.empty()
                                           ? std::uint8_t{0}
                                           : perceived.unnoticed_bodies[index];
        Others others;
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            skip(w, l, others);
            if (w.alive[l] == 0.0f || (unnoticed >> (first_lane + l) & 1u) != 0) continue;
            others.used[l] = 1.0f;
            others.vx[l] = static_cast<float>(body.velocity.x);
            others.vy[l] = static_cast<float>(body.velocity.y);
            others.x[l] = static_cast<float>(body.position.x - snapshot.origin.x) +
                          others.vx[l] * now.time[l];
            others.y[l] = static_cast<float>(body.position.y - snapshot.origin.y) +
                          others.vy[l] * now.time[l];
            others.radius[l] = static_cast<float>(body.radius);
            others.id[l] = others.apart_from[l] = static_cast<std::uint32_t>(index);
        }
        const Apart apart = apart_of(d, snapshot, w, now.p, others);
        push_from_solids(d, w, now, others, apart.away, apart.distance, Explanation::Source::body,
                         told, sum);
    }
}

/// Whether the edge beyond the vertex `at` of this one comes nearer to (x, y) than that vertex
/// does: then it is that edge which pushes.
HWY_INLINE bool next_edge_is_nearer(const WallEdge<float>& edge, Point<float> at, float x, float y)
{
    const float dx = x - at.x;
    const float dy = y - at.y;
    if (at.x == edge.a.x && at.y == edge.a.y)
        return dx * edge.prev_dir.x + dy * edge.prev_dir.y < 0.0f;
    if (at.x == edge.b.x && at.y == edge.b.y)
        return dx * edge.next_dir.x + dy * edge.next_dir.y > 0.0f;
    return false;
}

/// The points of walls that push lane l, into a column of the lines' scratch: of each edge that it
/// faces the nearest. A corner pushes once, however many edges meet in it, and a straight wall like
/// one edge, however many it is made of. Returns their number.
inline std::size_t find_wall_points(const Snapshot& snapshot, std::uint16_t level, const Walkers& w,
                                    std::size_t l, float x, float y, float time, std::size_t lanes,
                                    ModelScratch& scratch)
{
    if (w.alive[l] == 0.0f) return 0;
    find_walls(snapshot.walls, x, y, level, w.wall_radius[l] + kFarthest * w.wall_reach[l],
               kBodyNotice, scratch.walls);
    Point<float> last{};
    std::size_t found = 0;
    for (const WallHit& hit : scratch.walls.hits) {
        const WallEdgeRow& row = snapshot.walls.edges[hit.row];
        // Where the wall was when the step began is where it is now, less its way since.
        const float at_x = x - row.velocity.x * time;
        const float at_y = y - row.velocity.y * time;
        const Point<float> at = nearest_point(row.shape, at_x, at_y);
        if (found > 0 && at.x == last.x && at.y == last.y) continue;
        if (next_edge_is_nearer(row.shape, at, at_x, at_y)) continue;
        last = at;
        const std::size_t cell = found++ * lanes + l;
        scratch.lines.nx.data()[cell] = at.x + row.velocity.x * time;
        scratch.lines.ny.data()[cell] = at.y + row.velocity.y * time;
        scratch.lines.source.data()[cell] = hit.row;
    }
    return found;
}

/// Of walls, which everybody knows of.
inline void push_from_walls(FloatLanes d, const Snapshot& snapshot, std::uint16_t level,
                            const Walkers& w, const Moment& now, const float* active,
                            ModelScratch& scratch, const Told& told, Pushes& sum)
{
    if (snapshot.walls.size() == 0) return;
    const std::size_t lanes = hn::Lanes(d);
    alignas(64) Row x, y;
    hn::Store(now.p.x, d, x);
    hn::Store(now.p.y, d, y);
    std::size_t found[kLeafRows] = {}, most = 0;
    for (std::size_t l = 0; l < lanes; ++l) {
        if (active[l] == 0.0f) continue;
        found[l] = find_wall_points(snapshot, level, w, l, x[l], y[l], now.time[l], lanes, scratch);
        most = std::max(most, found[l]);
    }
    for (std::size_t slot = 0; slot < most; ++slot) {
        Others others;
        alignas(64) Row free_x = {}, free_y = {};  // to the free side
        for (std::size_t l = 0; l < lanes; ++l) {
            skip(w, l, others);
            if (slot >= found[l]) continue;
            const std::size_t cell = slot * lanes + l;
            const WallEdgeRow& row = snapshot.walls.edges[scratch.lines.source.data()[cell]];
            others.used[l] = 1.0f;
            others.x[l] = scratch.lines.nx.data()[cell];
            others.y[l] = scratch.lines.ny.data()[cell];
            others.vx[l] = row.velocity.x;
            others.vy[l] = row.velocity.y;
            others.radius[l] = 0.0f;
            others.id[l] = row.wall;
            free_x[l] = row.shape.direction.y;
            free_y[l] = -row.shape.direction.x;
        }
        const Vec2<FloatV> offset = now.p - load2(d, others.x, others.y);
        const FloatV distance = length(offset);
        const Vec2<FloatV> away = select(hn::Eq(distance, hn::Zero(d)), load2(d, free_x, free_y),
                                         unit_or_zero(d, offset));
        push_from_solids(d, w, now, others, away, distance, Explanation::Source::wall, told, sum);
    }
}

}  // namespace sidestep::HWY_NAMESPACE::forces
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
