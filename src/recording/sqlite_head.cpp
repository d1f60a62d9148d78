// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/sqlite_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "recording/seal.hpp"
#include "recording/sqlite_tables.hpp"

namespace sidestep {
namespace {

/// Of trajectory_data: no file is as large.
constexpr std::int64_t kMostRows = std::int64_t{1} << 48;

template <class T>
std::optional<T> parse(std::string_view text)
{
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::uint16_t> to_level(std::optional<std::int64_t> value)
{
    if (!value || *value < 0 || *value > 0xffff) return std::nullopt;
    return static_cast<std::uint16_t>(*value);
}

/// Puts what is in an optional where it belongs; false: there is nothing.
template <class T, class U>
bool put(std::optional<T> value, U& into)
{
    if (value) into = *std::move(value);
    return value.has_value();
}

std::optional<std::vector<Vec2>> to_outline(const std::string& text)
{
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_array()) return std::nullopt;
    std::vector<Vec2> outline;
    for (const auto& corner : json) {
        if (!corner.is_array() || corner.size() != 2 || !corner[0].is_number() ||
            !corner[1].is_number()) {
            return std::nullopt;
        }
        outline.push_back({corner[0].get<double>(), corner[1].get<double>()});
    }
    return outline;
}

// ---------------------------------------------------------------------------------------- reading

/// The facts by what they are about.
struct Facts {
    std::optional<std::string> format, closed;
    std::optional<std::uint64_t> frames;  ///< none in files of earlier builds
    std::string scenario;
    std::vector<std::pair<std::uint16_t, std::int64_t>> levels;  ///< level, hash of its geometry
    RecordedFacts begin, end;
};

bool take_level(std::string_view key, std::string_view value, Facts& facts)
{
    key.remove_prefix(kLevelKey.size());
    if (!key.ends_with(kLevelKeyEnding)) return false;
    key.remove_suffix(kLevelKeyEnding.size());
    const auto level = parse<std::uint16_t>(key);
    const auto hash = parse<std::int64_t>(value);
    if (level && hash) facts.levels.emplace_back(*level, *hash);
    return level && hash;
}

bool take_fact(std::string key, std::string value, std::string_view part, Facts& facts)
{
    if (part == kFactsOfBegin) {
        facts.begin.emplace_back(std::move(key), std::move(value));
    } else if (part == kFactsOfEnd) {
        facts.end.emplace_back(std::move(key), std::move(value));
    } else if (part != kFactsOfFile) {
        return false;
    } else if (key == "format") {
        facts.format = std::move(value);
    } else if (key == "closed") {
        facts.closed = std::move(value);
    } else if (key == kFrameCountKey) {
        return put(parse<std::uint64_t>(value), facts.frames);
    } else if (key == "scenario") {
        facts.scenario = std::move(value);
    } else {
        return key.starts_with(kLevelKey) && take_level(key, value, facts);
    }
    return true;
}

Result<void> read_facts(SqliteFile& file, Facts& facts)
{
    return for_each_row(file, "SELECT rowid, key, value, part FROM sidestep_facts ORDER BY rowid",
                        [&](const SqliteStatement& row) {
                            auto key = row.text(1), value = row.text(2);
                            const auto part = row.text(3);
                            return key && value && part &&
                                   take_fact(*std::move(key), *std::move(value), *part, facts);
                        });
}

/// False where some outline is not there: that level has none then.
bool read_geometry(SqliteFile& file, const Facts& facts, RecordingInfo& info)
{
    SqliteStatement geometry;
    bool is_whole = file.prepare("SELECT wkt FROM geometry WHERE hash = ?", geometry);
    for (const auto& [level, hash] : facts.levels) {
        auto& wkt = info.levels.emplace_back(RecordingInfo::Level{level, ""}).wkt;
        if (hash == kOpenPlaneHash || !is_whole) continue;
        geometry.bind(hash);
        is_whole = geometry.step() == SqliteStatement::Step::row && put(geometry.text(0), wkt);
        geometry.reset();
    }
    return is_whole;
}

Result<void> read_places(SqliteFile& file, std::vector<RecordingInfo::Place>& places)
{
    return for_each_row(file,
                        "SELECT rowid, name, kind, level, wkt FROM sidestep_places ORDER BY rowid",
                        [&](const SqliteStatement& row) {
                            RecordingInfo::Place p;
                            if (!put(row.text(1), p.name) || !put(row.text(2), p.kind) ||
                                !put(to_level(row.integer(3)), p.level) || !put(row.text(4), p.wkt))
                                return false;
                            places.push_back(std::move(p));
                            return true;
                        });
}

Result<void> read_bodies(SqliteFile& file, std::vector<RecordingInfo::Body>& bodies)
{
    return for_each_row(
        file, "SELECT body, name, level, radius, outline FROM sidestep_bodies ORDER BY body",
        [&](const SqliteStatement& row) {
            RecordingInfo::Body b;
            const auto outline = row.text(4);
            if (!put(row.text(1), b.name) || !put(to_level(row.integer(2)), b.level) ||
                !put(row.number(3), b.radius) || !outline || !put(to_outline(*outline), b.outline))
                return false;
            bodies.push_back(std::move(b));
            return true;
        });
}

Result<void> read_events(SqliteFile& file, std::vector<RecordedEvent>& events)
{
    return for_each_row(file, "SELECT rowid, time, kind, text FROM sidestep_events ORDER BY rowid",
                        [&](const SqliteStatement& row) {
                            auto& e = events.emplace_back();
                            return put(row.number(1), e.time) && put(row.text(2), e.kind) &&
                                   put(row.text(3), e.text);
                        });
}

Result<void> read_walkers(SqliteFile& file, std::vector<RecordedWalker>& walkers)
{
    return for_each_row(file,
                        "SELECT rowid, id, radius, preferred_speed, group_name, profile, model "
                        "FROM sidestep_walkers ORDER BY rowid",
                        [&](const SqliteStatement& row) {
                            auto& w = walkers.emplace_back();
                            return put(row.integer(1), w.id) && put(row.number(2), w.radius) &&
                                   put(row.number(3), w.preferred_speed) &&
                                   put(row.text(4), w.group) && put(row.text(5), w.profile) &&
                                   put(row.text(6), w.model);
                        });
}

Result<void> read_ends(SqliteFile& file, std::vector<RecordedEnd>& ends)
{
    return for_each_row(file,
                        "SELECT rowid, id, time, kind, place, set_off, shortest_way, is_arrival "
                        "FROM sidestep_ends ORDER BY rowid",
                        [&](const SqliteStatement& row) {
                            auto& e = ends.emplace_back();
                            const auto arrival = row.integer(7);
                            e.is_arrival = arrival == 1;
                            return arrival && put(row.integer(1), e.id) &&
                                   put(row.number(2), e.time) && put(row.text(3), e.kind) &&
                                   put(row.text(4), e.place) && put(row.number(5), e.set_off) &&
                                   put(row.number(6), e.shortest_way);
                        });
}

Result<void> read_levels(SqliteFile& file, std::vector<LevelChange>& levels)
{
    auto done =
        for_each_row(file, "SELECT rowid, frame, id, level FROM sidestep_levels ORDER BY rowid",
                     [&](const SqliteStatement& row) {
                         LevelChange l;
                         if (!put(row.integer(1), l.frame) || !put(row.integer(2), l.id) ||
                             !put(to_level(row.integer(3)), l.level))
                             return false;
                         levels.push_back(l);
                         return true;
                     });
    std::stable_sort(levels.begin(), levels.end(),
                     [](const LevelChange& a, const LevelChange& b) { return a.frame < b.frame; });
    return done;
}

/// The list of frames, as far as it can be read.
Result<void> read_frames(SqliteFile& file, std::vector<ListedFrame>& frames)
{
    std::int64_t next_row = 1;
    return for_each_row(file, "SELECT frame, rows, xxh3 FROM sidestep_frames ORDER BY frame",
                        [&](const SqliteStatement& row) {
                            const auto rows = row.integer(1);
                            const auto text = row.text(2);
                            const auto hash = text ? hash_from_text(*text) : std::nullopt;
                            if (!hash || !rows || *rows < 0 || *rows > kMostRows - next_row)
                                return false;
                            frames.push_back({*row.integer(0), *hash, *rows, next_row});
                            next_row += *rows;
                            return true;
                        });
}

// --------------------------------------------------------------------------------------- checking

/// Compares the parts of a file with the hashes that were written with them.
class SealCheck {
public:
    SealCheck(SqliteFile& file, DamageLog& damage, SqliteHead& head)
        : file_(file), damage_(damage), head_(head)
    {}

