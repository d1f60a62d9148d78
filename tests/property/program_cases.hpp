// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// SeededRandom velocity programs, and an oracle that knows nothing of the solver.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sidestep/geometry.hpp"
#include "support/seeded_random.hpp"

namespace sidestep::test {

struct ProgramCase {
    std::vector<HalfPlane> lines;
    double v_max = 1.0;
    Vec2 preferred;
    std::optional<VelocityDisc> acceleration;
    // How it was made.
    bool near_parallel_hard = false;
    bool near_parallel_soft = false;
    bool duplicate_hard = false;
    bool duplicate_soft = false;

    VelocityProgram program() const { return {lines, v_max, preferred, acceleration}; }
    bool has_hard() const
    {
        return std::any_of(lines.begin(), lines.end(), [](const HalfPlane& l) { return l.hard; });
    }
    double scale() const
    {
        double s = std::max(1.0, v_max);
        for (const HalfPlane& l : lines) s = std::max(s, std::sqrt(dot(l.point, l.point)));
        return s;
    }
};

/// Rounds to float, so that a float program and a double program are the same program.
inline Vec2 rounded(Vec2 a)
{
    return {static_cast<double>(static_cast<float>(a.x)),
            static_cast<double>(static_cast<float>(a.y))};
}

inline ProgramCase random_case(std::uint64_t seed)
{
    SeededRandom random(seed);
    ProgramCase c;
    c.v_max = static_cast<float>(random.chance(0.02) ? 0.0 : random.uniform(0.2, 3.0));
    c.preferred = rounded(random.in_disc(1.5 * std::max(c.v_max, 0.5)));
    Vec2 known = random.in_disc(c.v_max);  // a velocity that feasible cases allow
    if (random.chance(0.4)) {
        const bool reachable = random.chance(0.9);
        const double radius =
            random.chance(0.03) ? 0.0 : random.uniform(0.03, 1.0) * std::max(c.v_max, 0.5);
        const Vec2 centre = reachable ? known + random.in_disc(radius)
                                      : random.in_disc(2.5 * std::max(c.v_max, 0.5));
        c.acceleration = VelocityDisc{rounded(centre), static_cast<float>(radius)};
    }
    const bool feasible = random.chance(0.4);
    const double hard_share = random.chance(0.5) ? random.uniform(0.2, 1.0) : 0.0;
    const double slack =
        random.chance(0.2) ? 0.0 : random.uniform(0.0, 0.8) * std::max(c.v_max, 0.5);
    const auto add = [&](Vec2 n, double bound, bool hard) {
        const Vec2 along{n.y, -n.x};
        c.lines.push_back(
            {rounded(n * bound + along * random.uniform(-1.0, 1.0)), rounded(n), hard});
    };
    const std::size_t count = 1 + random.below(8);
    for (std::size_t i = 0; i < count; ++i) {
        const bool grid = random.chance(0.1);  // axis-parallel, round numbers
        Vec2 n = random.direction();
        if (grid)
            n = std::fabs(n.x) > std::fabs(n.y) ? Vec2{std::copysign(1.0, n.x), 0.0}
                                                : Vec2{0.0, std::copysign(1.0, n.y)};
        double bound = feasible ? dot(n, known) - random.uniform(0.0, 1.0) * slack
                                : random.uniform(-0.5, 1.1) * std::max(c.v_max, 0.5);
        if (grid && !feasible) bound = std::round(bound * 10.0) / 10.0;
        add(n, bound, random.chance(hard_share));
    }
    const auto note = [](bool hard, bool& in_hard, bool& in_soft) {
        (hard ? in_hard : in_soft) = true;
    };
    while (random.chance(0.3)) {  // a line nearly parallel or antiparallel to another
        const HalfPlane other = c.lines[random.below(c.lines.size())];
        const double size = std::pow(10.0, -random.uniform(1.0, 12.0));
        const double turn = random.chance(0.5) ? size : -size;
        const double flip = random.chance(0.5) ? 1.0 : -1.0;
        Vec2 n{flip * (other.normal.x - turn * other.normal.y),
               flip * (other.normal.y + turn * other.normal.x)};
        n = n / std::sqrt(dot(n, n));
        const double bound =
            dot(n, other.point) - random.uniform(-0.1, 1.0) * (feasible ? slack : 0.5);
        const bool hard = random.chance(0.7) ? other.hard : random.chance(hard_share);
        add(n, bound, hard);
        note(hard, c.near_parallel_hard, c.near_parallel_soft);
    }
    while (random.chance(0.2)) {  // a line twice
        const HalfPlane other = c.lines[random.below(c.lines.size())];
        c.lines.push_back(other);
        note(other.hard, c.duplicate_hard, c.duplicate_soft);
    }
    for (std::size_t i = c.lines.size(); i > 1; --i)
        std::swap(c.lines[i - 1], c.lines[random.below(i)]);
    return c;
}

/// A line n.v >= c with an exact unit normal, as the solver sees it.
struct Bound {
    Vec2 n;
    double c;
    bool hard;
};

inline std::vector<Bound> bounds_of(const ProgramCase& c)
{
    std::vector<Bound> bounds;
    for (const HalfPlane& l : c.lines) {
        const Vec2 n = l.normal / std::sqrt(dot(l.normal, l.normal));
        bounds.push_back({n, dot(n, l.point), l.hard});
    }
    return bounds;
}

inline double worst_violation(const std::vector<Bound>& bounds, Vec2 v, bool hard)
{
    double worst = 0.0;
    for (const Bound& b : bounds) {
        if (b.hard == hard) worst = std::max(worst, b.c - dot(b.n, v));
    }
    return worst;
}

inline double distance(Vec2 a, Vec2 b)
{
    return std::sqrt(dot(a - b, a - b));
}

/// How far v is outside the discs of a case, at most 0 inside.
inline double outside_discs(const ProgramCase& c, Vec2 v)
{
    double out = std::sqrt(dot(v, v)) - c.v_max;
    if (c.acceleration)
        out = std::max(out, distance(v, c.acceleration->centre) - c.acceleration->radius);
    return out;
}

/// All velocities at which an optimum of any stage can be: the stages are linear or nearest-point
/// problems over pieces bounded by lines and circles, hence every optimum is where two boundaries
/// meet, where a circle is farthest along a normal, or where something is nearest to v_pref.
/// `shift` moves the lines inward.
inline std::vector<Vec2> candidates(const ProgramCase& c, const std::vector<Bound>& bounds,
                                    double hard_shift, double soft_shift)
{
    struct Line {
        Vec2 n;
        double c;
    };
    std::vector<Line> lines;
    for (const Bound& b : bounds) lines.push_back({b.n, b.c + (b.hard ? hard_shift : soft_shift)});
    const std::size_t own = lines.size();
    for (std::size_t i = 0; i < own; ++i) {
        for (std::size_t j = 0; j < i; ++j) {  // equal violation of two lines of a class
            if (bounds[i].hard != bounds[j].hard) continue;
            const Vec2 n = lines[i].n - lines[j].n;
            const double len = std::sqrt(dot(n, n));
            if (len > 1e-9) lines.push_back({n / len, (lines[i].c - lines[j].c) / len});
        }
    }
    std::vector<VelocityDisc> circles{{{}, c.v_max}};
    if (c.acceleration) circles.push_back(*c.acceleration);

    std::vector<Vec2> found{c.preferred};
    for (const VelocityDisc& disc : circles) {
        const Vec2 to = c.preferred - disc.centre;
        const double len = std::sqrt(dot(to, to));
        if (len > 0.0) found.push_back(disc.centre + to * (disc.radius / len));
        found.push_back(disc.centre);
        for (std::size_t i = 0; i < own; ++i)
            found.push_back(disc.centre + lines[i].n * disc.radius);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Line& a = lines[i];
        const Vec2 along{-a.n.y, a.n.x};
        found.push_back(a.n * a.c + along * dot(along, c.preferred));
        for (const VelocityDisc& disc : circles) {
            const double offset = a.c - dot(a.n, disc.centre);
            const double half_sq = disc.radius * disc.radius - offset * offset;
            if (half_sq < 0.0) continue;
            const double mid = dot(along, disc.centre);
            for (const double s : {-1.0, 1.0})
                found.push_back(a.n * a.c + along * (mid + s * std::sqrt(half_sq)));
        }
        for (std::size_t j = 0; j < i; ++j) {
            const Line& b = lines[j];
            const double sine = det(a.n, b.n);
            if (std::fabs(sine) < 1e-14) continue;
            found.push_back(Vec2{a.c * b.n.y - b.c * a.n.y, b.c * a.n.x - a.c * b.n.x} / sine);
        }
    }
    if (circles.size() == 2) {
        const Vec2 to = circles[1].centre;
        const double dist = std::sqrt(dot(to, to));
        if (dist > 0.0) {
            const double r0 = circles[0].radius;
            const double r1 = circles[1].radius;
            const double a = (dist * dist + r0 * r0 - r1 * r1) / (2.0 * dist);
            const double h = std::sqrt(std::max(0.0, r0 * r0 - a * a));
            const Vec2 e = to / dist;
            for (const double s : {-1.0, 1.0}) found.push_back(e * a + Vec2{-e.y, e.x} * (s * h));
        }
    }
    return found;
}

/// What the oracle forgives, in units of the case's scale.
struct Forgiven {
    double relaxation;  ///< t larger than the smallest possible
    double rounding;  ///< a velocity counts as better only if it stays so when lines are this much
                      ///< tighter
    double distance;  ///< from v_pref
};

/// Why v is a better answer than s, or nullptr. Stage by stage: a smaller t_hard, then a smaller
/// t_soft, then nearer to v_pref. Lines of a class that s did not move back are taken tighter by
/// `rounding`, because where lines are nearly parallel roundings move their crossing far.
inline const char* better_in(const ProgramCase& c, const std::vector<Bound>& bounds,
                             const ProgramSolution& s, const Forgiven& forgiven, Vec2 v)
{
    if (outside_discs(c, v) > 1e-14) return nullptr;
    const double scale = c.scale();
    const auto holds = [&](bool hard) {
        const double t = hard ? s.t_hard : s.t_soft;
        const double margin = t > 0.0 ? -t : 0.5 * forgiven.rounding * scale;
        return std::all_of(bounds.begin(), bounds.end(), [&](const Bound& b) {
            return b.hard != hard || dot(b.n, v) - b.c >= margin;
        });
    };
    if (worst_violation(bounds, v, true) < s.t_hard - forgiven.relaxation * scale)
        return "t_hard is not the smallest";
    if (!holds(true)) return nullptr;
    if (worst_violation(bounds, v, false) < s.t_soft - forgiven.relaxation * scale)
        return "t_soft is not the smallest";
    if (!holds(false)) return nullptr;
    const bool nearer =
        distance(v, c.preferred) < distance(s.velocity, c.preferred) - forgiven.distance * scale;
    return nearer ? "not the nearest to v_pref" : nullptr;
}

/// Points spread over the speed disc and, where there is one, over the acceleration disc.
inline std::vector<Vec2> dense_samples(const ProgramCase& c, std::size_t count)
{
    std::vector<Vec2> found;
    std::vector<VelocityDisc> circles{{{}, c.v_max}};
    if (c.acceleration) circles.push_back(*c.acceleration);
    for (const VelocityDisc& disc : circles) {
        for (std::size_t k = 0; k < count; ++k) {
            const double r = disc.radius *
                             std::sqrt((static_cast<double>(k) + 0.5) / static_cast<double>(count));
            const double a = 2.399963229728653 * static_cast<double>(k);
            found.push_back(disc.centre + Vec2{r * std::cos(a), r * std::sin(a)});
        }
    }
    return found;
}

struct Better {
    Vec2 velocity;
    const char* reason = nullptr;  ///< nullptr: nothing is better
};

/// Looks for a better answer among all possible optima and among dense samples.
inline Better find_better(const ProgramCase& c, const std::vector<Bound>& bounds,
                          const ProgramSolution& s, const Forgiven& forgiven, std::size_t samples)
{
    const double tight = forgiven.rounding * c.scale();
    std::vector<Vec2> tried = candidates(c, bounds, 0.0, 0.0);
    for (const double hard : {tight, -s.t_hard}) {
        for (const double soft : {tight, -s.t_soft}) {
            const std::vector<Vec2> more = candidates(c, bounds, hard, soft);
            tried.insert(tried.end(), more.begin(), more.end());
        }
    }
    const std::vector<Vec2> spread = dense_samples(c, samples);
    tried.insert(tried.end(), spread.begin(), spread.end());
    for (const Vec2 v : tried) {
        if (const char* reason = better_in(c, bounds, s, forgiven, v)) return {v, reason};
    }
    return {};
}

}  // namespace sidestep::test
