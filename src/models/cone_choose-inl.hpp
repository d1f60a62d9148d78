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

#include "models/cone_sampling-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

inline std::size_t neighbours_of(const Group& group, std::size_t l)
{
    return group.scratch.neighbours.lists.count[group.first_lane + l];
}

/// How many neighbours of lane l may be given up: all but the nearest, who would be walked through.
/// Bodies never are.
inline std::size_t most_to_give(const Group& group, std::size_t l)
{
    return std::max(neighbours_of(group, l), std::size_t{1}) - 1;
}

/// Gives up the `given[l]` farthest neighbours of lane l, and puts the others back.
inline void give_up(FloatLanes d, const Group& group, const std::size_t* given, ConeRows& rows,
                    ConeChoice& choice)
{
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        choice.kept[l] = neighbours_of(group, l) - given[l];
    keep_whole(d, rows);
    for (const RowRange& range : {rows.agents, rows.brakes, rows.sides})
        keep_first(d, choice.kept, range, rows);
}

/// Gives up in rows that were made anew what had been given up.
inline void give_up_again(FloatLanes d, const Group& group, ConeRows& rows, ConeChoice& choice)
{
    std::size_t given[kLeafRows];
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        given[l] = neighbours_of(group, l) - choice.kept[l];
    give_up(d, group, given, rows, choice);
}

/// [CP09] step 6: the farthest neighbours are given up until a velocity is left. Fewer neighbours
/// never leave less, so that the least number is found by halving. Lanes in which that does not
/// help keep all, those that are not stuck what they have kept.
inline void give_up_farthest(FloatLanes d, const Group& group, const ConePurpose& purpose,
                             FloatM stuck, ConeRows& rows, ConeChoice& choice)
{
    std::size_t too_few[kLeafRows] = {}, enough[kLeafRows] = {}, given[kLeafRows] = {};
    std::size_t before[kLeafRows] = {};
    alignas(64) float open[kLeafRows];
    hn::Store(hn::IfThenElseZero(stuck, hn::Set(d, 1.0f)), d, open);
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        enough[l] = most_to_give(group, l) + 1;
        before[l] = open[l] != 0.0f ? 0 : neighbours_of(group, l) - choice.kept[l];
    }
    for (;;) {
        alignas(64) float trying[kLeafRows] = {};
        bool any = false;
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            given[l] = before[l];
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
        given[l] = open[l] != 0.0f && enough[l] <= most_to_give(group, l) ? enough[l] : before[l];
    give_up(d, group, given, rows, choice);
}

/// The same in mode clamp: of the velocities that are left when the farthest neighbours are given
/// up one by one the first that can be reached is taken, as [CP09] has it; where there is none, the
/// change to the one that avoids all is cut back.
inline void give_up_until_reached(FloatLanes d, const Group& group, const ConePurpose& purpose,
                                  FloatM late, ConeRows& rows, ConeChoice& choice)
{
    const Vec2<FloatV> now = load2(d, group.lanes.vx, group.lanes.vy);
    const FloatV reach = hn::Load(d, group.lanes.reach);
    const ConeChoice whole = choice;
    FloatM far = hn::And(late, hn::And(choice.found, length(choice.v - now) > reach));
    std::size_t given[kLeafRows] = {};
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        given[l] = neighbours_of(group, l) - choice.kept[l];
    while (!hn::AllFalse(d, far)) {
        alignas(64) float trying[kLeafRows];
        hn::Store(hn::IfThenElseZero(far, hn::Set(d, 1.0f)), d, trying);
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            if (trying[l] == 0.0f) continue;
            if (given[l] < most_to_give(group, l)) ++given[l];
            else {
                trying[l] = 0.0f;
                given[l] = neighbours_of(group, l) - whole.kept[l];
            }
        }
        const FloatM active = load_mask(d, trying);
        choice.v = select(hn::AndNot(active, far), whole.v, choice.v);
        give_up(d, group, given, rows, choice);
        take_found(solve_cones(d, group, purpose, rows, active), active, choice);
        choice.complete = hn::AndNot(far, choice.complete);
        far = hn::And(active, length(choice.v - now) > reach);
    }
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
        give_up_again(d, group, rows, choice);
        take_found(solve_cones(d, group, purpose, rows, stuck), stuck, choice);
    }
}

/// What ClearPath does where nothing is left, [CP09] §3.3 and step 6: it looks less far ahead; one
/// that keeps to sides then lets them be, and looks far ahead again; then the farthest neighbours
/// are given up. Differs from it: variant 2 looks less far ahead too, and the nearest neighbour is
/// not given up. Giving up at once somebody who is merely in the way of a wall a second from now
/// sends one straight into him.
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
        give_up_again(d, group, rows, choice);
        take_found(solve_cones(d, group, purpose, rows, sided), sided, choice);
        halve_horizon(d, group, purpose, sided, rows, choice);
    }
    const FloatM empty = hn::AndNot(choice.found, active);
    if (HWY_UNLIKELY(!hn::AllFalse(d, empty)))
        give_up_farthest(d, group, purpose, empty, rows, choice);
}

/// Where nothing that can be reached is left the farthest neighbours are given up, [CP09] step 6;
/// then reach is no limit, and the change is to be cut back afterwards: one that cannot brake in
/// time brakes.
inline void find_room_in_reach(FloatLanes d, const Group& group, ConePurpose& purpose, FloatM stuck,
                               ConeRows& rows, ConeChoice& choice)
{
    const FloatM limited =
        hn::And(hn::And(stuck, load_mask(d, purpose.limited)), is_finite(d, group.lanes.reach));
    if (HWY_LIKELY(hn::AllFalse(d, limited))) return;
    give_up_farthest(d, group, purpose, limited, rows, choice);
    choice.clamped = hn::AndNot(choice.found, limited);
    if (hn::AllFalse(d, choice.clamped)) return;
    hn::Store(hn::IfThenZeroElse(choice.clamped, hn::Load(d, purpose.limited)), d, purpose.limited);
    rows = make_regions(d, group, purpose);
    give_up_again(d, group, rows, choice);
    take_found(solve_cones(d, group, purpose, rows, choice.clamped), choice.clamped, choice);
}

/// The velocities of the pressed lanes: those of ORCA's program about what happens within the
/// shortest horizon. It gives up neither the nearest neighbour nor bodies.
inline Vec2<FloatV> violate_least(FloatLanes d, const Group& group, const ConePurpose& purpose,
                                  const Vec2<FloatV>& v, FloatM pressed, Retreat& retreat)
{
    if (HWY_LIKELY(hn::AllFalse(d, pressed))) return v;
    Lanes near = group.lanes;
    set_horizons(d, purpose.horizon, near);
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
    choice.clamped = choice.pressed = program::none(d);
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) choice.kept[l] = neighbours_of(group, l);
    const FloatM stuck = hn::AndNot(choice.found, active);
    if (!is_linear(purpose.kind)) {
        sample_cones(d, group, purpose, rows, stuck, choice);
        alignas(64) float asked[kLeafRows];
        hn::Store(hn::IfThenElseZero(sampled, hn::Set(d, 1.0f)), d, asked);
        for (std::size_t l = 0; l < hn::Lanes(d); ++l)
            choice.stuck[l] = choice.sampled[l] && asked[l] == 0.0f;
    } else {
        if (HWY_UNLIKELY(!hn::AllFalse(d, stuck))) {
            find_room_in_reach(d, group, purpose, stuck, rows, choice);
            find_room(d, group, purpose, active, rows, choice);
            choice.pressed = hn::AndNot(choice.found, active);
        }
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
