// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_chunk_encoder.hpp"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace sidestep {
namespace {

/// Chunks for which the packings of planes are kept.
constexpr std::uint64_t kChunksPerChoice = 64;
/// Bytes of a plane that are tried.
constexpr std::size_t kTried = 4096;
constexpr std::size_t kChecksumBytes = 4;
/// zlib's default; with more it is slower, for want of cache.
constexpr int kMemoryLevel = 8;

struct Settings {
    int level, strategy;
};

Settings settings_of(H5ChunkEncoder::Packing packing)
{
    switch (packing) {
        case H5ChunkEncoder::Packing::stored: return {0, Z_DEFAULT_STRATEGY};
        case H5ChunkEncoder::Packing::runs: return {1, Z_RLE};
        case H5ChunkEncoder::Packing::search: break;
    }
    return {1, Z_DEFAULT_STRATEGY};
}

/// The bytes of eight words, transposed: byte j of word i becomes byte i of word j.
void transpose(std::uint64_t (&w)[8])
{
    const auto swap_blocks = [&](int a, int b, int shift, std::uint64_t mask) {
        const std::uint64_t t = ((w[a] >> shift) ^ w[b]) & mask;
        w[b] ^= t;
        w[a] ^= t << shift;
    };
    for (int i = 0; i < 4; ++i) swap_blocks(i, i + 4, 32, 0x00000000ffffffffu);
    for (int i : {0, 1, 4, 5}) swap_blocks(i, i + 2, 16, 0x0000ffff0000ffffu);
    for (int i : {0, 2, 4, 6}) swap_blocks(i, i + 1, 8, 0x00ff00ff00ff00ffu);
}

/// First all first bytes of the rows, then all second ones, ...
void shuffle(const unsigned char* from, std::size_t row_bytes, std::size_t rows, unsigned char* to)
{
    static_assert(std::endian::native == std::endian::little);
    for (std::size_t word = 0; word < row_bytes; word += 8) {
        for (std::size_t row = 0; row < rows; row += 8) {
            std::uint64_t w[8];
            for (std::size_t i = 0; i < 8; ++i)
                std::memcpy(&w[i], from + (row + i) * row_bytes + word, 8);
            transpose(w);
            for (std::size_t i = 0; i < 8; ++i) std::memcpy(to + (word + i) * rows + row, &w[i], 8);
        }
    }
}

}  // namespace

void H5ChunkEncoder::End::operator()(z_stream_s* stream) const
{
    deflateEnd(stream);
    delete stream;
}

/// Rows and their bytes are multiples of 8 where it deflates.
H5ChunkEncoder::H5ChunkEncoder(std::size_t row_bytes, std::size_t rows, bool deflates)
    : row_bytes_(row_bytes), rows_(rows)
{
    if (!deflates) return;
    stream_.reset(new z_stream_s{});
    if (deflateInit2(stream_.get(), 1, Z_DEFLATED, MAX_WBITS, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        throw std::bad_alloc();
    }
    const std::size_t bytes = row_bytes * rows;
    planes_.resize(bytes);
    // Noise takes a few bytes more than it has, in each block and at each change of packing.
    out_.resize(bytes + bytes / 8 + 64 * row_bytes + 1024);
    packings_.resize(row_bytes, Packing::search);
}

H5ChunkEncoder::~H5ChunkEncoder() = default;
H5ChunkEncoder::H5ChunkEncoder(H5ChunkEncoder&&) noexcept = default;

std::span<const unsigned char> H5ChunkEncoder::encode(const void* chunk, bool is_full)
{
    const auto* bytes = static_cast<const unsigned char*>(chunk);
    std::size_t size = row_bytes_ * rows_;
    if (stream_ == nullptr) {
        out_.assign(bytes, bytes + size);
        out_.resize(size + kChecksumBytes);
    } else {
        shuffle(bytes, row_bytes_, rows_, planes_.data());
        if (is_full && chunks_++ % kChunksPerChoice == 0) choose_packings();
        if (!deflate_planes(is_full)) return {};
        size = stream_->total_out;
    }
    const std::uint32_t sum = fletcher32({out_.data(), size});
    std::memcpy(out_.data() + size, &sum, kChecksumBytes);
    return {out_.data(), size + kChecksumBytes};
}

/// Half noise and half zeros is worth a search.
bool H5ChunkEncoder::deflate_planes(bool is_full)
{
    z_stream_s& s = *stream_;
    if (deflateReset(&s) != Z_OK) return false;
    s.next_out = out_.data();
    s.avail_out = static_cast<uInt>(out_.size() - kChecksumBytes);
    for (std::size_t i = 0; i < row_bytes_; ++i) {
        const Settings settings = settings_of(is_full ? packings_[i] : Packing::search);
        if (deflateParams(&s, settings.level, settings.strategy) != Z_OK) return false;
        s.next_in = planes_.data() + i * rows_;
        s.avail_in = static_cast<uInt>(rows_);
        const bool is_last = i + 1 == row_bytes_;
        if (deflate(&s, is_last ? Z_FINISH : Z_NO_FLUSH) != (is_last ? Z_STREAM_END : Z_OK)) {
            return false;
        }
    }
    return true;
}

/// By what a part of each plane comes to: decided by sizes, never by a clock, so that equal runs
/// give equal files.
void H5ChunkEncoder::choose_packings()
{
    const std::size_t tried = std::min(kTried, rows_);
    for (std::size_t i = 0; i < row_bytes_; ++i) {
        const unsigned char* plane = planes_.data() + i * rows_;
        const std::size_t searched = packed_size(plane, Packing::search);
        const std::size_t runs = packed_size(plane, Packing::runs);
        if (std::min(searched, runs) > tried * 5 / 8) {  // not worth the time
            packings_[i] = Packing::stored;
        } else {  // a search takes twice as long and more: it must be worth it
            packings_[i] = searched < runs / 2 ? Packing::search : Packing::runs;
        }
    }
}

std::size_t H5ChunkEncoder::packed_size(const unsigned char* plane, Packing packing)
{
    z_stream_s& s = *stream_;
    const Settings settings = settings_of(packing);
    if (deflateReset(&s) != Z_OK) return std::numeric_limits<std::size_t>::max();
    s.next_out = out_.data();
    s.avail_out = static_cast<uInt>(out_.size());
    deflateParams(&s, settings.level, settings.strategy);
    s.next_in = plane;
    s.avail_in = static_cast<uInt>(std::min(kTried, rows_));
    deflate(&s, Z_FINISH);
    return s.total_out;
}

std::uint32_t fletcher32(std::span<const unsigned char> bytes)
{
    std::uint64_t sum = 0, sum_of_sums = 0;  // of 2^24 words at most: no overflow
    std::size_t i = 0;
    for (; i + 1 < bytes.size(); i += 2) {
        sum += static_cast<std::uint64_t>(bytes[i] << 8 | bytes[i + 1]);
        sum_of_sums += sum;
    }
    if (i < bytes.size()) {
        sum += static_cast<std::uint64_t>(bytes[i] << 8);
        sum_of_sums += sum;
    }
    const auto reduce = [](std::uint64_t value) {
        while (value > 0xffff) value = (value & 0xffff) + (value >> 16);
        return static_cast<std::uint32_t>(value);
    };
    return reduce(sum_of_sums) << 16 | reduce(sum);
}

}  // namespace sidestep
