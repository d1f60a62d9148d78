// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/sqlite_writer.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "base/hash.hpp"
#include "recording/seal.hpp"
#include "recording/sqlite_tables.hpp"

namespace sidestep {
namespace {

constexpr const char* kMarkClosed =
    "UPDATE sidestep_facts SET value = 'yes' WHERE key = 'closed' AND part = 'file'";
constexpr const char* kCountFrames =
    "UPDATE sidestep_facts SET value = ? WHERE key = 'frames' AND part = 'file'";
/// Which row of a table spreads it: so many that the others (25 bytes of sidestep_frames, 9 at
/// least of other tables) and one as large as a page do not fit into one.
constexpr std::int64_t kFrameToSpreadAt = 3, kRowToSpreadAt = 8;

std::int64_t hash_of(std::string_view text)
{
    StateHash hash;
    hash.add_bytes(text.data(), text.size());
    return static_cast<std::int64_t>(hash.digest());
}

/// Always as long: a row that grows may leave its page for one at the end of the file, behind what
/// a cut takes away.
std::string count_text(std::int64_t frames)
{
    return fmt::format("{:016}", frames);
}

/// [[x, y], ...]
std::string outline_text(const std::vector<Vec2>& outline)
{
    std::string text;
    for (const Vec2 corner : outline) {
        text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", corner.x, corner.y);
    }
    return fmt::format("[{}]", text);
}

}  // namespace

SqliteWriter::SqliteWriter(RecordingTarget target, SqliteFile file)
    : target_(std::move(target)), file_(std::move(file))
{}

// ------------------------------------------------------------------------------------- beginning

Result<std::unique_ptr<RecordingWriter>> SqliteWriter::create(const RecordingTarget& target,
                                                              const RecordingInfo& info)
{
    RecordingTarget made = target;
    if (auto part = make_part(made); !part) return part.error();
    auto file = SqliteFile::open(made.part);
    if (!file) {
        std::remove(made.part.c_str());
        return file.error();
    }
    std::unique_ptr<SqliteWriter> owned(new SqliteWriter(made, *std::move(file)));
    SqliteWriter& writer = *owned;
    const auto give_up = [&](Error error) {
        writer.close_file();
        const RecordingTarget& now = writer.target_;
        const std::string& own = now.part.empty() ? now.file : now.part;
        remove_side_files(own);
        std::remove(own.c_str());
        return error;
    };
    RecordingInfo whole = info;
    if (whole.levels.empty()) whole.levels.push_back({});
    if (!writer.write_schema(whole)) return give_up(writer.error());
    if (!made.replaces) {
        if (auto named = writer.publish(); !named) return give_up(named.error());
    }
    // NORMAL: a commit survives the death of the program, and power failure costs the last frames
    // at most, never the file. Where write-ahead mode cannot be had SQLite stays in its own.
    if (!writer.file_->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;") ||
        !writer.prepare()) {
        return give_up(writer.error());
    }
    return std::unique_ptr<RecordingWriter>(std::move(owned));
}

bool SqliteWriter::write_schema(const RecordingInfo& info)
{
    // Nobody else sees the part yet: no journal, and one file only.
    if (!file_->execute("PRAGMA journal_mode=OFF; BEGIN;") || !file_->execute(kSqliteSchema) ||
        !prepare()) {
        return false;
    }
    bool ok = write_metadata("version", "2") &&
              write_metadata("fps", fmt::format("{}", info.fps)) &&
              write_fact("format", kSqliteFormat, kFactsOfFile) &&
              write_fact("closed", "no", kFactsOfFile) &&
              write_fact(kFrameCountKey, count_text(0), kFactsOfFile) &&
              write_fact("scenario", info.scenario_text, kFactsOfFile) && write_geometry(info) &&
              write_box() && write_plan(info);
    for (const auto& [key, value] : info.facts) ok = ok && write_fact(key, value, kFactsOfBegin);
    seal_.add(info);
    return ok && commit();
}

bool SqliteWriter::write_geometry(const RecordingInfo& info)
{
    if (info.levels.size() == 1) only_level_ = info.levels.front().level;

    SqliteStatement insert;
    if (!file_->prepare("INSERT OR IGNORE INTO geometry VALUES(?, ?)", insert)) return false;
    for (std::size_t i = 0; i < info.levels.size(); ++i) {
        const auto& [level, wkt] = info.levels[i];
        const std::int64_t hash = wkt.empty() ? kOpenPlaneHash : hash_of(wkt);
        open_plane_ |= wkt.empty();
        if (i == 0) geometry_hash_ = hash;
        // The outline of an open plane comes with write_box.
        if (!insert.bind(hash).bind(wkt.empty() ? std::string_view("-") : wkt).run() ||
            !write_fact(fmt::format("{}{}{}", kLevelKey, level, kLevelKeyEnding),
                        fmt::format("{}", hash), kFactsOfFile)) {
            return false;
        }
    }
    return true;
}

bool SqliteWriter::write_plan(const RecordingInfo& info)
{
    SqliteStatement place, body;
    if (!file_->prepare("INSERT INTO sidestep_places VALUES(?, ?, ?, ?)", place) ||
        !file_->prepare("INSERT INTO sidestep_bodies VALUES(?, ?, ?, ?, ?)", body)) {
        return false;
    }
    bool ok = true;
    for (const RecordingInfo::Place& p : info.places) {
        ok = ok && place.bind(p.name).bind(p.kind).bind(std::int64_t{p.level}).bind(p.wkt).run();
    }
    for (std::size_t i = 0; i < info.bodies.size(); ++i) {
        const RecordingInfo::Body& b = info.bodies[i];
        body.bind(static_cast<std::int64_t>(i)).bind(b.name).bind(std::int64_t{b.level});
        const std::string outline = outline_text(b.outline);
        ok = ok && body.bind(without_sign_of_zero(b.radius)).bind(outline).run();
    }
    return ok;
}

Result<void> SqliteWriter::publish()
{
    close_file();
    remove_side_files(target_.file);
    if (auto named = name_part(target_); !named) return named;
    target_.part.clear();
    auto file = SqliteFile::open(target_.file);
    if (!file) return file.error();
    file_.emplace(*std::move(file));
    return {};
}

bool SqliteWriter::prepare()
{
    SqliteFile& f = *file_;
    return f.prepare("INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?)", row_) &&
           f.prepare("INSERT INTO frame_data VALUES(?, ?)", frame_data_) &&
           f.prepare("INSERT INTO sidestep_frames VALUES(?, ?, ?)", frame_) &&
           f.prepare("INSERT INTO sidestep_levels VALUES(?, ?, ?)", level_) &&
           f.prepare("INSERT INTO sidestep_body_places VALUES(?, ?, ?, ?)", body_place_) &&
           f.prepare("INSERT INTO sidestep_events VALUES(?, ?, ?)", event_) &&
           f.prepare("INSERT INTO sidestep_walkers VALUES(?, ?, ?, ?, ?, ?)", walker_) &&
           f.prepare("INSERT INTO sidestep_ends VALUES(?, ?, ?, ?, ?, ?, ?)", end_) &&
           f.prepare("INSERT OR REPLACE INTO metadata VALUES(?, ?)", metadata_) &&
           f.prepare("UPDATE geometry SET wkt = ? WHERE hash = ?", geometry_) &&
           f.prepare("INSERT INTO sidestep_facts VALUES(?, ?, ?)", fact_) &&
           f.prepare(kCountFrames, frame_count_) &&
           f.prepare("INSERT OR REPLACE INTO sidestep_seal VALUES(?, ?)", seal_row_);
}

void SqliteWriter::close_file()
{
    for (SqliteStatement* s :
         {&row_, &frame_data_, &frame_, &level_, &body_place_, &event_, &walker_, &end_, &metadata_,
          &geometry_, &fact_, &frame_count_, &seal_row_}) {
        *s = {};
    }
    file_.reset();
}

// ---------------------------------------------------------------------------------------- frames

bool SqliteWriter::begin()
{
    return file_->execute("BEGIN IMMEDIATE");
}

Result<void> SqliteWriter::write(std::span<const RecordedItem> batch)
{
    bool ok = begin();
    for (const RecordedItem& item : batch) {
        ok = ok && std::visit([&](const auto& it) { return write(it); }, item);
    }
    if (ok && commit()) return {};
    Error failure = error();
    roll_back();
    return failure;
}

bool SqliteWriter::write(const RecordedFrame& frame)
{
    const std::int64_t number = frame.number;
    for (const RecordedAgent& agent : frame.agents) {
        row_.bind(number).bind(agent.id).bind(agent.position.x).bind(agent.position.y);
        row_.bind(agent.orientation.x).bind(agent.orientation.y);
        if (!row_.run() || !write_level(number, agent)) return false;
        box_grew_ |= box_.include(agent.position);
    }
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const Vec2 place = frame.bodies[i];
        body_place_.bind(number).bind(static_cast<std::int64_t>(i)).bind(place.x).bind(place.y);
        if (!body_place_.run() ||
            (++body_rows_ == kRowToSpreadAt && !spread("sidestep_body_places", "x", place.x))) {
            return false;
        }
    }
    const auto rows = static_cast<std::int64_t>(frame.agents.size());
    const std::uint64_t hash = hash_of(frame);
    seal_.add_frame(hash);
    const std::string text = to_hash_text(hash);
    return frame_data_.bind(number).bind(geometry_hash_).run() &&
           frame_.bind(number).bind(rows).bind(text).run() &&
           (++frame_rows_ != kFrameToSpreadAt ||
            spread("sidestep_frames", "xxh3", std::string_view(text)));
}

