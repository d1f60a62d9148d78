// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The agents of a leaf as vectors of lanes, and the lines that are made for them.
#if defined(SIDESTEP_MODELS_HALF_PLANE_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_HALF_PLANE_LANES_INL_HPP
#undef SIDESTEP_MODELS_HALF_PLANE_LANES_INL_HPP
#else
#define SIDESTEP_MODELS_HALF_PLANE_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/half_plane_model.hpp"
#include "models/roles.hpp"
#include "simd/vec2-inl.hpp"
#include "solvers/program-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What a change of velocity can gain when the velocity it leads to is rounded [1]: the
/// acceleration limit is kept with this to spare.
inline constexpr float kVelocityRounding = 2.0f * std::numeric_limits<float>::epsilon();

using FloatLanes = hn::CappedTag<float, kLeafRows>;
using FloatV = hn::Vec<FloatLanes>;
using FloatM = hn::Mask<FloatLanes>;

/// The agents of one vector of lanes: a leaf, or a part of it where vectors are shorter. Rows that
/// hold nobody get harmless numbers.
struct Lanes {
    alignas(64) float x[kLeafRows], y[kLeafRows], vx[kLeafRows], vy[kLeafRows];
    alignas(64) float radius[kLeafRows];       ///< planning radius [m]
    alignas(64) float wall_radius[kLeafRows];  ///< body and wall clearance [m]
    alignas(64) float preferred_vx[kLeafRows], preferred_vy[kLeafRows];
    alignas(64) float max_speed[kLeafRows],
        reach[kLeafRows];  ///< speed and acceleration discs [m/s]; reach may be infinite
    alignas(64) float tau[kLeafRows], wall_tau[kLeafRows], overlap_time[kLeafRows],
        uncertainty[kLeafRows];
    alignas(64) float alive[kLeafRows];  ///< 1 or 0

    // Where the limit is tighter across the heading (`across` is finite): the ellipse [m/s].
    alignas(64) float across[kLeafRows], along[kLeafRows];
    alignas(64) float heading_x[kLeafRows], heading_y[kLeafRows];  ///< unit vector

    float range[kLeafRows];
    float acceleration[kLeafRows];  ///< limit [m/s2], may be infinite
    AccelerationMode mode[kLeafRows];
    const AgentRecord* record[kLeafRows];
    std::uint32_t id[kLeafRows];
    bool any_across = false;  ///< in any lane
    bool any_brake = false;
    bool any_late = false;  ///< the limit is kept after the choice: modes clamp and avo
};

/// `change` per step [m/s], less what rounding may add to it.
HWY_INLINE float with_rounding(float change, const AgentRecord& record)
{
    const float rounding = kVelocityRounding * (std::fabs(record.vx) + std::fabs(record.vy));
    return std::max(change * (1.0f - kVelocityRounding) - rounding, 0.0f);
}

/// The ellipse of lane l: about the heading where one is kept, else the velocity, else the wish.
inline void load_ellipse(const Snapshot& snapshot, std::size_t row, std::size_t l, float limit,
                         Lanes& lanes)
{
    const AgentTable& agents = snapshot.agents;
    const AgentRecord& record = agents.record[row];
    lanes.any_across = true;
    lanes.across[l] = with_rounding(std::min(limit, lanes.acceleration[l]) * snapshot.dt, record);
    // Without a limit along the heading an ellipse so long that it loses 1 % of its width at most
    // within the speed limit.
    const float speed = std::sqrt(record.vx * record.vx + record.vy * record.vy);
    lanes.along[l] = std::min(lanes.reach[l], 8.0f * (lanes.max_speed[l] + speed));
    float x = agents.heading_x.empty() ? 0.0f : agents.heading_x[row];
    float y = agents.heading_y.empty() ? 0.0f : agents.heading_y[row];
    if (x == 0.0f && y == 0.0f) x = record.vx, y = record.vy;
    if (x == 0.0f && y == 0.0f) x = agents.preferred_vx[row], y = agents.preferred_vy[row];
    const float length = std::sqrt(x * x + y * y);
    lanes.heading_x[l] = length > 0.0f ? x / length : 1.0f;
    lanes.heading_y[l] = length > 0.0f ? y / length : 0.0f;
}

