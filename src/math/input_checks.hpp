// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// Checks at the border of the library. Keeps the first fault:
///     if (InputCheck c; c.finite("p", p).positive("tau", tau).failed()) return c.error();
class InputCheck {
public:
    InputCheck& finite(std::string_view name, double value)
    {
        return require(is_usable(value), name, kFinite);
    }
    InputCheck& finite(std::string_view name, Vec2 value)
    {
        return require(is_usable(value.x) && is_usable(value.y), name, kFinite);
    }
    InputCheck& positive(std::string_view name, double value)
    {
        return require(value > 0.0 && is_usable(value), name, "must be > 0 and at most 1e70");
    }
    InputCheck& positive_or_infinite(std::string_view name, double value)
    {
        return require(value > 0.0, name, "must be > 0");
    }
    InputCheck& not_negative(std::string_view name, double value)
    {
        return require(value >= 0.0 && is_usable(value), name, "must be >= 0 and at most 1e70");
    }
    InputCheck& not_negative_or_infinite(std::string_view name, double value)
    {
        return require(value >= 0.0, name, "must be >= 0");
    }
    InputCheck& fraction(std::string_view name, double value)
    {
        return require(value >= 0.0 && value <= 1.0, name, "must be in [0, 1]");
    }
    InputCheck& unit(std::string_view name, Vec2 value)
    {
        const double len = std::sqrt(value.x * value.x + value.y * value.y);
        return require(std::fabs(len - 1.0) <= kUnitLength, name, "must have length 1");
    }
    InputCheck& require(bool holds, std::string_view name, std::string_view rule)
    {
        if (!holds && !fault_) {
            fault_ =
                Error{ErrorCode::invalid_argument, std::string(name) + ' ' + std::string(rule)};
        }
        return *this;
    }

    bool failed() const { return fault_.has_value(); }
    const Error& error() const { return *fault_; }

private:
    /// Finite, and so small that products of four such numbers do not overflow.
    static bool is_usable(double x) { return std::fabs(x) <= 1e70; }

    static constexpr std::string_view kFinite = "must be finite and at most 1e70 in magnitude";

    /// Normals typed with seven digits are accepted and made exact.
    static constexpr double kUnitLength = 1e-6;

    std::optional<Error> fault_;
};

}  // namespace sidestep