/// A table that outgrows its first page leaves it: SQLite copies all its rows to where the file
/// ends then, behind the trajectories they belong to, and a cut file would lose them all. This
/// makes that happen early: the row just written becomes as large as a page for a moment, so that
/// from there on each page of the table lies before what is written later.
template <class Value>
bool SqliteWriter::spread(std::string_view table, std::string_view column, Value value)
{
    SqliteStatement back;
    return file_->execute(fmt::format("UPDATE {} SET {} = 'x' || hex(zeroblob(2015)) "
                                      "WHERE rowid = last_insert_rowid()",
                                      table, column)
                              .c_str()) &&
           file_->prepare(
               fmt::format("UPDATE {} SET {} = ? WHERE rowid = last_insert_rowid()", table, column),
               back) &&
           back.bind(value).run();
}

bool SqliteWriter::write(const RecordedNotes& notes)
{
    bool ok = true;
    for (const RecordedEvent& e : notes.events) {
        ok = ok && event_.bind(e.time).bind(e.kind).bind(e.text).run();
    }
    for (const RecordedWalker& w : notes.walkers) {
        walker_.bind(w.id).bind(w.radius).bind(w.preferred_speed);
        ok = ok && walker_.bind(w.group).bind(w.profile).bind(w.model).run();
    }
    for (const RecordedEnd& e : notes.ends) {
        end_.bind(e.id).bind(e.time).bind(e.kind).bind(e.place).bind(e.set_off);
        ok = ok && end_.bind(e.shortest_way).bind(std::int64_t{e.is_arrival ? 1 : 0}).run();
    }
    seal_.add(notes);
    return ok;
}

