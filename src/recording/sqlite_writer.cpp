// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/sqlite_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "base/hash.hpp"

namespace sidestep {
namespace {

// JuPedSim's schema first, word for word as its readers expect it; then ours.
constexpr const char* kSchema = R"sql(
CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,
    pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);
CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
CREATE INDEX frame_id_idx ON trajectory_data(frame, id);

CREATE TABLE sidestep_facts(key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sidestep_events(time REAL NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE sidestep_frames(frame INTEGER NOT NULL PRIMARY KEY, rows INTEGER NOT NULL,
    xxh3 TEXT NOT NULL);
CREATE TABLE sidestep_levels(id INTEGER NOT NULL, frame INTEGER NOT NULL, level INTEGER NOT NULL);
)sql";

/// Of our own tables; JuPedSim's have theirs in `metadata`.
constexpr const char* kFormat = "1";
/// What an open plane shows around its walkers, at least [m].
constexpr double kOpenMargin = 2.0;
/// The name of the open plane among the geometries: its outline grows, its name must not.
constexpr std::int64_t kOpenPlaneHash = 0;

std::int64_t hash_of(std::string_view text)
{
    StateHash hash;
    hash.add_bytes(text.data(), text.size());
    return static_cast<std::int64_t>(hash.digest());
}

/// SQLite gives back +0 for -0, and a reader must find the bytes that were hashed.
double without_sign_of_zero(double value)
{
    return value + 0.0;
}

/// The bytes of a row that sidestep_frames answers for.
struct HashedRow {
    std::int64_t id;
    double pos_x, pos_y, ori_x, ori_y;
};
static_assert(sizeof(HashedRow) == 40);

}  // namespace

SqliteWriter::SqliteWriter(RecordingTarget target, SqliteFile file)
    : target_(std::move(target)), file_(std::move(file))
{}

// ------------------------------------------------------------------------------------- beginning

Result<SqliteWriter> SqliteWriter::create(const RecordingTarget& target, const RecordingInfo& info)
{
    RecordingTarget made = target;
    if (auto part = make_part(made); !part) return part.error();
    auto file = SqliteFile::open(made.part);
    if (!file) {
        std::remove(made.part.c_str());
        return file.error();
    }
    SqliteWriter writer(made, *std::move(file));
    const auto give_up = [&](Error error) {
        writer.close_file();
        const RecordingTarget& now = writer.target_;
        const std::string& own = now.part.empty() ? now.file : now.part;
        remove_side_files(own);
        std::remove(own.c_str());
        return error;
    };
    if (!writer.write_schema(info)) return give_up(writer.error());
    if (!made.replaces) {
        if (auto named = writer.publish(); !named) return give_up(named.error());
    }
    // NORMAL: a commit survives the death of the program, and power failure costs the last frames
    // at most, never the file. Where write-ahead mode cannot be had SQLite stays in its own.
    if (!writer.file_->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;") ||
        !writer.prepare()) {
        return give_up(writer.error());
    }
    return writer;
}

bool SqliteWriter::write_schema(const RecordingInfo& info)
{
    // Nobody else sees the part yet: no journal, and one file only.
    if (!file_->execute("PRAGMA journal_mode=OFF; BEGIN;") || !file_->execute(kSchema) ||
        !prepare() || !write_geometry(info)) {
        return false;
    }
    bool ok = metadata_.bind("version").bind("2").run() &&
              metadata_.bind("fps").bind(fmt::format("{}", info.fps)).run() && write_box() &&
              write_fact("format", kFormat) && write_fact("closed", "no") &&
              write_fact("scenario", info.scenario_text);
    for (const auto& [key, value] : info.facts) ok = ok && write_fact(key, value);
    return ok && file_->execute("COMMIT");
}

bool SqliteWriter::write_geometry(const RecordingInfo& info)
{
    std::vector<RecordingInfo::Level> levels = info.levels;
    if (levels.empty()) levels.push_back({});
    if (levels.size() == 1) only_level_ = levels.front().level;

    SqliteStatement insert;
    if (!file_->prepare("INSERT OR IGNORE INTO geometry VALUES(?, ?)", insert)) return false;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const bool open = levels[i].wkt.empty();
        const std::int64_t hash = open ? kOpenPlaneHash : hash_of(levels[i].wkt);
        open_plane_ |= open;
        if (i == 0) geometry_hash_ = hash;
        // The outline of an open plane comes with write_box.
        if (!insert.bind(hash).bind(open ? std::string_view("-") : levels[i].wkt).run() ||
            !write_fact(fmt::format("level.{}.geometry_hash", levels[i].level),
                        fmt::format("{}", hash))) {
            return false;
        }
    }
    return true;
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
           f.prepare("INSERT INTO sidestep_events VALUES(?, ?, ?)", event_) &&
           f.prepare("INSERT OR REPLACE INTO metadata VALUES(?, ?)", metadata_) &&
           f.prepare("UPDATE geometry SET wkt = ? WHERE hash = ?", geometry_) &&
           f.prepare("INSERT OR REPLACE INTO sidestep_facts VALUES(?, ?)", fact_);
}