    Result<void> run()
    {
        auto done =
            for_each_row(file_, "SELECT rowid, part, xxh3 FROM sidestep_seal ORDER BY rowid",
                         [&](const SqliteStatement& row) {
                             const auto part = row.text(1), hash = row.text(2);
                             return part && hash && put(hash_from_text(*hash), stored_[*part]);
                         });
        if (!done) done = damage_.meet("its hashes cannot be read");
        if (done) done = check_head();
        if (done) done = check_notes();
        if (done) done = check_frames();
        return done;
    }

private:
    bool is_right(Seal::Part part) const
    {
        const auto found = stored_.find(Seal::kNames[part]);
        return found != stored_.end() && found->second == seal_.digest(part);
    }

    Result<void> check_head()
    {
        Facts facts;
        RecordingInfo& info = head_.info;
        const auto fps = read_fps(file_);
        const bool could_read = read_facts(file_, facts).has_value();
        if (could_read && facts.format && facts.format != kSqliteFormat) {
            return Error{
                ErrorCode::unsupported,
                fmt::format("{}: has format {} of Sidestep's tables, and this version reads "
                            "{}",
                            file_.path(), *facts.format, kSqliteFormat)};
        }
        info.fps = fps.value_or(0.0);
        info.scenario_text = std::move(facts.scenario);
        info.facts = std::move(facts.begin);
        const bool has_geometry = read_geometry(file_, facts, info);
        const bool has_places = read_places(file_, info.places).has_value();
        const bool has_bodies = read_bodies(file_, info.bodies).has_value();
        seal_.add(info);
        head_.bodies = info.bodies.size();
        head_.frame_count = facts.frames;
        if (info.levels.size() == 1) head_.usual_level = info.levels.front().level;
        const bool is_whole = could_read && fps && facts.format && has_geometry && has_places &&
                              has_bodies && is_right(Seal::head);
        auto done = is_whole ? Result<void>() : leave_head_out();
        return done ? check_last_facts(facts) : done;
    }

