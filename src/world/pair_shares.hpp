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

/// Share of the agent with id `own` towards `other`, or a negative number where none was set.
float find_share(const PairShares& shares, std::uint32_t own, std::uint32_t other) noexcept;

}  // namespace sidestep
