// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// Steering by forces in its plainest form: everybody near pushes, the more the nearer, and so do
// walls. Nothing is foreseen: it is what avoidance as a filter is added to, and compared with.
namespace sidestep::separation {

extern const Model kModel;

}  // namespace sidestep::separation
