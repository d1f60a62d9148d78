// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "perception/memory.hpp"

#include <algorithm>
#include <tuple>

namespace sidestep {

namespace {

std::uint16_t one_more(std::uint16_t steps)
{
    return steps < kMostStepsSeen ? static_cast<std::uint16_t>(steps + 1) : kMostStepsSeen;
}

/// Who was in sight last is kept first.
bool is_fresher(const SightEntry& a, const SightEntry& b)
{
    return std::tuple{+a.last, +a.is_body, a.id, a.first} <
           std::tuple{+b.last, +b.is_body, b.id, b.first};
}

}  // namespace

Memory::Memory(const SightTable& before, SightTable& after, const MemoryTimes& times) noexcept
    : before_(before), after_(after), times_(times)
{
    for (const SightEntry& entry : before_.entry) was_full_ = was_full_ && !entry.empty();
    after_.clear();
}

std::size_t Memory::place_of(std::uint32_t id, bool is_body) const noexcept
{
    // Neighbours are told and kept from near to far: most are about where they were.
    for (std::size_t place = count_; place < kSightEntries; ++place) {
        if (before_.entry[place].names(id, is_body)) return place;
    }
    for (std::size_t place = count_; place-- > 0;) {
        if (before_.entry[place].names(id, is_body)) return place;
    }
    return kSightEntries;
}

bool Memory::sees(std::uint32_t id, bool is_body) noexcept
{
    if (full()) {
        ++crowded_;
        return true;
    }
    const std::size_t place = place_of(id, is_body);
    const SightEntry* known = place < kSightEntries ? &before_.entry[place] : nullptr;
    if (known != nullptr) matched_ |= 1u << place;

    std::uint16_t first = 0;
    if (known != nullptr && !is_forgotten(known->last + 1u)) {
        first = one_more(known->first);
    } else if (was_full_) {
        first = kMostStepsSeen;
        ++crowded_;
    }
    after_.entry[count_++] = {id, first, 0, static_cast<std::uint16_t>(is_body ? 1 : 0)};
    return first == kMostStepsSeen || is_longer(first, times_.dt, times_.observation_time);
}

void Memory::keep_unseen() noexcept
{
    SightEntry unseen[kSightEntries];
    std::size_t number = 0;
    for (std::size_t place = 0; place < kSightEntries; ++place) {
        const SightEntry& entry = before_.entry[place];
        if (entry.empty() || (matched_ >> place & 1u) != 0 || is_forgotten(entry.last + 1u))
            continue;
        unseen[number] = entry;
        unseen[number].first = one_more(entry.first);
        unseen[number].last = static_cast<std::uint16_t>((entry.last + 1u) & kMostStepsUnseen);
        ++number;
    }
    if (count_ + number > kSightEntries) std::sort(unseen, unseen + number, is_fresher);
    for (std::size_t i = 0; i < number && !full(); ++i) after_.entry[count_++] = unseen[i];
}

}  // namespace sidestep
