// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// From lines to velocities, and what gives way when not everything fits.
#if defined(SIDESTEP_MODELS_HALF_PLANE_ATTEMPT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_HALF_PLANE_ATTEMPT_INL_HPP
#undef SIDESTEP_MODELS_HALF_PLANE_ATTEMPT_INL_HPP
#else
#define SIDESTEP_MODELS_HALF_PLANE_ATTEMPT_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "models/half_plane_lines-inl.hpp"
#include "solvers/program-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The agents that are decided together, and all that is known of them.
struct Group {
    const Snapshot& snapshot;
    std::size_t leaf;
    std::size_t first_lane;
    const Lanes& lanes;
    const WallHits& hits;
    ModelScratch& scratch;
};

/// What the lanes gave up so far, 1 or 0. When not everything fits: walls, then maximum speed, then
/// acceleration, then agents.
struct Retreat {
    alignas(64) float about_zero[kLeafRows] = {};  ///< wall lines leave room for standing still
    alignas(64) float slowing[kLeafRows] = {};     ///< wall lines leave room for slowing down
    alignas(64) float no_reach[kLeafRows] = {};    ///< acceleration has no limit
};

/// What is asked of the program.
struct Stage {
    alignas(64) float limited[kLeafRows] = {};  ///< lanes whose acceleration is limited, 1 or 0
    bool hard_only = false;                     ///< walls and limits alone
    Vec2<FloatV> target;
};

inline void set_flags(FloatLanes d, FloatM mask, float* flags)
{
    hn::Store(hn::IfThenElse(mask, hn::Set(d, 1.0f), hn::Load(d, flags)), d, flags);
}

inline FloatM is_finite(FloatLanes d, const float* values)
{
    return hn::Load(d, values) < hn::Set(d, std::numeric_limits<float>::infinity());
}

/// The lines and discs of these lanes.
inline Made make_lines(FloatLanes d, const Group& group, const Stage& stage, const Retreat& retreat)
{
    const Lanes& lanes = group.lanes;
    const std::uint16_t level = group.snapshot.agents.leaf_level[group.leaf];
    const std::uint32_t* hit_rows = group.scratch.walls.leaf_rows.data();
    alignas(64) float limited[kLeafRows];
    hn::Store(hn::IfThenZeroElse(load_mask(d, retreat.no_reach), hn::Load(d, stage.limited)), d,
              limited);
    LineRows lines(group.scratch.lines, hn::Lanes(d));
    if (group.snapshot.walls.size() > 0) {
        alignas(64) float keep[kLeafRows] = {};
        alignas(64) float alone[kLeafRows] = {};
        for (std::size_t l = 0; l < hn::Lanes(d); ++l) {
            keep[l] = retreat.about_zero[l] != 0.0f ? 0.0f : 1.0f;
            if (retreat.slowing[l] == 0.0f || retreat.no_reach[l] != 0.0f) continue;
            alone[l] = 1.0f;
            keep[l] = std::max(1.0f - group.snapshot.dt / lanes.wall_tau[l], 0.0f);
        }
        add_wall_lines(d, group.snapshot, lanes, keep, alone, hit_rows, group.hits.first,
                       group.hits.count, lines);
    }
    if (HWY_UNLIKELY(lanes.any_across)) add_ellipse_lines(d, lanes, limited, lines);
    lines.align();
    const std::size_t hard_rows = lines.rows;
    if (HWY_UNLIKELY(lanes.any_brake)) {
        add_body_lines(d, group.snapshot, level, lanes, group.first_lane, group.scratch.perceived,
                       Purpose::brake, lines);
        add_agent_lines(d, group.snapshot, lanes, group.first_lane, group.scratch.neighbours.lists,
                        Purpose::brake, lines);
        add_wall_brake_lines(d, group.snapshot, lanes, hit_rows, group.hits.first, group.hits.count,
                             lines);
        lines.align();
    }
    const std::size_t brake_rows = lines.rows;
    add_body_lines(d, group.snapshot, level, lanes, group.first_lane, group.scratch.perceived,
                   Purpose::avoid, lines);
    add_agent_lines(d, group.snapshot, lanes, group.first_lane, group.scratch.neighbours.lists,
                    Purpose::avoid, lines);

    const FloatM has_reach = hn::And(load_mask(d, limited), is_finite(d, lanes.reach));
    const FloatV max_speed = hn::Load(d, lanes.max_speed);
    return {
        .hard_rows = hard_rows,
        .brake_rows = brake_rows,
        .rows = lines.rows,
        .scale = hn::Max(hn::Sqrt(hn::Load(d, lines.scale_sq)), max_speed),
        .discs = {.v_max = max_speed,
                  .centre = load2(d, lanes.vx, lanes.vy),
                  .reach = hn::IfThenElse(has_reach, hn::Load(d, lanes.reach), hn::Set(d, 1.0f)),
                  .has_reach = has_reach}};
}

