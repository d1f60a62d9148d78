// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.hpp"
#include "sidestep/scenario.hpp"

namespace sidestep {

/// A value of the distribution; the same bits on every machine. key.turn is used for attempts: a
/// value outside the cut-offs is drawn again, and after kMaxAttempts the nearest cut-off is taken.
double draw(const Distribution& distribution, RandomKey key);

/// Part of the draws of a normal or log-normal that its cut-offs let pass, in [0, 1].
double part_within(const Distribution& distribution);
/// Draws are repeated until one fits: where less than this fits, the reader refuses.
inline constexpr double kLeastPartWithin = 0.02;

/// The smallest and largest value that can be drawn (normal and log-normal without cut-offs:
/// infinite).
double smallest(const Distribution& distribution);
double largest(const Distribution& distribution);

}  // namespace sidestep
