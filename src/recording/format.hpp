// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "recording/recording_path.hpp"
#include "sidestep/recording.hpp"
#include "sidestep/result.hpp"

namespace sidestep {

// A kind of file is a writer, a reader and a line in formats.cpp.
//
//   Simulation -> Recorder -> FrameQueue -> (its thread) RecordingWriter -> file
//   file -> RecordingSource -> RecordingReader -> analysis, report, convert
//
// Every format carries hashes (seal.hpp), so that a reader can tell a damaged file of ours from a
// whole one.

using RecordedItem = std::variant<RecordedFrame, RecordedNotes>;

/// Writes one file, from one thread. Constructed with the file made and its head written.
class RecordingWriter {
public:
    virtual ~RecordingWriter() = default;
    /// Frames and notes in their order. After an Error nothing more is written; what was written by
    /// earlier calls stays readable.
    virtual Result<void> write(std::span<const RecordedItem> batch) = 0;
    /// The last facts; then the file is closed and has its name.
    virtual Result<void> finish(const RecordedFacts& facts) = 0;
    /// After a failure: closes, and leaves what is whole where it is.
    virtual void give_up() = 0;
    /// The file as it is named at the moment: the part, or the file itself where it has its name.
    /// Empty: not known.
    virtual std::string current_file() const { return {}; }
};

/// Reads one file. `next` is as RecordingReader::next says.
class RecordingSource {
public:
    virtual ~RecordingSource() = default;
    virtual Result<bool> next(RecordedFrame& frame) = 0;

    RecordingInfo info;
    RecordedNotes notes;
    std::vector<std::string> damage;
    bool is_closed = true;  ///< known when it is opened
};

struct RecordingFormat {
    RecordingFormatInfo about;
    Result<std::unique_ptr<RecordingWriter>> (*create)(const RecordingTarget& target,
                                                       const RecordingInfo& info);
    Result<std::unique_ptr<RecordingSource>> (*open)(const std::string& path,
                                                     const RecordingReadOptions& options);
};

/// Whether readers and writers take it: see kLargestFrameNumber.
constexpr bool is_frame_number(std::int64_t number)
{
    return number >= -kLargestFrameNumber && number <= kLargestFrameNumber;
}

/// By the ending of a name; an Error says which there are.
Result<const RecordingFormat*> format_of(const std::string& path);

}  // namespace sidestep
