// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include <cmath>

#include "scenario/layout.hpp"
#include "scenario/tables.hpp"

// The format as JSON Schema, for editors that complete and check TOML.

namespace sidestep {
namespace {

using Json = nlohmann::ordered_json;

Json number_schema(const Range& range, std::string_view type)
{
    Json schema{{"type", type}};
    if (std::isfinite(range.min)) {
        schema[range.open_min ? "exclusiveMinimum" : "minimum"] = range.min;
    }
    if (std::isfinite(range.max) && !range.may_be_infinite) schema["maximum"] = range.max;
    return schema;
}

Json list_of(Json item, std::size_t least, std::size_t most = 0)
{
    Json schema{{"type", "array"}, {"items", std::move(item)}, {"minItems", least}};
    if (most > 0) schema["maxItems"] = most;
    return schema;
}

Json reference(std::string_view name)
{
    return {{"$ref", "#/$defs/" + std::string(name)}};
}

Json value_schema(const KeyInfo& key)
{
    const Json text{{"type", "string"}};
    const Json name{{"type", "string"}, {"minLength", 1}};
    switch (key.kind) {
        case ValueKind::flag: return {{"type", "boolean"}};
        case ValueKind::whole: return number_schema(key.range, "integer");
        case ValueKind::number: return number_schema(key.range, "number");
        case ValueKind::drawn:
            return {{"anyOf",
                     Json::array({number_schema(key.range, "number"), reference("distribution")})}};
        case ValueKind::pair: return list_of({{"type", "number"}}, 2, 2);
        case ValueKind::numbers: return list_of(number_schema(key.range, "number"), 1);
        case ValueKind::text: return text;
        case ValueKind::name: return name;
        case ValueKind::word: return key.words.empty() ? name : Json{{"enum", key.words}};
        case ValueKind::mix: {
            const Json share = number_schema({0.0, 1.0, true}, "number");
            return {{"anyOf", Json::array({name, Json{{"type", "object"},
                                                      {"additionalProperties", share},
                                                      {"minProperties", 1}}})}};
        }
        case ValueKind::velocity:
            return {{"anyOf", Json::array({reference("point"), Json{{"const", "preferred"}}})}};
        case ValueKind::values: return reference("values");
        case ValueKind::names:
        case ValueKind::goals: return {{"anyOf", Json::array({name, list_of(name, 1)})}};
        case ValueKind::stay:
            return {{"anyOf", Json::array({name, list_of(name, 1), Json{{"const", true}}})}};
        case ValueKind::point: return reference("point");
        case ValueKind::points: return list_of(reference("point"), 1);
        case ValueKind::line: return list_of(reference("point"), 2);
        case ValueKind::segment: return list_of(reference("point"), 2, 2);
        case ValueKind::ring: return list_of(reference("point"), 3);
        case ValueKind::rings: return list_of(list_of(reference("point"), 3), 0);
        case ValueKind::box: return list_of({{"type", "number"}}, 4, 4);
        case ValueKind::shape:
        case ValueKind::floor_shape:
            return {
                {"anyOf", Json::array({list_of(reference("point"), 3), name, reference("shape")})}};
        case ValueKind::schedule: return list_of(list_of({{"type", "number"}}, 2, 2), 1);
        case ValueKind::table: return reference(key.nested->name);
        case ValueKind::tables: return list_of(reference(key.nested->name), 1);
    }
    return Json::object();
}

Json key_schema(const KeyInfo& key)
{
    Json schema = value_schema(key);
    std::string meaning(key.meaning);
    if (!key.unit.empty() && key.unit != "1") meaning += " [" + std::string(key.unit) + "]";
    if (!key.fallback.empty()) meaning += "; default " + std::string(key.fallback);
    schema["description"] = meaning;
    return schema;
}

Json table_schema(std::span<const KeyInfo> keys, std::span<const KeyChoice> choices,
                  std::string_view meaning)
{
    Json schema{{"type", "object"}, {"description", meaning}, {"additionalProperties", false}};
    Json properties = Json::object();
    Json required = Json::array();
    for (const KeyInfo& key : keys) {
        properties[std::string(key.name)] = key_schema(key);
        if (key.required) required.push_back(key.name);
    }
    schema["properties"] = std::move(properties);
    if (!required.empty()) schema["required"] = std::move(required);
    Json all = Json::array();
    for (const KeyChoice& choice : choices) {
        Json one = Json::array();
        for (const std::string_view key : choice.keys) {
            one.push_back({{"required", Json::array({key})}});
        }
        if (!choice.required) {
            one.push_back({{"not", {{"anyOf", one}}}});
        }
        all.push_back({{"oneOf", std::move(one)}});
    }
    if (!all.empty()) schema["allOf"] = std::move(all);
    return schema;
}

/// Keys of all layouts; which go together the checks of the program say.
std::vector<KeyInfo> keys_of_all_layouts()
{
    std::vector<KeyInfo> keys = layout_keys(nullptr);
    for (const LayoutInfo& layout : layouts()) {
        for (KeyInfo key : layout_keys(&layout)) {
            key.range = {};
            const auto known = [&](const KeyInfo& row) { return row.name == key.name; };
            if (std::none_of(keys.begin(), keys.end(), known)) keys.push_back(key);
        }
    }
    return keys;
}

/// Names of models or layouts, as the only values of a key.
template <class Info>
void list_names(Json& key, std::span<const Info> known)
{
    Json names = Json::array();
    for (const Info& info : known) names.push_back(info.name);
    key["enum"] = std::move(names);
}

Json schema_of(const TableInfo& table)
{
    if (table.name == "layout") {
        Json schema = table_schema(keys_of_all_layouts(), {}, table.meaning);
        list_names(schema["properties"]["kind"], layouts());
        return schema;
    }
    if (table.name == "profiles") {
        Json schema = table_schema(profile_keys(models()), {}, table.meaning);
        list_names(schema["properties"]["model"], models());
        list_names(schema["properties"]["preset"], presets());
        return schema;
    }
    if (table.name == "populations") {
        Json schema{{"type", "object"}, {"description", table.meaning}, {"minProperties", 1}};
        schema["additionalProperties"] = number_schema({0.0, 1.0, true}, "number");
        return schema;
    }
    if (table.name == "expect") return table_schema(expect_keys(), {}, table.meaning);
    return table_schema(table.keys, table.choices, table.meaning);
}

}  // namespace

std::string scenario_schema()
{
    Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"title", "Sidestep scenario, format 1"},
                {"type", "object"},
                {"additionalProperties", false},
                {"required", Json::array({"format"})}};
    Json properties = Json::object();
    Json definitions = Json::object();
    definitions["point"] = list_of({{"type", "number"}}, 2, 2);
    definitions["values"] = table_schema(value_keys(models()), {}, "Traits and parameters.");
    for (const TableInfo& table : scenario_tables()) {
        if (table.name.empty()) {
            for (const KeyInfo& key : table.keys) {
                properties[std::string(key.name)] = key_schema(key);
            }
            continue;
        }
        const std::string name(table.name);
        definitions[name] = schema_of(table);
        switch (table.form) {
            case TableInfo::Form::one: properties[name] = reference(name); break;
            case TableInfo::Form::many: properties[name] = list_of(reference(name), 0); break;
            case TableInfo::Form::named:
                properties[name] = {{"type", "object"}, {"additionalProperties", reference(name)}};
                break;
            case TableInfo::Form::in_line: break;
        }
    }
    schema["properties"] = std::move(properties);
    schema["$defs"] = std::move(definitions);
    return schema.dump(2) + '\n';
}

}  // namespace sidestep
