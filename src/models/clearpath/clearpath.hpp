// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model.hpp"

// ClearPath, [CP09]: the velocity nearest to the wanted one outside the cones of all neighbours,
// each cut by a straight line and split in halves between the two. Where discs overlap the agent
// wants to stand and to be apart after this step. Where nothing is left the farthest neighbours are
// given up.
//
// Model clearpath is the paper's: variant 1 keeps to one side of each neighbour, halves the horizon
// and then becomes variant 2, which is free to pass on either side. Its Theorem 1, that two such
// agents never collide, does not hold for cones that are cut. Model clearpath-safe does: both of a
// pair find the same way out of the cone and take one half-plane each.
namespace sidestep::clearpath {

extern const Model kModel;
extern const Model kSafeModel;

}  // namespace sidestep::clearpath
