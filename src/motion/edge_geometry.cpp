// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "motion/edge_geometry.hpp"

namespace sidestep {

namespace {

/// Room for rounding in "beside the edge" [1]: who is swept by a vertex belongs to both edges
/// rather than to none.
constexpr double kEndSlack = 1e-9;

/// side_of as a function of time: c0 + c1 t + c2 t^2.
struct MovingSide {
    Spot e0, de;  ///< b - a, and how it changes
    Spot w0, dw;  ///< p - a, likewise
    bool second_copy;

    MovingSide(const Segment& from, const Segment& to, const Spot& p, const Spot& q)
        : e0(from.b - from.a),
          de((to.b - to.a) - e0),
          w0(p - from.a),
          dw((q - to.a) - w0),
          second_copy(from.second_copy)
    {}

    bool behind(double side) const { return side > 0.0 || (side == 0.0 && second_copy); }
    bool behind_at(double t) const { return behind(det(e0 + de * t, w0 + dw * t)); }

    bool beside_at(double t) const
    {
        const Spot e = e0 + de * t;
        const double along = dot(w0 + dw * t, e);
        const double length_sq = dot(e, e);
        return along >= -kEndSlack * length_sq && along <= (1.0 + kEndSlack) * length_sq;
    }

    /// Times in (0, 1) at which the point is in line with the edge, in order; the rest is 2.
    void find_roots(double& first, double& second) const
    {
        const double c0 = det(e0, w0);
        const double c1 = det(e0, dw) + det(de, w0);
        const double c2 = det(de, dw);
        const double discriminant = c1 * c1 - 4.0 * c2 * c0;
        first = second = 2.0;
        if (!(discriminant > 0.0)) return;  // only touches, if at all
        const double half =
            -0.5 * (c1 + (c1 < 0.0 ? -std::sqrt(discriminant) : std::sqrt(discriminant)));
        const auto inside = [](double t) { return t > 0.0 && t < 1.0 ? t : 2.0; };
        const double one = c2 != 0.0 ? inside(half / c2) : 2.0;
        const double other = half != 0.0 ? inside(c0 / half) : 2.0;
        first = std::min(one, other);
        second = std::max(one, other);
    }
};

}  // namespace

double time_of_passing(const Segment& from, const Segment& to, const Spot& p,
                       const Spot& q) noexcept
{
    const MovingSide side(from, to, p, q);
    double times[3] = {2.0, 2.0, 1.0};
    side.find_roots(times[0], times[1]);
    bool behind = side.behind(side_of(from, p));
    for (int i = 0; i < 3; ++i) {
        if (times[i] > 1.0) continue;
        // The state after this moment: half way to the next one, and at the end what faces() will
        // say.
        const double next = i == 0 && times[1] <= 1.0 ? times[1] : 1.0;
        const bool after =
            i == 2 ? side.behind(side_of(to, q)) : side.behind_at(0.5 * (times[i] + next));
        if (after && !behind && side.beside_at(times[i])) return times[i];
        behind = after;
    }
    return 2.0;
}

}  // namespace sidestep
