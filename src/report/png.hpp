// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "report/colours.hpp"
#include "sidestep/result.hpp"

namespace sidestep {

/// A colour of an indexed picture, and how much it covers.
struct PaletteColour {
    Colour colour;
    std::uint8_t opacity = 255;
};

/// Bytes of a PNG file of 8 bits a channel; `pixels` has width * height, row by row from the top.
/// Width and height are at least 1. An Error: out of memory.
Result<std::string> encode_png(std::uint32_t width, std::uint32_t height,
                               std::span<const Colour> pixels);
/// The same from indices into a palette of at most 256 colours.
Result<std::string> encode_png(std::uint32_t width, std::uint32_t height,
                               std::span<const std::uint8_t> pixels,
                               std::span<const PaletteColour> palette);

}  // namespace sidestep
