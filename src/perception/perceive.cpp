// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "perception/perceive.hpp"

namespace sidestep {

std::size_t search_cap(const AgentTable& agents, const Column<Profile>& profiles, std::size_t row)
{
    return static_cast<std::size_t>(param_of(agents, profiles, row, kMaxNeighbours));
}

void perceive(const PerceptionInput&, std::size_t, NeighbourLists&, Perceived&, Explanation*,
              std::size_t)
{}

void remember(const Perceived&, std::size_t, const AgentTable&, SightPool&) noexcept {}

}  // namespace sidestep
