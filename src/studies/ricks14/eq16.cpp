// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/plot.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {
namespace {

/// [RICKS14] (16) as printed: the last two coefficients have one digit.
double printed(double r)
{
    return 0.12 + r * (1.18 + r * (-0.31 + r * (0.041 + r * (-0.002 + r * 0.00006))));
}

void run(StudyResult& result)
{
    result.numbers = {
        with_printed({"A*(3 m)", "rad", "", 1.7310, best_bearing(3.0), 1e-4, 4}, printed(3.0),
                     0.01),
        {"A*(3 m): (16) as printed", "rad", "", 1.83, printed(3.0), 0.005, 4},
        with_printed({"A*(12 m)", "rad", "", 1.9874, best_bearing(12.0), 1e-4, 4}, printed(12.0),
                     0.01),
        {"A*(12 m): (16) as printed", "rad", "", 13.9, printed(12.0), 0.05, 4},
    };
    result.finding =
        "With so few digits (16) leaves the range of angles altogether: at 12 m it asks for 13.9 "
        "rad. The closed form needs no fit, for any limits of the body.";
    std::vector<Vec2> exact, wrong;
    for (int i = 0; i <= 240; ++i) {
        const double r = 12.0 * i / 240.0;
        exact.push_back({r, best_bearing(r)});
        wrong.push_back({r, printed(r) <= 4.0 ? printed(r) : std::nan("")});
    }
    Plot plot(make_axis("distance [m]", 0.0, 12.0, Plot::kXSteps),
              make_axis("best threshold [rad]", 0.0, 4.0, Plot::kYSteps),
              "Best threshold against the distance, exact and by the printed polynomial");
    plot.line(exact, 0, "exact");
    plot.line(wrong, 1, "as printed");
    Figure figure{.title = "Best threshold of a destination behind",
                  .sentence = "The printed polynomial leaves the drawing at 4 rad.",
                  .drawing = plot.finish(),
                  .legend = {{"closed form", 0}, {"(16) as printed", 1}},
                  .wide = false};
    result.drawing = to_html(figure);
}

}  // namespace

const Study kEq16{{"ricks14-eq16", "RICKS14", "Eq. 16", "The printed fit of the best threshold"},
                  run};

}  // namespace sidestep::ricks14
