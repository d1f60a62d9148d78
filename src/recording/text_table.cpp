// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "recording/text_columns.hpp"
#include "recording/text_lines.hpp"
#include "recording/text_numbers.hpp"
#include "recording/text_remark.hpp"
#include "recording/text_rows.hpp"

namespace sidestep {
namespace {

constexpr std::string_view kColumnsHint =
    "--columns says what is what, for example frame,id,x,-,y; - passes one over";

/// Rows without names are taken for id, frame, x, y and perhaps z; with more they are others.
constexpr std::size_t kUsualColumns = 5;

/// The number behind `word` in a comment: `framerate: 16 fps`, `fps = 25`.
std::optional<double> number_behind(std::string_view comment, std::string_view word)
{
    std::size_t at = comment.find(word);
    if (at == std::string_view::npos) return std::nullopt;
    at = comment.find_first_not_of(" \t:=", at + word.size());
    if (at == std::string_view::npos) return std::nullopt;
    double value = 0.0;
    const auto error =
        std::from_chars(comment.data() + at, comment.data() + comment.size(), value).ec;
    return error == std::errc{} ? std::optional(value) : std::nullopt;
}

/// The unit in a comment such as "positions in cm"; words like "in motion" are none.
std::optional<double> unit_in(std::string_view comment)
{
    for (std::size_t at = comment.find("in "); at != std::string_view::npos;
         at = comment.find("in ", at + 1)) {
        if (at > 0 && comment[at - 1] >= 'a' && comment[at - 1] <= 'z') continue;
        const std::string_view rest = trim(comment.substr(at + 3));
        const std::size_t end = rest.find_first_of(" \t,.;:)]");
        if (const auto unit = metres_of(rest.substr(0, end))) return unit;
    }
    return std::nullopt;
}

class Table {
public:
    Table(TextLines lines, const RecordingReadOptions& options, std::string_view usual)
        : lines_(std::move(lines)), options_(options), usual_(usual)
    {
        rows_.path = lines_.path();
    }

    Result<CollectedRows> read()
    {
        for (;;) {
            std::string_view line;
            const auto got = lines_.next(line);
            if (!got) return got.error();
            if (!*got) break;
            if (auto error = take(trim(line))) return *std::move(error);
        }
        if (rows_.rows.empty()) return text_error(lines_.path(), "there are no rows in it");
        if (!rows_.fps) rows_.fps = options_.fps;
        if (!columns_->frame) {
            if (auto numbered = number_frames(rows_); !numbered) return numbered.error();
        }
        if (!rows_.fps) {
            return text_error(lines_.path(), "does not say how many frames make a second",
                              "say it with --fps");
        }
        if (auto sorted = sort_rows(rows_); !sorted) return sorted.error();
        return std::move(rows_);
    }

private:
    Error error_here(std::string_view message, std::string_view hint = {}) const
    {
        return text_error(lines_.path(), lines_.number(), message, hint);
    }

    std::optional<Error> take(std::string_view line)
    {
        if (line.empty()) return std::nullopt;
        if (kCommentRemark.begins(line)) {
            return error_here("a line of Sidestep's in a file that does not begin with one",
                              "the file was cut or put together; without these lines it is read "
                              "as any other");
        }
        if (line.front() == '#') return take_comment(trim(line.substr(1)));
        if (!columns_) {
            bool is_row = true;
            if (auto error = find_columns(line, is_row)) return error;
            if (!is_row) return std::nullopt;
        }
        return take_row(line);
    }

    std::optional<Error> take_comment(std::string_view text)
    {
        if (columns_) return std::nullopt;  // what follows rows explains nothing any more
        const std::string comment = to_lower(text);
        for (const std::string_view word : {"framerate", "frame rate", "fps"}) {
            if (rows_.fps) break;
            rows_.fps = number_behind(comment, word);
        }
        if (rows_.fps && !(*rows_.fps > 0.0 && std::isfinite(*rows_.fps))) {
            return error_here(fmt::format("frames per second must be > 0, got {}", *rows_.fps));
        }
        if (const auto unit = unit_in(comment)) comment_unit_ = *unit;
        if (auto columns = TableColumns::from_line(text)) named_ = *columns;
        return std::nullopt;
    }

