// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "world/sight_table.hpp"

namespace sidestep {

/// Whether `steps` of dt are longer than a time that is kept as a float: strict, so that what the
/// user calls equal (0.7 s and 14 steps of 0.05 s) is not longer. In favour of the time are half a
/// unit in its last place, which it lost when it became a float, and 1e-9 s for the product.
inline bool is_longer(std::uint32_t steps, double dt, float time)
{
    return static_cast<double>(steps) * dt > double{time} * (1.0 + 0x1p-24) + 1e-9;
}

struct MemoryTimes {
    double dt;               ///< [s]
    float observation_time;  ///< T_obs [s]
    float forget_time;       ///< T_forget [s]
};

/// One agent's memory of whom it has in view, while a step passes: [RCAP10] eq. (6).
///
/// First everybody in sight is told to `sees`, nearest first, then `keep_unseen` fills what is left
/// of the table with those who are out of sight and not forgotten. A table that is full must not
/// make anybody blind: who does not fit, and who comes in when it was full, may have been seen for
/// long, and counts as observed.
class Memory {
public:
    /// Reads `before`, what the agent knew after the last step; writes `after`.
    Memory(const SightTable& before, SightTable& after, const MemoryTimes& times) noexcept;

    /// Tells of one in sight; whether it has been observed, and is to be avoided.
    bool sees(std::uint32_t id, bool is_body) noexcept;
    void keep_unseen() noexcept;

    /// Nobody more fits: all who are farther count as observed.
    bool full() const noexcept { return count_ == kSightEntries; }
    /// How many were taken as observed because the table is or was full.
    std::uint32_t crowded() const noexcept { return crowded_; }

private:
    /// Where the table of the last step has somebody, or kSightEntries.
    std::size_t place_of(std::uint32_t id, bool is_body) const noexcept;
    bool is_forgotten(std::uint32_t steps_unseen) const noexcept
    {
        return steps_unseen >= kMostStepsUnseen ||
               is_longer(steps_unseen, times_.dt, times_.forget_time);
    }

    const SightTable& before_;
    SightTable& after_;
    MemoryTimes times_;
    bool was_full_ = true;
    std::uint32_t matched_ = 0;  ///< a bit for each entry of `before` that is in sight
    std::uint32_t count_ = 0;    ///< entries of `after`
    std::uint32_t crowded_ = 0;
};

}  // namespace sidestep
