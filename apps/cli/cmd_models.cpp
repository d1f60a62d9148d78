// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console.hpp"
#include "param_tables.hpp"

#include <sidestep/models.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The traits with the values that a profile of this model has by itself.
std::vector<ParamInfo> traits_of(const ModelInfo& model)
{
    std::vector<ParamInfo> list(traits().begin(), traits().end());
    for (ParamInfo& trait : list) trait.default_value = default_of(model, trait);
    return list;
}

Json to_json(const ModelInfo& model)
{
    Json defaults = Json::object();
    for (const TraitValue& own : model.trait_defaults) {
        for (const ParamInfo& trait : traits()) {
            if (trait.name == own.trait)
                defaults[std::string(own.trait)] = value_json(trait, own.value);
        }
    }
    return {{"name", model.name},
            {"summary", model.summary},
            {"params", params_json(model.params)},
            {"trait_defaults", defaults}};
}

void print_params(const std::string& title, std::span<const ParamInfo> params)
{
    say(stdout, fmt::format("\n{}\n", title));
    if (params.empty()) {
        say(stdout, "none\n");
        return;
    }
    table_of(params).print(stdout);
}

int list_models(Output output)
{
    if (output == Output::json) {
        Json array = Json::array();
        for (const ModelInfo& model : models()) array.push_back(to_json(model));
        say(stdout, Json{{"models", array}, {"traits", params_json(traits())}}.dump() + '\n');
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
            object["traits"] = params_json(traits_of(model));
            say(stdout, object.dump() + '\n');
        } else if (output == Output::text) {
            say(stdout, fmt::format("{}: {}\n", model.name, model.summary));
            print_params("parameters of this model", model.params);
            print_params(fmt::format("traits of every agent, with the defaults of {}", model.name),
                         traits_of(model));
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
    "  sidestep run two-head-on --set profiles.default.preferred_speed=1.6\n"
    "\n"
    "`sidestep traits` explains the traits and lists presets, kinds of people.";

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
