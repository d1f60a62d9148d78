// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_deflate_stream.hpp"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <bit>

namespace sidestep {
namespace {

/// [RFC1951] 3.2.4: a stored block says its length in 16 bits.
constexpr std::size_t kMostStored = 65'535;
/// [RFC1951] 3.2.5.
constexpr std::size_t kLeastMatch = 3, kMostMatch = 258;
constexpr std::uint32_t kEndOfBlock = 256, kMostMatchSymbol = 285;
/// [RFC1950] 8.2: the checksum.
constexpr std::uint64_t kAdlerModulus = 65'521;

/// Adler-32 after `count` times the same byte.
std::uint32_t adler_after_run(std::uint32_t adler, unsigned char byte, std::uint64_t count)
{
    const std::uint64_t a = adler & 0xffff, b = adler >> 16;
    const std::uint64_t steps = count % 2 == 0
                                    ? count / 2 % kAdlerModulus * ((count + 1) % kAdlerModulus)
                                    : (count + 1) / 2 % kAdlerModulus * (count % kAdlerModulus);
    const std::uint64_t new_a = (a + byte * (count % kAdlerModulus)) % kAdlerModulus;
    const std::uint64_t new_b =
        (b + a * (count % kAdlerModulus) + byte * (steps % kAdlerModulus)) % kAdlerModulus;
    return static_cast<std::uint32_t>(new_b << 16 | new_a);
}

}  // namespace

void H5DeflateStream::begin()
{
    out_.assign({0x78, 0x01});  // a window of 32 kB, packed in a hurry
    adler_ = 1;
}

void H5DeflateStream::add_stored(std::span<const unsigned char> bytes)
{
    add_to_checksum(bytes);
    while (!bytes.empty()) {
        const std::size_t size = std::min(bytes.size(), kMostStored);
        put_block_head(false, size);
        out_.insert(out_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        bytes = bytes.subspan(size);
    }
}

/// A block with the fixed codes of [RFC1951] 3.2.6: the byte, then matches one byte back.
void H5DeflateStream::add_run(unsigned char byte, std::size_t count)
{
    adler_ = adler_after_run(adler_, byte, count);
    put_bits(0b010, 3);  // not the last, fixed codes
    std::size_t left = count;
    if (left > 0) {
        put_literal(byte);
        --left;
    }
    while (left >= kLeastMatch) {
        const std::size_t length = std::min(left, kMostMatch);
        put_match(length);
        left -= length;
    }
    for (; left > 0; --left) put_literal(byte);
    put_code(0, 7);  // kEndOfBlock
    put_block_head(false, 0);
}

void H5DeflateStream::add_blocks(std::span<const unsigned char> blocks,
                                 std::span<const unsigned char> bytes)
{
    add_to_checksum(bytes);
    out_.insert(out_.end(), blocks.begin(), blocks.end());
}

std::vector<unsigned char>& H5DeflateStream::end()
{
    put_block_head(true, 0);
    for (const int shift : {24, 16, 8, 0}) {
        out_.push_back(static_cast<unsigned char>(adler_ >> shift));
    }
    return out_;
}

void H5DeflateStream::add_to_checksum(std::span<const unsigned char> bytes)
{
    if (bytes.empty()) return;  // nowhere would begin the checksum anew
    adler_ = static_cast<std::uint32_t>(adler32_z(adler_, bytes.data(), bytes.size()));
}

/// Of a stored block; what comes next begins at a whole byte.
void H5DeflateStream::put_block_head(bool is_last, std::size_t size)
{
    put_bits(is_last ? 0b001 : 0b000, 3);
    if (bit_count_ > 0) put_bits(0, 8 - bit_count_);
    const auto length = static_cast<std::uint16_t>(size);
    for (const unsigned value : {unsigned{length}, ~unsigned{length}}) {
        out_.push_back(static_cast<unsigned char>(value));
        out_.push_back(static_cast<unsigned char>(value >> 8));
    }
}

void H5DeflateStream::put_bits(std::uint32_t bits, unsigned count)
{
    bits_ |= std::uint64_t{bits} << bit_count_;
    for (bit_count_ += count; bit_count_ >= 8; bit_count_ -= 8) {
        out_.push_back(static_cast<unsigned char>(bits_));
        bits_ >>= 8;
    }
}

/// Codes, unlike numbers, begin with their highest bit.
void H5DeflateStream::put_code(std::uint32_t code, unsigned count)
{
    std::uint32_t turned = 0;
    for (unsigned i = 0; i < count; ++i) turned |= (code >> i & 1) << (count - 1 - i);
    put_bits(turned, count);
}

void H5DeflateStream::put_literal(unsigned char byte)
{
    if (byte < 144) {
        put_code(0x30u + byte, 8);
    } else {
        put_code(0x190u + (byte - 144u), 9);
    }
}

void H5DeflateStream::put_match(std::size_t length)
{
    // The symbol says the length to within 2^extra.
    const auto more = static_cast<std::uint32_t>(length - kLeastMatch);
    const unsigned extra = more < 8 ? 0 : static_cast<unsigned>(std::bit_width(more)) - 3;
    std::uint32_t symbol = kEndOfBlock + 1 + 4 * extra + (more >> extra);
    unsigned extra_bits = extra;
    if (length == kMostMatch) {
        symbol = kMostMatchSymbol;
        extra_bits = 0;
    }
    if (symbol < 280) {
        put_code(symbol - kEndOfBlock, 7);
    } else {
        put_code(0xc0u + (symbol - 280), 8);
    }
    put_bits(more & ((1u << extra_bits) - 1), extra_bits);
    put_code(0, 5);  // one byte back
}

}  // namespace sidestep
