// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/help_rows.hpp"

#include <fmt/format.h>

namespace sidestep {
namespace {

std::string_view short_kind(ValueKind kind)
{
    switch (kind) {
        case ValueKind::drawn: return "number or distribution";
        case ValueKind::names: return "name or names";
        case ValueKind::goals: return "goal, goals or \"opposite\"";
        case ValueKind::stay: return "goal, goals, \"opposite\" or true";
        case ValueKind::shape:
        case ValueKind::floor_shape: return "shape";
        case ValueKind::points: return "points";
        case ValueKind::line: return "two or more points";
        case ValueKind::segment: return "two points";
        case ValueKind::ring: return "ring of points";
        case ValueKind::rings: return "list of rings";
        case ValueKind::schedule: return "list of [time, count]";
        case ValueKind::box: return "[x0, y0, x1, y1]";
        case ValueKind::point: return "[x, y]";
        case ValueKind::pair: return "[a, b]";
        case ValueKind::numbers: return "list of numbers";
        case ValueKind::table: return "table";
        case ValueKind::tables: return "list of tables";
        case ValueKind::whole: return "whole number";
        case ValueKind::number: return "number";
        case ValueKind::text: return "text";
        case ValueKind::name: return "name";
        case ValueKind::flag: return "true or false";
        case ValueKind::word: return "word";
        case ValueKind::mix: return "name, or shares { NAME = number in (0, 1] }";
        case ValueKind::velocity: return "[vx, vy] or \"preferred\"";
        case ValueKind::values: return "{ trait = value }";
    }
    return "";
}

std::string value_text(const KeyInfo& key)
{
    if (!key.words.empty()) return fmt::format("\"{}\"", fmt::join(key.words, "\" or \""));
    std::string text(short_kind(key.kind));
    if (key.kind == ValueKind::flag) return text;
    const std::string range = to_text(key.range, key.unit);
    if (range.starts_with("any number")) {
        if (!key.unit.empty() && key.unit != "1") text += fmt::format(" [{}]", key.unit);
        return text;
    }
    return fmt::format("{} {}", text, range);
}

}  // namespace

std::string escape_cell(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c;
    }
    return out;
}

std::string value_text(const ParamInfo& param, float value)
{
    const auto place = static_cast<std::size_t>(value);
    return place < param.choices.size() ? std::string(param.choices[place])
                                        : fmt::format("{}", value);
}

std::string list_trait_defaults(const ModelInfo& model)
{
    std::string text;
    for (const TraitValue& own : model.trait_defaults) {
        for (const ParamInfo& trait : traits()) {
            if (trait.name != own.trait) continue;
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", own.trait,
                                value_text(trait, own.value));
        }
    }
    return text;
}

std::vector<HelpRow> rows_of(const TableInfo& table)
{
    std::vector<KeyInfo> keys(table.keys.begin(), table.keys.end());
    if (table.name == "expect") keys = expect_keys();
    std::vector<HelpRow> rows;
    for (const KeyInfo& key : keys) {
        rows.push_back({std::string(key.name), value_text(key), std::string(key.fallback),
                        key.required, std::string(key.meaning), std::string(key.example)});
    }
    return rows;
}

std::vector<HelpRow> rows_of(std::span<const ParamInfo> params)
{
    std::vector<HelpRow> rows;
    for (const ParamInfo& param : params) {
        rows.push_back(
            {std::string(param.name),
             param.choices.empty()
                 ? fmt::format("{}number or distribution {}", param.whole ? "whole " : "",
                               to_text(range_of(param), param.unit))
                 : fmt::format("\"{}\"", fmt::join(param.choices, "\" or \"")),
             value_text(param, param.default_value),
             false,
             std::string(param.meaning),
             {}});
    }
    return rows;
}

std::vector<HelpRow> rows_of(std::span<const LayoutParam> params)
{
    std::vector<HelpRow> rows;
    for (const LayoutParam& param : params) {
        rows.push_back({std::string(param.name),
                        fmt::format("{} {}", param.whole ? "whole number" : "number",
                                    to_text(Range{param.min, param.max}, param.unit)),
                        fmt::format("{}", param.default_value),
                        false,
                        std::string(param.meaning),
                        {}});
    }
    return rows;
}

}  // namespace sidestep
