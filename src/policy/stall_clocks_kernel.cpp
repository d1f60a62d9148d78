// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "policy/stall_clocks_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include <algorithm>

#include "policy/stalls.hpp"
#include "simd/mask_bits-inl.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::CappedTag<float, kLeafRows>;
using V = hn::Vec<Wide>;
using Steps = hn::RebindToSigned<Wide>;

/// A clock runs back so many times faster than it runs on.
constexpr int kRecovery = 3;

/// Whether somebody who avoids alone and makes way now went back before, and stays where it is by
/// the mean of both steps: who swings to and fro is as stalled as who stands.
bool swings(const StallInput& input, const StallAnswers& answers, std::size_t leaf,
            std::size_t lane, const float* vx, const float* vy)
{
    const AgentRecord& own = input.agents.record[leaf * kLeafRows + lane];
    if (!avoids_alone(input, own)) return false;
    const float wish_x = answers.base_vx[lane], wish_y = answers.base_vy[lane];
    const float wanted = wish_x * wish_x + wish_y * wish_y;
    const float before = own.vx * wish_x + own.vy * wish_y;
    const float now = vx[lane] * wish_x + vy[lane] * wish_y;
    return before < 0.0f && 0.5f * (before + now) < kMakesWay * wanted;
}

/// Who wants something, and who of them makes way.
struct WayLanes {
    hn::Mask<Wide> wants, makes_way;
};

HWY_INLINE WayLanes way_made(const StallAnswers& answers, const float* vx, const float* vy,
                             std::size_t part)
{
    const Wide d;
    const V one = hn::Set(d, 1.0f), zero = hn::Zero(d);
    const Vec2<V> v{hn::LoadU(d, vx + part), hn::LoadU(d, vy + part)};
    const Vec2<V> wish{hn::LoadU(d, answers.base_vx + part), hn::LoadU(d, answers.base_vy + part)};
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
    return {wants, makes_way};
}

void keep_stall_clocks(const StallInput& input, std::size_t leaf, const StallAnswers& answers,
                       const float* vx, const float* vy, std::uint16_t* clocks)
{
    const Wide d;
    const Steps steps;
    const hn::Rebind<std::uint16_t, Steps> narrow;
    std::uint16_t before[kLeafRows];
    std::copy_n(clocks, kLeafRows, before);
    std::uint32_t wanting = 0, stalled = 0, ran = 0;
    for (std::size_t part = 0; part < kLeafRows; part += hn::Lanes(d)) {
        const WayLanes way = way_made(answers, vx, vy, part);
        const auto clock = hn::PromoteTo(steps, hn::LoadU(narrow, before + part));
        const auto back = hn::Max(clock - hn::Set(steps, kRecovery), hn::Zero(steps));
        const auto wants = hn::RebindMask(steps, way.wants);
        hn::StoreU(hn::DemoteTo(narrow, hn::IfThenElseZero(wants, back)), narrow, clocks + part);
        wanting |= mask_bits(d, way.wants) << part;
        stalled |= mask_bits(d, hn::AndNot(way.makes_way, way.wants)) << part;
        ran |= mask_bits(d, hn::RebindMask(d, clock > hn::Zero(steps))) << part;
    }
    if (HWY_UNLIKELY(answers.any_turn)) {
        for (std::size_t lane = 0; lane < kLeafRows; ++lane) {
            if (!answers.turns[lane] || ((wanting >> lane) & 1u) == 0) continue;
            clocks[lane] = before[lane];
            stalled &= ~(1u << lane);
        }
    }
    for (std::size_t lane = 0; answers.any_drive && lane < kLeafRows; ++lane) {
        if (answers.drives[lane]) stalled |= wanting & (1u << lane);
    }
    // Of who went back the clock has run.
    for (std::uint32_t moving = wanting & ran & ~stalled; moving != 0; moving &= moving - 1) {
        const std::size_t lane = hwy::Num0BitsBelowLS1Bit_Nonzero32(moving);
        if (swings(input, answers, leaf, lane, vx, vy)) stalled |= 1u << lane;
    }
    for (; stalled != 0; stalled &= stalled - 1) {
        const std::size_t lane = hwy::Num0BitsBelowLS1Bit_Nonzero32(stalled);
        const Point<float> wish{answers.base_vx[lane], answers.base_vy[lane]};
        clocks[lane] = gets_under_way(input, leaf * kLeafRows + lane, wish, {vx[lane], vy[lane]})
                           ? before[lane]
                           : next_stall_clock(input, before[lane], answers.faced[lane]);
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
