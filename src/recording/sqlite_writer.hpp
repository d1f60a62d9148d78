// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "recording/recording_path.hpp"
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
class SqliteWriter {
public:
    using Facts = std::span<const std::pair<std::string, std::string>>;

    /// Makes the file with everything but frames in it.
    static Result<SqliteWriter> create(const RecordingTarget& target, const RecordingInfo& info);

    bool begin();
    bool write(const RecordedFrame& frame);
    bool write(const RecordedEvent& event);
    bool commit();
    /// What the last call that answered false met with.
    Error error() const;
    /// Gives the transaction under way up; what was committed stays.
    void roll_back();

    /// After a failure: closes, and leaves the frames committed where they are.
    void give_up();
    /// The last facts; then the file is closed and has its name.
    Result<void> finish(Facts facts);

private:
    struct Box {
        double x_min = 0.0, x_max = 0.0, y_min = 0.0, y_max = 0.0;
        bool empty = true;
    };

    SqliteWriter(RecordingTarget target, SqliteFile file);
    bool prepare();
    bool write_schema(const RecordingInfo& info);
    bool write_geometry(const RecordingInfo& info);
    bool write_level(std::int64_t frame, const RecordedAgent& agent);
    bool write_box();
    bool write_fact(std::string_view key, std::string_view value);
    Result<void> publish();
    void include_in_box(Vec2 p);
    void close_file();

    RecordingTarget target_;
    std::optional<SqliteFile> file_;
    // After the file: finalised before it closes.
    SqliteStatement row_, frame_data_, frame_, level_, event_, metadata_, geometry_, fact_;

    std::int64_t geometry_hash_ = 0;  ///< of the first level
    bool open_plane_ = false;         ///< some level has no outline: the box of the walkers is it
    Box box_;                         ///< of all positions
    bool box_grew_ = false;
    std::optional<std::uint16_t> only_level_;
    std::unordered_map<std::uint32_t, std::uint16_t> level_of_;  ///< looked up, never iterated
};

}  // namespace sidestep
