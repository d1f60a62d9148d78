// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recording/h5_huffman.hpp"

namespace sidestep {

/// A zlib stream [RFC1950] put together of pieces, each packed in its own way: bytes as they are,
/// one byte many times, bytes that repeat at one known distance, and blocks that another packer has
/// made.
class H5DeflateStream {
public:
    void begin();
    void add_stored(std::span<const unsigned char> bytes);
    void add_run(unsigned char byte, std::size_t count);
    /// A block with codes made for these bytes. Where eight or more of them are those `distance`
    /// bytes before, this is said instead. 0: nothing repeats. At most kMostDistance.
    void add_coded(std::span<const unsigned char> bytes, std::size_t distance);
    static constexpr std::size_t kMostDistance = 256;
    /// Blocks that begin and end at a whole byte, stand for `bytes`, look
    /// back at nothing before them and are not the last.
    void add_blocks(std::span<const unsigned char> blocks, std::span<const unsigned char> bytes);
    /// The whole stream; good until the next `begin`, and the caller may add to it.
    std::vector<unsigned char>& end();

private:
    void add_to_checksum(std::span<const unsigned char> bytes);
    void put_bits(std::uint32_t bits, unsigned count);
    void put_code(std::uint32_t code, unsigned count);
    void put_literal(unsigned char byte);
    void put_match(std::size_t length);
    void put_block_head(bool is_last, std::size_t size);
    void put_code_lengths(std::span<const HuffmanCode> codes, std::size_t distance);

    std::vector<unsigned char> out_;
    std::uint64_t bits_ = 0;  ///< not written yet, the first in the lowest place
    unsigned bit_count_ = 0;
    std::uint32_t adler_ = 1;  ///< checksum of what was added
};

}  // namespace sidestep
