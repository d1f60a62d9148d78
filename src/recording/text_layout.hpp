// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "recording/text_remark.hpp"
#include "sidestep/recording.hpp"

namespace sidestep {

struct TextRow {
    std::int64_t frame = 0;
    RecordedAgent agent;
};

/// What tells one text format of ours from another: how a row is written. Remarks, hashes and files
/// are the same for all (text_writer.hpp, text_sealed.hpp).
class TextLayout {
public:
    virtual ~TextLayout() = default;

    virtual RemarkStyle remark_style() const = 0;
    /// Lines between the head and the rows.
    virtual std::string head_lines(const RecordingInfo& info) const = 0;
    /// The rows of a frame that somebody is in.
    virtual void append_rows(std::string& out, const RecordedFrame& frame) = 0;
    /// Lines behind the last row; called once, after all rows.
    virtual void append_last_lines(std::string& out) { (void)out; }

    enum class Line { row, other, wrong };
    /// Reads a line that is no remark.
    virtual Line read(std::string_view line, TextRow& row) const = 0;
};

}  // namespace sidestep
