// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/pair_shares.hpp"

#include <algorithm>

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
    shares.entries[place] = {std::min(own, other), std::max(own, other),
                             own < other ? share : 1.0f - share};
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

}  // namespace sidestep
