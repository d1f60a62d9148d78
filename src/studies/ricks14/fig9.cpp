// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/plot.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {
namespace {

/// Quintics like (15) and (16), fitted again by least squares to A*(r) at distances evenly over
/// [0.38, 12]; the printed ones have too few digits.
double plateau_radius(double th)
{
    if (th > 2.2) return kNever;
    return -167.341130 +
           th * (780.717402 +
                 th * (-1398.105524 + th * (1207.755638 + th * (-504.257029 + th * 81.771907))));
}

double refitted(double r)
{
    return 0.12570 +
           r * (1.21289 + r * (-0.341931 + r * (0.0480393 + r * (-0.00327787 + r * 8.64867e-5))));
}

void run(StudyResult& result)
{
    std::vector<double> errors;
    double unreachable = 0.0, exact_unreachable = 0.0;
    for (int i = 0; i < 60; ++i) {
        for (int j = 0; j < 55; ++j) {
            const double r = 0.38 + (12.0 - 0.38) * i / 59.0, th = kPi * j / 54.0;
            const double y = j == 54 ? 0.0 : r * std::sin(th);
            const Vec2 d{r * std::cos(th), y};
            const double fit = r >= plateau_radius(th) ? th : refitted(r);  // (17)
            const double exact = best_threshold_to(d);
            errors.push_back(fit - exact);
            unreachable += arrive(d, fit).arrives() ? 0.0 : 1.0;
            exact_unreachable += arrive(d, exact).arrives() ? 0.0 : 1.0;
        }
    }
    const Spread spread = spread_of(std::move(errors));
    result.numbers = {
        with_printed(
            {"destinations", "", "3,300", 3300.0, static_cast<double>(spread.count), 0.0, 0},
            3300.0, 0.0),
        with_printed({"mean |error| of the fit", "rad", "0.009", 0.006, spread.mean_size, 6e-4, 4},
                     0.009, 5e-4),
        with_printed(
            {"deviation of |error|", "rad", "0.017", 0.017, spread.deviation_of_size(), 1e-3, 4},
            0.017, 5e-4),
        // The 146 take the fit or the bearing, whichever is smaller, for the threshold. With a
        // second quintic beyond the bearing, as in [RICKS14] eq. (17), two destinations differ.
        {"unreachable with the fit", "", "", 146.0, unreachable, 4.0, 0},
        {"unreachable with the closed form", "", "", 0.0, exact_unreachable, 0.0, 0},
    };
    result.finding =
        "A polynomial fit is near, as printed, but near is not enough: where it overshoots the "
        "edge the agent circles about its destination for ever. The closed form has no such case.";
    Figure figure{
        .title = "Error of a quintic fit of BestAT",
        .sentence = "Fit less closed form, 60 distances from 0.38 to 12 m by 55 bearings.",
        .drawing = draw_errors(spread, -0.1, 0.1, 0.005, "fit - exact [rad]",
                               "How far a polynomial fit is from the best threshold"),
        .legend = {},
        .wide = false};
    result.drawing = to_html(figure);
}

}  // namespace

const Study kFig9{{"ricks14-fig9", "RICKS14", "Fig. 9", "A fit of the best threshold"}, run};

}  // namespace sidestep::ricks14
