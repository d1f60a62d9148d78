// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis_summary.hpp"
#include "analysis_tables.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "measure_args.hpp"

#include <sidestep/analysis.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>

namespace sidestep::cli {
namespace {

struct AnalyzeArgs {
    std::string recording;
    MeasureArgs measure;
    std::string tables;
    bool force = false;
    bool json = false;
    bool quiet = false;
};

int refuse(const Error& error, std::string_view hint = {})
{
    return fail(error.code == ErrorCode::out_of_memory ? kExitFault : kExitBadUsage, error.message,
                hint);
}

int cmd_analyze(const AnalyzeArgs& args)
{
    const auto options = to_analysis_options(args.measure);
    if (!options) return refuse(options.error());
    const auto load = to_load_options(args.measure);
    if (!load) return refuse(load.error());
    if (!args.tables.empty()) {
        if (auto checked = check_tables_folder(args.tables); !checked)
            return refuse(checked.error());
    }
    Trajectories trajectories;
    if (const int exit_code = load_recording(args.recording, *load, args.quiet, trajectories);
        exit_code != kExitDone) {
        return exit_code;
    }
    const auto analysis = analyze(trajectories, *options);
    if (!analysis) return refuse(analysis.error());
    if (!args.tables.empty()) {
        const auto tables = make_tables(trajectories, *analysis);
        if (auto written = write_tables(args.tables, tables, args.force); !written) {
            if (written.error().code == ErrorCode::io)
                return fail(kExitFault, written.error().message);
            return refuse(written.error(), "--force replaces it");
        }
    }
    if (args.json) {
        say(stdout, to_json(trajectories, *analysis) + '\n');
    } else if (!args.quiet) {
        for (const auto& notes : {cautions_of(trajectories), analysis->notes}) {
            for (const std::string& note : notes) warn_of(args.recording, note);
        }
        say(stdout, to_text(trajectories, *analysis));
    }
    return finish_output(kExitDone);
}

constexpr const char* kFooter =
    "Recordings of other programs are read, too: .sqlite of JuPedSim, .h5 and .txt of the "
    "pedestrian\n"
    "data archive, .csv, TrajNet++ .ndjson. docs/metrics says what each figure means.\n"
    "\n"
    "Example: flow through a door 1.2 m wide, and the fundamental diagram of the metre before it\n"
    "  sidestep run bottleneck -o run.sqlite\n"
    "  sidestep analyze run.sqlite --line door:0,0.6,0,-0.6 --area before:-1.5,-0.5,-0.5,0.5 "
    "--tables out\n"
    "\n"
    "Exit codes: 0 done, 2 bad usage or recording, 3 disk or memory.";

}  // namespace

void add_analyze(CLI::App& app, int& exit_code)
{
    CLI::App* command = app.add_subcommand("analyze", "Measure a recording");
    command->footer(kFooter);
    auto args = std::make_shared<AnalyzeArgs>();
    command->add_option("RECORDING", args->recording, "A recording, ours or of another program")
        ->required();
    add_measure_options(*command, args->measure);
    command->add_option("--tables", args->tables, "Write the series as .csv files into a folder")
        ->type_name("DIR")
        ->check([](const std::string& folder) { return folder.empty() ? "needs a name" : ""; });
    command->add_flag("--force", args->force, "Replace tables that are there");
    command->add_flag("--json", args->json, "Print all figures as one JSON object");
    command->add_flag("--quiet", args->quiet, "Print nothing but errors (and the JSON)");
    command->callback([args, &exit_code] { exit_code = cmd_analyze(*args); });
}

}  // namespace sidestep::cli
