// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/sqlite_file.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <system_error>

namespace sidestep {
namespace {

/// How long a write waits for a reader that has locked the whole file [ms].
constexpr int kPatienceMs = 10'000;

Error to_error(const std::string& path, sqlite3* database)
{
    if (database == nullptr) return {ErrorCode::out_of_memory, path + ": out of memory"};
    const int code = sqlite3_errcode(database) & 0xff;
    if (code == SQLITE_NOMEM) return {ErrorCode::out_of_memory, path + ": out of memory"};
    if (code == SQLITE_FULL) {
        return {ErrorCode::io, path + ": no space is left on the disk"};
    }
    std::string cause = sqlite3_errmsg(database);
    const int system = sqlite3_system_errno(database);
    if (system != 0 && (code == SQLITE_IOERR || code == SQLITE_CANTOPEN)) {
        cause = std::generic_category().message(system);
    }
    return {ErrorCode::io, fmt::format("{}: cannot be written: {}", path, cause)};
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
    SqliteFile file(path, database);
    if (code != SQLITE_OK) return file.error();
    sqlite3_extended_result_codes(database, 1);
    sqlite3_busy_timeout(database, kPatienceMs);
    return file;
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

Error SqliteFile::error() const
{
    return to_error(path_, database_.get());
}

}  // namespace sidestep
