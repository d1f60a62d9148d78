// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "recording/format.hpp"

namespace sidestep {

/// Opens a table of another program: one row per walker and frame, fields between blanks, commas or
/// semicolons, comments behind #. Columns are those of `options`, of a row or comment of names, or
/// `usual` ones (none, or more than five columns: an Error). Frame rate and unit may stand in
/// comments: `framerate: 25 fps`, `x/cm`, `in cm`. z is a height and passed over.
Result<std::unique_ptr<RecordingSource>> open_table(const std::string& path,
                                                    const RecordingReadOptions& options,
                                                    std::string_view usual);

}  // namespace sidestep
