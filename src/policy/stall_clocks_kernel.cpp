// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "policy/stall_clocks_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <algorithm>

#include "policy/stalls.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::CappedTag<float, kLeafRows>;
using V = hn::Vec<Wide>;

/// A clock runs back so many times faster than it runs on.
constexpr int kRecovery = 3;

/// Who wants something, and who of them makes way, 1 or 0 by lane.
struct WayLanes {
    alignas(64) float wants[kLeafRows], makes_way[kLeafRows];
};

WayLanes way_made(const StallAnswers& answers, const float* vx, const float* vy)
{
    const Wide d;
    const V one = hn::Set(d, 1.0f), zero = hn::Zero(d);
    WayLanes way;
    for (std::size_t part = 0; part < kLeafRows; part += hn::Lanes(d)) {
        const Vec2<V> v{hn::LoadU(d, vx + part), hn::LoadU(d, vy + part)};
        const Vec2<V> wish{hn::LoadU(d, answers.base_vx + part),
                           hn::LoadU(d, answers.base_vy + part)};
        const V speed = length(wish);
        const auto wants = speed > hn::Set(d, kWants);
        const V divisor = hn::IfThenElse(wants, speed, one);
        const V made = dot(v, {wish.x / divisor, wish.y / divisor});
        // Nothing can be expected of a vehicle that faces elsewhere: one that stands there makes no
        // way.
        const V expected =
            hn::Min(hn::IfThenElseZero(wants, speed), hn::LoadU(d, answers.most_way + part));
        const auto makes_way =
            hn::And(made >= hn::Set(d, kMakesWay) * expected, hn::Or(expected > zero, made > zero));
        hn::Store(hn::IfThenElseZero(wants, one), d, way.wants + part);
        hn::Store(hn::IfThenElseZero(makes_way, one), d, way.makes_way + part);
    }
    return way;
}

void keep_stall_clocks(const StallInput& input, const StallAnswers& answers, const float* vx,
                       const float* vy, std::uint16_t* clocks)
{
    const WayLanes way = way_made(answers, vx, vy);
    for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
        const std::uint16_t clock = clocks[lane];
        if (way.wants[lane] == 0.0f) {
            clocks[lane] = 0;
        } else if (answers.turns[lane]) {
            continue;
        } else if (way.makes_way[lane] != 0.0f) {
            clocks[lane] = static_cast<std::uint16_t>(std::max(0, clock - kRecovery));
        } else {
            clocks[lane] = next_stall_clock(input, clock, answers.faced[lane]);
        }
    }
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sidestep {

HWY_EXPORT(keep_stall_clocks);

KeepStallClocks keep_stall_clocks_for(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(keep_stall_clocks), isa);
}

}  // namespace sidestep
#endif
