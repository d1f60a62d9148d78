// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "scenario/distribution.hpp"
#include "scenario/reading.hpp"

// [[goals]], [journeys.*], and where agents go without a journey of their own.

namespace sidestep {
namespace {

constexpr std::string_view kOpposite = "opposite";

void read_goal(Reading& r, const toml::table& table)
{
    GoalPlan goal;
    goal.name = text_or(r, table, "name");
    goal.reach = number_or(r, table, "reach", goal.reach);
    goal.level = level_of(r, table);
    goal.at = place_of(table.source());
    const std::string what = fmt::format("goal {}", quote(goal.name));
    if (table.contains("line")) {
        const toml::node* line = r.get(table, "line");
        goal.kind = GoalPlan::Kind::line;
        const std::vector<Vec2> ends = to_points(line);
        if (ends.size() == 2 && check_line(r, *line, "line", ends)) {
            goal.line = {ends[0], ends[1]};
            r.goal_lines.emplace(static_cast<std::uint32_t>(r.scenario.goals.size()), line);
            add_extent(r, what, line, ends);
        }
    } else if (table.contains("area")) {
        goal.kind = GoalPlan::Kind::area;
        goal.area = read_shape(r, table, "area", what);
        goal.level = level_of(r, table, "area");
    } else if (const auto point = to_point(r.get(table, "point"))) {
        goal.point = *point;
        add_extent(r, what, r.get(table, "point"), {&*point, 1});
    }
    if (goal.kind != GoalPlan::Kind::point) refuse(r, table, "reach", "point");
    if (goal.name == kOpposite) {
        r.problems.add(*r.get(table, "name"), "reserved-name",
                       "a goal cannot be named 'opposite': that is the start, mirrored");
    }
    add_name(r, r.goals, "goal", table, static_cast<std::uint32_t>(r.scenario.goals.size()));
    r.scenario.goals.push_back(std::move(goal));
}

/// Goals of a stage, from a key that holds names or "opposite".
void read_goals_of(Reading& r, const toml::table& table, std::string_view key, StagePlan& stage)
{
    const toml::node* node = r.get(table, key);
    if (node == nullptr) return;
    const std::vector<std::string> names = to_names(node);
    const toml::array* list = node->as_array();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const toml::node& at = list != nullptr ? *list->get(std::min(i, list->size() - 1)) : *node;
        if (names[i].empty()) continue;
        if (names[i] == kOpposite) {
            stage.opposite = true;
            if (names.size() > 1) {
                r.problems.add(at, "bad-goal", "'opposite' stands alone, not in a list");
            }
            continue;
        }
        const auto goal = find_name(r, r.goals, "goal", names[i], at);
        if (!goal) continue;
        if (std::find(stage.goals.begin(), stage.goals.end(), *goal) == stage.goals.end()) {
            stage.goals.push_back(*goal);
        } else {
            r.problems.add(at, "bad-goal", fmt::format("{} is named twice", quote(names[i])));
        }
    }
    if (stage.opposite) stage.centre = to_point(r.get(table, "centre")).value_or(Vec2{});
    if (stage.opposite) stage.reach = number_or(r, table, "reach", stage.reach);
    if (stage.opposite) return;
    refuse(r, table, "centre", "\"opposite\"");
    refuse(r, table, "reach", "\"opposite\"");
}

const Range& range_of_stage(std::string_view key)
{
    for (const KeyInfo& row : scenario_table("stages").keys) {
        if (row.name == key) return row.range;
    }
    static constexpr Range any{};
    return any;
}

StagePlan read_stage(Reading& r, const toml::table& table)
{
    using Kind = StagePlan::Kind;
    StagePlan stage;
    stage.at = place_of(table.source());
    if (table.contains("waypoint") || table.contains("exit")) {
        const bool exit = table.contains("exit");
        stage.kind = exit ? Kind::exit : Kind::waypoint;
        read_goals_of(r, table, exit ? "exit" : "waypoint", stage);
        return stage;
    }
    if (table.contains("stay")) {
        stage.kind = Kind::stay;
        read_goals_of(r, table, "stay", stage);
        return stage;
    }
    refuse(r, table, "centre", "\"opposite\"");
    refuse(r, table, "reach", "\"opposite\"");
    const auto read_drawn = [&](std::string_view key) {
        return to_distribution(r.get(table, key), range_of_stage(key)).value_or(Distribution{});
    };
    if (table.contains("wait")) {
        stage.kind = Kind::wait;
        stage.seconds = read_drawn("wait");
    } else if (table.contains("walk_deg")) {
        stage.kind = Kind::walk;
        stage.direction = read_drawn("walk_deg");
    } else if (table.contains("roam")) {
        stage.kind = Kind::roam;
        if (const toml::node* roam = r.get(table, "roam")) {
            stage.network =
                find_name(r, r.networks, "network", roam->as_string()->get(), *roam).value_or(0);
        }
    }
    return stage;
}

bool ends_journey(StagePlan::Kind kind)
{
    return kind != StagePlan::Kind::waypoint && kind != StagePlan::Kind::wait;
}

/// Stages that are never reached, and journeys that go round without moving.
void check_journey(Reading& r, const JourneyPlan& journey, const toml::table& table,
                   const toml::array& stages)
{
    std::size_t moves = 0;
    bool waits = false;
    for (std::size_t i = 0; i < journey.stages.size(); ++i) {
        const StagePlan& stage = journey.stages[i];
        moves += stage.kind == StagePlan::Kind::waypoint ? 1 : 0;
        waits = waits || (stage.kind == StagePlan::Kind::wait && smallest(stage.seconds) > 0.0);
        if (!ends_journey(stage.kind)) continue;
        if (i + 1 < journey.stages.size()) {
            r.problems.add(
                stages[i + 1], "unreachable-stage",
                fmt::format("stage {} is never reached: stage {} ends the journey", i + 2, i + 1),
                "exit, stay, roam and walk_deg come last");
        } else if (journey.repeat) {
            r.problems.add(*r.get(table, "repeat"), "bad-repeat",
                           "repeat has no meaning here: the last stage ends the journey",
                           "a journey that repeats ends in waypoint or wait");
        }
        return;
    }
    if (journey.repeat && moves < 2 && !waits) {
        r.problems.add(*r.get(table, "repeat"), "bad-repeat",
                       "a journey that repeats needs two waypoints or a wait of more than 0 s");
    }
}

/// Whether a stage says what it is; the others have been reported.
bool has_a_form(const toml::table& stage)
{
    for (const std::string_view form : scenario_table("stages").choices[0].keys) {
        if (stage.contains(form)) return true;
    }
    return false;
}

void read_journey(Reading& r, std::string_view name, const toml::table& table)
{
    JourneyPlan journey;
    journey.name = name;
    journey.repeat = flag_or(r, table, "repeat", false);
    journey.at = place_of(table.source());
    const toml::node* node = r.get(table, "stages");
    const toml::array* list = node != nullptr ? node->as_array() : nullptr;
    bool whole = list != nullptr;
    if (list != nullptr) {
        for (const toml::node& item : *list) {
            const toml::table* stage = item.as_table();
            if (stage != nullptr) journey.stages.push_back(read_stage(r, *stage));
            whole = whole && stage != nullptr && has_a_form(*stage);
        }
    }
    if (whole) check_journey(r, journey, table, *list);
    r.journeys.emplace(name, static_cast<std::uint32_t>(r.scenario.journeys.size()));
    r.scenario.journeys.push_back(std::move(journey));
}

/// A journey of one stage that a table asks for without naming one; equal ones are made once.
std::uint32_t inline_journey(Reading& r, StagePlan stage, std::string_view key)
{
    std::string name(key);
    for (const std::uint32_t goal : stage.goals) {
        name += (name.size() == key.size() ? " " : ", ") + r.scenario.goals[goal].name;
    }
    if (stage.opposite) name += fmt::format(" opposite of {}", to_text(stage.centre));
    name = fmt::format("({})", name);
    const auto index = static_cast<std::uint32_t>(r.scenario.journeys.size());
    // By what it is, not by its name: a goal may be named "a, b".
    const auto [found, fresh] = r.inline_journeys.emplace(
        InlineJourney{stage.kind, stage.goals, stage.opposite, stage.centre.x, stage.centre.y},
        index);
    if (fresh) {
        r.scenario.journeys.push_back(
            {.name = name, .stages = {std::move(stage)}, .repeat = false, .at = {}});
    }
    return found->second;
}

}  // namespace

