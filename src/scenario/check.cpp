// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/limits.hpp"
#include "scenario/values.hpp"

namespace sidestep {
namespace {

const KeyInfo* find_row(std::span<const KeyInfo> keys, std::string_view name)
{
    for (const KeyInfo& row : keys) {
        if (row.name == name) return &row;
    }
    return nullptr;
}

std::string list_words(std::span<const std::string_view> words, std::string_view last)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
        text += words[i];
    }
    return text;
}

/// Later in the file; overrides come last of all.
bool comes_later(const toml::node& a, const toml::node& b)
{
    const toml::source_region& left = a.source();
    const toml::source_region& right = b.source();
    if ((left.path == nullptr) != (right.path == nullptr)) return left.path != nullptr;
    return right.begin < left.begin;
}

/// Keys that unknown ones are probably meant to be: these are not missed as well.
using Meant = std::vector<std::string_view>;

bool contains(const Meant& meant, std::string_view key)
{
    return std::find(meant.begin(), meant.end(), key) != meant.end();
}

void check_choice(const toml::table& table, const KeyChoice& choice, const TableContext& context,
                  const Meant& meant, ProblemList& problems)
{
    std::vector<std::string_view> present;
    const toml::node* second = nullptr;
    for (const std::string_view key : choice.keys) {
        const toml::node* node = table.get(key);
        if (node == nullptr) continue;
        present.push_back(key);
        if (second == nullptr || comes_later(*node, *second)) second = node;
    }
    if (present.size() > 1) {
        problems.add(*second, "one-of",
                     fmt::format("{} takes {} one of {}; it has {}", context.title,
                                 choice.required ? "exactly" : "at most",
                                 list_words(choice.keys, "and"), list_words(present, "and")),
                     "take out all but one");
    } else if (present.empty() && choice.required &&
               std::none_of(choice.keys.begin(), choice.keys.end(),
                            [&](std::string_view key) { return contains(meant, key); })) {
        problems.add(
            table, "missing-key",
            fmt::format("{} needs one of {}", context.title, list_words(choice.keys, "and")),
            fmt::format("see `sidestep help scenario {}`", context.topic));
    }
}

/// Returns the key that was probably meant, if one is near.
std::string_view report_unknown(const toml::key& key, std::span<const KeyInfo> keys,
                                const TableContext& context, ProblemList& problems)
{
    if (problems.full()) {
        problems.add(key.source(), "unknown-key", {});
        return {};
    }
    std::vector<std::string_view> names;
    for (const KeyInfo& row : keys) names.push_back(row.name);
    std::string hint = context.hint_unknown ? context.hint_unknown(key.str()) : std::string{};
    if (hint.empty()) hint = hint_names(key.str(), names, "keys here");
    problems.add(key.source(), "unknown-key",
                 fmt::format("unknown key {} in {}", quote(key.str()), context.title),
                 std::move(hint));
    return nearest_name(key.str(), names);
}

}  // namespace

void check_table(const toml::table& table, std::span<const KeyInfo> keys,
                 std::span<const KeyChoice> choices, const TableContext& context,
                 ProblemList& problems)
{
    Meant meant;
    for (const auto& [key, node] : table) {
        const KeyInfo* row = find_row(keys, key.str());
        if (row == nullptr) {
            meant.push_back(report_unknown(key, keys, context, problems));
        } else if (!check_value(node, *row, problems) && row->kind != ValueKind::table &&
                   row->kind != ValueKind::tables) {
            problems.mark(node);  // of tables within tables the wrong values are marked, not all
        }
    }
    for (const KeyInfo& row : keys) {
        if (!row.required || table.contains(row.name) || contains(meant, row.name)) continue;
        problems.add(table, "missing-key", fmt::format("{} needs '{}'", context.title, row.name),
                     row.example.empty() ? fmt::format("{}: {}", row.name, row.meaning)
                                         : fmt::format("for example `{} = {}`: {}", row.name,
                                                       row.example, row.meaning));
    }
    for (const KeyChoice& choice : choices) check_choice(table, choice, context, meant, problems);
}

namespace {

/// Checks what stands under the name of a table, in one of its three forms.
class TableCheck {
public:
    TableCheck(const TableInfo& table, ProblemList& problems) : table_(table), problems_(problems)
    {}

