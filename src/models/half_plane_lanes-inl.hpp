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
#include <cstring>
#include <limits>

#include "models/half_plane_model.hpp"
#include "models/roles.hpp"
#include "neighbours/record_lanes-inl.hpp"
#include "simd/rows-inl.hpp"
#include "simd/vec2-inl.hpp"
#include "solvers/program-inl.hpp"
#include "world/leaf_profile.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What a change of velocity can gain when the velocity it leads to is rounded [1]: the
/// acceleration limit is kept with this to spare.
inline constexpr float kVelocityRounding = 2.0f * std::numeric_limits<float>::epsilon();

using FloatLanes = hn::CappedTag<float, kLeafRows>;
using FloatV = hn::Vec<FloatLanes>;
using FloatM = hn::Mask<FloatLanes>;
using FlagLanes = hn::RebindToUnsigned<FloatLanes>;
using FlagV = hn::Vec<FlagLanes>;

/// The agents of one vector of lanes: a leaf, or a part of it where vectors are shorter. Rows that
/// hold nobody get harmless numbers.
struct Lanes {
    alignas(64) float x[kLeafRows], y[kLeafRows], vx[kLeafRows], vy[kLeafRows];
    alignas(64) float radius[kLeafRows];       ///< planning radius [m]
    alignas(64) float wall_radius[kLeafRows];  ///< body and wall clearance [m]
    alignas(64) float preferred_vx[kLeafRows], preferred_vy[kLeafRows];
    alignas(64) float max_speed[kLeafRows],
        reach[kLeafRows];  ///< speed and acceleration discs [m/s]; reach may be
                           ///< infinite
    alignas(64) float tau[kLeafRows], wall_tau[kLeafRows], overlap_time[kLeafRows],
        uncertainty[kLeafRows];
    alignas(64) float per_tau[kLeafRows];  ///< 1 / tau
    alignas(64) float alive[kLeafRows];    ///< 1 or 0

    // Where the limit is tighter across the heading (`across` is finite): the ellipse [m/s].
    alignas(64) float across[kLeafRows], along[kLeafRows];
    alignas(64) float heading_x[kLeafRows], heading_y[kLeafRows];  ///< unit vector

    alignas(64) float rank[kLeafRows];
    alignas(64) std::uint32_t flags[kLeafRows];  ///< of the record

    alignas(64) float range[kLeafRows];
    alignas(64) float acceleration[kLeafRows];  ///< limit [m/s2], may be infinite
    AccelerationMode mode[kLeafRows];
    const AgentRecord* record[kLeafRows];
    alignas(64) std::uint32_t id[kLeafRows];
    bool any_across = false;  ///< in any lane
    bool any_brake = false;
    bool any_side = false;       ///< passes on a side of its own
    bool any_late = false;       ///< the limit is kept after the choice: modes clamp and avo
    bool exact_per_tau = false;  ///< in all: tau is a power of two, and to multiply
                                 ///< by per_tau is to divide by tau
};

/// Sets the horizons of all lanes; they are positive.
HWY_INLINE void set_horizons(FloatLanes d, FloatV tau, Lanes& lanes)
{
    const FlagLanes du;
    const FlagV fraction = hn::And(hn::BitCast(du, tau), hn::Set(du, 0x007fffffu));
    hn::Store(tau, d, lanes.tau);
    hn::Store(hn::Set(d, 1.0f) / tau, d, lanes.per_tau);
    lanes.exact_per_tau = hn::AllTrue(du, hn::Eq(fraction, hn::Zero(du)));
}

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

