// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Whom walls hide from one agent: those it looks at are the lanes.
//
// Lines of sight and edges are compared in float, with margins for what that loses: most are
// plainly apart, or plainly cross. The others are compared in double, as `hides` does, so that the
// answer is always that of `hides`.
#if defined(SIDESTEP_PERCEPTION_HIDDEN_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_PERCEPTION_HIDDEN_LANES_INL_HPP
#undef SIDESTEP_PERCEPTION_HIDDEN_LANES_INL_HPP
#else
#define SIDESTEP_PERCEPTION_HIDDEN_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "math/sight_line.hpp"
#include "perception/hiding_edges.hpp"
#include "perception/recall_lanes-inl.hpp"
#include "simd/box_walk-inl.hpp"
#include "simd/pack-inl.hpp"
#include "simd/vec2-inl.hpp"
#include "world/agent_table.hpp"
#include "world/wall_index.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using EdgeLanes = hn::CappedTag<float, HidingEdges::kAtOnce>;
using TargetLanes = hn::CappedTag<float, 16>;

/// Somebody in the list of one agent may be hidden: so many are looked at at most.
inline constexpr std::size_t kMostTargets = 32;

/// A wall whose box is farther than this [m] from where somebody looks hides nobody there,
/// whatever the rounding.
inline constexpr float kSightMargin = 1e-3f;

/// A distance that is kept squared, and no less whatever the rounding.
HWY_INLINE float sight_reach(float dist_sq)
{
    return std::sqrt(dist_sq) * (1.0f + 1e-5f) + kSightMargin;
}

/// Determinants of rounded differences, and sums of two of them, are wrong by less than this part
/// [1] of the sum of their products: six roundings of 2^-24 each.
inline constexpr float kDeterminantError = 1e-6f;

HWY_INLINE Vec2<hn::Vec<EdgeLanes>> load_points(EdgeLanes d, const float* x, const float* y)
{
    return {hn::Load(d, x), hn::Load(d, y)};
}

/// Which of the boxes about the edges a..b come within `reach` of a box.
HWY_INLINE hn::Mask<EdgeLanes> edges_within(EdgeLanes d, const Vec2<hn::Vec<EdgeLanes>>& a,
                                            const Vec2<hn::Vec<EdgeLanes>>& b, const Box& box,
                                            float reach)
{
    const auto zero = hn::Zero(d);
    const auto dx = hn::Max(hn::Max(hn::Min(a.x, b.x) - hn::Set(d, box.max_x),
                                    hn::Set(d, box.min_x) - hn::Max(a.x, b.x)),
                            zero);
    const auto dy = hn::Max(hn::Max(hn::Min(a.y, b.y) - hn::Set(d, box.max_y),
                                    hn::Set(d, box.min_y) - hn::Max(a.y, b.y)),
                            zero);
    return dx * dx + dy * dy <= hn::Set(d, reach * reach);
}

/// All edges of a level that come within `reach` of a box.
HWY_INLINE void gather_edges(const WallIndex& walls, const Box& box, std::uint16_t level,
                             float reach, HidingEdges& edges)
{
    const EdgeLanes d;
    edges.count = 0;
    edges.complete = true;
    const float reach_sq = reach * reach;
    walk_near(walls.tree, box, 0.0f, level, reach_sq, [&](std::size_t leaf) {
        if (edges.count + HidingEdges::kAtOnce > HidingEdges::kMost) edges.complete = false;
        if (!edges.complete) return;
        for (std::size_t i = 0; i < HidingEdges::kAtOnce; i += hn::Lanes(d)) {
            const std::size_t row = leaf * HidingEdges::kAtOnce + i;
            const auto a = load_points(d, walls.ax.data() + row, walls.ay.data() + row);
            const auto b = load_points(d, walls.bx.data() + row, walls.by.data() + row);
            const auto here =
                hn::Load(d, walls.level.data() + row) == hn::Set(d, static_cast<float>(level));
            // Of a thin wall one way is enough.
            const auto first = hn::Load(d, walls.second_copy.data() + row) == hn::Zero(d);
            const Packing<EdgeLanes> near(
                d, hn::And(hn::And(here, first), edges_within(d, a, b, box, reach)));
            near.store(d, a.x, edges.ax + edges.count);
            near.store(d, a.y, edges.ay + edges.count);
            near.store(d, b.x, edges.bx + edges.count);
            near.store(d, b.y, edges.by + edges.count);
            edges.count += near.count();
        }
    });
    for (std::size_t i = edges.count; i % HidingEdges::kAtOnce != 0; ++i)
        edges.ax[i] = edges.ay[i] = edges.bx[i] = edges.by[i] = kFarAway;
}

