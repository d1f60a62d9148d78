// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sidestep/scenario.hpp"

namespace sidestep {

/// Looks through the bytes of a file before the parser does: bytes that are no text, and nesting,
/// numbers of values and texts beyond the limits, with which a parser would run out of stack or
/// memory. One pass, no memory. The file's name is left empty.
std::optional<Problem> find_text_fault(std::string_view text, std::size_t* comment_bytes = nullptr);

/// The text without comments; everything else keeps its line and column.
std::string strip_comments(std::string_view text);

}  // namespace sidestep