/// The lanes of a leaf whose agents walk, have one profile and nothing in it
/// that only some models need. Says false, and has done nothing, where that is
/// not so.
inline bool load_plain_lanes(FloatLanes d, const Snapshot& snapshot, std::size_t first_row,
                             const Wishes& wishes, Lanes& lanes)
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const FlagLanes du;
    const AgentTable& agents = snapshot.agents;
    const Profile* profile = common_profile(
        agents, snapshot.profiles, first_row / kLeafRows,
        {kRadius, kWallClearance, kNeighbourRange, kMaxSpeed, kMaxAcceleration, kAccelerationMode,
         kLateralAcceleration, kTimeHorizon, kWallTimeHorizon, kVelocityUncertainty, kOverlapTime});
    if (profile == nullptr || profile->value[kLateralAcceleration] < kInfinity) return false;
    for (std::size_t l = 0; l < hn::Lanes(d); ++l) lanes.record[l] = &agents.record[first_row + l];
    alignas(64) static constexpr std::uint32_t kRows[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const RecordLanes<FloatLanes> own = load_records(d, lanes.record[0], kRows);
    if (!hn::AllFalse(du, hn::TestBit(own.flags, hn::Set(du, kVehicle)))) return false;

    const auto& value = profile->value;
    const std::size_t lane = first_row % kLeafRows;
    const FloatM alive = hn::RebindMask(d, hn::Ne(own.id, hn::Set(du, kNoAgent)));
    const FloatV one = hn::Set(d, 1.0f);
    const FloatV zero = hn::Zero(d);
    const auto store = [&](float* to, FloatV v) { hn::Store(v, d, to); };
    const auto store_if = [&](float* to, float v, FloatV dead) {
        store(to, hn::IfThenElse(alive, hn::Set(d, v), dead));
    };
    hn::Store(own.id, du, lanes.id);
    hn::Store(own.flags, du, lanes.flags);
    store(lanes.rank, own.rank);
    store(lanes.alive, hn::IfThenElseZero(alive, one));
    store(lanes.x, hn::IfThenElseZero(alive, own.position.x));
    store(lanes.y, hn::IfThenElseZero(alive, own.position.y));
    store(lanes.vx, own.velocity.x);
    store(lanes.vy, own.velocity.y);
    store(lanes.radius, hn::IfThenElse(alive, own.radius, one));
    store(lanes.preferred_vx, hn::LoadU(d, wishes.vx + lane));
    store(lanes.preferred_vy, hn::LoadU(d, wishes.vy + lane));
    store_if(lanes.wall_radius, value[kRadius] + value[kWallClearance], one);
    store_if(lanes.range, value[kNeighbourRange], zero);
    store(lanes.max_speed,
          hn::IfThenElseZero(alive, hn::Min(hn::Set(d, value[kMaxSpeed]),
                                            hn::LoadU(d, wishes.most_speed + lane))));
    store_if(lanes.acceleration, value[kMaxAcceleration], hn::Set(d, kInfinity));
    const FloatV change =
        hn::Set(d, value[kMaxAcceleration] * snapshot.dt) * hn::Set(d, 1.0f - kVelocityRounding);
    const FloatV rounding =
        hn::Set(d, kVelocityRounding) * (hn::Abs(own.velocity.x) + hn::Abs(own.velocity.y));
    store(lanes.reach, hn::IfThenElse(alive, hn::Max(change - rounding, zero), one));
    set_horizons(d, hn::IfThenElse(alive, hn::Set(d, value[kTimeHorizon]), one), lanes);
    store_if(lanes.wall_tau, value[kWallTimeHorizon], one);
    store_if(lanes.uncertainty, value[kVelocityUncertainty], zero);
    const float overlap_time = value[kOverlapTime];
    store_if(lanes.overlap_time, overlap_time > 0.0f ? overlap_time : snapshot.dt,
             hn::Set(d, snapshot.dt));
    const auto mode = static_cast<AccelerationMode>(value[kAccelerationMode]);
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        lanes.mode[l] = lanes.alive[l] != 0.0f ? mode : AccelerationMode::disc;
    lanes.any_brake = mode == AccelerationMode::brake;
    lanes.any_late = mode == AccelerationMode::clamp || mode == AccelerationMode::avo;
    const auto own_side = hn::And(own.flags, hn::Set(du, kPassesRight | kPassesLeft));
    lanes.any_side = !hn::AllTrue(du, hn::Eq(own_side, hn::Zero(du)));
    store(lanes.across, hn::Set(d, kInfinity));
    store(lanes.along, one);
    store(lanes.heading_x, one);
    store(lanes.heading_y, zero);
    return true;
}

