// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "world/agent_table.hpp"

namespace sidestep {

/// What the agents of a leaf want in this step: their preferred velocities as the stages before the
/// models left them, and where a model runs as a filter what their own model chose.
struct Wishes {
    float vx[kLeafRows] = {}, vy[kLeafRows] = {};  ///< [m/s]
    float most_speed[kLeafRows] = {};              ///< a limit of this step besides max_speed [m/s]
    bool filtered[kLeafRows] = {};  ///< agents that the filter is for; it skips the others
};

}  // namespace sidestep
