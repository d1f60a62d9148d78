// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/column.hpp"

namespace sidestep {

// Who an agent has in view, and for how long, [RCAP10].
//
// Times are counted in whole steps. An agent that observes (trait observation_time > 0) owns a
// table of the 16 nearest it has seen; the others own nothing. A row holds the
// place of its table; tables follow when rows are sorted.

/// One of those seen. Steps are counted up to their largest value and then stay there.
struct SightEntry {
    std::uint32_t id;     ///< of an agent, or the index of a body
    std::uint16_t first;  ///< steps since it came into sight
    std::uint16_t last;   ///< steps since it was last in sight
    bool is_body;

    bool names(std::uint32_t other, bool body) const { return id == other && is_body == body; }
    bool empty() const { return id == kNobodySeen && !is_body; }

    static constexpr std::uint32_t kNobodySeen = 0xffffffffu;
};

/// A place in a table that is free.
inline constexpr SightEntry kNobody{SightEntry::kNobodySeen, 0, 0, false};

/// Seen for so many steps counts as observed, whatever the time.
inline constexpr std::uint16_t kMostStepsSeen = 0xffff;
/// Out of sight for so many steps counts as forgotten, whatever the time.
inline constexpr std::uint16_t kMostStepsUnseen = 0x7fff;
inline constexpr std::size_t kSightEntries = 16;

/// Ids and ages lie apart, so that a kernel compares all of either at once.
struct alignas(64) SightTable {
    static constexpr std::uint16_t kBody = 0x8000;  ///< flag beside the steps of `last`

    std::uint32_t id[kSightEntries];
    std::uint16_t first[kSightEntries];
    std::uint16_t last[kSightEntries];  ///< SightEntry::last, and kBody

    SightEntry entry(std::size_t place) const noexcept
    {
        return {id[place], first[place], static_cast<std::uint16_t>(last[place] & kMostStepsUnseen),
                (last[place] & kBody) != 0};
    }
    void set(std::size_t place, const SightEntry& entry) noexcept
    {
        id[place] = entry.id;
        first[place] = entry.first;
        last[place] = static_cast<std::uint16_t>(entry.last | (entry.is_body ? kBody : 0));
    }
    void clear() noexcept
    {
        for (std::size_t place = 0; place < kSightEntries; ++place) set(place, kNobody);
    }
    /// Whoever had this name is nobody's namesake from now on: the entry stays, and takes a place
    /// until it is forgotten, but nobody matches it.
    void lose_name(std::uint32_t its_id, bool is_body) noexcept
    {
        for (std::size_t place = 0; place < kSightEntries; ++place) {
            if (!entry(place).names(its_id, is_body)) continue;
            id[place] = SightEntry::kNobodySeen;
            last[place] |= kBody;
        }
    }
};
static_assert(sizeof(SightTable) == 128);

inline constexpr std::uint32_t kNoSight = 0xffffffffu;

/// The tables. Those that nobody owns are chained through their own memory.
class SightPool {
public:
    /// Room for this many more owners; false where memory is short.
    [[nodiscard]] bool reserve(std::size_t more) noexcept;
    /// The place of an empty table. Needs room.
    std::uint32_t take() noexcept;
    void give_back(std::uint32_t place) noexcept;

    /// Moves the tables into the order of their owners, whose places are `owners`, so that those of
    /// neighbours lie together. `from` is scratch; does nothing where it has no room for all
    /// tables.
    void put_in_order(Column<std::uint32_t>& owners, Column<std::uint32_t>& from) noexcept;

    SightTable& operator[](std::uint32_t place) noexcept { return tables_[place]; }
    const SightTable& operator[](std::uint32_t place) const noexcept { return tables_[place]; }
    std::size_t owned() const noexcept { return tables_.size() - free_; }
    std::size_t bytes() const noexcept { return tables_.capacity() * sizeof(SightTable); }

private:
    Column<SightTable> tables_;
    std::uint32_t first_free_ = kNoSight;  ///< id[0] of a free table is the next one's place
    std::size_t free_ = 0;
};

}  // namespace sidestep