    Result<void> leave_head_out()
    {
        auto done = damage_.meet(
            "what it says of itself is not what was written (frames per second, floor plan, "
            "places, bodies, scenario, facts)",
            "; it is left out");
        if (!done) return done;
        if (!head_.asked_fps) {
            return Error{
                ErrorCode::io,
                fmt::format("{}: is damaged: its frames per second are not what was written\n"
                            "hint: --fps N says how many make a second",
                            file_.path())};
        }
        head_.info = {};
        head_.info.fps = *head_.asked_fps;
        return {};
    }

    Result<void> check_last_facts(const Facts& facts)
    {
        const bool is_closed = facts.closed == "yes";
        head_.is_closed = facts.closed != "no";
        if (is_closed) seal_.add(facts.end);
        if (!is_right(Seal::facts) || (!is_closed && (facts.closed != "no" || !facts.end.empty())))
            return damage_.meet("the facts of its end are not what was written",
                                "; they are left out");
        head_.info.facts.insert(head_.info.facts.end(), facts.end.begin(), facts.end.end());
        return {};
    }

    template <class Notes, class Read>
    Result<void> check_part(Seal::Part part, Notes& notes, Read read)
    {
        const bool could_read = read(file_, notes).has_value();
        if (could_read) {
            for (const auto& note : notes) seal_.add(note);
        }
        if (could_read && is_right(part)) return {};
        notes.clear();
        return damage_.meet(fmt::format("its {} are not what was written", Seal::kNames[part]),
                            "; they are left out");
    }

    Result<void> check_notes()
    {
        auto done = check_part(Seal::events, head_.notes.events, read_events);
        if (done) done = check_part(Seal::walkers, head_.notes.walkers, read_walkers);
        if (done) done = check_part(Seal::ends, head_.notes.ends, read_ends);
        return done;
    }

    Result<void> check_frames()
    {
        const bool knows_levels = read_levels(file_, head_.levels).has_value();
        if (!knows_levels) {
            if (auto done = damage_.meet("who is on which level cannot be read"); !done)
                return done;
        }
        const bool could_read = read_frames(file_, head_.frames).has_value();
        for (const ListedFrame& frame : head_.frames) seal_.add_frame(frame.hash);
        const std::uint64_t listed = head_.frames.size();
        if (!could_read || !is_right(Seal::frames)) {
            // A count that is less than what is there was damaged, too.
            if (head_.frame_count < listed) head_.frame_count.reset();
            return damage_.meet("its list of frames is not what was written");
        }
        const std::uint64_t count = std::exchange(head_.frame_count, listed).value_or(listed);
        if (count == listed) return {};
        return damage_.meet(
            fmt::format("it says that it has {} frames, and lists {}", count, listed));
    }

    SqliteFile& file_;
    DamageLog& damage_;
    SqliteHead& head_;
    Seal seal_;
    std::map<std::string, std::uint64_t, std::less<>> stored_;
};

}  // namespace

std::optional<std::string> read_metadata(SqliteFile& file, std::string_view key)
{
    SqliteStatement value;
    if (!file.prepare("SELECT CAST(value AS TEXT) FROM metadata WHERE key = ?", value)) {
        return std::nullopt;
    }
    value.bind(key);
    if (value.step() != SqliteStatement::Step::row) return std::nullopt;
    return value.text(0);
}

std::optional<double> read_fps(SqliteFile& file)
{
    const auto text = read_metadata(file, "fps");
    const auto fps = text ? parse<double>(*text) : std::nullopt;
    if (!fps || !(*fps > 0.0) || !std::isfinite(*fps)) return std::nullopt;
    return fps;
}

Result<void> read_head(SqliteFile& file, DamageLog& damage, SqliteHead& head)
{
    return SealCheck(file, damage, head).run();
}

}  // namespace sidestep
