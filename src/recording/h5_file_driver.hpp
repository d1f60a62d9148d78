// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "recording/h5_library.hpp"

namespace sidestep {

// How HDF5 reaches our files. Its own driver would do, but for three things:
//
// - A write that fails leaves HDF5 unable to close the file. Here the first failure is kept, and
//   what is written after it stays in memory: the file is as it was at that moment, which in SWMR
//   mode is one that can be read, and HDF5 closes it in peace.
// - A file that was cut is refused. Here what is missing can be read as zeros, so that the rest,
//   which has its checksums, comes out.
// - HDF5 takes a file that a program opens twice for one file. Here a reader knows nothing of a
//   writer in the same program, as if it were another one.

/// Of one open file; lives as long as it is open.
struct H5FileState {
    /// Reads as if the file had at least this many bytes; those that are missing are 0.
    std::uint64_t least_size = 0;
    /// Bytes after which writes fail, each as a whole; for tests.
    std::uint64_t most_written = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t written = 0;  ///< bytes, rewritten ones too
    int write_error = 0;        ///< errno of the first write that failed
};

/// File access properties with our driver and the newest format, whose metadata has checksums.
H5Handle h5_access(H5FileState& state);

}  // namespace sidestep
