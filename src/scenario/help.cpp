// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "scenario/help_rows.hpp"
#include "scenario/layout.hpp"

// The format for a terminal: `sidestep help scenario [TABLE]`.

namespace sidestep {
namespace {

constexpr std::string_view kIntroduction =
    "A scenario is a TOML file. Units are SI: metres, seconds, metres per second; x points right, "
    "y up,\n"
    "and angles (keys that end in _deg) are degrees counter-clockwise from +x.\n"
    "\n"
    "The smallest useful one:\n"
    "\n";

std::string indent(std::string_view text)
{
    std::string out;
    char last = '\n';
    for (const char c : text) {
        if (last == '\n' && c != '\n') out += "  ";
        out += c;
        last = c;
    }
    return out;
}

/// Rows in columns: name, what it is, default; meaning and example below.
std::string list_rows(std::span<const HelpRow> rows)
{
    std::size_t width = 0;
    for (const HelpRow& row : rows) width = std::max(width, row.key.size());
    std::string text;
    for (const HelpRow& row : rows) {
        text += fmt::format("  {:<{}}  {}", row.key, width, row.value);
        if (!row.fallback.empty()) text += fmt::format("; default {}", row.fallback);
        if (row.required) text += "; required";
        text += fmt::format("\n  {:<{}}  {}\n", "", width, row.meaning);
        if (!row.example.empty()) {
            text += fmt::format("  {:<{}}  {} = {}\n", "", width, row.key, row.example);
        }
    }
    return text;
}

std::string list_choices(const TableInfo& table)
{
    std::string text;
    for (const KeyChoice& choice : table.choices) {
        text += fmt::format("{} one of {}.\n", choice.required ? "Exactly" : "At most",
                            fmt::join(choice.keys, ", "));
    }
    return text;
}

std::string explain_profiles()
{
    std::string text = "\nTraits, which every model has:\n\n" + list_rows(rows_of(traits()));
    for (const ModelInfo& model : models()) {
        if (model.params.empty()) continue;
        text += fmt::format("\nParameters of the model {}:\n\n{}", model.name,
                            list_rows(rows_of(model.params)));
    }
    for (const ModelInfo& model : models()) {
        if (model.trait_defaults.empty()) continue;
        text += fmt::format("\nDefaults of traits with the model {}: {}\n", model.name,
                            list_trait_defaults(model));
    }
    return text;
}

std::string explain_layouts()
{
    std::string text;
    for (const LayoutInfo& layout : layouts()) {
        text += fmt::format("\nkind = \"{}\": {}\nMakes {}.\n\n{}", layout.name, layout.summary,
                            layout.makes, list_rows(rows_of(layout.params)));
    }
    return text;
}

std::string explain(const TableInfo& table)
{
    std::string text =
        fmt::format("{}  {}\n\n{}\n\n", title_of(table), table.meaning, indent(table.example));
    text += list_choices(table);
    text += list_rows(rows_of(table));
    if (table.name == "profiles") text += explain_profiles();
    if (table.name == "layout") text += explain_layouts();
    return text;
}

}  // namespace

std::vector<std::string_view> scenario_topics()
{
    std::vector<std::string_view> names;
    for (const TableInfo& table : scenario_tables()) {
        if (!table.name.empty()) names.push_back(table.name);
    }
    return names;
}

std::string scenario_help(std::string_view name)
{
    if (name.empty()) {
        std::string text = fmt::format("{}{}\n\nTables:\n", kIntroduction, indent(kSmallestFile));
        std::size_t width = 0;
        for (const TableInfo& table : scenario_tables()) {
            width = std::max(width, title_of(table).size());
        }
        for (const TableInfo& table : scenario_tables()) {
            if (table.name.empty()) continue;
            text += fmt::format("  {:<{}}  {}\n", title_of(table), width, table.meaning);
        }
        return text + "\n`sidestep help scenario TABLE` explains the keys of one.\n";
    }
    for (const TableInfo& table : scenario_tables()) {
        if (table.name == name) return explain(table);
    }
    return {};
}

}  // namespace sidestep
