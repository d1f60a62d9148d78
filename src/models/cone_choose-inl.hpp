// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// From regions to velocities, and what gives way when nothing is left between them.
#if defined(SIDESTEP_MODELS_CONE_CHOOSE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_CONE_CHOOSE_INL_HPP
#undef SIDESTEP_MODELS_CONE_CHOOSE_INL_HPP
#else
#define SIDESTEP_MODELS_CONE_CHOOSE_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "models/cone_regions-inl.hpp"
#include "models/half_plane_limits-inl.hpp"
#include "solvers/sampling-inl.hpp"
#include "solvers/sunflower.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What has been decided of the lanes so far.
struct ConeChoice {
    Vec2<FloatV> v;
    FloatM found;                      ///< v keeps out of all regions that were kept
    FloatM complete;                   ///< and none was given up
    std::size_t kept[kLeafRows] = {};  ///< neighbours, the nearest
    bool keeps_bodies[kLeafRows] = {};
    alignas(64) float horizon[kLeafRows] = {};  ///< [s] of the cones that were kept out of
    bool sided[kLeafRows] = {};                 ///< it kept to its side of each neighbour
    FloatM pressed;  ///< not even the nearest neighbour left room: the least violation of all
    bool sampled[kLeafRows] = {};
    bool stuck[kLeafRows] = {};  ///< it was not asked for: nothing is outside all cones
};

inline Discs<FloatLanes> discs_of(FloatLanes d, const Lanes& lanes, const ConePurpose& purpose)
{
    const FloatM has_reach = hn::And(load_mask(d, purpose.limited), is_finite(d, lanes.reach));
    return {.v_max = hn::Load(d, lanes.max_speed),
            .centre = load2(d, lanes.vx, lanes.vy),
            .reach = hn::IfThenElse(has_reach, hn::Load(d, lanes.reach), hn::Set(d, 1.0f)),
            .has_reach = has_reach};
}

inline OutsideResult<FloatLanes> solve_cones(FloatLanes d, const Group& group,
                                             const ConePurpose& purpose, const ConeRows& rows,
                                             FloatM active)
{
    return nearest_outside(d, rows.regions, rows.slots, discs_of(d, group.lanes, purpose),
                           rows.target, rows.tie, rows.scale, rows.work, active);
}

inline void take_found(const OutsideResult<FloatLanes>& result, FloatM active, ConeChoice& choice)
{
    const FloatM found = hn::And(active, result.feasible);
    choice.v = select(found, result.v, choice.v);
    choice.found = hn::Or(choice.found, found);
}

// ------------------------------------------------------------------------- giving up neighbours

/// How much a lane can give up: its neighbours one by one from the farthest, then the bodies.
inline std::size_t most_to_give(const Group& group, std::size_t l)
{
    return group.scratch.neighbours.lists.count[group.first_lane + l] + 1u;
}

/// Gives up `given[l]` things in lane l, and puts the others back.
inline void give_up(FloatLanes d, const Group& group, const std::size_t* given, ConeRows& rows,
                    ConeChoice& choice)
{
    std::size_t bodies[kLeafRows];
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        const std::size_t agents = most_to_give(group, l) - 1;
        choice.kept[l] = agents - std::min(given[l], agents);
        choice.keeps_bodies[l] = given[l] <= agents;
        bodies[l] = choice.keeps_bodies[l] ? rows.bodies.count : 0;
    }
    keep_first(d, choice.kept, rows.agents, rows);
    keep_first(d, choice.kept, rows.brakes, rows);
    keep_first(d, choice.kept, rows.sides, rows);
    keep_first(d, bodies, rows.bodies, rows);
    keep_first(d, bodies, rows.body_brakes, rows);
}