/// Those whom one agent looks at.
struct Targets {
    // Relative to the agent [m]; those from `count` on are finite.
    alignas(kColumnAlignment) float x[kMostTargets], y[kMostTargets];
    alignas(kColumnAlignment) float size[kMostTargets];  ///< |x| + |y|
    Point<double> place[kMostTargets];
    std::size_t count = 0;
};

/// Which of the targets the edge hides from one who stands at (x, y); `hidden` are known to be.
///
/// Seen from the agent, the ends a and b of the edge and a target t are directions, and with b to
/// the left of a the target is hidden where
///
///   det(a, t) >= 0,   det(t, b) >= 0,   det(a, t) + det(t, b) >= det(a, b):
///
/// it is between them, and beyond the line through them.
HWY_INLINE std::uint32_t hidden_by(const HidingEdges& edges, std::size_t edge, float x, float y,
                                   const Targets& targets, std::uint32_t hidden)
{
    const TargetLanes d;
    float ax = edges.ax[edge] - x, ay = edges.ay[edge] - y;
    float bx = edges.bx[edge] - x, by = edges.by[edge] - y;
    float size = ax * by - ay * bx;
    if (size < 0.0f) {
        std::swap(ax, bx);
        std::swap(ay, by);
        size = -size;
    }
    const float size_a = std::fabs(ax) + std::fabs(ay);
    const float size_b = std::fabs(bx) + std::fabs(by);
    const float own_error = kDeterminantError * (size_a * size_b);
    const bool in_line = !(size > own_error);  // then a and b may be the other way round
    const float error_per_size = kDeterminantError * (size_a + size_b);
    const auto zero = hn::Zero(d);
    for (std::size_t i = 0; i < targets.count; i += hn::Lanes(d)) {
        const auto tx = hn::Load(d, targets.x + i);
        const auto ty = hn::Load(d, targets.y + i);
        const auto after_a = hn::Set(d, ax) * ty - hn::Set(d, ay) * tx;
        const auto before_b = hn::Set(d, by) * tx - hn::Set(d, bx) * ty;
        const auto beyond = (after_a + before_b) - hn::Set(d, size);
        const auto least = hn::Min(hn::Min(after_a, before_b), beyond);
        const auto error =
            hn::Load(d, targets.size + i) * hn::Set(d, error_per_size) + hn::Set(d, own_error);
        const auto unsure = hn::Abs(least) <= error;
        if (HWY_LIKELY(!in_line && hn::AllFalse(d, unsure))) {
            hidden |= bits_from(d, least > zero, i);
            continue;
        }
        if (!in_line) hidden |= bits_from(d, least > error, i);
        std::uint32_t unclear = in_line ? ~0u : bits_from(d, unsure, i);
        for (unclear &= ~hidden; unclear != 0; unclear &= unclear - 1) {
            const std::size_t k = hwy::Num0BitsBelowLS1Bit_Nonzero32(unclear);
            if (k >= targets.count) break;
            if (hides({edges.ax[edge], edges.ay[edge]}, {edges.bx[edge], edges.by[edge]}, {x, y},
                      targets.place[k]))
                hidden |= 1u << k;
        }
    }
    return hidden;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
