// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <initializer_list>

#include "world/agent_table.hpp"

namespace sidestep {

/// The profile from which all eight rows of a leaf have these parameters, or null where rows differ
/// in their profiles or somebody may have a value of its own. Most leaves have one: then what
/// eight agents need is read once.
inline const Profile* common_profile(const AgentTable& agents, const Column<Profile>& profiles,
                                     std::size_t leaf, std::initializer_list<std::size_t> params)
{
    static_assert(sizeof(ProfileId) == 2 && kLeafRows == 8);
    const ProfileId* rows = agents.profile.data() + leaf * kLeafRows;
    std::uint64_t ids[2];
    std::memcpy(ids, rows, sizeof ids);
    if (((ids[0] ^ (rows[0] * 0x0001000100010001ull)) | (ids[0] ^ ids[1])) != 0) return nullptr;
    for (const std::size_t param : params) {
        if (!agents.overrides[param].empty()) return nullptr;
    }
    return &profiles[rows[0]];
}

}  // namespace sidestep
