// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "neighbours/sort_rows.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

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

/// Rows that a worker takes at a time.
constexpr std::size_t kBlockRows = 4096;

/// body(first, last) for blocks of [0, rows).
template <class Body>
void for_each_block(Workers* workers, std::size_t rows, Body&& body)
{
    const std::size_t blocks = (rows + kBlockRows - 1) / kBlockRows;
    auto run = [&](std::size_t block, std::uint32_t) {
        body(block * kBlockRows, std::min(rows, (block + 1) * kBlockRows));
    };
    if (workers != nullptr) {
        parallel_for(*workers, blocks, run);
    } else {
        for (std::size_t block = 0; block < blocks; ++block) run(block, 0);
    }
}

/// Level and model of the agent in a row, as one number.
std::uint32_t kind_of(const AgentTable& agents, std::size_t row)
{
    const std::size_t leaf = row / kLeafRows;
    return std::uint32_t{agents.leaf_level[leaf]} << 8 | agents.leaf_model[leaf];
}

/// Whether all leaves are of one level and model.
bool is_uniform(const AgentTable& agents)
{
    for (std::size_t leaf = 1; leaf < agents.leaves(); ++leaf) {
        if (agents.leaf_level[leaf] != agents.leaf_level[0] ||
            agents.leaf_model[leaf] != agents.leaf_model[0])
            return false;
    }
    return true;
}

/// Fills `keys` with the living and their places, in the order of rows.
void place_agents(const AgentTable& agents, SortScratch& scratch, Workers* workers)
{
    // How many of the living come before each block: where the sources of rows will be.
    std::uint32_t* before = scratch.source.data();
    for_each_block(workers, agents.rows(), [&](std::size_t first, std::size_t last) {
        std::uint32_t living = 0;
        for (std::size_t row = first; row < last; ++row) living += agents.holds(row) ? 1 : 0;
        before[first / kBlockRows] = living;
    });
    std::uint32_t sum = 0;
    for (std::size_t block = 0; block * kBlockRows < agents.rows(); ++block)
        sum += std::exchange(before[block], sum);
    scratch.keys.resize(sum);
    for_each_block(workers, agents.rows(), [&](std::size_t first, std::size_t last) {
        SortScratch::Key* next = scratch.keys.data() + before[first / kBlockRows];
        for (std::size_t row = first; row < last; ++row) {
            if (!agents.holds(row)) continue;
            *next++ = {hilbert_index(cell_of(agents.x[row]), cell_of(agents.y[row])),
                       static_cast<std::uint32_t>(row)};
        }
    });
}

/// Fills `keys` with the living, in order; their places become kinds, which is what is asked next.
void order_agents(const AgentTable& agents, SortScratch& scratch, Workers* workers)
{
    place_agents(agents, scratch, workers);
    const auto id = [&](const SortScratch::Key& key) { return agents.record[key.row].id; };
    auto& keys = scratch.keys;
    if (is_uniform(agents)) {
        sort_keys(keys.data(), keys.size(), keys.data() + keys.size());
        const auto by_id = [&](const SortScratch::Key& a, const SortScratch::Key& b) {
            return id(a) < id(b);
        };
        for (std::size_t i = 0, j = 1; j <= keys.size(); ++j) {  // those in one place, mostly one
            if (j < keys.size() && keys[j].place == keys[i].place) continue;
            if (j - i > 1) std::sort(keys.begin() + i, keys.begin() + j, by_id);
            i = j;
        }
    } else {
        std::sort(keys.begin(), keys.end(),
                  [&](const SortScratch::Key& a, const SortScratch::Key& b) {
                      const std::uint32_t kind_a = kind_of(agents, a.row);
                      const std::uint32_t kind_b = kind_of(agents, b.row);
                      if (kind_a != kind_b) return kind_a < kind_b;
                      return a.place != b.place ? a.place < b.place : id(a) < id(b);
                  });
    }
    for (SortScratch::Key& key : keys) key.place = kind_of(agents, key.row);
}

bool same_leaf_kind(const SortScratch::Key& a, const SortScratch::Key& b)
{
    return a.place == b.place;
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
            agents.leaf_level.push_back(static_cast<std::uint16_t>(keys[i].place >> 8));
            agents.leaf_model.push_back(static_cast<std::uint8_t>(keys[i].place));
        }
        scratch.source.push_back(keys[i].row);
    }
    while (scratch.source.size() % kLeafRows != 0) scratch.source.push_back(kNoRow);
}

