// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sidestep {

// What a deflate block is made of: bytes, and repeats of bytes before.

/// [RFC1951] 3.2.5.
inline constexpr std::size_t kLeastMatch = 3, kMostMatch = 258;
inline constexpr std::uint32_t kEndOfBlock = 256, kMostMatchSymbol = 285;
inline constexpr std::size_t kSymbols = 286;
/// Shorter repeats are not looked for: their bytes have short codes, too.
inline constexpr std::size_t kLeastRepeat = 8;

/// [RFC1951] 3.2.5: a length is a symbol and some bits.
struct LengthCode {
    std::uint32_t symbol, bits;
    unsigned bit_count;
};

inline LengthCode to_length_code(std::size_t length)
{
    if (length == kMostMatch) return {kMostMatchSymbol, 0, 0};
    // The symbol says the length to within 2^extra.
    const auto more = static_cast<std::uint32_t>(length - kLeastMatch);
    const unsigned extra = more < 8 ? 0 : static_cast<unsigned>(std::bit_width(more)) - 3;
    return {kEndOfBlock + 1 + 4 * extra + (more >> extra), more & ((1u << extra) - 1), extra};
}

/// The same for a distance, at least 1.
inline LengthCode to_distance_code(std::size_t distance)
{
    const auto before = static_cast<std::uint32_t>(distance - 1);
    const unsigned extra = before < 4 ? 0 : static_cast<unsigned>(std::bit_width(before)) - 2;
    return {2 * extra + (before >> extra), before & ((1u << extra) - 1), extra};
}

/// How many bytes from `at` on are those `distance` before, at most kMostMatch.
inline std::size_t repeat_length(std::span<const unsigned char> bytes, std::size_t at,
                                 std::size_t distance)
{
    const std::size_t most = std::min(bytes.size() - at, kMostMatch);
    const unsigned char *now = bytes.data() + at, *before = now - distance;
    std::size_t length = 0;
    for (; length + 8 <= most; length += 8) {
        std::uint64_t a = 0, b = 0;
        std::memcpy(&a, now + length, 8);
        std::memcpy(&b, before + length, 8);
        if (a != b) return length + static_cast<std::size_t>(std::countr_zero(a ^ b)) / 8;
    }
    while (length < most && now[length] == before[length]) ++length;
    return length;
}

/// Calls literal(byte) and repeat(length) for what `bytes` are made of, in their order.
template <class Literal, class Repeat>
void for_each_token(std::span<const unsigned char> bytes, std::size_t distance, Literal literal,
                    Repeat repeat)
{
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t length = i < distance ? 0 : repeat_length(bytes, i, distance);
        if (length < kLeastRepeat) {
            literal(bytes[i++]);
        } else {
            repeat(length);
            i += length;
        }
    }
}

}  // namespace sidestep
