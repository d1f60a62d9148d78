// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "sidestep/vec2.hpp"

namespace sidestep {

/// Point k of n spread evenly over the unit disc: radius sqrt((k + 1/2) / n), turned by the golden
/// angle from one to the next.
Vec2 sunflower_point(std::size_t k, std::size_t n);

/// Velocities tried where the best one is sampled, [RVO08].
inline constexpr std::size_t kSamples = 250;

/// The points of n = kSamples, made once.
const std::array<Vec2, kSamples>& sunflower();

}  // namespace sidestep