/// [CP09] step 6: the farthest neighbours are given up until a velocity is left. Fewer neighbours
/// never leave less, so that the least number is found by halving. Lanes in which walls alone leave
/// nothing stay without.
inline void give_up_farthest(FloatLanes d, const Group& group, const ConePurpose& purpose,
                             FloatM stuck, ConeRows& rows, ConeChoice& choice)
{
    std::size_t too_few[kLeafRows] = {}, enough[kLeafRows] = {}, given[kLeafRows] = {};
    alignas(64) float open[kLeafRows];
    hn::Store(hn::IfThenElseZero(stuck, hn::Set(d, 1.0f)), d, open);
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) enough[l] = most_to_give(group, l) + 1;
    for (;;) {
        alignas(64) float trying[kLeafRows] = {};
        bool any = false;
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            if (open[l] == 0.0f || enough[l] - too_few[l] <= 1) continue;
            given[l] = (too_few[l] + enough[l]) / 2;
            trying[l] = 1.0f;
            any = true;
        }
        if (!any) break;
        give_up(d, group, given, rows, choice);
        const FloatM active = load_mask(d, trying);
        const OutsideResult<FloatLanes> result = solve_cones(d, group, purpose, rows, active);
        take_found(result, active, choice);
        alignas(64) float found[kLeafRows];
        hn::Store(hn::IfThenElseZero(result.feasible, hn::Set(d, 1.0f)), d, found);
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            if (trying[l] != 0.0f) (found[l] != 0.0f ? enough : too_few)[l] = given[l];
        }
    }
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        given[l] = open[l] != 0.0f ? std::min(enough[l], most_to_give(group, l)) : 0;
    give_up(d, group, given, rows, choice);
}

/// The same where the change is cut back afterwards (mode clamp): the farthest are given up one by
/// one until the velocity that is left can be reached, as [CP09] has it.
inline void give_up_until_reached(FloatLanes d, const Group& group, const ConePurpose& purpose,
                                  FloatM late, ConeRows& rows, ConeChoice& choice)
{
    const Vec2<FloatV> now = load2(d, group.lanes.vx, group.lanes.vy);
    const FloatV reach = hn::Load(d, group.lanes.reach);
    for (std::size_t more = 1;; ++more) {
        const FloatM far =
            hn::And(late, hn::Or(hn::Not(choice.found), length(choice.v - now) > reach));
        alignas(64) float trying[kLeafRows];
        hn::Store(hn::IfThenElseZero(far, hn::Set(d, 1.0f)), d, trying);
        std::size_t given[kLeafRows];
        bool any = false;
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            const std::size_t before =
                most_to_give(group, l) - 1 - choice.kept[l] + (choice.keeps_bodies[l] ? 0 : 1);
            const bool can = trying[l] != 0.0f && before < most_to_give(group, l);
            given[l] = before + (can ? 1 : 0);
            trying[l] = can ? 1.0f : 0.0f;
            any = any || can;
        }
        if (!any) return;
        give_up(d, group, given, rows, choice);
        const FloatM active = load_mask(d, trying);
        take_found(solve_cones(d, group, purpose, rows, active), active, choice);
    }
}

// ------------------------------------------------------------------------------------ sampling

/// Time to the first contact of the velocities in the lanes of v, when others do their part.
inline FloatV contact_time(FloatLanes d, const SampledOthers& others, const Vec2<float>& now,
                           const Vec2<FloatV>& v)
{
    FloatV soonest = hn::Set(d, std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < others.count; ++i) {
        const SampledOthers::Other& other = others.other[i];
        if (other.overlaps) {
            const FloatM stays = v.x * hn::Set(d, other.line_x) + v.y * hn::Set(d, other.line_y) <
                                 hn::Set(d, other.line_c);
            soonest = hn::IfThenZeroElse(stays, soonest);
            continue;
        }
        const FloatV share = hn::Set(d, other.share);
        const Pair<FloatV> pair{
            set2(d, other.pair.rel_pos.x, other.pair.rel_pos.y),
            {hn::Set(d, other.pair.rel_vel.x) + (v.x - hn::Set(d, now.x)) / share,
             hn::Set(d, other.pair.rel_vel.y) + (v.y - hn::Set(d, now.y)) / share},
            hn::Set(d, other.pair.radius)};
        soonest = hn::Min(soonest, time_to_collision(d, pair));
    }
    return soonest;
}

/// Region `slot` of lane l, in all lanes.
inline Region<FloatV> broadcast_region(FloatLanes d, const Regions<float>& regions,
                                       std::size_t slot, std::size_t l)
{
    const std::size_t at = slot * hn::Lanes(d) + l;
    Region<FloatV> r;
    for (std::size_t k = 0; k < 3; ++k) {
        r.n[k] = set2(d, regions.nx[k][at], regions.ny[k][at]);
        r.c[k] = hn::Set(d, regions.c[k][at]);
    }
    r.disc = set2(d, regions.disc_x[at], regions.disc_y[at]);
    r.disc_r = hn::Set(d, regions.disc_r[at]);
    return r;
}

