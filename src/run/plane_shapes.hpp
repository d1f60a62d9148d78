// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sidestep/scenario.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// Whether a point lies in a ring, by the even-odd rule; on its edge either answer may come.
bool is_inside(std::span<const Vec2> ring, Vec2 point);
/// In the shell and in no hole.
bool is_inside(const Polygon& polygon, Vec2 point);
bool is_inside(std::span<const Polygon> polygons, Vec2 point);

/// Nearest point of a segment.
Vec2 nearest_on(Vec2 a, Vec2 b, Vec2 point);

}  // namespace sidestep
