// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "peers.hpp"

namespace sidestep {

// Each fills in the library's name and how to make a crowd, and clears `missing`. Compiled where
// the library was found.

void add_rvo2(Peer& peer);
void add_detour(Peer& peer);

}  // namespace sidestep