/// Times and uncertainty of lane l: those of its model, or of a filter.
inline void load_horizons(const Snapshot& snapshot, std::size_t row, std::size_t l, bool alive,
                          bool filters, Lanes& lanes)
{
    const auto param = [&](std::size_t p) {
        if (filters) return kHalfPlaneParams[p - kTraitCount].default_value;
        return param_of(snapshot.agents, snapshot.profiles, row, p);
    };
    const float tau = filters ? param_of(snapshot.agents, snapshot.profiles, row, kFilterHorizon)
                              : param(kTimeHorizon);
    lanes.tau[l] = alive ? tau : 1.0f;
    lanes.wall_tau[l] = alive ? param(kWallTimeHorizon) : 1.0f;
    lanes.uncertainty[l] = alive ? param(kVelocityUncertainty) : 0.0f;
    const float overlap_time = alive ? param(kOverlapTime) : 0.0f;
    lanes.overlap_time[l] = overlap_time > 0.0f ? overlap_time : snapshot.dt;
}

/// Where the model runs as a filter it does so for some of the leaf, whose own model may have other
/// parameters.
inline void load_lanes(const Snapshot& snapshot, std::size_t first_row, std::size_t count,
                       const Wishes& wishes, bool filters, Lanes& lanes)
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const AgentTable& agents = snapshot.agents;
    for (std::size_t l = 0; l < count; ++l) {
        const std::size_t row = first_row + l;
        const AgentRecord& record = agents.record[row];
        const std::size_t lane = row % kLeafRows;
        const bool alive = record.id != kNoAgent && (!filters || wishes.filtered[lane]);
        const auto param = [&](std::size_t p) {
            return param_of(agents, snapshot.profiles, row, p);
        };
        lanes.record[l] = &record;
        lanes.id[l] = record.id;
        lanes.alive[l] = alive ? 1.0f : 0.0f;
        lanes.x[l] = alive ? record.x : 0.0f;
        lanes.y[l] = alive ? record.y : 0.0f;
        lanes.vx[l] = record.vx;
        lanes.vy[l] = record.vy;
        lanes.radius[l] = alive ? record.radius : 1.0f;
        lanes.preferred_vx[l] = wishes.vx[lane];
        lanes.preferred_vy[l] = wishes.vy[lane];
        lanes.wall_radius[l] = alive ? param(kRadius) + param(kWallClearance) : 1.0f;
        lanes.range[l] = alive ? param(kNeighbourRange) : 0.0f;
        lanes.max_speed[l] = alive ? std::min(param(kMaxSpeed), wishes.most_speed[lane]) : 0.0f;
        lanes.acceleration[l] = alive ? param(kMaxAcceleration) : kInfinity;
        lanes.reach[l] = alive ? with_rounding(lanes.acceleration[l] * snapshot.dt, record) : 1.0f;
        load_horizons(snapshot, row, l, alive, filters, lanes);

        lanes.mode[l] = alive ? static_cast<AccelerationMode>(param(kAccelerationMode))
                              : AccelerationMode::disc;
        lanes.any_brake |= lanes.mode[l] == AccelerationMode::brake;
        lanes.any_late |=
            lanes.mode[l] == AccelerationMode::clamp || lanes.mode[l] == AccelerationMode::avo;
        lanes.across[l] = kInfinity;
        lanes.along[l] = lanes.heading_x[l] = 1.0f;
        lanes.heading_y[l] = 0.0f;
        const float sideways = alive ? param(kLateralAcceleration) : kInfinity;
        if (sideways < kInfinity) load_ellipse(snapshot, row, l, sideways, lanes);
    }
}

