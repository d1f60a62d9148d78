// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/plan.hpp"
#include "sidestep/analysis.hpp"
#include "sidestep/result.hpp"

namespace sidestep {

// Pictures over the floor plan. The outline of a level stands in the page once, and every map, and
// the animation, refers to it by its id.

/// Outlines and places of all levels. `run` is a letter that tells two runs of a page apart.
std::string plan_definitions(const Plan& plan, char run);

/// A map of the level with that index into plan.levels: the floor, then `content` (SVG in map
/// coordinates), then walls and places, and a scale bar below. `label` says what it shows.
std::string map_svg(const Plan& plan, char run, std::size_t level, std::string_view content,
                    std::string_view label);

/// What is shown of a grid.
struct HeatScale {
    double top = 1.0;          ///< value of the last colour; higher ones look the same
    bool is_exceeded = false;  ///< some cells are higher
};

/// A round number that at most one cell in 200 exceeds. Values that are 0 or NaN do not count.
HeatScale scale_of(std::span<const std::span<const float>> fields);

/// Colours of a field of the grid, one pixel a cell, or several where there are very many cells.
/// 0 and NaN are left transparent unless `shows_zero`, then NaN alone. `keeps_peaks`: of cells
/// that share a pixel the highest is shown, else their mean.
Result<std::string> heat_image(const Plan& plan, char run, std::size_t level,
                               const GridResult& grid, std::span<const float> field,
                               const HeatScale& scale, bool shows_zero, bool keeps_peaks);

/// The colours of a scale with round numbers below. `title` has the unit.
std::string colour_bar(const HeatScale& scale, std::string_view title);
/// The 255 colours of heat maps from low to high, six digits each; the script reads values back.
std::string heat_palette();

/// The ways of walkers on a level, simplified; `series` is the colour of each walker.
struct PathsOnMap {
    std::string content;      ///< SVG
    std::size_t walkers = 0;  ///< that are drawn
    std::size_t of_walkers = 0;
};
PathsOnMap draw_paths(const Trajectories& trajectories, const Plan& plan, std::size_t level,
                      std::span<const std::uint8_t> series);

/// Everybody on a level at a moment, coloured by speed, the scripted bodies and closed doors.
struct MomentOnMap {
    std::string content;      ///< SVG
    std::size_t walkers = 0;  ///< that are there
    std::size_t unknown = 0;  ///< of them: those whose speed is not known
};
MomentOnMap draw_moment(const Trajectories& trajectories, const Plan& plan, std::size_t level,
                        std::size_t frame);

}  // namespace sidestep
