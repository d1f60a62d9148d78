// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Why an agent does what it does, in one sentence and all its lines.
#if defined(SIDESTEP_MODELS_HALF_PLANE_EXPLAIN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_HALF_PLANE_EXPLAIN_INL_HPP
#undef SIDESTEP_MODELS_HALF_PLANE_EXPLAIN_INL_HPP
#else
#define SIDESTEP_MODELS_HALF_PLANE_EXPLAIN_INL_HPP
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "models/half_plane_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// "(1.2, -0.3) m/s".
inline std::string velocity_words(float x, float y)
{
    char text[48];
    std::snprintf(text, sizeof text, "(%.2f, %.2f) m/s", double{x} + 0.0, double{y} + 0.0);
    return text;
}

/// What the program did.
inline std::string program_words(const Outcome& out, std::size_t l, bool has_lines)
{
    if (out.t_hard[l] > 0.0f)
        return "not even the walls' lines fit: they are violated as little as possible, agents "
               "come "
               "after";
    if (out.t_soft[l] > 0.0f)
        return "not every line fits: the largest violation of an agent's line is as small as it "
               "can "
               "be, walls are kept";
    if (!has_lines) return "nobody is in the way: the preferred velocity, within the speed limit";
    return "the velocity nearest to the preferred one that keeps to all lines";
}

inline std::string reason_of(const Lanes& lanes, std::size_t l, const Outcome& out, bool has_lines,
                             bool exceeded)
{
    if (out.waits[l] == WhenStuck::wait)
        return out.vx[l] == 0.0f && out.vy[l] == 0.0f
                   ? "waits: no velocity keeps to all lines, so it stands still"
                   : "waits: no velocity keeps to all lines, and walls do not let it stand still";
    if (out.waits[l] == WhenStuck::wait_clamped)
        return "waits: no velocity keeps to all lines, so it brakes as hard as it may";
    std::string text = program_words(out, l, has_lines);
    if (lanes.mode[l] == AccelerationMode::avo) {
        text = "the best of the sampled velocities for one that is slow to respond";
    } else if (out.alpha[l] > 0.0f) {
        char alpha[16];
        std::snprintf(alpha, sizeof alpha, "%.2f", double{out.alpha[l]});
        text += std::string("; ") + alpha + " of the calm " +
                velocity_words(out.calm_vx[l], out.calm_vy[l]) + ", the rest of the goal's " +
                velocity_words(out.goal_vx[l], out.goal_vy[l]);
    }
    if (out.turned[l]) text += "; turned to its own side of somebody met head on";
    const bool limited = lanes.acceleration[l] < std::numeric_limits<float>::infinity();
    if (lanes.mode[l] == AccelerationMode::brake && limited)
        text += "; slow enough to stop in time";
    if (lanes.mode[l] == AccelerationMode::clamp && limited)
        text += exceeded ? "; walls and the speed limit come before the acceleration limit"
                         : "; the change is cut back to the acceleration limit, walls are kept";
    return text;
}

/// Lines, neighbours and what gave way, of one lane of the last attempt.
inline void explain_lane(const Snapshot& snapshot, std::size_t l, std::size_t first_lane,
                         const Lanes& lanes, const Made& made, const Outcome& outcome,
                         bool about_zero, bool exceeded, ModelScratch& scratch)
{
    Explanation& out = *scratch.explain;
    const std::size_t count = hn::Lanes(FloatLanes());
    for (std::size_t row = 0; row < made.rows; ++row) {
        const std::size_t at = row * count + l;
        const float nx = scratch.lines.nx.data()[at];
        const float ny = scratch.lines.ny.data()[at];
        const float c = scratch.lines.c.data()[at];
        const std::uint8_t kind = scratch.lines.source_kind.data()[at];
        if ((nx == 0.0f && ny == 0.0f) || kind == kOwnLimit) continue;
        out.lines.push_back({.point = {nx * c, ny * c},
                             .normal = {nx, ny},
                             .hard = row < made.hard_rows,
                             .source = static_cast<Explanation::Source>(kind),
                             .source_id = scratch.lines.source.data()[at]});
    }
    const NeighbourLists& lists = scratch.neighbours.lists;
    for (std::size_t i = 0; i < lists.count[first_lane + l]; ++i) {
        const AgentRecord& other = snapshot.agents.record[lists.row[first_lane + l][i]];
        const Role role = role_towards(snapshot.shares, *lanes.record[l], other);
        out.neighbours.push_back(
            {.id = other.id,
             .distance = std::sqrt(double{lists.dist_sq[first_lane + l][i]}),
             .share = role.ignored ? 0.0f : role.pair.conflict,
             .notice = role.ignored ? Explanation::Notice::ignored : Explanation::Notice::avoided});
    }
    out.hard_relaxation = outcome.t_hard[l];
    out.soft_relaxation = outcome.t_soft[l];
    out.wall_lines_about_zero = about_zero;
    out.acceleration_exceeded = exceeded;
    out.reason = reason_of(lanes, l, outcome, !out.lines.empty(), exceeded);
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
