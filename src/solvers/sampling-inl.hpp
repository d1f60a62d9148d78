// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The velocity of least penalty among many tried ones, [RVO08] eq. (12):
//
//   penalty(v) = weight / (time to the first contact) + |preferred - v|.
//
// For when no velocity is free of contact, or when nobody wants to know the exact one. Candidates,
// in this order: the preferred velocity, shortened to the speed limit; the present one; zero;
// points spread over the speed disc. Of equal penalties the first wins.
//
// One agent at a time; a lane is a candidate. The answer does not depend on the number of lanes.
#if defined(SIDESTEP_SOLVERS_SAMPLING_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SOLVERS_SAMPLING_INL_HPP
#undef SIDESTEP_SOLVERS_SAMPLING_INL_HPP
#else
#define SIDESTEP_SOLVERS_SAMPLING_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "math/tolerances.hpp"
#include "sidestep/vec2.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// [s] Earlier contacts are no worse than this.
inline constexpr double kSoonestContact = 1e-3;

/// What one agent samples for. Velocities in m/s.
template <class T>
struct SampleQuery {
    Vec2<T> preferred;
    Vec2<T> now;
    T v_max;
    T reach;   // largest change of velocity, may be infinite
    T weight;  // [m], >= 0: a contact `weight` seconds away is as bad as 1 m/s off the preferred
               // one
    std::span<const sidestep::Vec2> points;  // of the unit disc (solvers/sunflower.hpp)
    bool about_now = false;  // they are spread over what can be reached, not over the speed disc
};

template <class T>
struct Sample {
    std::size_t index;  // 0 the preferred, 1 the present one, 2 zero, then the points
    Vec2<T> v;
    T penalty;
    T contact_time;  // [s], >= kSoonestContact, infinite where there is none
};

namespace sampling {

/// Candidate `index` of the list.
template <class T>
HWY_INLINE Vec2<T> candidate(const SampleQuery<T>& query, std::size_t index)
{
    const Vec2<T>& wish = query.preferred;
    if (index == 0) {
        const T speed = std::sqrt(wish.x * wish.x + wish.y * wish.y);
        if (!(speed > query.v_max)) return wish;
        const T scale = query.v_max / speed;
        return {wish.x * scale, wish.y * scale};
    }
    if (index == 1) return query.now;
    if (index == 2) return {T(0), T(0)};
    const sidestep::Vec2& point = query.points[index - 3];
    if (query.about_now)
        return {static_cast<T>(double{query.now.x} + double{query.reach} * point.x),
                static_cast<T>(double{query.now.y} + double{query.reach} * point.y)};
    return {static_cast<T>(double{query.v_max} * point.x),
            static_cast<T>(double{query.v_max} * point.y)};
}

}  // namespace sampling

/// The candidate of least penalty. contact_time(v) gives the time to the first contact [s] of the
/// velocities in the lanes of v, forbidden(v) the lanes that are not to be taken. Candidates beyond
/// the speed limit or the reach are dropped; where all are, the present velocity is the answer.
template <class D, class ContactTime, class Forbidden, class T = hn::TFromD<D>>
HWY_ATTR Sample<T> least_penalty(D d, const SampleQuery<T>& query, ContactTime contact_time,
                                 Forbidden forbidden)
{
    using V = hn::Vec<D>;
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t count = 3 + query.points.size();
    const V wish_x = hn::Set(d, query.preferred.x);
    const V wish_y = hn::Set(d, query.preferred.y);
    const V limit = hn::Set(d, query.v_max * (T(1) + Tolerances<T>::kSpeedRounding));
    const V soonest = hn::Set(d, static_cast<T>(kSoonestContact));
    alignas(64) T x[hn::MaxLanes(d)];
    alignas(64) T y[hn::MaxLanes(d)];
    alignas(64) T penalty[hn::MaxLanes(d)];
    alignas(64) T time[hn::MaxLanes(d)];
    const auto judge = [&](const Vec2<V>& v, V off) HWY_ATTR {
        const V t = hn::Max(contact_time(v), soonest);
        hn::Store(t, d, time);
        hn::Store(hn::Set(d, query.weight) / t + off, d, penalty);
    };

    Sample<T> best{1, query.now, kInfinity, kInfinity};
    for (std::size_t first = 0; first < count; first += lanes) {
        const std::size_t used = std::min(lanes, count - first);
        for (std::size_t l = 0; l < lanes; ++l) {
            const Vec2<T> v = sampling::candidate(query, first + std::min(l, used - 1));
            x[l] = v.x;
            y[l] = v.y;
        }
        const Vec2<V> v{hn::Load(d, x), hn::Load(d, y)};
        const V off = length(Vec2<V>{wish_x - v.x, wish_y - v.y});
        const V change = length(v - set2(d, query.now.x, query.now.y));
        auto counts = hn::And(length(v) <= limit, change <= hn::Set(d, query.reach));
        counts = hn::And(counts, off < hn::Set(d, best.penalty));  // contacts only add to it
        counts = hn::And(counts, hn::FirstN(d, used));
        if (hn::AllFalse(d, counts)) continue;
        counts = hn::AndNot(forbidden(v), counts);
        if (hn::AllFalse(d, counts)) continue;
        judge(v, off);
        const V all = hn::Load(d, penalty);
        hn::Store(hn::IfThenElse(counts, all, hn::Set(d, kInfinity)), d, penalty);
        for (std::size_t l = 0; l < used; ++l) {
            if (penalty[l] < best.penalty) best = {first + l, {x[l], y[l]}, penalty[l], time[l]};
        }
    }
    if (best.penalty == kInfinity) {
        const Vec2<V> now = set2(d, query.now.x, query.now.y);
        judge(now, length(Vec2<V>{wish_x - now.x, wish_y - now.y}));
        best = {1, query.now, penalty[0], time[0]};
    }
    return best;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
