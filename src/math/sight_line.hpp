// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is in view and what a wall hides, [RCAP10]: one line of sight at a time, in double.

#include <algorithm>
#include <cmath>

#include "math/trig.hpp"
#include "math/wall_edges.hpp"

namespace sidestep {

/// What lies at most half an angle to either side of a heading.
class FieldOfView {
public:
    /// Everything.
    FieldOfView() = default;
    /// `angle` is the full angle [rad]; 2 pi and more, and what lacks less than its edges, are all
    /// round.
    explicit FieldOfView(double angle)
        : all_round_(0.5 * angle + kEdge >= kPi), half_(sin_cos(std::min(0.5 * angle + kEdge, kPi)))
    {}

    /// Whether the direction `to` is in view. Without a heading, and at the same place, everything
    /// is. The angle is compared through the sine of a difference: no inverse function, and exact
    /// enough at both ends.
    bool shows(Point<double> heading, Point<double> to) const
    {
        if (all_round_) return true;
        const double along = heading.x * to.x + heading.y * to.y;
        const double across = std::fabs(heading.x * to.y - heading.y * to.x);
        if (along == 0.0 && across == 0.0) return true;
        return half_.cos * across - half_.sin * along <= 0.0;
    }

private:
    static constexpr double kPi = 3.141592653589793;
    /// [rad] What is at the very edge is seen.
    static constexpr double kEdge = 1e-9;

    bool all_round_ = true;
    SinCos half_{};
};

/// det(b - a, c - a): positive if c is to the left of a -> b.
inline double side_of(Point<double> a, Point<double> b, Point<double> c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Whether one of two signed distances is 0 or they have opposite signs.
inline bool straddles(double a, double b)
{
    return (a <= 0.0 && b >= 0.0) || (a >= 0.0 && b <= 0.0);
}

/// Whether a wall from a to b hides `to` from `from`. One that only touches the line of sight does,
/// one exactly in line with it does not.
inline bool hides(Point<double> a, Point<double> b, Point<double> from, Point<double> to)
{
    const double side_a = side_of(from, to, a);
    const double side_b = side_of(from, to, b);
    if (side_a == 0.0 && side_b == 0.0) return false;  // in line
    return straddles(side_a, side_b) && straddles(side_of(a, b, from), side_of(a, b, to));
}

}  // namespace sidestep
