// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0

// The velocity nearest to the preferred one that keeps to half-planes and discs, [ORCA11] §5.1-5.3.
//
//   minimise |v - v_pref|   subject to   n_i.v >= c_i,   |v| <= v_max,   |v - centre| <= reach.
//
// When not everything fits, the answer is defined in three stages and does not depend on the order
// of lines:
//   (i)   the smallest t_hard >= 0 with which hard lines, moved back by t_hard, meet the discs;
//   (ii)  with those, the smallest t_soft >= 0 for the soft lines;
//   (iii) among what is left, the v nearest to v_pref.
// [ORCA11] §5.3 stops before (iii) and returns any minimiser of (ii), which jumps where lines are
// parallel.
//
// How: `walk` adds line after line to the optimum so far. Where a line is violated the new optimum
// is on its boundary, so that a one-dimensional problem clipped by the discs and the earlier lines
// is left. An empty clip means infeasible. `least_violation` is the same idea one dimension up, in
// (v, t): a line violated by more than t is tight at the new optimum, t = c_i - n_i.v; eliminating
// t turns each earlier line j into the bisector (n_j - n_i).v >= c_j - c_i, and a walk with the
// objective n_i.v remains.
//
// One lane is one agent. A row is skipped where no lane violates it, and lanes that are finished
// are masked out: what a lane returns does not depend on its neighbours. Nothing is allocated.
#if defined(SIDESTEP_SOLVERS_PROGRAM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SIDESTEP_SOLVERS_PROGRAM_INL_HPP
#undef SIDESTEP_SOLVERS_PROGRAM_INL_HPP
#else
#define SIDESTEP_SOLVERS_PROGRAM_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "math/tolerances.hpp"
#include "simd/region-inl.hpp"
#include "simd/rows-inl.hpp"
#include "simd/vec2-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sidestep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Lines n.v >= c of Lanes(d) agents in columns: line i of lane l at [i * Lanes(d) + l], rows
/// aligned to a vector. n is a unit vector, or 0 for an empty line with c = kNoBound.
template <class T>
struct ProgramLines {
    const T* nx = nullptr;
    const T* ny = nullptr;
    const T* c = nullptr;
};

/// Working columns of the program, each of at least `slots` rows of Lanes(d), aligned to a vector.
template <class T>
struct ProgramScratch {
    static constexpr std::size_t kColumns = 5;
    T* c = nullptr;   // relaxed bounds
    T* nx = nullptr;  // bisectors
    T* ny = nullptr;
    T* bound = nullptr;
    T* slack = nullptr;  // how far each bisector may be violated

    ProgramScratch() = default;
    /// Cuts the columns from `storage` of at least kColumns * slots * lanes numbers.
    ProgramScratch(T* storage, std::size_t slots, std::size_t lanes)
        : c(storage),
          nx(storage + slots * lanes),
          ny(storage + 2 * slots * lanes),
          bound(storage + 3 * slots * lanes),
          slack(storage + 4 * slots * lanes)
    {}
};

/// The discs no stage gives up: speed about 0, and in the lanes of `has_reach` the velocities that
/// the acceleration limit allows, about `centre` (the current velocity). Radii >= 0 [m/s]; `reach`
/// may be infinite in lanes without has_reach.
template <class D>
struct Discs {
    using V = hn::Vec<D>;
    V v_max;
    Vec2<V> centre;
    V reach;
    hn::Mask<D> has_reach;
};

template <class D>
struct ProgramResult {
    using V = hn::Vec<D>;
    Vec2<V> v;            // [m/s]
    V t_hard;             // how far hard lines had to move back [m/s]
    V t_soft;             // the same for soft lines
    hn::Mask<D> relaxed;  // not everything could be kept
    hn::Mask<D>
        discs_apart;  // the discs do not meet: v brakes as hard as it may, lines were ignored
};

/// Rows for `walk`: as ProgramLines, with a slack per row (slack_step = Lanes) or one for all (0).
template <class T>
struct ProgramRows {
    const T* nx;
    const T* ny;
    const T* c;
    const T* slack;
    std::size_t slack_step;
};

