// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console.hpp"

#include <sidestep/models.hpp>
#include <sidestep/scenario.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

struct SceneRow {
    std::string_view name;
    std::string_view text;
    std::uint64_t agents = 0;  ///< at the start
    bool more_come = false;    ///< from sources
    std::string description;
    std::string figure;
};

/// As the plan says; nothing is placed.
std::uint64_t count_agents(const AgentsPlan& plan)
{
    switch (plan.placement) {
        case AgentsPlan::Placement::positions:
            return plan.choose ? plan.count : plan.positions.size();
        case AgentsPlan::Placement::lattice: return std::uint64_t{plan.columns} * plan.rows;
        case AgentsPlan::Placement::area:
        case AgentsPlan::Placement::ring: break;
    }
    return plan.count;
}

/// False after saying what is wrong with a scene of ours.
bool read(const SceneInfo& scene, SceneRow& row)
{
    const ReadScenario read = parse_scenario(scene.text, std::string(scene.name), {{}, models()});
    if (!read.scenario) {
        fail(read.problems);
        return false;
    }
    row = {scene.name,
           scene.text,
           0,
           !read.scenario->sources.empty(),
           read.scenario->world.description,
           read.scenario->world.figure};
    for (const AgentsPlan& plan : read.scenario->agents) row.agents += count_agents(plan);
    return true;
}

Json to_json(const SceneRow& row)
{
    return {{"name", row.name},
            {"agents", row.agents},
            {"more_come", row.more_come},
            {"description", row.description},
            {"figure", row.figure}};
}

int list_scenes(Output output)
{
    Table table({"name", "agents", "figure", "shows"});
    table.align_right(1);
    Json array = Json::array();
    int exit_code = kExitDone;
    for (const SceneInfo& scene : scenes()) {
        SceneRow row;
        if (!read(scene, row)) {
            exit_code = kExitFault;
            continue;
        }
        array.push_back(to_json(row));
        table.add({std::string(row.name), group_digits(row.agents) + (row.more_come ? "+" : ""),
                   row.figure, row.description});
    }
    if (output == Output::json) {
        say(stdout, array.dump() + '\n');
    } else if (output == Output::text) {
        table.print(stdout);
    }
    return finish_output(exit_code);
}

int show_scene(const std::string& name, Output output)
{
    std::vector<std::string_view> known;
    for (const SceneInfo& scene : scenes()) {
        known.push_back(scene.name);
        if (scene.name != name) continue;
        if (output != Output::json) {
            if (output == Output::text) say(stdout, std::string(scene.text));
            return finish_output(kExitDone);
        }
        SceneRow row;
        if (!read(scene, row)) return kExitFault;
        Json object = to_json(row);
        object["text"] = row.text;
        say(stdout, object.dump() + '\n');
        return finish_output(kExitDone);
    }
    return fail(kExitBadUsage, fmt::format("there is no scene '{}'", name), hint_from(name, known));
}

constexpr const char* kExample =
    "A + after the number of agents: more come while it runs.\n"
    "\n"
    "Example: take a scene, change it, run it\n"
    "  sidestep scenes two-head-on > mine.toml\n"
    "  sidestep run mine.toml";

}  // namespace

void add_scenes(CLI::App& app, int& exit_code)
{
    CLI::App* command =
        app.add_subcommand("scenes", "List the scenes that are shipped, or print one");
    command->footer(kExample);
    auto name = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    auto quiet = std::make_shared<bool>(false);
    command->add_option("NAME", *name, "Print the file of this scene, to save and change it");
    command->add_flag("--json", *json, "Print JSON");
    command->add_flag("--quiet", *quiet, "Print nothing but errors (and the JSON)");
    command->callback([name, json, quiet, &exit_code] {
        const Output output = *json ? Output::json : *quiet ? Output::none : Output::text;
        exit_code = name->empty() ? list_scenes(output) : show_scene(*name, output);
    });
}

}  // namespace sidestep::cli
