// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include <sidestep/version.hpp>
#include <sidestep/world.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string>

namespace {

std::string version_text()
{
    return fmt::format("sidestep {}\ncommit: {}\ncompiler: {}\ninstruction sets: {}",
                       sidestep::version(), sidestep::commit(), sidestep::compiler(),
                       fmt::join(sidestep::instruction_sets(), ", "));
}

constexpr const char* kDescription =
    "Sidestep moves crowds: many agents walk to their goals without running into each other.";

constexpr const char* kFooter =
    "Each command explains itself with --help, for example `sidestep run --help`.\n"
    "\n"
    "Example: run a shipped scene, record it, and ask the recording for the last frame\n"
    "  sidestep scenes\n"
    "  sidestep run two-head-on -o two.sqlite\n"
    "  sqlite3 two.sqlite 'SELECT max(frame) FROM trajectory_data'\n"
    "\n"
    "Exit codes: 0 done, 1 a check failed, 2 bad usage or input, 3 run-time fault.";

/// CLI11 takes a word that is no command for a missing command; say which word it was.
bool names_no_command(const CLI::App& app, const std::string& word)
{
    if (word.empty() || word.front() == '-') return false;
    return app.get_subcommands([&](const CLI::App* command) { return command->check_name(word); })
        .empty();
}

/// CLI11 numbers its errors from 100 upwards; whatever is wrong with a command line is bad usage to
/// us.
int report_parse_end(const CLI::App& app, const CLI::ParseError& end)
{
    return app.exit(end) == 0 ? sidestep::cli::kExitDone : sidestep::cli::kExitBadUsage;
}

int run(int argc, char** argv)
{
    CLI::App app{kDescription, "sidestep"};
    app.set_version_flag("--version", version_text,
                         "Print version, commit, compiler and instruction sets");
    app.footer(kFooter);
    app.failure_message([](const CLI::App*, const CLI::Error& error) {
        return fmt::format("error: {}\nhint: --help explains the options\n", error.what());
    });
    app.require_subcommand(0, 1);  // none: see below, CLI11 would not say what it made of the rest
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");

    int exit_code = sidestep::cli::kExitDone;
    sidestep::cli::add_run(app, exit_code);
    sidestep::cli::add_check(app, exit_code);
    sidestep::cli::add_convert(app, exit_code);
    sidestep::cli::add_scenes(app, exit_code);
    sidestep::cli::add_models(app, exit_code);
    sidestep::cli::add_traits(app, exit_code);
    sidestep::cli::add_help(app, exit_code);
    sidestep::cli::add_solve(app, exit_code);
    sidestep::cli::add_analyze(app, exit_code);
    sidestep::cli::add_report(app, exit_code);
    sidestep::cli::add_explain(app, exit_code);
    sidestep::cli::add_reproduce(app, exit_code);
    sidestep::cli::add_bench(app, exit_code);
    for (CLI::App* command : app.get_subcommands(nullptr)) command->group("Commands");

    if (argc > 1 && names_no_command(app, argv[1])) {
        fmt::print(stderr, "error: there is no command '{}'\nhint: `sidestep --help` lists them\n",
                   argv[1]);
        return sidestep::cli::kExitBadUsage;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& end) {  // also --help and --version
        return report_parse_end(app, end);
    }
    if (app.get_subcommands().empty()) {
        fmt::print(stderr, "{}", app.help());
        return sidestep::cli::kExitBadUsage;
    }
    return exit_code;
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        return run(argc, argv);
    } catch (const std::exception& fault) {  // out of memory, a standard stream that fails
        std::fprintf(stderr, "error: %s\n", fault.what());
        return sidestep::cli::kExitFault;
    }
}
