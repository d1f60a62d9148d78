// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/half_plane_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "models/half_plane_attempt-inl.hpp"
#include "models/half_plane_explain-inl.hpp"
#include "models/half_plane_limits-inl.hpp"
#include "models/half_plane_model.hpp"
#include "models/half_plane_side-inl.hpp"
#include "simd/isa.hpp"
#include "simd/mask_bits-inl.hpp"
#include "solvers/program-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// v_set of [LI13] eq. (11) in lanes that keep something of their calm: both velocities keep to the
/// same convex set, and so does what lies between them.
Vec2<FloatV> blend_by_temper(FloatLanes d, const Group& group, const Attempt& tried, Outcome& out)
{
    const FloatV alpha = hn::Load(d, out.alpha);
    const FloatM tempered = hn::And(alpha > hn::Zero(d), load_mask(d, group.lanes.alive));
    const Vec2<FloatV> goal = tried.result.v;
    if (hn::AllFalse(d, tempered)) return goal;
    const Vec2<FloatV> calm =
        solve_soft(d, group.scratch.lines, tried.made, load2(d, group.lanes.vx, group.lanes.vy),
                   hn::AndNot(tried.result.discs_apart, tempered))
            .v;
    hn::Store(calm.x, d, out.calm_vx);
    hn::Store(calm.y, d, out.calm_vy);
    hn::Store(goal.x, d, out.goal_vx);
    hn::Store(goal.y, d, out.goal_vy);
    const Vec2<FloatV> between = calm * alpha + goal * (hn::Set(d, 1.0f) - alpha);
    return select(hn::AndNot(tried.result.discs_apart, tempered),
                  program::into_discs(d, tried.made.discs, between), goal);
}

/// Who waits because nothing fits, and for how long it has by the end of this step.
void decide_who_waits(const Group& group, Outcome& out, Choice& choice)
{
    const AgentTable& agents = group.snapshot.agents;
    for (std::size_t l = 0; l < hn::Lanes(FloatLanes()); ++l) {
        const std::size_t row = group.leaf * kLeafRows + group.first_lane + l;
        if (group.lanes.alive[l] == 0.0f) continue;
        const auto param = [&](std::size_t p) {
            return param_of(agents, group.snapshot.profiles, row, p);
        };
        const auto policy = static_cast<WhenStuck>(param(kWhenStuck));
        const std::uint16_t before = agents.waited.empty() ? std::uint16_t{0} : agents.waited[row];
        std::uint16_t& waited = choice.waited[group.first_lane + l];
        const bool stuck = (out.t_hard[l] > 0.0f || out.t_soft[l] > 0.0f) &&
                           group.lanes.mode[l] != AccelerationMode::avo;
        const bool out_of_patience =
            static_cast<float>(before) * group.snapshot.dt > param(kPatience);
        waited = before;
        if (policy == WhenStuck::least || !stuck) {
            if (before > 0) --waited;
        } else if (!out_of_patience || group.lanes.radius[l] > param(kRadius)) {
            // One that has made itself as small as its body goes on, and stays small while stuck.
            if (before < 0xffff) ++waited;
            out.waits[l] = policy;
        }
    }
}

/// Velocities of those who wait: braking as hard as they may, or none at all.
Vec2<FloatV> wait_lanes(FloatLanes d, const Vec2<FloatV>& chosen, const Outcome& out,
                        Retreat& retreat, FloatM& late)
{
    alignas(64) float waits[kLeafRows] = {}, brakes[kLeafRows] = {};
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        waits[l] = out.waits[l] != WhenStuck::least ? 1.0f : 0.0f;
        brakes[l] = out.waits[l] == WhenStuck::wait_clamped ? 1.0f : 0.0f;
        if (waits[l] != 0.0f) retreat.no_reach[l] = 0.0f;  // was for a velocity not taken
    }
    late = hn::Or(hn::AndNot(load_mask(d, waits), late), load_mask(d, brakes));
    return select(load_mask(d, waits), zero2(d), chosen);
}

