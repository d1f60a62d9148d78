// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "motion/edge_geometry.hpp"

namespace sidestep {

/// Velocities v with dot(v, towards) <= most are allowed.
struct SpeedLine {
    Spot towards{};     ///< unit vector
    double most = 0.0;  ///< at least 0 [m/s]
};

/// The velocity nearest to a wanted one that keeps to lines which come one by one. All of them
/// allow 0, so that there is one, and it is no faster than the wanted one. A line that the answer
/// breaks is tight at the next answer: what is left is to clip that line by those before it.
class NearestAllowed {
public:
    static constexpr std::size_t kMost = 24;

    explicit NearestAllowed(const Spot& wanted) : wanted_(wanted), answer_(wanted) {}

    /// Adds a line that the answer breaks. Needs count() < kMost.
    void add(const SpeedLine& line) noexcept;

    const Spot& answer() const { return answer_; }
    std::size_t count() const { return count_; }

private:
    Spot wanted_;
    Spot answer_;
    SpeedLine lines_[kMost];
    std::size_t count_ = 0;
};

}  // namespace sidestep