/// Moves the values of a column to their new rows, `kPart` bytes of each at a time: as many as
/// there is room for.
template <std::size_t kPart, class T>
void permute_part(Column<T>& column, const T& inert, std::size_t at, SortScratch& scratch,
                  Workers* workers)
{
    struct alignas(kPart) Part {
        unsigned char bytes[kPart];
    };
    const std::size_t rows = scratch.source.size();
    Part* copy = reinterpret_cast<Part*>(scratch.keys.data());
    const auto* values = reinterpret_cast<const unsigned char*>(column.data()) + at;
    const auto* of_nobody = reinterpret_cast<const unsigned char*>(&inert) + at;
    for_each_block(workers, rows, [&](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
            const std::uint32_t source = scratch.source[row];
            std::memcpy(&copy[row], source == kNoRow ? of_nobody : values + source * sizeof(T),
                        kPart);
        }
    });
    if (column.size() < rows) column.resize(rows, inert);
    auto* moved = reinterpret_cast<unsigned char*>(column.data()) + at;
    for_each_block(workers, rows, [&](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row)
            std::memcpy(moved + row * sizeof(T), &copy[row], kPart);
    });
}

template <class T>
void permute(Column<T>& column, const T& inert, SortScratch& scratch, Workers* workers)
{
    constexpr std::size_t kPart = std::min(sizeof(T), 2 * sizeof(SortScratch::Key));
    static_assert(sizeof(T) % kPart == 0);
    for (std::size_t at = 0; at < sizeof(T); at += kPart)
        permute_part<kPart>(column, inert, at, scratch, workers);
    column.resize(scratch.source.size(), inert);
}

}  // namespace

bool SortScratch::reserve(std::size_t rows) noexcept
{
    return keys.reserve(2 * rows) && source.reserve(rows);  // last: its capacity limits the sort
}

void sort_keys(SortScratch::Key* keys, std::size_t count, SortScratch::Key* through) noexcept
{
    using Key = SortScratch::Key;
    constexpr std::size_t kFew = 1024;
    if (count < kFew) {
        std::sort(keys, keys + count, [](const Key& a, const Key& b) {
            return a.place != b.place ? a.place < b.place : a.row < b.row;
        });
        return;
    }
    constexpr unsigned kDigits = 3;
    constexpr unsigned kBits = 11;
    constexpr std::uint32_t kMask = (1u << kBits) - 1;
    std::uint32_t next[kDigits][kMask + 1] = {};
    for (std::size_t i = 0; i < count; ++i) {
        for (unsigned digit = 0; digit < kDigits; ++digit)
            ++next[digit][keys[i].place >> (digit * kBits) & kMask];
    }
    Key* from = keys;
    Key* to = through;
    for (unsigned digit = 0; digit < kDigits; ++digit) {
        std::uint32_t* place = next[digit];
        if (place[from[0].place >> (digit * kBits) & kMask] == count)
            continue;  // all have the same
        std::uint32_t sum = 0;
        for (std::uint32_t value = 0; value <= kMask; ++value)
            sum += std::exchange(place[value], sum);
        for (std::size_t i = 0; i < count; ++i)
            to[place[from[i].place >> (digit * kBits) & kMask]++] = from[i];
        std::swap(from, to);
    }
    if (from != keys) std::copy(from, from + count, keys);
}

void sort_rows(AgentTable& agents, SortScratch& scratch, LeafFill fill, Workers* workers) noexcept
{
    order_agents(agents, scratch, workers);
    lay_into_leaves(agents, scratch, fill);
    agents.for_each_row_column(
        [&](auto& column, const auto& inert) { permute(column, inert, scratch, workers); });
    for_each_block(workers, agents.rows(), [&](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
            if (agents.slot[row] != kNoRow)
                agents.slots[agents.slot[row]].row = static_cast<std::uint32_t>(row);
        }
    });
    agents.unsorted_edits = 0;
}

bool sort_is_due(const AgentTable& agents, std::uint64_t step_index) noexcept
{
    return step_index % kStepsBetweenSorts == 0 || agents.unsorted_edits > agents.live / 8 + 256;
}

}  // namespace sidestep
