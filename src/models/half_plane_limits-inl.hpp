// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Limits of acceleration that are kept after a velocity has been chosen.
#if defined(SIDESTEP_MODELS_HALF_PLANE_LIMITS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_HALF_PLANE_LIMITS_INL_HPP
#undef SIDESTEP_MODELS_HALF_PLANE_LIMITS_INL_HPP
#else
#define SIDESTEP_MODELS_HALF_PLANE_LIMITS_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "models/half_plane_attempt-inl.hpp"
#include "models/half_plane_avo-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The change from the present velocity cut back to what acceleration allows.
inline Vec2<FloatV> clamp_lanes(FloatLanes d, const Lanes& lanes, const Vec2<FloatV>& v)
{
    const Vec2<FloatV> now = load2(d, lanes.vx, lanes.vy);
    const Vec2<FloatV> in_disc = clamp_change(d, now, v, hn::Load(d, lanes.reach));
    if (!lanes.any_across) return in_disc;
    const Vec2<FloatV> in_ellipse = clamp_change(d, now, v, load_ellipses(d, lanes));
    return select(is_finite(d, lanes.across), in_ellipse, in_disc);
}

/// Velocities that were chosen without a limit of acceleration, in the lanes of `late`: cut back to
/// it, and where they then run into a wall or are still too fast, the nearest that do not. `made`
/// tells of the lines in the scratch, before and after.
inline Vec2<FloatV> keep_limits_late(FloatLanes d, const Group& group, Made& made,
                                     const Vec2<FloatV>& chosen, FloatM late, Retreat& retreat,
                                     FloatM& relaxed)
{
    const Vec2<FloatV> v = select(late, clamp_lanes(d, group.lanes, chosen), chosen);
    const LineScratch& lines = group.scratch.lines;
    const ProgramLines<float> columns{lines.nx.data(), lines.ny.data(), lines.c.data()};
    const FloatV into_walls =
        program::worst_violation(d, columns, lines.c.data(), 0, made.hard_rows, v);
    const FloatV allowed =
        hn::Load(d, group.lanes.max_speed) * hn::Set(d, 1.0f + 2.0f * kVelocityRounding);
    const FloatM broken =
        hn::And(late, hn::Or(into_walls > made.scale * hn::Set(d, Tolerances<float>::kViolation),
                             length(v) > allowed));
    if (hn::AllFalse(d, broken)) return v;
    Stage stage;
    std::fill(std::begin(stage.limited), std::end(stage.limited), 1.0f);
    stage.hard_only = true;
    stage.target = v;
    const Attempt tried = choose_with_retreats(d, group, stage, retreat, broken);
    made = tried.made;
    relaxed = hn::Or(relaxed, hn::And(broken, tried.result.relaxed));
    return select(broken, tried.result.v, v);
}

/// Velocities of lanes that sample theirs, in place of what the program said.
inline Vec2<FloatV> sample_lanes(FloatLanes d, const Group& group, const Vec2<FloatV>& chosen)
{
    const Lanes& lanes = group.lanes;
    alignas(64) float vx[kLeafRows], vy[kLeafRows];
    hn::Store(chosen.x, d, vx);
    hn::Store(chosen.y, d, vy);
    const std::size_t first_row = group.leaf * kLeafRows + group.first_lane;
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
        if (lanes.mode[l] != AccelerationMode::avo) continue;
        const float response_time =
            param_of(group.snapshot.agents, group.snapshot.profiles, first_row + l, kResponseTime);
        SampledOthers sampled;
        gather_sampled(group.snapshot, group.snapshot.agents.leaf_level[group.leaf], lanes, l,
                       group.first_lane, group.scratch, false, sampled);
        const Vec2<float> v = respond(lanes, l, response_time, group.snapshot.dt,
                                      sample_target(d, lanes, l, response_time, sampled));
        vx[l] = v.x;
        vy[l] = v.y;
    }
    return load2(d, vx, vy);
}

/// Lanes whose limit is kept after the choice.
inline FloatM late_lanes(FloatLanes d, const Lanes& lanes)
{
    alignas(64) float late[kLeafRows] = {};
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        late[l] =
            lanes.mode[l] == AccelerationMode::clamp || lanes.mode[l] == AccelerationMode::avo;
    return load_mask(d, late);
}

/// What a chooser may have overlooked of the ellipses of lateral limits, where they still count.
inline Vec2<FloatV> into_ellipses(FloatLanes d, const Lanes& lanes, const Retreat& retreat,
                                  const Vec2<FloatV>& v)
{
    if (HWY_LIKELY(!lanes.any_across)) return v;
    const FloatM inside =
        hn::And(is_finite(d, lanes.across),
                hn::And(hn::Eq(hn::Load(d, retreat.no_reach), hn::Zero(d)),
                        length(load2(d, lanes.vx, lanes.vy)) <= hn::Load(d, lanes.max_speed)));
    return select(inside, clamp_lanes(d, lanes, v), v);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
