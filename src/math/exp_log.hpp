// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sidestep {

/// e^x with a relative error below 1e-15 where the result is a normal number, and the same bits on
/// every machine: only + - * / and exact functions are used. Infinite above 709.79, 0 below -745.2.
double portable_exp(double x);

/// Natural logarithm, the same way. Minus infinity at 0, not a number below.
double portable_log(double x);

}  // namespace sidestep
