// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console.hpp"
#include "measure_args.hpp"
#include "output_file.hpp"

#include <sidestep/analysis.hpp>
#include <sidestep/report.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ReportArgs {
    std::string recording, other;         ///< as given
    std::vector<std::string> recordings;  ///< those that there are
    bool compare = false;
    MeasureArgs measure;
    std::string output, png, svg;
    std::string title;
    std::optional<std::int64_t> level;
    std::optional<double> at;
    std::optional<std::int64_t> width;
    bool dark = false;
    bool tracks = false;
    bool force = false;
    bool json = false;
    bool quiet = false;

    bool wants_still() const { return !png.empty() || !svg.empty(); }
    bool wants_page() const { return !wants_still() || !output.empty(); }
};

/// A file that is made.
struct Made {
    std::string kind, path;
    std::string bytes;
};

// -------------------------------------------------------------------------------------- arguments

/// RECORDING's name with .html, in its folder.
std::string page_path(const ReportArgs& args)
{
    if (!args.output.empty()) return args.output;
    std::filesystem::path path(args.recordings.front());
    if (args.recordings.size() > 1) {
        const std::string other = std::filesystem::path(args.recordings[1]).stem().string();
        path.replace_filename(path.stem().string() + "-" + other + ".html");
        return path.string();
    }
    return path.replace_extension(".html").string();
}

std::vector<std::string> outputs(const ReportArgs& args)
{
    std::vector<std::string> paths;
    if (args.wants_page()) paths.push_back(page_path(args));
    if (!args.png.empty()) paths.push_back(args.png);
    if (!args.svg.empty()) paths.push_back(args.svg);
    return paths;
}

int check_recordings(const ReportArgs& args)
{
    if (args.compare && args.recordings.size() != 2) {
        return fail(kExitBadUsage, "--compare: needs two recordings",
                    "sidestep report --compare A.sqlite B.sqlite");
    }
    if (!args.compare && args.recordings.size() > 1) {
        return fail(kExitBadUsage, "a report is of one recording",
                    "--compare puts two runs side by side");
    }
    if (args.compare && args.wants_still()) {
        return fail(kExitBadUsage, "--png and --svg draw one recording, without --compare");
    }
    return kExitDone;
}

int check_numbers(const ReportArgs& args)
{
    constexpr std::int64_t kMostLevel = 65535;
    if (args.level && (*args.level < 0 || *args.level > kMostLevel)) {
        return fail(kExitBadUsage,
                    fmt::format("--level: must be in [0, {}], got {}", kMostLevel, *args.level));
    }
    if (args.at && !std::isfinite(*args.at)) {
        return fail(kExitBadUsage, fmt::format("--at: {} is no time", *args.at));
    }
    if (args.width && (*args.width < 200 || *args.width > 8000)) {
        return fail(kExitBadUsage,
                    fmt::format("--width: must be in [200, 8000], got {}", *args.width));
    }
    if (!args.wants_still() && (args.at || args.width || args.dark || args.tracks)) {
        return fail(kExitBadUsage, "--at, --width, --dark and --tracks are for pictures",
                    "give --png FILE or --svg FILE too");
    }
    return kExitDone;
}

