// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/plot.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {
namespace {

constexpr double kStep = 0.1;

void run(StudyResult& result)
{
    std::vector<double> from_exact, from_printed;
    for (const Vec2 d : grid()) {
        const double exact = arrive(d, kPi).time;
        if (!std::isfinite(exact)) continue;
        const double simulated = simulated_time(d, kStep);
        from_exact.push_back(simulated - exact);
        from_printed.push_back(printed_arrival_time(d) - simulated);
    }
    const Spread exact = spread_of(std::move(from_exact));
    const Spread printed = spread_of(std::move(from_printed));
    result.numbers = {
        {"mean of simulated - exact", "s", "", -0.0006, exact.mean, 2e-4, 4},
        {"deviation", "s", "", 0.029, exact.deviation, 1e-3, 4},
        // More than 99: from 99 to 100.
        with_printed({"within 0.1 s", "%", ">99", 100.0, 100.0 * exact.share_within(0.1), 0.05, 2},
                     99.5, 0.5),
        with_printed({"within 0.05 s", "%", "~98", 99.3, 100.0 * exact.share_within(0.05), 0.2, 2},
                     98.0, 0.5),
        // The paper does not tell its 3,300 destinations; other grids differ in the last digit.
        with_printed({"by (11) as printed: mean of ArrivalT - simulated", "s", "-0.0015", -0.0014,
                      printed.mean, 2e-4, 4},
                     -0.0015, 2e-4),
        with_printed({"by (11) as printed: within 0.1 s", "%", ">99", 99.9,
                      100.0 * printed.share_within(0.1), 0.1, 2},
                     99.5, 0.5),
        with_printed({"by (11) as printed: within 0.05 s", "%", "~98", 98.0,
                      100.0 * printed.share_within(0.05), 0.2, 2},
                     98.0, 0.5),
    };
    result.finding =
        "The exact times agree better with the simulator than the paper's did; with the misprint "
        "of (11) its own figures come out, so it was most likely in its code. (The paper's text "
        "says "
        "1 s where its figure has 0.1 s.)";
    Figure left{.title = "Simulated less exact arrival time",
                .sentence = "Steps of 0.1 s, threshold pi, all reachable destinations of the grid.",
                .drawing = draw_errors(exact, -0.12, 0.12, 0.01, "simulated - exact [s]",
                                       "How far the simulator is from the exact time"),
                .legend = {},
                .wide = false};
    Figure right{.title = "By equation (11) as printed",
                 .sentence = "ArrivalT with the printed equation less the simulated time.",
                 .drawing = draw_errors(printed, -0.12, 0.12, 0.01, "ArrivalT - simulated [s]",
                                        "How far the printed equation is from the simulator"),
                 .legend = {},
                 .wide = false};
    result.drawing = to_html(left) + to_html(right);
}

}  // namespace

const Study kFig4{{"ricks14-fig4", "RICKS14", "Fig. 4", "Exact times against a simulator"}, run};

}  // namespace sidestep::ricks14