/// Velocities of those who stop dead: none, and where walls do not let them stand, the nearest to
/// it that keeps to the walls' lines, whatever the acceleration. `made` tells of the lines in the
/// scratch, before and after.
Vec2<FloatV> stop_lanes(FloatLanes d, const Group& group, const Outcome& out,
                        const Retreat& retreat, const Vec2<FloatV>& chosen, Made& made)
{
    alignas(64) float stops[kLeafRows] = {};
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        stops[l] = out.waits[l] == WhenStuck::wait ? 1.0f : 0.0f;
    const FloatM stopping = load_mask(d, stops);
    if (HWY_LIKELY(hn::AllFalse(d, stopping))) return chosen;
    Retreat standing = retreat;
    set_flags(d, stopping, standing.about_zero);
    set_flags(d, stopping, standing.no_reach);
    Stage stage;
    std::fill(std::begin(stage.limited), std::end(stage.limited), 1.0f);
    stage.hard_only = true;
    stage.target = zero2(d);
    const Attempt tried = attempt(d, group, stage, standing, stopping);
    made = tried.made;
    return select(stopping, tried.result.v, chosen);
}

/// Whether somebody who stops dead does so faster than it may.
bool stops_too_fast(const Lanes& lanes, std::size_t l, const Outcome& out)
{
    if (out.waits[l] != WhenStuck::wait) return false;
    const float x = out.vx[l] - lanes.vx[l];
    const float y = out.vy[l] - lanes.vy[l];
    if (!(lanes.across[l] < std::numeric_limits<float>::infinity()))
        return x * x + y * y > lanes.reach[l] * lanes.reach[l];
    const float along = x * lanes.heading_x[l] + y * lanes.heading_y[l];
    const float across = y * lanes.heading_x[l] - x * lanes.heading_y[l];
    const float width = std::min(lanes.across[l], lanes.along[l]);
    // Multiplied out: either half axis may be zero.
    const float a = along * width;
    const float b = across * lanes.along[l];
    const float c = lanes.along[l] * width;
    return a * a + b * b > c * c || (c == 0.0f && x * x + y * y > 0.0f);
}

/// Bits of lanes in the leaf.
std::uint8_t leaf_bits(FloatLanes d, FloatM mask, std::size_t first_lane)
{
    return static_cast<std::uint8_t>(mask_bits(d, mask) << first_lane);
}

/// Where nobody waits.
void keep_plain_lanes(FloatLanes d, const Group& group, const Vec2<FloatV>& v, FloatM relaxed,
                      const Retreat& retreat, Choice& choice)
{
    const FloatM alive = load_mask(d, group.lanes.alive);
    const std::size_t lane = group.first_lane;
    hn::Store(hn::IfThenElseZero(alive, v.x), d, choice.vx + lane);
    hn::Store(hn::IfThenElseZero(alive, v.y), d, choice.vy + lane);
    choice.infeasible |= leaf_bits(d, hn::And(alive, relaxed), lane);
    choice.wall_lines_about_zero |=
        leaf_bits(d, hn::And(alive, load_mask(d, retreat.about_zero)), lane);
    choice.acceleration_exceeded |=
        leaf_bits(d, hn::And(alive, load_mask(d, retreat.no_reach)), lane);
}

void keep_lanes(const Group& group, const Outcome& out, const Retreat& retreat, Choice& choice)
{
    for (std::size_t l = 0; l < hn::Lanes(FloatLanes()); ++l) {
        const bool alive = group.lanes.alive[l] != 0.0f;
        const std::size_t lane = group.first_lane + l;
        choice.vx[lane] = alive ? out.vx[l] : 0.0f;
        choice.vy[lane] = alive ? out.vy[l] : 0.0f;
        if (!alive) continue;
        const bool exceeded = retreat.no_reach[l] != 0.0f || stops_too_fast(group.lanes, l, out);
        choice.infeasible |= lane_bit(lane, out.relaxed[l] != 0.0f);
        choice.wall_lines_about_zero |= lane_bit(lane, retreat.about_zero[l] != 0.0f);
        choice.acceleration_exceeded |= lane_bit(lane, exceeded);
        choice.waiting |= lane_bit(lane, out.waits[l] != WhenStuck::least);
    }
}

