// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "recording/h5_deflate_stream.hpp"

struct z_stream_s;

namespace sidestep {

/// Makes the bytes that HDF5's filters shuffle, deflate and fletcher32 would, in a fraction of the
/// time.
///
/// Shuffle puts the first bytes of all rows together, then all second ones, ...: planes that are
/// constant, or run on, or are noise. Deflate spends most of its time searching noise for what is
/// not there. So each plane is packed in the way that suits it: one that is constant is said in a
/// few bytes, noise is stored as it is, uneven bytes get short codes, runs and counting (ids) are
/// repeats at a distance that is known, and only what repeats elsewhere is searched. All that is
/// one ordinary deflate stream.
class H5ChunkEncoder {
public:
    enum class Packing : std::uint8_t { stored, codes, runs, counting, search };

    /// Chunks of `rows` rows of `row_bytes` each. Without deflate only a checksum is added; with
    /// it, both are multiples of 8.
    H5ChunkEncoder(std::size_t row_bytes, std::size_t rows, bool deflates);
    ~H5ChunkEncoder();
    H5ChunkEncoder(H5ChunkEncoder&&) noexcept;

    /// A chunk, encoded; good until the next call. Empty: no memory. The rows that one which is not
    /// full yet lacks are 0.
    std::span<const unsigned char> encode(const void* chunk, bool is_full = true);

private:
    struct End {
        void operator()(z_stream_s* stream) const;
    };

    void find_constant_planes(const unsigned char* chunk);
    void shuffle(const unsigned char* chunk);
    bool deflate_planes(bool is_full);
    std::size_t end_of_kind(std::size_t index, bool is_full) const;
    bool add_packed(std::span<const unsigned char> planes, Packing packing);
    void choose_packings();
    Packing choose_packing(std::span<const unsigned char> bytes);
    std::size_t searched_size(std::span<const unsigned char> bytes);
    std::span<const unsigned char> plane(std::size_t index) const;

    std::size_t row_bytes_, rows_;
    std::unique_ptr<z_stream_s, End> packer_;  ///< none: no deflate
    std::vector<unsigned char> planes_, packed_, out_;
    std::vector<std::uint64_t> varying_;  ///< bits of each word that are not the same in all rows
    std::vector<bool> is_constant_;       ///< each plane
    std::vector<Packing> packings_;
    H5DeflateStream stream_, trial_;
    std::uint64_t chunks_ = 0;
};

/// HDF5's checksum of a chunk: Fletcher's, over big-endian 16-bit words, modulo 2^16 - 1.
std::uint32_t fletcher32(std::span<const unsigned char> bytes);

}  // namespace sidestep
