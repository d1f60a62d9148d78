// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// Collisions of a walker that does not take a velocity at once (acceleration velocity obstacles).
//
// Told to walk at v', it has moved by g v + k v' after a time t (constraints/response.hpp). It
// collides where |P - g x - k x'| < R for some t <= tau, x and x' the relative velocities now and
// told. For delta -> 0 that is the velocity obstacle VO^tau. The set has no simple boundary, so
// times are sampled: a contact between two of them may be missed.
#if defined(SIDESTEP_CONSTRAINTS_FIRST_ORDER_RESPONSE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_CONSTRAINTS_FIRST_ORDER_RESPONSE_INL_HPP
#undef SIDESTEP_CONSTRAINTS_FIRST_ORDER_RESPONSE_INL_HPP
#else
#define SIDESTEP_CONSTRAINTS_FIRST_ORDER_RESPONSE_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include "constraints/response.hpp"
#include "constraints/velocity_obstacle-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Times at which a response is looked at: every 16 ms of a horizon of 2 s, in which two walkers
/// come 4 cm closer.
inline constexpr std::size_t kResponseTimes = 128;

/// The sampled times of one walker [s], and what it has moved by then.
struct ResponseTable {
    alignas(64) float t[kResponseTimes];
    alignas(64) float told[kResponseTimes];  ///< k: metres per m/s of the velocity it was told
    alignas(64) float kept[kResponseTimes];  ///< g: the same, of the velocity it had
};

/// Times in (0, tau], the same bits everywhere.
inline void fill_response(float tau, float delta, ResponseTable& table)
{
    for (std::size_t i = 0; i < kResponseTimes; ++i) {
        const double t = double{tau} * static_cast<double>(i + 1) / double{kResponseTimes};
        const Response moved = response_after(t, double{delta});
        table.t[i] = static_cast<float>(t);
        table.told[i] = static_cast<float>(moved.told);
        table.kept[i] = static_cast<float>(moved.kept);
    }
}

/// Where the other's centre is, seen from the walker, once it has moved by `kept` [s] times its
/// velocity and `told` [s] times the one it was told; x and x_told are the relative velocities
/// [m/s].
template <class V>
HWY_INLINE Vec2<V> gap_after(const Vec2<V>& rel_pos, const Vec2<V>& x, V kept,
                             const Vec2<V>& x_told, V told)
{
    return rel_pos - x * kept - x_told * told;
}

/// The first sampled time [s] at which discs overlap that are apart now, when the relative velocity
/// is `pair.rel_vel` and the one told (told_vx, told_vy) [m/s]; infinite where there is none. A
/// lane is a time.
template <class D>
HWY_INLINE float first_contact(D d, const Pair<float>& pair, const ResponseTable& table,
                               float told_vx, float told_vy)
{
    using V = hn::Vec<D>;
    const Vec2<V> p = set2(d, pair.rel_pos.x, pair.rel_pos.y);
    const Vec2<V> x = set2(d, pair.rel_vel.x, pair.rel_vel.y);
    const Vec2<V> told = set2(d, told_vx, told_vy);
    const V radius_sq = hn::Set(d, pair.radius * pair.radius);
    for (std::size_t i = 0; i < kResponseTimes; i += hn::Lanes(d)) {
        const Vec2<V> off =
            gap_after(p, x, hn::Load(d, table.kept + i), told, hn::Load(d, table.told + i));
        const std::intptr_t first = hn::FindFirstTrue(d, length_sq(off) < radius_sq);
        if (first >= 0) return table.t[i + static_cast<std::size_t>(first)];
    }
    return std::numeric_limits<float>::infinity();
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
