// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "bench_output.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "load_scenario.hpp"
#include "output_file.hpp"
#include "stop_signals.hpp"

#include <sidestep/bench.hpp>

#include <peers.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sidestep::cli {
namespace {

struct BenchArgs {
    std::vector<std::string> scenes;
    std::vector<std::string> models;
    std::vector<std::string> engines;
    std::vector<std::int64_t> threads{1};
    std::vector<std::string> isas{std::string(to_string(Isa::automatic))};
    std::vector<std::string> settings;
    std::int64_t repeat = 5;
    std::optional<std::int64_t> warm_up, steps, most_agents;
    bool growth = false;
    bool floors = false;
    bool paper = false;
    std::string html;
    bool force = false;
    bool busy = false;
    bool markdown = false;
    bool json = false;
    bool quiet = false;
};

/// More than these are a slip of the keyboard.
constexpr std::int64_t kMostThreads = 1024, kMostRepeats = 1000, kMostSteps = 1'000'000,
                       kMostAgents = 1'000'000'000;

/// How long --floors looks at the machine before it begins [s].
constexpr double kLook = 1.0;

/// From a thousand to a million.
constexpr const char* kGrowth[] = {"open-1k", "open-10k", "open-100k", "open-1m"};
/// A look at everything: a minute or so by ourselves, a few with all peers.
constexpr const char* kDefaultScenes[] = {"open-1k",          "open-10k", "open-100k",
                                          "circle-1k-jitter", "evac-1k",  "city-10k"};

int check_range(const char* option, std::int64_t value, std::int64_t low, std::int64_t high)
{
    if (value >= low && value <= high) return kExitDone;
    return fail(kExitBadUsage,
                fmt::format("{}: must be in [{}, {}], got {}", option, low, high, value));
}

int check_engines(const BenchArgs& args, const std::vector<Peer>& peers)
{
    std::vector<std::string_view> known{"sidestep"};
    for (const Peer& peer : peers) known.push_back(peer.engine);
    for (const std::string& engine : args.engines) {
        if (std::find(known.begin(), known.end(), engine) == known.end()) {
            return fail(kExitBadUsage, fmt::format("--engine: there is no engine '{}'", engine),
                        hint_from(engine, known));
        }
    }
    // One that is absent is told beside those that are measured; alone it is a mistake.
    const auto find_absent = [&](const std::string& engine) {
        return std::find_if(peers.begin(), peers.end(), [&](const Peer& peer) {
            return peer.engine == engine && !peer.missing.empty();
        });
    };
    const auto is_absent = [&](const std::string& engine) {
        return find_absent(engine) != peers.end();
    };
    if (!args.engines.empty() && std::all_of(args.engines.begin(), args.engines.end(), is_absent)) {
        const std::string& first = args.engines.front();
        return fail(kExitBadUsage, fmt::format("--engine: {} is not in this program", first),
                    find_absent(first)->missing);
    }
    return kExitDone;
}

/// Some questions decide what runs.
int check_own_scenes(const BenchArgs& args)
{
    const char* fixed = args.floors   ? "--floors"
                        : args.paper  ? "--paper"
                        : args.growth ? "--growth"
                                      : nullptr;
    if (fixed == nullptr) return kExitDone;
    if (!args.scenes.empty()) {
        return fail(kExitBadUsage, fmt::format("{} has scenes of its own", fixed),
                    "leave out the names of scenes");
    }
    const bool changes = !args.models.empty() || !args.settings.empty() || args.warm_up ||
                         args.steps || args.threads != BenchArgs{}.threads ||
                         args.isas != BenchArgs{}.isas || !args.engines.empty();
    if ((args.floors || args.paper) && changes) {
        return fail(kExitBadUsage,
                    fmt::format("{} decides itself what runs: --repeat, --busy and what is printed "
                                "can be chosen",
                                fixed));
    }
    return kExitDone;
}

int check(const BenchArgs& args, const std::vector<Peer>& peers)
{
    int exit_code = check_range("--repeat", args.repeat, 1, kMostRepeats);
    const auto then = [&](int next) {
        if (exit_code == kExitDone) exit_code = next;
    };
    if (exit_code == kExitDone && args.warm_up)
        then(check_range("--warm-up", *args.warm_up, 0, kMostSteps));
    if (exit_code == kExitDone && args.steps)
        then(check_range("--steps", *args.steps, 1, kMostSteps));
    if (exit_code == kExitDone && args.most_agents)
        then(check_range("--most-agents", *args.most_agents, 1, kMostAgents));
    for (const std::int64_t threads : args.threads) {
        if (exit_code == kExitDone) then(check_range("--threads", threads, 0, kMostThreads));
    }
    for (const std::string& isa : args.isas) {
        if (exit_code == kExitDone) then(check_isa(isa));
    }
    for (const std::string& model : args.models) {
        if (exit_code == kExitDone) then(check_model(model));
    }
    if (exit_code == kExitDone) then(check_engines(args, peers));
    if (exit_code == kExitDone) then(check_own_scenes(args));
    if (exit_code == kExitDone && !args.html.empty()) {
        const Result<void> usable = check_output_file(args.html, args.force);
        if (!usable && usable.error().code == ErrorCode::io)
            return fail(kExitFault, usable.error().message);
        if (!usable) return fail(kExitBadUsage, usable.error().message, "--force replaces it");
    }
    return exit_code;
}

bool wants(const BenchArgs& args, std::string_view engine)
{
    return args.engines.empty() ||
           std::find(args.engines.begin(), args.engines.end(), engine) != args.engines.end();
}

/// Scenes x models x threads x instruction sets of ours.
void add_own_cases(const BenchArgs& args, const std::shared_ptr<const Scenario>& scene,
                   const std::optional<std::string>& model, std::vector<BenchCase>& cases)
{
    if (!wants(args, "sidestep")) return;
    for (const std::int64_t threads : args.threads) {
        for (const std::string& isa : args.isas) {
            cases.push_back({.scene = scene,
                             .engine = "sidestep",
                             .model = model,
                             .threads = static_cast<std::uint32_t>(threads),
                             .isa = *to_isa(isa),
                             .variant = {}});
        }
    }
}

/// The scene once with every peer.
void add_peer_cases(const BenchArgs& args, const std::vector<Peer>& peers,
                    const std::shared_ptr<const Scenario>& scene, std::vector<BenchCase>& cases)
{
    for (const Peer& peer : peers) {
        if (!wants(args, peer.engine)) continue;
        // Absent peers are told once, not for every scene; unless somebody asks for them.
        if (!peer.missing.empty() && args.engines.empty()) continue;
        cases.push_back(
            {.scene = scene, .engine = peer.engine, .model = {}, .threads = 1, .variant = {}});
    }
}

/// What --floors and --paper need.
int make_fixed_cases(const BenchArgs& args, const std::vector<Peer>& peers,
                     std::vector<BenchCase>& cases)
{
    const auto append = [&](const Result<std::vector<BenchCase>>& made) {
        if (!made) return fail(kExitFault, made.error().message);
        cases.insert(cases.end(), made->begin(), made->end());
        return int{kExitDone};
    };
    int exit_code = args.floors ? append(floor_cases(peers)) : int{kExitDone};
    if (exit_code == kExitDone && args.paper) exit_code = append(paper_cases());
    return exit_code;
}

int make_cases(const BenchArgs& args, const std::vector<Peer>& peers, std::vector<BenchCase>& cases)
{
    if (args.floors || args.paper) return make_fixed_cases(args, peers, cases);
    std::vector<std::string> names = args.scenes;
    if (args.growth) names.assign(std::begin(kGrowth), std::end(kGrowth));
    if (names.empty()) names.assign(std::begin(kDefaultScenes), std::end(kDefaultScenes));
    Problems problems;
    const std::vector<Override> overrides = split_overrides(args.settings, problems);
    if (!problems.empty()) return refuse(problems, false);
    std::vector<std::optional<std::string>> models(args.models.begin(), args.models.end());
    if (models.empty()) models.emplace_back();
    for (const std::string& name : names) {
        std::shared_ptr<const Scenario> scene;
        for (const std::optional<std::string>& model : models) {
            auto scenario = load(name, overrides, model, problems);
            if (!scenario) return refuse(problems, false);
            scene = std::make_shared<const Scenario>(*std::move(scenario));
            add_own_cases(args, scene, model, cases);
        }
        add_peer_cases(args, peers, scene, cases);
    }
    return kExitDone;
}

nlohmann::ordered_json absent_json(const std::vector<Peer>& peers)
{
    auto list = nlohmann::ordered_json::array();
    for (const Peer& peer : peers) {
        if (!peer.missing.empty())
            list.push_back({{"engine", peer.engine}, {"to_have_it", peer.missing}});
    }
    return list;
}

void tell_absent(const std::vector<Peer>& peers, const BenchResult& result)
{
    std::set<std::string> told;
    for (const Peer& peer : peers) {
        if (peer.missing.empty() || !told.insert(peer.missing).second) continue;
        say(stdout, fmt::format("{} is not in this program: {}\n", peer.engine, peer.missing));
    }
    for (const BenchRow& row : result.rows) {
        if (row.repetitions == 0 && !row.refused.empty() && !told.contains(row.refused))
            say(stdout, fmt::format("{} on {}: {}\n", row.engine, row.scene, row.refused));
    }
}

/// The same scene and model must end in the same state, whatever the threads and the kernels.
bool bits_agree(const BenchResult& result)
{
    for (const BenchRow& row : result.rows) {
        const BenchRow* first = find_row(
            result.rows,
            {.scene = row.scene, .engine = "sidestep", .model = row.model, .variant = row.variant});
        if (row.repetitions > 0 && row.engine == "sidestep" && first != nullptr &&
            first->state_hash != row.state_hash) {
            return false;
        }
    }
    return true;
}

/// On standard error: a line on a terminal that is written over, else one every now and then.
class BenchProgress {
public:
    explicit BenchProgress(bool shown) : shown_(shown), terminal_(is_terminal(stderr)) {}
    ~BenchProgress() { clear(); }
    BenchProgress(const BenchProgress&) = delete;
    BenchProgress& operator=(const BenchProgress&) = delete;

