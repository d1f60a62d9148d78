// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console.hpp"
#include "param_tables.hpp"

#include <sidestep/models.hpp>
#include <sidestep/scenario.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

const ParamInfo* find_trait(std::string_view name)
{
    for (const ParamInfo& trait : traits()) {
        if (trait.name == name) return &trait;
    }
    return nullptr;
}

std::optional<float> value_in(const PresetInfo& preset, std::string_view trait)
{
    for (const TraitValue& own : preset.values) {
        if (own.trait == trait) return own.value;
    }
    return std::nullopt;
}

std::string describe(const PopulationInfo& population)
{
    std::string text;
    for (const PopulationInfo::Part& part : population.parts) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", part.preset, part.share);
    }
    return text;
}

// ------------------------------------------------------------------------------------------- json

Json to_json(const PresetInfo& preset)
{
    Json values = Json::object();
    for (const TraitValue& own : preset.values) {
        if (const ParamInfo* trait = find_trait(own.trait)) {
            values[std::string(own.trait)] = value_json(*trait, own.value);
        }
    }
    return {{"name", preset.name}, {"summary", preset.summary}, {"values", values}};
}

Json to_json(const PopulationInfo& population)
{
    Json shares = Json::object();
    for (const PopulationInfo::Part& part : population.parts) {
        shares[std::string(part.preset)] = std::stod(fmt::format("{}", part.share));
    }
    return {{"name", population.name}, {"summary", population.summary}, {"shares", shares}};
}

Json list_json()
{
    Json kinds = Json::array();
    for (const PresetInfo& preset : presets()) kinds.push_back(to_json(preset));
    Json mixes = Json::array();
    for (const PopulationInfo& population : populations()) mixes.push_back(to_json(population));
    return {{"traits", params_json(traits())}, {"presets", kinds}, {"populations", mixes}};
}

// ------------------------------------------------------------------------------------------- text

/// A row for each trait that some preset sets, a column for each preset.
Table table_of_presets()
{
    std::vector<std::string> header{"trait"};
    for (const PresetInfo& preset : presets()) header.emplace_back(preset.name);
    Table table(std::move(header));
    for (std::size_t i = 1; i <= presets().size(); ++i) table.align_right(i);
    for (const ParamInfo& trait : traits()) {
        std::vector<std::string> row{std::string(trait.name)};
        bool any = false;
        for (const PresetInfo& preset : presets()) {
            const auto value = value_in(preset, trait.name);
            row.push_back(value ? value_text(trait, *value) : "-");
            any = any || value.has_value();
        }
        if (any) table.add(std::move(row));
    }
    return table;
}

void print_list()
{
    say(stdout, "Traits of every agent\n");
    table_of(traits()).print(stdout);

    say(stdout, "\nPresets\n");
    Table who({"name", "who"});
    for (const PresetInfo& preset : presets()) {
        who.add({std::string(preset.name), std::string(preset.summary)});
    }
    who.print(stdout);
    say(stdout, "\nWhat each of them sets; - is the default of the model\n");
    table_of_presets().print(stdout);

    say(stdout, "\nPopulations\n");
    Table mixes({"name", "shares", "who"});
    for (const PopulationInfo& population : populations()) {
        mixes.add(
            {std::string(population.name), describe(population), std::string(population.summary)});
    }
    mixes.print(stdout);
}

void print(const PresetInfo& preset)
{
    say(stdout, fmt::format("preset {}: {}\n\n", preset.name, preset.summary));
    Table table({"trait", "value", "unit", "meaning"});
    for (const TraitValue& own : preset.values) {
        const ParamInfo* trait = find_trait(own.trait);
        if (trait == nullptr) continue;
        table.add({std::string(own.trait), value_text(*trait, own.value), std::string(trait->unit),
                   std::string(trait->meaning)});
    }
    table.print(stdout);
}

