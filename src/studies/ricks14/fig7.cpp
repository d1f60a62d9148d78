// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "studies/ricks14/grid_map.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {
namespace {

/// As the paper did it: the earliest arrival over many thresholds, here 2001 of them.
double searched_time(Vec2 destination)
{
    const double bearing = std::atan2(destination.y, destination.x);
    double best = kNever;
    for (int i = 0; i <= 2000; ++i)
        best = std::min(best, arrive(destination, bearing * i / 2000.0).time);
    return best;
}

void run(StudyResult& result)
{
    std::vector<double> best;
    double worst_formula = 0.0, worst_regret = 0.0;
    int index = 0;
    for (const Vec2 d : grid()) {
        best.push_back(best_threshold_to(d));
        const double bearing = std::atan2(d.y, d.x);
        const double formula = std::min(bearing, best_bearing(std::hypot(d.x, d.y)));
        worst_formula = std::max(worst_formula, std::fabs(best.back() - formula));
        if (index++ % 16 == 0) {  // a search costs 2,000 times the closed form
            const double searched = searched_time(d);
            if (searched > 0.0)
                worst_regret = std::max(worst_regret, arrive(d, best.back()).time / searched - 1.0);
        }
    }
    result.numbers = {
        {"BestAT less min(bearing, A*(distance)), worst", "rad", "", 0.0, worst_formula, 1e-12, 12},
        {"time lost to a search of 2,001 thresholds, worst", "%", "", 0.0, 100.0 * worst_regret,
         1e-3, 6},
    };
    result.finding =
        "The surface is the smaller of the bearing and a function of the distance alone, which "
        "proves "
        "the circular contours that the paper observed.";
    result.drawing = draw_grid_map(best, kPi, "BestAT [rad]", "Best threshold",
                                   "Destinations in the frame of the agent, which looks to the "
                                   "right; v<sub>m</sub> = a = w = 1.");
}

}  // namespace

const Study kFig7{{"ricks14-fig7", "RICKS14", "Fig. 7", "The best threshold"}, run};

}  // namespace sidestep::ricks14
