// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
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

private:
    friend class SqliteFile;
    struct Finalise {
        void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalise> statement_;
    int next_ = 1;
    bool bound_ = true;  ///< every bind so far has succeeded
};

/// An SQLite file that is open for writing. Used by one thread at a time.
class SqliteFile {
public:
    /// Opens a file that exists (an empty one is an empty database).
    static Result<SqliteFile> open(const std::string& path);

    /// Runs statements that take no values and give no rows.
    bool execute(const char* sql);
    bool prepare(std::string_view sql, SqliteStatement& statement);
    /// What the last call that answered false met with, naming the file.
    Error error() const;
    const std::string& path() const { return path_; }

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    SqliteFile(std::string path, sqlite3* database) : path_(std::move(path)), database_(database) {}
    std::string path_;
    std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace sidestep
