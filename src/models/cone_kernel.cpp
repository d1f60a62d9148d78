// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/cone_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <algorithm>

#include "models/cone_choose-inl.hpp"
#include "models/cone_explain-inl.hpp"
#include "models/cone_model.hpp"
#include "models/half_plane_limits-inl.hpp"
#include "models/half_plane_side-inl.hpp"
#include "simd/isa.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Lanes of which `says(row)` holds.
template <class Says>
FloatM lanes_where(FloatLanes d, const Group& group, Says says)
{
    alignas(64) float flags[kLeafRows] = {};
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        flags[l] =
            group.lanes.alive[l] != 0.0f && says(group.leaf * kLeafRows + group.first_lane + l)
                ? 1.0f
                : 0.0f;
    return load_mask(d, flags);
}

/// Lanes whose parameter `place` is `value`. A filter has no parameters of its own.
FloatM lanes_with(FloatLanes d, const Group& group, std::size_t place, float value)
{
    if (group.scratch.filters) return program::none(d);
    const Snapshot& now = group.snapshot;
    if (const Profile* common = common_profile(now.agents, now.profiles, group.leaf, {place})) {
        if (common->value[place] == value) return load_mask(d, group.lanes.alive);
        return program::none(d);
    }
    return lanes_where(d, group, [&](std::size_t row) {
        return param_of(group.snapshot.agents, group.snapshot.profiles, row, place) == value;
    });
}

/// The value of a parameter that is one of several words.
template <class Word>
constexpr float value_of(Word word)
{
    return static_cast<float>(word);
}

/// Lanes with more wall edges than have cones.
FloatM many_walls(FloatLanes d, const Group& group)
{
    const auto& count = group.hits.count;
    if (HWY_LIKELY(*std::max_element(count, count + hn::Lanes(d)) <= kMostWallCones))
        return program::none(d);
    return lanes_where(d, group, [&](std::size_t row) {
        return count[row % kLeafRows - group.first_lane] > kMostWallCones;
    });
}

/// Velocities for lanes in which cones of walls leave nothing, or nothing that can be kept to:
/// walls' hard lines, and their retreats, as in half-plane models.
Vec2<FloatV> keep_to_walls(FloatLanes d, const Group& group, const Vec2<FloatV>& v, FloatM mask,
                           Retreat& retreat)
{
    if (HWY_LIKELY(hn::AllFalse(d, mask))) return v;
    Stage stage;
    std::fill(std::begin(stage.limited), std::end(stage.limited), 1.0f);
    stage.hard_only = true;
    stage.target = v;
    return select(mask, choose_with_retreats(d, group, stage, retreat, mask).result.v, v);
}

/// Lanes whose velocity the limits or walls do not allow after all.
FloatM not_allowed(FloatLanes d, const Group& group, const ConeRows& rows, const Vec2<FloatV>& v,
                   const ConeChoice& choice, FloatM active)
{
    const FloatV fastest =
        hn::Load(d, group.lanes.max_speed) * hn::Set(d, 1.0f + 2.0f * kVelocityRounding);
    const FloatM broken = hn::Or(in_wall_cones(d, rows, v), length(v) > fastest);
    return hn::And(active, hn::Or(hn::Or(hn::Not(choice.found), many_walls(d, group)), broken));
}

template <ConeKind kKind>
ConePurpose purpose_of(FloatLanes d, const Group& group, FloatM late)
{
    ConePurpose purpose;
    purpose.kind = kKind;
    purpose.horizon = hn::Load(d, group.lanes.tau);
    purpose.sides = program::none(d);
    purpose.stands = program::none(d);
    if constexpr (kKind == ConeKind::linear) {
        purpose.sides = lanes_with(d, group, kVariant, value_of(ClearPathVariant::one));
        purpose.stands = lanes_with(d, group, kOverlapWish, value_of(OverlapWish::stand));
    }
    hn::Store(hn::IfThenZeroElse(late, hn::Set(d, 1.0f)), d, purpose.limited);
    return purpose;
}

void keep_cone_lanes(FloatLanes d, const Group& group, const Vec2<FloatV>& v, FloatM complete,
                     const Retreat& retreat, Choice& choice)
{
    alignas(64) float vx[kLeafRows], vy[kLeafRows], whole[kLeafRows];
    hn::Store(v.x, d, vx);
    hn::Store(v.y, d, vy);
    hn::Store(hn::IfThenElseZero(complete, hn::Set(d, 1.0f)), d, whole);
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        const std::size_t lane = group.first_lane + l;
        const bool alive = group.lanes.alive[l] != 0.0f;
        choice.vx[lane] = alive ? vx[l] : 0.0f;
        choice.vy[lane] = alive ? vy[l] : 0.0f;
        choice.infeasible |= lane_bit(lane, alive && whole[l] == 0.0f);
        choice.wall_lines_about_zero |= lane_bit(lane, alive && retreat.about_zero[l] != 0.0f);
        choice.acceleration_exceeded |= lane_bit(lane, alive && retreat.no_reach[l] != 0.0f);
    }
}

/// What else is known of the lane that is explained.
struct Told {
    std::size_t l;
    FloatM walled;
    bool turned;
};