/// What a walk optimises: the v nearest to `target`, or the v farthest along `target`.
enum class Aim { nearest, farthest };

namespace program {

template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> none(D d)
{
    return hn::Lt(hn::Zero(d), hn::Zero(d));
}

/// Lanes with |offset| <= radius, up to the rounding of a point computed on the circle.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> within(D d, const Vec2<V>& offset, V radius)
{
    using T = hn::TFromD<D>;
    return length_sq(offset) <= sq(radius) * hn::Set(d, T(1) + 4 * Tolerances<T>::kOnCircle);
}

/// a moved to the circle of this radius about 0 where it is outside.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> shrink_to(D d, const Vec2<V>& a, V radius)
{
    const V len = length(a);
    const auto outside = len > radius;
    if (HWY_LIKELY(hn::AllFalse(d, outside))) return a;
    return select(outside, a * divide_or_zero(d, radius, len), a);
}

/// Of the two corners of the lens between the discs, the one to prefer; corner = a e +- h left(e),
/// e from 0 to the centre of the other disc.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> lens_corner(D d, const Discs<D>& discs, const Vec2<V>& target, Aim aim)
{
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const V dist = length(discs.centre);
    const Vec2<V> e = unit_or_zero(d, discs.centre);
    const V power = (discs.v_max - discs.reach) * (discs.v_max + discs.reach);
    const V a_raw = (dist + divide_or_zero(d, power, dist)) * hn::Set(d, T(0.5));
    const V a = hn::Min(hn::Max(a_raw, hn::Neg(discs.v_max)), discs.v_max);
    const V h = hn::Sqrt(hn::Max((discs.v_max - a) * (discs.v_max + a), zero));
    const Vec2<V> one = e * a + left(e) * h;
    const Vec2<V> other = e * a - left(e) * h;
    const auto take_one = aim == Aim::nearest ? length_sq(one - target) <= length_sq(other - target)
                                              : dot(one, target) >= dot(other, target);
    return select(take_one, one, other);
}

/// Optimum over the discs alone. For Aim::farthest `target` is a unit vector.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> disc_optimum(D d, const Discs<D>& discs, const Vec2<V>& target, Aim aim)
{
    const Vec2<V> in_speed =
        aim == Aim::nearest ? shrink_to(d, target, discs.v_max) : target * discs.v_max;
    if (hn::AllFalse(d, discs.has_reach)) return in_speed;
    const Vec2<V> in_reach = aim == Aim::nearest
                                 ? discs.centre + shrink_to(d, target - discs.centre, discs.reach)
                                 : discs.centre + target * discs.reach;
    const auto speed_serves =
        hn::Or(hn::Not(discs.has_reach), within(d, in_speed - discs.centre, discs.reach));
    const auto reach_serves = within(d, in_reach, discs.v_max);
    if (HWY_LIKELY(hn::AllTrue(d, hn::Or(speed_serves, reach_serves))))
        return select(speed_serves, in_speed, in_reach);
    const Vec2<V> corner = lens_corner(d, discs, target, aim);
    return select(speed_serves, in_speed, select(reach_serves, in_reach, corner));
}

/// Half the length of a chord, and the square of that, which is negative where there is none.
template <class V>
struct HalfChord {
    V half, half_sq;
};

/// Of a line at distance `offset` from the centre of a disc.
template <class D, class V = hn::Vec<D>>
HWY_INLINE HalfChord<V> half_chord(D d, V offset, V radius)
{
    const V half_sq = (radius - offset) * (radius + offset);
    return {hn::Sqrt(hn::Max(half_sq, hn::Zero(d))), half_sq};
}

/// Part of the line { c n + t right(n) } that is inside a disc: from low to high, and whether any.
template <class D, class V = hn::Vec<D>>
struct Chord {
    V low;
    V high;
    hn::Mask<D> meets;
};

/// The chord about t = mid.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Chord<D> chord(D d, const HalfChord<V>& chord, V mid)
{
    return {mid - chord.half, mid + chord.half, chord.half_sq >= hn::Zero(d)};
}

/// Clips to a disc whose centre is at distance `offset` behind the line and at t = mid along it.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Chord<D> chord(D d, V offset, V mid, V radius)
{
    return chord(d, half_chord(d, offset, radius), mid);
}

/// What is left of the line { c n + t along } of each lane, t in [low, high]; `blocked` [1 or 0]
/// where a parallel line leaves nothing.
template <class V>
struct Section {
    V low, high, blocked;
};

/// A line that is clipped.
template <class V>
struct Cut {
    Vec2<V> n, along;
    V c, slack;
};

/// Clips it by row j; where D holds several rows, by as many from j on.
template <class D, class T, class V = hn::Vec<D>>
HWY_INLINE void clip(D d, const ProgramRows<T>& rows, std::size_t lanes, std::size_t j,
                     const Cut<V>& line, V gap, Section<V>& section)
{
    const V zero = hn::Zero(d);
    const V one = hn::Set(d, T(1));
    const std::size_t at = j * lanes;
    const Vec2<V> m{hn::LoadU(d, rows.nx + at), hn::LoadU(d, rows.ny + at)};
    const V slope = dot(line.along, m);  // sine of the angle between the lines
    const V missing = hn::LoadU(d, rows.c + at) - line.c * dot(line.n, m);
    const auto parallel = hn::Abs(slope) < hn::Set(d, Tolerances<T>::kParallelSine);
    const V crossing = missing / hn::IfThenElse(parallel, one, slope);
    const auto bounds_low = hn::AndNot(parallel, slope > zero);
    const auto bounds_high = hn::AndNot(parallel, slope < zero);
    section.low = hn::IfThenElse(bounds_low, hn::Max(section.low, crossing), section.low);
    section.high = hn::IfThenElse(bounds_high, hn::Min(section.high, crossing), section.high);
    if (rows.slack_step != 0) gap = line.slack + hn::LoadU(d, rows.slack + j * rows.slack_step);
    section.blocked = hn::IfThenElse(hn::And(parallel, missing > gap), one, section.blocked);
}

/// Clips it by the rows before row i.
template <class D, class T, class V = hn::Vec<D>>
HWY_INLINE void clip_by_earlier(D d, const ProgramRows<T>& rows, std::size_t i, const Cut<V>& line,
                                Section<V>& section)
{
    using DR = Rows<D>;
    using VR = hn::Vec<DR>;
    constexpr std::size_t kAtOnce = kRowsAtOnce<D>;
    const std::size_t lanes = hn::Lanes(d);
    const V gap = line.slack + hn::Load(d, rows.slack);  // of all rows, if it is that of one
    std::size_t j = 0;
    if constexpr (kAtOnce > 1) {
        constexpr std::size_t kWorthIt = 4;
        if (i >= kWorthIt) {
            const DR dr;
            const auto both = [&](V v) HWY_ATTR { return repeat(dr, v); };
            const Cut<VR> lines{{both(line.n.x), both(line.n.y)},
                                {both(line.along.x), both(line.along.y)},
                                both(line.c),
                                both(line.slack)};
            const VR gaps = both(gap);
            Section<VR> of_rows{both(section.low), both(section.high), both(section.blocked)};
            for (; j + kAtOnce <= i; j += kAtOnce) clip(dr, rows, lanes, j, lines, gaps, of_rows);
            const auto least = [](V a, V b) HWY_ATTR { return hn::Min(a, b); };
            const auto most = [](V a, V b) HWY_ATTR { return hn::Max(a, b); };
            section = {fold_rows(d, of_rows.low, most), fold_rows(d, of_rows.high, least),
                       fold_rows(d, of_rows.blocked, most)};
        }
    }
    for (; j < i; ++j) clip(d, rows, lanes, j, line, gap, section);
}

}  // namespace program

