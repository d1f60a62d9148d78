// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/pair_shares.hpp"

#include <algorithm>
#include <utility>

namespace sidestep {

namespace {

std::uint64_t key_of(const PairShares::Entry& entry)
{
    return std::uint64_t{entry.low} << 32 | entry.high;
}

std::uint64_t key_of(std::uint32_t a, std::uint32_t b)
{
    return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
}

/// Place of the pair's entry, or where it belongs.
std::size_t place_of(const PairShares& shares, std::uint64_t key)
{
    const auto* found = std::lower_bound(
        shares.entries.begin(), shares.entries.end(), key,
        [](const PairShares::Entry& entry, std::uint64_t k) { return key_of(entry) < k; });
    return static_cast<std::size_t>(found - shares.entries.begin());
}

bool is_at(const PairShares& shares, std::size_t place, std::uint64_t key)
{
    return place < shares.entries.size() && key_of(shares.entries[place]) == key;
}

}  // namespace

float find_share(const PairShares& shares, std::uint32_t own, std::uint32_t other) noexcept
{
    const std::uint64_t key = key_of(own, other);
    const std::size_t place = place_of(shares, key);
    if (!is_at(shares, place, key)) return -1.0f;
    const float share = shares.entries[place].share;
    return own < other ? share : 1.0f - share;
}

void put_share(PairShares& shares, std::uint32_t own, std::uint32_t other, float share) noexcept
{
    const std::uint64_t key = key_of(own, other);
    const std::size_t place = place_of(shares, key);
    if (!is_at(shares, place, key)) {
        shares.entries.push_back({});
        std::move_backward(shares.entries.begin() + place, shares.entries.end() - 1,
                           shares.entries.end());
    }
    shares.entries[place] = entry_of(own, other, share);
}

void sort_in(PairShares& shares, std::size_t first) noexcept
{
    Column<PairShares::Entry>& entries = shares.entries;
    const auto before = [](const PairShares::Entry& a, const PairShares::Entry& b) {
        return key_of(a) < key_of(b);
    };
    std::stable_sort(entries.begin() + first, entries.end(), before);
    std::inplace_merge(entries.begin(), entries.begin() + first, entries.end(), before);
    std::size_t kept = 0;
    for (const PairShares::Entry& entry : entries) {
        const bool again = kept > 0 && key_of(entries[kept - 1]) == key_of(entry);
        entries[again ? kept - 1 : kept++] = entry;  // both sorts are stable: the later one
    }
    entries.resize(kept);
}

void erase_share(PairShares& shares, std::uint32_t own, std::uint32_t other) noexcept
{
    const std::uint64_t key = key_of(own, other);
    const std::size_t place = place_of(shares, key);
    if (!is_at(shares, place, key)) return;
    std::move(shares.entries.begin() + place + 1, shares.entries.end(),
              shares.entries.begin() + place);
    shares.entries.pop_back();
}

bool has_share(const PairShares& shares, std::uint32_t id) noexcept
{
    return std::any_of(
        shares.entries.begin(), shares.entries.end(),
        [id](const PairShares::Entry& entry) { return entry.low == id || entry.high == id; });
}

std::size_t set_aside(PairShares& shares, std::uint32_t id) noexcept
{
    Column<PairShares::Entry>& entries = shares.entries;
    std::size_t kept = 0;
    for (PairShares::Entry& entry : entries) {
        if (entry.low == id || entry.high == id) continue;
        std::swap(entries[kept++], entry);
    }
    PairShares::Entry* const partners = entries.begin() + kept;
    for (PairShares::Entry* e = partners; e != entries.end(); ++e)
        *e = {e->low == id ? e->high : e->low, 0, 0.0f};
    const auto by_id = [](const PairShares::Entry& a, const PairShares::Entry& b) {
        return a.low < b.low;
    };
    std::sort(partners, entries.end(), by_id);

    // Some have shares towards higher ids, which one look tells. For the others all are looked
    // through, until nobody is left in doubt.
    std::size_t in_doubt = 0;
    for (PairShares::Entry* e = partners; e != entries.end(); ++e) {
        const PairShares::Entry* found = std::lower_bound(entries.begin(), partners, *e, by_id);
        e->high = found != partners && found->low == e->low ? 1 : 0;
        in_doubt += e->high == 0 ? 1 : 0;
    }
    for (const PairShares::Entry* e = entries.begin(); e != partners && in_doubt > 0; ++e) {
        PairShares::Entry* found =
            std::lower_bound(partners, entries.end(), PairShares::Entry{e->high, 0, 0.0f}, by_id);
        if (found == entries.end() || found->low != e->high || found->high != 0) continue;
        found->high = 1;
        --in_doubt;
    }
    return kept;
}

}  // namespace sidestep
