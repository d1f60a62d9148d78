// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "report/png.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/assert.hpp"

namespace sidestep {
namespace {

constexpr char kTrueColour = 2, kIndexed = 3;

void append_number(std::string& out, std::uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((number >> shift) & 255);
}

/// Length, name, content, CRC of name and content.
void append_chunk(std::string& out, std::string_view name, std::string_view content)
{
    append_number(out, static_cast<std::uint32_t>(content.size()));
    const std::size_t begin = out.size();
    out += name;
    out += content;
    const auto* bytes = reinterpret_cast<const Bytef*>(out.data() + begin);
    append_number(out, static_cast<std::uint32_t>(crc32_z(0, bytes, out.size() - begin)));
}

std::string head(std::uint32_t width, std::uint32_t height, char kind)
{
    std::string out("\x89PNG\r\n\x1a\n", 8);
    std::string content;
    append_number(content, width);
    append_number(content, height);
    content += {char{8}, kind, char{0}, char{0}, char{0}};  // depth, kind, no interlace
    append_chunk(out, "IHDR", content);
    return out;
}

Result<std::string> deflated(std::string_view raw)
{
    uLongf size = compressBound(static_cast<uLong>(raw.size()));
    std::string out(size, '\0');
    const int code = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(raw.data()),
                               static_cast<uLong>(raw.size()), Z_BEST_COMPRESSION);
    if (code != Z_OK) return Error{ErrorCode::out_of_memory, "a picture does not fit into memory"};
    out.resize(size);
    return out;
}

Result<std::string> finish(std::string out, std::string_view rows)
{
    const auto content = deflated(rows);
    if (!content) return content.error();
    append_chunk(out, "IDAT", *content);
    append_chunk(out, "IEND", {});
    return out;
}

}  // namespace

Result<std::string> encode_png(std::uint32_t width, std::uint32_t height,
                               std::span<const Colour> pixels)
{
    SIDESTEP_ASSERT(width > 0 && height > 0 && pixels.size() == std::size_t{width} * height);
    std::string rows;
    rows.reserve((std::size_t{width} * 3 + 1) * height);
    for (std::size_t y = 0; y < height; ++y) {
        // Differences to the pixel above: flat colours become zeros.
        rows += y == 0 ? '\0' : '\2';
        for (std::size_t x = 0; x < width; ++x) {
            const Colour now = pixels[y * width + x];
            const Colour above = y == 0 ? Colour{} : pixels[(y - 1) * width + x];
            rows += static_cast<char>(now.red - above.red);
            rows += static_cast<char>(now.green - above.green);
            rows += static_cast<char>(now.blue - above.blue);
        }
    }
    return finish(head(width, height, kTrueColour), rows);
}

Result<std::string> encode_png(std::uint32_t width, std::uint32_t height,
                               std::span<const std::uint8_t> pixels,
                               std::span<const PaletteColour> palette)
{
    SIDESTEP_ASSERT(width > 0 && height > 0 && pixels.size() == std::size_t{width} * height);
    SIDESTEP_ASSERT(!palette.empty() && palette.size() <= 256);
    std::string out = head(width, height, kIndexed);
    std::string colours, opacities;
    for (const PaletteColour& entry : palette) {
        colours += static_cast<char>(entry.colour.red);
        colours += static_cast<char>(entry.colour.green);
        colours += static_cast<char>(entry.colour.blue);
        opacities += static_cast<char>(entry.opacity);
    }
    append_chunk(out, "PLTE", colours);
    append_chunk(out, "tRNS", opacities);
    std::string rows;
    rows.reserve((std::size_t{width} + 1) * height);
    for (std::size_t y = 0; y < height; ++y) {
        rows += '\0';
        rows.append(reinterpret_cast<const char*>(pixels.data()) + y * width, width);
    }
    return finish(std::move(out), rows);
}

}  // namespace sidestep
