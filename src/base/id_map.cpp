// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "base/id_map.hpp"

#include <bit>

namespace sidestep {

std::size_t IdMap::home(std::uint32_t id) const noexcept
{
    // Fibonacci hashing: neighbouring ids spread over the whole table.
    const std::uint64_t mixed = std::uint64_t{id} * 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(mixed >> 32) & (entries_.size() - 1);
}

bool IdMap::reserve(std::size_t count) noexcept
{
    if (count > (std::size_t{1} << 32)) return false;
    const std::size_t wanted = std::bit_ceil(count + count / 2 + 8);
    if (wanted <= entries_.size()) return true;
    Column<Entry> old;
    if (!old.reserve(wanted)) return false;
    old.resize(wanted, Entry{0, kEmpty});
    std::swap(entries_, old);
    size_ = 0;
    for (const Entry& entry : old) {
        if (entry.slot != kEmpty) insert(entry.id, entry.slot);
    }
    return true;
}

std::optional<std::uint32_t> IdMap::find(std::uint32_t id) const noexcept
{
    if (entries_.empty()) return std::nullopt;
    for (std::size_t i = home(id);; i = (i + 1) & (entries_.size() - 1)) {
        if (entries_[i].slot == kEmpty) return std::nullopt;
        if (entries_[i].id == id) return entries_[i].slot;
    }
}

void IdMap::insert(std::uint32_t id, std::uint32_t slot) noexcept
{
    std::size_t i = home(id);
    while (entries_[i].slot != kEmpty) i = (i + 1) & (entries_.size() - 1);
    entries_[i] = {id, slot};
    ++size_;
}

void IdMap::erase(std::uint32_t id) noexcept
{
    if (entries_.empty()) return;
    const std::size_t mask = entries_.size() - 1;
    std::size_t hole = home(id);
    while (entries_[hole].slot == kEmpty || entries_[hole].id != id) {
        if (entries_[hole].slot == kEmpty) return;
        hole = (hole + 1) & mask;
    }
    // Close the hole: whoever was pushed past it by a collision moves back, so that no tombstones
    // are needed.
    for (std::size_t i = (hole + 1) & mask; entries_[i].slot != kEmpty; i = (i + 1) & mask) {
        const std::size_t from_home = (i - home(entries_[i].id)) & mask;
        const std::size_t from_hole = (i - hole) & mask;
        if (from_home >= from_hole) {
            entries_[hole] = entries_[i];
            hole = i;
        }
    }
    entries_[hole].slot = kEmpty;
    --size_;
}

}  // namespace sidestep
