// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "recording/format.hpp"

namespace sidestep {

/// Opens an HDF5 file in the archive's layout, ours or that of another program.
Result<std::unique_ptr<RecordingSource>> open_h5(const std::string& path,
                                                 const RecordingReadOptions& options);

}  // namespace sidestep
