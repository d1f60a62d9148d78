// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "scenario/help_rows.hpp"
#include "scenario/layout.hpp"
#include "scenario/limits.hpp"

// The format as a page of the docs: `sidestep help scenario --markdown`.

namespace sidestep {
namespace {

constexpr std::string_view kBegin = R"(# Scenario files, format 1

<!-- Made by `sidestep help scenario --markdown` from the tables that check scenario files. Do not edit. -->

A scenario is a TOML file. Units are SI: metres, seconds, metres per second. x points right, y up; angles (keys that end in
`_deg`) are degrees counter-clockwise from +x. `sidestep check FILE` says everything that is wrong with a file at once, with
line and column; `sidestep help scenario TABLE` prints the tables below in a terminal, and `sidestep help schema` a JSON Schema
for editors.

The smallest useful file:

```toml
)";

constexpr std::string_view kIdeas = R"(
```

Three ideas hold everywhere:

- **Shapes.** Where a table below says *shape*, write a ring of points `[[0, 0], [4, 0], [4, 3]]`, the name of an area `"hall"`, or a
  table such as `{ box = [0, 0, 4, 8] }`; see *shape*. A last point that repeats the first may be left out. What is solid and what is
  walkable is said by the key, never by the order of the points.
- **Numbers that differ.** Where it says *number or distribution*, write `1.34` or `{ normal = [1.34, 0.26], min = 0.5, max = 2.0 }`; see
  *distribution*. Without cut-offs a normal or log-normal number is cut off at the range of its key.
- **Names.** Goals, areas, doors, profiles and journeys are named in one place and used by that name in others. The profile
  `default` is used where none is named; a file without it has the values of `sidestep models`.

`--set key=value` of `sidestep run` and `sidestep check` changes a value of the file: a dotted path, entries of lists by number
from 0 (`--set world.seed=7`, `--set agents.0.count=5`, `--set profiles.default.radius=0.3`). A key of [world] needs no `world.`, and
`--set agents=N` means the size of the layout, or without a layout of the first `[[agents]]`. Tables that are missing on the way are made.
)";

std::string list_rows(std::span<const HelpRow> rows)
{
    std::string text = "| key | value | default | meaning | example |\n|---|---|---|---|---|\n";
    for (const HelpRow& row : rows) {
        text += fmt::format(
            "| `{}` | {} | {} | {} | {} |\n", row.key, escape_cell(row.value),
            row.required ? "required" : escape_cell(row.fallback), escape_cell(row.meaning),
            row.example.empty() ? "" : fmt::format("`{}`", escape_cell(row.example)));
    }
    return text;
}

std::string list_limits()
{
    return fmt::format(
        "\n## Limits\n\n"
        "| what | at most |\n|---|---|\n"
        "| a scenario file, and all files it names together | {} MiB |\n"
        "| tables and lists within each other | {} |\n"
        "| values written in the file itself, keys and tables counted twice (larger plans go into "
        "a "
        "GeoJSON or WKT file) | {} |\n"
        "| texts of the file together | {} MiB |\n"
        "| agents in all, those of sources included | {} |\n"
        "| vertices in all | {} |\n"
        "| tables of a kind | {} |\n"
        "| distance from the origin, in x and in y | {} m |\n\n"
        "Files that a scenario names lie in its folder or below, links resolved; paths are "
        "relative to it.\n",
        kMaxFileBytes >> 20, kMaxNesting, kMaxValues, kMaxStringBytes >> 20, kMaxAgents,
        kMaxVertices, kMaxTables, kMaxFromOrigin);
}

}  // namespace

std::string scenario_page()
{
    std::string text = fmt::format("{}{}{}", kBegin, kSmallestFile, kIdeas);
    for (const TableInfo& table : scenario_tables()) {
        if (table.name.empty()) continue;
        text += fmt::format("\n## `{}`\n\n{}\n\n```toml\n{}\n```\n\n", title_of(table),
                            table.meaning, table.example);
        for (const KeyChoice& choice : table.choices) {
            text += fmt::format("{} one of `{}`.\n\n", choice.required ? "Exactly" : "At most",
                                fmt::join(choice.keys, "`, `"));
        }
        text += list_rows(rows_of(table));
        if (table.name == "profiles") {
            text += "\nTraits, which every model has:\n\n" + list_rows(rows_of(traits()));
            for (const ModelInfo& model : models()) {
                if (model.params.empty()) continue;
                text += fmt::format("\nParameters of the model `{}`:\n\n{}", model.name,
                                    list_rows(rows_of(model.params)));
            }
            for (const ModelInfo& model : models()) {
                if (model.trait_defaults.empty()) continue;
                text += fmt::format("\nDefaults of traits with the model `{}`: {}.\n", model.name,
                                    list_trait_defaults(model));
            }
        }
        if (table.name == "layout") {
            for (const LayoutInfo& layout : layouts()) {
                text +=
                    fmt::format("\n### kind = `\"{}\"`\n\n{}. Makes {}.\n\n{}", layout.name,
                                layout.summary, layout.makes, list_rows(rows_of(layout.params)));
            }
        }
    }
    return text + list_limits();
}

}  // namespace sidestep
