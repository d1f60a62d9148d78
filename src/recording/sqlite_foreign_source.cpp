// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/sqlite_foreign_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "recording/seal.hpp"
#include "recording/sqlite_head.hpp"

namespace sidestep {
namespace {

constexpr auto kVersions = std::to_array<std::string_view>({"1", "2", "3"});

/// The walkable area at the first frame; of files without frames, or of version 1, the first there
/// is.
std::string read_wkt(SqliteFile& file)
{
    for (const char* sql : {"SELECT wkt FROM geometry WHERE hash = "
                            "(SELECT geometry_hash FROM frame_data ORDER BY frame LIMIT 1)",
                            "SELECT wkt FROM geometry ORDER BY rowid LIMIT 1"}) {
        SqliteStatement wkt;
        if (!file.prepare(sql, wkt) || wkt.step() != SqliteStatement::Step::row) continue;
        if (auto text = wkt.text(0)) return *std::move(text);
    }
    return {};
}

}  // namespace

ForeignSqliteSource::ForeignSqliteSource(SqliteFile file, bool recover)
    : file_(std::move(file)), recover_(recover)
{}

Result<std::unique_ptr<RecordingSource>> ForeignSqliteSource::open(
    SqliteFile file, const RecordingReadOptions& options)
{
    std::unique_ptr<ForeignSqliteSource> source(
        new ForeignSqliteSource(std::move(file), options.recover));
    const std::string& path = source->file_.path();
    const auto version = read_metadata(source->file_, "version");
    if (version && std::find(kVersions.begin(), kVersions.end(), *version) == kVersions.end()) {
        return Error{
            ErrorCode::unsupported,
            fmt::format("{}: is of version {} of JuPedSim's format, and versions 1 to 3 are "
                        "read",
                        path, *version)};
    }
    auto fps = read_fps(source->file_);
    if (!fps) fps = options.fps;
    if (!fps) {
        return Error{ErrorCode::io,
                     fmt::format("{}: does not say how many frames a second has", path)};
    }
    source->info.fps = *fps;
    source->info.levels = {{0, read_wkt(source->file_)}};
    if (auto done = source->prepare(); !done) return done.error();
    return std::unique_ptr<RecordingSource>(std::move(source));
}

Result<void> ForeignSqliteSource::prepare()
{
    // Version 3 has no orientations.
    if (!file_.prepare("SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data "
                       "ORDER BY frame, id",
                       rows_) &&
        !file_.prepare("SELECT frame, id, pos_x, pos_y, NULL, NULL FROM trajectory_data "
                       "ORDER BY frame, id",
                       rows_)) {
        return file_.error();
    }
    // Version 1 has no such table.
    has_numbers_ = file_.prepare("SELECT DISTINCT frame FROM frame_data ORDER BY frame", numbers_);
    return {};
}

Result<void> ForeignSqliteSource::read_row()
{
    const std::optional<RecordedAgent> last = std::exchange(row_, std::nullopt);
    const std::int64_t last_frame = row_frame_;
    const auto step = rows_.step();
    if (step == SqliteStatement::Step::done) return {};
    if (step == SqliteStatement::Step::failed) return file_.error();
    const auto fault = [&](std::string_view what) {
        return Error{ErrorCode::io, fmt::format("{}: {}", file_.path(), what)};
    };
    const auto frame = rows_.integer(0), id = rows_.integer(1);
    if (!frame || !id) return fault("trajectory_data has a row whose frame or id is no number");
    const auto x = rows_.number(2), y = rows_.number(3);
    if (!x || !y) return fault(fmt::format("frame {}: agent {} is nowhere", *frame, *id));
    if (last && *frame == last_frame && *id == last->id) {
        return fault(fmt::format("frame {}: agent {} is there twice", *frame, *id));
    }
    if (last && (*frame < last_frame || (*frame == last_frame && *id < last->id))) {
        return fault("its index is damaged: rows are not in order");
    }
    const bool has_direction = !rows_.is_null(4) && !rows_.is_null(5);
    const auto ori_x = rows_.number(4), ori_y = rows_.number(5);
    if (has_direction && (!ori_x || !ori_y)) {
        return fault(fmt::format("frame {}: agent {} looks nowhere", *frame, *id));
    }
    row_frame_ = *frame;
    row_ = RecordedAgent{*id, 0, {*x, *y}, has_direction ? Vec2{*ori_x, *ori_y} : Vec2{}};
    return {};
}

Result<void> ForeignSqliteSource::read_number()
{
    number_.reset();
    if (!has_numbers_) return {};
    const auto step = numbers_.step();
    if (step == SqliteStatement::Step::done) return {};
    if (step == SqliteStatement::Step::failed) return file_.error();
    number_ = numbers_.integer(0);
    if (number_) return {};
    return Error{ErrorCode::io,
                 fmt::format("{}: frame_data has a frame that is no number", file_.path())};
}

Result<bool> ForeignSqliteSource::read_next(RecordedFrame& frame)
{
    frame.agents.clear();
    frame.bodies.clear();
    if (!std::exchange(has_begun_, true)) {
        if (auto done = read_row(); !done) return done.error();
        if (auto done = read_number(); !done) return done.error();
    }
    if (!row_ && !number_) return false;
    frame.number = !row_ ? *number_ : !number_ ? row_frame_ : std::min(row_frame_, *number_);
    while (row_ && row_frame_ == frame.number) {
        frame.agents.push_back(*row_);
        if (auto done = read_row(); !done) return done.error();
    }
    if (number_ == frame.number) {
        if (auto done = read_number(); !done) return done.error();
    }
    return true;
}

Result<bool> ForeignSqliteSource::next(RecordedFrame& frame)
{
    if (has_ended_) return false;
    auto read = read_next(frame);
    if (read) {
        whole_ += *read ? 1 : 0;
        return read;
    }
    has_ended_ = true;
    const std::string after = fmt::format("{}; {}", read.error().message, whole_before(whole_));
    if (!recover_) return Error{read.error().code, fmt::format("{}{}", after, kRecoverHint)};
    damage.push_back(after + ", the rest is left out");
    return false;
}

}  // namespace sidestep
