// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "models/half_plane_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "models/half_plane_lines-inl.hpp"
#include "models/half_plane_model.hpp"
#include "simd/isa.hpp"
#include "solvers/program-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
/// One try at the velocities of these lanes.
struct Attempt {
    ProgramResult<FloatLanes> result;
    std::size_t hard_rows;
    std::size_t rows;
};

Attempt attempt(FloatLanes d, const Snapshot& snapshot, std::size_t leaf, std::size_t first_lane,
                const Lanes& lanes, const WallHits& hits, const float* about_zero,
                const float* no_reach, ModelScratch& scratch)
{
    LineRows lines(scratch.lines, hn::Lanes(d));
    add_wall_lines(d, snapshot, lanes, about_zero, scratch.walls.leaf_rows.data(), hits.first,
                   hits.count, lines);
    lines.align();
    const std::size_t hard_rows = lines.rows;
    add_body_lines(d, snapshot, snapshot.agents.leaf_level[leaf], lanes, lines);
    add_agent_lines(d, snapshot, lanes, first_lane, scratch.neighbours.lists, lines);

    const FloatV infinity = hn::Set(d, std::numeric_limits<float>::infinity());
    const FloatV reach = hn::Load(d, lanes.reach);
    const FloatM has_reach = hn::AndNot(load_mask(d, no_reach), reach < infinity);
    const FloatV max_speed = hn::Load(d, lanes.max_speed);
    const Discs<FloatLanes> discs{.v_max = max_speed,
                                  .centre = load2(d, lanes.vx, lanes.vy),
                                  .reach = hn::IfThenElse(has_reach, reach, hn::Set(d, 1.0f)),
                                  .has_reach = has_reach};
    const FloatV scale = hn::Max(hn::Load(d, lines.scale), max_speed);
    const ProgramScratch<float> program_scratch(scratch.lines.projected.data(),
                                                std::max<std::size_t>(lines.rows, 1), hn::Lanes(d));
    const ProgramLines<float> columns{scratch.lines.nx.data(), scratch.lines.ny.data(),
                                      scratch.lines.c.data()};
    return {solve_program(d, columns, hard_rows, lines.rows, discs,
                          load2(d, lanes.preferred_vx, lanes.preferred_vy), scale, program_scratch,
                          load_mask(d, lanes.alive)),
            hard_rows, lines.rows};
}

/// Tells why: lines, neighbours and what gave way, of one lane of the last attempt.
void explain_lane(const Snapshot& snapshot, std::size_t l, std::size_t first_lane,
                  const Lanes& lanes, const Attempt& tried, float t_hard, float t_soft,
                  bool about_zero, bool no_reach, ModelScratch& scratch)
{
    Explanation& out = *scratch.explain;
    const std::size_t count = hn::Lanes(FloatLanes());
    for (std::size_t row = 0; row < tried.rows; ++row) {
        const std::size_t at = row * count + l;
        const float nx = scratch.lines.nx.data()[at];
        const float ny = scratch.lines.ny.data()[at];
        const float c = scratch.lines.c.data()[at];
        if (nx == 0.0f && ny == 0.0f) continue;
        out.lines.push_back(
            {.point = {nx * c, ny * c},
             .normal = {nx, ny},
             .hard = row < tried.hard_rows,
             .source = static_cast<Explanation::Source>(scratch.lines.source_kind.data()[at]),
             .source_id = scratch.lines.source.data()[at]});
    }
    const NeighbourLists& lists = scratch.neighbours.lists;
    for (std::size_t i = 0; i < lists.count[first_lane + l]; ++i) {
        const AgentRecord& other = snapshot.agents.record[lists.row[first_lane + l][i]];
        const bool noticed = is_noticed(lanes.rank[l], other);
        out.neighbours.push_back(
            {.id = other.id,
             .distance = std::sqrt(double{lists.dist_sq[first_lane + l][i]}),
             .share = noticed ? double{share_towards(lanes.rank[l], other)} : 0.0});
    }
    out.hard_relaxation = t_hard;
    out.soft_relaxation = t_soft;
    out.wall_lines_about_zero = about_zero;
    out.acceleration_exceeded = no_reach;
    const char* reason = "the velocity nearest to the preferred one that keeps to all lines";
    if (out.lines.empty())
        reason = "nobody is in the way: the preferred velocity, within the speed limit";
    if (t_soft > 0.0f)
        reason =
            "not every line fits: the largest violation of an agent's line is as small as it can "
            "be, walls are kept";
    if (t_hard > 0.0f)
        reason =
            "not even the walls' lines fit: they are violated as little as possible, agents come "
            "after";
    out.reason = reason;
}