/// The candidate of least penalty for lane l, [RVO08] §V, of those that no wall forbids.
inline Vec2<float> sample_lane(FloatLanes d, const Group& group, const ConePurpose& purpose,
                               const ConeRows& rows, std::size_t l)
{
    const Lanes& lanes = group.lanes;
    SampledOthers others;
    gather_sampled(group.snapshot, group.snapshot.agents.leaf_level[group.leaf], lanes, l,
                   group.first_lane, group.scratch, others);
    if (purpose.kind == ConeKind::full)
        for (std::size_t i = 0; i < others.count; ++i) others.other[i].share = 1.0f;
    const std::size_t row = group.leaf * kLeafRows + group.first_lane + l;
    const SampleQuery<float> query{
        .preferred = {lanes.preferred_vx[l], lanes.preferred_vy[l]},
        .now = {lanes.vx[l], lanes.vy[l]},
        .v_max = lanes.max_speed[l],
        .reach =
            purpose.limited[l] != 0.0f ? lanes.reach[l] : std::numeric_limits<float>::infinity(),
        .weight =
            param_of(group.snapshot.agents, group.snapshot.profiles, row, kContactWeightParam),
        .points = sunflower()};
    alignas(64) float scale[kLeafRows];
    hn::Store(rows.scale, d, scale);
    const FloatV depth = hn::Set(d, scale[l] * Tolerances<float>::kViolation);
    const auto forbidden = [&](const Vec2<FloatV>& v) HWY_ATTR {
        FloatM inside = program::none(d);
        for (std::size_t i = rows.walls.first; i < rows.walls.end(); ++i)
            inside =
                hn::Or(inside, inside_region(d, broadcast_region(d, rows.regions, i, l), v, depth));
        return inside;
    };
    return least_penalty(
               d, query,
               [&](const Vec2<FloatV>& v)
                   HWY_ATTR { return contact_time(d, others, query.now, v); },
               forbidden)
        .v;
}

/// Samples the lanes of `mask`. Whether a wall allows what came out is for the caller to see.
inline void sample_cones(FloatLanes d, const Group& group, const ConePurpose& purpose,
                         const ConeRows& rows, FloatM mask, ConeChoice& choice)
{
    if (HWY_LIKELY(hn::AllFalse(d, mask))) return;
    alignas(64) float vx[kLeafRows], vy[kLeafRows], wanted[kLeafRows];
    hn::Store(choice.v.x, d, vx);
    hn::Store(choice.v.y, d, vy);
    hn::Store(hn::IfThenElseZero(mask, hn::Set(d, 1.0f)), d, wanted);
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        if (wanted[l] == 0.0f) continue;
        const Vec2<float> v = sample_lane(d, group, purpose, rows, l);
        vx[l] = v.x;
        vy[l] = v.y;
        choice.sampled[l] = true;
    }
    choice.v = load2(d, vx, vy);
    choice.found = hn::Or(choice.found, mask);
    const FloatV depth = rows.scale * hn::Set(d, Tolerances<float>::kViolation);
    const FloatM inside = outside::inside_any(d, rows.regions, rows.slots, choice.v, depth);
    choice.complete = hn::Or(choice.complete, hn::AndNot(inside, mask));
}

// ---------------------------------------------------------------------------------- the models

/// Looks again in the lanes of `stuck`, each time half as far ahead, not below the step.
inline void halve_horizon(FloatLanes d, const Group& group, ConePurpose& purpose, FloatM stuck,
                          ConeRows& rows, ConeChoice& choice)
{
    const FloatV dt = hn::Set(d, group.snapshot.dt);
    for (;;) {
        const FloatV half = purpose.horizon * hn::Set(d, 0.5f);
        stuck = hn::And(hn::AndNot(choice.found, stuck), half >= dt);
        if (hn::AllFalse(d, stuck)) return;
        purpose.horizon = hn::IfThenElse(stuck, half, purpose.horizon);
        rows = make_regions(d, group, purpose);
        take_found(solve_cones(d, group, purpose, rows, stuck), stuck, choice);
    }
}

