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
#include <limits>

#include "neighbours/record_lanes-inl.hpp"
#include "perception/hiding_edges.hpp"
#include "simd/box_walk-inl.hpp"
#include "simd/pack-inl.hpp"
#include "simd/segment-inl.hpp"
#include "simd/vec2-inl.hpp"
#include "world/agent_table.hpp"
#include "world/wall_index.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using EdgeLanes = hn::CappedTag<float, HidingEdges::kAtOnce>;
using SeenLanes = hn::CappedTag<float, 16>;

/// Somebody in the list of one agent may be hidden: so many are looked at at most.
inline constexpr std::size_t kMostTargets = 32;
/// So many of them at a time.
inline constexpr std::size_t kTargetsAtOnce = 16;

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

template <class D>
HWY_INLINE Vec2<hn::Vec<D>> load_points(D d, const float* x, const float* y)
{
    return {hn::Load(d, x), hn::Load(d, y)};
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
                d, hn::And(hn::And(here, first),
                           segment_box_dist_sq(d, a, b, box) <= hn::Set(d, reach_sq)));
            hn::StoreU(near.pack(d, a.x), d, edges.ax + edges.count);
            hn::StoreU(near.pack(d, a.y), d, edges.ay + edges.count);
            hn::StoreU(near.pack(d, b.x), d, edges.bx + edges.count);
            hn::StoreU(near.pack(d, b.y), d, edges.by + edges.count);
            edges.count += near.count();
        }
    });
    static_assert(HidingEdges::kMost % hn::MaxLanes(SeenLanes()) == 0);  // no padding beyond it
    for (std::size_t i = edges.count; i % hn::MaxLanes(SeenLanes()) != 0; ++i)
        edges.ax[i] = edges.ay[i] = edges.bx[i] = edges.by[i] = kFarAway;
}

/// The edges as one agent sees them, from (x, y): their ends a and b are directions, b to the left
/// of a.
struct EdgesSeen {
    static constexpr std::size_t kMost = HidingEdges::kMost + hn::MaxLanes(SeenLanes());
    alignas(kColumnAlignment) float ax[kMost], ay[kMost], bx[kMost], by[kMost];
    alignas(kColumnAlignment) float size[kMost];  ///< det(a, b), positive

    // Which of them are near, and which are farther, but within reach.
    alignas(kColumnAlignment) std::int32_t near[kMost], far[kMost];
    std::size_t near_count = 0, far_count = 0;

    // How wrong look_past may be about a target: by so much, and so much for its size.
    float error = 0.0f;           ///< [m2]
    float error_per_size = 0.0f;  ///< [m]

    HWY_INLINE void look(const HidingEdges& edges, float x, float y, float near_sq, float far_sq)
    {
        const SeenLanes d;
        const hn::RebindToSigned<SeenLanes> di;
        const Vec2<hn::Vec<SeenLanes>> eye{hn::Set(d, x), hn::Set(d, y)};
        const auto zero = hn::Zero(d);
        const auto part = hn::Set(d, kDeterminantError);
        auto largest = zero, largest_own = zero;
        for (std::size_t i = 0; i < edges.count; i += hn::Lanes(d)) {
            const auto to_a = load_points(d, edges.ax + i, edges.ay + i) - eye;
            const auto to_b = load_points(d, edges.bx + i, edges.by + i) - eye;
            const auto away = segment_box_dist_sq(d, to_a, to_b, Box{0.0f, 0.0f, 0.0f, 0.0f});
            const auto within = away <= hn::Set(d, far_sq);
            if (hn::AllFalse(d, within)) continue;
            const auto number = hn::Iota(di, static_cast<std::int32_t>(i));
            const auto is_near = away <= hn::Set(d, near_sq);
            const Packing<SeenLanes> nearer(d, is_near), farther(d, hn::AndNot(is_near, within));
            hn::StoreU(nearer.pack(di, number), di, near + near_count);
            hn::StoreU(farther.pack(di, number), di, far + far_count);
            near_count += nearer.count();
            far_count += farther.count();

            const auto between = det(to_a, to_b);
            const auto turned = between < zero;
            const auto area = hn::Abs(between);
            const auto size_a = hn::Abs(to_a.x) + hn::Abs(to_a.y);
            const auto size_b = hn::Abs(to_b.x) + hn::Abs(to_b.y);
            const auto own = part * (size_a * size_b);
            // In line with the edge a and b may be the other way round: nothing is sure.
            const auto unsure = hn::Set(d, std::numeric_limits<float>::infinity());
            largest_own = hn::Max(
                largest_own, hn::IfThenElseZero(within, hn::IfThenElse(area > own, own, unsure)));
            largest = hn::Max(largest, hn::IfThenElseZero(within, part * (size_a + size_b)));
            const auto a = select(turned, to_b, to_a), b = select(turned, to_a, to_b);
            hn::Store(a.x, d, ax + i);
            hn::Store(a.y, d, ay + i);
            hn::Store(b.x, d, bx + i);
            hn::Store(b.y, d, by + i);
            hn::Store(area, d, size + i);
        }
        error = hn::GetLane(hn::MaxOfLanes(d, largest_own));
        error_per_size = hn::GetLane(hn::MaxOfLanes(d, largest));
    }
};

