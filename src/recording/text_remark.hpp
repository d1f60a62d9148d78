// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sidestep/recording.hpp"

namespace sidestep {

// Text files of ours say what rows cannot say in lines that other programs pass over: a JSON object
// behind `# sidestep ` or, where every line is JSON, under the key "sidestep". The first line of a
// file is the head, the last one the end. Check lines stand between whole frames.

/// How a format writes such a line.
struct RemarkStyle {
    std::string_view begin, end;

    bool begins(std::string_view line) const { return line.starts_with(begin); }
};
inline constexpr RemarkStyle kCommentRemark{"# sidestep ", ""};
inline constexpr RemarkStyle kJsonRemark{"{\"sidestep\":", "}"};

/// Of our text files; counts up when something in them gets another meaning.
inline constexpr std::int64_t kTextFormat = 1;

/// fps and levels of a recording; of another format nothing but its number.
struct HeadRemark {
    RecordingInfo info;
    std::int64_t format = kTextFormat;
};
/// A frame that nobody is in.
struct EmptyFrameRemark {
    std::int64_t frame = 0;
};
/// XXH3 of all bytes of the file before this line.
struct CheckRemark {
    std::uint64_t hash = 0;
};
/// The same, and what the file holds.
struct EndRemark {
    std::uint64_t frames = 0, rows = 0, hash = 0;
};
using Remark = std::variant<HeadRemark, EmptyFrameRemark, CheckRemark, EndRemark>;

/// With a line end.
std::string to_text(const Remark& remark, RemarkStyle style);
/// None: no such line, or one that was changed.
std::optional<Remark> read_remark(std::string_view line, RemarkStyle style);

}  // namespace sidestep