bool ends_with(const std::string& path, std::string_view ending)
{
    if (path.size() < ending.size()) return false;
    return std::equal(ending.begin(), ending.end(),
                      path.end() - static_cast<std::ptrdiff_t>(ending.size()),
                      [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
}

/// A picture under the name of a page would surprise whoever opens it.
int check_endings(const ReportArgs& args)
{
    const struct File {
        const char* option;
        const std::string& path;
        std::vector<std::string_view> endings;
    } files[] = {{"-o", args.output, {".html", ".htm"}},
                 {"--png", args.png, {".png"}},
                 {"--svg", args.svg, {".svg"}}};
    for (const File& file : files) {
        const bool is_right =
            file.path.empty() ||
            std::any_of(file.endings.begin(), file.endings.end(),
                        [&](std::string_view ending) { return ends_with(file.path, ending); });
        if (is_right) continue;
        return fail(
            kExitBadUsage,
            fmt::format("{}: {} does not end in {}", file.option, file.path, file.endings[0]),
            "-o makes a page (.html), --png a picture (.png), --svg a drawing (.svg)");
    }
    return kExitDone;
}

int check_outputs(const ReportArgs& args)
{
    const std::vector<std::string> paths = outputs(args);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        for (const std::string& recording : args.recordings) {
            std::error_code ignored;
            if (std::filesystem::equivalent(paths[i], recording, ignored)) {
                return fail(kExitBadUsage, paths[i] + ": is the recording itself",
                            "give the new file another name");
            }
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (paths[i] != paths[j]) continue;
            return fail(kExitBadUsage, paths[i] + ": is named twice");
        }
        const Result<void> usable = check_output_file(paths[i], args.force);
        if (usable) continue;
        if (usable.error().code == ErrorCode::io) return fail(kExitFault, usable.error().message);
        return fail(kExitBadUsage, usable.error().message, "--force replaces it");
    }
    return kExitDone;
}

/// A recording that cannot be read is bad input.
int refuse(const Error& error)
{
    return fail(error.code == ErrorCode::out_of_memory ? kExitFault : kExitBadUsage, error.message);
}

// ----------------------------------------------------------------------------------------- making

std::optional<std::uint16_t> level_of(const ReportArgs& args)
{
    if (!args.level) return std::nullopt;
    return static_cast<std::uint16_t>(*args.level);
}

Result<std::string> make_page(const ReportArgs& args, const std::vector<Trajectories>& loaded,
                              const AnalysisOptions& options)
{
    std::vector<Analysis> analyses;
    for (const Trajectories& trajectories : loaded) {
        auto analysis = analyze(trajectories, options);
        if (!analysis) return analysis.error();
        analyses.push_back(*std::move(analysis));
    }
    std::vector<ReportRun> runs;
    for (std::size_t i = 0; i < loaded.size(); ++i) runs.push_back({&loaded[i], &analyses[i], {}});
    ReportOptions report;
    report.title = args.title;
    report.level = level_of(args);
    return make_report(runs, report);
}

Result<std::vector<Made>> make_files(const ReportArgs& args,
                                     const std::vector<Trajectories>& loaded,
                                     const AnalysisOptions& options)
{
    StillOptions still;
    // Tracks are what was walked up to then: without a time, to the end.
    const bool is_whole = args.tracks && !loaded.front().frames.empty();
    still.time =
        args.at.value_or(is_whole ? loaded.front().time_of(loaded.front().frames.size() - 1) : 0.0);
    still.level = level_of(args);
    still.width = static_cast<std::uint32_t>(args.width.value_or(still.width));
    still.dark = args.dark;
    still.tracks = args.tracks;
    std::vector<Made> made;
    std::optional<Error> error;
    const auto keep = [&](const char* kind, const std::string& path, Result<std::string> bytes) {
        if (bytes) {
            made.push_back({kind, path, *std::move(bytes)});
        } else {
            error = bytes.error();
        }
    };
    if (!args.png.empty()) keep("png", args.png, draw_still_png(loaded.front(), still));
    if (!error && !args.svg.empty()) {
        keep("svg", args.svg, draw_still_svg(loaded.front(), still));
    }
    if (!error && args.wants_page()) {
        keep("html", page_path(args), make_page(args, loaded, options));
    }
    if (error) return *error;
    return made;
}

std::string size_text(std::size_t bytes)
{
    const auto size = static_cast<double>(bytes);
    return bytes < 1'000'000 ? fmt::format("{:.0f} kB", std::ceil(size / 1e3))
                             : fmt::format("{:.1f} MB", size / 1e6);
}

int tell(const ReportArgs& args, const std::vector<Trajectories>& loaded,
         const std::vector<Made>& made)
{
    if (args.json) {
        Json files = Json::array(), runs = Json::array();
        for (const Made& file : made) {
            files.push_back(
                {{"kind", file.kind}, {"path", file.path}, {"bytes", file.bytes.size()}});
        }
        for (std::size_t i = 0; i < loaded.size(); ++i) {
            runs.push_back({{"recording", args.recordings[i]},
                            {"frames", loaded[i].frames.size()},
                            {"walkers", loaded[i].walkers.size()},
                            {"damage", loaded[i].damage}});
        }
        const Json json{{"files", files}, {"runs", runs}};
        say(stdout, json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
    } else if (!args.quiet) {
        for (const Made& file : made) {
            say(stdout, fmt::format("{} ({})\n", file.path, size_text(file.bytes.size())));
        }
    }
    return finish_output(kExitDone);
}

/// Says what stands on top of the page, and which moment is drawn if not the one asked for.
void warn(const ReportArgs& args, const std::string& recording, const Trajectories& t)
{
    for (const std::string& caution : cautions_of(t)) warn_of(recording, caution);
    if (args.quiet || !args.at || t.frames.empty()) return;
    const double begin = t.time_of(0), end = t.time_of(t.frames.size() - 1);
    if (*args.at > end || *args.at < begin) {
        say(stderr, fmt::format("note: --at {}: {} is from {:.6g} to {:.6g} s; the picture shows "
                                "{:.6g} s\n",
                                *args.at, recording, begin, end, *args.at > end ? end : begin));
    }
}

int cmd_report(const ReportArgs& args)
{
    for (const auto check : {check_recordings, check_numbers, check_outputs, check_endings}) {
        if (const int exit_code = check(args); exit_code != kExitDone) return exit_code;
    }
    const auto options = to_analysis_options(args.measure);
    if (!options) return refuse(options.error());
    const auto load = to_load_options(args.measure);
    if (!load) return refuse(load.error());
    std::vector<Trajectories> loaded;
    for (const std::string& recording : args.recordings) {
        if (const int exit_code =
                load_recording(recording, *load, args.quiet, loaded.emplace_back());
            exit_code != kExitDone) {
            return exit_code;
        }
        warn(args, recording, loaded.back());
    }
    // All of them are made before the first is written: a page that fails leaves no picture behind.
    const auto made = make_files(args, loaded, *options);
    if (!made) return refuse(made.error());
    for (const Made& file : *made) {
        if (auto written = write_output_file(file.path, file.bytes, args.force); !written) {
            return fail(kExitFault, written.error().message);
        }
    }
    return tell(args, loaded, *made);
}

constexpr const char* kExample =
    "The page needs nothing but a browser: no network, no other files. Without -o it has the\n"
    "recording's name with .html. docs/report.md tells what is in it.\n"
    "\n"
    "Example: record a run, show it; compare it with another; draw the moment at 30 s\n"
    "  sidestep run evac-1k -o evac.sqlite\n"
    "  sidestep report evac.sqlite\n"
    "  sidestep run evac-1k --seed 2 -o other.sqlite\n"
    "  sidestep report --compare evac.sqlite other.sqlite -o both.html\n"
    "  sidestep report evac.sqlite --png evac.png --at 30\n"
    "\n"
    "Exit codes: 0 done, 2 bad usage or recording, 3 disk or memory.";

std::string needs_name(const std::string& file)
{
    return file.empty() ? "needs a name" : "";
}

}  // namespace

void add_report(CLI::App& app, int& exit_code)
{
    CLI::App* command = app.add_subcommand("report", "Show a recording as one HTML page");
    command->footer(kExample);
    auto args = std::make_shared<ReportArgs>();
    command->add_option("RECORDING", args->recording, "A recording, ours or of another program")
        ->required();
    command->add_option("OTHER", args->other, "With --compare: the recording beside it");
    command->add_option("-o,--output", args->output, "The page")
        ->type_name("FILE.html")
        ->check(needs_name);
    command->add_flag("--compare", args->compare, "Put two recordings side by side");
    command->add_option("--title", args->title, "Title, instead of the scene's name")
        ->type_name("TEXT");
    command->add_option("--png", args->png, "Draw a moment as a picture, instead of the page")
        ->type_name("FILE.png")
        ->check(needs_name);
    command->add_option("--svg", args->svg, "The same as a drawing")
        ->type_name("FILE.svg")
        ->check(needs_name);
    command->add_option("--at", args->at, "The moment of the picture; the nearest frame")
        ->type_name("SECONDS");
    command->add_option("--width", args->width, "Width of the picture, 200 to 8000; else 1200")
        ->type_name("PIXELS");
    command->add_flag("--dark", args->dark, "Draw the picture on dark ground");
    command->add_flag("--tracks", args->tracks,
                      "Draw the ways up to that moment, too; without --at to the end");
    command->add_option("--level", args->level, "The level drawn, or shown first")->type_name("N");
    add_measure_options(*command, args->measure);
    command->add_flag("--force", args->force, "Replace files that are there");
    command->add_flag("--json", args->json, "Print what was made as one JSON object");
    command->add_flag("--quiet", args->quiet, "Print nothing but errors (and the JSON)");
    command->callback([args, &exit_code] {
        args->recordings = {args->recording};
        if (!args->other.empty()) args->recordings.push_back(args->other);
        exit_code = cmd_report(*args);
    });
}

}  // namespace sidestep::cli
