// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "recording/format.hpp"
#include "recording/sqlite_file.hpp"
#include "recording/sqlite_head.hpp"
#include "recording/sqlite_pages.hpp"
#include "recording/sqlite_rows.hpp"

namespace sidestep {

/// Reads files that Sidestep wrote. Each frame is compared with its hash before it is given away.
///
/// Rows of a frame stand side by side in trajectory_data: they are read by where they begin. Where
/// that does not give the frame that was written, they are looked for through the index, which is
/// another copy of frame and id in the file; and in recovery in each page, whatever is above it.
class OwnSqliteSource final : public RecordingSource {
public:
    static Result<std::unique_ptr<RecordingSource>> open(SqliteFile file,
                                                         const RecordingReadOptions& options);
    Result<bool> next(RecordedFrame& frame) override;

private:
    OwnSqliteSource(SqliteFile file, bool recover);
    Result<void> prepare();
    /// Whether the frame of the list is what was written.
    bool read_frame(const ListedFrame& listed, RecordedFrame& frame);
    bool read_frame_from_pages(const ListedFrame& listed, RecordedFrame& frame);
    /// The pages of the file, looked through at most once; none where that is of no use.
    SqlitePages* pages();
    /// Puts in what SQLite could not find.
    void complete_from_pages();
    bool read_agents(SqliteStatement& rows, RecordedFrame& frame);
    bool read_bodies(RecordedFrame& frame);
    void set_levels(RecordedFrame& frame);
    Result<void> end();
    void say_left_out();

    SqliteFile file_;
    SqliteStatement by_place_, by_index_, body_places_;  ///< after the file: finalised before it
    DamageLog log_;
    std::optional<SqlitePages> pages_;
    bool has_looked_at_pages_ = false;
    std::vector<ListedFrame> frames_;
    std::optional<std::uint64_t> frame_count_;  ///< that were written, where it is known
    std::size_t bodies_ = 0;  ///< of each frame in the file; given away with their names only
    std::uint16_t usual_level_ = 0;  ///< where level_of_ has none
    std::vector<LevelChange> level_changes_;
    std::unordered_map<std::int64_t, std::uint16_t> level_of_;  ///< looked up, never iterated
    std::size_t next_ = 0, next_change_ = 0;
    std::size_t left_out_from_ = 0, left_out_ = 0;  ///< frames in a row, in recovery
    std::size_t missing_ = 0;                       ///< of those listed, those said to be left out
    bool has_index_ = false, has_ended_ = false;
};

}  // namespace sidestep
