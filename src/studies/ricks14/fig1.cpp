// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/plot.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {
namespace {

constexpr Vec2 kDestination{-8.0, 0.0};

std::vector<Vec2> path(double threshold)
{
    const double end = arrive(kDestination, threshold).time;
    std::vector<Vec2> points;
    for (int i = 0; i <= 200; ++i)
        points.push_back(
            turning_state({.destination = kDestination}, threshold, end * i / 200.0)->place);
    return points;
}

void run(StudyResult& result)
{
    const double best = best_threshold_to(kDestination);
    const double t0 = arrive(kDestination, 0.0).time;
    const double t_half = arrive(kDestination, 0.5 * kPi).time;
    const double t_pi = arrive(kDestination, kPi).time;
    result.numbers = {
        {"T, threshold 0", "s", "", 11.641593, t0, 1e-6, 6},
        {"T, threshold pi/2", "s", "", 10.320555, t_half, 1e-6, 6},
        {"T, threshold pi", "s", "", 10.905836, t_pi, 1e-6, 6},
        with_printed({"best threshold", "rad", "~2", 1.945469, best, 1e-5, 6}, 2.0, 0.1),
        {"T, best threshold", "s", "", 10.245323, arrive(kDestination, best).time, 1e-6, 6},
        with_printed({"turning first against pi/2", "s", "1.33", 1.3210, t0 - t_half, 1e-4, 4},
                     1.33, 0.005),
    };
    result.finding =
        "To (-8, 0) the order is as printed: pi/2, then pi, then 0; the best threshold is a little "
        "under 2 rad.";
    Plot plot(make_axis("x [m]", -9.0, 2.0, 6, AxisEnds::tight),
              make_axis("y [m]", -2.0, 4.0, 5, AxisEnds::tight),
              "Four paths from the origin to (-8, 0) with different thresholds");
    const struct {
        double threshold;
        std::string name;
    } ways[] = {{best, fmt::format("best, {:.3f} rad", best)},
                {0.5 * kPi, "pi/2"},
                {kPi, "pi"},
                {0.0, "0: turns on the spot"}};
    Figure figure{.title = "Paths to (-8, 0)",
                  .sentence =
                      "Agents start at the origin, looking to the right, v<sub>m</sub> = a = "
                      "w = 1. Arrival times are in the legend.",
                  .drawing = {},
                  .legend = {},
                  .wide = false};
    std::size_t series = 0;
    for (const auto& way : ways) {
        plot.curve(path(way.threshold), series);
        figure.legend.push_back(
            {fmt::format("{}: {:.2f} s", way.name, arrive(kDestination, way.threshold).time),
             series});
        ++series;
    }
    figure.drawing = plot.finish();
    result.drawing = to_html(figure);
}

}  // namespace

const Study kFig1{{"ricks14-fig1", "RICKS14", "Fig. 1", "Paths with different thresholds"}, run};

}  // namespace sidestep::ricks14