void read_goals(Reading& r)
{
    for_each_table(r, "goals", [&](const toml::table& table) { read_goal(r, table); });
}

void read_journeys(Reading& r)
{
    const toml::node* node = r.root.get("journeys");
    const toml::table* map = node != nullptr ? node->as_table() : nullptr;
    if (map == nullptr) return;
    for (const auto& [name, item] : *map) {
        if (item.is_table()) read_journey(r, name.str(), *item.as_table());
    }
}

std::uint32_t read_destination(Reading& r, const toml::table& table)
{
    StagePlan stage;
    stage.at = place_of(table.source());
    for (const std::string_view key : {"exit", "goal"}) {
        if (!table.contains(key)) continue;
        stage.kind = key == "exit" ? StagePlan::Kind::exit : StagePlan::Kind::stay;
        read_goals_of(r, table, key, stage);
        return inline_journey(r, std::move(stage), key);
    }
    refuse(r, table, "centre", "\"opposite\"");
    const toml::node* journey = r.get(table, "journey");
    if (journey != nullptr && journey->is_string() && !journey->as_string()->get().empty()) {
        const auto found =
            find_name(r, r.journeys, "journey", journey->as_string()->get(), *journey);
        if (found) return *found;
    }
    return inline_journey(r, std::move(stage), "stand");
}

}  // namespace sidestep
