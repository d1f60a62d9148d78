// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "sidestep/vec2.hpp"

namespace sidestep {

/// What an open plane shows around its walkers, at least [m].
inline constexpr double kOpenMargin = 2.0;

/// The box of all positions [m].
struct OpenBox {
    double x_min = 0.0, x_max = 0.0, y_min = 0.0, y_max = 0.0;
    bool empty = true;

    /// Whether it grew.
    bool include(Vec2 p)
    {
        if (empty) {
            *this = {p.x, p.x, p.y, p.y, false};
            return true;
        }
        if (p.x >= x_min && p.x <= x_max && p.y >= y_min && p.y <= y_max) return false;
        x_min = std::min(x_min, p.x);
        x_max = std::max(x_max, p.x);
        y_min = std::min(y_min, p.y);
        y_max = std::max(y_max, p.y);
        return true;
    }
};

}  // namespace sidestep