/// Outcome of a walk: lanes whose rows have no common point within the discs, and the row they
/// failed at.
template <class D>
struct WalkResult {
    hn::Mask<D> failed;
    hn::Vec<D> row;
};

/// Walks rows [0, count) in the `active` lanes. v comes in as the optimum over the discs and goes
/// out as the optimum over all rows, or over the rows before the one that failed.
template <Aim kAim, class D, class V = hn::Vec<D>>
HWY_ATTR WalkResult<D> walk(D d, const ProgramRows<hn::TFromD<D>>& rows, std::size_t count,
                            const Discs<D>& discs, const Vec2<V>& target, Vec2<V>& v,
                            hn::Mask<D> active)
{
    using T = hn::TFromD<D>;
    const std::size_t lanes = hn::Lanes(d);
    const V zero = hn::Zero(d);
    const V far = hn::Set(d, T(-kNoBound));
    const bool any_reach = !hn::AllFalse(d, discs.has_reach);
    WalkResult<D> result{program::none(d), zero};
    if (count == 0) return result;

    // Chords of the speed disc are asked for a row ahead, wanted or not: whether a row is violated
    // cannot be foreseen, and a root would be waited for each time.
    const auto speed_chord_of = [&](std::size_t i) HWY_ATTR {
        return program::half_chord(d, hn::Load(d, rows.c + i * lanes), discs.v_max);
    };
    program::HalfChord<V> ahead = speed_chord_of(0);
    for (std::size_t i = 0; i < count; ++i) {
        const auto speed_chord = program::chord(d, ahead, zero);
        if (i + 1 < count) ahead = speed_chord_of(i + 1);
        const Vec2<V> n{hn::Load(d, rows.nx + i * lanes), hn::Load(d, rows.ny + i * lanes)};
        const V c = hn::Load(d, rows.c + i * lanes);
        const V slack = hn::Load(d, rows.slack + i * rows.slack_step);
        const auto violated = hn::And(active, dot(n, v) - c < hn::Neg(slack));
        if (hn::AllFalse(d, violated)) continue;

        const Vec2<V> along = right(n);
        V low = speed_chord.low;
        V high = speed_chord.high;
        auto open = speed_chord.meets;
        if (any_reach) {
            const auto reach_chord =
                program::chord(d, c - dot(n, discs.centre), dot(along, discs.centre), discs.reach);
            low = hn::IfThenElse(discs.has_reach, hn::Max(low, reach_chord.low), low);
            high = hn::IfThenElse(discs.has_reach, hn::Min(high, reach_chord.high), high);
            open = hn::And(open, hn::Or(hn::Not(discs.has_reach), reach_chord.meets));
        }
        program::Section<V> section{low, high, zero};
        program::clip_by_earlier(d, rows, i, {n, along, c, slack}, section);
        low = section.low;
        high = section.high;
        open = hn::And(open, hn::And(hn::Eq(section.blocked, zero), low <= high));

        const V wish = kAim == Aim::nearest
                           ? dot(along, target)
                           : hn::IfThenElse(dot(along, target) > zero, far, hn::Neg(far));
        const V t = hn::Max(low, hn::Min(wish, high));
        v = select(hn::And(violated, open), n * c + along * t, v);
        const auto fails = hn::AndNot(open, violated);
        result.failed = hn::Or(result.failed, fails);
        result.row = hn::IfThenElse(fails, hn::Set(d, static_cast<T>(i)), result.row);
        active = hn::AndNot(fails, active);
    }
    return result;
}

