// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "recording/format.hpp"

namespace sidestep {

// Text formats: docs/formats/text.md. Files of ours and of others have the same rows; ours say in
// remarks what rows cannot say, and are sealed.
//
//   write   TextWriter (blocks, hashes, the part)   with a TextLayout (rows)
//   read    ours: SealedText, streamed; others: collected, sorted, then frame by frame

/// Rows `id frame x y z` between blanks, as the pedestrian dynamics data archive has them.
Result<std::unique_ptr<RecordingWriter>> create_txt(const RecordingTarget& target,
                                                    const RecordingInfo& info);
Result<std::unique_ptr<RecordingSource>> open_txt(const std::string& path,
                                                  const RecordingReadOptions& options);

/// A row of names, then rows between commas; numbers come back bit by bit.
Result<std::unique_ptr<RecordingWriter>> create_csv(const RecordingTarget& target,
                                                    const RecordingInfo& info);
Result<std::unique_ptr<RecordingSource>> open_csv(const std::string& path,
                                                  const RecordingReadOptions& options);

/// One JSON object per line, as TrajNet++ has them.
Result<std::unique_ptr<RecordingWriter>> create_ndjson(const RecordingTarget& target,
                                                       const RecordingInfo& info);
Result<std::unique_ptr<RecordingSource>> open_ndjson(const std::string& path,
                                                     const RecordingReadOptions& options);

}  // namespace sidestep
