// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/sqlite_file.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace sidestep {
namespace {

/// How long a write waits for a reader that has locked the whole file [ms].
constexpr int kPatienceMs = 10'000;

// Bounds of what a file to read may ask for. None of our statements comes near them.
constexpr std::int64_t kMostBytesOfValue = 64 << 20;  ///< a floor plan, a scenario
constexpr std::int64_t kBytesOfValueAtLeast = 1 << 20;
constexpr int kMostBytesOfStatement = 100'000;
constexpr int kMostColumns = 100;
/// Steps of SQLite's machine between two looks at what is left.
constexpr int kStepsPerLook = 1 << 20;
/// A table whose pages lead in circles would be read for ever. Reading takes some ten steps for a
/// row of some ten bytes, more where rows must be sorted.
constexpr std::int64_t kLooksAtLeast = 64;
constexpr std::int64_t kBytesPerLook = kStepsPerLook / 64;

Error to_error(const std::string& path, sqlite3* database, const char* purpose)
{
    if (database == nullptr) return {ErrorCode::out_of_memory, path + ": out of memory"};
    const int code = sqlite3_errcode(database) & 0xff;
    std::string cause = sqlite3_errmsg(database);
    const int system = sqlite3_system_errno(database);
    switch (code) {
        case SQLITE_NOMEM: return {ErrorCode::out_of_memory, path + ": out of memory"};
        case SQLITE_FULL: return {ErrorCode::io, path + ": no space is left on the disk"};
        case SQLITE_NOTADB: return {ErrorCode::io, path + ": is not an SQLite file"};
        case SQLITE_CORRUPT: return {ErrorCode::io, fmt::format("{}: is damaged: {}", path, cause)};
        case SQLITE_INTERRUPT:
            return {ErrorCode::io, path + ": is damaged: its tables have no end"};
        case SQLITE_IOERR:
        case SQLITE_CANTOPEN:
            if (system != 0) cause = std::generic_category().message(system);
            break;
        default: break;
    }
    return {ErrorCode::io, fmt::format("{}: cannot be {}: {}", path, purpose, cause)};
}

}  // namespace

// ------------------------------------------------------------------------------------- statement

void SqliteStatement::Finalise::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

SqliteStatement& SqliteStatement::bind(std::int64_t value)
{
    bound_ = sqlite3_bind_int64(statement_.get(), next_++, value) == SQLITE_OK && bound_;
    return *this;
}

SqliteStatement& SqliteStatement::bind(double value)
{
    bound_ = sqlite3_bind_double(statement_.get(), next_++, value) == SQLITE_OK && bound_;
    return *this;
}

SqliteStatement& SqliteStatement::bind(std::string_view value)
{
    // An empty view may point nowhere, and nowhere would be stored as NULL.
    const char* text = value.empty() ? "" : value.data();
    bound_ = sqlite3_bind_text64(statement_.get(), next_++, text, value.size(), SQLITE_STATIC,
                                 SQLITE_UTF8) == SQLITE_OK &&
             bound_;
    return *this;
}

bool SqliteStatement::run()
{
    int code = SQLITE_ERROR;
    if (bound_) {
        do code = sqlite3_step(statement_.get());
        while (code == SQLITE_ROW);
        sqlite3_reset(statement_.get());
    }
    next_ = 1;
    bound_ = true;
    return code == SQLITE_DONE;
}

SqliteStatement::Step SqliteStatement::step()
{
    switch (bound_ ? sqlite3_step(statement_.get()) : SQLITE_ERROR) {
        case SQLITE_ROW: return Step::row;
        case SQLITE_DONE: return Step::done;
        default: return Step::failed;
    }
}

void SqliteStatement::reset()
{
    sqlite3_reset(statement_.get());
    next_ = 1;
    bound_ = true;
}

std::optional<std::int64_t> SqliteStatement::integer(int column) const
{
    if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER) return std::nullopt;
    return sqlite3_column_int64(statement_.get(), column);
}