namespace program {

/// Largest violation of lines [begin, end) at v, at least 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V worst_violation(D d, const ProgramLines<hn::TFromD<D>>& lines, const hn::TFromD<D>* c,
                             std::size_t begin, std::size_t end, const Vec2<V>& v)
{
    const std::size_t lanes = hn::Lanes(d);
    V worst = hn::Zero(d);
    for (std::size_t i = begin; i < end; ++i) {
        const Vec2<V> n{hn::Load(d, lines.nx + i * lanes), hn::Load(d, lines.ny + i * lanes)};
        worst = hn::Max(worst, hn::Load(d, c + i * lanes) - dot(n, v));
    }
    return worst;
}

/// Bisector of a line (its n, c) with line j, or with as many as D has rows from j on, into the
/// scratch rows of the same numbers.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void make_bisector(D d, const ProgramLines<hn::TFromD<D>>& lines,
                              const ProgramScratch<hn::TFromD<D>>& scratch, std::size_t at,
                              const Vec2<V>& n_i, V c_i, V slack)
{
    using T = hn::TFromD<D>;
    const Vec2<V> n_j{hn::LoadU(d, lines.nx + at), hn::LoadU(d, lines.ny + at)};
    const Vec2<V> n = n_j - n_i;
    const V len = length(n);
    const auto same = len <= hn::Set(d, Tolerances<T>::kDegenerate);
    const V scale = hn::IfThenZeroElse(same, divide_or_zero(d, hn::Set(d, T(1)), len));
    const V bound = hn::Max((hn::LoadU(d, scratch.c + at) - c_i) * scale, hn::Set(d, T(kNoBound)));
    hn::StoreU(n.x * scale, d, scratch.nx + at);
    hn::StoreU(n.y * scale, d, scratch.ny + at);
    hn::StoreU(hn::IfThenElse(same, hn::Set(d, T(kNoBound)), bound), d, scratch.bound + at);
    hn::StoreU(slack * scale, d, scratch.slack + at);
}

