// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sidestep {

// Numbers in text files, independent of the locale. Zero is written without a sign.

void append_whole(std::string& out, std::int64_t value);
/// With four decimals: lengths to 0.1 mm. What was read from four decimals gives the same ones.
void append_fixed(std::string& out, double value);
/// As short as it can be for it to come back bit by bit.
void append_exact(std::string& out, double value);

/// The whole text is a finite number; a leading + is allowed.
std::optional<double> to_real(std::string_view text);
/// The whole text is a whole number; 1.0 and 1e2 are, too, up to 2^53.
std::optional<std::int64_t> to_whole(std::string_view text);

}  // namespace sidestep
