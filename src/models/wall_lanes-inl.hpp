// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The walls in reach of the agents of a leaf, for all of them at once.
//
// One walk of the tree over wall edges for the box of the leaf. Of each eight edges those remain
// that come near the box and that somebody in it may face; each of these is then looked at by all
// lanes together and put into the list of those that it is in reach of. What comes out is what
// find_walls finds for each agent by itself, to the bit.
#if defined(SIDESTEP_MODELS_WALL_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_WALL_LANES_INL_HPP
#undef SIDESTEP_MODELS_WALL_LANES_INL_HPP
#else
#define SIDESTEP_MODELS_WALL_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "constraints/wall_lines-inl.hpp"
#include "models/half_plane_lanes-inl.hpp"
#include "neighbours/record_lanes-inl.hpp"
#include "simd/box_walk-inl.hpp"
#include "simd/pack-inl.hpp"
#include "simd/segment-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The walls in reach of each lane, nearest first: rows of edges at [first + i] in
/// WallScratch::leaf_rows. There are as many for each lane as for the one that has most: those
/// beyond its count are some edges or other.
struct WallHits {
    std::size_t first[kLeafRows];
    std::size_t count[kLeafRows];
};

/// How far [m] walls matter to lane l: within the horizon, and the way to a stop of one that brakes
/// in time.
HWY_INLINE float wall_reach(const Snapshot& snapshot, const Lanes& lanes, std::size_t l)
{
    const float horizon = lanes.wall_tau[l] * lanes.max_speed[l];
    const float braking = lanes.acceleration[l];
    if (lanes.mode[l] != AccelerationMode::brake ||
        !(braking < std::numeric_limits<float>::infinity()))
        return horizon + lanes.wall_radius[l];
    const float speed =
        std::sqrt(lanes.vx[l] * lanes.vx[l] + lanes.vy[l] * lanes.vy[l]) + braking * snapshot.dt;
    const float stop = speed * snapshot.dt + speed * speed / (2.0f * braking);
    return std::max(horizon, stop) + lanes.wall_radius[l];
}

/// Which of the edges from row `first` on, as many as there are lanes, are of this level, come
/// within `reach` of the box, and may be faced by somebody in it.
HWY_INLINE FloatM edges_near(FloatLanes d, const WallIndex& index, std::size_t first,
                             const Box& box, float level, float reach)
{
    const FloatV zero = hn::Zero(d);
    const Vec2<FloatV> a = load2(d, index.ax.data() + first, index.ay.data() + first);
    const Vec2<FloatV> b = load2(d, index.bx.data() + first, index.by.data() + first);
    const Vec2<FloatV> low = set2(d, box.min_x, box.min_y);
    const Vec2<FloatV> high = set2(d, box.max_x, box.max_y);
    const FloatV dx = hn::Max(hn::Max(hn::Min(a.x, b.x) - high.x, low.x - hn::Max(a.x, b.x)), zero);
    const FloatV dy = hn::Max(hn::Max(hn::Min(a.y, b.y) - high.y, low.y - hn::Max(a.y, b.y)), zero);
    const FloatM near = dx * dx + dy * dy <= hn::Set(d, reach * reach);
    // side_of at the corner where it is least: rounded differences and products grow with what they
    // are taken of, so that nobody in the box gets less.
    const Vec2<FloatV> edge = b - a;
    const Vec2<FloatV> from = select(load_mask(d, index.second_copy.data() + first), b, a);
    const Vec2<FloatV> corner{hn::IfThenElse(edge.y > zero, high.x, low.x),
                              hn::IfThenElse(edge.x > zero, low.y, high.y)};
    const FloatM faced = det(edge, corner - from) <= zero;
    const FloatM here = hn::Load(d, index.level.data() + first) == hn::Set(d, level);
    return hn::And(here, hn::And(near, faced));
}

/// Lists of all lanes, in the order (distance, rank); places that a lane does not use are
/// infinitely far.
struct LaneLists {
    float* dist_sq;
    std::int32_t* rank;
    std::size_t rows = 0;

    HWY_INLINE void insert(FloatLanes d, FloatV dist, std::int32_t its_rank)
    {
        const hn::RebindToSigned<FloatLanes> di;
        auto carried = hn::Set(di, its_rank);
        const std::size_t lanes = hn::Lanes(d);
        for (std::size_t i = 0; i < rows; ++i) {
            const FloatV there = hn::Load(d, dist_sq + i * lanes);
            const auto rank_there = hn::Load(di, rank + i * lanes);
            const FloatM before = hn::Or(
                dist < there, hn::And(dist == there, hn::RebindMask(d, carried < rank_there)));
            const auto ranks_before = hn::RebindMask(di, before);
            hn::Store(hn::IfThenElse(before, dist, there), d, dist_sq + i * lanes);
            hn::Store(hn::IfThenElse(ranks_before, carried, rank_there), di, rank + i * lanes);
            dist = hn::IfThenElse(before, there, dist);
            carried = hn::IfThenElse(ranks_before, rank_there, carried);
        }
        if (hn::AllFalse(d, dist < hn::Set(d, std::numeric_limits<float>::infinity()))) return;
        hn::Store(dist, d, dist_sq + rows * lanes);
        hn::Store(carried, di, rank + rows * lanes);
        ++rows;
    }
};

