// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/agent_table.hpp"

namespace sidestep {

bool AgentTable::reserve_rows(std::size_t rows) noexcept
{
    if (rows >= kNoRow) return false;
    const std::size_t leaves = (rows + kLeafRows - 1) / kLeafRows;
    bool enough = leaf_level.reserve(leaves) && leaf_model.reserve(leaves);
    for_each_row_column(
        [&](auto& column, const auto&) { enough = enough && column.reserve(leaves * kLeafRows); });
    return enough;
}

bool AgentTable::reserve_slots(std::size_t agents) noexcept
{
    return agents < kNoRow && slots.reserve_growing(agents) && free_slots.reserve_growing(agents) &&
           ids.reserve(agents);
}

std::size_t AgentTable::append_row(std::uint16_t level, std::uint8_t model) noexcept
{
    ++unsorted_edits;
    const bool fits = leaves() > 0 && leaf_level.back() == level && leaf_model.back() == model;
    if (fits) {
        std::size_t free_row = rows();
        while (free_row > rows() - kLeafRows && !holds(free_row - 1)) --free_row;
        if (free_row < rows()) return free_row;
    }
    const std::size_t first = rows();
    for_each_row_column(
        [&](auto& column, const auto& inert) { column.resize(first + kLeafRows, inert); });
    leaf_level.push_back(level);
    leaf_model.push_back(model);
    return first;
}

void AgentTable::vacate_row(std::size_t row) noexcept
{
    for_each_row_column([&](auto& column, const auto& inert) { column[row] = inert; });
    ++unsorted_edits;
}

void AgentTable::copy_row(std::size_t from, std::size_t to) noexcept
{
    for_each_row_column([&](auto& column, const auto&) { column[to] = column[from]; });
}

}  // namespace sidestep
