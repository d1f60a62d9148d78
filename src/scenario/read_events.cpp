// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/check.hpp"
#include "scenario/reading.hpp"

// [[zones]], [[bodies]], [[events]], [expect].

namespace sidestep {
namespace {

void read_body(Reading& r, const toml::table& table)
{
    BodyPlan body;
    body.name = text_or(r, table, "name");
    body.radius = number_or(r, table, "radius", body.radius);
    body.speed = number_or(r, table, "speed", body.speed);
    body.from = number_or(r, table, "from", 0.0);
    body.always_noticed = flag_or(r, table, "always_noticed", false);
    body.level = level_of(r, table);
    body.at = place_of(table.source());
    const std::string mode = text_or(r, table, "mode");
    if (mode == "shuttle") body.mode = BodyPlan::Mode::shuttle;
    if (mode == "loop") body.mode = BodyPlan::Mode::loop;
    double reach = body.radius;
    if (const toml::node* outline = r.get(table, "outline")) {
        body.outline = to_ring(outline);
        if (body.outline.size() >= 3 &&
            !check_polygon(r, *outline, "outline", {body.outline, {}})) {
            body.outline.clear();
        }
        reach = 0.0;
        for (const Vec2 p : body.outline) {
            reach = std::max({reach, std::fabs(p.x), std::fabs(p.y)});
        }
    }
    body.path = to_points(r.get(table, "path"));
    if (!body.path.empty()) {
        const toml::node& path = *r.get(table, "path");
        check_line(r, path, "path", body.path);
        add_extent(r, "the path of a body", &path, body.path, reach);
        if (body.path.size() == 1 && body.mode != BodyPlan::Mode::once) {
            r.problems.add(path, "wrong-size",
                           fmt::format("path needs at least 2 points for the mode '{}'", mode));
        }
    }
    r.scenario.bodies.push_back(std::move(body));
}

/// The name of a group of agents; "all" and none mean everybody.
std::optional<std::string> read_group(Reading& r, const toml::node* node)
{
    if (node == nullptr || !node->is_string()) return {};
    const std::string& name = node->as_string()->get();
    if (name == "all" || name.empty()) return {};
    if (!r.groups.contains(name)) {
        std::string hint;
        if (r.groups.size() <= kManyNames || r.problems.size() < kHintsAmongManyNames) {
            std::vector<std::string_view> known{"all"};
            for (const auto& [each, index] : r.groups) known.push_back(each);
            hint = hint_names(name, known, "names");
        }
        r.problems.add(*node, "unknown-name",
                       fmt::format("there are no agents named {}", quote(name)), std::move(hint));
    }
    return name;
}

constexpr std::string_view kAboutAgents = "journey, exit, goal, set, preset, profile and model";

/// `set = { ... }`: the values of traits and of parameters that some model has.
void read_set(Reading& r, const toml::table& values, EventPlan& event)
{
    const std::vector<KeyInfo> keys = value_keys(r.options.models);
    TableContext context{"set", "profiles"};
    context.hint_unknown = [](std::string_view key) -> std::string {
        if (key != "model" && key != "preset") return {};
        return fmt::format("'{}' is a key of [[events]] itself", key);
    };
    check_table(values, keys, {}, context, r.problems);
    for (const KeyInfo& key : keys) {
        if (const auto value = to_value(r.get(values, key.name), key)) {
            event.values.emplace_back(key.name, *value);
        }
    }
}

/// What people are from now on; false where the event is about something else.
bool read_change(Reading& r, const toml::table& table, EventPlan& event)
{
    using Action = EventPlan::Action;
    const toml::node* set = r.get(table, "set");
    const toml::node* preset = r.get(table, "preset");
    const toml::node* profile = r.get(table, "profile");
    const toml::node* model = r.get(table, "model");
    if (set != nullptr && set->is_table()) {
        event.action = Action::set;
        read_set(r, *set->as_table(), event);
    } else if (preset != nullptr) {
        event.action = Action::preset;
        event.name = text_or(r, table, "preset");
        const PresetInfo* found = find_preset(r, event.name, *preset);
        if (found == nullptr) return true;
        for (const TraitValue& own : found->values) {
            event.values.emplace_back(own.trait, as_written(own.value));
        }
    } else if (profile != nullptr) {
        event.action = Action::profile;
        event.profile = find_profile(r, text_or(r, table, "profile"), *profile).value_or(0);
    } else if (model != nullptr) {
        event.action = Action::model;
        event.name = text_or(r, table, "model");
        (void)find_model(r, event.name, model);
    } else {
        return false;
    }
    return true;
}

void read_event(Reading& r, const toml::table& table)
{
    using Action = EventPlan::Action;
    EventPlan event;
    event.time = number_or(r, table, "time", 0.0);
    event.at = place_of(table.source());
    event.area = read_shape(r, table, "area", "the area of an event");
    const toml::node* open = r.get(table, "open");
    const toml::node* door = open != nullptr ? open : r.get(table, "close");
    if (door != nullptr) {
        event.action = open != nullptr ? Action::open : Action::close;
        if (door->is_string() && !door->as_string()->get().empty()) {
            event.door = find_name(r, r.doors, "door", door->as_string()->get(), *door).value_or(0);
        }
        refuse(r, table, "agents", kAboutAgents);
        refuse(r, table, "area", fmt::format("remove, {}", kAboutAgents));
    } else if (const toml::node* group = r.get(table, "remove")) {
        event.action = Action::remove;
        event.agents = read_group(r, group);
        refuse(r, table, "agents", kAboutAgents);
    } else if (read_change(r, table, event)) {
        event.agents = read_group(r, r.get(table, "agents"));
    } else {
        event.action = Action::journey;
        event.agents = read_group(r, r.get(table, "agents"));
        event.journey = read_destination(r, table);
    }
    r.scenario.events.push_back(std::move(event));
}

}  // namespace

void read_zones(Reading& r)
{
    for_each_table(r, "zones", [&](const toml::table& table) {
        ZonePlan zone;
        zone.name = text_or(r, table, "name");
        zone.area = read_shape(r, table, "area", "a zone");
        zone.speed_factor = number_or(r, table, "speed_factor", 1.0);
        zone.level = level_of(r, table, "area");
        zone.at = place_of(table.source());
        r.scenario.zones.push_back(std::move(zone));
    });
}

void read_bodies(Reading& r)
{
    for_each_table(r, "bodies", [&](const toml::table& table) { read_body(r, table); });
}

void read_events(Reading& r)
{
    for_each_table(r, "events", [&](const toml::table& table) { read_event(r, table); });
}

void read_expectations(Reading& r)
{
    const toml::node* node = r.root.get("expect");
    const toml::table* table = node != nullptr ? node->as_table() : nullptr;
    if (table == nullptr) return;
    const std::vector<KeyInfo> keys = expect_keys();
    check_table(*table, keys, {}, {"[expect]", "expect"}, r.problems);
    for (const KeyInfo& row : keys) {  // in the order of the table, whatever that of the file
        const toml::node* value = r.get(*table, row.name);
        if (value == nullptr) continue;
        const double number = row.kind == ValueKind::flag
                                  ? (flag_or(r, *table, row.name, false) ? 1.0 : 0.0)
                                  : number_or(r, *table, row.name, 0.0);
        r.scenario.expect.push_back({std::string(row.name), number, place_of(value->source())});
    }
}

}  // namespace sidestep