/// Those who look for walls, and what they see of an edge.
struct WallSeekers {
    const float *ax, *ay, *bx, *by, *second_copy, *speed;
    const std::int32_t* rank;
    Vec2<FloatV> p;
    FloatV reach, horizon;
    FloatM alive;

    HWY_INLINE WallSeekers(FloatLanes d, const WallIndex& index, const Lanes& lanes, FloatV reaches)
        : ax(index.ax.data()),
          ay(index.ay.data()),
          bx(index.bx.data()),
          by(index.by.data()),
          second_copy(index.second_copy.data()),
          speed(index.speed.data()),
          rank(index.rank.data()),
          p(load2(d, lanes.x, lanes.y)),
          reach(reaches),
          horizon(hn::Load(d, lanes.wall_tau)),
          alive(load_mask(d, lanes.alive))
    {}

    /// Puts an edge into the lists of those who face it and have it in reach; adds 1 to `count`
    /// for each of them. The same operations as dist_sq and faces.
    HWY_INLINE void look_at(FloatLanes d, std::size_t row, LaneLists& lists, FloatV& count) const
    {
        const FloatV zero = hn::Zero(d);
        const Vec2<FloatV> a = set2(d, ax[row], ay[row]);
        const Vec2<FloatV> b = set2(d, bx[row], by[row]);
        const bool second = second_copy[row] != 0.0f;
        const FloatV side = det(b - a, p - (second ? b : a));
        const FloatM faced = second ? side < zero : side <= zero;
        const FloatV dist_sq = segment_dist_sq(d, a, b, p);
        const FloatV far = reach + horizon * hn::Set(d, speed[row]);
        const FloatM hit = hn::And(hn::And(alive, faced), dist_sq <= far * far);
        if (hn::AllFalse(d, hit)) return;
        count = count + hn::IfThenElseZero(hit, hn::Set(d, 1.0f));
        const FloatV beyond = hn::Set(d, std::numeric_limits<float>::infinity());
        lists.insert(d, hn::IfThenElse(hit, dist_sq, beyond), rank[row]);
    }
};

/// Reach [m] of the lanes; nothing of those that hold nobody.
HWY_INLINE FloatV wall_reaches(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes)
{
    const FloatM alive = load_mask(d, lanes.alive);
    if (HWY_LIKELY(!lanes.any_brake)) {
        const FloatV horizon = hn::Load(d, lanes.wall_tau) * hn::Load(d, lanes.max_speed);
        return hn::IfThenElseZero(alive, horizon + hn::Load(d, lanes.wall_radius));
    }
    alignas(64) float reach[kLeafRows] = {};
    for (std::size_t l = 0; l < hn::Lanes(d); ++l)
        if (lanes.alive[l] != 0.0f) reach[l] = wall_reach(snapshot, lanes, l);
    return hn::Load(d, reach);
}

HWY_INLINE float least_of(FloatLanes d, FloatV v)
{
    return hn::GetLane(hn::MinOfLanes(d, v));
}

HWY_INLINE float most_of(FloatLanes d, FloatV v)
{
    return hn::GetLane(hn::MaxOfLanes(d, v));
}

/// The box of those who are there.
HWY_INLINE Box box_of(FloatLanes d, const Lanes& lanes)
{
    const FloatM alive = load_mask(d, lanes.alive);
    const Vec2<FloatV> p = load2(d, lanes.x, lanes.y);
    const FloatV none = hn::Set(d, kEmptyBox.min_x);
    const Vec2<FloatV> low = select(alive, p, {none, none});
    const Vec2<FloatV> high = select(alive, p, {hn::Neg(none), hn::Neg(none)});
    return {least_of(d, low.x), least_of(d, low.y), most_of(d, high.x), most_of(d, high.y)};
}