/// Source of lines that are the agent's own limits (besides Explanation::Source).
inline constexpr std::uint8_t kOwnLimit = 0xff;

/// Lines of these lanes while they are made. Rows that a lane does not use are empty.
struct LineRows {
    LineScratch& out;
    std::size_t lanes;
    std::size_t rows = 0;
    std::size_t filled[kLeafRows] = {};  ///< next free row of each lane
    alignas(64) float scale[kLeafRows];  ///< largest |point| so far, for the program's tolerance

    explicit LineRows(LineScratch& scratch, std::size_t lane_count)
        : out(scratch), lanes(lane_count)
    {
        for (float& value : scale) value = 1.0f;
    }

    void open_row()
    {
        for (std::size_t l = 0; l < lanes; ++l) {
            const std::size_t at = rows * lanes + l;
            out.nx.data()[at] = out.ny.data()[at] = 0.0f;
            out.c.data()[at] = static_cast<float>(kNoBound);
        }
        ++rows;
    }

    void add(std::size_t l, float px, float py, float nx, float ny, Explanation::Source kind,
             std::uint32_t source)
    {
        add(l, px, py, nx, ny, static_cast<std::uint8_t>(kind), source);
    }

    void add(std::size_t l, float px, float py, float nx, float ny, std::uint8_t kind,
             std::uint32_t source)
    {
        if (filled[l] == rows) open_row();
        const std::size_t at = filled[l]++ * lanes + l;
        out.nx.data()[at] = nx;
        out.ny.data()[at] = ny;
        out.c.data()[at] = nx * px + ny * py;
        out.source.data()[at] = source;
        out.source_kind.data()[at] = kind;
        scale[l] = std::max(scale[l], std::sqrt(px * px + py * py));
    }

    /// Later lines of all lanes start in the same row.
    void align()
    {
        for (std::size_t& next : filled) next = rows;
    }
};

/// Half-planes or wall lines of one row of lanes, stored to be dealt out.
struct StoredLines {
    alignas(64) float px[kLeafRows], py[kLeafRows], nx[kLeafRows], ny[kLeafRows];

    void store(FloatLanes d, const Vec2<FloatV>& point, const Vec2<FloatV>& normal)
    {
        hn::Store(point.x, d, px);
        hn::Store(point.y, d, py);
        hn::Store(normal.x, d, nx);
        hn::Store(normal.y, d, ny);
    }
};

HWY_INLINE Vec2<FloatV> load2(FloatLanes d, const float* x, const float* y)
{
    return {hn::Load(d, x), hn::Load(d, y)};
}

HWY_INLINE FloatM load_mask(FloatLanes d, const float* flags)
{
    return hn::Ne(hn::Load(d, flags), hn::Zero(d));
}

/// Lines and discs as they were made; the lines themselves are in the scratch.
struct Made {
    std::size_t hard_rows;   ///< walls and own limits
    std::size_t brake_rows;  ///< the end of lines that leave room to brake
    std::size_t rows;
    FloatV scale;
    Discs<FloatLanes> discs;
};

/// One try at the velocities of these lanes.
struct Attempt {
    Made made;
    ProgramResult<FloatLanes> result;
};

/// What became of each lane.
struct Outcome {
    alignas(64) float vx[kLeafRows] = {}, vy[kLeafRows] = {};
    alignas(64) float t_hard[kLeafRows] = {}, t_soft[kLeafRows] = {}, relaxed[kLeafRows] = {};
    WhenStuck waits[kLeafRows] = {};  ///< least: it does not
    bool turned[kLeafRows] = {};      ///< its wish, to its own passing side

    // Of model personality.
    alignas(64) float alpha[kLeafRows] = {};
    alignas(64) float calm_vx[kLeafRows] = {}, calm_vy[kLeafRows] = {};
    alignas(64) float goal_vx[kLeafRows] = {}, goal_vy[kLeafRows] = {};
};

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
