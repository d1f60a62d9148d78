// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sidestep {

// A body that takes up a new velocity not at once but as a first-order lag: from v towards v' it
// moves at v(t) = v' + (v - v') e^(-t / delta). With
//
//     g = delta (1 - e^(-t / delta)),    k = t - g
//
// it has moved by g v + k v' after the time t: g is the time for which it kept its velocity, k that
// for which it had the one it was told. delta -> 0 answers at once (g = 0, k = t), delta ->
// infinity never (g = t, k = 0).

struct Response {
    double kept = 0.0;  ///< g [s]
    double told = 0.0;  ///< k [s]
};

/// g and k after t >= 0 [s] with the response time delta >= 0 [s], which may be infinite. Both are
/// exact to a few ulp of t, k also where hardly any time has passed, and the same bits on every
/// machine.
Response response_after(double t, double delta);

}  // namespace sidestep