/// Bisectors of line i with lines [begin, i). A row is divided by its length, and its slack too, so
/// that slack stays in units of t: nearly equal lines, whose bisector is ill-defined, may be
/// violated by much without changing t.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void make_bisectors(D d, const ProgramLines<hn::TFromD<D>>& lines,
                               const ProgramScratch<hn::TFromD<D>>& scratch, std::size_t begin,
                               std::size_t i, V slack)
{
    const std::size_t lanes = hn::Lanes(d);
    const Vec2<V> n_i{hn::Load(d, lines.nx + i * lanes), hn::Load(d, lines.ny + i * lanes)};
    const V c_i = hn::Load(d, scratch.c + i * lanes);
    constexpr std::size_t kAtOnce = kRowsAtOnce<D>;
    std::size_t j = begin;
    if constexpr (kAtOnce > 1) {
        const Rows<D> dr;
        const Vec2<hn::Vec<Rows<D>>> both_n{repeat(dr, n_i.x), repeat(dr, n_i.y)};
        for (; j + kAtOnce <= i; j += kAtOnce)
            make_bisector(dr, lines, scratch, j * lanes, both_n, repeat(dr, c_i),
                          repeat(dr, slack));
    }
    for (; j < i; ++j) make_bisector(d, lines, scratch, j * lanes, n_i, c_i, slack);
}

/// Smallest t with which lines [begin, end), moved back by t, meet the discs and the fixed lines
/// [0, begin), in the `active` lanes. v comes in inside the discs and the fixed lines and keeps
/// lines [begin, first_row); it goes out as a minimiser. Bounds are those of scratch.c.
template <class D, class V = hn::Vec<D>>
HWY_ATTR V least_violation(D d, const ProgramLines<hn::TFromD<D>>& lines,
                           const ProgramScratch<hn::TFromD<D>>& scratch, std::size_t begin,
                           std::size_t end, V first_row, const Discs<D>& discs, V scale, Vec2<V>& v,
                           hn::Mask<D> active)
{
    using T = hn::TFromD<D>;
    const std::size_t lanes = hn::Lanes(d);
    const V slack = scale * hn::Set(d, Tolerances<T>::kMinimax);
    for (std::size_t j = 0; j < begin; ++j) {
        const std::size_t at = j * lanes;
        hn::Store(hn::Load(d, lines.nx + at), d, scratch.nx + at);
        hn::Store(hn::Load(d, lines.ny + at), d, scratch.ny + at);
        hn::Store(hn::Load(d, scratch.c + at), d, scratch.bound + at);
        hn::Store(slack, d, scratch.slack + at);
    }
    const ProgramRows<T> rows{scratch.nx, scratch.ny, scratch.bound, scratch.slack, lanes};

    V t = hn::Zero(d);
    for (std::size_t i = begin; i < end; ++i) {
        const Vec2<V> n{hn::Load(d, lines.nx + i * lanes), hn::Load(d, lines.ny + i * lanes)};
        const V c = hn::Load(d, scratch.c + i * lanes);
        const auto due = hn::And(active, first_row <= hn::Set(d, static_cast<T>(i)));
        const auto worse = hn::And(due, (c - dot(n, v)) - t > slack);
        if (hn::AllFalse(d, worse)) continue;

        make_bisectors(d, lines, scratch, begin, i, slack);
        Vec2<V> candidate = disc_optimum(d, discs, n, Aim::farthest);
        const auto stuck = walk<Aim::farthest>(d, rows, i, discs, n, candidate, worse).failed;
        // In exact arithmetic this walk cannot fail; where rounding makes it, v stays.
        v = select(hn::AndNot(stuck, worse), candidate, v);
        t = hn::IfThenElse(worse, hn::Max(t, c - dot(n, v)), t);
    }
    return worst_violation(d, lines, scratch.c, begin, end, v);
}

