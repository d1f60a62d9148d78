// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "motion/wishes_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include "motion/advance.hpp"
#include "simd/isa.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::CappedTag<float, kLeafRows>;
using V = hn::Vec<Wide>;

/// What one leaf needs of its rows.
struct LeafRows {
    alignas(kColumnAlignment) std::uint32_t flags[kLeafRows];
    alignas(kColumnAlignment) float speed[kLeafRows];  ///< preferred [m/s]
    std::uint32_t any_flags = 0;
    std::uint64_t without_goal = 0;
};

LeafRows look_up(const AgentTable& agents, const Column<Profile>& profiles, std::size_t leaf)
{
    LeafRows rows;
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const AgentRecord& record = agents.record[leaf * kLeafRows + lane];
        rows.flags[lane] = record.flags;
        rows.any_flags |= record.flags;
        rows.without_goal +=
            record.id != kNoAgent && (record.flags & (kHasGoal | kHostDriven)) == 0 ? 1 : 0;
    }
    params_of_leaf(agents, profiles, leaf, kPreferredSpeed, rows.speed);
    return rows;
}

/// The same operations as preferred_velocity_of, of those who are no vehicles.
void wish_lanes(AgentTable& agents, const LeafRows& rows, float dt, std::size_t leaf)
{
    const Wide d;
    const hn::RebindToUnsigned<Wide> du;
    const V zero = hn::Zero(d);
    for (std::size_t lane = 0; lane < kLeafRows; lane += hn::Lanes(d)) {
        const std::size_t row = leaf * kLeafRows + lane;
        const auto flags = hn::Load(du, rows.flags + lane);
        const auto has = [&](std::uint32_t flag) HWY_ATTR {
            return hn::RebindMask(d, hn::Ne(hn::And(flags, hn::Set(du, flag)), hn::Zero(du)));
        };
        const auto load = [&](const Column<float>& column)
                              HWY_ATTR { return hn::Load(d, column.data() + row); };
        const Vec2<V> to_goal{load(agents.goal_x) - load(agents.x),
                              load(agents.goal_y) - load(agents.y)};
        const V distance = length(to_goal);
        V speed = hn::Min(hn::Load(d, rows.speed + lane), distance / hn::Set(d, dt));
        const V back = hn::IfThenZeroElse(
            distance < hn::Set(d, kNearlyThere),
            hn::Min(hn::Set(d, kMostReturnSpeed), distance * hn::Set(d, kReturnRate)));
        speed = hn::IfThenElse(has(kHoldsPlace), hn::Min(speed, back), speed);
        const V part = speed / distance;
        const auto walks = hn::And(has(kHasGoal), distance > zero);
        const auto host = has(kHostDriven);
        const Vec2<V> own{hn::IfThenElseZero(walks, to_goal.x * part + zero),
                          hn::IfThenElseZero(walks, to_goal.y * part + zero)};
        float* vx = agents.preferred_vx.data() + row;
        float* vy = agents.preferred_vy.data() + row;
        hn::Store(hn::IfThenElse(host, hn::Load(d, vx), own.x), d, vx);
        hn::Store(hn::IfThenElse(host, hn::Load(d, vy), own.y), d, vy);
    }
}

std::uint64_t set_wishes(AgentTable& agents, const Column<Profile>& profiles, float dt,
                         std::size_t first_leaf, std::size_t last_leaf)
{
    std::uint64_t without_goal = 0;
    for (std::size_t leaf = first_leaf; leaf < last_leaf; ++leaf) {
        const LeafRows rows = look_up(agents, profiles, leaf);
        without_goal += rows.without_goal;
        if ((rows.any_flags & kVehicle) == 0) {
            wish_lanes(agents, rows, dt, leaf);
        } else {
            const std::size_t row = leaf * kLeafRows;
            preferred_velocities_of_leaf(agents, profiles, dt, leaf,
                                         agents.preferred_vx.data() + row,
                                         agents.preferred_vy.data() + row);
        }
    }
    return without_goal;
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sidestep {

HWY_EXPORT(set_wishes);

SetWishes set_wishes_for(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(set_wishes), isa);
}

}  // namespace sidestep
#endif
