// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/plot.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {
namespace {

void run(StudyResult& result)
{
    const struct {
        double dt, expected;
    } rows[] = {{0.2, 0.0501},   {0.1, 0.0251},    {0.05, 0.0129},
                {0.025, 0.0063}, {0.0125, 0.0032}, {0.00625, 0.0016}};
    std::vector<Vec2> found, line;
    for (const auto& row : rows) {
        std::vector<double> errors;
        for (const Vec2 d : grid()) {
            const double exact = arrive(d, kPi).time;
            if (std::isfinite(exact)) errors.push_back(simulated_time(d, row.dt) - exact);
        }
        const double mean_size = spread_of(std::move(errors)).mean_size;
        result.numbers.push_back({fmt::format("mean |simulated - exact|, dt = {}", row.dt), "s", "",
                                  row.expected, mean_size, 2e-4, 4});
        found.insert(found.begin(), {row.dt, mean_size});
    }
    result.finding =
        "The error of a simulator falls in proportion to its step, not exponentially as the paper "
        "says.";
    const double order =
        std::log(found.back().y / found.front().y) / std::log(found.back().x / found.front().x);
    result.numbers.push_back(
        {"order: slope of log error against log dt", "", "exponential", 1.0, order, 0.02, 3});
    for (Vec2& point : found) point = {std::log10(point.x), std::log10(point.y)};
    line = {found.front(), {found.back().x, found.front().y + found.back().x - found.front().x}};
    Plot plot(make_axis("log10 of dt [s]", -2.5, -0.5, Plot::kXSteps),
              make_axis("log10 of the mean error [s]", -3.0, -1.0, Plot::kYSteps),
              "Logarithm of the mean error of simulated arrival times against that of the step");
    plot.line(line, 1, "in proportion");
    plot.marks(found, 0, "simulated");
    Figure figure{.title = "Error of simulated arrival times",
                  .sentence =
                      "Mean of |simulated - exact| over all reachable destinations of the "
                      "grid, threshold pi.",
                  .drawing = plot.finish(),
                  .legend = {{"simulated", 0, Figure::Sign::dot}, {"in proportion to dt", 1}},
                  .wide = false};
    result.drawing = to_html(figure);
}

}  // namespace

const Study kFig5{{"ricks14-fig5", "RICKS14", "Fig. 5", "Error of the simulator and its step"},
                  run};

}  // namespace sidestep::ricks14
