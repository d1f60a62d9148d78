// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sidestep {

/// Four steps down the curve at once: for each of the four ways it can lie (turned about a
/// diagonal, upside down) and four bits of x and y, eight bits of the place and the way it lies
/// there.
struct HilbertTable {
    std::uint16_t step[4 * 256] = {};

    constexpr HilbertTable()
    {
        for (std::uint32_t i = 0; i < 4 * 256; ++i) {
            std::uint32_t swapped = i >> 8 & 1, flipped = i >> 9;
            std::uint32_t index = 0;
            for (std::uint32_t bit = 4; bit-- > 0;) {
                const std::uint32_t x = (i >> 4 >> bit & 1) ^ flipped, y = (i >> bit & 1) ^ flipped;
                const std::uint32_t right = swapped != 0 ? y : x;
                const std::uint32_t upper = swapped != 0 ? x : y;
                index = (index << 2) | ((3u * right) ^ upper);
                if (upper != 0) continue;
                flipped ^= right;  // the two lower quadrants hold the curve turned
                swapped ^= 1;
            }
            step[i] = static_cast<std::uint16_t>((flipped << 1 | swapped) << 8 | index);
        }
    }
};

inline constexpr HilbertTable kHilbertTable;

/// Place of cell (x, y) of a 65,536 x 65,536 grid on the Hilbert curve: cells near on the curve are
/// near in the plane.
constexpr std::uint32_t hilbert_index(std::uint32_t x, std::uint32_t y)
{
    std::uint32_t index = 0;
    std::uint32_t lies = 0;
    for (std::uint32_t shift = 16; shift > 0;) {
        shift -= 4;
        const std::uint32_t bits = (x >> shift & 15u) << 4 | (y >> shift & 15u);
        const std::uint32_t step = kHilbertTable.step[lies << 8 | bits];
        index = index << 8 | (step & 255u);
        lies = step >> 8;
    }
    return index;
}

}  // namespace sidestep
