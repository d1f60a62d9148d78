// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "param_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The digits a person would write: 0.2, not the double nearest to the float.
Json number_json(float value)
{
    if (std::isinf(value)) return value > 0.0f ? "inf" : "-inf";
    return std::stod(fmt::format("{}", value));
}

std::string range_text(const ParamInfo& param)
{
    if (!param.choices.empty()) return fmt::format("{}", fmt::join(param.choices, "|"));
    return fmt::format("{} to {}{}", param.min, param.max, param.may_be_infinite ? ", inf" : "");
}

}  // namespace

std::string value_text(const ParamInfo& param, float value)
{
    const auto place = static_cast<std::size_t>(value);
    return place < param.choices.size() ? std::string(param.choices[place])
                                        : fmt::format("{}", value);
}

Json value_json(const ParamInfo& param, float value)
{
    if (!param.choices.empty()) return value_text(param, value);
    return number_json(value);
}

Table table_of(std::span<const ParamInfo> params)
{
    Table table({"name", "unit", "default", "range", "meaning"});
    for (const ParamInfo& param : params) {
        table.add({std::string(param.name), std::string(param.unit),
                   value_text(param, param.default_value), range_text(param),
                   std::string(param.meaning)});
    }
    return table;
}

Json params_json(std::span<const ParamInfo> params)
{
    Json array = Json::array();
    for (const ParamInfo& param : params) {
        Json row{{"name", param.name},
                 {"unit", param.unit},
                 {"default", value_json(param, param.default_value)}};
        if (param.choices.empty()) {
            row["min"] = number_json(param.min);
            row["max"] = number_json(param.max);
            row["may_be_infinite"] = param.may_be_infinite;
        } else {
            row["choices"] = param.choices;
        }
        row["meaning"] = param.meaning;
        array.push_back(std::move(row));
    }
    return array;
}

}  // namespace sidestep::cli
