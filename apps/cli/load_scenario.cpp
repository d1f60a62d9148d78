// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "load_scenario.hpp"

#include "commands.hpp"
#include "console.hpp"

#include <sidestep/models.hpp>
#include <sidestep/world.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace sidestep::cli {
namespace {

/// Something that is written like a path is meant as one.
bool looks_like_a_file(const std::string& what)
{
    return what.find('/') != std::string::npos || what.ends_with(".toml");
}

Problem unknown_scene(const std::string& what)
{
    std::vector<std::string_view> names;
    for (const SceneInfo& scene : scenes()) names.push_back(scene.name);
    return {"unknown-scene",
            fmt::format("there is no file and no scene '{}'", what),
            {},
            {},
            hint_from(what, names, "`sidestep scenes` lists the scenes")};
}

}  // namespace

std::optional<Scenario> load(const std::string& what, const std::vector<Override>& overrides,
                             const std::optional<std::string>& model, Problems& problems)
{
    const ReadOptions options{overrides, models(), model};
    ReadScenario read;
    std::error_code ignored;
    const bool is_there = std::filesystem::symlink_status(what, ignored).type() !=
                              std::filesystem::file_type::not_found &&
                          !std::filesystem::is_directory(what, ignored);
    if (looks_like_a_file(what) || is_there) {
        read = read_scenario(what, options);
    } else {
        bool found = false;
        for (const SceneInfo& scene : scenes()) {
            if (scene.name != what) continue;
            read = parse_scenario(scene.text, what, options);
            found = true;
        }
        if (!found) read.problems.push_back(unknown_scene(what));
    }
    problems.insert(problems.end(), read.problems.begin(), read.problems.end());
    return std::move(read.scenario);
}

int refuse(const Problems& problems, bool as_json)
{
    if (!as_json) return fail(problems);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Problem& problem : problems) {
        list.push_back({{"code", problem.code},
                        {"message", problem.message},
                        {"file", problem.file},
                        {"line", problem.at.line},
                        {"column", problem.at.column},
                        {"hint", problem.hint}});
    }
    const nlohmann::ordered_json answer{{"ok", false}, {"problems", list}};
    say(stdout,
        answer.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
    return finish_output(exit_code_of(problems));
}

int check_model(const std::string& name)
{
    std::vector<std::string_view> known;
    for (const ModelInfo& model : models()) known.push_back(model.name);
    if (std::find(known.begin(), known.end(), name) != known.end()) return kExitDone;
    return fail(kExitBadUsage, fmt::format("--model: there is no model '{}'", name),
                hint_from(name, known));
}

int check_isa(const std::string& name)
{
    const std::vector<Isa> available = available_isas();
    const std::optional<Isa> isa = to_isa(name);
    if (isa == Isa::automatic) return kExitDone;
    if (isa && std::find(available.begin(), available.end(), *isa) != available.end()) {
        return kExitDone;
    }
    std::vector<std::string_view> names{to_string(Isa::automatic)};
    for (const Isa other : available) names.push_back(to_string(other));
    return fail(kExitBadUsage,
                isa ? fmt::format("--isa: this processor or build has no {}", name)
                    : fmt::format("--isa: there is no instruction set '{}'", name),
                fmt::format("there are: {}", fmt::join(names, ", ")));
}

std::vector<Override> split_overrides(const std::vector<std::string>& settings, Problems& problems)
{
    std::vector<Override> overrides;
    for (const std::string& setting : settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0) {
            problems.push_back({"bad-override",
                                "--set takes key=value",
                                fmt::format("--set {}", setting),
                                {},
                                "for example --set world.seed=7"});
            continue;
        }
        overrides.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
    return overrides;
}

}  // namespace sidestep::cli
