// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "sidestep/result.hpp"

namespace sidestep {

// What can be known of a file before HDF5 sees it. HDF5 trusts much of what it reads, so a closed
// recording ends in a checksum of all its bytes, behind what HDF5 calls the end of the file:
//
//   "sidestep-xxh3-1\n", then as 64-bit little-endian numbers how many bytes are before this, and
//   their XXH3.
//
// A recording that is still written, or whose writer was killed, has none. Nor has one that another
// program has changed: HDF5 cuts it off.

struct H5FileCheck {
    std::uint64_t size = 0;
    bool is_hdf5 = false;
    std::uint64_t stated_size = 0;  ///< as the superblock says; 0: of another kind than ours
    bool is_written = false;        ///< somebody writes it, or was killed
    bool is_swmr = false;           ///< and it can be read at every moment
    bool has_trailer = false;
    bool trailer_agrees = false;
};

/// Reads the whole file where it ends in a checksum.
Result<H5FileCheck> check_h5_file(const std::string& path);

/// Adds the checksum, and waits until the file is on the disk: it may be about to take the name of
/// another one, and a name without content would be worse than none.
Result<void> add_h5_trailer(const std::string& path);

}  // namespace sidestep
