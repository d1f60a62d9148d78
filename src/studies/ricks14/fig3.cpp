// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/plot.hpp"
#include "studies/ricks14/grid_map.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {
namespace {

/// Loss against the best threshold, over destinations that both reach.
struct Loss {
    double mean = 0.0, worst = 0.0, unreachable = 0.0;
};

Loss loss_of(const std::vector<double>& times, const std::vector<double>& best)
{
    Loss loss;
    double count = 0.0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (!std::isfinite(times[i])) {
            loss.unreachable += 1.0;
            continue;
        }
        count += 1.0;
        loss.mean += times[i] - best[i];
        loss.worst = std::max(loss.worst, times[i] - best[i]);
    }
    loss.mean /= count;
    return loss;
}

void run(StudyResult& result)
{
    const std::vector<double> best = best_grid_times();
    const std::vector<double> at_pi = grid_times(kPi);
    const Spread best_spread = spread_of(best), pi_spread = spread_of(at_pi);
    const Loss zero = loss_of(grid_times(0.0), best), half = loss_of(grid_times(0.5 * kPi), best);
    const Loss near = loss_of(grid_times(1.9), best), full = loss_of(at_pi, best);
    result.numbers = {
        {"destinations", "", "", 3321.0, static_cast<double>(best.size()), 0.0, 0},
        {"unreachable, threshold pi", "", "", 49.0, full.unreachable, 0.0, 0},
        with_printed({"mean T, threshold pi", "s", "8.93", 8.9253, pi_spread.mean, 1e-4, 4}, 8.93,
                     0.005),
        {"mean T, best threshold", "s", "", 8.7365, best_spread.mean, 1e-4, 4},
        {"unreachable, best threshold", "", "", 0.0,
         static_cast<double>(best.size() - best_spread.count), 0.0, 0},
        {"mean loss, threshold 0", "s", "", 1.048, zero.mean, 6e-4, 4},
        {"mean loss, threshold pi/2", "s", "", 0.032, half.mean, 6e-4, 4},
        {"unreachable, threshold pi/2", "", "", 50.0, half.unreachable, 0.0, 0},
        {"mean loss, threshold 1.9", "s", "", 0.0020, near.mean, 6e-5, 4},
        {"unreachable, threshold 1.9", "", "", 60.0, near.unreachable, 0.0, 0},
        {"mean loss, threshold pi", "s", "", 0.099, full.mean, 6e-4, 4},
        {"worst loss, threshold pi", "s", "", 2.0, full.worst, 0.05, 2},
    };
    result.finding =
        "No fixed threshold is right everywhere, and each but 0 leaves destinations near the agent "
        "unreachable; the best threshold reaches all of them.";
    std::vector<double> lost;
    for (std::size_t i = 0; i < best.size(); ++i) lost.push_back(at_pi[i] - best[i]);
    result.drawing =
        draw_grid_map(at_pi, 18.0, "T [s]", "Arrival time, threshold pi",
                      "Destinations in the frame of the agent, which looks to the right; those "
                      "without colour are never reached.") +
        draw_grid_map(lost, 2.0, "loss [s]", "What the best threshold saves",
                      "Arrival time with threshold pi less that with the best threshold.");
}

}  // namespace

const Study kFig3{{"ricks14-fig3", "RICKS14", "Fig. 3", "Arrival times over a grid"}, run};

}  // namespace sidestep::ricks14
