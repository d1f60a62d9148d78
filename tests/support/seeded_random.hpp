// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

#include "sidestep/vec2.hpp"

namespace sidestep::test {

/// Numbers from a seed alone, the same on every platform (splitmix64).
class SeededRandom {
public:
    explicit SeededRandom(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x2545f491u) {}

    std::uint64_t bits()
    {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits() % n); }
    double uniform(double low, double high)
    {
        return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
    }
    /// As many small ones as large ones.
    double log_uniform(double low, double high)
    {
        return low * std::pow(high / low, uniform(0.0, 1.0));
    }
    bool chance(double p) { return uniform(0.0, 1.0) < p; }
    Vec2 in_box(double half_side)
    {
        const double x = uniform(-half_side, half_side);
        return {x, uniform(-half_side, half_side)};
    }
    /// A unit vector.
    Vec2 direction()
    {
        const double angle = uniform(-3.141592653589793, 3.141592653589793);
        return {std::cos(angle), std::sin(angle)};
    }
    Vec2 in_disc(double radius)
    {
        const Vec2 towards = direction();  // one draw per statement: one order everywhere
        return towards * (radius * std::sqrt(uniform(0.0, 1.0)));
    }
    template <class T>
    T one_of(std::initializer_list<T> values)
    {
        return values.begin()[below(values.size())];
    }
    template <class Range>
    void shuffle(Range& range)
    {
        for (std::size_t i = range.size(); i > 1; --i) std::swap(range[i - 1], range[below(i)]);
    }

private:
    std::uint64_t state_;
};

}  // namespace sidestep::test
