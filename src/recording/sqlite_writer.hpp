// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "recording/format.hpp"
#include "recording/open_box.hpp"
#include "recording/recording_path.hpp"
#include "recording/seal.hpp"
#include "recording/sqlite_file.hpp"
#include "sidestep/recording.hpp"
#include "sidestep/result.hpp"
#include "sidestep/vec2.hpp"

namespace sidestep {

/// Writes JuPedSim's trajectory schema, version 2, with tables of our own beside it:
/// docs/formats/recording.md. Frames go in through transactions, so that a file whose writer was
/// killed holds whole frames and opens as it is.
///
/// While it is written the file is in SQLite's write-ahead mode: readers see the frames committed
/// so far and never block the run. At the end it becomes one plain file.
class SqliteWriter final : public RecordingWriter {
public:
    /// Makes the file with everything but frames in it.
    static Result<std::unique_ptr<RecordingWriter>> create(const RecordingTarget& target,
                                                           const RecordingInfo& info);

    Result<void> write(std::span<const RecordedItem> batch) override;
    Result<void> finish(const RecordedFacts& facts) override;
    void give_up() override;
    std::string current_file() const override
    {
        return target_.part.empty() ? target_.file : target_.part;
    }

private:
    SqliteWriter(RecordingTarget target, SqliteFile file);
    bool begin();
    bool write(const RecordedFrame& frame);
    bool write(const RecordedNotes& notes);
    bool commit();
    /// What the last call that answered false met with.
    Error error() const;
    /// Gives the transaction under way up; what was committed stays.
    void roll_back();
    bool prepare();
    bool write_schema(const RecordingInfo& info);
    bool write_geometry(const RecordingInfo& info);
    bool write_plan(const RecordingInfo& info);
    template <class Value>
    bool spread(std::string_view table, std::string_view column, Value value);
    bool write_level(std::int64_t frame, const RecordedAgent& agent);
    bool write_box();
    bool write_metadata(std::string_view key, std::string_view value);
    bool write_fact(std::string_view key, std::string_view value, std::string_view part);
    bool write_frame_count();
    bool write_seal();
    Result<void> publish();
    void close_file();

    RecordingTarget target_;
    std::optional<SqliteFile> file_;
    // After the file: finalised before it closes.
    SqliteStatement row_, frame_data_, frame_, level_, body_place_, event_, walker_, end_;
    SqliteStatement metadata_, geometry_, fact_, frame_count_, seal_row_;

    std::int64_t geometry_hash_ = 0;  ///< of the first level
    bool open_plane_ = false;         ///< some level has no outline: the box of the walkers is it
    OpenBox box_;                     ///< of all positions
    bool box_grew_ = false;
    std::int64_t frame_rows_ = 0, level_rows_ = 0, body_rows_ = 0;  ///< see `spread`
    std::int64_t written_frames_ = 0;  ///< of frame_rows_, the count that the file has
    Seal seal_;
    std::array<std::optional<std::uint64_t>, Seal::kNames.size()> written_seal_;
    std::optional<std::uint16_t> only_level_;
    std::unordered_map<std::int64_t, std::uint16_t> level_of_;  ///< looked up, never iterated
};

}  // namespace sidestep
