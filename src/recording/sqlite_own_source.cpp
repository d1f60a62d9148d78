// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/sqlite_own_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "recording/seal.hpp"

namespace sidestep {

OwnSqliteSource::OwnSqliteSource(SqliteFile file, bool recover)
    : file_(std::move(file)), log_(file_.path(), recover, damage)
{}

Result<std::unique_ptr<RecordingSource>> OwnSqliteSource::open(SqliteFile file,
                                                               const RecordingReadOptions& options)
{
    std::unique_ptr<OwnSqliteSource> source(new OwnSqliteSource(std::move(file), options.recover));
    SqliteHead head;
    head.asked_fps = options.fps;
    if (auto done = read_head(source->file_, source->log_, head); !done) return done.error();
    if (auto done = source->prepare(); !done) return done.error();
    source->info = std::move(head.info);
    source->notes = std::move(head.notes);
    source->bodies_ = head.bodies;
    source->usual_level_ = head.usual_level;
    source->is_closed = head.is_closed;
    source->frames_ = std::move(head.frames);
    source->frame_count_ = head.frame_count;
    source->level_changes_ = std::move(head.levels);
    if (!source->damage.empty()) source->complete_from_pages();
    return std::unique_ptr<RecordingSource>(std::move(source));
}

Result<void> OwnSqliteSource::prepare()
{
    if (!file_.prepare("SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data "
                       "NOT INDEXED WHERE rowid BETWEEN ? AND ? ORDER BY rowid",
                       by_place_)) {
        return file_.error();
    }
    has_index_ = file_.prepare(
        "SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data "
        "INDEXED BY frame_id_idx WHERE frame = ? ORDER BY id",
        by_index_);
    // Read only where there are bodies.
    (void)file_.prepare("SELECT body, x, y FROM sidestep_body_places WHERE frame = ? ORDER BY body",
                        body_places_);
    return {};
}

bool OwnSqliteSource::read_agents(SqliteStatement& rows, RecordedFrame& frame)
{
    frame.agents.clear();
    for (;;) {
        const auto step = rows.step();
        if (step == SqliteStatement::Step::done) return true;
        if (step == SqliteStatement::Step::failed) return false;
        const auto number = rows.integer(0), id = rows.integer(1);
        const auto x = rows.number(2), y = rows.number(3);
        const auto ori_x = rows.number(4), ori_y = rows.number(5);
        if (number != frame.number || !id || !x || !y || !ori_x || !ori_y) return false;
        if (!frame.agents.empty() && frame.agents.back().id >= *id) return false;
        frame.agents.push_back({*id, 0, {*x, *y}, {*ori_x, *ori_y}});
    }
}

bool OwnSqliteSource::read_bodies(RecordedFrame& frame)
{
    frame.bodies.clear();
    if (bodies_ == 0) return true;
    body_places_.reset();
    body_places_.bind(frame.number);
    while (body_places_.step() == SqliteStatement::Step::row) {
        const auto body = body_places_.integer(0);
        const auto x = body_places_.number(1), y = body_places_.number(2);
        if (body != static_cast<std::int64_t>(frame.bodies.size()) || !x || !y) break;
        frame.bodies.push_back({*x, *y});
    }
    return frame.bodies.size() == bodies_;
}

void OwnSqliteSource::set_levels(RecordedFrame& frame)
{
    for (RecordedAgent& agent : frame.agents) {
        const auto found = level_of_.find(agent.id);
        agent.level = found != level_of_.end() ? found->second : usual_level_;
    }
}

bool OwnSqliteSource::read_frame(const ListedFrame& listed, RecordedFrame& frame)
{
    frame.number = listed.number;
    if (!read_bodies(frame)) return false;
    const auto is_whole = [&](SqliteStatement& rows) {
        if (!read_agents(rows, frame)) return false;
        set_levels(frame);
        return hash_of(frame) == listed.hash;
    };
    if (listed.first_row) {
        by_place_.reset();
        by_place_.bind(*listed.first_row).bind(*listed.first_row + listed.rows - 1);
        if (is_whole(by_place_)) return true;
    }
    if (!has_index_) return false;
    by_index_.reset();
    by_index_.bind(listed.number);
    return is_whole(by_index_);
}

bool OwnSqliteSource::read_frame_from_pages(const ListedFrame& listed, RecordedFrame& frame)
{
    SqlitePages* found = pages();
    if (found == nullptr) return false;
    frame.number = listed.number;
    frame.agents = found->agents_of(listed.number);
    frame.bodies = found->bodies_of(listed.number, bodies_);
    set_levels(frame);
    return hash_of(frame) == listed.hash;
}

SqlitePages* OwnSqliteSource::pages()
{
    if (!log_.recovers()) return nullptr;
    if (!std::exchange(has_looked_at_pages_, true)) pages_ = SqlitePages::scan(file_.path());
    return pages_ ? &*pages_ : nullptr;
}

void OwnSqliteSource::complete_from_pages()
{
    const SqlitePages* found = pages();
    if (found == nullptr) return;
    std::vector<ListedFrame> all;
    std::set_union(frames_.begin(), frames_.end(), found->frames().begin(), found->frames().end(),
                   std::back_inserter(all),
                   [](const ListedFrame& a, const ListedFrame& b) { return a.number < b.number; });
    const auto same = [](const ListedFrame& a, const ListedFrame& b) {
        return a.number == b.number;
    };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    frames_ = std::move(all);
    if (found->levels().size() > level_changes_.size()) level_changes_ = found->levels();
}

void OwnSqliteSource::say_left_out()
{
    if (left_out_ == 0) return;
    const std::int64_t first = frames_[left_out_from_].number;
    const std::int64_t last = frames_[left_out_from_ + left_out_ - 1].number;
    log_.say(left_out_ == 1 ? fmt::format("frame {} is damaged; it is left out", first)
                            : fmt::format("frames {} to {} ({}) are damaged; they are left out",
                                          first, last, left_out_));
    missing_ += std::exchange(left_out_, 0);
}

/// After the last frame there must be nothing more.
Result<void> OwnSqliteSource::end()
{
    if (std::exchange(has_ended_, true)) return {};
    say_left_out();
    if (const auto text = missing_text(next_ - missing_, missing_, frame_count_)) log_.say(*text);
    if (!damage.empty()) return {};  // rows without a frame are no surprise then
    SqliteStatement last;
    if (!file_.prepare("SELECT max(rowid) FROM trajectory_data", last) ||
        last.step() != SqliteStatement::Step::row) {
        return log_.meet("the end of its rows cannot be read");
    }
    const std::int64_t rows = last.integer(0).value_or(0);
    const bool fits = frames_.empty()
                          ? rows == 0
                          : !frames_.back().first_row ||
                                rows <= *frames_.back().first_row + frames_.back().rows - 1;
    if (fits) return {};
    return log_.meet("it holds rows that belong to no frame");
}

Result<bool> OwnSqliteSource::next(RecordedFrame& frame)
{
    for (; next_ < frames_.size(); ++next_) {
        const ListedFrame& listed = frames_[next_];
        for (; next_change_ < level_changes_.size() &&
               level_changes_[next_change_].frame <= listed.number;
             ++next_change_) {
            level_of_[level_changes_[next_change_].id] = level_changes_[next_change_].level;
        }
        if (read_frame(listed, frame) || read_frame_from_pages(listed, frame)) {
            say_left_out();
            if (info.bodies.empty()) frame.bodies.clear();
            ++next_;
            return true;
        }
        if (!log_.recovers()) {
            return Error{ErrorCode::io,
                         fmt::format("{}: frame {} is damaged; {}{}", file_.path(), listed.number,
                                     whole_before(next_), kRecoverHint)};
        }
        if (left_out_++ == 0) left_out_from_ = next_;
    }
    if (auto done = end(); !done) return done.error();
    return false;
}

}  // namespace sidestep
