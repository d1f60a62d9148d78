// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "recording/h5_library.hpp"

namespace sidestep {

// What is in a file; docs/formats/h5.md says it for others. The archive's part is /trajectory with
// its attribute fps, and wkt_geometry of the root; the rest is ours.
//
// Rows are in the order of frames, and in a frame of ids. Nothing counts until sidestep_frames has
// it: it is written last.

constexpr std::int64_t kH5Format = 1;
constexpr const char* kH5FormatName = "sidestep_format";

constexpr const char* kH5Trajectory = "trajectory";
constexpr const char* kH5Fps = "fps";
constexpr const char* kH5Geometry = "wkt_geometry";
struct H5Row {
    std::int64_t id, frame;
    double x, y;  ///< [m]
    double z;     ///< level
};
static_assert(sizeof(H5Row) == 40);

/// As many rows as the trajectory, one for each of it.
constexpr const char* kH5Orientations = "sidestep_orientations";
struct H5Orientation {
    float x, y;
};
static_assert(sizeof(H5Orientation) == 8);

/// Where bodies are: as many rows for each frame as the recording has bodies.
constexpr const char* kH5Bodies = "sidestep_bodies";
struct H5Body {
    double x, y;  ///< [m]
};
static_assert(sizeof(H5Body) == 16);

constexpr const char* kH5Frames = "sidestep_frames";
struct H5Frame {
    std::int64_t frame;
    std::uint64_t first, rows;  ///< of the trajectory
    std::uint64_t xxh3;         ///< hash_of the frame as it is read back
};
static_assert(sizeof(H5Frame) == 32);

/// The line of the head, and the lines of the rest.
constexpr const char* kH5Head = "sidestep_head";
constexpr const char* kH5Log = "sidestep_log";

// Rows of a chunk. Trajectory and orientations: a chunk of both is packed in one go and is in the
// second-level cache meanwhile; more rows pack a little better, and a cut or a damaged byte costs
// more of them. The others are not deflated, so that a chunk that is not full yet
// is written over and over in its place.
constexpr std::size_t kH5ChunkRows = 2'048;
constexpr std::size_t kH5ChunkBodies = 256;
constexpr std::size_t kH5ChunkFrames = 128;
constexpr std::size_t kH5ChunkLog = 8'192;
/// The head is written once; a plan of a city has megabytes.
constexpr std::size_t kH5ChunkHead = std::size_t{1} << 20;

/// The types of rows in files, little-endian, and in memory; both the same bytes here.
H5Handle h5_row_type();
H5Handle h5_orientation_type();
H5Handle h5_body_type();
H5Handle h5_frame_type();
/// Text of any length, as h5py and PedPy take it for text.
H5Handle h5_text_type();

}  // namespace sidestep
