// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console.hpp"
#include "output_file.hpp"

#include <sidestep/studies.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sidestep::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ReproduceArgs {
    std::vector<std::string> figures;
    std::string output;
    bool list = false;
    bool force = false;
    bool json = false;
    bool quiet = false;
};

std::vector<std::string_view> names()
{
    std::vector<std::string_view> found;
    for (const StudyInfo& info : studies()) found.push_back(info.name);
    return found;
}

/// The figures asked for, all if none are, and of a paper all: `ricks14`.
int choose(const ReproduceArgs& args, std::vector<std::string_view>& chosen)
{
    const std::vector<std::string_view> all = names();
    if (args.figures.empty()) chosen = all;
    for (std::string figure : args.figures) {
        // Papers are quoted in capitals.
        std::transform(figure.begin(), figure.end(), figure.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const std::size_t before = chosen.size();
        for (const std::string_view name : all) {
            if (name == figure || name.starts_with(figure + '-')) chosen.push_back(name);
        }
        if (chosen.size() == before) {
            return fail(kExitBadUsage, fmt::format("there is no figure '{}'", figure),
                        hint_from(figure, all, "sidestep reproduce --list names them"));
        }
    }
    // In the order of the list, each once.
    std::vector<std::string_view> ordered;
    for (const std::string_view name : all) {
        if (std::find(chosen.begin(), chosen.end(), name) != chosen.end()) ordered.push_back(name);
    }
    chosen = std::move(ordered);
    return kExitDone;
}

int list(const ReproduceArgs& args)
{
    if (args.json) {
        Json figures = Json::array();
        for (const StudyInfo& info : studies()) {
            figures.push_back({{"name", info.name},
                               {"paper", info.paper},
                               {"figure", info.figure},
                               {"title", info.title}});
        }
        say(stdout, Json{{"figures", figures}}.dump() + '\n');
    } else {
        Table table({"name", "paper", "figure", "title"});
        for (const StudyInfo& info : studies()) {
            table.add({std::string(info.name), std::string(info.paper), std::string(info.figure),
                       std::string(info.title)});
        }
        table.print(stdout);
    }
    return finish_output(kExitDone);
}

Json to_json(const StudyResult& result)
{
    Json numbers = Json::array();
    for (const StudyNumber& n : result.numbers) {
        numbers.push_back({{"what", n.what},
                           {"unit", n.unit},
                           {"paper", n.paper.empty() ? Json(nullptr) : Json(n.paper)},
                           {"expected", n.expected},
                           {"ours", n.ours},
                           {"tolerance", n.tolerance},
                           {"agrees", n.holds()},
                           {"as_printed", n.as_printed ? Json(*n.as_printed) : Json(nullptr)}});
    }
    return {
        {"name", result.info.name},   {"paper", result.info.paper}, {"figure", result.info.figure},
        {"title", result.info.title}, {"finding", result.finding},  {"agrees", result.holds()},
        {"numbers", numbers}};
}

void print(const StudyResult& result)
{
    say(stdout, fmt::format("{}  [{}] {}: {}\n", result.info.name, result.info.paper,
                            result.info.figure, result.info.title));
    Table table({"", "what", "paper", "expected", "ours", "verdict", "as printed"});
    for (const std::size_t column : {2u, 3u, 4u}) table.align_right(column);
    for (const StudyNumber& n : result.numbers) {
        table.add({"", n.unit.empty() ? n.what : fmt::format("{} [{}]", n.what, n.unit), n.paper,
                   fmt::format("{:.{}f}", n.expected, n.decimals),
                   fmt::format("{:.{}f}", n.ours, n.decimals), n.holds() ? "agrees" : "DIFFERS",
                   !n.as_printed   ? ""
                   : *n.as_printed ? "yes"
                                   : "NO"});
    }
    table.print(stdout);
    say(stdout, "  " + result.finding + "\n\n");
}

int cmd_reproduce(const ReproduceArgs& args)
{
    if (args.list) return list(args);
    std::vector<std::string_view> chosen;
    if (const int exit_code = choose(args, chosen); exit_code != kExitDone) return exit_code;
    if (!args.output.empty()) {
        const Result<void> usable = check_output_file(args.output, args.force);
        if (!usable && usable.error().code == ErrorCode::io)
            return fail(kExitFault, usable.error().message);
        if (!usable) return fail(kExitBadUsage, usable.error().message, "--force replaces it");
    }
    std::vector<StudyResult> results;
    Json json = Json::array();
    for (const std::string_view name : chosen) {
        auto result = run_study(name);
        if (!result) return fail(kExitFault, result.error().message);
        if (args.json) {
            json.push_back(to_json(*result));
        } else if (!args.quiet) {
            print(*result);
        }
        results.push_back(*std::move(result));
    }
    std::size_t printed = 0, failed = 0;
    for (const StudyResult& result : results) {
        printed += result.printed();
        failed += result.not_as_printed();
    }
    const auto agree = std::count_if(results.begin(), results.end(),
                                     [](const StudyResult& r) { return r.holds(); });
    if (!args.output.empty()) {
        const auto written = write_output_file(args.output, make_studies_page(results), args.force);
        if (!written) return fail(kExitFault, written.error().message);
    }
    if (args.json) {
        say(stdout, Json{{"figures", json},
                         {"agree", agree},
                         {"of", results.size()},
                         {"printed", printed},
                         {"not_as_printed", failed}}
                            .dump() +
                        '\n');
    } else if (!args.quiet) {
        say(stdout, fmt::format("{} of {} figures agree; {} of {} printed numbers come out\n",
                                agree, results.size(), printed - failed, printed));
        if (!args.output.empty()) say(stdout, args.output + '\n');
    }
    return finish_output(agree == static_cast<std::ptrdiff_t>(results.size()) ? kExitDone
                                                                              : kExitCheckFailed);
}

constexpr const char* kExample =
    "For each figure: what the paper printed (or its equation gives as printed), what an\n"
    "independent computation gives, what Sidestep gives, and two verdicts: whether Sidestep\n"
    "agrees with the computation, and whether the printed number comes out. -o makes a page with "
    "the\n"
    "plots that needs no network. docs/reproduce.md has the keys of the JSON.\n"
    "\n"
    "Example: what is there, and one figure with its plot\n"
    "  sidestep reproduce --list\n"
    "  sidestep reproduce ricks14-fig1 -o fig1.html\n"
    "\n"
    "Exit codes: 0 Sidestep agrees everywhere, 1 a number of its own differs, 2 bad usage,\n"
    "3 the page cannot be written.";

}  // namespace

void add_reproduce(CLI::App& app, int& exit_code)
{
    CLI::App* command =
        app.add_subcommand("reproduce", "Compute the figures of the papers again and compare");
    command->footer(kExample);
    auto args = std::make_shared<ReproduceArgs>();
    command->add_option("FIGURE", args->figures,
                        "Figures to compute, or a paper for all of its figures; none: all");
    command->add_flag("--list", args->list, "Name the figures and compute none");
    command->add_option("-o,--output", args->output, "Write a page with plots")->type_name("FILE");
    command->add_flag("--force", args->force, "Replace the page if it is there");
    command->add_flag("--json", args->json, "Print the numbers as one JSON object");
    command->add_flag("--quiet", args->quiet, "Print nothing but errors (and the JSON)");
    command->callback([args, &exit_code] { exit_code = cmd_reproduce(*args); });
}

}  // namespace sidestep::cli
