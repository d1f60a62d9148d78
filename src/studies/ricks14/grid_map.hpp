// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace sidestep::ricks14 {

/// A map of one value per destination of the grid, from 0 to `top`; what is not finite has no
/// colour. `title` of the scale has the unit.
std::string draw_grid_map(const std::vector<double>& values, double top,
                          const std::string& scale_title, const std::string& title,
                          const std::string& sentence);

}  // namespace sidestep::ricks14
