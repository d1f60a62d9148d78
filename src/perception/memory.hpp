// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "world/sight_table.hpp"

namespace sidestep {

/// Whether `steps` of dt [s] are longer than a time [s] that is kept as a float: strict, so that
/// what the user calls equal (0.7 s and 14 steps of 0.05 s) is not longer. In favour of the time
/// are half a unit in its last place, which it lost when it became a float, and 1e-9 s for the
/// product.
inline bool is_longer(std::uint32_t steps, double dt, float time)
{
    return static_cast<double>(steps) * dt > double{time} * (1.0 + 0x1p-24) + 1e-9;
}

struct MemoryTimes {
    double dt;               ///< [s]
    float observation_time;  ///< T_obs [s]
    float forget_time;       ///< T_forget [s]

    bool operator==(const MemoryTimes&) const = default;
};

/// The same in whole steps.
struct MemorySteps {
    std::uint16_t observed;   ///< in sight for so many or more: observed
    std::uint16_t forgotten;  ///< out of sight for so many or more: forgotten
};

/// The fewest steps that are longer (is_longer) than each of the times, or the most that a table
/// counts: kMostStepsSeen, kMostStepsUnseen. Needs dt > 0.
MemorySteps steps_of(const MemoryTimes& times) noexcept;

/// Of an entry that is not in sight in this step.
inline bool is_forgotten(const SightEntry& entry, const MemorySteps& steps)
{
    return entry.last + 1u >= steps.forgotten;
}

/// Steps since first sight, one step later.
inline std::uint16_t one_more(std::uint16_t steps)
{
    return steps < kMostStepsSeen ? static_cast<std::uint16_t>(steps + 1) : kMostStepsSeen;
}

/// Fills the places of `after` from `count` on with those of `before` who are out of sight and not
/// forgotten, the freshest first where there are too many. `unseen` has a bit for each of them.
void keep_unseen(const SightTable& before, std::uint32_t unseen, SightTable& after,
                 std::size_t count) noexcept;

/// One agent's memory of whom it has in view, while a step passes: [RCAP10] eq. (6).
///
/// First everybody in sight is told to `sees`, nearest first, then `keep_unseen` fills what is left
/// of the table with those who are out of sight and not forgotten. A table that is full must not
/// make anybody blind: who does not fit, and who comes in when it was full, may have been seen for
/// long, and counts as observed.
class Memory {
public:
    /// Reads `before`, what the agent knew after the last step; writes `after`.
    Memory(const SightTable& before, SightTable& after, const MemorySteps& steps) noexcept;

    /// Tells of one in sight; whether it has been observed, and is to be avoided.
    bool sees(std::uint32_t id, bool is_body) noexcept;
    void keep_unseen() noexcept;

    /// Nobody more fits: all who are farther count as observed.
    bool full() const noexcept { return count_ == kSightEntries; }
    /// How many were taken as observed because the table is or was full.
    std::uint32_t crowded() const noexcept { return crowded_; }

private:
    const SightTable& before_;
    SightTable& after_;
    MemorySteps steps_;
    bool was_full_ = true;
    std::uint32_t matched_ = 0;  ///< a bit for each entry of `before` that is in sight
    std::uint32_t count_ = 0;    ///< entries of `after`
    std::uint32_t crowded_ = 0;
};

}  // namespace sidestep