inline WallHits find_lane_walls(const Snapshot& snapshot, std::uint16_t level, const Lanes& lanes,
                                std::size_t lane_count, WallScratch& scratch)
{
    constexpr float kMargin = 1e-3f;  // [m], far above all rounding here
    const FloatLanes d;
    const hn::RebindToSigned<FloatLanes> di;
    const WallIndex& index = snapshot.walls;
    WallHits hits;
    FloatV count = hn::Zero(d);
    LaneLists lists{scratch.lane_dist_sq.data(), scratch.lane_rank.data()};
    if (index.size() > 0) {
        const FloatV reach = wall_reaches(d, snapshot, lanes);
        const FloatM alive = load_mask(d, lanes.alive);
        const float horizon = most_of(d, hn::IfThenElseZero(alive, hn::Load(d, lanes.wall_tau)));
        const float around = most_of(d, reach) + horizon * index.top_speed + kMargin;
        const float around_sq = around * around;
        const Box box = box_of(d, lanes);
        const WallSeekers seekers(d, index, lanes, reach);
        PackedNumbers<FloatLanes> near;
        const auto look_at = [&](std::size_t row)
                                 HWY_ATTR { seekers.look_at(d, row, lists, count); };
        walk_near(index.tree, box, 0.0f, level, around_sq, [&](std::size_t leaf) HWY_ATTR {
            for (std::size_t first = leaf * 8; first < leaf * 8 + 8; first += hn::Lanes(d)) {
                if (HWY_UNLIKELY(near.is_full())) near.empty_into(look_at);
                near.add(d, edges_near(d, index, first, box, static_cast<float>(level), around),
                         first);
            }
        });
        near.empty_into(look_at);
    }
    alignas(64) std::int32_t counts[kLeafRows];
    hn::Store(hn::ConvertTo(di, count), di, counts);

    std::uint32_t* out = scratch.leaf_rows.data();
    const std::uint32_t* row_of_rank = index.row_of_rank.data();
    for (std::size_t l = 0; l < lane_count; ++l) {
        hits.first[l] = l * lists.rows;
        hits.count[l] = static_cast<std::size_t>(counts[l]);
        for (std::size_t i = 0; i < lists.rows; ++i)
            *out++ = row_of_rank[lists.rank[i * lane_count + l]];
    }
    return hits;
}

// An edge is read as two times eight floats: ax ay bx by, direction, previous direction | next
// direction, flags, velocity, wall, number, level.
static_assert(offsetof(WallEdgeRow, shape) == 0 && offsetof(WallEdge<float>, prev_dir) == 24 &&
              offsetof(WallEdge<float>, next_dir) == 32 &&
              offsetof(WallEdge<float>, a_convex) == 40 &&
              offsetof(WallEdge<float>, b_convex) == 41 &&
              offsetof(WallEdge<float>, second_copy) == 42 &&
              offsetof(WallEdgeRow, velocity) == 44 && offsetof(WallEdgeRow, wall) == 52);

#if HWY_TARGET != HWY_SCALAR

/// Eight floats of an edge as columns.
struct EdgeColumns {
    FloatV c0, c1, c2, c3, c4, c5, c6, c7;
};

/// Those from the `first` on, 0 or 8.
HWY_INLINE EdgeColumns load_columns(FloatLanes d, const WallEdgeRow* const* edges,
                                    std::size_t first)
{
    const auto load = [&](std::size_t l, std::size_t more) HWY_ATTR {
        return hn::Load(d, reinterpret_cast<const float*>(edges[l]) + first + more);
    };
    FloatV a = load(0, 0), b = load(1, 0), c = load(2, 0), e = load(3, 0);
    transpose4(d, a, b, c, e);
    if constexpr (hn::MaxLanes(d) == 8) {
        FloatV f = load(4, 0), g = load(5, 0), h = load(6, 0), i = load(7, 0);
        transpose4(d, f, g, h, i);
        return {hn::ConcatLowerLower(d, f, a), hn::ConcatLowerLower(d, g, b),
                hn::ConcatLowerLower(d, h, c), hn::ConcatLowerLower(d, i, e),
                hn::ConcatUpperUpper(d, f, a), hn::ConcatUpperUpper(d, g, b),
                hn::ConcatUpperUpper(d, h, c), hn::ConcatUpperUpper(d, i, e)};
    } else {
        static_assert(hn::MaxLanes(d) == 4 || hn::MaxLanes(d) == 8);
        FloatV f = load(0, 4), g = load(1, 4), h = load(2, 4), i = load(3, 4);
        transpose4(d, f, g, h, i);
        return {a, b, c, e, f, g, h, i};
    }
}

#endif

/// One edge per lane, all of them valid pointers; `walls` gets the index of its wall.
HWY_INLINE EdgeLanes<FloatLanes> load_edges(FloatLanes d, const WallEdgeRow* const* edges,
                                            std::uint32_t* walls)
{
#if HWY_TARGET == HWY_SCALAR
    walls[0] = edges[0]->wall;
    return broadcast_edge(d, edges[0]->shape, edges[0]->velocity);
#else
    const FlagLanes du;
    const EdgeColumns low = load_columns(d, edges, 0);
    const EdgeColumns high = load_columns(d, edges, 8);
    const FlagV flags = hn::BitCast(du, high.c2);
    const auto flag = [&](std::uint32_t bits) HWY_ATTR {
        return hn::RebindMask(d, hn::Ne(hn::And(flags, hn::Set(du, bits)), hn::Zero(du)));
    };
    hn::Store(hn::BitCast(du, high.c5), du, walls);
    return {{low.c0, low.c1},  {low.c2, low.c3},   {low.c4, low.c5},
            {low.c6, low.c7},  {high.c0, high.c1}, {high.c3, high.c4},
            flag(0x000000ffu), flag(0x0000ff00u),  flag(0x00ff0000u)};
#endif
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
