// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_deflate_stream.hpp"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "recording/h5_deflate_tokens.hpp"

namespace sidestep {
namespace {

/// [RFC1951] 3.2.4: a stored block says its length in 16 bits.
constexpr std::size_t kMostStored = 65'535;
/// Four codes and what is left of a byte fit into a word; deflate would allow 15.
constexpr unsigned kMostCodeBits = 12;
/// What follows the symbol of a length: its own bits, the distance and the bits of that.
constexpr unsigned kMostBesideLength = 5 + 1 + 6;
/// [RFC1951] 3.2.7: the alphabet in which the lengths of codes are written, and its order.
constexpr std::size_t kLengthSymbols = 19;
constexpr std::array<std::uint8_t, kLengthSymbols> kLengthOrder{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                                11, 4,  12, 3, 13, 2, 14, 1, 15};
constexpr unsigned kMostLengthBits = 7;
constexpr std::uint8_t kFewZeros = 17, kManyZeros = 18;
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

using Counts = std::array<std::uint32_t, kSymbols>;

/// Four counters for each byte: equal bytes in a row need not wait for each other.
void count_bytes(std::span<const unsigned char> bytes, Counts& counts)
{
    std::array<std::array<std::uint32_t, 256>, 4> parts{};
    std::size_t i = 0;
    for (; i + 4 <= bytes.size(); i += 4) {
        for (std::size_t k = 0; k < 4; ++k) ++parts[k][bytes[i + k]];
    }
    for (; i < bytes.size(); ++i) ++parts[0][bytes[i]];
    for (const auto& part : parts) {
        for (std::size_t byte = 0; byte < 256; ++byte) counts[byte] += part[byte];
    }
}

Counts count_symbols(std::span<const unsigned char> bytes, std::size_t distance)
{
    Counts counts{};
    if (distance == 0) {
        count_bytes(bytes, counts);
    } else {
        for_each_token(
            bytes, distance, [&](unsigned char byte) { ++counts[byte]; },
            [&](std::size_t length) { ++counts[to_length_code(length).symbol]; });
    }
    counts[kEndOfBlock] = 1;
    return counts;
}

/// Bits on their way into bytes; `flush` at least after every 56 of them. There is room for a word
/// behind what is written.
struct BitWriter {
    std::uint64_t bits;
    unsigned count;
    unsigned char* at;