std::optional<double> SqliteStatement::number(int column) const
{
    const int type = sqlite3_column_type(statement_.get(), column);
    if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) return std::nullopt;
    const double value = sqlite3_column_double(statement_.get(), column);
    if (!std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<std::string> SqliteStatement::text(int column) const
{
    if (sqlite3_column_type(statement_.get(), column) != SQLITE_TEXT) return std::nullopt;
    const auto* first =
        reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    if (first == nullptr) return std::nullopt;
    return std::string(first,
                       static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

bool SqliteStatement::is_null(int column) const
{
    return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

// ------------------------------------------------------------------------------------------ file

void SqliteFile::Close::operator()(sqlite3* database) const
{
    sqlite3_close_v2(database);
}

Result<SqliteFile> SqliteFile::open(const std::string& path)
{
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &database,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    SqliteFile file(path, database, "written");
    if (code != SQLITE_OK) return file.error();
    sqlite3_extended_result_codes(database, 1);
    sqlite3_busy_timeout(database, kPatienceMs);
    return file;
}

Result<SqliteFile> SqliteFile::open_to_read(const std::string& path, bool lenient)
{
    sqlite3* database = nullptr;
    // An absolute name is a name of a file, never that of a database in memory or an address.
    const int code = sqlite3_open_v2(std::filesystem::absolute(path).c_str(), &database,
                                     SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    SqliteFile file(path, database, "read");
    if (code != SQLITE_OK || !file.guard(lenient)) return file.error();
    return file;
}

/// After https://www.sqlite.org/security.html.
bool SqliteFile::guard(bool lenient)
{
    sqlite3* d = database_.get();
    sqlite3_extended_result_codes(d, 1);
    sqlite3_busy_timeout(d, kPatienceMs);
    sqlite3_db_config(d, SQLITE_DBCONFIG_DEFENSIVE, lenient ? 0 : 1, nullptr);
    sqlite3_db_config(d, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(d, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(d, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_limit(d, SQLITE_LIMIT_SQL_LENGTH, kMostBytesOfStatement);
    sqlite3_limit(d, SQLITE_LIMIT_COLUMN, kMostColumns);
    sqlite3_limit(d, SQLITE_LIMIT_EXPR_DEPTH, 20);
    sqlite3_limit(d, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(d, SQLITE_LIMIT_WORKER_THREADS, 0);

    std::error_code code;
    std::int64_t bytes = 0;
    for (const std::string& part : {path_, path_ + "-wal"}) {
        const auto size = std::filesystem::file_size(part, code);
        if (!code) bytes += static_cast<std::int64_t>(size);
    }
    // No value of a file is longer than it.
    sqlite3_limit(d, SQLITE_LIMIT_LENGTH,
                  static_cast<int>(std::clamp(bytes, kBytesOfValueAtLeast, kMostBytesOfValue)));
    work_left_ = std::make_unique<std::int64_t>(kLooksAtLeast + bytes / kBytesPerLook);
    const auto has_no_end = [](void* left) {
        return --*static_cast<std::int64_t*>(left) < 0 ? 1 : 0;
    };
    sqlite3_progress_handler(d, kStepsPerLook, has_no_end, work_left_.get());
    // Inside one transaction all statements see the same state.
    return execute("PRAGMA mmap_size=0; PRAGMA cell_size_check=ON;") &&
           (!lenient || execute("PRAGMA writable_schema=ON")) && execute("BEGIN");
}

bool SqliteFile::execute(const char* sql)
{
    return sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

bool SqliteFile::prepare(std::string_view sql, SqliteStatement& statement)
{
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &made, nullptr);
    statement.statement_.reset(made);
    return code == SQLITE_OK;
}

bool SqliteFile::is_damaged() const
{
    return (sqlite3_errcode(database_.get()) & 0xff) == SQLITE_CORRUPT;
}

Error SqliteFile::error() const
{
    return to_error(path_, database_.get(), purpose_);
}

}  // namespace sidestep
