// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Forbidden regions of velocities as numbers: what the cones of constraints/ make and what the
// chooser of solvers/ keeps out of. A region is open and convex, and every kind has the same form:
// three half-planes and a disc. A velocity is inside where
//
//     n_k.v > c_k  for k = 0, 1, 2      or      |v - disc| < disc_r.
//
//   cone cut by a line    0, 1 the legs, 2 the cut                        no disc (disc_r = 0)
//   cone cut by a disc    0, 1 the legs, 2 the chord through the points   the disc
//                         where they touch it (no piece of the boundary)
//   infinite cone         0, 1 the legs, 2 holds everywhere               no disc
//   half-plane            0 its line, 1 and 2 hold everywhere             no disc
//   empty                 2 holds nowhere                                 no disc
#if defined(SIDESTEP_SIMD_REGION_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SIMD_REGION_INL_HPP
#undef SIDESTEP_SIMD_REGION_INL_HPP
#else
#define SIDESTEP_SIMD_REGION_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// c of an empty line (n = 0): n.v >= c everywhere. Negated it holds nowhere.
inline constexpr double kNoBound = -1e30;

/// One region per lane. Normals are unit vectors that point into the region, or 0.
template <class V>
struct Region {
    Vec2<V> n[3];
    V c[3];
    Vec2<V> disc;
    V disc_r;
};

/// Regions of `lanes` agents. A row is one region of each of them, its numbers side by side: those
/// of lane l of region i at [at(i, l)] of each column. Rows are aligned to a vector.
template <class T>
struct Regions {
    static constexpr std::size_t kColumns = 12;
    T* nx[3] = {};
    T* ny[3] = {};
    T* c[3] = {};
    T* disc_x = nullptr;
    T* disc_y = nullptr;
    T* disc_r = nullptr;
    std::size_t row_size = 0;

    Regions() = default;
    /// Cuts the columns from `storage` of at least kColumns * slots * lanes numbers.
    Regions(T* storage, std::size_t lanes) : row_size(kColumns * lanes)
    {
        for (std::size_t k = 0; k < 3; ++k) {
            nx[k] = storage + (3 * k) * lanes;
            ny[k] = storage + (3 * k + 1) * lanes;
            c[k] = storage + (3 * k + 2) * lanes;
        }
        disc_x = storage + 9 * lanes;
        disc_y = storage + 10 * lanes;
        disc_r = storage + 11 * lanes;
    }

    std::size_t at(std::size_t slot, std::size_t lane = 0) const { return slot * row_size + lane; }
};

/// No velocity is inside.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> empty_region(D d)
{
    using T = hn::TFromD<D>;
    const V everywhere = hn::Set(d, T(kNoBound));
    return {{zero2(d), zero2(d), zero2(d)},
            {everywhere, everywhere, hn::Neg(everywhere)},
            zero2(d),
            hn::Zero(d)};
}

/// Forbids { v : n.v < c }; n is a unit vector.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> half_plane_region(D d, const Vec2<V>& n, V c)
{
    using T = hn::TFromD<D>;
    const V everywhere = hn::Set(d, T(kNoBound));
    return {{-n, zero2(d), zero2(d)}, {hn::Neg(c), everywhere, everywhere}, zero2(d), hn::Zero(d)};
}

template <class M, class V>
HWY_INLINE Region<V> select(M mask, const Region<V>& yes, const Region<V>& no)
{
    return {{select(mask, yes.n[0], no.n[0]), select(mask, yes.n[1], no.n[1]),
             select(mask, yes.n[2], no.n[2])},
            {hn::IfThenElse(mask, yes.c[0], no.c[0]), hn::IfThenElse(mask, yes.c[1], no.c[1]),
             hn::IfThenElse(mask, yes.c[2], no.c[2])},
            select(mask, yes.disc, no.disc),
            hn::IfThenElse(mask, yes.disc_r, no.disc_r)};
}

// Written out: a loop over the lines would go through memory.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> load_region(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slot)
{
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    const auto* row = regions.nx[0] + regions.at(slot);
    const auto column = [&](std::size_t k) HWY_ATTR { return hn::Load(d, row + k * kLanes); };
    return {{{column(0), column(1)}, {column(3), column(4)}, {column(6), column(7)}},
            {column(2), column(5), column(8)},
            {column(9), column(10)},
            column(11)};
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE void store_region(D d, const Region<V>& r, const Regions<hn::TFromD<D>>& regions,
                             std::size_t slot)
{
    constexpr std::size_t kLanes = hn::MaxLanes(D());
    auto* row = regions.nx[0] + regions.at(slot);
    const auto store = [&](V v, std::size_t k) HWY_ATTR { hn::Store(v, d, row + k * kLanes); };
    store(r.n[0].x, 0);
    store(r.n[0].y, 1);
    store(r.c[0], 2);
    store(r.n[1].x, 3);
    store(r.n[1].y, 4);
    store(r.c[1], 5);
    store(r.n[2].x, 6);
    store(r.n[2].y, 7);
    store(r.c[2], 8);
    store(r.disc.x, 9);
    store(r.disc.y, 10);
    store(r.disc_r, 11);
}

/// The region of one lane in all lanes: for the many velocities that one agent tries.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Region<V> spread_region(D d, const Regions<hn::TFromD<D>>& regions, std::size_t slot,
                                   std::size_t lane)
{
    const std::size_t at = regions.at(slot, lane);
    Region<V> r;
    for (std::size_t k = 0; k < 3; ++k) {
        r.n[k] = set2(d, regions.nx[k][at], regions.ny[k][at]);
        r.c[k] = hn::Set(d, regions.c[k][at]);
    }
    r.disc = set2(d, regions.disc_x[at], regions.disc_y[at]);
    r.disc_r = hn::Set(d, regions.disc_r[at]);
    return r;
}

/// Lanes whose v is deeper than `depth` >= 0 [m/s] inside the region.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> inside_region(D d, const Region<V>& r, const Vec2<V>& v, V depth)
{
    const auto beyond = [&](std::size_t k) HWY_ATTR { return dot(r.n[k], v) - r.c[k] > depth; };
    const auto in_disc = hn::And(r.disc_r > hn::Zero(d), length(v - r.disc) < r.disc_r - depth);
    return hn::Or(in_disc, hn::And(beyond(0), hn::And(beyond(1), beyond(2))));
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
