// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "floorplan/floorplan.hpp"
#include "scenario/check.hpp"
#include "scenario/layout.hpp"
#include "scenario/reading.hpp"

// [world], [layout], [[areas]], [[floors]], [[walls]], [[doors]].

namespace sidestep {
namespace {

/// Whether a time is a whole number of steps, up to what decimals lose.
bool is_whole_multiple(double time, double step)
{
    const double ratio = time / step;
    return std::fabs(ratio - std::round(ratio)) <= 1e-6 * ratio && ratio > 0.5;
}

void read_times(Reading& r, const toml::table& table)
{
    WorldPlan& world = r.scenario.world;
    const auto positive = [&](std::string_view key, double fallback) {
        const double value = number_or(r, table, key, fallback);
        return value > 0.0 ? value : fallback;
    };
    world.step = positive("step", world.step);
    world.duration = positive("duration", world.duration);
    const double nearest = std::max(1.0, std::round(world.output / world.step)) * world.step;
    world.output = positive("output", nearest);
    if (is_whole_multiple(world.output, world.step)) return;
    const double below = std::max(1.0, std::floor(world.output / world.step)) * world.step;
    const toml::node* node = r.get(table, "output");
    if (node == nullptr) return;
    r.problems.add(*node, "bad-output",
                   fmt::format("output must be a whole multiple of step ({} s), got {} s",
                               world.step, world.output),
                   fmt::format("for example {:.6g}", below));
}

void read_origin(Reading& r, const toml::table& table)
{
    const toml::node* node = r.get(table, "origin");
    r.scenario.world.origin = to_point(node);
    if (!r.scenario.world.origin) return;
    const Vec2 origin = *r.scenario.world.origin;
    const Vec2 whole{std::round(origin.x), std::round(origin.y)};
    if (origin == whole) return;
    r.problems.add(*node, "not-whole",
                   fmt::format("origin must be in whole metres, got [{}, {}]", origin.x, origin.y),
                   fmt::format("for example `origin = [{}, {}]`", whole.x, whole.y));
}

const LayoutInfo* find_layout(Reading& r, const toml::table& table)
{
    const toml::node* kind = r.get(table, "kind");
    if (kind == nullptr || !kind->is_string()) return nullptr;
    std::vector<std::string_view> names;
    for (const LayoutInfo& layout : layouts()) {
        if (layout.name == kind->as_string()->get()) return &layout;
        names.push_back(layout.name);
    }
    r.problems.add(*kind, "unknown-name",
                   fmt::format("there is no layout {}", quote(kind->as_string()->get())),
                   hint_names(kind->as_string()->get(), names, "layouts"));
    return nullptr;
}

/// Enters what a layout made; these names come first.
template <class Plan>
void enter_names(const std::vector<Plan>& plans, NameMap& names)
{
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (!plans[i].name.empty()) names.emplace(plans[i].name, static_cast<std::uint32_t>(i));
    }
}

void enter_layout(Reading& r)
{
    enter_names(r.scenario.doors, r.doors);
    enter_names(r.scenario.areas, r.areas);
    enter_names(r.scenario.places, r.places);
    enter_names(r.scenario.networks, r.networks);
    enter_names(r.scenario.goals, r.goals);
    for (const FloorPlan& floor : r.scenario.floors) {
        add_extent(r, "the floor of the layout", nullptr, floor.polygon.shell);
    }
    for (const WallPlan& wall : r.scenario.walls) {
        add_extent(r, "a wall of the layout", nullptr, wall.vertices);
    }
    for (const AreaPlan& area : r.scenario.areas) {
        r.area_levels.emplace_back(area.level);
        add_extent(r, "an area of the layout", nullptr, area.polygons);
    }
    for (const PlacesPlan& places : r.scenario.places) {
        add_extent(r, "a place of the layout", nullptr, places.positions);
    }
    for (const NetworkPlan& network : r.scenario.networks) {
        add_extent(r, "a network of the layout", nullptr, network.nodes);
    }
}

void check_layout_table(Reading& r, const toml::table& table, const LayoutInfo* layout)
{
    if (layout != nullptr) {
        const std::string title = fmt::format("[layout] of the kind {}", quote(layout->name));
        check_table(table, layout_keys(layout), {}, {title, "layout"}, r.problems);
        return;
    }
    // Which keys there are depends on the kind: of the others nothing can be said.
    const KeyInfo kind = layout_keys(nullptr)[0];
    if (const toml::node* node = table.get(kind.name)) {
        check_value(*node, kind, r.problems);
    } else {
        r.problems.add(table, "missing-key", fmt::format("[layout] needs '{}'", kind.name),
                       "`sidestep help layouts` lists them");
    }
}

}  // namespace