void choose_leaf(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch, Choice& choice)
{
    const FloatLanes d;
    const std::size_t count = hn::Lanes(d);
    const FloatV zero = hn::Zero(d);
    const FloatV one = hn::Set(d, 1.0f);
    for (std::size_t first_lane = 0; first_lane < kLeafRows; first_lane += count) {
        Lanes lanes{};
        load_lanes(snapshot, leaf * kLeafRows + first_lane, count, lanes);
        const WallHits hits = find_lane_walls(snapshot, snapshot.agents.leaf_level[leaf], lanes,
                                              count, scratch.walls);

        // When not everything fits: walls, then maximum speed, then acceleration, then agents.
        alignas(64) float about_zero[kLeafRows] = {};
        alignas(64) float no_reach[kLeafRows] = {};
        Attempt tried =
            attempt(d, snapshot, leaf, first_lane, lanes, hits, about_zero, no_reach, scratch);
        if (HWY_UNLIKELY(!hn::AllFalse(d, tried.result.t_hard > zero))) {
            hn::Store(hn::IfThenElseZero(tried.result.t_hard > zero, one), d, about_zero);
            tried =
                attempt(d, snapshot, leaf, first_lane, lanes, hits, about_zero, no_reach, scratch);
        }
        const FloatM limited =
            hn::Load(d, lanes.reach) < hn::Set(d, std::numeric_limits<float>::infinity());
        const FloatM too_slow_to_turn =
            hn::And(limited, hn::Or(tried.result.t_hard > zero, tried.result.discs_apart));
        if (HWY_UNLIKELY(!hn::AllFalse(d, too_slow_to_turn))) {
            hn::Store(hn::IfThenElseZero(too_slow_to_turn, one), d, no_reach);
            tried =
                attempt(d, snapshot, leaf, first_lane, lanes, hits, about_zero, no_reach, scratch);
        }

        alignas(64) float vx[kLeafRows], vy[kLeafRows], t_hard[kLeafRows], t_soft[kLeafRows],
            relaxed[kLeafRows];
        hn::Store(tried.result.v.x, d, vx);
        hn::Store(tried.result.v.y, d, vy);
        hn::Store(tried.result.t_hard, d, t_hard);
        hn::Store(tried.result.t_soft, d, t_soft);
        hn::Store(hn::IfThenElseZero(tried.result.relaxed, one), d, relaxed);
        for (std::size_t l = 0; l < count; ++l) {
            const bool alive = lanes.alive[l] != 0.0f;
            choice.vx[first_lane + l] = alive ? vx[l] : 0.0f;
            choice.vy[first_lane + l] = alive ? vy[l] : 0.0f;
            if (!alive) continue;
            choice.infeasible += relaxed[l] != 0.0f ? 1 : 0;
            choice.wall_lines_about_zero += about_zero[l] != 0.0f ? 1 : 0;
            choice.acceleration_exceeded += no_reach[l] != 0.0f ? 1 : 0;
        }
        if (scratch.explain != nullptr && scratch.explain_lane >= first_lane &&
            scratch.explain_lane < first_lane + count) {
            const std::size_t l = scratch.explain_lane - first_lane;
            explain_lane(snapshot, l, first_lane, lanes, tried, t_hard[l], t_soft[l],
                         about_zero[l] != 0.0f, no_reach[l] != 0.0f, scratch);
        }
    }
}

void choose_towards_goal(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                         Choice& choice)
{
    choose_leaf(snapshot, leaf, scratch, choice);
}

void choose_by_personality(const Snapshot& snapshot, std::size_t leaf, ModelScratch& scratch,
                           Choice& choice)
{
    choose_leaf(snapshot, leaf, scratch, choice);
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
