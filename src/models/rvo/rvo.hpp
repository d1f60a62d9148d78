// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// Reciprocal velocity obstacles, [RVO08]: as velocity obstacles, but each of two takes its share of
// the way out of the cone and counts on the other for the rest.
namespace sidestep::rvo {

extern const Model kModel;

}  // namespace sidestep::rvo
