// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "recording/format.hpp"
#include "recording/h5_file_driver.hpp"
#include "recording/h5_library.hpp"

namespace sidestep {

/// A file that is open for reading, and what is wrong with it as a whole.
struct H5OpenFile {
    std::string path;
    std::uint64_t size = 0;  ///< [bytes], those a cut took away included
    std::unique_ptr<H5FileState> state;
    H5Handle file;
    std::vector<std::string> damage;

    Error error(const std::string& what) const;
    /// With a hint to recover.
    Error damage_error(const std::string& what) const;
};

/// Deflate makes a byte of at most this many. Whatever a file says of its size, it has no more.
constexpr std::uint64_t kH5MostPacked = 1'100;

/// A list of rows; `type` is what they are read as.
struct H5Rows {
    H5Handle dataset;
    H5Handle type;
    std::uint64_t count = 0;

    /// False: damaged.
    bool read(std::uint64_t first, std::uint64_t rows, void* to) const;
};

/// A dataset with one dimension and no more rows of `least_bytes` each than the file can hold.
Result<H5Rows> open_h5_rows(const H5OpenFile& file, const char* name, H5Handle type,
                            std::uint64_t least_bytes);
bool has_h5_dataset(const H5OpenFile& file, const char* name);

Result<std::unique_ptr<RecordingSource>> open_own_h5(H5OpenFile file,
                                                     const RecordingReadOptions& options);
Result<std::unique_ptr<RecordingSource>> open_foreign_h5(H5OpenFile file,
                                                         const RecordingReadOptions& options);

}  // namespace sidestep