void SqliteWriter::close_file()
{
    for (SqliteStatement* s :
         {&row_, &frame_data_, &frame_, &level_, &event_, &metadata_, &geometry_, &fact_}) {
        *s = {};
    }
    file_.reset();
}

// ---------------------------------------------------------------------------------------- frames

bool SqliteWriter::begin()
{
    return file_->execute("BEGIN IMMEDIATE");
}

bool SqliteWriter::write(const RecordedFrame& frame)
{
    const auto number = static_cast<std::int64_t>(frame.number);
    StateHash hash;
    hash.add(number);
    for (const RecordedAgent& agent : frame.agents) {
        const HashedRow r{agent.id, without_sign_of_zero(agent.position.x),
                          without_sign_of_zero(agent.position.y),
                          without_sign_of_zero(agent.orientation.x),
                          without_sign_of_zero(agent.orientation.y)};
        hash.add_bytes(&r, sizeof(r));
        row_.bind(number).bind(r.id).bind(r.pos_x).bind(r.pos_y).bind(r.ori_x).bind(r.ori_y);
        if (!row_.run() || !write_level(number, agent)) return false;
        include_in_box(agent.position);
    }
    const auto rows = static_cast<std::int64_t>(frame.agents.size());
    return frame_data_.bind(number).bind(geometry_hash_).run() &&
           frame_.bind(number).bind(rows).bind(fmt::format("{:016x}", hash.digest())).run();
}

bool SqliteWriter::write(const RecordedEvent& event)
{
    return event_.bind(without_sign_of_zero(event.time)).bind(event.kind).bind(event.text).run();
}

/// In a file of one level nothing need be said; in others each agent's first level and each change.
bool SqliteWriter::write_level(std::int64_t frame, const RecordedAgent& agent)
{
    if (only_level_ && agent.level == *only_level_ && level_of_.empty()) return true;
    const auto [known, is_new] = level_of_.try_emplace(agent.id, agent.level);
    if (!is_new && known->second == agent.level) return true;
    known->second = agent.level;
    return level_.bind(std::int64_t{agent.id}).bind(frame).bind(std::int64_t{agent.level}).run();
}

void SqliteWriter::include_in_box(Vec2 p)
{
    if (box_.empty) {
        box_ = {p.x, p.x, p.y, p.y, false};
    } else if (p.x >= box_.x_min && p.x <= box_.x_max && p.y >= box_.y_min && p.y <= box_.y_max) {
        return;
    }
    box_.x_min = std::min(box_.x_min, p.x);
    box_.x_max = std::max(box_.x_max, p.x);
    box_.y_min = std::min(box_.y_min, p.y);
    box_.y_max = std::max(box_.y_max, p.y);
    box_grew_ = true;
}

/// With every transaction in which it grew: a file that nobody could close is right, too.
bool SqliteWriter::write_box()
{
    const auto put = [&](std::string_view key, double value) {
        return metadata_.bind(key).bind(fmt::format("{}", without_sign_of_zero(value))).run();
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

bool SqliteWriter::write_fact(std::string_view key, std::string_view value)
{
    return fact_.bind(key).bind(value).run();
}

bool SqliteWriter::commit()
{
    return (!box_grew_ || write_box()) && file_->execute("COMMIT");
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

Result<void> SqliteWriter::finish(Facts facts)
{
    bool ok = begin();
    for (const auto& [key, value] : facts) ok = ok && write_fact(key, value);
    if (!ok || !write_fact("closed", "yes") || !commit()) {
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
