// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/bench.hpp>

#include <vector>

namespace sidestep {

/// The engines that `sidestep bench` compares with: adapters to those that were there when the
/// program was built, and for the others what to do to have them.
std::vector<Peer> known_peers();

}  // namespace sidestep
