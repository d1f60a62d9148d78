// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "studies/ricks14/grid_map.hpp"
#include "studies/ricks14/ricks14.hpp"

namespace sidestep::ricks14 {
namespace {

constexpr int kThresholds = 2000;

struct Searched {
    double threshold = 0.0, time = kNever;
};

/// As the paper did it: the earliest arrival over many thresholds, here 2,001 of them, with nothing
/// of the closed form.
Searched search(Vec2 destination)
{
    const double bearing = std::atan2(destination.y, destination.x);
    Searched best;
    for (int i = 0; i <= kThresholds; ++i) {
        const double threshold = bearing * i / kThresholds;
        const double time = arrive(destination, threshold).time;
        if (time < best.time) best = {threshold, time};
    }
    return best;
}

/// The largest difference between what searches find for destinations at one distance, from a
/// little beyond `plateau` [rad] to straight behind: 0 if contours are circles.
double roundness(double distance, double plateau)
{
    double least = kPi, most = 0.0;
    for (int i = 0; i <= 20; ++i) {
        const double bearing = plateau + 0.1 + (kPi - plateau - 0.1) * i / 20.0;
        const double y = i == 20 ? 0.0 : distance * std::sin(bearing);
        const double found = search({distance * std::cos(bearing), y}).threshold;
        least = std::min(least, found);
        most = std::max(most, found);
    }
    return most - least;
}

void run(StudyResult& result)
{
    std::vector<double> best;
    double worst_regret = 0.0, worst_found = 0.0;
    int index = 0;
    for (const Vec2 d : grid()) {
        best.push_back(best_threshold_to(d));
        if (index++ % 16 != 0) continue;  // a search costs 2,000 times the closed form
        const Searched found = search(d);
        if (!(found.time > 0.0)) continue;
        worst_regret = std::max(worst_regret, arrive(d, best.back()).time / found.time - 1.0);
        worst_found = std::max(worst_found, std::fabs(found.threshold - best.back()));
    }
    const struct {
        double distance, bearing, best;
    } rows[] = {{0.3, 1.5, 0.521394}, {1.0, 2.0, 1.0}, {2.0, 2.5, 1.547198}, {8.0, kPi, 1.945469}};
    for (const auto& row : rows) {
        const double y = row.bearing == kPi ? 0.0 : row.distance * std::sin(row.bearing);
        const Vec2 d{row.distance * std::cos(row.bearing), y};
        result.numbers.push_back(
            {fmt::format("BestAT at {} m, bearing {:.4g} rad", row.distance, row.bearing), "rad",
             "", row.best, best_threshold_to(d), 1e-5, 6});
    }
    double worst_roundness = 0.0;
    for (const double distance : {0.3, 1.0, 2.0, 4.0, 8.0}) {
        worst_roundness = std::max(worst_roundness, roundness(distance, best_bearing(distance)));
    }
    // Thresholds of a search are up to 1.6e-3 rad apart.
    constexpr double kApart = 1.0 * kPi / kThresholds;
    result.numbers.push_back(with_printed({"contours by search, out of round by", "rad", "circles",
                                           0.0, worst_roundness, 2.0 * kApart, 4},
                                          0.0, 2.0 * kApart));
    result.numbers.push_back({"BestAT less the best of 2,001 thresholds, worst", "rad", "", 0.0,
                              worst_found, 2.0 * kApart, 4});
    result.numbers.push_back(
        {"time lost to these thresholds, worst", "%", "", 0.0, 100.0 * worst_regret, 1e-3, 6});
    result.finding =
        "The surface is the smaller of the bearing and a function of the distance alone, which "
        "proves the circular contours that the paper observed.";
    result.drawing = draw_grid_map(best, kPi, "BestAT [rad]", "Best threshold",
                                   "Destinations in the frame of the agent, which looks to the "
                                   "right; v<sub>m</sub> = a = w = 1.");
}

}  // namespace

const Study kFig7{{"ricks14-fig7", "RICKS14", "Fig. 7", "The best threshold"}, run};

}  // namespace sidestep::ricks14
