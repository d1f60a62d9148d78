// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/sunflower.hpp"

#include <cmath>

#include "math/trig.hpp"

namespace sidestep {

namespace {

constexpr double kGoldenAngle = 2.399963229728653;  // [rad]

}  // namespace

Vec2 sunflower_point(std::size_t k, std::size_t n)
{
    const double radius = std::sqrt((static_cast<double>(k) + 0.5) / static_cast<double>(n));
    const SinCos turn = sin_cos(static_cast<double>(k) * kGoldenAngle);
    return {radius * turn.cos, radius * turn.sin};
}

const std::array<Vec2, kSamples>& sunflower()
{
    static const auto points = [] {
        std::array<Vec2, kSamples> list;
        for (std::size_t k = 0; k < kSamples; ++k) list[k] = sunflower_point(k, kSamples);
        return list;
    }();
    return points;
}

}  // namespace sidestep
