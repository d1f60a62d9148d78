// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "recording/format.hpp"
#include "recording/sqlite_file.hpp"

namespace sidestep {

/// Reads files of other programs in JuPedSim's schema, versions 1 to 3. They have no hashes: what
/// SQLite gives is taken as it is.
class ForeignSqliteSource final : public RecordingSource {
public:
    static Result<std::unique_ptr<RecordingSource>> open(SqliteFile file,
                                                         const RecordingReadOptions& options);
    Result<bool> next(RecordedFrame& frame) override;

private:
    ForeignSqliteSource(SqliteFile file, bool recover);
    Result<void> prepare();
    Result<void> read_row();
    Result<void> read_number();
    Result<bool> read_next(RecordedFrame& frame);

    SqliteFile file_;
    SqliteStatement rows_, numbers_;  ///< after the file: finalised before it
    bool recover_ = false, has_numbers_ = false, has_begun_ = false, has_ended_ = false;
    std::size_t whole_ = 0;  ///< frames given away
    // What was read ahead; none: there is no more.
    std::int64_t row_frame_ = 0;
    std::optional<RecordedAgent> row_;
    std::optional<std::int64_t> number_;  ///< of frame_data: also frames with nobody in them
};

}  // namespace sidestep