/// What ClearPath does where nothing is left, [CP09] §3.3 and step 6: it looks less far ahead; one
/// that keeps to sides then lets them be, and looks far ahead again; then the farthest neighbours
/// are given up, but for the nearest. Differs from it: variant 2 looks less far ahead too. Giving
/// up at once somebody who is merely in the way of a wall a second from now sends one straight into
/// him.
inline void find_room(FloatLanes d, const Group& group, ConePurpose& purpose, FloatM active,
                      ConeRows& rows, ConeChoice& choice)
{
    const FloatV whole = purpose.horizon;
    halve_horizon(d, group, purpose, active, rows, choice);
    const FloatM sided = hn::AndNot(choice.found, hn::And(active, purpose.sides));
    if (HWY_UNLIKELY(!hn::AllFalse(d, sided))) {
        purpose.sides = hn::AndNot(sided, purpose.sides);
        purpose.horizon = hn::IfThenElse(sided, whole, purpose.horizon);
        rows = make_regions(d, group, purpose);
        take_found(solve_cones(d, group, purpose, rows, sided), sided, choice);
        halve_horizon(d, group, purpose, sided, rows, choice);
    }
    const FloatM empty = hn::AndNot(choice.found, active);
    if (HWY_LIKELY(hn::AllFalse(d, empty))) return;
    give_up_farthest(d, group, purpose, empty, rows, choice);
    alignas(64) float alone[kLeafRows] = {};
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        alone[l] = choice.kept[l] == 0 && most_to_give(group, l) > 1 ? 1.0f : 0.0f;
    choice.pressed = hn::And(empty, load_mask(d, alone));
}

/// The velocities of the pressed lanes: those of ORCA's program about what happens within the
/// shortest horizon. It does not give up the nearest neighbour, who would be walked through.
inline Vec2<FloatV> violate_least(FloatLanes d, const Group& group, const ConePurpose& purpose,
                                  const Vec2<FloatV>& v, FloatM pressed, Retreat& retreat)
{
    if (HWY_LIKELY(hn::AllFalse(d, pressed))) return v;
    Lanes near = group.lanes;
    hn::Store(purpose.horizon, d, near.tau);
    const Group close{group.snapshot, group.leaf, group.first_lane,
                      near,           group.hits, group.scratch};
    Stage stage;
    std::copy(std::begin(purpose.limited), std::end(purpose.limited), stage.limited);
    stage.target = load2(d, near.preferred_vx, near.preferred_vy);
    return select(pressed, choose_with_retreats(d, close, stage, retreat, pressed).result.v, v);
}

/// The velocities of the active lanes; those without `found` have nothing that walls allow.
inline ConeRows choose_outside(FloatLanes d, const Group& group, ConePurpose& purpose,
                               FloatM active, FloatM sampled, FloatM late, ConeChoice& choice)
{
    ConeRows rows = make_regions(d, group, purpose);
    const FloatM exact = hn::AndNot(sampled, active);
    const OutsideResult<FloatLanes> result = solve_cones(d, group, purpose, rows, exact);
    choice.v = result.v;
    choice.found = hn::And(exact, result.feasible);
    choice.complete = choice.found;
    choice.pressed = program::none(d);
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        choice.kept[l] = most_to_give(group, l) - 1;
        choice.keeps_bodies[l] = true;
    }
    const FloatM stuck = hn::AndNot(choice.found, active);
    if (!is_linear(purpose.kind)) {
        sample_cones(d, group, purpose, rows, stuck, choice);
        alignas(64) float asked[kLeafRows];
        hn::Store(hn::IfThenElseZero(sampled, hn::Set(d, 1.0f)), d, asked);
        for (std::size_t l = 0; l < hn::Lanes(d); ++l)
            choice.stuck[l] = choice.sampled[l] && asked[l] == 0.0f;
    } else {
        if (HWY_UNLIKELY(!hn::AllFalse(d, stuck)))
            find_room(d, group, purpose, active, rows, choice);
        if (HWY_UNLIKELY(!hn::AllFalse(d, late)))
            give_up_until_reached(d, group, purpose, late, rows, choice);
    }
    hn::Store(purpose.horizon, d, choice.horizon);
    alignas(64) float sided[kLeafRows];
    hn::Store(hn::IfThenElseZero(purpose.sides, hn::Set(d, 1.0f)), d, sided);
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) choice.sided[l] = sided[l] != 0.0f;
    return rows;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
