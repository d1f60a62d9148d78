// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console.hpp"
#include "load_scenario.hpp"
#include "progress.hpp"
#include "recording_output.hpp"
#include "run_summary.hpp"
#include "stop_signals.hpp"

#include <sidestep/recording.hpp>
#include <sidestep/simulation.hpp>
#include <sidestep/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sidestep::cli {
namespace {

struct RunArgs {
    std::string scenario;
    std::string output;
    bool force = false;
    std::string model;
    std::int64_t threads = 0;
    std::string isa{to_string(Isa::automatic)};
    std::optional<std::int64_t> seed;
    std::optional<double> until;
    std::optional<double> every;
    std::vector<std::string> settings;
    bool json = false;
    bool quiet = false;
    bool no_progress = false;
};

// ------------------------------------------------------------------------------------- arguments

/// More threads than this are a slip of the keyboard.
constexpr std::int64_t kMostThreads = 1024;
/// As for the duration in a scenario [s].
constexpr double kLongestRun = 1e6;

int check(const RunArgs& args)
{
    const auto positive = [](double value) { return value > 0.0 && std::isfinite(value); };
    if (args.until && !(positive(*args.until) && *args.until <= kLongestRun)) {
        return fail(kExitBadUsage,
                    fmt::format("--until: must be in (0, {}] s, got {}", kLongestRun, *args.until));
    }
    if (args.every && !positive(*args.every)) {
        return fail(kExitBadUsage, fmt::format("--every: must be > 0 s, got {}", *args.every));
    }
    if (args.threads < 0 || args.threads > kMostThreads) {
        return fail(kExitBadUsage, fmt::format("--threads: must be in [0, {}], got {}",
                                               kMostThreads, args.threads));
    }
    if (args.seed && *args.seed < 0) {
        return fail(kExitBadUsage, fmt::format("--seed: must be >= 0, got {}", *args.seed));
    }
    int exit_code = check_isa(args.isa);
    if (exit_code == kExitDone && !args.model.empty()) exit_code = check_model(args.model);
    if (exit_code == kExitDone && !args.output.empty()) {
        exit_code =
            check_recording_output(args.output, args.force, args.scenario, "the scenario itself");
    }
    return exit_code;
}

SimulationOptions to_options(const RunArgs& args)
{
    SimulationOptions options;
    options.threads = static_cast<std::uint32_t>(args.threads);
    options.isa = *to_isa(args.isa);
    if (args.seed) options.seed = static_cast<std::uint64_t>(*args.seed);
    options.duration = args.until;
    if (!args.model.empty()) options.model = args.model;
    return options;
}

// ------------------------------------------------------------------------------------- recording

/// The recording of a run, where one is asked for; else every call does nothing.
class Recording {
public:
    Result<void> open(const RunArgs& args, const Simulation& simulation)
    {
        if (args.output.empty()) return {};
        RecordingInfo info = simulation.recording_info();
        info.facts.emplace_back("model", simulation.summary().model);
        info.facts.emplace_back("commit", commit());
        auto recorder = Recorder::open(args.output, info, args.force);
        if (!recorder) return recorder.error();
        recorder_.emplace(*std::move(recorder));
        output_ = args.output;
        return {};
    }

    /// The state now and what has led to it.
    Result<void> take(Simulation& simulation, bool frame_is_due)
    {
        if (!recorder_) return {};
        if (auto done = recorder_->append(simulation.take_notes()); !done) return done;
        if (!frame_is_due) return {};
        RecordedFrame frame;
        simulation.fill(frame);
        frame.number = static_cast<std::int64_t>(frames_);
        if (auto done = recorder_->append(std::move(frame)); !done) return done;
        ++frames_;
        return {};
    }

    Result<void> close(const RunResult& result, const char* signal)
    {
        if (!recorder_) return {};
        const RunSummary& s = result.summary;
        RecordedFacts facts{{"state_hash", to_hex(s.state_hash)},
                            {"steps", fmt::format("{}", s.steps)},
                            {"sim_time", fmt::format("{}", s.sim_time)}};
        if (result.interrupted) {
            facts.emplace_back("interrupted", fmt::format("{} after step {}", signal, s.steps));
        }
        if (const auto& fault = result.fault) {
            facts.emplace_back("fault", fmt::format("agent {}, step {}: {}", fault->agent,
                                                    fault->step, fault->cause));
        }
        return recorder_->close(std::move(facts));
    }