/// One trait, and what the presets and models make of it.
void print(const ParamInfo& trait)
{
    table_of({&trait, 1}).print(stdout);
    Table table({"set by", "to"});
    bool any = false;
    const auto add = [&](std::string name, float value) {
        table.add({std::move(name), value_text(trait, value)});
        any = true;
    };
    for (const ModelInfo& model : models()) {
        if (const float own = default_of(model, trait); own != trait.default_value) {
            add(fmt::format("model {}", model.name), own);
        }
    }
    for (const PresetInfo& preset : presets()) {
        if (const auto value = value_in(preset, trait.name)) {
            add(fmt::format("preset {}", preset.name), *value);
        }
    }
    if (!any) return;
    say(stdout, "\n");
    table.print(stdout);
}

void print(const PopulationInfo& population)
{
    say(stdout, fmt::format("population {}: {}\n\n", population.name, population.summary));
    Table table({"preset", "share"});
    for (const PopulationInfo::Part& part : population.parts) {
        table.add({std::string(part.preset), fmt::format("{}", part.share)});
    }
    table.print(stdout);
}

int list_all(Output output)
{
    if (output == Output::json) say(stdout, list_json().dump() + '\n');
    if (output == Output::text) print_list();
    return finish_output(kExitDone);
}

template <class Info>
int show(const Info& info, const Json& json, Output output)
{
    if (output == Output::json) say(stdout, json.dump() + '\n');
    if (output == Output::text) print(info);
    return finish_output(kExitDone);
}

int show_one(const std::string& name, Output output)
{
    std::vector<std::string_view> known;
    for (const PresetInfo& preset : presets()) {
        if (preset.name == name) return show(preset, to_json(preset), output);
        known.push_back(preset.name);
    }
    for (const PopulationInfo& population : populations()) {
        if (population.name == name) return show(population, to_json(population), output);
        known.push_back(population.name);
    }
    for (const ParamInfo& trait : traits()) {
        if (trait.name == name) {
            return show(trait, params_json(std::span(&trait, 1)).front(), output);
        }
        known.push_back(trait.name);
    }
    return fail(kExitBadUsage, fmt::format("there is no trait, preset or population '{}'", name),
                hint_from(name, known, "`sidestep traits` lists them"));
}

constexpr const char* kExample =
    "Example: what is an elder like?\n"
    "  sidestep traits elder\n"
    "\n"
    "A scenario uses a preset by its name, alone or in a mix, and changes what it likes:\n"
    "  profile = \"elder\"\n"
    "  profile = { elder = 0.2, default = 0.8 }\n"
    "  [profiles.grandmother]\n"
    "  preset = \"elder\"\n"
    "  preferred_speed = 0.8";

}  // namespace

void add_traits(CLI::App& app, int& exit_code)
{
    struct Args {
        std::string name;
        bool json = false;
        bool quiet = false;
        bool markdown = false;
    };
    CLI::App* command = app.add_subcommand(
        "traits", "List the traits of agents, the presets and the populations, or show one");
    command->footer(kExample);
    auto args = std::make_shared<Args>();
    command->add_option("NAME", args->name, "Show this preset, population or trait");
    CLI::Option* json = command->add_flag("--json", args->json, "Print JSON");
    command->add_flag("--quiet", args->quiet, "Print nothing but errors (and the JSON)");
    command->add_flag("--markdown", args->markdown, "Print all of it as a page of docs")
        ->excludes(json);
    command->callback([args, &exit_code] {
        const Output output = args->json ? Output::json : args->quiet ? Output::none : Output::text;
        if (!args->markdown) {
            exit_code = args->name.empty() ? list_all(output) : show_one(args->name, output);
            return;
        }
        if (!args->name.empty()) {
            exit_code =
                fail(kExitBadUsage, "--markdown is the page of all traits", "leave the name out");
            return;
        }
        if (output == Output::text) say(stdout, traits_page());
        exit_code = finish_output(kExitDone);
    });
}

}  // namespace sidestep::cli