void read_world(Reading& r)
{
    const toml::node* node = r.root.get("world");
    const toml::table* table = node != nullptr ? node->as_table() : nullptr;
    if (table == nullptr) return;
    WorldPlan& world = r.scenario.world;
    world.name = text_or(r, *table, "name");
    world.description = text_or(r, *table, "description");
    world.figure = text_or(r, *table, "figure");
    read_times(r, *table);
    if (const auto seed = to_whole(r.get(*table, "seed"))) {
        world.seed = static_cast<std::uint64_t>(*seed);
    }
    if (text_or(r, *table, "passing_side") == "left") world.passing_side = PassingSide::left;
    world.deadlock_policy = text_or(r, *table, "deadlock_policy") != "off";
    const std::string solid = text_or(r, *table, "solid_bodies");
    if (solid == "on") world.solid_bodies = SolidBodies::on;
    if (solid == "avoiders") world.solid_bodies = SolidBodies::avoiders;
    if (text_or(r, *table, "overlapping_starts") == "separate") {
        world.overlapping_starts = OverlappingStarts::separate;
    }
    read_origin(r, *table);
}

void read_layout(Reading& r)
{
    const toml::node* node = r.root.get("layout");
    const toml::table* table = node != nullptr ? node->as_table() : nullptr;
    if (table == nullptr) return;
    const LayoutInfo* layout = find_layout(r, *table);
    const std::size_t before = r.problems.size();
    check_layout_table(r, *table, layout);
    if (layout == nullptr) return;
    r.scenario.layout = layout->name;
    std::vector<double> values;
    for (const LayoutParam& param : layout->params) {
        double value = number_or(r, *table, param.name, param.default_value);
        if (!(value >= param.min && value <= param.max)) value = param.default_value;
        values.push_back(value);
    }
    r.layout_agents = static_cast<std::uint64_t>(values[0]);
    // Also with values of its own where the file's are wrong: names it makes are known then.
    const std::string fault = layout->build(values, r.scenario);
    if (!fault.empty() && r.problems.size() == before) {
        r.problems.add(*node, "bad-layout", fmt::format("layout {}: {}", layout->name, fault));
    }
    enter_layout(r);
}

void read_areas(Reading& r)
{
    // Those that are another name for an area come last: the order in the file means nothing.
    std::vector<std::pair<const toml::table*, std::size_t>> aliases;
    for_each_table(r, "areas", [&](const toml::table& table) {
        AreaPlan area;
        area.name = text_or(r, table, "name");
        area.level = level_of(r, table);
        area.at = place_of(table.source());
        const toml::node* shape = r.get(table, "area");
        if (shape != nullptr && shape->is_string()) {
            aliases.emplace_back(&table, r.scenario.areas.size());
        } else {
            area.polygons = read_shape(r, table, "area", fmt::format("area {}", quote(area.name)));
        }
        add_name(r, r.areas, "area", table, static_cast<std::uint32_t>(r.scenario.areas.size()));
        r.area_levels.push_back(r.get(table, "level") != nullptr ? std::optional(area.level)
                                                                 : std::nullopt);
        r.scenario.areas.push_back(std::move(area));
    });
    for (const auto& [table, index] : aliases) {
        const toml::node& shape = *r.get(*table, "area");
        const auto other = find_name(r, r.areas, "area", shape.as_string()->get(), shape);
        if (!other) continue;
        const bool is_alias = std::any_of(aliases.begin(), aliases.end(), [&](const auto& alias) {
            return alias.second == *other;
        });
        if (is_alias) {
            r.problems.add(shape, "bad-shape",
                           fmt::format("area {} is itself only a name for another",
                                       quote(shape.as_string()->get())),
                           "name the area that has a shape");
        } else {
            r.scenario.areas[index].polygons = r.scenario.areas[*other].polygons;
            r.scenario.areas[index].level = level_of(r, *table, "area");
            if (r.area_levels[*other]) r.area_levels[index] = r.area_levels[*other];
        }
    }
}