/// How far targets are within the shadow of the edge that hides them most, as an area [m2], or
/// outside of all shadows where it is negative. With b to the left of a, a target t is hidden where
/// it is between them and beyond the line through them:
///
///   det(a, t) >= 0,   det(t, b) >= 0,   det(a, t) + det(t, b) >= det(a, b).
struct Shadows {
    using V = hn::Vec<SeenLanes>;
    static constexpr std::size_t kVectors = kTargetsAtOnce / hn::MaxLanes(SeenLanes());
    Vec2<V> target[kVectors];
    V depth[kVectors];

    /// The targets stand where these rows are, seen from (x, y).
    HWY_INLINE Shadows(const AgentRecord* all, const std::uint32_t* rows, float x, float y)
    {
        const SeenLanes d;
        const Vec2<V> eye{hn::Set(d, x), hn::Set(d, y)};
        HWY_UNROLL(16)
        for (std::size_t k = 0; k < kVectors; ++k) {
            target[k] = load_positions(d, all, rows + k * hn::Lanes(d)) - eye;
            depth[k] = hn::Set(d, -std::numeric_limits<float>::max());
        }
    }

    /// Looks past one edge.
    HWY_INLINE void look_past(V ax, V ay, V bx, V by, V size)
    {
        HWY_UNROLL(16)
        for (std::size_t k = 0; k < kVectors; ++k) {
            const V after_a = ax * target[k].y - ay * target[k].x;
            const V before_b = by * target[k].x - bx * target[k].y;
            const V beyond = (after_a + before_b) - size;
            depth[k] = hn::Max(depth[k], hn::Min(hn::Min(after_a, before_b), beyond));
        }
    }

    /// Bits of those that are plainly hidden, and of those of whom that cannot be said.
    HWY_INLINE void judge(const EdgesSeen& edges, std::uint32_t& hidden,
                          std::uint32_t& unsure) const
    {
        const SeenLanes d;
        HWY_UNROLL(16)
        for (std::size_t k = 0; k < kVectors; ++k) {
            const V size = hn::Abs(target[k].x) + hn::Abs(target[k].y);
            const V error = size * hn::Set(d, edges.error_per_size) + hn::Set(d, edges.error);
            hidden |= mask_bits(d, depth[k] > error) << (k * hn::Lanes(d));
            unsure |= mask_bits(d, hn::Abs(depth[k]) <= error) << (k * hn::Lanes(d));
        }
    }
};

/// Lets all these targets look past some edges.
template <class... Targets>
HWY_INLINE void look_past(const EdgesSeen& edges, const std::int32_t* which, std::size_t count,
                          Targets&... targets)
{
    const SeenLanes d;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t edge = which[i];
        const auto ax = hn::Set(d, edges.ax[edge]), ay = hn::Set(d, edges.ay[edge]);
        const auto bx = hn::Set(d, edges.bx[edge]), by = hn::Set(d, edges.by[edge]);
        const auto size = hn::Set(d, edges.size[edge]);
        (targets.look_past(ax, ay, bx, by, size), ...);
    }
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
