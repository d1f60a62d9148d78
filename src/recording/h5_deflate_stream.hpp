// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sidestep {

/// A zlib stream [RFC1950] put together of pieces that each end at a whole byte: bytes as they are,
/// runs of one byte, and blocks that a packer has made.
class H5DeflateStream {
public:
    void begin();
    void add_stored(std::span<const unsigned char> bytes);
    void add_run(unsigned char byte, std::size_t count);
    /// Blocks that stand for `bytes`, look back at nothing before them and are not the last.
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

    std::vector<unsigned char> out_;
    std::uint64_t bits_ = 0;  ///< not written yet, the first in the lowest place
    unsigned bit_count_ = 0;
    std::uint32_t adler_ = 1;  ///< checksum of what was added
};

}  // namespace sidestep