    void put(std::uint32_t value, unsigned length)
    {
        bits |= std::uint64_t{value} << count;
        count += length;
    }
    void put(HuffmanCode code) { put(code.bits, code.length); }
    void flush()
    {
        static_assert(std::endian::native == std::endian::little);
        std::memcpy(at, &bits, 8);
        at += count / 8;
        bits >>= count / 8 * 8;
        count %= 8;
    }
};

void write_bytes(std::span<const unsigned char> bytes, const HuffmanCode* codes, BitWriter& out)
{
    std::size_t i = 0;
    for (; i + 4 <= bytes.size(); i += 4) {
        for (std::size_t k = i; k < i + 4; ++k) out.put(codes[bytes[k]]);
        out.flush();
    }
    for (; i < bytes.size(); ++i) {
        out.put(codes[bytes[i]]);
        out.flush();
    }
}

void write_tokens(std::span<const unsigned char> bytes, std::size_t distance,
                  const HuffmanCode* codes, BitWriter& out)
{
    const LengthCode back = to_distance_code(distance);
    for_each_token(
        bytes, distance,
        [&](unsigned char byte) {
            out.put(codes[byte]);
            out.flush();
        },
        [&](std::size_t length) {
            const LengthCode code = to_length_code(length);
            out.put(codes[code.symbol]);
            out.put(code.bits, code.bit_count);
            out.put(0, 1);  // the only distance there is
            out.put(back.bits, back.bit_count);
            out.flush();
        });
}

/// Lengths of codes, zeros in a row together.
struct LengthToken {
    std::uint8_t symbol;
    std::uint32_t zeros;  ///< of kFewZeros and kManyZeros
};

std::size_t to_length_tokens(std::span<const std::uint8_t> lengths, std::span<LengthToken> tokens)
{
    std::size_t made = 0;
    for (std::size_t i = 0; i < lengths.size();) {
        std::size_t zeros = 0;
        while (i + zeros < lengths.size() && lengths[i + zeros] == 0 && zeros < 138) ++zeros;
        if (zeros < 3) {
            tokens[made++] = {lengths[i++], 0};
            continue;
        }
        tokens[made++] = {zeros < 11 ? kFewZeros : kManyZeros, static_cast<std::uint32_t>(zeros)};
        i += zeros;
    }
    return made;
}

}  // namespace

void H5DeflateStream::begin()
{
    out_.assign({0x78, 0x01});  // a window of 32 kB, packed in a hurry
    bits_ = 0;
    bit_count_ = 0;
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
}

void H5DeflateStream::add_coded(std::span<const unsigned char> bytes, std::size_t distance)
{
    add_to_checksum(bytes);
    const Counts counts = count_symbols(bytes, distance);
    std::array<HuffmanCode, kSymbols> codes;
    make_huffman_codes(counts, kMostCodeBits, codes);
    const bool repeats = std::any_of(counts.begin() + kEndOfBlock + 1, counts.end(),
                                     [](std::uint32_t count) { return count > 0; });
    put_bits(0b100, 3);  // not the last, codes of its own
    put_code_lengths(codes, repeats ? distance : 0);

    std::size_t most_bits = bit_count_;
    const std::size_t size = out_.size();
    for (std::size_t i = 0; i < kSymbols; ++i) {
        const unsigned beside = i > kEndOfBlock ? kMostBesideLength : 0;
        most_bits += std::size_t{counts[i]} * (codes[i].length + beside);
    }
    out_.resize(size + most_bits / 8 + 16);
    BitWriter out{bits_, bit_count_, out_.data() + size};
    if (repeats) {
        write_tokens(bytes, distance, codes.data(), out);
    } else {
        write_bytes(bytes, codes.data(), out);
    }
    out.put(codes[kEndOfBlock]);
    out.flush();
    bits_ = out.bits;
    bit_count_ = out.count;
    out_.resize(static_cast<std::size_t>(out.at - out_.data()));
}

void H5DeflateStream::add_blocks(std::span<const unsigned char> blocks,
                                 std::span<const unsigned char> bytes)
{
    add_to_checksum(bytes);
    if (bit_count_ > 0) put_block_head(false, 0);
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
    const LengthCode code = to_length_code(length);
    if (code.symbol < 280) {
        put_code(code.symbol - kEndOfBlock, 7);
    } else {
        put_code(0xc0u + (code.symbol - 280), 8);
    }
    put_bits(code.bits, code.bit_count);
    put_code(0, 5);  // one byte back
}

/// [RFC1951] 3.2.7: the codes of literals and lengths, and that of the one distance, where it is
/// not 0.
void H5DeflateStream::put_code_lengths(std::span<const HuffmanCode> codes, std::size_t distance)
{
    std::size_t literals = codes.size();
    while (literals > kEndOfBlock + 1 && codes[literals - 1].length == 0) --literals;
    const std::size_t distances = distance == 0 ? 1 : to_distance_code(distance).symbol + 1;

    std::array<std::uint8_t, kSymbols + 30> lengths{};
    for (std::size_t i = 0; i < literals; ++i) lengths[i] = codes[i].length;
    if (distance > 0) lengths[literals + distances - 1] = 1;
    std::array<LengthToken, kSymbols + 30> tokens;
    const std::size_t count = to_length_tokens({lengths.data(), literals + distances}, tokens);

    std::array<std::uint32_t, kLengthSymbols> counts{};
    std::array<HuffmanCode, kLengthSymbols> length_codes;
    for (std::size_t i = 0; i < count; ++i) ++counts[tokens[i].symbol];
    make_huffman_codes(counts, kMostLengthBits, length_codes);
    std::size_t written = kLengthSymbols;
    while (written > 4 && length_codes[kLengthOrder[written - 1]].length == 0) --written;

    put_bits(static_cast<std::uint32_t>(literals - (kEndOfBlock + 1)), 5);
    put_bits(static_cast<std::uint32_t>(distances - 1), 5);
    put_bits(static_cast<std::uint32_t>(written - 4), 4);
    for (std::size_t i = 0; i < written; ++i) put_bits(length_codes[kLengthOrder[i]].length, 3);
    for (std::size_t i = 0; i < count; ++i) {
        const LengthToken& token = tokens[i];
        put_bits(length_codes[token.symbol].bits, length_codes[token.symbol].length);
        if (token.symbol == kFewZeros) put_bits(token.zeros - 3, 3);
        if (token.symbol == kManyZeros) put_bits(token.zeros - 11, 7);
    }
}

}  // namespace sidestep