    void run(const toml::node& node)
    {
        switch (table_.form) {
            case TableInfo::Form::one: check_one(node); break;
            case TableInfo::Form::many: check_many(node); break;
            case TableInfo::Form::named: check_named(node); break;
            case TableInfo::Form::in_line: break;
        }
    }

private:
    void check_rows(const toml::table& rows, std::string title)
    {
        // The rows of these depend on the file: they are checked where it is known.
        for (const std::string_view own : {"layout", "profiles", "populations", "expect"}) {
            if (table_.name == own) return;
        }
        check_table(rows, table_.keys, table_.choices, {std::move(title), std::string(table_.name)},
                    problems_);
    }
    void fail(const toml::node& node, std::string_view what, std::string_view wanted)
    {
        problems_.add(node, "wrong-type",
                      fmt::format("{} must be {}, got {}", what, wanted, describe(node)),
                      fmt::format("see `sidestep help scenario {}`", table_.name));
    }
    bool are_few(std::size_t count, const toml::node& node)
    {
        if (count <= kMaxTables) return true;
        problems_.add(node, "too-many",
                      fmt::format("{} tables {}, at most {}", count, title_of(table_), kMaxTables));
        return false;
    }

    void check_one(const toml::node& node)
    {
        if (const toml::table* rows = node.as_table()) {
            check_rows(*rows, title_of(table_));
        } else {
            fail(node, table_.name, fmt::format("a table [{}]", table_.name));
        }
    }
    void check_many(const toml::node& node)
    {
        const toml::array* list = node.as_array();
        if (list == nullptr) {
            fail(node, table_.name, fmt::format("written [[{}]]", table_.name));
            return;
        }
        if (!are_few(list->size(), list->size() > kMaxTables ? *list->get(kMaxTables) : node)) {
            return;
        }
        for (const toml::node& item : *list) {
            if (const toml::table* rows = item.as_table()) {
                check_rows(*rows, title_of(table_));
            } else {
                fail(item, table_.name, "a list of tables");
            }
        }
    }
    void check_named(const toml::node& node)
    {
        const toml::table* map = node.as_table();
        if (map == nullptr) {
            fail(node, table_.name, fmt::format("a table of tables {}", title_of(table_)));
            return;
        }
        if (!are_few(map->size(), node)) return;
        for (const auto& [name, item] : *map) {
            const std::string shown = quote(name.str());
            const std::string path =
                fmt::format("{}.{}", table_.name, shown.substr(1, shown.size() - 2));
            if (const toml::table* rows = item.as_table()) {
                check_rows(*rows, fmt::format("[{}]", path));
            } else {
                fail(item, path, fmt::format("a table [{}]", path));
            }
        }
    }

    const TableInfo& table_;
    ProblemList& problems_;
};

void report_unknown_table(const toml::key& key, const toml::node& node,
                          const std::vector<std::string_view>& names, ProblemList& problems)
{
    if (problems.full()) {
        problems.add(key.source(), "unknown-key", {});
        return;
    }
    const bool of_world = find_row(scenario_table("world").keys, key.str()) != nullptr;
    problems.add(key.source(), "unknown-key",
                 fmt::format("unknown {} {} in the file", node.is_value() ? "key" : "table",
                             quote(key.str())),
                 of_world ? fmt::format("'{}' belongs in [world]", key.str())
                          : hint_names(key.str(), names, "tables and keys"));
}

}  // namespace

void check_document(const toml::table& root, ProblemList& problems)
{
    const KeyInfo& format = scenario_table("").keys[0];
    std::vector<std::string_view> names;
    for (const TableInfo& table : scenario_tables()) {
        if (!table.name.empty() && table.form != TableInfo::Form::in_line) {
            names.push_back(table.name);
        }
    }
    names.push_back(format.name);
    if (const toml::node* node = root.get(format.name)) {
        check_value(*node, format, problems);
    } else if (std::none_of(root.begin(), root.end(), [&](const auto& item) {
                   return nearest_name(item.first.str(), names) == format.name;
               })) {
        problems.add(TextPlace{1, 1}, "missing-key", "the file needs 'format = 1' on top",
                     "it says which version of the format this is");
    }
    for (const auto& [key, node] : root) {
        if (key.str() == format.name) continue;
        if (std::find(names.begin(), names.end(), key.str()) == names.end()) {
            report_unknown_table(key, node, names, problems);
        } else {
            TableCheck(scenario_table(key.str()), problems).run(node);
        }
    }
}

}  // namespace sidestep
