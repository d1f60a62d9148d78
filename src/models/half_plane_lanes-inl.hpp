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
    float rank[kLeafRows], range[kLeafRows];
    std::uint32_t id[kLeafRows];
    alignas(64) float alive[kLeafRows];  ///< 1 or 0
};

inline void load_lanes(const Snapshot& snapshot, std::size_t first_row, std::size_t count,
                       Lanes& lanes)
{
    const AgentTable& agents = snapshot.agents;
    for (std::size_t l = 0; l < count; ++l) {
        const std::size_t row = first_row + l;
        const AgentRecord& record = agents.record[row];
        const bool alive = record.id != kNoAgent;
        const auto param = [&](std::size_t p) {
            return param_of(agents, snapshot.profiles, row, p);
        };
        lanes.alive[l] = alive ? 1.0f : 0.0f;
        lanes.x[l] = alive ? record.x : 0.0f;
        lanes.y[l] = alive ? record.y : 0.0f;
        lanes.vx[l] = record.vx;
        lanes.vy[l] = record.vy;
        lanes.radius[l] = alive ? record.radius : 1.0f;
        lanes.rank[l] = record.rank;
        lanes.id[l] = record.id;
        lanes.preferred_vx[l] = agents.preferred_vx[row];
        lanes.preferred_vy[l] = agents.preferred_vy[row];
        lanes.wall_radius[l] = alive ? param(kRadius) + param(kWallClearance) : 1.0f;
        lanes.range[l] = alive ? param(kNeighbourRange) : 0.0f;
        lanes.max_speed[l] = alive ? param(kMaxSpeed) : 0.0f;
        const float rounding = kVelocityRounding * (std::fabs(record.vx) + std::fabs(record.vy));
        lanes.reach[l] =
            alive ? std::max(param(kMaxAcceleration) * snapshot.dt * (1.0f - kVelocityRounding) -
                                 rounding,
                             0.0f)
                  : 1.0f;
        lanes.tau[l] = alive ? param(kTimeHorizon) : 1.0f;
        lanes.wall_tau[l] = alive ? param(kWallTimeHorizon) : 1.0f;
        lanes.uncertainty[l] = alive ? param(kVelocityUncertainty) : 0.0f;
        const float overlap_time = alive ? param(kOverlapTime) : 0.0f;
        lanes.overlap_time[l] = overlap_time > 0.0f ? overlap_time : snapshot.dt;
    }
}

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
        if (filled[l] == rows) open_row();
        const std::size_t at = filled[l]++ * lanes + l;
        out.nx.data()[at] = nx;
        out.ny.data()[at] = ny;
        out.c.data()[at] = nx * px + ny * py;
        out.source.data()[at] = source;
        out.source_kind.data()[at] = static_cast<std::uint8_t>(kind);
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

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