/// scratch.c = bounds of rows [begin, end) moved back by `relax`.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void relax_rows(D d, const ProgramLines<hn::TFromD<D>>& lines,
                           const ProgramScratch<hn::TFromD<D>>& scratch, std::size_t begin,
                           std::size_t end, V relax)
{
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t i = begin; i < end; ++i) {
        hn::Store(hn::Load(d, lines.c + i * lanes) - relax, d, scratch.c + i * lanes);
    }
}

/// v brought back into both discs where rounding left it outside.
template <class D, class V = hn::Vec<D>>
HWY_INLINE Vec2<V> into_discs(D d, const Discs<D>& discs, const Vec2<V>& v)
{
    if (HWY_LIKELY(hn::AllFalse(d, discs.has_reach))) return shrink_to(d, v, discs.v_max);
    const Vec2<V> reachable = discs.centre + shrink_to(d, v - discs.centre, discs.reach);
    return shrink_to(d, select(discs.has_reach, reachable, v), discs.v_max);
}

}  // namespace program

/// Stages (i) to (iii) for the lanes of `failed` that the plain walk gave up at row `failed_row`,
/// with v there. Also takes lanes that failed by rounding only: their t counts as 0.
template <class D, class V = hn::Vec<D>>
HWY_ATTR void relax_program(D d, const ProgramLines<hn::TFromD<D>>& lines, std::size_t hard_slots,
                            std::size_t slots, const Discs<D>& discs, const Vec2<V>& preferred,
                            V scale, const ProgramScratch<hn::TFromD<D>>& scratch,
                            const WalkResult<D>& failure, ProgramResult<D>& result)
{
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const V more = scale * hn::Set(d, Tolerances<T>::kRelaxation);
    // Lines that moved back by t + more leave room: these walks need not, and do not, overlook a
    // violation that a later clip would then trip over.
    alignas(64) T slack[hn::MaxLanes(d)];
    hn::Store(hn::Min(more, scale * hn::Set(d, Tolerances<T>::kMinimax)), d, slack);
    const ProgramRows<T> rows{lines.nx, lines.ny, scratch.c, slack, 0};
    const V first_soft = hn::Set(d, static_cast<T>(hard_slots));
    const Vec2<V> seed = program::disc_optimum(d, discs, preferred, Aim::nearest);

    program::relax_rows(d, lines, scratch, 0, slots, zero);
    auto soft_failed = failure.failed;
    V soft_row = failure.row;
    const auto hard_failed = hn::And(failure.failed, failure.row < first_soft);
    if (!hn::AllFalse(d, hard_failed)) {
        const V t = program::least_violation(d, lines, scratch, 0, hard_slots, failure.row, discs,
                                             scale, result.v, hard_failed);
        result.t_hard = hn::IfThenElse(hard_failed, t, result.t_hard);
        program::relax_rows(d, lines, scratch, 0, hard_slots,
                            hn::IfThenElseZero(hard_failed, t + more));
        Vec2<V> v = seed;
        const auto again = walk<Aim::nearest>(d, rows, slots, discs, preferred, v, hard_failed);
        // A walk that still fails at a hard line does so by rounding: the minimiser found above
        // serves.
        const auto kept = hn::And(again.failed, again.row < first_soft);
        result.v = select(hn::AndNot(kept, hard_failed), v, result.v);
        soft_failed = hn::Or(hn::AndNot(hard_failed, soft_failed), again.failed);
        soft_row = hn::IfThenElse(hard_failed, again.row, soft_row);
        soft_row = hn::IfThenElse(kept, first_soft, soft_row);
    }
    if (hn::AllFalse(d, soft_failed)) return;

    const V t = program::least_violation(d, lines, scratch, hard_slots, slots, soft_row, discs,
                                         scale, result.v, soft_failed);
    result.t_soft = hn::IfThenElse(soft_failed, t, result.t_soft);
    program::relax_rows(d, lines, scratch, hard_slots, slots,
                        hn::IfThenElseZero(soft_failed, t + more));
    Vec2<V> v = seed;
    const auto last = walk<Aim::nearest>(d, rows, slots, discs, preferred, v, soft_failed);
    result.v = select(hn::AndNot(last.failed, soft_failed), v, result.v);
}

