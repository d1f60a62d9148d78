// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "perception/memory.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace sidestep {

namespace {

/// Who was in sight last is kept first.
bool is_fresher(const SightEntry& a, const SightEntry& b)
{
    return std::tuple{+a.last, +a.is_body, a.id, a.first} <
           std::tuple{+b.last, +b.is_body, b.id, b.first};
}

/// The fewest steps that are longer than a time, or `most`: more steps are never less long.
std::uint16_t fewest_longer(double dt, float time, std::uint16_t most)
{
    const double about = double{time} / dt;
    std::uint32_t steps =
        about < static_cast<double>(most) ? static_cast<std::uint32_t>(about) : most;
    while (steps > 0 && is_longer(steps - 1, dt, time)) --steps;
    while (steps < most && !is_longer(steps, dt, time)) ++steps;
    return static_cast<std::uint16_t>(steps);
}

/// Where a table has somebody, or kSightEntries.
std::size_t place_of(const SightTable& table, std::uint32_t id, bool is_body)
{
    std::size_t place = 0;
    while (place < kSightEntries && !table.entry(place).names(id, is_body)) ++place;
    return place;
}

}  // namespace

MemorySteps steps_of(const MemoryTimes& times) noexcept
{
    return {fewest_longer(times.dt, times.observation_time, kMostStepsSeen),
            fewest_longer(times.dt, times.forget_time, kMostStepsUnseen)};
}

void keep_unseen(const SightTable& before, std::uint32_t unseen, SightTable& after,
                 std::size_t count) noexcept
{
    SightEntry entries[kSightEntries];
    std::size_t number = 0;
    for (; unseen != 0; unseen &= unseen - 1) {
        SightEntry entry = before.entry(static_cast<std::size_t>(std::countr_zero(unseen)));
        entry.first = one_more(entry.first);
        ++entry.last;
        entries[number++] = entry;
    }
    if (count + number > kSightEntries) std::sort(entries, entries + number, is_fresher);
    for (std::size_t i = 0; i < number && count < kSightEntries; ++i)
        after.set(count++, entries[i]);
}

Memory::Memory(const SightTable& before, SightTable& after, const MemorySteps& steps) noexcept
    : before_(before), after_(after), steps_(steps)
{
    for (std::size_t place = 0; place < kSightEntries; ++place)
        was_full_ = was_full_ && !before_.entry(place).empty();
    after_.clear();
}

bool Memory::sees(std::uint32_t id, bool is_body) noexcept
{
    if (full()) {
        ++crowded_;
        return true;
    }
    const std::size_t place = place_of(before_, id, is_body);
    const bool is_known = place < kSightEntries;
    if (is_known) matched_ |= 1u << place;

    std::uint16_t first = 0;
    if (is_known && !is_forgotten(before_.entry(place), steps_)) {
        first = one_more(before_.first[place]);
    } else if (was_full_) {
        first = kMostStepsSeen;
        ++crowded_;
    }
    after_.set(count_++, {id, first, 0, is_body});
    return first >= steps_.observed;
}

void Memory::keep_unseen() noexcept
{
    std::uint32_t unseen = 0;
    for (std::size_t place = 0; place < kSightEntries; ++place) {
        const SightEntry entry = before_.entry(place);
        if (!entry.empty() && !is_forgotten(entry, steps_)) unseen |= 1u << place;
    }
    sidestep::keep_unseen(before_, unseen & ~matched_, after_, count_);
}

}  // namespace sidestep
