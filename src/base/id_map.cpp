// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "base/id_map.hpp"

#include <algorithm>

namespace sidestep {

namespace {

/// The place after i, round a table of this size.
std::size_t next_place(std::size_t i, std::size_t size)
{
    return i + 1 == size ? 0 : i + 1;
}

/// How many places `to` is behind `from`.
std::size_t places_between(std::size_t from, std::size_t to, std::size_t size)
{
    return to >= from ? to - from : to + size - from;
}

}  // namespace

std::size_t IdMap::home(std::uint32_t id) const noexcept
{
    // Fibonacci hashing: neighbouring ids spread over the whole table, whatever its size.
    const std::uint32_t mixed = id * 0x9e3779b9u;
    return static_cast<std::size_t>(std::uint64_t{mixed} * entries_.size() >> 32);
}

bool IdMap::reserve(std::size_t count) noexcept
{
    if (count > (std::size_t{1} << 32)) return false;
    const std::size_t wanted = count + count / 3 + 8;
    if (wanted <= entries_.size()) return true;
    // Half as much again for those who come one by one; what was asked for at once is enough.
    const std::size_t size = std::max(wanted, entries_.size() + entries_.size() / 2);
    Column<Entry> old;
    if (!old.reserve(size)) return false;
    old.resize(size, Entry{0, kEmpty});
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
    for (std::size_t i = home(id);; i = next_place(i, entries_.size())) {
        if (entries_[i].slot == kEmpty) return std::nullopt;
        if (entries_[i].id == id) return entries_[i].slot;
    }
}

void IdMap::insert(std::uint32_t id, std::uint32_t slot) noexcept
{
    std::size_t i = home(id);
    while (entries_[i].slot != kEmpty) i = next_place(i, entries_.size());
    entries_[i] = {id, slot};
    ++size_;
}

void IdMap::erase(std::uint32_t id) noexcept
{
    if (entries_.empty()) return;
    const std::size_t size = entries_.size();
    std::size_t hole = home(id);
    while (entries_[hole].slot == kEmpty || entries_[hole].id != id) {
        if (entries_[hole].slot == kEmpty) return;
        hole = next_place(hole, size);
    }
    // Close the hole: whoever was pushed past it by a collision moves back, so that no tombstones
    // are needed.
    for (std::size_t i = next_place(hole, size); entries_[i].slot != kEmpty;
         i = next_place(i, size)) {
        const std::size_t from_home = places_between(home(entries_[i].id), i, size);
        if (from_home >= places_between(hole, i, size)) {
            entries_[hole] = entries_[i];
            hole = i;
        }
    }
    entries_[hole].slot = kEmpty;
    --size_;
}

}  // namespace sidestep
