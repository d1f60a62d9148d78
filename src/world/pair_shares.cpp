// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "world/pair_shares.hpp"

#include <algorithm>

namespace sidestep {

float find_share(const PairShares& shares, std::uint32_t own, std::uint32_t other) noexcept
{
    const std::uint64_t key = std::uint64_t{std::min(own, other)} << 32 | std::max(own, other);
    const auto key_of = [](const PairShares::Entry& entry) {
        return std::uint64_t{entry.low} << 32 | entry.high;
    };
    const auto* found =
        std::lower_bound(shares.entries.begin(), shares.entries.end(), key,
                         [&](const auto& entry, std::uint64_t k) { return key_of(entry) < k; });
    if (found == shares.entries.end() || key_of(*found) != key) return -1.0f;
    return own < other ? found->share : 1.0f - found->share;
}

}  // namespace sidestep
