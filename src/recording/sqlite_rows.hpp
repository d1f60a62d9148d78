// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recording/sqlite_file.hpp"
#include "sidestep/result.hpp"

namespace sidestep {

/// Calls `take(statement)` for each row of "SELECT rowid, ... ORDER BY rowid". An Error where the
/// file cannot be read or `take` answers false: that is not what belongs there.
template <class Take>
Result<void> for_each_row(SqliteFile& file, std::string_view sql, Take take)
{
    SqliteStatement rows;
    if (!file.prepare(sql, rows)) return file.error();
    std::optional<std::int64_t> last;
    for (;;) {
        const auto step = rows.step();
        if (step == SqliteStatement::Step::done) return {};
        if (step == SqliteStatement::Step::failed) return file.error();
        const auto row = rows.integer(0);
        // Pages that lead in circles come back to earlier rows.
        if (!row || (last && *row <= *last) || !take(rows)) {
            return Error{
                ErrorCode::io,
                fmt::format("{}: is damaged: a row is not what it should be", file.path())};
        }
        last = row;
    }
}

/// The last line of an Error that says that a file is damaged.
inline constexpr std::string_view kRecoverHint = "\nhint: --recover takes what is whole of it";

/// Damage met while reading: refused, or said and passed over.
class DamageLog {
public:
    DamageLog(std::string path, bool recover, std::vector<std::string>& said)
        : path_(std::move(path)), recover_(recover), said_(said)
    {}

    bool recovers() const { return recover_; }
    /// An Error unless damage is to be passed over. `what` is a sentence without the name of the
    /// file; `then` says what passing over does.
    Result<void> meet(std::string_view what, std::string_view then = {})
    {
        if (!recover_) {
            return Error{ErrorCode::io,
                         fmt::format("{}: is damaged: {}{}", path_, what, kRecoverHint)};
        }
        say(fmt::format("{}{}", what, then));
        return {};
    }
    void say(std::string_view what) { said_.push_back(fmt::format("{}: {}", path_, what)); }

private:
    std::string path_;
    bool recover_;
    std::vector<std::string>& said_;
};

}  // namespace sidestep
