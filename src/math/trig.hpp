// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sidestep/vec2.hpp"

namespace sidestep {

struct SinCos {
    double sin = 0.0;
    double cos = 1.0;
};

/// Sine and cosine of x [rad] with an error below 1e-15 for |x| <= 1.1e10, and the same bits on
/// every machine: only + - * and the exact std::fmod are used. Needs a finite x.
SinCos sin_cos(double x);

/// The angle [rad] in [-pi/2, pi/2] whose sine is x, with an error below 1e-15 and the same bits on
/// every machine; beyond [-1, 1] that of the nearer end.
double arc_sine(double x);

/// Unit vector along which agent id_a leaves agent id_b when their centres and velocities coincide.
/// Both agents get opposite directions; pairs spread by the golden angle. A world that keeps to the
/// left has the mirror image (y negated).
Vec2 apart_direction(std::uint32_t id_a, std::uint32_t id_b, PassingSide side = PassingSide::right);

}  // namespace sidestep
