// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "recording/format.hpp"
#include "recording/text_layout.hpp"
#include "recording/text_lines.hpp"

namespace sidestep {

/// Whether a text file is one of ours: its first line or, should that be damaged, its last.
bool is_sealed_text(const std::string& path, RemarkStyle style);

/// Reads a text file of ours. Frames are held back until the next check line has confirmed them, so
/// nothing that was changed is passed on; in a file that was cut those behind the last check are
/// whole if something stands behind them.
class SealedText final : public RecordingSource {
public:
    static Result<std::unique_ptr<RecordingSource>> open(const std::string& path,
                                                         const RecordingReadOptions& options,
                                                         std::unique_ptr<TextLayout> layout);
    Result<bool> next(RecordedFrame& frame) override;

private:
    SealedText(TextLines lines, bool recover, std::unique_ptr<TextLayout> layout);
    Error head_error() const;
    /// Reads until the next check or the end.
    Result<void> read_block();
    /// Of one line. True: a check or the end has confirmed what is pending.
    Result<bool> take(std::string_view line);
    Result<bool> take(const Remark& remark);
    Result<void> take(const TextRow& row);
    Result<void> begin_frame(std::int64_t number);
    void confirm_pending();
    Result<void> end_with(Error fault, std::string_view missing);
    Result<void> end_cut(bool last_is_whole);
    Error changed(std::string_view what) const;

    TextLines lines_;
    bool recover_ = false;
    std::unique_ptr<TextLayout> layout_;
    StateHash hash_;                      ///< of all lines so far
    std::vector<RecordedFrame> pending_;  ///< not confirmed
    std::vector<RecordedFrame> ready_;    ///< confirmed, from next_ on not handed out
    std::size_t next_ = 0;
    std::optional<std::int64_t> last_number_;
    std::uint64_t frames_ = 0, rows_ = 0;  ///< read
    std::uint64_t whole_frames_ = 0;       ///< confirmed
    bool ended_ = false;
    std::optional<Error> fault_;  ///< comes when all confirmed frames are handed out
};

}  // namespace sidestep
