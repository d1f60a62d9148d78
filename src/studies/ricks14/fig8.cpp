// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/plot.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {
namespace {

/// The distance from which on the best threshold is the bearing itself: A*(r) = bearing. Infinite
/// where the agent always turns a little first.
double plateau_radius(double bearing)
{
    double low = 0.0, high = 1e6;
    if (best_bearing(high) < bearing) return kNever;
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (best_bearing(middle) < bearing ? low : high) = middle;
    }
    return high;
}

/// [RICKS14] (15) as printed.
double printed_radius(double th)
{
    return -4.68 + th * (30.72 + th * (-73.08 + th * (84.0 + th * (-45.23 + th * 9.26))));
}

void run(StudyResult& result)
{
    const struct {
        double bearing, radius;
    } rows[] = {{0.5, 0.2763}, {0.8, 0.6845}, {1.0, 1.0000}, {1.2, 1.2975}, {1.4, 1.6087},
                {1.6, 2.2046}, {1.8, 3.7383}, {1.9, 5.8835}, {2.0, 14.1368}};
    for (const auto& row : rows) {
        // (15) is a fit and good to some 0.15 m.
        result.numbers.push_back(
            with_printed({fmt::format("plateau radius at {:.1f} rad", row.bearing), "m", "",
                          row.radius, plateau_radius(row.bearing), 1e-4, 4},
                         printed_radius(row.bearing), 0.2));
    }
    result.numbers.push_back(with_printed(
        {"plateaus at 2.08 rad", "", "", 0.0, std::isinf(plateau_radius(2.08)) ? 0.0 : 1.0, 0.0, 0},
        1.0, 0.0));
    result.finding =
        "Beyond (pi + 1) / 2 = 2.0708 rad there is no plateau: however far the destination, the "
        "agent should turn a little on the spot first. The paper says there always is one. The "
        "paper's numbers are those of its (15).";
    std::vector<Vec2> exact, printed;
    for (int i = 1; i <= 200; ++i) {
        const double th = 2.02 * i / 200.0;
        exact.push_back({th, plateau_radius(th)});
        if (th >= 0.3) printed.push_back({th, printed_radius(th)});
    }
    for (Vec2& p : exact)
        if (p.y > 16.0) p.y = std::nan("");
    for (Vec2& p : printed)
        if (p.y > 16.0 || p.y < 0.0) p.y = std::nan("");
    Plot plot(make_axis("bearing [rad]", 0.0, 2.5, Plot::kXSteps),
              make_axis("plateau radius [m]", 0.0, 16.0, Plot::kYSteps),
              "Distance from which on the best threshold is the bearing, against the bearing");
    plot.line(exact, 0, "exact");
    plot.line(printed, 1, "equation (15)");
    plot.rule(0.5 * (kPi + 1.0), "no plateau from here on");
    Figure figure{.title = "Plateau points",
                  .sentence =
                      "The dotted rule is at (pi + 1) / 2, where the exact curve goes to "
                      "infinity.",
                  .drawing = plot.finish(),
                  .legend = {{"exact", 0}, {"equation (15) as printed", 1}},
                  .wide = false};
    result.drawing = to_html(figure);
}

}  // namespace

const Study kFig8{{"ricks14-fig8", "RICKS14", "Fig. 8", "Where the plateau begins"}, run};

}  // namespace sidestep::ricks14
