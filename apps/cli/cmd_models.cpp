// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console.hpp"

#include <sidestep/models.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The digits a person would write: 0.2, not the double nearest to the float.
std::string to_digits(float value)
{
    return fmt::format("{}", value);
}

Json to_json(float value)
{
    if (std::isinf(value)) return value > 0.0f ? "inf" : "-inf";
    return std::stod(to_digits(value));
}

Json to_json(std::span<const ParamInfo> params)
{
    Json array = Json::array();
    for (const ParamInfo& param : params) {
        array.push_back({{"name", param.name},
                         {"unit", param.unit},
                         {"default", to_json(param.default_value)},
                         {"min", to_json(param.min)},
                         {"max", to_json(param.max)},
                         {"may_be_infinite", param.may_be_infinite},
                         {"meaning", param.meaning}});
    }
    return array;
}

Json to_json(const ModelInfo& model)
{
    return {{"name", model.name}, {"summary", model.summary}, {"params", to_json(model.params)}};
}

void print_params(std::string_view title, std::span<const ParamInfo> params)
{
    say(stdout, fmt::format("\n{}\n", title));
    if (params.empty()) {
        say(stdout, "none\n");
        return;
    }
    Table table({"name", "unit", "default", "range", "meaning"});
    for (const ParamInfo& param : params) {
        table.add({std::string(param.name), std::string(param.unit), to_digits(param.default_value),
                   fmt::format("{} to {}{}", to_digits(param.min), to_digits(param.max),
                               param.may_be_infinite ? ", inf" : ""),
                   std::string(param.meaning)});
    }
    table.print(stdout);
}

int list_models(Output output)
{
    if (output == Output::json) {
        Json array = Json::array();
        for (const ModelInfo& model : models()) array.push_back(to_json(model));
        say(stdout, Json{{"models", array}, {"traits", to_json(traits())}}.dump() + '\n');
        return finish_output(kExitDone);
    }
    Table table({"name", "summary"});
    for (const ModelInfo& model : models()) {
        table.add({std::string(model.name), std::string(model.summary)});
    }
    if (output == Output::text) table.print(stdout);
    return finish_output(kExitDone);
}

int show_model(const std::string& name, Output output)
{
    std::vector<std::string_view> known;
    for (const ModelInfo& model : models()) {
        known.push_back(model.name);
        if (model.name != name) continue;
        if (output == Output::json) {
            Json object = to_json(model);
            object["traits"] = to_json(traits());
            say(stdout, object.dump() + '\n');
        } else if (output == Output::text) {
            say(stdout, fmt::format("{}: {}\n", model.name, model.summary));
            print_params("parameters of this model", model.params);
            print_params("traits of every agent", traits());
        }
        return finish_output(kExitDone);
    }
    return fail(kExitBadUsage, fmt::format("there is no model '{}'", name), hint_from(name, known));
}

constexpr const char* kExample =
    "Example: what can a profile of orca set?\n"
    "  sidestep models orca\n"
    "\n"
    "Each of these may stand in a [profiles.NAME] of a scenario, or after --set:\n"
    "  sidestep run two-head-on --set profiles.default.preferred_speed=1.6";

}  // namespace

void add_models(CLI::App& app, int& exit_code)
{
    CLI::App* command = app.add_subcommand(
        "models", "List the models of avoidance, or the parameters and traits of one");
    command->footer(kExample);
    auto name = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    auto quiet = std::make_shared<bool>(false);
    command->add_option("NAME", *name, "Show the parameters of this model and the traits");
    command->add_flag("--json", *json, "Print JSON");
    command->add_flag("--quiet", *quiet, "Print nothing but errors (and the JSON)");
    command->callback([name, json, quiet, &exit_code] {
        const Output output = *json ? Output::json : *quiet ? Output::none : Output::text;
        exit_code = name->empty() ? list_models(output) : show_model(*name, output);
    });
}

}  // namespace sidestep::cli
