// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "neighbours/sort_rows.hpp"

#include <algorithm>

#include "math/hilbert.hpp"

namespace sidestep {

namespace {

/// Side of a cell of the curve [m]: 65,536 of them span more than the 8 km a world may have. Finer
/// cells would sort nobody better: two agents to a cell is a crowd.
constexpr float kCellSide = 0.125f;

/// Two agents next to each other in the order but farther apart than this [m] do not share a leaf:
/// its box would be searched from everywhere in between.
constexpr float kLeafGap = 16.0f;

constexpr std::uint64_t kStepsBetweenSorts = 8;

std::uint32_t cell_of(float coordinate)
{
    const float cell = coordinate * (1.0f / kCellSide) + 32768.0f;
    return static_cast<std::uint32_t>(std::min(std::max(cell, 0.0f), 65535.0f));
}

bool comes_before(const SortScratch::Key& a, const SortScratch::Key& b)
{
    return a.place != b.place ? a.place < b.place : a.id < b.id;
}

/// Fills `keys` with the living, in order.
void order_agents(const AgentTable& agents, SortScratch& scratch)
{
    scratch.keys.clear();
    for (std::size_t row = 0; row < agents.rows(); ++row) {
        if (!agents.holds(row)) continue;
        const std::size_t leaf = row / kLeafRows;
        const std::uint64_t level_model =
            std::uint64_t{agents.leaf_level[leaf]} << 8 | agents.leaf_model[leaf];
        const std::uint32_t place = hilbert_index(cell_of(agents.x[row]), cell_of(agents.y[row]));
        scratch.keys.push_back(
            {level_model << 32 | place, agents.record[row].id, static_cast<std::uint32_t>(row)});
    }
    std::sort(scratch.keys.begin(), scratch.keys.end(), comes_before);
}

bool same_leaf_kind(const SortScratch::Key& a, const SortScratch::Key& b)
{
    return a.place >> 32 == b.place >> 32;
}

/// Lays the ordered agents into leaves: fills `source` and the leaf columns.
void lay_into_leaves(AgentTable& agents, SortScratch& scratch, LeafFill fill)
{
    const auto& keys = scratch.keys;
    std::size_t kinds_left = 1;
    for (std::size_t i = 1; i < keys.size(); ++i)
        kinds_left += same_leaf_kind(keys[i - 1], keys[i]) ? 0 : 1;

    scratch.source.clear();
    agents.leaf_level.clear();
    agents.leaf_model.clear();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool new_kind = i == 0 || !same_leaf_kind(keys[i - 1], keys[i]);
        bool gap = false;
        if (!new_kind && fill == LeafFill::near) {
            const std::size_t rows_needed =
                scratch.source.size() + (keys.size() - i) + kLeafRows * (kinds_left + 2);
            const float dx = agents.x[keys[i].row] - agents.x[keys[i - 1].row];
            const float dy = agents.y[keys[i].row] - agents.y[keys[i - 1].row];
            gap =
                dx * dx + dy * dy > kLeafGap * kLeafGap && rows_needed <= scratch.source.capacity();
        }
        if (new_kind || gap) {
            while (scratch.source.size() % kLeafRows != 0) scratch.source.push_back(kNoRow);
        }
        if (new_kind && i > 0) --kinds_left;
        if (scratch.source.size() % kLeafRows == 0) {
            agents.leaf_level.push_back(static_cast<std::uint16_t>(keys[i].place >> 40));
            agents.leaf_model.push_back(static_cast<std::uint8_t>(keys[i].place >> 32));
        }
        scratch.source.push_back(keys[i].row);
    }
    while (scratch.source.size() % kLeafRows != 0) scratch.source.push_back(kNoRow);
}

template <class T>
void permute(Column<T>& column, const T& inert, SortScratch& scratch)
{
    static_assert(sizeof(T) <= sizeof(AgentRecord));
    const std::size_t rows = scratch.source.size();
    T* copy = reinterpret_cast<T*>(scratch.column_copy.data());
    for (std::size_t row = 0; row < rows; ++row) {
        copy[row] = scratch.source[row] == kNoRow ? inert : column[scratch.source[row]];
    }
    column.resize(rows, inert);
    std::copy(copy, copy + rows, column.data());
}

}  // namespace

bool SortScratch::reserve(std::size_t agents, std::size_t rows) noexcept
{
    return keys.reserve(agents) && column_copy.reserve(rows) &&
           source.reserve(rows);  // last: its capacity limits the sort
}

void sort_rows(AgentTable& agents, SortScratch& scratch, LeafFill fill) noexcept
{
    order_agents(agents, scratch);
    lay_into_leaves(agents, scratch, fill);
    agents.for_each_row_column(
        [&](auto& column, const auto& inert) { permute(column, inert, scratch); });
    for (std::size_t row = 0; row < agents.rows(); ++row) {
        if (agents.slot[row] != kNoRow)
            agents.slots[agents.slot[row]].row = static_cast<std::uint32_t>(row);
    }
    agents.unsorted_edits = 0;
}

bool sort_is_due(const AgentTable& agents, std::uint64_t step_index) noexcept
{
    return step_index % kStepsBetweenSorts == 0 || agents.unsorted_edits > agents.live / 8 + 256;
}

}  // namespace sidestep
