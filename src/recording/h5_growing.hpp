// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "recording/h5_chunk_encoder.hpp"
#include "recording/h5_library.hpp"

namespace sidestep {

/// A dataset of rows that only grows. Rows wait here until their chunk is full: a chunk that is
/// deflated, written, and written again with more in it takes another place in the file each time.
class H5Growing {
public:
    /// Makes the dataset, with shuffle, deflate 1 and fletcher32, or with fletcher32 alone.
    bool create(const H5Handle& file, const char* name, const H5Handle& type,
                std::size_t chunk_rows, bool deflates);

    void append(const void* rows, std::size_t count);
    std::uint64_t rows() const { return written_rows_ + waiting_.size() / row_bytes_; }
    /// Of chunks that are full, written or waiting.
    std::uint64_t whole_rows() const { return rows() / chunk_rows_ * chunk_rows_; }

    /// The first `end` rows are in the file, and the dataset has this many. False: HDF5 failed.
    bool publish(std::uint64_t end) { return place(end) && flush(); }
    /// The first half of it: rows have their place in the file, and readers do not see them yet.
    bool place(std::uint64_t end);
    bool flush();
    bool is_empty() const { return extent_ == 0; }
    bool close() { return dataset_.close(); }
    const H5Handle& dataset() const { return dataset_; }

private:
    bool write_chunk(std::uint64_t first, const unsigned char* chunk, bool is_full);

    H5Handle dataset_;
    std::optional<H5ChunkEncoder> encoder_;
    std::size_t row_bytes_ = 1, chunk_rows_ = 1;
    std::vector<unsigned char> waiting_;  ///< what is not in a full chunk of the file
    std::uint64_t written_rows_ = 0;      ///< in full chunks
    std::uint64_t extent_ = 0;
    bool needs_flush_ = false;
};

}  // namespace sidestep
