// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Velocities of agents that sample theirs, or have to.
#if defined(SIDESTEP_MODELS_CONE_SAMPLING_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_CONE_SAMPLING_INL_HPP
#undef SIDESTEP_MODELS_CONE_SAMPLING_INL_HPP
#else
#define SIDESTEP_MODELS_CONE_SAMPLING_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
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
    FloatM complete;                   ///< and none was given up, nor looked at less far ahead
    FloatM clamped;                    ///< v is out of reach: the change is to be cut back
    FloatM pressed;                    ///< nothing was found: the least violation of all lines
    std::size_t kept[kLeafRows] = {};  ///< neighbours, the nearest
    alignas(64) float horizon[kLeafRows] = {};  ///< [s] of the cones that were kept out of
    bool sided[kLeafRows] = {};                 ///< it kept to its side of each neighbour
    bool sampled[kLeafRows] = {};
    bool stuck[kLeafRows] = {};  ///< it was not asked for: nothing is outside all cones
};

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

/// Asks for no more way out of overlaps than leaving_region().
inline void ask_what_can_be_left(const Lanes& lanes, const ConePurpose& purpose, std::size_t l,
                                 SampledOthers& others)
{
    if (purpose.kind != ConeKind::full) return;
    const bool limited = purpose.limited[l] != 0.0f && std::isfinite(lanes.reach[l]);
    for (std::size_t i = 0; i < others.count; ++i) {
        SampledOthers::Other& other = others.other[i];
        if (!other.overlaps) continue;
        const float most = limited ? other.line_x * lanes.vx[l] + other.line_y * lanes.vy[l] +
                                         lanes.reach[l] * kLeaveSpeed
                                   : lanes.max_speed[l] * kLeaveSpeed;
        other.line_c = std::min(other.line_c, most);
    }
}

/// The candidate of least penalty for lane l, [RVO08] §V, of those that no wall forbids.
inline Vec2<float> sample_lane(FloatLanes d, const Group& group, const ConePurpose& purpose,
                               const ConeRows& rows, std::size_t l)
{
    const Lanes& lanes = group.lanes;
    SampledOthers others;
    gather_sampled(group.snapshot, group.snapshot.agents.leaf_level[group.leaf], lanes, l,
                   group.first_lane, group.scratch, purpose.kind == ConeKind::full, others);
    ask_what_can_be_left(lanes, purpose, l, others);
    const std::size_t row = group.leaf * kLeafRows + group.first_lane + l;
    const SampleQuery<float> query{
        .preferred = {lanes.preferred_vx[l], lanes.preferred_vy[l]},
        .now = {lanes.vx[l], lanes.vy[l]},
        .v_max = lanes.max_speed[l],
        .reach =
            purpose.limited[l] != 0.0f ? lanes.reach[l] : std::numeric_limits<float>::infinity(),
        .weight =
            param_of(group.snapshot.agents, group.snapshot.profiles, row, kContactWeightParam),
        .points = sunflower(),
        // Of the speed disc too few points would be within a small reach.
        .about_now = purpose.limited[l] != 0.0f && lanes.reach[l] < lanes.max_speed[l]};
    alignas(64) float scale[kLeafRows];
    hn::Store(rows.scale, d, scale);
    const FloatV depth = hn::Set(d, scale[l] * Tolerances<float>::kViolation);
    const auto forbidden = [&](const Vec2<FloatV>& v) HWY_ATTR {
        FloatM inside = program::none(d);
        for (std::size_t i = rows.walls.first; i < rows.walls.end(); ++i)
            inside =
                hn::Or(inside, inside_region(d, spread_region(d, rows.regions, i, l), v, depth));
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

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