/// Solves the program for the `active` lanes: hard lines in rows [0, hard_slots), soft lines in
/// [hard_slots, slots), lanes with fewer lines padded with empty ones. `preferred` [m/s] may be
/// outside the discs. `scale` = max(1, v_max, largest |point on a line|) of the lane: the size
/// rounding grows with. Other lanes return something finite if their input was.
template <class D, class V = hn::Vec<D>>
HWY_ATTR ProgramResult<D> solve_program(D d, const ProgramLines<hn::TFromD<D>>& lines,
                                        std::size_t hard_slots, std::size_t slots,
                                        const Discs<D>& discs, const Vec2<V>& preferred, V scale,
                                        const ProgramScratch<hn::TFromD<D>>& scratch,
                                        hn::Mask<D> active)
{
    using T = hn::TFromD<D>;
    const V zero = hn::Zero(d);
    const V tol = scale * hn::Set(d, Tolerances<T>::kViolation);
    alignas(64) T slack[hn::MaxLanes(d)];
    hn::Store(tol, d, slack);

    ProgramResult<D> result{preferred, zero, zero, program::none(d), program::none(d)};
    const V centre_dist = length(discs.centre);
    result.discs_apart = hn::And(discs.has_reach, centre_dist > discs.v_max + discs.reach);
    const auto solvable = hn::AndNot(result.discs_apart, active);

    result.v = program::disc_optimum(d, discs, preferred, Aim::nearest);
    const ProgramRows<T> rows{lines.nx, lines.ny, lines.c, slack, 0};
    const WalkResult<D> first =
        walk<Aim::nearest>(d, rows, slots, discs, preferred, result.v, solvable);
    if (HWY_UNLIKELY(!hn::AllFalse(d, first.failed))) {
        relax_program(d, lines, hard_slots, slots, discs, preferred, scale, scratch, first, result);
    }

    // A relaxation within the tolerance counts as none.
    result.t_hard = hn::IfThenElseZero(result.t_hard > tol, result.t_hard);
    result.t_soft = hn::IfThenElseZero(result.t_soft > tol, result.t_soft);
    result.v = program::into_discs(d, discs, result.v);
    const Vec2<V> braked =
        discs.centre * (hn::Set(d, T(1)) - divide_or_zero(d, discs.reach, centre_dist));
    result.v = select(result.discs_apart, braked, result.v);
    result.relaxed = hn::Or(result.discs_apart, hn::Or(result.t_hard > zero, result.t_soft > zero));
    return result;
}

}  // namespace sidestep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
