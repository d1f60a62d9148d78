// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "sidestep/scenario.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// The piece of floor behind an exit, all on the lattice: a rectangle as wide as the line and
/// `depth` deep on the side where there is no floor, reaching a little back into the floor where
/// the two would not be joined otherwise. None where the line does not lie on the outline within
/// `near`, or has floor on both sides.
std::optional<std::vector<Vec2>> make_apron(std::span<const Polygon> floor,
                                            const std::array<Vec2, 2>& line, double near,
                                            double depth);

}  // namespace sidestep
