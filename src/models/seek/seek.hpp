// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// Walks straight to its goal and avoids nobody: the simplest model, and what others must expect of
// a body that does not react. Walls still stop it, as they stop everybody: a move into one is cut
// at contact.
namespace sidestep::seek {

extern const Model kModel;

}  // namespace sidestep::seek
