// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sidestep {
namespace {

// Every sixteenth of the map; between them straight lines, which stay within 2 of 255.
constexpr auto kViridis = std::to_array<Colour>({{68, 1, 84},
                                                 {72, 24, 106},
                                                 {71, 45, 123},
                                                 {66, 64, 134},
                                                 {59, 82, 139},
                                                 {51, 99, 141},
                                                 {44, 114, 142},
                                                 {38, 130, 142},
                                                 {33, 145, 140},
                                                 {31, 160, 136},
                                                 {40, 174, 128},
                                                 {63, 188, 115},
                                                 {94, 201, 98},
                                                 {132, 212, 75},
                                                 {173, 220, 48},
                                                 {216, 226, 25},
                                                 {253, 231, 37}});

std::uint8_t blend(std::uint8_t a, std::uint8_t b, double part)
{
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * part));
}

}  // namespace

std::string to_hex(Colour colour)
{
    return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

Colour viridis(double place)
{
    const double at = (place > 0.0 ? std::min(place, 1.0) : 0.0) * (kViridis.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(at), kViridis.size() - 2);
    const double part = at - static_cast<double>(i);
    const Colour& a = kViridis[i];
    const Colour& b = kViridis[i + 1];
    return {blend(a.red, b.red, part), blend(a.green, b.green, part), blend(a.blue, b.blue, part)};
}

}  // namespace sidestep
