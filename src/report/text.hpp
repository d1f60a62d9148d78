// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sidestep {

// Words and numbers of a page. Names, scenario texts and facts come from files of strangers: every
// text goes through escape_html or escape_json_script before it is part of a page.

/// For the inside of an element or of a quoted attribute. What is no UTF-8, and control characters
/// that HTML does not allow, become U+FFFD.
std::string escape_html(std::string_view text);
/// Valid JSON made safe for the inside of <script>: no <, > or &.
std::string escape_json_script(std::string_view json);

/// 1,234,567
std::string group_digits(std::uint64_t number);
/// Fixed number of decimals, thousands grouped: 1,234.50. "–" where it is not finite.
std::string to_fixed(double value, int decimals);
/// Three digits that count, thousands grouped, no powers of ten between 1e-4 and 1e9.
std::string to_short(double value);
/// A coordinate of a drawing: one decimal, none where it is zero.
std::string to_coordinate(double value);
/// "1 walker", "25,000 walkers"
std::string count_of(std::uint64_t count, std::string_view one, std::string_view several);

std::string to_base64(std::span<const std::uint8_t> bytes);
std::string to_base64(std::string_view bytes);

}  // namespace sidestep
