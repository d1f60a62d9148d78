// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "console.hpp"

#include <sidestep/scenario.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sidestep::cli {
namespace {

struct HelpArgs {
    std::string topic;
    std::string table;
    bool markdown = false;
    bool json = false;
    bool quiet = false;
};

struct Topic {
    std::string_view name;
    std::string_view meaning;
};

constexpr Topic kTopics[] = {
    {"scenario", "the format of scenario files; `help scenario TABLE` has the keys of a table"},
    {"layouts", "plans that a few numbers describe, and their numbers"},
    {"expect", "what a scenario can ask of a run"},
    {"schema", "JSON Schema of scenario files, for editors"},
    {"exit-codes", "what the program hands back to the shell"},
};

constexpr std::string_view kExitCodes =
    "0  done\n"
    "1  a check failed: an expectation of [expect], a line of `solve` with an error\n"
    "2  the command line or an input is wrong\n"
    "3  run-time fault: disk, memory, interrupted\n";

int print(const HelpArgs& args, const std::string& text)
{
    if (args.json) {
        const std::string topic = args.table.empty() ? args.topic : args.topic + ' ' + args.table;
        say(stdout, nlohmann::ordered_json{{"topic", topic}, {"text", text}}.dump() + '\n');
    } else if (!args.quiet) {
        say(stdout, text);
    }
    return finish_output(kExitDone);
}

std::string list_topics(const CLI::App& app)
{
    std::string text = "Topics:\n";
    for (const Topic& topic : kTopics) {
        text += fmt::format("  {:<12} {}\n", topic.name, topic.meaning);
    }
    text += "Commands:\n";
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        text += fmt::format("  {:<12} {}\n", command->get_name(), command->get_description());
    }
    return text + "\n`sidestep help TOPIC` explains one.\n";
}

int explain_table(const HelpArgs& args, const std::string& name)
{
    if (const std::string text = scenario_help(name); !text.empty()) return print(args, text);
    const std::vector<std::string_view> known = scenario_topics();
    return fail(kExitBadUsage, fmt::format("a scenario has no table '{}'", name),
                hint_from(name, known));
}

int cmd_help(const CLI::App& app, const HelpArgs& args)
{
    if (!args.table.empty() && args.topic != "scenario") {
        return fail(kExitBadUsage, fmt::format("'{}' is one topic too many", args.table),
                    "only `help scenario` takes a table");
    }
    if (args.markdown && args.topic != "scenario") {
        return fail(kExitBadUsage, "--markdown goes with the topic 'scenario'");
    }
    if (args.topic.empty()) return print(args, list_topics(app));
    if (args.topic == "scenario") {
        return args.markdown ? print(args, scenario_page()) : explain_table(args, args.table);
    }
    if (args.topic == "schema") return print(args, scenario_schema());
    if (args.topic == "layouts") return explain_table(args, "layout");
    if (args.topic == "expect") return explain_table(args, "expect");
    if (args.topic == "exit-codes") return print(args, std::string(kExitCodes));

    std::vector<std::string_view> known;
    for (const Topic& topic : kTopics) known.push_back(topic.name);
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    std::vector<std::string> names;
    for (const CLI::App* command : commands) {
        if (command->get_name() == args.topic) return print(args, command->help());
        names.push_back(command->get_name());
    }
    known.insert(known.end(), names.begin(), names.end());
    return fail(kExitBadUsage, fmt::format("there is no topic '{}'", args.topic),
                hint_from(args.topic, known));
}

constexpr const char* kFooter =
    "Example: which keys does a group of agents take?\n"
    "  sidestep help scenario agents";

}  // namespace

void add_help(CLI::App& app, int& exit_code)
{
    CLI::App* command = app.add_subcommand("help", "Explain the scenario format and other topics");
    command->footer(kFooter);
    auto args = std::make_shared<HelpArgs>();
    command->add_option("TOPIC", args->topic, "A topic or a command; none lists them");
    command->add_option("TABLE", args->table, "With the topic `scenario`: one of its tables");
    command->add_flag("--markdown", args->markdown, "With the topic `scenario`: a page of docs");
    command->add_flag("--json", args->json, "Print JSON: the topic and its text");
    command->add_flag("--quiet", args->quiet, "Print nothing but errors (and the JSON)");
    command->callback([&app, args, &exit_code] { exit_code = cmd_help(app, *args); });
}

}  // namespace sidestep::cli