void tell_lane(FloatLanes d, const Group& group, ConeKind kind, const ConeRows& rows,
               const ConeChoice& chosen, const Told& told, const Retreat& retreat,
               const Choice& choice)
{
    const std::size_t l = told.l;
    const auto is_set = [&](FloatM mask) HWY_ATTR {
        alignas(64) float flags[kLeafRows];
        hn::Store(hn::IfThenElseZero(mask, hn::Set(d, 1.0f)), d, flags);
        return flags[l] != 0.0f;
    };
    alignas(64) float depth[kLeafRows], target_x[kLeafRows], target_y[kLeafRows];
    hn::Store(rows.scale * hn::Set(d, 2.0f * Tolerances<float>::kViolation), d, depth);
    hn::Store(rows.target.x, d, target_x);
    hn::Store(rows.target.y, d, target_y);
    const std::size_t lane = group.first_lane + l;
    Explanation& out = *group.scratch.explain;
    explain_cone_lane(group, kind, rows, chosen,
                      {.l = l,
                       .v = {choice.vx[lane], choice.vy[lane]},
                       .target = {target_x[l], target_y[l]},
                       .depth = depth[l],
                       .found = is_set(chosen.found),
                       .complete = is_set(chosen.complete),
                       .by_walls = is_set(told.walled),
                       .pressed = is_set(chosen.pressed),
                       .clamped = is_set(chosen.clamped),
                       .exceeded = retreat.no_reach[l] != 0.0f,
                       .turned = told.turned});
    out.wall_lines_about_zero = retreat.about_zero[l] != 0.0f;
    out.acceleration_exceeded = retreat.no_reach[l] != 0.0f;
}

template <ConeKind kKind>
void choose_cone_lanes(FloatLanes d, const Group& group, const bool* turned, Choice& choice)
{
    const Lanes& lanes = group.lanes;
    const FloatM active = load_mask(d, lanes.alive);
    FloatM late = hn::And(active, late_lanes(d, lanes));
    ConePurpose purpose = purpose_of<kKind>(d, group, late);
    FloatM sampled = program::none(d);
    if constexpr (!is_linear(kKind))
        sampled = lanes_with(d, group, kChooser, value_of(Chooser::sampled));

    ConeChoice chosen;
    ConeRows rows = choose_outside(d, group, purpose, active, sampled, late, chosen);
    Retreat retreat;
    Vec2<FloatV> v = violate_least(d, group, purpose, chosen.v, chosen.pressed, retreat);
    if (HWY_UNLIKELY(lanes.any_late)) v = sample_lanes(d, group, v);
    late = hn::Or(late, chosen.clamped);
    if (HWY_UNLIKELY(!hn::AllFalse(d, late))) v = select(late, clamp_lanes(d, lanes, v), v);
    const FloatM walled = not_allowed(d, group, rows, v, chosen,
                                      hn::AndNot(hn::AndNot(late, chosen.pressed), active));
    const Vec2<FloatV> kept = keep_to_walls(d, group, v, walled, retreat);
    chosen.complete = hn::AndNot(length(kept - v) > hn::Zero(d), chosen.complete);
    v = into_ellipses(d, lanes, retreat, kept);
    keep_cone_lanes(d, group, v, chosen.complete, retreat, choice);
    const std::size_t told = group.scratch.explain_lane - group.first_lane;
    if (HWY_LIKELY(group.scratch.explain == nullptr || told >= hn::Lanes(d))) return;
    keep_whole(d, rows);
    tell_lane(d, group, kKind, rows, chosen, {told, walled, turned[told]}, retreat, choice);
}

template <ConeKind kKind>
void choose_cone_leaf(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                      Choice& choice)
{
    const FloatLanes d;
    const std::size_t count = hn::Lanes(d);
    for (std::size_t first_lane = 0; first_lane < kLeafRows; first_lane += count) {
        Lanes lanes;
        load_lanes(snapshot, leaf * kLeafRows + first_lane, count, scratch.wishes, scratch.filters,
                   lanes);
        bool turned[kLeafRows] = {};
        for (std::size_t l = 0; l < count; ++l)
            turned[l] = turn_aside(snapshot, lanes, l, scratch.neighbours.lists, first_lane + l);
        const WallHits hits = find_lane_walls(snapshot, snapshot.agents.leaf_level[leaf], lanes,
                                              count, scratch.walls);
        choose_cone_lanes<kKind>(d, {snapshot, leaf, first_lane, lanes, hits, scratch}, turned,
                                 choice);
    }
}

void choose_outside_full_cones(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                               Choice& choice)
{
    choose_cone_leaf<ConeKind::full>(snapshot, leaf, scratch, choice);
}

void choose_outside_reciprocal_cones(const Snapshot& snapshot, std::size_t leaf,
                                     ModelScratch& scratch, Choice& choice)
{
    choose_cone_leaf<ConeKind::reciprocal>(snapshot, leaf, scratch, choice);
}

void choose_outside_linear_cones(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                                 Choice& choice)
{
    choose_cone_leaf<ConeKind::linear>(snapshot, leaf, scratch, choice);
}

void choose_in_safe_half_planes(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                                Choice& choice)
{
    choose_cone_leaf<ConeKind::half_plane>(snapshot, leaf, scratch, choice);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sidestep {

HWY_EXPORT(choose_outside_full_cones);
HWY_EXPORT(choose_outside_reciprocal_cones);
HWY_EXPORT(choose_outside_linear_cones);
HWY_EXPORT(choose_in_safe_half_planes);

ChooseVelocities choose_outside_full_cones(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(choose_outside_full_cones), isa);
}

ChooseVelocities choose_outside_reciprocal_cones(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(choose_outside_reciprocal_cones), isa);
}

ChooseVelocities choose_outside_linear_cones(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(choose_outside_linear_cones), isa);
}

ChooseVelocities choose_in_safe_half_planes(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(choose_in_safe_half_planes), isa);
}

}  // namespace sidestep
#endif
