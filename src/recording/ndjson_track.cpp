// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/ndjson_track.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "recording/text_columns.hpp"
#include "recording/text_numbers.hpp"

namespace sidestep {
namespace {

using Json = nlohmann::json;

/// The parts of a track as they come; none: not there, or nothing that it can be.
struct Track {
    std::optional<std::int64_t> frame, id;
    std::optional<double> x, y;
    std::optional<std::int64_t> level = 0;  ///< 0 where the track has none

    bool to_row(TextRow& row) const
    {
        if (!frame || !id || !x || !y || !level || !std::isfinite(*x) || !std::isfinite(*y) ||
            *level < 0 || *level > std::numeric_limits<std::uint16_t>::max()) {
            return false;
        }
        row.frame = *frame;
        row.agent = {*id, static_cast<std::uint16_t>(*level), {*x, *y}, {}};
        return true;
    }
};

/// Walks along a line; what is not as simple as a track usually is makes it fail.
class Cursor {
public:
    explicit Cursor(std::string_view text) : text_(text) {}

    bool skip(char sign)
    {
        skip_blanks();
        if (!text_.starts_with(sign)) return false;
        text_.remove_prefix(1);
        return true;
    }
    /// A name without escapes, and the colon.
    bool key(std::string_view& name)
    {
        if (!skip('"')) return false;
        const std::size_t end = text_.find('"');
        if (end == std::string_view::npos) return false;
        name = text_.substr(0, end);
        text_.remove_prefix(end + 1);
        return name.find('\\') == std::string_view::npos && skip(':');
    }
    bool number(std::string_view& digits)
    {
        skip_blanks();
        const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE"), text_.size());
        digits = text_.substr(0, end);
        text_.remove_prefix(end);
        return end > 0;
    }
    bool at_end()
    {
        skip_blanks();
        return text_.empty();
    }

private:
    void skip_blanks()
    {
        while (text_.starts_with(' ') || text_.starts_with('\t')) text_.remove_prefix(1);
    }
    std::string_view text_;
};

/// Most lines of a file, ten times as fast as any JSON. False: leave it to that.
bool read_simple_track(std::string_view line, TextRow& row)
{
    Cursor cursor(line);
    std::string_view name, digits;
    if (!cursor.skip('{') || !cursor.key(name) || name != "track" || !cursor.skip('{')) {
        return false;
    }
    Track track;
    do {
        if (!cursor.key(name) || !cursor.number(digits)) return false;
        if (name == "f") {
            track.frame = to_whole(digits);
        } else if (name == "p") {
            track.id = to_whole(digits);
        } else if (name == "x") {
            track.x = to_real(digits);
        } else if (name == "y") {
            track.y = to_real(digits);
        } else if (name == "level") {
            track.level = to_whole(digits);
        }
    } while (cursor.skip(','));
    return cursor.skip('}') && cursor.skip('}') && cursor.at_end() && track.to_row(row);
}

std::optional<std::int64_t> whole_of(const Json& j, const char* key)
{
    if (!j.contains(key) || !j.at(key).is_number()) return std::nullopt;
    return to_whole(j.at(key).dump());  // none where it is too large
}

std::optional<double> real_of(const Json& j, const char* key)
{
    if (!j.contains(key) || !j.at(key).is_number()) return std::nullopt;
    return j.at(key).get<double>();
}

}  // namespace

TrajnetLine read_trajnet_line(std::string_view line)
{
    TrajnetLine result;
    if (read_simple_track(line, result.row)) {
        result.kind = TrajnetLine::track;
        return result;
    }
    const Json j = Json::parse(line, nullptr, false);
    if (!j.is_object()) return result;
    if (j.contains("track") && j.at("track").is_object()) {
        const Json& t = j.at("track");
        Track track{whole_of(t, "f"), whole_of(t, "p"), real_of(t, "x"), real_of(t, "y")};
        if (t.contains("level")) track.level = whole_of(t, "level");
        if (track.to_row(result.row)) result.kind = TrajnetLine::track;
    } else if (j.contains("scene") && j.at("scene").is_object()) {
        result.kind = TrajnetLine::scene;
        result.fps = real_of(j.at("scene"), "fps");
    } else {
        result.kind = TrajnetLine::other;
    }
    return result;
}

}  // namespace sidestep