/// In a file of one level nothing need be said; in others each agent's first level and each change.
bool SqliteWriter::write_level(std::int64_t frame, const RecordedAgent& agent)
{
    if (only_level_ && agent.level == *only_level_ && level_of_.empty()) return true;
    const auto [known, is_new] = level_of_.try_emplace(agent.id, agent.level);
    if (!is_new && known->second == agent.level) return true;
    known->second = agent.level;
    const std::int64_t level = agent.level;
    return level_.bind(agent.id).bind(frame).bind(level).run() &&
           (++level_rows_ != kRowToSpreadAt || spread("sidestep_levels", "level", level));
}

/// With every transaction in which it grew: a file that nobody could close is right, too.
bool SqliteWriter::write_box()
{
    const auto put = [&](std::string_view key, double value) {
        return write_metadata(key, fmt::format("{}", without_sign_of_zero(value)));
    };
    box_grew_ = false;
    if (!put("xmin", box_.x_min) || !put("xmax", box_.x_max) || !put("ymin", box_.y_min) ||
        !put("ymax", box_.y_max)) {
        return false;
    }
    if (!open_plane_) return true;
    const double x0 = box_.x_min - kOpenMargin, x1 = box_.x_max + kOpenMargin;
    const double y0 = box_.y_min - kOpenMargin, y1 = box_.y_max + kOpenMargin;
    return geometry_
        .bind(
            fmt::format("POLYGON (({0} {2}, {1} {2}, {1} {3}, {0} {3}, {0} {2}))", x0, x1, y0, y1))
        .bind(kOpenPlaneHash)
        .run();
}

bool SqliteWriter::write_metadata(std::string_view key, std::string_view value)
{
    return metadata_.bind(key).bind(value).run();
}

bool SqliteWriter::write_fact(std::string_view key, std::string_view value, std::string_view part)
{
    return fact_.bind(key).bind(value).bind(part).run();
}

/// The hashes of what is there, with every transaction: they are right whenever the writer dies.
bool SqliteWriter::write_seal()
{
    for (std::size_t i = 0; i < Seal::kNames.size(); ++i) {
        const std::uint64_t digest = seal_.digest(static_cast<Seal::Part>(i));
        if (written_seal_[i] == digest) continue;
        if (!seal_row_.bind(Seal::kNames[i]).bind(to_hash_text(digest)).run()) return false;
        written_seal_[i] = digest;
    }
    return true;
}

bool SqliteWriter::write_frame_count()
{
    if (written_frames_ == frame_rows_) return true;
    written_frames_ = frame_rows_;
    return frame_count_.bind(count_text(frame_rows_)).run();
}

bool SqliteWriter::commit()
{
    return (!box_grew_ || write_box()) && write_frame_count() && write_seal() &&
           file_->execute("COMMIT");
}

Error SqliteWriter::error() const
{
    Error error = file_->error();
    if (target_.replaces) error.message += fmt::format("; {} is as it was", target_.file);
    return error;
}

void SqliteWriter::roll_back()
{
    file_->execute("ROLLBACK");
}

// ----------------------------------------------------------------------------------------- ending

void SqliteWriter::give_up()
{
    roll_back();
    file_->execute("PRAGMA journal_mode=DELETE");
    close_file();
}

Result<void> SqliteWriter::finish(const RecordedFacts& facts)
{
    bool ok = begin();
    for (const auto& [key, value] : facts) ok = ok && write_fact(key, value, kFactsOfEnd);
    seal_.add(facts);
    if (!ok || !file_->execute(kMarkClosed) || !commit()) {
        Error failure = error();
        give_up();
        return failure;
    }
    // Leaves one plain file that opens from read-only places, too. A reader at this moment can
    // prevent that; then the file stays as it is, readable, and the last reader tidies up.
    const bool plain = file_->execute("PRAGMA journal_mode=DELETE");
    Error failure = error();
    close_file();
    if (!target_.replaces) return {};
    if (!plain || has_side_files(target_.part)) return failure;
    return name_part(target_);
}

}  // namespace sidestep
