// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/column.hpp"
#include "parallel/workers.hpp"
#include "world/agent_table.hpp"

namespace sidestep {

/// Memory of the sort, taken when agents are added: 20 bytes a row.
struct SortScratch {
    /// What is sorted; level, model and id are looked up where places do not decide.
    struct Key {
        std::uint32_t place;  ///< on the Hilbert curve; of the state hash: the id
        std::uint32_t row;
    };
    /// The keys, then as many again that they are sorted through; afterwards any one column while
    /// it is permuted, 16 bytes a row.
    Column<Key> keys;
    Column<std::uint32_t> source;  ///< old row of each new row, or kNoRow

    [[nodiscard]] bool reserve(std::size_t rows) noexcept;
};

/// Whether a leaf also ends at a large gap between agents, as long as there is room, or only where
/// it must.
enum class LeafFill { near, full };

/// Rows into the order (level, model, place on the Hilbert curve, id), without holes but for the
/// ends of leaves: a leaf ends where level or model change, and at large gaps. Never takes more
/// rows than source has room for. Nothing a user can see depends on it, nor it on the workers.
void sort_rows(AgentTable& agents, SortScratch& scratch, LeafFill fill = LeafFill::near,
               Workers* workers = nullptr) noexcept;

/// Orders keys by place, those in one place as they come; `through` has room for as many. Digit by
/// digit: the time hardly depends on the order they are in.
void sort_keys(SortScratch::Key* keys, std::size_t count, SortScratch::Key* through) noexcept;

/// Whether the rows are so far from space order that sorting pays; decided by counts alone.
bool sort_is_due(const AgentTable& agents, std::uint64_t step_index) noexcept;

}  // namespace sidestep
