// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console.hpp"
#include "explanation_text.hpp"
#include "load_scenario.hpp"
#include "output_file.hpp"
#include "progress.hpp"

#include <sidestep/models.hpp>
#include <sidestep/report.hpp>
#include <sidestep/simulation.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sidestep::cli {
namespace {

struct ExplainArgs {
    std::string scenario;
    std::int64_t agent = 0;
    double at = 0.0;
    std::string model;
    std::vector<std::string> settings;
    std::string svg;
    bool force = false;
    bool json = false;
    bool quiet = false;
};

// -------------------------------------------------------------------------------------- arguments

int check_drawing(const ExplainArgs& args)
{
    if (args.svg.empty()) return kExitDone;
    std::error_code ignored;
    if (std::filesystem::equivalent(args.svg, args.scenario, ignored)) {
        return fail(kExitBadUsage, args.svg + ": is the scenario itself",
                    "give the drawing another name");
    }
    if (!args.svg.ends_with(".svg")) {
        return fail(kExitBadUsage, fmt::format("--svg: {} does not end in .svg", args.svg));
    }
    const Result<void> usable = check_output_file(args.svg, args.force);
    if (usable) return kExitDone;
    if (usable.error().code == ErrorCode::io) return fail(kExitFault, usable.error().message);
    return fail(kExitBadUsage, usable.error().message, "--force replaces it");
}

int check(const ExplainArgs& args)
{
    if (args.agent < 0 || args.agent >= std::int64_t{kNoAgent}) {
        return fail(kExitBadUsage, fmt::format("--agent: {} is no id of an agent", args.agent),
                    "agents are numbered from 0, in the order of the file");
    }
    if (!(args.at >= 0.0) || !std::isfinite(args.at)) {
        return fail(kExitBadUsage, fmt::format("--at: must be >= 0 s, got {}", args.at));
    }
    if (!args.model.empty()) {
        if (const int exit_code = check_model(args.model); exit_code != kExitDone) return exit_code;
    }
    return check_drawing(args);
}

// --------------------------------------------------------------------------------------- the work

int fail_of(const StepReport::Fault& fault)
{
    return fail(kExitFault,
                fmt::format("agent {}, step {}: {}", fault.agent, fault.step, fault.cause));
}

/// Steps to the state nearest to the time asked for, from which another step can be made.
int advance(const ExplainArgs& args, Simulation& simulation)
{
    const World& world = simulation.world();
    const double half = 0.5 * world.dt();
    if (args.at >= simulation.duration() - half) {
        return fail(kExitBadUsage,
                    fmt::format("--at {}: the run ends at {} s", args.at, simulation.duration()),
                    "give an earlier time, or a longer run with --set world.duration=SECONDS");
    }
    Progress progress(!args.quiet, args.at);
    while (world.time() < args.at - half && !simulation.finished()) {
        const StepReport report = simulation.step();
        if (report.fault) return fail_of(*report.fault);
        progress.update(world.time(), world.step_index(), world.size());
    }
    progress.clear();
    if (!simulation.finished()) return kExitDone;
    return fail(kExitBadUsage,
                fmt::format("--at {}: the run is over after {:.2f} s", args.at, world.time()),
                "nobody is under way any more; give an earlier time");
}

/// The agent is not in the world now.
int fail_to_find(const ExplainArgs& args, const Simulation& simulation)
{
    const World& world = simulation.world();
    const std::uint64_t came = world.added();
    if (static_cast<std::uint64_t>(args.agent) < came) {
        return fail(
            kExitBadUsage,
            fmt::format("--agent {}: is no longer there at {:.2f} s", args.agent, world.time()),
            "give an earlier time with --at");
    }
    const std::string known = came == 0   ? "nobody has come yet"
                              : came == 1 ? "there is agent 0 alone"
                                          : fmt::format("there are agents 0 to {}", came - 1);
    if (!simulation.scenario().sources.empty()) {
        return fail(kExitBadUsage,
                    fmt::format("--agent {}: has not come by {:.2f} s", args.agent, world.time()),
                    known + " so far; give a later time with --at");
    }
    return fail(kExitBadUsage, fmt::format("--agent {}: there is no such agent", args.agent),
                known);
}

/// The model of an agent, with its filter where it has one.
std::string model_words(const World& world, AgentHandle agent, const AgentState& state)
{
    std::string text{state.model};
    for (const ParamInfo& trait : traits()) {
        if (trait.name != "filter") continue;
        const auto value = world.trait(agent, trait.name);
        if (value && *value > 0.0 && *value < static_cast<double>(trait.choices.size()))
            text += fmt::format(", filter {}", trait.choices[static_cast<std::size_t>(*value)]);
    }
    return text;
}

/// What the coming step uses for the agent: it is made, and the agent watched in it.
int explain(const ExplainArgs& args, Simulation& simulation, Explained& explained)
{
    const World& world = simulation.world();
    const auto agent = world.find(static_cast<std::uint32_t>(args.agent));
    if (!agent) return fail_to_find(args, simulation);
    const auto state = world.agent(*agent);
    if (!state) return fail(kExitFault, state.error().message);
    explained.scene = simulation.summary().scene;
    explained.time = world.time();
    explained.level = state->level;
    explained.model = model_words(world, *agent, *state);
    if (const auto watched = simulation.watch(*agent); !watched)
        return fail(kExitFault, watched.error().message);
    const StepReport report = simulation.step();
    if (report.fault) return fail_of(*report.fault);
    const Explanation* why = world.watched(*agent);
    if (why == nullptr) {
        return fail(
            kExitBadUsage,
            fmt::format("--agent {}: an event removes it at {:.2f} s", args.agent, explained.time),
            "give an earlier time with --at");
    }
    explained.why = *why;
    return kExitDone;
}

int draw(const ExplainArgs& args, Explained& explained)
{
    if (args.svg.empty()) return kExitDone;
    const auto drawing = draw_velocities_svg(explained.why, title_of(explained));
    if (!drawing) return fail(kExitFault, drawing.error().message);
    if (auto written = write_output_file(args.svg, *drawing, args.force); !written)
        return fail(kExitFault, written.error().message);
    explained.drawing = args.svg;
    return kExitDone;
}

int cmd_explain(const ExplainArgs& args)
{
    if (const int exit_code = check(args); exit_code != kExitDone) return exit_code;
    Problems problems;
    const std::vector<Override> overrides = split_overrides(args.settings, problems);
    if (!problems.empty()) return refuse(problems, args.json);
    SimulationOptions options;
    if (!args.model.empty()) options.model = args.model;
    const std::optional<Scenario> scenario =
        load(args.scenario, overrides, options.model, problems);
    if (!scenario) return refuse(problems, args.json);
    std::optional<Simulation> simulation = Simulation::create(*scenario, options, problems);
    if (!simulation) return refuse(problems, args.json);

    Explained explained;
    int exit_code = advance(args, *simulation);
    if (exit_code == kExitDone) exit_code = explain(args, *simulation, explained);
    if (exit_code == kExitDone) exit_code = draw(args, explained);
    if (exit_code != kExitDone) return exit_code;
    if (args.json) {
        say(stdout, to_json(explained) + '\n');
    } else if (!args.quiet) {
        print_text(explained, stdout);
    }
    return finish_output(kExitDone);
}

constexpr const char* kExample =
    "Runs the scene to the step nearest to --at and tells what the agent does in that step and\n"
    "why: whom it minds, what is forbidden by whom, what it wanted and what it took.\n"
    "docs/explain.md tells how to read the drawing.\n"
    "\n"
    "Example: two people meet head-on; what does the first do after 2 s?\n"
    "  sidestep explain two-head-on --agent 0 --at 2\n"
    "  sidestep explain two-head-on --agent 0 --at 2 --model clearpath --svg velocities.svg\n"
    "\n"
    "Exit codes: 0 done, 2 bad usage or scenario, 3 disk or memory.";

}  // namespace

void add_explain(CLI::App& app, int& exit_code)
{
    CLI::App* command = app.add_subcommand("explain", "Tell why an agent does what it does");
    command->footer(kExample);
    auto args = std::make_shared<ExplainArgs>();
    command->add_option("SCENARIO", args->scenario, "Scenario file, or the name of a shipped scene")
        ->required();
    command->add_option("--agent", args->agent, "Id of the agent")->required()->type_name("ID");
    command->add_option("--at", args->at, "Simulated time; the nearest step, else the first")
        ->type_name("SECONDS");
    command->add_option("--model", args->model, "Model of all agents, instead of the file's")
        ->type_name("NAME");
    command->add_option("--set", args->settings, "Change one value of the scenario; repeatable")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--svg", args->svg, "Draw the velocities it chose from")
        ->type_name("FILE.svg")
        ->check([](const std::string& file) { return file.empty() ? "needs a name" : ""; });
    command->add_flag("--force", args->force, "Replace the drawing if there is one");
    command->add_flag("--json", args->json, "Print all of it as one JSON object");
    command->add_flag("--quiet", args->quiet, "Print nothing but errors (and the JSON)");
    command->callback([args, &exit_code] { exit_code = cmd_explain(*args); });
}

}  // namespace sidestep::cli
