// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/h5_chunk_encoder.hpp"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace sidestep {
namespace {

/// Chunks for which the packings of planes are kept.
constexpr std::uint64_t kChunksPerChoice = 64;
/// Bytes of a plane that are tried.
constexpr std::size_t kTried = 4096;
/// zlib's default; with more it is slower, for want of cache.
constexpr int kMemoryLevel = 8;

bool is_constant(std::span<const unsigned char> bytes)
{
    return std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
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

H5ChunkEncoder::H5ChunkEncoder(std::size_t row_bytes, std::size_t rows, bool deflates)
    : row_bytes_(row_bytes), rows_(rows)
{
    if (!deflates) return;
    packer_.reset(new z_stream_s{});
    // Negative: blocks alone, without the head and the end of a stream.
    if (deflateInit2(packer_.get(), 1, Z_DEFLATED, -MAX_WBITS, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        throw std::bad_alloc();
    }
    const std::size_t bytes = row_bytes * rows;
    planes_.resize(bytes);
    packed_.resize(bytes + bytes / 8 + 1024);  // noise takes a few bytes more than it has
    packings_.resize(row_bytes, Packing::search);
}

H5ChunkEncoder::~H5ChunkEncoder() = default;
H5ChunkEncoder::H5ChunkEncoder(H5ChunkEncoder&&) noexcept = default;

std::span<const unsigned char> H5ChunkEncoder::encode(const void* chunk, bool is_full)
{
    const auto* bytes = static_cast<const unsigned char*>(chunk);
    std::vector<unsigned char>* out = &out_;
    if (packer_ == nullptr) {
        out_.assign(bytes, bytes + row_bytes_ * rows_);
    } else {
        shuffle(bytes, row_bytes_, rows_, planes_.data());
        if (is_full && chunks_++ % kChunksPerChoice == 0) choose_packings();
        if (!deflate_planes(is_full)) return {};
        out = &stream_.end();
    }
    const std::uint32_t sum = fletcher32(*out);
    for (const int shift : {0, 8, 16, 24}) {
        out->push_back(static_cast<unsigned char>(sum >> shift));
    }
    return *out;
}

std::span<const unsigned char> H5ChunkEncoder::plane(std::size_t index) const
{
    return {planes_.data() + index * rows_, rows_};
}

bool H5ChunkEncoder::deflate_planes(bool is_full)
{
    stream_.begin();
    // Neighbours of one kind go together.
    for (std::size_t i = 0, end = 0; i < row_bytes_; i = end) {
        end = i + 1;
        if (is_constant(plane(i))) {
            while (end < row_bytes_ && is_constant(plane(end)) && plane(end)[0] == plane(i)[0]) {
                ++end;
            }
            stream_.add_run(plane(i)[0], (end - i) * rows_);
            continue;
        }
        // Half noise and half zeros is worth a search.
        const auto packing = [&](std::size_t k) {
            return is_full ? packings_[k] : Packing::search;
        };
        while (end < row_bytes_ && packing(end) == packing(i) && !is_constant(plane(end))) ++end;
        if (!add_packed({plane(i).data(), (end - i) * rows_}, packing(i))) return false;
    }
    return true;
}

bool H5ChunkEncoder::add_packed(std::span<const unsigned char> planes, Packing packing)
{
    if (packing == Packing::stored) {
        stream_.add_stored(planes);
        return true;
    }
    const std::size_t size = packed_size(planes, packing);
    if (size == 0) return false;
    stream_.add_blocks({packed_.data(), size}, planes);
    return true;
}

/// By what a part of each plane comes to: decided by sizes, never by a clock, so that equal runs
/// give equal files.
void H5ChunkEncoder::choose_packings()
{
    const std::size_t tried = std::min(kTried, rows_);
    for (std::size_t i = 0; i < row_bytes_; ++i) {
        const auto part = plane(i).first(tried);
        const std::size_t searched = packed_size(part, Packing::search);
        const std::size_t runs = packed_size(part, Packing::runs);
        if (std::min(searched, runs) > tried * 5 / 8) {  // not worth the time
            packings_[i] = Packing::stored;
        } else {  // a search takes twice as long and more: it must be worth it
            packings_[i] = searched < runs / 2 ? Packing::search : Packing::runs;
        }
    }
}

/// Of the blocks, which are in `packed_` then and end at a whole byte; 0: no memory.
std::size_t H5ChunkEncoder::packed_size(std::span<const unsigned char> bytes, Packing packing)
{
    z_stream_s& s = *packer_;
    if (deflateReset(&s) != Z_OK ||
        deflateParams(&s, 1, packing == Packing::runs ? Z_RLE : Z_DEFAULT_STRATEGY) != Z_OK) {
        return 0;
    }
    s.next_out = packed_.data();
    s.avail_out = static_cast<uInt>(packed_.size());
    s.next_in = bytes.data();
    s.avail_in = static_cast<uInt>(bytes.size());
    if (deflate(&s, Z_SYNC_FLUSH) != Z_OK || s.avail_in > 0 || s.avail_out == 0) return 0;
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
