// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>
#include <vector>

namespace sidestep::test {

/// All rows of a query, values separated by `|`. A file that is not there is made.
inline std::vector<std::string> query(const std::string& path, const std::string& sql)
{
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    sqlite3_busy_timeout(database,
                         60'000);  // a recorder may be writing, and a busy machine is slow
    sqlite3_exec(database, "PRAGMA synchronous=OFF", nullptr, nullptr, nullptr);
    std::vector<std::string> rows;
    const auto add = [](void* out, int columns, char** values, char**) {
        std::string row;
        for (int i = 0; i < columns; ++i) {
            if (i > 0) row += '|';
            row += values[i] != nullptr ? values[i] : "NULL";
        }
        static_cast<std::vector<std::string>*>(out)->push_back(row);
        return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add, &rows, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
    return rows;
}

inline std::string query_one(const std::string& path, const std::string& sql)
{
    const auto rows = query(path, sql);
    return rows.size() == 1 ? rows[0] : fmt::format("{} rows", rows.size());
}

}  // namespace sidestep::test