/// Solves the program over lines in which rows before `first_soft` are hard; only those before
/// `end` count.
inline ProgramResult<FloatLanes> solve(FloatLanes d, LineScratch& lines, const Made& made,
                                       std::size_t first_soft, std::size_t end,
                                       const Vec2<FloatV>& target, FloatM active)
{
    const ProgramScratch<float> scratch(lines.projected.data(), std::max<std::size_t>(made.rows, 1),
                                        hn::Lanes(d));
    const ProgramLines<float> columns{lines.nx.data(), lines.ny.data(), lines.c.data()};
    return solve_program(d, columns, first_soft, end, made.discs, target, made.scale, scratch,
                         active);
}

/// Where agents' lines do not fit together those that leave room to brake come first, as long as
/// they fit with the walls: then a pair that could stop can still. With several in the way they may
/// not fit, and are soft like all others.
inline ProgramResult<FloatLanes> solve_soft(FloatLanes d, LineScratch& lines, const Made& made,
                                            const Vec2<FloatV>& target, FloatM active)
{
    ProgramResult<FloatLanes> result =
        solve(d, lines, made, made.hard_rows, made.rows, target, active);
    if (HWY_LIKELY(made.brake_rows == made.hard_rows)) return result;
    const FloatV zero = hn::Zero(d);
    const FloatM torn = hn::And(active, hn::And(result.t_soft > zero, hn::Eq(result.t_hard, zero)));
    if (hn::AllFalse(d, torn)) return result;
    const ProgramResult<FloatLanes> braking =
        solve(d, lines, made, made.brake_rows, made.rows, target, torn);
    const FloatM better = hn::AndNot(braking.t_hard > zero, torn);
    result.v = select(better, braking.v, result.v);
    result.t_soft = hn::IfThenElse(better, braking.t_soft, result.t_soft);
    return result;
}

inline Attempt attempt(FloatLanes d, const Group& group, const Stage& stage, const Retreat& retreat,
                       FloatM active)
{
    const Made made = make_lines(d, group, stage, retreat);
    LineScratch& lines = group.scratch.lines;
    if (stage.hard_only)
        return {made, solve(d, lines, made, made.hard_rows, made.hard_rows, stage.target, active)};
    return {made, solve_soft(d, lines, made, stage.target, active)};
}

/// Sets `flags` where `mask` says so and tries again, if it does anywhere.
inline void retreat_where(FloatLanes d, const Group& group, const Stage& stage, FloatM mask,
                          float* flags, Retreat& retreat, FloatM active, Attempt& tried)
{
    if (HWY_LIKELY(hn::AllFalse(d, mask))) return;
    set_flags(d, mask, flags);
    tried = attempt(d, group, stage, retreat, active);
}

/// Wall lines that fit but for so much [S] are no reason to exceed an acceleration. Every step may
/// leave its velocity kViolation beyond a line; in a passage just as wide as the body these add up,
/// and weigh more in velocity the nearer its end is. In a second it is a tenth of a millimetre. Of
/// who is too fast the answer to lines that do not fit may be off both limits.
inline constexpr float kWallRounding = 10.0f * Tolerances<float>::kViolation;

/// The velocities of the `active` lanes, giving up what must be given up.
///
/// Wall lines about the present velocity v can ask for more than walls do: past the rim of a wall's
/// horizon v is nearest to a leg of its obstacle, and two legs that face each other in a narrow
/// passage leave nothing between them. Lines about 0 always fit where no limit of acceleration
/// does, but may be out of its reach. With a limit of v_max / tau_o or more v (1 - dt / tau_o) is
/// within it, and whoever came with a velocity that was clear of walls for tau_o is so with that
/// one: lines about it, of each edge by itself, fit, but for what rounding has added up to.
inline Attempt choose_with_retreats(FloatLanes d, const Group& group, const Stage& stage,
                                    Retreat& retreat, FloatM active)
{
    const FloatV zero = hn::Zero(d);
    const FloatM limited =
        hn::And(hn::And(active, load_mask(d, stage.limited)),
                hn::Or(is_finite(d, group.lanes.reach), is_finite(d, group.lanes.across)));
    Attempt tried = attempt(d, group, stage, retreat, active);
    const Discs<FloatLanes> discs = tried.made.discs;
    const FloatM too_fast =
        length(discs.centre) > discs.v_max * hn::Set(d, 1.0f + 2.0f * kVelocityRounding);
    const FloatV almost =
        hn::IfThenZeroElse(too_fast, tried.made.scale * hn::Set(d, kWallRounding));
    retreat_where(d, group, stage, hn::And(active, tried.result.t_hard > zero), retreat.about_zero,
                  retreat, active, tried);
    retreat_where(d, group, stage, hn::And(limited, tried.result.t_hard > zero), retreat.slowing,
                  retreat, active, tried);
    retreat_where(d, group, stage,
                  hn::And(limited, hn::Or(tried.result.t_hard > almost, tried.result.discs_apart)),
                  retreat.no_reach, retreat, active, tried);
    if (HWY_UNLIKELY(!hn::AllFalse(d, hn::And(limited, too_fast)))) {
        // The speed limit comes first: where it meets the other, rounding is at the cost of that.
        const FloatM off = length(tried.result.v - discs.centre) > discs.reach;
        set_flags(d, hn::And(hn::And(limited, discs.has_reach), hn::And(too_fast, off)),
                  retreat.no_reach);
    }
    return tried;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
