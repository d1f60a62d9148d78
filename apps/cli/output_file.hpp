// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/result.hpp>

#include <string>
#include <string_view>

namespace sidestep::cli {

/// What `write_output_file` would say of the folder and of a file that is there, before any work.
/// ErrorCode::invalid_argument: it exists and is kept.
Result<void> check_output_file(const std::string& path, bool replace);

/// Writes a whole file or none: under another name beside it first.
Result<void> write_output_file(const std::string& path, std::string_view bytes, bool replace);

}  // namespace sidestep::cli
