// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "sidestep/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <new>

#include "scenario/check.hpp"
#include "scenario/check_text.hpp"
#include "scenario/limits.hpp"
#include "scenario/load_file.hpp"
#include "scenario/overrides.hpp"
#include "scenario/reading.hpp"

namespace sidestep {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

ReadScenario fail(Problem problem, const std::string& file)
{
    problem.file = file;
    ReadScenario read;
    read.problems.push_back(std::move(problem));
    return read;
}

/// What the parser says, in our words where they help.
Problem explain(const toml::parse_error& error)
{
    std::string_view reason = error.description();
    constexpr std::string_view kBegin = "Error while parsing ";
    if (reason.starts_with(kBegin)) reason.remove_prefix(kBegin.size());
    std::string hint;
    const auto says = [&](std::string_view words) {
        return reason.find(words) != std::string_view::npos;
    };
    if (says("cannot redefine")) hint = "a key or table can be given once only";
    if (says("could not determine value type")) hint = "a text needs quotes";
    if (says("could not be interpreted") || says("not representable")) {
        hint = "the number is too large";
    }
    return {"syntax", fmt::format("not TOML: {}", reason), {}, place_of(error.source()), hint};
}

/// Out of memory, or something a library threw.
Problem explain(const std::exception& fault)
{
    const bool memory = dynamic_cast<const std::bad_alloc*>(&fault) != nullptr;
    return {
        memory ? "out-of-memory" : "fault",
        memory ? "not enough memory to read it" : fmt::format("cannot be read: {}", fault.what()),
        {},
        {},
        {}};
}

/// The text with the overrides as comments on top: what a recording keeps.
std::string note_overrides(std::string_view text, std::span<const Override> overrides)
{
    std::string noted;
    for (const Override& change : overrides) {
        std::string line = fmt::format("--set {}={}", change.first, change.second);
        std::replace(line.begin(), line.end(), '\n', ' ');
        noted += fmt::format("# {}\n", line);
    }
    noted += text;
    return noted;
}

void check_extents(Reading& r)
{
    if (r.extents.empty()) return;
    Vec2 low = r.extents[0].low;
    Vec2 high = r.extents[0].high;
    for (const Extent& e : r.extents) {
        low = {std::min(low.x, e.low.x), std::min(low.y, e.low.y)};
        high = {std::max(high.x, e.high.x), std::max(high.y, e.high.y)};
    }
    const bool given = r.scenario.world.origin.has_value();
    if (!given) {
        r.scenario.world.origin = Vec2{std::floor(0.5 * (low.x + high.x) + 0.5),
                                       std::floor(0.5 * (low.y + high.y) + 0.5)};
    }
    const Vec2 origin = *r.scenario.world.origin;
    const auto far = [&](const Extent& e) {
        return std::max(
            {origin.x - e.low.x, e.high.x - origin.x, origin.y - e.low.y, e.high.y - origin.y});
    };
    const auto report = [&](const Extent& e) {
        const std::string message =
            fmt::format("{} reaches to {:.0f} m from the origin {}, at most {} m", e.what, far(e),
                        to_place(origin), kMaxFromOrigin);
        const std::string hint =
            given ? "origin in [world] should be in the middle of everything"
                  : "the origin is the middle of everything: is one coordinate far off?";
        if (e.node != nullptr) {
            r.problems.add(*e.node, "too-far", message, hint);
        } else {
            r.problems.add(TextPlace{1, 1}, "too-far", message, hint);
        }
    };
    if (given) {
        for (const Extent& e : r.extents) {
            if (far(e) > kMaxFromOrigin) report(e);
        }
        return;
    }
    const auto worst =
        std::max_element(r.extents.begin(), r.extents.end(),
                         [&](const Extent& a, const Extent& b) { return far(a) < far(b); });
    if (far(*worst) > kMaxFromOrigin) report(*worst);
}

void check_exit_widths(Reading& r)
{
    for (const auto& [index, profile] : r.widest_profile) {
        const GoalPlan& goal = r.scenario.goals[index];
        if (goal.kind != GoalPlan::Kind::line || goal.line[0] == goal.line[1]) continue;
        const Vec2 along = goal.line[1] - goal.line[0];
        const double width = std::sqrt(dot(along, along));
        const double needed = 2.0 * widest_radius(r, r.scenario.profiles[profile]);
        if (width >= needed * (1.0 - 1e-9)) continue;
        const std::string message =
            fmt::format("exit {} is {:.4g} m wide, but agents of profile {} need {:.4g} m",
                        quote(goal.name), width, quote(r.scenario.profiles[profile].name), needed);
        const std::string hint = "make the line longer or the radius smaller";
        if (const auto line = r.goal_lines.find(index); line != r.goal_lines.end()) {
            r.problems.add(*line->second, "narrow-exit", message, hint);
        } else {
            r.problems.add(goal.at, "narrow-exit", message, hint);  // of a layout
        }
    }
}

void read_all(Reading& r)
{
    check_document(r.root, r.problems);
    read_world(r);
    read_layout(r);
    read_areas(r);
    read_plan(r);
    read_profiles(r);
    read_populations(r);
    read_goals(r);
    read_journeys(r);
    read_agents(r);
    read_sources(r);
    read_groups(r);
    read_roles(r);
    read_zones(r);
    read_bodies(r);
    read_events(r);
    read_expectations(r);
    check_whole(r);
}

ReadScenario parse(std::string_view text, const std::string& name, const ReadOptions& options,
                   std::optional<std::filesystem::path> folder)
{
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    std::size_t comment_bytes = 0;
    if (auto fault = find_text_fault(text, &comment_bytes)) return fail(std::move(*fault), name);

    toml::parse_result parsed =
        comment_bytes > kManyCommentBytes ? toml::parse(strip_comments(text)) : toml::parse(text);
    if (!parsed) {
        const toml::parse_error& error = parsed.error();
        return fail(explain(error), name);
    }
    toml::table root = std::move(parsed).table();

    ReadScenario read;
    Scenario scenario;
    scenario.file = name;
    ProblemList problems(name);
    apply_overrides(root, options.overrides, problems);
    ShapeFiles files(std::move(folder));
    Reading r{.root = root,
              .options = options,
              .files = files,
              .problems = problems,
              .scenario = scenario};
    read_all(r);
    if (scenario.world.name.empty()) {
        scenario.world.name = std::filesystem::path(name).stem().string();
    }
    if (problems.empty()) {
        scenario.text = note_overrides(text, options.overrides);
        read.scenario = std::move(scenario);
    } else {
        read.problems = problems.take();
    }
    return read;
}

}  // namespace

void check_whole(Reading& r)
{
    check_extents(r);
    check_exit_widths(r);
}

ReadScenario parse_scenario(std::string_view text, const std::string& name,
                            const ReadOptions& options)
{
    try {
        if (text.size() > kMaxFileBytes) {
            return fail(
                {"too-large",
                 fmt::format("has {} bytes, at most {} are read", text.size(), kMaxFileBytes),
                 {},
                 {},
                 {}},
                name);
        }
        return parse(text, name, options, {});
    } catch (const std::exception& fault) {
        return fail(explain(fault), name);
    }
}

ReadScenario read_scenario(const std::string& path, const ReadOptions& options)
{
    try {
        const Result<std::string> text = load_file(path, kMaxFileBytes);
        if (!text) {
            return fail({"bad-file", text.error().message, {}, {}, {}}, path);
        }
        std::filesystem::path folder = std::filesystem::path(path).parent_path();
        if (folder.empty()) folder = ".";
        return parse(*text, path, options, folder);
    } catch (const std::exception& fault) {
        return fail(explain(fault), path);
    }
}

}  // namespace sidestep