namespace {

void read_floor(Reading& r, const toml::table& table)
{
    std::vector<Polygon> polygons;
    if (table.contains("box")) {
        if (auto box = read_box(r, table, "box", "a floor")) polygons.push_back(std::move(*box));
    } else {
        polygons = read_shape(r, table, "polygon", "a floor");
    }
    if (const toml::node* holes = r.get(table, "holes"); holes != nullptr && !polygons.empty()) {
        const std::vector<std::vector<Vec2>> rings = to_rings(holes);
        if (polygons.size() > 1) {
            r.problems.add(
                *holes, "pointless-key",
                fmt::format("holes needs one polygon, this floor has {}", polygons.size()));
            return;
        }
        polygons[0].holes.insert(polygons[0].holes.end(), rings.begin(), rings.end());
        const bool whole = std::all_of(rings.begin(), rings.end(),
                                       [](const auto& ring) { return ring.size() >= 3; });
        if (!whole || !check_polygon(r, *holes, "holes", polygons[0])) return;
    }
    const std::uint16_t level = level_of(r, table, "polygon");
    for (Polygon& polygon : polygons) {
        r.scenario.floors.push_back({std::move(polygon), level, place_of(table.source())});
    }
}

void read_wall(Reading& r, const toml::table& table)
{
    WallPlan wall;
    wall.level = level_of(r, table, "polygon");
    wall.at = place_of(table.source());
    if (table.contains("line")) {
        const toml::node* line = r.get(table, "line");
        wall.kind = WallKind::thin;
        wall.vertices = to_points(line);
        if (wall.vertices.size() < 2 || !check_line(r, *line, "line", wall.vertices)) return;
        count_vertices(r, *line, wall.vertices.size());
        add_extent(r, "a wall", line, wall.vertices);
        r.scenario.walls.push_back(std::move(wall));
        return;
    }
    std::vector<Polygon> polygons;
    if (table.contains("box")) {
        if (auto box = read_box(r, table, "box", "a wall")) polygons.push_back(std::move(*box));
    } else {
        polygons = read_shape(r, table, "polygon", "a wall");
    }
    for (Polygon& polygon : polygons) {
        if (!polygon.holes.empty()) {
            r.problems.add(*r.get(table, "polygon"), "bad-shape",
                           fmt::format("a wall is solid: it cannot have a hole (at {})",
                                       to_place(polygon.holes[0][0])),
                           "cut it into pieces, or draw the floor instead");
            continue;
        }
        wall.vertices = std::move(polygon.shell);
        r.scenario.walls.push_back(wall);
    }
}

void read_door(Reading& r, const toml::table& table)
{
    DoorPlan door;
    door.name = text_or(r, table, "name");
    door.open = flag_or(r, table, "open", true);
    door.level = level_of(r, table, "polygon");
    door.at = place_of(table.source());
    std::vector<Polygon> polygons =
        read_shape(r, table, "polygon", fmt::format("door {}", quote(door.name)));
    if (polygons.size() > 1 || (polygons.size() == 1 && !polygons[0].holes.empty())) {
        r.problems.add(*r.get(table, "polygon"), "bad-shape",
                       "a door is one polygon without holes");
    } else if (!polygons.empty()) {
        door.polygon = std::move(polygons[0].shell);
    }
    add_name(r, r.doors, "door", table, static_cast<std::uint32_t>(r.scenario.doors.size()));
    r.scenario.doors.push_back(std::move(door));
}

}  // namespace

void read_plan(Reading& r)
{
    for_each_table(r, "floors", [&](const toml::table& table) { read_floor(r, table); });
    for_each_table(r, "walls", [&](const toml::table& table) { read_wall(r, table); });
    for_each_table(r, "doors", [&](const toml::table& table) { read_door(r, table); });
}

}  // namespace sidestep
