// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "recording/sqlite_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "recording/sqlite_file.hpp"
#include "recording/sqlite_foreign_source.hpp"
#include "recording/sqlite_head.hpp"
#include "recording/sqlite_own_source.hpp"
#include "recording/sqlite_tables.hpp"

namespace sidestep {
namespace {

using Objects = std::map<std::string, std::string>;  // name -> table, view, index, trigger, ...

Result<Objects> read_objects(SqliteFile& file)
{
    SqliteStatement rows;
    if (!file.prepare("SELECT lower(name), CASE WHEN type <> 'table' THEN type "
                      "WHEN sql LIKE 'CREATE TABLE%' THEN type ELSE 'virtual table' END "
                      "FROM sqlite_schema",
                      rows)) {
        return file.error();
    }
    Objects objects;
    for (;;) {
        const auto step = rows.step();
        if (step == SqliteStatement::Step::done) return objects;
        if (step == SqliteStatement::Step::failed) return file.error();
        auto name = rows.text(0), type = rows.text(1);
        if (name && type) objects[*std::move(name)] = *std::move(type);
    }
}

bool has_table(const Objects& objects, std::string_view name)
{
    const auto found = objects.find(std::string(name));
    return found != objects.end() && found->second == "table";
}

/// Whether Sidestep wrote it: then all its tables must be there.
bool is_ours(const Objects& objects)
{
    return std::any_of(objects.begin(), objects.end(),
                       [](const auto& object) { return object.first.starts_with(kOwnPrefix); });
}

bool is_known(std::string_view name)
{
    return std::find(kSharedTables.begin(), kSharedTables.end(), name) != kSharedTables.end() ||
           std::find(kOwnTables.begin(), kOwnTables.end(), name) != kOwnTables.end();
}

/// Whether some column is not kept but worked out when it is read.
bool has_generated_columns(SqliteFile& file, std::string_view table)
{
    SqliteStatement column;
    if (!file.prepare("SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0", column)) return true;
    column.bind(table);
    return column.step() == SqliteStatement::Step::row;
}

std::optional<Error> find_fault(SqliteFile& file, const Objects& objects)
{
    // What has the name of a table is read as one; anything else, and columns that are worked out,
    // would run statements of a stranger.
    const std::string& path = file.path();
    for (const auto& [name, type] : objects) {
        if (!is_known(name)) continue;
        if (type != "table") {
            return Error{ErrorCode::unsupported,
                         fmt::format("{}: {} should be a table, and is a {}", path, name, type)};
        }
        if (has_generated_columns(file, name)) {
            return Error{
                ErrorCode::unsupported,
                fmt::format("{}: {} has generated columns, and these are not read", path, name)};
        }
    }
    for (const char* name : {"trajectory_data", "metadata"}) {
        if (has_table(objects, name)) continue;
        return Error{ErrorCode::io, fmt::format("{}: is an SQLite file but no recording: it has no "
                                                "table {}",
                                                path, name)};
    }
    return std::nullopt;
}

Result<void> check_own_tables(const Objects& objects, DamageLog& damage)
{
    for (const std::string_view name : kOwnTables) {
        if (has_table(objects, name)) continue;
        if (auto done = damage.meet(fmt::format("it has no table {}", name)); !done) return done;
    }
    return {};
}

}  // namespace

Result<std::unique_ptr<RecordingSource>> open_sqlite(const std::string& path,
                                                     const RecordingReadOptions& options)
{
    // As strictly as it goes first: a whole file is read the same way whether or not one would take
    // less.
    auto file = SqliteFile::open_to_read(path, false);
    auto objects = file ? read_objects(*file) : Result<Objects>(file.error());
    if (!objects && options.recover) {
        file = SqliteFile::open_to_read(path, true);
        objects = file ? read_objects(*file) : Result<Objects>(file.error());
    }
    if (!objects) {
        Error error = objects.error();
        if (!options.recover && file && file->is_damaged()) error.message += kRecoverHint;
        return error;
    }
    if (auto fault = find_fault(*file, *objects)) return *std::move(fault);
    if (!is_ours(*objects)) return ForeignSqliteSource::open(*std::move(file), options);

    std::vector<std::string> said;
    DamageLog damage(path, options.recover, said);
    if (auto done = check_own_tables(*objects, damage); !done) return done.error();
    auto source = OwnSqliteSource::open(*std::move(file), options);
    if (!source) return source.error();
    auto& damage_of_source = (*source)->damage;
    damage_of_source.insert(damage_of_source.begin(), said.begin(), said.end());
    return source;
}

}  // namespace sidestep