/// Where the model runs as a filter it does so for some of the leaf, whose own model may have other
/// parameters.
inline void load_lanes(const Snapshot& snapshot, std::size_t first_row, std::size_t count,
                       const Wishes& wishes, bool filters, Lanes& lanes)
{
    if (!filters && load_plain_lanes(FloatLanes(), snapshot, first_row, wishes, lanes)) return;
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
        lanes.flags[l] = record.flags;
        lanes.rank[l] = record.rank;
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
        lanes.acceleration[l] =
            alive ? walking_acceleration(agents, snapshot.profiles, row) : kInfinity;
        lanes.reach[l] = alive ? with_rounding(lanes.acceleration[l] * snapshot.dt, record) : 1.0f;
        load_horizons(snapshot, row, l, alive, filters, lanes);

        lanes.mode[l] = alive ? static_cast<AccelerationMode>(param(kAccelerationMode))
                              : AccelerationMode::disc;
        lanes.any_brake |= lanes.mode[l] == AccelerationMode::brake;
        lanes.any_side |= (record.flags & (kPassesRight | kPassesLeft)) != 0;
        lanes.any_late |=
            lanes.mode[l] == AccelerationMode::clamp || lanes.mode[l] == AccelerationMode::avo;
        lanes.across[l] = kInfinity;
        lanes.along[l] = lanes.heading_x[l] = 1.0f;
        lanes.heading_y[l] = 0.0f;
        const bool walks = alive && (record.flags & kVehicle) == 0;
        const float sideways = walks ? param(kLateralAcceleration) : kInfinity;
        if (sideways < kInfinity) load_ellipse(snapshot, row, l, sideways, lanes);
    }
    set_horizons(FloatLanes(), hn::Load(FloatLanes(), lanes.tau), lanes);
}

/// Source of lines that are the agent's own limits (besides Explanation::Source).
inline constexpr std::uint8_t kOwnLimit = 0xff;

/// Lines of these lanes while they are made. Rows that a lane does not use are empty.
struct LineRows {
    LineScratch& out;
    std::size_t lanes;
    std::size_t rows = 0;
    bool is_aligned = true;  ///< false after a row of all lanes, which none may fill any more
    std::size_t filled[kLeafRows] = {};     ///< next free row of each lane
    alignas(64) float scale_sq[kLeafRows];  ///< largest |point|^2 so far, for the
                                            ///< program's tolerance

    explicit LineRows(LineScratch& scratch, std::size_t lane_count)
        : out(scratch), lanes(lane_count)
    {
        for (float& value : scale_sq) value = 1.0f;
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
        if (!is_aligned) align();
        if (filled[l] == rows) open_row();
        const std::size_t at = filled[l]++ * lanes + l;
        out.nx.data()[at] = nx;
        out.ny.data()[at] = ny;
        out.c.data()[at] = nx * px + ny * py;
        out.source.data()[at] = source;
        out.source_kind.data()[at] = kind;
        scale_sq[l] = std::max(scale_sq[l], px * px + py * py);
    }

    /// Lines of the lanes of `used`, all in one row; or in two, of as many lanes together.
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE void add_rows(D d, hn::Mask<D> used, const Vec2<V>& point, const Vec2<V>& normal,
                             Explanation::Source kind, hn::Vec<hn::RebindToUnsigned<D>> sources)
    {
        const FloatLanes row;
        const std::size_t at = rows * hn::Lanes(row);
        rows += hn::MaxLanes(d) / hn::MaxLanes(row);
        is_aligned = false;
        hn::StoreU(hn::IfThenElseZero(used, normal.x), d, out.nx.data() + at);
        hn::StoreU(hn::IfThenElseZero(used, normal.y), d, out.ny.data() + at);
        hn::StoreU(
            hn::IfThenElse(used, dot(normal, point), hn::Set(d, static_cast<float>(kNoBound))), d,
            out.c.data() + at);
        const FloatV size_sq = fold_rows(row, hn::IfThenElseZero(used, length_sq(point)),
                                         [](FloatV a, FloatV b) HWY_ATTR { return hn::Max(a, b); });
        hn::Store(hn::Max(hn::Load(row, scale_sq), size_sq), row, scale_sq);
        // No calls, which would take all vectors out of their registers.
        hn::StoreU(sources, hn::RebindToUnsigned<D>(), out.source.data() + at);
        std::uint8_t* kinds = out.source_kind.data() + at;
        std::uint8_t same[16];
        std::memset(same, static_cast<int>(kind), sizeof same);
        std::memcpy(kinds, same, hn::MaxLanes(d));
    }

    /// Later lines of all lanes start in the same row.
    void align()
    {
        for (std::size_t& next : filled) next = rows;
        is_aligned = true;
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
    alignas(64) float vx[kLeafRows], vy[kLeafRows];
    alignas(64) float t_hard[kLeafRows], t_soft[kLeafRows], relaxed[kLeafRows];
    WhenStuck waits[kLeafRows] = {};  ///< least: it does not
    bool turned[kLeafRows] = {};      ///< its wish, to its own passing side

    // Of model personality.
    alignas(64) float alpha[kLeafRows] = {};
    alignas(64) float calm_vx[kLeafRows], calm_vy[kLeafRows];  ///< where alpha > 0
    alignas(64) float goal_vx[kLeafRows], goal_vy[kLeafRows];
};

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