    /// From the first line that is no comment. Rows of names are no rows.
    std::optional<Error> find_columns(std::string_view line, bool& is_row)
    {
        separator_ = Separator::of(line);
        separator_.split(line, std::numeric_limits<std::size_t>::max(), fields_);
        const bool has_numbers = std::any_of(fields_.begin(), fields_.end(),
                                             [](auto field) { return to_real(field).has_value(); });
        is_row = has_numbers;
        if (!options_.columns.empty()) {
            const std::vector<std::string_view> names(options_.columns.begin(),
                                                      options_.columns.end());
            columns_ = TableColumns::from_names(names);
        } else if (!has_numbers) {
            columns_ = TableColumns::from_names(fields_);
        } else if (named_) {
            columns_ = named_;
        } else if (!usual_.empty() && fields_.size() <= kUsualColumns) {
            columns_ = TableColumns::from_line(usual_);
        } else {
            return error_here(
                fmt::format("{} columns, and no line above says what they are", fields_.size()),
                kColumnsHint);
        }
        if (!columns_->is_complete()) {
            return error_here(fmt::format("no column is called {}", columns_->missing()),
                              kColumnsHint);
        }
        const double said = columns_->length_unit > 0.0 ? columns_->length_unit : comment_unit_;
        unit_ = options_.unit.value_or(said);
        count_ = columns_->count();
        return std::nullopt;
    }

    std::optional<Error> take_row(std::string_view line)
    {
        separator_.split(line, count_, fields_);
        if (fields_.size() < count_) {
            return error_here(
                fmt::format("{} columns where there should be at least {}", fields_.size(), count_),
                kColumnsHint);
        }
        CollectedRow row;
        row.line = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(lines_.number(), std::numeric_limits<std::uint32_t>::max()));
        std::optional<Error> error;
        const auto whole = [&](std::size_t column) { return take_whole(column, error); };
        const auto real = [&](std::size_t column, double unit) {
            return take_real(column, unit, error);
        };
        row.id = whole(*columns_->id);
        if (columns_->frame) {
            row.frame = whole(*columns_->frame);
        } else {
            rows_.times.push_back(real(*columns_->time, columns_->time_unit));
        }
        row.x = real(*columns_->x, unit_);
        row.y = real(*columns_->y, unit_);
        if (columns_->level) {
            const std::int64_t level = whole(*columns_->level);
            if (level < 0 || level > std::numeric_limits<std::uint16_t>::max()) {
                return error_here(fmt::format("there is no level {}", level));
            }
            row.level = static_cast<std::uint16_t>(level);
        }
        rows_.rows.push_back(row);
        return error;
    }

    std::int64_t take_whole(std::size_t column, std::optional<Error>& error) const
    {
        const auto value = to_whole(fields_[column]);
        if (!value && !error) error = no_number(column, "whole ");
        return value.value_or(0);
    }

    double take_real(std::size_t column, double unit, std::optional<Error>& error) const
    {
        const double value = scaled(
            to_real(fields_[column]).value_or(std::numeric_limits<double>::quiet_NaN()), unit);
        if (!std::isfinite(value) && !error) error = no_number(column, "");
        return value;
    }

    Error no_number(std::size_t column, std::string_view kind) const
    {
        constexpr std::size_t kShown = 40;
        return error_here(fmt::format("column {}: '{}' is no {}number", column + 1,
                                      fields_[column].substr(0, kShown), kind),
                          kColumnsHint);
    }

    TextLines lines_;
    const RecordingReadOptions& options_;
    std::string_view usual_;
    double comment_unit_ = 1.0;
    std::optional<TableColumns> named_;    ///< by a comment
    std::optional<TableColumns> columns_;  ///< known from the first row on
    Separator separator_;
    double unit_ = 1.0;
    std::size_t count_ = 0;
    std::vector<std::string_view> fields_;
    CollectedRows rows_;
};

}  // namespace

Result<std::unique_ptr<RecordingSource>> open_table(const std::string& path,
                                                    const RecordingReadOptions& options,
                                                    std::string_view usual)
{
    auto lines = TextLines::open(path, kCommentRemark.begin);
    if (!lines) return lines.error();
    auto rows = Table(*std::move(lines), options, usual).read();
    if (!rows) return rows.error();
    return open_rows(*std::move(rows));
}

}  // namespace sidestep
