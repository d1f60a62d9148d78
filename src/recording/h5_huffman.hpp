// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace sidestep {

/// A symbol's code as deflate writes it: its first bit is the lowest.
struct HuffmanCode {
    std::uint16_t bits = 0;
    std::uint8_t length = 0;  ///< 0: the symbol does not occur
};

/// Codes of at most `most_bits` bits for symbols that occur `counts` times, the canonical ones of
/// [RFC1951] 3.2.2: lengths alone say which. A single symbol has a code of one bit. There are as
/// many `codes` as `counts`, at most kMostHuffmanSymbols and 2^most_bits; most_bits is at most 15.
inline constexpr std::size_t kMostHuffmanSymbols = 288;
void make_huffman_codes(std::span<const std::uint32_t> counts, unsigned most_bits,
                        std::span<HuffmanCode> codes);

}  // namespace sidestep
