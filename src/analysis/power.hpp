// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sidestep {

inline constexpr double kStandingPower = 2.23;  // [W/kg]
inline constexpr double kWalkingPower = 1.26;   // [W s^2 / (kg m^2)]

/// What walking at this speed [m/s] takes [W/kg].
constexpr double power_at(double speed)
{
    return kStandingPower + kWalkingPower * speed * speed;
}

}  // namespace sidestep
