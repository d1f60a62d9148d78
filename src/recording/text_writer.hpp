// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

#include "base/hash.hpp"
#include "recording/format.hpp"
#include "recording/recording_path.hpp"
#include "recording/text_layout.hpp"

namespace sidestep {

/// Writes a text file under the name FILE.part; it takes its own name when it is whole. Blocks go
/// to the disk that end with a whole frame and a check line, so a part that a crash leaves can be
/// recovered up to the last block.
class TextWriter final : public RecordingWriter {
public:
    static Result<std::unique_ptr<RecordingWriter>> create(const RecordingTarget& target,
                                                           const RecordingInfo& info,
                                                           std::unique_ptr<TextLayout> layout);
    ~TextWriter() override;
    TextWriter(const TextWriter&) = delete;
    TextWriter& operator=(const TextWriter&) = delete;

    Result<void> write(std::span<const RecordedItem> batch) override;
    Result<void> finish(const RecordedFacts& facts) override;
    void give_up() override;
    std::string current_file() const override { return target_.part; }

private:
    TextWriter(RecordingTarget target, std::unique_ptr<TextLayout> layout, std::FILE* file);
    void append(const RecordedFrame& frame);
    void append_check();
    Result<void> flush();
    void close();
    Error no_write() const;

    RecordingTarget target_;
    std::unique_ptr<TextLayout> layout_;
    std::FILE* file_ = nullptr;
    std::string block_;        ///< not written yet
    std::size_t written_ = 0;  ///< bytes on the disk that end with a whole frame
    StateHash hash_;
    std::uint64_t frames_ = 0, rows_ = 0;
};

}  // namespace sidestep
