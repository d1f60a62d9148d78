// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "scenario/tables.hpp"

namespace sidestep {
namespace {

std::string unit_text(std::string_view unit)
{
    return unit.empty() || unit == "1" ? std::string{} : fmt::format(" {}", unit);
}

}  // namespace

double as_written(float value)
{
    const std::string text = fmt::format("{}", value);  // the shortest decimals
    double number = value;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

Range range_of(const ParamInfo& param)
{
    return {as_written(param.min), as_written(param.max), false, param.may_be_infinite};
}

std::vector<KeyInfo> profile_keys(const ModelInfo* model)
{
    const auto fixed = scenario_table("profiles").keys;
    std::vector<KeyInfo> keys(fixed.begin(), fixed.end());
    const auto add = [&](std::span<const ParamInfo> params) {
        for (const ParamInfo& param : params) {
            keys.push_back({.name = param.name,
                            .kind = param.choices.empty() ? ValueKind::drawn : ValueKind::word,
                            .unit = param.unit,
                            .range = range_of(param),
                            .meaning = param.meaning,
                            .words = param.choices,
                            .is_whole = param.whole});
        }
    };
    add(traits());
    if (model != nullptr) add(model->params);
    return keys;
}

std::vector<KeyInfo> profile_keys(std::span<const ModelInfo> models)
{
    std::vector<KeyInfo> keys = profile_keys(nullptr);
    for (const ModelInfo& model : models) {
        for (const KeyInfo& key : profile_keys(&model)) {
            const bool known = std::any_of(
                keys.begin(), keys.end(), [&](const KeyInfo& row) { return row.name == key.name; });
            if (!known) keys.push_back(key);
        }
    }
    return keys;
}

std::vector<KeyInfo> value_keys(std::span<const ModelInfo> models)
{
    std::vector<KeyInfo> keys = profile_keys(models);
    const std::size_t fixed = scenario_table("profiles").keys.size();
    keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(fixed));
    for (KeyInfo& key : keys) {
        if (key.kind == ValueKind::drawn)
            key.kind = key.is_whole ? ValueKind::whole : ValueKind::number;
    }
    return keys;
}

std::vector<KeyInfo> layout_keys(const LayoutInfo* layout)
{
    const auto fixed = scenario_table("layout").keys;
    std::vector<KeyInfo> keys(fixed.begin(), fixed.end());
    if (layout == nullptr) return keys;
    for (const LayoutParam& param : layout->params) {
        keys.push_back({.name = param.name,
                        .kind = param.whole ? ValueKind::whole : ValueKind::number,
                        .unit = param.unit,
                        .range = {param.min, param.max},
                        .meaning = param.meaning});
    }
    return keys;
}

std::vector<KeyInfo> expect_keys()
{
    std::vector<KeyInfo> keys;
    for (const ExpectInfo& row : expectations()) {
        const bool flag = row.key.starts_with("all_");
        keys.push_back({.name = row.key,
                        .kind = flag ? ValueKind::flag : ValueKind::number,
                        .unit = row.unit,
                        .range = {.min = 0.0},
                        .meaning = row.meaning});
    }
    return keys;
}

std::string title_of(const TableInfo& table)
{
    switch (table.form) {
        case TableInfo::Form::one:
            return table.name.empty() ? "the file" : fmt::format("[{}]", table.name);
        case TableInfo::Form::many: return fmt::format("[[{}]]", table.name);
        case TableInfo::Form::named: return fmt::format("[{}.NAME]", table.name);
        case TableInfo::Form::in_line: break;
    }
    return fmt::format("{{ {} }}", table.name);
}

std::string to_text(const Range& range, std::string_view unit)
{
    const bool low = range.min > std::numeric_limits<double>::lowest();
    const bool high = range.max < std::numeric_limits<double>::max();
    const std::string end = unit_text(unit) + (range.may_be_infinite ? " or inf" : "");
    const std::string_view above = range.open_min ? ">" : ">=";
    if (range.min == range.max) return fmt::format("{}{}", range.min, end);
    if (low && high) {
        // a double cannot say 2^63 - 1
        const std::string most = range.max >= 0x1p63 ? "2^63 - 1" : fmt::format("{}", range.max);
        return fmt::format("in {}{}, {}]{}", range.open_min ? '(' : '[', range.min, most, end);
    }
    if (low) return fmt::format("{} {}{}", above, range.min, end);
    if (high) return fmt::format("<= {}{}", range.max, end);
    return "any number" + end;
}

std::string_view to_text(ValueKind kind)
{
    switch (kind) {
        case ValueKind::flag: return "true or false";
        case ValueKind::whole: return "a whole number";
        case ValueKind::number: return "a number";
        case ValueKind::drawn: return "a number or a distribution such as { uniform = [1, 2] }";
        case ValueKind::pair: return "a pair of numbers [a, b]";
        case ValueKind::numbers: return "a list of numbers";
        case ValueKind::text: return "a text in quotes";
        case ValueKind::name: return "a name in quotes";
        case ValueKind::word: return "a word in quotes";
        case ValueKind::mix:
            return "the name of a profile, preset or population, or shares { hurried = 0.3, phone "
                   "= 0.7 }";
        case ValueKind::velocity: return "a velocity [vx, vy] or \"preferred\"";
        case ValueKind::values: return "a table { trait = value, ... }";
        case ValueKind::names: return "a name in quotes, or a list of names";
        case ValueKind::goals: return "the name of a goal, a list of names, or \"opposite\"";
        case ValueKind::stay: return "the name of a goal, a list of names, \"opposite\", or true";
        case ValueKind::point: return "a point [x, y]";
        case ValueKind::points: return "a list of points [[x, y], ...]";
        case ValueKind::line: return "a line of two or more points [[x, y], [x, y], ...]";
        case ValueKind::segment: return "a line of two points [[x, y], [x, y]]";
        case ValueKind::ring: return "a ring of three or more points [[x, y], ...]";
        case ValueKind::rings: return "a list of rings [[[x, y], ...], ...]";
        case ValueKind::box: return "a box [x0, y0, x1, y1]";
        case ValueKind::shape:
            return "a ring [[x, y], ...], the name of an area, { box = [x0, y0, x1, y1] }, "
                   "{ wkt = \"...\" } or { file = \"...\" }";
        case ValueKind::floor_shape:
            return "a ring [[x, y], ...], the name of an area, { box = [x0, y0, x1, y1] }, "
                   "{ wkt = \"...\" }, { file = \"...\" } or { polygon = ring, holes = [ring] }";
        case ValueKind::schedule: return "a list of [time, count]";
        case ValueKind::table: return "a table { key = value, ... }";
        case ValueKind::tables: return "a list of tables [{ ... }, ...]";
    }
    return "a value";
}

}  // namespace sidestep
