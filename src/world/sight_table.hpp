// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/column.hpp"

namespace sidestep {

// Who an agent has in view, and for how long, [RCAP10] §4.
//
// Times are counted in whole steps. An agent that observes (trait observation_time > 0) owns a
// table of the 16 nearest it has seen; the others own nothing. Tables stay where they are while
// rows move: a row only holds the place of its table.

/// One of those seen. Steps are counted up to their largest value and then stay there.
struct SightEntry {
    std::uint32_t id;         ///< of an agent, or the index of a body; kNoAgent: an empty place
    std::uint16_t first;      ///< steps since it came into sight
    std::uint16_t last : 15;  ///< steps since it was last in sight
    std::uint16_t is_body : 1;
};

inline constexpr std::uint16_t kMostStepsSeen = 0xffff;
inline constexpr std::uint16_t kMostStepsUnseen = 0x7fff;
inline constexpr std::size_t kSightEntries = 16;

struct alignas(64) SightTable {
    SightEntry entry[kSightEntries];
};
static_assert(sizeof(SightTable) == 128);

inline constexpr std::uint32_t kNoSight = 0xffffffffu;

struct SightPool {
    Column<SightTable> tables;
    Column<std::uint32_t> free;  ///< places in tables that nobody owns
};

}  // namespace sidestep
