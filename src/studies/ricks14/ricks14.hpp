// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// [RICKS14]: agents that must turn before they go, with v_m = a = w = 1 throughout. What is
// expected comes from an independent integration of the equations of motion. docs/turning.md has
// the errata.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sidestep/nonholonomic.hpp"
#include "sidestep/vec2.hpp"
#include "studies/study.hpp"

namespace sidestep::ricks14 {

extern const Study kFig1, kFig2, kFig3, kFig4, kFig5, kFig7, kFig8, kFig9, kEq11, kEq16;

inline constexpr double kPi = 3.141592653589793;
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// Arrival with this threshold from rest.
Arrival arrive(Vec2 destination, double threshold);
double best_threshold_to(Vec2 destination);
/// A*(r): what BestAT is for destinations straight behind.
double best_bearing(double distance);

/// The grid of the paper: x in [-10, 10], y in [0, 10], step 0.25.
inline constexpr int kGridColumns = 81, kGridRows = 41;
inline Vec2 grid_point(int column, int row)
{
    return {-10.0 + 0.25 * column, 0.25 * row};
}
std::vector<Vec2> grid();

/// Arrival times of the grid with one threshold for all; infinite where never.
std::vector<double> grid_times(double threshold);
std::vector<double> best_grid_times();

/// The paper's simulator with steps dt: moves, turns towards the destination, speeds up; stops
/// within v_m dt. Threshold pi. Infinite if it has not arrived after 100 s.
double simulated_time(Vec2 destination, double dt);

/// Arrival by the paper's equations as printed, with (11) for the time of facing before full speed.
double printed_arrival_time(Vec2 destination);
/// (11) as printed, and with the square that it lacks.
double printed_face_time(Vec2 destination);
double corrected_face_time(Vec2 destination);

/// Mean, deviation and the share within some bounds.
struct Spread {
    double mean = 0.0, deviation = 0.0, mean_size = 0.0;
    std::size_t count = 0;
    std::vector<double> values;

    double share_within(double bound) const;
    double deviation_of_size() const;
};
Spread spread_of(std::vector<double> values);  ///< those that are finite

/// Bars of how often values fall into intervals of `width` from low to high.
std::string draw_errors(const Spread& spread, double low, double high, double width,
                        const std::string& x_title, const std::string& label);

}  // namespace sidestep::ricks14
