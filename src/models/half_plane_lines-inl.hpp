// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Lines that a lane keeps to because of walls, and because of its own limits.
#if defined(SIDESTEP_MODELS_HALF_PLANE_LINES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_MODELS_HALF_PLANE_LINES_INL_HPP
#undef SIDESTEP_MODELS_HALF_PLANE_LINES_INL_HPP
#else
#define SIDESTEP_MODELS_HALF_PLANE_LINES_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "constraints/acceleration-inl.hpp"
#include "constraints/wall_lines-inl.hpp"
#include "models/half_plane_pairs-inl.hpp"
#include "models/wall_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Makes edges thin walls of their own in the lanes of `alone`. Together with its neighbours an
/// edge forbids more than a body could run into: the neighbour that cuts its leg short stands for a
/// ray, however short it is itself. By itself it forbids exactly what leads to it.
HWY_INLINE void stand_alone(FloatM alone, EdgeLanes<FloatLanes>& e)
{
    e.prev_dir = select(alone, -e.direction, e.prev_dir);
    e.next_dir = select(alone, -e.direction, e.next_dir);
    e.a_convex = hn::Or(alone, e.a_convex);
    e.b_convex = hn::Or(alone, e.b_convex);
}

/// Hard lines of the walls in reach, nearest edge first, [ORCA11] §5.4. They are made about the
/// velocity v itself, or in a retreat about `keep` times it, seen from the wall (0 leaves room for
/// standing still), in the lanes of `alone` (1 or 0) of each edge by itself.
inline void add_wall_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                           const float* keep, const float* alone, const std::uint32_t* hit_rows,
                           const std::size_t* hit_first, const std::size_t* hit_count,
                           LineRows& lines)
{
    std::size_t most = 0;
    alignas(64) float counts[kLeafRows] = {};
    for (std::size_t l = 0; l < lines.lanes; ++l) {
        most = std::max(most, hit_count[l]);
        counts[l] = static_cast<float>(hit_count[l]);
    }
    if (most == 0) return;

    const Vec2<FloatV> p = load2(d, lanes.x, lanes.y);
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    const FloatV r = hn::Load(d, lanes.wall_radius);
    const FloatV tau = hn::Load(d, lanes.wall_tau);
    const FloatV push_time = hn::Load(d, lanes.overlap_time);
    const FloatV kept = hn::Load(d, keep);
    const FloatM by_itself = load_mask(d, alone);
    const FloatM all_kept = hn::Eq(kept, hn::Set(d, 1.0f));
    for (std::size_t slot = 0; slot < most; ++slot) {
        const WallEdgeRow* edges[kLeafRows];
        for (std::size_t l = 0; l < hn::Lanes(d); ++l)
            edges[l] = &snapshot.walls.edges[hit_rows[hit_first[l] + slot]];
        const FloatM in_use = hn::Set(d, static_cast<float>(slot)) < hn::Load(d, counts);
        alignas(64) std::uint32_t walls[kLeafRows];
        EdgeLanes<FloatLanes> e = load_edges(d, edges, walls);
        if (HWY_UNLIKELY(!hn::AllFalse(d, by_itself))) stand_alone(by_itself, e);
        const LineColumns<float> made{lines.out.nx.data(), lines.out.ny.data(), lines.out.c.data(),
                                      lines.rows};
        const FloatM active = hn::AndNot(covered(d, e, p, r, tau, made), in_use);
        if (hn::AllFalse(d, active)) continue;
        const auto line =
            wall_line(d, e, p, select(all_kept, v, e.velocity + (v - e.velocity) * kept), r, tau,
                      push_time, active);
        if (hn::AllFalse(d, line.exists)) continue;
        lines.add_rows(d, line.exists, line.point, line.normal, Explanation::Source::wall,
                       hn::Load(FlagLanes(), walls));
    }
}

/// Soft lines that leave room to stop at the nearest walls: each as a standing point, the nearest
/// of an edge.
inline void add_wall_brake_lines(FloatLanes d, const Snapshot& snapshot, const Lanes& lanes,
                                 const std::uint32_t* hit_rows, const std::size_t* hit_first,
                                 const std::size_t* hit_count, LineRows& lines)
{
    std::size_t most = 0;
    for (std::size_t l = 0; l < lines.lanes; ++l)
        if (lanes.mode[l] == AccelerationMode::brake) most = std::max(most, hit_count[l]);
    for (std::size_t slot = 0; slot < std::min(most, kMostBrakeWalls); ++slot) {
        Others others;
        for (std::size_t l = 0; l < lines.lanes; ++l) {
            skip(lanes, others, l);
            if (slot >= hit_count[l] || lanes.mode[l] != AccelerationMode::brake) continue;
            const WallEdgeRow& edge = snapshot.walls.edges[hit_rows[hit_first[l] + slot]];
            const Point<float> at = nearest_point(edge.shape, lanes.x[l], lanes.y[l]);
            if (at.x == lanes.x[l] && at.y == lanes.y[l]) continue;  // no direction to brake in
            others.used[l] = true;
            others.x[l] = at.x;
            others.y[l] = at.y;
            others.vx[l] = edge.velocity.x;
            others.vy[l] = edge.velocity.y;
            others.radius[l] = 0.0f;
            others.id[l] = edge.wall;
            set_braking(lanes, l, 0.0f, others);
        }
        add_brake_lines(d, snapshot, lanes, lanes.wall_radius, others, Explanation::Source::wall,
                        lines);
    }
}

/// The ellipse of each lane as it is kept in floats.
HWY_INLINE ReachEllipse<FloatV> load_ellipses(FloatLanes d, const Lanes& lanes)
{
    return {load2(d, lanes.heading_x, lanes.heading_y), hn::Load(d, lanes.along),
            hn::Min(hn::Load(d, lanes.across), hn::Load(d, lanes.along))};
}

/// Hard lines of the ellipses of the lanes of `limited` (1 or 0) that have one.
inline void add_ellipse_lines(FloatLanes d, const Lanes& lanes, const float* limited,
                              LineRows& lines)
{
    const ReachEllipse<FloatV> ellipse = load_ellipses(d, lanes);
    const Vec2<FloatV> v = load2(d, lanes.vx, lanes.vy);
    // Twice what the program may overlook: lines are looked up at a scale of the speed limit.
    const FloatV scale =
        hn::Max(hn::Max(hn::Set(d, 1.0f), hn::Load(d, lanes.max_speed)), length(v));
    const FloatV spare = scale * hn::Set(d, 2.0f * Tolerances<float>::kViolation);
    for (std::size_t side = 0; side < kEllipseSides; ++side) {
        const HalfPlane<FloatV> plane = ellipse_side(d, v, ellipse, side, spare);
        StoredLines stored;
        stored.store(d, plane.point, plane.normal);
        for (std::size_t l = 0; l < lines.lanes; ++l) {
            if (limited[l] != 0.0f && lanes.across[l] < std::numeric_limits<float>::infinity())
                lines.add(l, stored.px[l], stored.py[l], stored.nx[l], stored.ny[l], kOwnLimit, 0);
        }
    }
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
