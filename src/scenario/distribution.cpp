// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/distribution.hpp"

#include <algorithm>
#include <cmath>

#include "math/exp_log.hpp"
#include "math/trig.hpp"

namespace sidestep {
namespace {

/// Draws outside the cut-offs before the nearest cut-off is taken. The reader refuses distributions
/// of which less than kLeastPartWithin fits: this many failures then have a chance of 2e-9.
constexpr std::uint32_t kMaxAttempts = 1000;
constexpr double kTwoPi = 6.283185307179586;

/// Box and Muller's transformation; uses two turns of the key.
double draw_normal(RandomKey key, std::uint32_t attempt)
{
    key.turn += 2 * attempt;
    const double u = 1.0 - random_unit(key);  // in (0, 1]
    ++key.turn;
    const double angle = kTwoPi * random_unit(key);
    return std::sqrt(-2.0 * portable_log(u)) * sin_cos(angle).cos;
}

double draw_choice(const Distribution& d, const RandomKey& key)
{
    double sum = 0.0;
    for (const double weight : d.weights) sum += weight;
    double left = random_unit(key) * sum;
    std::size_t last = 0;
    for (std::size_t i = 0; i < d.values.size(); ++i) {
        if (!(d.weights[i] > 0.0)) continue;
        last = i;
        if (left < d.weights[i]) break;
        left -= d.weights[i];
    }
    return d.values[last];
}

/// Ends of a choice, leaving out what is never taken.
template <class Better>
double best_of_choice(const Distribution& d, Better better)
{
    bool found = false;
    double best = 0.0;
    for (std::size_t i = 0; i < d.values.size(); ++i) {
        if (!(d.weights[i] > 0.0) || (found && !better(d.values[i], best))) continue;
        best = d.values[i];
        found = true;
    }
    return best;
}

}  // namespace

double draw(const Distribution& d, RandomKey key)
{
    switch (d.kind) {
        case Distribution::Kind::constant: return d.first;
        case Distribution::Kind::uniform:
            return std::min(d.second, d.first + (d.second - d.first) * random_unit(key));
        case Distribution::Kind::choice: return draw_choice(d, key);
        case Distribution::Kind::normal:
        case Distribution::Kind::log_normal: break;
    }
    double value = 0.0;
    for (std::uint32_t attempt = 0; attempt < kMaxAttempts; ++attempt) {
        value = d.first + d.second * draw_normal(key, attempt);
        if (d.kind == Distribution::Kind::log_normal) value = portable_exp(value);
        if (value >= d.low && value <= d.high) return value;
    }
    return std::clamp(value, d.low, d.high);
}

double part_within(const Distribution& d)
{
    const bool logarithm = d.kind == Distribution::Kind::log_normal;
    const auto bound = [&](double end) {
        return logarithm ? portable_log(std::max(end, 0.0)) : end;
    };
    const double low = bound(d.low);
    const double high = bound(d.high);
    if (d.second == 0.0) return d.first >= low && d.first <= high ? 1.0 : 0.0;
    constexpr double kEnd = 8.0;  // deviations; beyond lie 1e-15 of all
    const double from = std::clamp((low - d.first) / d.second, -kEnd, kEnd);
    const double to = std::clamp((high - d.first) / d.second, -kEnd, kEnd);
    // Simpson's rule over the density.
    constexpr int kPieces = 64;
    const double width = (to - from) / kPieces;
    double sum = 0.0;
    for (int i = 0; i <= kPieces; ++i) {
        const double x = from + i * width;
        const double weight = i == 0 || i == kPieces ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
        sum += weight * portable_exp(-0.5 * x * x);
    }
    return sum * width / (3.0 * std::sqrt(kTwoPi));
}

double smallest(const Distribution& d)
{
    switch (d.kind) {
        case Distribution::Kind::constant:
        case Distribution::Kind::uniform: return d.first;
        case Distribution::Kind::normal: return d.low;
        case Distribution::Kind::log_normal: return std::max(d.low, 0.0);
        case Distribution::Kind::choice: break;
    }
    return best_of_choice(d, [](double a, double b) { return a < b; });
}

double largest(const Distribution& d)
{
    switch (d.kind) {
        case Distribution::Kind::constant: return d.first;
        case Distribution::Kind::uniform: return d.second;
        case Distribution::Kind::normal:
        case Distribution::Kind::log_normal: return d.high;
        case Distribution::Kind::choice: break;
    }
    return best_of_choice(d, [](double a, double b) { return a > b; });
}

}  // namespace sidestep
