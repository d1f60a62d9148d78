// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace sidestep {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;

    friend bool operator==(const Colour&, const Colour&) = default;
};

/// #rrggbb
std::string to_hex(Colour colour);

/// From dark violet over green to yellow, lightness rising all the way: it survives colour
/// blindness and grey printers. Values of the published map "viridis". `place` is clamped to 0..1.
Colour viridis(double place);

/// Steps of a scale where things are drawn step by step.
inline constexpr std::size_t kScaleSteps = 16;

/// Categories that colour-blind people tell apart: Okabe and Ito's palette, the one that is hard to
/// see on white (yellow) left out.
inline constexpr auto kCategories = std::to_array<Colour>(
    {{0, 114, 178}, {230, 159, 0}, {0, 158, 115}, {204, 121, 167}, {86, 180, 233}, {213, 94, 0}});

/// Top of the colour scale of speeds [m/s] and of densities [1/m2] in animations and stills.
inline constexpr double kTopSpeed = 1.6;
inline constexpr double kTopDensity = 4.0;
/// On dark ground walkers begin here in the colours: darker ones would not be seen.
inline constexpr double kDarkFrom = 0.25;

}  // namespace sidestep