template <bool kPersonality>
void choose_lanes(FloatLanes d, const Group& group, Outcome& out, Choice& choice)
{
    const Lanes& lanes = group.lanes;
    Retreat retreat;
    Stage stage;
    stage.target = load2(d, lanes.preferred_vx, lanes.preferred_vy);
    FloatM late = program::none(d);
    std::fill(std::begin(stage.limited), std::end(stage.limited), 1.0f);
    if (HWY_UNLIKELY(lanes.any_late)) {
        late = late_lanes(d, lanes);
        hn::Store(hn::IfThenZeroElse(late, hn::Set(d, 1.0f)), d, stage.limited);
    }
    const Attempt tried = choose_with_retreats(d, group, stage, retreat, load_mask(d, lanes.alive));
    hn::Store(tried.result.t_hard, d, out.t_hard);
    hn::Store(tried.result.t_soft, d, out.t_soft);
    FloatM relaxed = tried.result.relaxed;
    Made made = tried.made;
    Vec2<FloatV> v = tried.result.v;
    if constexpr (kPersonality) {
        v = blend_by_temper(d, group, tried, out);
        decide_who_waits(group, out, choice);
        v = wait_lanes(d, v, out, retreat, late);
    }
    if (HWY_UNLIKELY(lanes.any_late)) v = sample_lanes(d, group, v);
    if (HWY_UNLIKELY(!hn::AllFalse(d, late)))
        v = keep_limits_late(d, group, made, v, late, retreat, relaxed);
    v = into_ellipses(d, lanes, retreat, v);
    if constexpr (kPersonality) v = stop_lanes(d, group, out, retreat, v, made);
    hn::Store(v.x, d, out.vx);
    hn::Store(v.y, d, out.vy);
    hn::Store(hn::IfThenElseZero(relaxed, hn::Set(d, 1.0f)), d, out.relaxed);
    if constexpr (kPersonality) keep_lanes(group, out, retreat, choice);
    else keep_plain_lanes(d, group, v, relaxed, retreat, choice);

    ModelScratch& scratch = group.scratch;
    if (scratch.explain == nullptr || scratch.explain_lane < group.first_lane ||
        scratch.explain_lane >= group.first_lane + hn::Lanes(d))
        return;
    const std::size_t l = scratch.explain_lane - group.first_lane;
    explain_lane(group.snapshot, l, group.first_lane, lanes, made, out,
                 retreat.about_zero[l] != 0.0f,
                 retreat.no_reach[l] != 0.0f || stops_too_fast(lanes, l, out), scratch);
}

template <bool kPersonality>
void choose_leaf(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch, Choice& choice)
{
    const FloatLanes d;
    const std::size_t count = hn::Lanes(d);
    for (std::size_t first_lane = 0; first_lane < kLeafRows; first_lane += count) {
        const std::size_t first_row = leaf * kLeafRows + first_lane;
        Lanes lanes;
        load_lanes(snapshot, first_row, count, scratch.wishes, scratch.filters, lanes);
        Outcome out;
        for (std::size_t l = 0; l < count; ++l) {
            if (HWY_UNLIKELY(lanes.any_side))
                out.turned[l] =
                    turn_aside(snapshot, lanes, l, scratch.neighbours.lists, first_lane + l);
            if constexpr (kPersonality)
                out.alpha[l] = lanes.alive[l] == 0.0f ? 0.0f
                                                      : param_of(snapshot.agents, snapshot.profiles,
                                                                 first_row + l, kAlpha);
        }
        const WallHits hits = find_lane_walls(snapshot, snapshot.agents.leaf_level[leaf], lanes,
                                              count, scratch.walls);
        choose_lanes<kPersonality>(d, {snapshot, leaf, first_lane, lanes, hits, scratch}, out,
                                   choice);
    }
}

void choose_towards_goal(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                         Choice& choice)
{
    choose_leaf<false>(snapshot, leaf, scratch, choice);
}

void choose_by_personality(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                           Choice& choice)
{
    choose_leaf<true>(snapshot, leaf, scratch, choice);
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
