// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "math/hilbert.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "support/seeded_random.hpp"

namespace sidestep {
namespace {

struct Cell {
    std::uint32_t x, y;
};

/// Cells of a side x side block by their place, which must be a run of indices from `first` on,
/// each taken once.
std::vector<Cell> cells_by_place(Cell corner, std::uint32_t side, std::uint32_t step,
                                 std::uint32_t first, std::uint32_t cells_per_place)
{
    std::vector<Cell> cells(std::size_t{side} * side, Cell{~0u, ~0u});
    for (std::uint32_t i = 0; i < side; ++i) {
        for (std::uint32_t j = 0; j < side; ++j) {
            const Cell cell{corner.x + i * step, corner.y + j * step};
            const std::uint32_t place = hilbert_index(cell.x, cell.y) / cells_per_place - first;
            EXPECT_LT(place, cells.size()) << cell.x << ", " << cell.y;
            if (place >= cells.size()) continue;
            EXPECT_EQ(cells[place].x, ~0u) << "two cells at place " << place;
            cells[place] = cell;
        }
    }
    return cells;
}

void expect_steps_of_length(const std::vector<Cell>& cells, std::uint32_t length)
{
    for (std::size_t i = 1; i < cells.size(); ++i) {
        const auto distance = std::abs(std::int64_t{cells[i].x} - cells[i - 1].x) +
                              std::abs(std::int64_t{cells[i].y} - cells[i - 1].y);
        ASSERT_EQ(distance, std::int64_t{length}) << "between places " << i - 1 << " and " << i;
    }
}

TEST(HilbertIndex, visits_every_cell_of_the_lower_left_block_once_and_in_steps_of_one)
{
    const std::uint32_t side = 128;
    expect_steps_of_length(cells_by_place({0, 0}, side, 1, 0, 1), 1);
}

TEST(HilbertIndex, visits_every_aligned_block_once_and_in_steps_of_one)
{
    const std::uint32_t side = 32;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        SCOPED_TRACE(seed);
        test::SeededRandom random(seed);
        const Cell corner{static_cast<std::uint32_t>(random.below(65536 / side)) * side,
                          static_cast<std::uint32_t>(random.below(65536 / side)) * side};
        const std::uint32_t first =
            hilbert_index(corner.x, corner.y) / (side * side) * (side * side);
        expect_steps_of_length(cells_by_place(corner, side, 1, first, 1), 1);
    }
}

TEST(HilbertIndex, visits_all_blocks_of_the_whole_grid_once_and_in_steps_of_one_block)
{
    const std::uint32_t block = 1024;
    const std::uint32_t side = 65536 / block;
    expect_steps_of_length(cells_by_place({0, 0}, side, block, 0, block * block), block);
}

TEST(HilbertIndex, starts_and_ends_in_lower_corners)
{
    static_assert(hilbert_index(0, 0) == 0);
    static_assert(hilbert_index(65535, 0) == 0xffffffffu);
}

}  // namespace
}  // namespace sidestep
