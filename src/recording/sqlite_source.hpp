// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "recording/format.hpp"

namespace sidestep {

/// Opens a recording in JuPedSim's schema, ours or not.
Result<std::unique_ptr<RecordingSource>> open_sqlite(const std::string& path,
                                                     const RecordingReadOptions& options);

}  // namespace sidestep
