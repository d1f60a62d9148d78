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

/// The entry that says `own` takes `share` towards `other`, another id.
inline PairShares::Entry entry_of(std::uint32_t own, std::uint32_t other, float share)
{
    return own < other ? PairShares::Entry{own, other, share}
                       : PairShares::Entry{other, own, 1.0f - share};
}

/// Sets the share of `own` towards `other`, another id; `other` takes the rest. Needs room for one
/// more entry.
void put_share(PairShares& shares, std::uint32_t own, std::uint32_t other, float share) noexcept;

/// Puts the entries from place `first` on, which may be in any order and name pairs several times,
/// in their places; the last entry of a pair holds. Much faster than one by one.
void sort_in(PairShares& shares, std::size_t first) noexcept;

/// Ends the share of a pair, if it has one.
void erase_share(PairShares& shares, std::uint32_t own, std::uint32_t other) noexcept;

/// Whether this agent has a share towards anybody.
bool has_share(const PairShares& shares, std::uint32_t id) noexcept;

/// Moves all entries of an agent behind the others, which stay in order, and returns how many those
/// are. What was moved then tells of its partners: `low` is the id, `high` is 1 if it has other
/// shares and 0 if not.
std::size_t set_aside(PairShares& shares, std::uint32_t id) noexcept;

/// Ends all shares of an agent and calls visit(id, whether it still has shares) with each of its
/// partners.
template <class Visit>
void erase_shares(PairShares& shares, std::uint32_t id, Visit&& visit) noexcept
{
    const std::size_t kept = set_aside(shares, id);
    for (std::size_t i = kept; i < shares.entries.size(); ++i)
        visit(shares.entries[i].low, shares.entries[i].high != 0);
    shares.entries.resize(kept);
}

/// Share of the agent with id `own` towards `other`, or a negative number where none was set.
float find_share(const PairShares& shares, std::uint32_t own, std::uint32_t other) noexcept;

}  // namespace sidestep
