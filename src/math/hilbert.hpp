// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sidestep {

/// Place of cell (x, y) of a 65,536 x 65,536 grid on the Hilbert curve: cells near on the curve are
/// near in the plane.
constexpr std::uint32_t hilbert_index(std::uint32_t x, std::uint32_t y)
{
    std::uint32_t index = 0;
    for (std::uint32_t side = 1u << 15; side > 0; side >>= 1) {
        const std::uint32_t right = (x & side) != 0 ? 1u : 0u;
        const std::uint32_t upper = (y & side) != 0 ? 1u : 0u;
        index = (index << 2) | ((3u * right) ^ upper);
        if (upper == 0) {  // the two lower quadrants hold the curve turned
            if (right != 0) {
                x = 0xffffu - (x & 0xffffu);
                y = 0xffffu - (y & 0xffffu);
            }
            const std::uint32_t swap = x;
            x = y;
            y = swap;
        }
    }
    return index;
}

}  // namespace sidestep
