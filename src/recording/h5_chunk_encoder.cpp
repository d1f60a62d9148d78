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
/// Rows that are shuffled together: a cache line of each plane.
constexpr std::size_t kRowsPerBlock = 64;
/// zlib's default; with more it is slower, for want of cache.
constexpr int kMemoryLevel = 8;

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

/// Eight bytes of eight rows become eight bytes of eight planes.
void shuffle_word(const unsigned char* from, std::size_t row_bytes, unsigned char* to,
                  std::size_t plane_bytes)
{
    std::uint64_t w[8];
    for (std::size_t i = 0; i < 8; ++i) std::memcpy(&w[i], from + i * row_bytes, 8);
    transpose(w);
    for (std::size_t i = 0; i < 8; ++i) std::memcpy(to + i * plane_bytes, &w[i], 8);
}

std::size_t distance_of(H5ChunkEncoder::Packing packing)
{
    using Packing = H5ChunkEncoder::Packing;
    return packing == Packing::runs ? 1 : packing == Packing::counting ? 256 : 0;
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
    is_constant_.resize(row_bytes);
    varying_.resize(row_bytes / 8);
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
        shuffle(bytes);
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

/// Which bytes are the same in all rows.
void H5ChunkEncoder::find_constant_planes(const unsigned char* chunk)
{
    std::fill(varying_.begin(), varying_.end(), 0);
    for (std::size_t row = 1; row < rows_; ++row) {
        for (std::size_t word = 0; word < varying_.size(); ++word) {
            std::uint64_t first = 0, other = 0;
            std::memcpy(&first, chunk + 8 * word, 8);
            std::memcpy(&other, chunk + row * row_bytes_ + 8 * word, 8);
            varying_[word] |= first ^ other;
        }
    }
    for (std::size_t i = 0; i < row_bytes_; ++i) {
        is_constant_[i] = (varying_[i / 8] >> 8 * (i % 8) & 0xff) == 0;
        planes_[i * rows_] = chunk[i];
    }
}

/// First all first bytes of the rows, then all second ones, ... Of words that are constant, only
/// the first bytes are written. Rows go in blocks that stay in the first-level cache.
void H5ChunkEncoder::shuffle(const unsigned char* chunk)
{
    static_assert(std::endian::native == std::endian::little);
    find_constant_planes(chunk);
    for (std::size_t block = 0; block < rows_; block += kRowsPerBlock) {
        const std::size_t end = std::min(block + kRowsPerBlock, rows_);
        for (std::size_t word = 0; word < row_bytes_; word += 8) {
            if (varying_[word / 8] == 0) continue;
            for (std::size_t row = block; row < end; row += 8) {
                shuffle_word(chunk + row * row_bytes_ + word, row_bytes_,
                             planes_.data() + word * rows_ + row, rows_);
            }
        }
    }
}

bool H5ChunkEncoder::deflate_planes(bool is_full)
{
    stream_.begin();
    for (std::size_t i = 0, end = 0; i < row_bytes_; i = end) {
        end = end_of_kind(i, is_full);
        if (is_constant_[i]) {
            stream_.add_run(plane(i)[0], (end - i) * rows_);
        } else if (!add_packed({plane(i).data(), (end - i) * rows_},
                               is_full ? packings_[i] : Packing::search)) {
            return false;
        }
    }
    return true;
}

/// Neighbours that are the same byte, are stored or are searched go together; codes suit one plane
/// best. In a chunk that is not full, half noise and half zeros, all is worth a search.
std::size_t H5ChunkEncoder::end_of_kind(std::size_t index, bool is_full) const
{
    const auto packing = [&](std::size_t k) { return is_full ? packings_[k] : Packing::search; };
    const auto is_alike = [&](std::size_t k) {
        if (is_constant_[k] != is_constant_[index]) return false;
        if (is_constant_[k]) return plane(k)[0] == plane(index)[0];
        return packing(k) == packing(index) &&
               (packing(k) == Packing::stored || packing(k) == Packing::search);
    };
    std::size_t end = index + 1;
    while (end < row_bytes_ && is_alike(end)) ++end;
    return end;
}

bool H5ChunkEncoder::add_packed(std::span<const unsigned char> planes, Packing packing)
{
    if (packing == Packing::stored) {
        stream_.add_stored(planes);
        return true;
    }
    if (packing != Packing::search) {
        stream_.add_coded(planes, distance_of(packing));
        return true;
    }
    const std::size_t size = searched_size(planes);
    if (size == 0) return false;
    stream_.add_blocks({packed_.data(), size}, planes);
    return true;
}

/// By what a part of each plane comes to: decided by sizes, never by a clock, so that equal runs
/// give equal files.
void H5ChunkEncoder::choose_packings()
{
    for (std::size_t i = 0; i < row_bytes_; ++i) {
        // One that is constant now will run on when it is not.
        packings_[i] = is_constant_[i] ? Packing::runs
                                       : choose_packing(plane(i).first(std::min(kTried, rows_)));
    }
}

H5ChunkEncoder::Packing H5ChunkEncoder::choose_packing(std::span<const unsigned char> bytes)
{
    Packing best = Packing::stored;
    std::size_t best_size = bytes.size() * 5 / 8;  // with more it is not worth the time
    for (const Packing packing : {Packing::codes, Packing::runs, Packing::counting}) {
        trial_.begin();
        trial_.add_coded(bytes, distance_of(packing));
        if (const std::size_t size = trial_.end().size(); size < best_size) {
            best = packing;
            best_size = size;
        }
    }
    // A search takes many times as long: it must be worth it.
    const std::size_t searched = searched_size(bytes);
    return searched > 0 && searched < best_size / 2 ? Packing::search : best;
}

/// Of blocks made with a search, which are in `packed_` then and end at a whole byte; 0: no memory.
std::size_t H5ChunkEncoder::searched_size(std::span<const unsigned char> bytes)
{
    z_stream_s& s = *packer_;
    if (deflateReset(&s) != Z_OK) return 0;
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
