// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/column.hpp"

namespace sidestep {

/// The entries of the matrix of roles that were set, [LI13]: w_ij for i < j by id, in that order.
/// Few pairs have one; agents that do carry kHasShares.
struct PairShares {
    struct Entry {
        std::uint32_t low;   ///< id
        std::uint32_t high;  ///< id
        float share;         ///< of `low` towards `high`; `high` takes 1 - share
    };
    Column<Entry> entries;  ///< sorted by (low, high)
};

/// Sets the share of `own` towards `other`, another id; `other` takes the rest. Needs room for one
/// more entry.
void put_share(PairShares& shares, std::uint32_t own, std::uint32_t other, float share) noexcept;

/// Ends the share of a pair, if it has one.
void erase_share(PairShares& shares, std::uint32_t own, std::uint32_t other) noexcept;

/// Whether this agent has a share towards anybody.
bool has_share(const PairShares& shares, std::uint32_t id) noexcept;

/// Ends all shares of an agent and calls visit(id) with each of its partners.
template <class Visit>
void erase_shares(PairShares& shares, std::uint32_t id, Visit&& visit) noexcept
{
    std::size_t kept = 0;
    for (const PairShares::Entry& entry : shares.entries) {
        if (entry.low == id || entry.high == id) {
            visit(entry.low == id ? entry.high : entry.low);
        } else {
            shares.entries[kept++] = entry;
        }
    }
    shares.entries.resize(kept);
}

/// Share of the agent with id `own` towards `other`, or a negative number where none was set.
float find_share(const PairShares& shares, std::uint32_t own, std::uint32_t other) noexcept;

}  // namespace sidestep
