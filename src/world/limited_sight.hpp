// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "world/agent_table.hpp"

namespace sidestep {

/// The traits that keep an agent from noticing everybody in range at once.
struct SightTraits {
    float observation_time;  ///< [s]
    float field_of_view_deg;
    Sight sight;

    bool limited() const
    {
        return observation_time > 0.0f || field_of_view_deg < 360.0f ||
               sight != Sight::through_walls;
    }
};

inline SightTraits sight_traits_of(const AgentTable& agents, const Column<Profile>& profiles,
                                   std::size_t row)
{
    return {param_of(agents, profiles, row, kObservationTime),
            param_of(agents, profiles, row, kFieldOfView),
            static_cast<Sight>(static_cast<std::uint8_t>(param_of(agents, profiles, row, kSight)))};
}

/// At least so many are searched for an agent that may not notice all of them: twice what it can
/// remember. Whoever is behind this many nearer ones, seen or not, goes unnoticed.
inline constexpr std::size_t kSearchedIfLimited = 32;

/// How many neighbours the search shall list for an agent: more than it may avoid, where some of
/// them may not count.
inline std::uint32_t search_cap(const AgentTable& agents, const Column<Profile>& profiles,
                                std::size_t row)
{
    const auto avoided =
        static_cast<std::uint32_t>(param_of(agents, profiles, row, kMaxNeighbours));
    return sight_traits_of(agents, profiles, row).limited()
               ? std::max(avoided, static_cast<std::uint32_t>(kSearchedIfLimited))
               : avoided;
}

/// How many it shall list at first: as many of those of limited sight as they can remember, where
/// that leaves them somebody too many to avoid.
inline std::uint32_t first_search_cap(const AgentTable& agents, const Column<Profile>& profiles,
                                      std::size_t row)
{
    const std::uint32_t full = search_cap(agents, profiles, row);
    const float avoided = param_of(agents, profiles, row, kMaxNeighbours);
    return full == kSearchedIfLimited && avoided < static_cast<float>(kSightEntries)
               ? static_cast<std::uint32_t>(kSightEntries)
               : full;
}

}  // namespace sidestep
