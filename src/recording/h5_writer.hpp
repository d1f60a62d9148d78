// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recording/format.hpp"
#include "recording/h5_file_driver.hpp"
#include "recording/h5_growing.hpp"
#include "recording/h5_layout.hpp"
#include "recording/open_box.hpp"
#include "recording/seal.hpp"

namespace sidestep {

/// An HDF5 file in the archive's layout that PedPy reads; ours stands beside it under names that
/// begin with sidestep_. HDF5 keeps it readable at every moment (SWMR mode): a program that is
/// killed leaves whole frames.
class H5Writer final : public RecordingWriter {
public:
    static Result<std::unique_ptr<RecordingWriter>> create(const RecordingTarget& target,
                                                           const RecordingInfo& info);
    /// For tests: a disk that is full after so many bytes, and small chunks.
    struct Limits {
        std::uint64_t most_written = std::numeric_limits<std::uint64_t>::max();
        std::size_t chunk_rows = kH5ChunkRows;  ///< a multiple of 8
    };
    static Result<std::unique_ptr<RecordingWriter>> create(const RecordingTarget& target,
                                                           const RecordingInfo& info,
                                                           const Limits& limits);

    Result<void> write(std::span<const RecordedItem> batch) override;
    Result<void> finish(const RecordedFacts& facts) override;
    void give_up() override;
    std::string current_file() const override { return path(); }

private:
    H5Writer(const RecordingTarget& target, const Limits& limits);

    bool create_file(const RecordingInfo& info);
    bool create_datasets(const RecordingInfo& info);
    bool write_head(const std::string& line);
    bool write_geometry(const RecordingInfo& info);
    bool find_box_text();
    void add(const RecordedFrame& frame);
    void add(const RecordedNotes& notes);
    void add_line(std::string_view line);
    bool publish(bool all);
    bool write_box();
    bool write_seal(const RecordedFacts& facts);
    bool close_file();
    Error error() const;
    const std::string& path() const { return target_.part.empty() ? target_.file : target_.part; }

    RecordingTarget target_;
    std::size_t chunk_rows_;
    std::size_t bodies_per_frame_ = 0;
    H5FileState state_;
    H5Handle file_;
    H5Growing trajectory_, orientations_, bodies_, log_, frames_;
    std::vector<H5Frame> waiting_;  ///< frames that are not in the file yet
    std::uint64_t whole_rows_ = 0;  ///< in full chunks, when frames were published last
    std::chrono::steady_clock::time_point published_;
    Seal seal_;

    OpenBox box_;
    bool box_grew_ = false;
    std::uint64_t box_text_at_ = 0;  ///< in the file; 0: there is no open plane
};

}  // namespace sidestep