    std::uint64_t frames() const { return frames_; }
    /// Where the frames are after an Error, for a person.
    std::string left() const
    {
        const std::string file = recorder_ ? recorder_->unfinished_file() : std::string();
        if (!file.ends_with(".part")) return "the frames written before are whole";
        const auto ending = std::filesystem::path(output_).extension().string();
        return fmt::format(
            "whole frames written before are in {}: give it a name that ends in {}, and "
            "`sidestep convert --recover` takes them",
            file, ending);
    }

private:
    std::optional<Recorder> recorder_;
    std::string output_;
    std::uint64_t frames_ = 0;
};

// ------------------------------------------------------------------------------------------- run

/// Steps until the end, a signal, a fault (which it leaves in `result`) or an Error of the file.
Result<void> simulate(Simulation& simulation, Recording& recording, const StopSignals& stop,
                      Progress& progress, RunResult& result)
{
    if (auto done = recording.take(simulation, true); !done) return done;  // frame 0 is the start
    while (!simulation.finished() && !stop.arrived()) {
        StepReport report = simulation.step();
        if (report.fault) {
            result.fault = std::move(report.fault);
            break;
        }
        if (auto done = recording.take(simulation, simulation.frame_is_due()); !done) return done;
        const World& world = simulation.world();
        progress.update(world.time(), world.step_index(), world.size());
    }
    return {};
}

int report(const RunArgs& args, const RunResult& result)
{
    if (args.json) {
        say(stdout, to_json(result) + '\n');
    } else if (!args.quiet) {
        say(stdout, to_text(result, shows_colour(stdout)));
    }
    int exit_code = finish_output(kExitDone);
    if (const auto& fault = result.fault) {
        return fail(kExitFault,
                    fmt::format("agent {}, step {}: {}", fault->agent, fault->step, fault->cause));
    }
    if (result.interrupted || exit_code != kExitDone) return kExitFault;
    for (const ExpectResult& expect : result.expect) {
        if (expect.met) continue;
        exit_code = kExitCheckFailed;
        if (args.quiet) fail(exit_code, "not met: " + expect.message);
    }
    return exit_code;
}

int cmd_run(const RunArgs& args)
{
    if (const int exit_code = check(args); exit_code != kExitDone) return exit_code;
    StopSignals stop;
    Problems problems;
    std::vector<Override> overrides = split_overrides(args.settings, problems);
    if (args.every) overrides.emplace_back("world.output", fmt::format("{}", *args.every));
    if (!problems.empty()) return refuse(problems, args.json);
    const SimulationOptions options = to_options(args);
    const std::optional<Scenario> scenario =
        load(args.scenario, overrides, options.model, problems);
    if (!scenario) return refuse(problems, args.json);
    std::optional<Simulation> simulation = Simulation::create(*scenario, options, problems);
    if (!simulation) return refuse(problems, args.json);

    stop.wait_for_work();  // from here on there is a file to close
    Recording recording;
    if (auto opened = recording.open(args, *simulation); !opened) {
        return fail(exit_code_of_write(opened.error()), opened.error().message);
    }
    RunResult result;
    Result<void> written;
    {
        Progress progress(!args.quiet && !args.no_progress, simulation->duration());
        written = simulate(*simulation, recording, stop, progress, result);
    }
    result.summary = simulation->summary();
    result.interrupted = stop.arrived() && !simulation->finished();
    if (!result.interrupted && !result.fault) result.expect = simulation->check_expectations();
    result.recording = args.output;
    result.frames = recording.frames();
    if (written) written = recording.close(result, stop.name());
    if (!written) {
        return fail(kExitFault, written.error().message,
                    fmt::format("after step {}; {}", result.summary.steps, recording.left()));
    }
    if (result.interrupted) {
        fail(kExitFault,
             fmt::format("stopped by {} after step {} ({:.2f} s){}", stop.name(),
                         result.summary.steps, result.summary.sim_time,
                         args.output.empty() ? "" : "; the recording ends there and is whole"));
    }
    return report(args, result);
}

/// ".sqlite, .h5 or .txt"
std::string endings()
{
    std::string text;
    const auto formats = recording_formats();
    for (std::size_t i = 0; i < formats.size(); ++i) {
        text += i == 0 ? "" : i + 1 == formats.size() ? " or " : ", ";
        text += formats[i].ending;
    }
    return text;
}

constexpr const char* kExample =
    "Without -o nothing is written but the summary. The state hash is the same for any number of\n"
    "threads, any instruction set, and with or without a recording.\n"
    "\n"
    "Example: two people meet head-on; then the same with wider shoulders, recorded\n"
    "  sidestep run two-head-on\n"
    "  sidestep run two-head-on --set profiles.default.radius=0.3 -o wide.sqlite\n"
    "\n"
    "`sidestep scenes` lists what is shipped, `sidestep scenes NAME > my.toml` gives a file to "
    "change.\n"
    "Exit codes: 0 done, 1 an [expect] of the scenario is not met, 2 bad usage or scenario,\n"
    "3 disk, memory or interrupted.";

}  // namespace

void add_run(CLI::App& app, int& exit_code)
{
    CLI::App* command = app.add_subcommand("run", "Simulate a scenario");
    command->footer(kExample);
    auto args = std::make_shared<RunArgs>();
    command->add_option("SCENARIO", args->scenario, "Scenario file, or the name of a shipped scene")
        ->required();
    command->add_option("-o,--output", args->output, "Write a recording; it ends in " + endings())
        ->type_name("FILE")
        ->check([](const std::string& file) { return file.empty() ? "needs a name" : ""; });
    command->add_flag("--force", args->force, "Replace the recording if there is one");
    command->add_option("--model", args->model, "Model of all agents, instead of the file's")
        ->type_name("NAME");
    command->add_option("--threads", args->threads, "Threads; 0: one per hardware thread")
        ->type_name("N");
    command->add_option("--isa", args->isa, "Instruction set: automatic, scalar, sse4, avx2, avx3")
        ->type_name("NAME");
    command->add_option("--seed", args->seed, "Seed, instead of the file's")->type_name("N");
    command->add_option("--until", args->until, "Simulated time, instead of the file's")
        ->type_name("SECONDS");
    command->add_option("--every", args->every, "Simulated time between recorded frames")
        ->type_name("SECONDS");
    command->add_option("--set", args->settings, "Change one value of the scenario; repeatable")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command->add_flag("--json", args->json, "Print the summary as one JSON object");
    command->add_flag("--quiet", args->quiet, "Print nothing but errors (and the JSON)");
    command->add_flag("--no-progress", args->no_progress, "Do not show how far it has come");
    command->callback([args, &exit_code] { exit_code = cmd_run(*args); });
}

}  // namespace sidestep::cli
