// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

/// Each command lives in one file `cmd_NAME.cpp`, which defines one function `add_NAME`: it
/// declares the options of the command and hangs the work on the command's callback. The callback
/// leaves its result in `exit_code`, which outlives the parse; it neither throws nor exits.
namespace sidestep::cli {

/// What the program hands back to the shell.
enum ExitCode : int {
    kExitDone = 0,  ///< the work is done
    kExitCheckFailed =
        1,  ///< a check failed: an expectation, a verification, a `solve` line with an error
    kExitBadUsage = 2,  ///< the command line or an input is wrong
    kExitFault = 3,     ///< disk, memory, interrupted
};

void add_run(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_scenes(CLI::App& app, int& exit_code);
void add_models(CLI::App& app, int& exit_code);
void add_traits(CLI::App& app, int& exit_code);
void add_help(CLI::App& app, int& exit_code);
void add_solve(CLI::App& app, int& exit_code);
void add_analyze(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_reproduce(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);

}  // namespace sidestep::cli
