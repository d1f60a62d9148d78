// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace sidestep {

// A body that takes up a new velocity not at once but as a first-order lag: from v towards v' it
// moves at v(t) = v' + (v - v') e^(-t / delta). With
//
//     g = delta (1 - e^(-t / delta)),    k = t - g
//
// it has gone g v + k v' after the time t: g is the time the present velocity counts for, k that of
// the wanted one. delta -> 0 answers at once (g = 0, k = t), delta -> infinity never (g = t, k =
// 0).

struct Response {
    double present = 0.0;  ///< g [s]
    double wanted = 0.0;   ///< k [s]
};

/// g and k after t >= 0 [s] with the response time delta >= 0 [s], which may be infinite. Both are
/// exact to a few ulp of t and the same bits on every machine.
Response response_after(double t, double delta);

/// One moment of the motion, as a step or a question looks at it.
template <class T>
struct ResponseSample {
    T time;     ///< [s]
    T present;  ///< g [s]
    T wanted;   ///< k [s]
};

/// The moment i of `count` equal parts of the horizon tau [s]: i = 0 is now, i = count is tau.
template <class T>
ResponseSample<T> response_sample(std::size_t i, std::size_t count, double tau, double delta)
{
    const double t = tau * static_cast<double>(i) / static_cast<double>(count);
    const Response r = response_after(t, delta);
    return {static_cast<T>(t), static_cast<T>(r.present), static_cast<T>(r.wanted)};
}

}  // namespace sidestep
