// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "motion/wall_touch_kernel.cpp"
#include <hwy/foreach_target.h>  // first: it includes this file once per instruction set
#include <hwy/highway.h>

#include "motion/wall_touch.hpp"
#include "simd/box_walk-inl.hpp"
#include "simd/isa.hpp"
#include "simd/mask_bits-inl.hpp"
#include "simd/pack-inl.hpp"
#include "simd/segment-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::CappedTag<float, kLeafRows>;
using V = hn::Vec<Wide>;

/// Which of the edges from row `first` on, as many as there are lanes, are of this level and come
/// within reach of the box of the discs.
HWY_INLINE hn::Mask<Wide> edges_near(Wide d, const WallIndex& walls, std::size_t first, float level,
                                     const MovingDiscs& discs)
{
    const auto load = [&](const Column<float>& column)
                          HWY_ATTR { return hn::Load(d, column.data() + first); };
    const Vec2<V> a{load(walls.ax), load(walls.ay)}, b{load(walls.bx), load(walls.by)};
    const V far = hn::Set(d, discs.farthest * discs.farthest);
    return hn::And(load(walls.level) == hn::Set(d, level),
                   segment_box_dist_sq(d, a, b, discs.box) <= far);
}

/// Bits of the lanes within their reach of an edge.
HWY_INLINE std::uint32_t lanes_near(Wide d, const WallIndex& walls, std::size_t row,
                                    const MovingDiscs& discs)
{
    const Vec2<V> a = set2(d, walls.ax[row], walls.ay[row]);
    const Vec2<V> b = set2(d, walls.bx[row], walls.by[row]);
    std::uint32_t near = 0;
    for (std::size_t lane = 0; lane < kLeafRows; lane += hn::Lanes(d)) {
        const Vec2<V> p{hn::Load(d, discs.x + lane), hn::Load(d, discs.y + lane)};
        const V reach = hn::Load(d, discs.reach + lane);
        const auto is_near =
            hn::And(reach > hn::Zero(d), segment_dist_sq(d, a, b, p) <= reach * reach);
        near |= mask_bits(d, is_near) << lane;
    }
    return near;
}

std::uint8_t find_touching(const WallIndex& walls, std::uint16_t level, const MovingDiscs& discs,
                           NearWalls& near)
{
    const Wide d;
    const float far_sq = discs.farthest * discs.farthest;
    std::uint32_t touching = 0;
    PackedNumbers<Wide> edges;
    const auto look_at = [&](std::size_t row) HWY_ATTR {
        const std::uint32_t lanes = lanes_near(d, walls, row, discs);
        if (lanes == 0) return;
        touching |= lanes;
        near.add(row);
    };
    walk_near(walls.tree, discs.box, 0.0f, level, far_sq, [&](std::size_t leaf) HWY_ATTR {
        for (std::size_t first = leaf * 8; first < leaf * 8 + 8; first += hn::Lanes(d)) {
            if (HWY_UNLIKELY(edges.is_full())) edges.empty_into(look_at);
            edges.add(d, edges_near(d, walls, first, static_cast<float>(level), discs), first);
        }
    });
    edges.empty_into(look_at);
    return static_cast<std::uint8_t>(touching);
}

}  // namespace
}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sidestep {

HWY_EXPORT(find_touching);

FindTouching find_touching_for(Isa isa)
{
    return kernel_for(HWY_DISPATCH_TABLE(find_touching), isa);
}

}  // namespace sidestep
#endif
