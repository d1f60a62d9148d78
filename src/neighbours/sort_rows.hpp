// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/column.hpp"
#include "world/agent_table.hpp"

namespace sidestep {

/// Memory of the sort, taken when agents are added.
struct SortScratch {
    struct Key {
        std::uint64_t place;  ///< level, model, place on the Hilbert curve
        std::uint32_t id;
        std::uint32_t row;
    };
    Column<Key> keys;
    Column<std::uint32_t> source;     ///< old row of each new row, or kNoRow
    Column<AgentRecord> column_copy;  ///< any one column while it is permuted

    [[nodiscard]] bool reserve(std::size_t agents, std::size_t rows) noexcept;
};

/// Whether a leaf also ends at a large gap between agents, as long as there is room, or only where
/// it must.
enum class LeafFill { near, full };

/// Rows into the order (level, model, place on the Hilbert curve, id), without holes but for the
/// ends of leaves: a leaf ends where level or model change, and at large gaps. Never takes more
/// rows than source has room for. Nothing a user can see depends on it.
void sort_rows(AgentTable& agents, SortScratch& scratch, LeafFill fill = LeafFill::near) noexcept;

/// Whether the rows are so far from space order that sorting pays; decided by counts alone.
bool sort_is_due(const AgentTable& agents, std::uint64_t step_index) noexcept;

}  // namespace sidestep
