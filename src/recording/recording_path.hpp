// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sidestep/result.hpp"

namespace sidestep {

/// Where a recording goes. It is made under the name `part` beside the file. A new recording takes
/// its name as soon as it can be read, with no frames yet; one that replaces another takes it when
/// it is closed, and until then the other stays as it is.
struct RecordingTarget {
    std::string file;  ///< absolute, links resolved
    std::string part;  ///< empty until make_part
    bool replaces = false;
};

/// Ending, folder and existing file.
Result<RecordingTarget> check_target(const std::string& path, bool replace);

/// Makes an empty file of a name that nobody uses: FILE.part, FILE.2.part, ...
Result<void> make_part(RecordingTarget& target);

/// Gives the part its name. Fails where the file has come into being meanwhile, unless it replaces
/// another.
Result<void> name_part(const RecordingTarget& target);

/// Removes what SQLite keeps beside a file of this name. A log that outlived its file would be
/// taken for that of the next one.
void remove_side_files(const std::string& file);
bool has_side_files(const std::string& file);

}  // namespace sidestep
