// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/column.hpp"

namespace sidestep {

/// Edges that may hide somebody, packed so that several are looked at at once.
struct HidingEdges {
    static constexpr std::size_t kMost = 128;
    static constexpr std::size_t kAtOnce = 8;
    alignas(kColumnAlignment) float ax[kMost + kAtOnce], ay[kMost + kAtOnce], bx[kMost + kAtOnce],
        by[kMost + kAtOnce];
    std::size_t count = 0;
    bool complete = true;  ///< there are no more

    void add(float from_x, float from_y, float to_x, float to_y)
    {
        if (count == kMost) {
            complete = false;
            return;
        }
        ax[count] = from_x;
        ay[count] = from_y;
        bx[count] = to_x;
        by[count] = to_y;
        ++count;
    }
};

}  // namespace sidestep
