// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console.hpp"
#include "load_scenario.hpp"

#include <sidestep/simulation.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CheckArgs {
    std::string scenario;
    std::vector<std::string> settings;
    bool json = false;
    bool quiet = false;
};

/// What the scenario holds, in a line.
std::string summarise(const Scenario& scenario)
{
    std::uint64_t agents = 0;
    for (const AgentsPlan& group : scenario.agents) agents += group.count;
    std::string text =
        fmt::format("{}: {}", scenario.world.name, count_of(agents, "agent", "agents"));
    if (!scenario.sources.empty()) {
        text += ", " + count_of(scenario.sources.size(), "source", "sources");
    }
    text += scenario.floors.empty() ? std::string(", open plane")
                                    : ", " + count_of(scenario.floors.size(), "floor", "floors");
    text += ", " + count_of(scenario.walls.size(), "wall", "walls");
    text += ", " + count_of(scenario.goals.size(), "goal", "goals");
    return text;
}

int report(const CheckArgs& args, const std::optional<Scenario>& scenario, const Problems& problems)
{
    if (!scenario || !problems.empty()) return refuse(problems, args.json);
    if (args.json) {
        const Json answer{
            {"ok", true}, {"problems", Json::array()}, {"summary", summarise(*scenario)}};
        say(stdout, answer.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
    } else if (!args.quiet) {
        say(stdout, fmt::format("ok: {}\n", summarise(*scenario)));
    }
    return finish_output(kExitDone);
}

int cmd_check(const CheckArgs& args)
{
    Problems problems;
    const std::vector<Override> overrides = split_overrides(args.settings, problems);
    const std::optional<Scenario> scenario = load(args.scenario, overrides, {}, problems);
    // Whether people and goals fit on the floor shows when they are put there.
    if (scenario && problems.empty()) (void)Simulation::create(*scenario, {}, problems);
    return report(args, scenario, problems);
}

constexpr const char* kFooter =
    "Prints everything that is wrong, each with file, line and column and a hint.\n"
    "\n"
    "Example:\n"
    "  sidestep check corridor.toml --set world.seed=7\n"
    "  error: corridor.toml:9:8: there is no goal 'exti'\n"
    "  hint: did you mean 'exit'?\n"
    "\n"
    "Exit codes: 0 the scenario is good, 2 it is not, 3 memory.";

}  // namespace

void add_check(CLI::App& app, int& exit_code)
{
    CLI::App* command = app.add_subcommand("check", "Check a scenario file, all of it at once");
    command->footer(kFooter);
    auto args = std::make_shared<CheckArgs>();
    command->add_option("SCENARIO", args->scenario, "A file, or the name of a shipped scene")
        ->required();
    command
        ->add_option("--set", args->settings,
                     "Change a value of the file: key=value, the key a dotted path")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command->add_flag("--json", args->json, "Print the answer as JSON");
    command->add_flag("--quiet", args->quiet, "Print nothing but errors (and the JSON)");
    command->callback([args, &exit_code] { exit_code = cmd_check(*args); });
}

}  // namespace sidestep::cli