    void update(std::string_view what, double part)
    {
        if (!shown_) return;
        const Clock::time_point now = Clock::now();
        if (terminal_) {
            say(stderr, fmt::format("\r\033[K{:3.0f} %  {}", 100.0 * part, what));
        } else if (now - last_ >= kBetweenLines) {
            say(stderr, fmt::format("{:3.0f} %  {}\n", 100.0 * part, what));
            last_ = now;
        }
    }
    void clear()
    {
        if (shown_ && terminal_) say(stderr, "\r\033[K");
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds kBetweenLines{10};
    bool shown_, terminal_;
    Clock::time_point last_ = Clock::now();
};

struct Answers {
    BenchResult result;
    std::vector<BenchFloor> floors;
    std::vector<PaperFigure> paper;
    bool ratios = true;
};

void print(const BenchArgs& args, const std::vector<Peer>& peers, const Answers& answers)
{
    const BenchResult& result = answers.result;
    const bool ratios = answers.ratios;
    const TableStyle style = args.markdown ? TableStyle::markdown : TableStyle::text;
    say(stdout, machine_text(result.machine) + '\n');
    if (args.floors) {
        floors_table(answers.floors, ratios).print(style);
        say(stdout, "\n");
    }
    if (args.paper) {
        paper_table(answers.paper, ratios).print(style);
        say(stdout, "\n");
    }
    if (args.growth || args.floors) {
        growth_table(result).print(style);
        say(stdout, "\n");
    }
    if (!args.growth) times_table(result, ratios).print(style);
    const BenchTable stages = stages_table(result);
    if (!stages.rows.empty()) {
        say(stdout, "\nWhere the time of a step goes, on one thread:\n\n");
        stages.print(style);
    }
    say(stdout, "\n");
    tell_absent(peers, result);
    if (!ratios)
        say(stdout,
            "The machine is too busy for ratios: others use more than 5 % of it. --busy prints "
            "them all the same.\n");
}

int cmd_bench(const BenchArgs& args)
{
    const std::vector<Peer> peers = known_peers();
    if (const int exit_code = check(args, peers); exit_code != kExitDone) return exit_code;
    std::vector<BenchCase> cases;
    if (const int exit_code = make_cases(args, peers, cases); exit_code != kExitDone)
        return exit_code;

    if (args.most_agents) {
        std::erase_if(cases, [&](const BenchCase& what) {
            return agents_of(*what.scene) > static_cast<std::uint64_t>(*args.most_agents);
        });
        if (cases.empty())
            return fail(kExitBadUsage,
                        fmt::format("--most-agents: every scene has more than {} agents",
                                    *args.most_agents));
    }

    if (args.floors && !args.busy) {
        const BenchMachine machine = look_at_machine(kLook);
        if (machine.busy())
            return fail(kExitFault,
                        fmt::format("the machine is too busy for ratios: others use {:.0f} % of it",
                                    100.0 * machine.others_before),
                        "wait, or measure all the same with --busy");
    }

    BenchOptions options;
    options.repeat = static_cast<std::uint32_t>(args.repeat);
    if (args.warm_up) options.warm_up = static_cast<std::uint32_t>(*args.warm_up);
    if (args.steps) options.steps = static_cast<std::uint32_t>(*args.steps);
    options.peers = peers;
    StopSignals signals;
    signals.wait_for_work();
    BenchProgress progress(!args.quiet && !args.json);
    options.progress = [&](std::string_view what, double part) {
        progress.update(what, part);
        return !signals.arrived();
    };
    auto result = run_bench(cases, options);
    progress.clear();
    if (!result) {
        const bool memory = result.error().code == ErrorCode::out_of_memory;
        return fail(memory ? kExitFault : kExitBadUsage, result.error().message);
    }
    if (result->stopped)
        return fail(kExitFault, fmt::format("{} while it was measured", signals.name()));

    Answers answers{*std::move(result), {}, {}, true};
    answers.ratios = args.busy || !answers.result.machine.busy();
    if (args.floors) answers.floors = judge_floors(answers.result.rows);
    if (args.paper) answers.paper = compare_with_paper(answers.result.rows);
    if (!args.html.empty()) {
        const auto written = write_output_file(
            args.html,
            make_bench_page({answers.result, answers.floors, answers.paper, answers.ratios}),
            args.force);
        if (!written) return fail(kExitFault, written.error().message);
    }
    if (args.json) {
        nlohmann::ordered_json json = to_json(answers.result, answers.ratios);
        json["absent"] = absent_json(peers);
        if (args.floors) json["floors"] = to_json(answers.floors, answers.ratios);
        if (args.paper) json["paper"] = to_json(answers.paper, answers.ratios);
        say(stdout, json.dump() + '\n');
    } else if (!args.quiet) {
        print(args, peers, answers);
        if (!args.html.empty()) say(stdout, args.html + '\n');
    }
    if (!bits_agree(answers.result))
        return fail(kExitCheckFailed, "the state depends on threads or on the instruction set");
    const bool misses = answers.ratios && std::any_of(answers.floors.begin(), answers.floors.end(),
                                                      [](const BenchFloor& floor) {
                                                          return floor.meets_floor() == false;
                                                      });
    return finish_output(misses ? kExitCheckFailed : kExitDone);
}

constexpr const char* kExample =
    "Each scene runs from its start, with a few steps to warm up, in rounds in which every "
    "engine,\n"
    "model, number of threads and instruction set has its turn. Printed are the median and, in\n"
    "brackets, smallest and largest; CPU time per agent and step without navigation, which all\n"
    "engines share, and wall time per step. docs/bench.md explains the columns.\n"
    "\n"
    "Example: two scenes, both ways of ClearPath, one and two threads; then what is promised\n"
    "  sidestep bench open-10k evac-5k --model clearpath,clearpath-safe --threads 1,2\n"
    "  sidestep bench --floors --html floors.html\n"
    "\n"
    "Exit codes: 0 done, 1 a floor is missed or the state depends on threads or instruction set,\n"
    "2 bad usage or scene, 3 memory, disk, interrupted, machine too busy for --floors.";

}  // namespace

void add_bench(CLI::App& app, int& exit_code)
{
    CLI::App* command =
        app.add_subcommand("bench", "Measure the time of steps, beside other engines");
    command->footer(kExample);
    auto args = std::make_shared<BenchArgs>();
    command->add_option("SCENE", args->scenes,
                        "Scenes or scenario files; none: a few of each kind");
    command->add_option("--model", args->models, "Models of everybody, instead of the scene's")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME,..");
    command
        ->add_option("--engine", args->engines,
                     "sidestep, rvo2, rvo2-sorted, detour; none: all that are there")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME,..");
    command->add_option("--threads", args->threads, "Numbers of threads; 0: one per processor")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("N,..")
        ->capture_default_str();
    command->add_option("--isa", args->isas, "Instruction sets")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME,..")
        ->capture_default_str();
    command->add_option("--repeat", args->repeat, "Rounds")->type_name("N")->capture_default_str();
    command->add_option("--warm-up", args->warm_up, "Steps before, instead of the scene's")
        ->type_name("N");
    command->add_option("--steps", args->steps, "Steps measured, instead of the scene's")
        ->type_name("N");
    command->add_option("--most-agents", args->most_agents, "Leave out scenes with more agents")
        ->type_name("N");
    command->add_option("--set", args->settings, "Change the scenes, as for run")
        ->allow_extra_args(false)
        ->type_name("KEY=VALUE");
    command->add_flag("--growth", args->growth, "From 1,000 to 1,000,000 agents in the open");
    command->add_flag("--floors", args->floors,
                      "The floors and goals of docs/performance.md: some 20 minutes with RVO2");
    command->add_flag("--paper", args->paper, "ClearPath beside the figures of its paper of 2009");
    command->add_option("--html", args->html, "Write a page with plots")->type_name("FILE");
    command->add_flag("--force", args->force, "Replace the page if it is there");
    command->add_flag("--busy", args->busy, "Print ratios also when others use the machine");
    command->add_flag("--markdown", args->markdown, "Print tables as Markdown");
    command->add_flag("--json", args->json, "Print one JSON object");
    command->add_flag("--quiet", args->quiet, "Print nothing but errors (and the JSON)");
    command->callback([args, &exit_code] { exit_code = cmd_bench(*args); });
}

}  // namespace sidestep::cli
