// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sidestep/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace sidestep {

/// A prepared statement; values are bound from the first placeholder on.
class SqliteStatement {
public:
    SqliteStatement() = default;

    SqliteStatement& bind(std::int64_t value);
    SqliteStatement& bind(double value);
    /// The text must live until `run` returns.
    SqliteStatement& bind(std::string_view value);
    /// Runs it with the values bound and makes it ready for the next ones. False: see
    /// SqliteFile::error().
    bool run();

    enum class Step : std::uint8_t { row, done, failed };
    /// To the next row.
    Step step();
    /// Ends reading; ready for other values.
    void reset();
    // The columns of a row, from 0 on. None: the value is of another kind.
    std::optional<std::int64_t> integer(int column) const;
    std::optional<double> number(int column) const;  ///< finite
    std::optional<std::string> text(int column) const;
    bool is_null(int column) const;

private:
    friend class SqliteFile;
    struct Finalise {
        void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalise> statement_;
    int next_ = 1;
    bool bound_ = true;  ///< every bind so far has succeeded
};

/// An SQLite file that is open. Used by one thread at a time.
class SqliteFile {
public:
    /// Opens a file that exists for writing (an empty one is an empty database).
    static Result<SqliteFile> open(const std::string& path);
    /// Opens a file that nobody vouches for, and never changes it: what it holds is data, not
    /// statements to run. All is read as it was at this moment, whoever writes meanwhile.
    /// `lenient`: also where it is shorter than it says, or some of its tables make no sense.
    static Result<SqliteFile> open_to_read(const std::string& path, bool lenient);

    /// Runs statements that take no values and give no rows.
    bool execute(const char* sql);
    bool prepare(std::string_view sql, SqliteStatement& statement);
    /// What the last call that answered false met with, naming the file.
    Error error() const;
    /// Whether that was damage.
    bool is_damaged() const;
    const std::string& path() const { return path_; }

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    SqliteFile(std::string path, sqlite3* database, const char* purpose)
        : path_(std::move(path)), purpose_(purpose), database_(database)
    {}
    bool guard(bool lenient);
    std::string path_;
    const char* purpose_;                       ///< "written" or "read"
    std::unique_ptr<std::int64_t> work_left_;   ///< of reading; see `guard`
    std::unique_ptr<sqlite3, Close> database_;  ///< last: closed before what it uses goes
};

}  // namespace sidestep
