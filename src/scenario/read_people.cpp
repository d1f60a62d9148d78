// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/trig.hpp"
#include "scenario/limits.hpp"
#include "scenario/reading.hpp"

// [[agents]] and [[sources]].

namespace sidestep {
namespace {

constexpr double kDegree = 0.017453292519943295;
constexpr std::string_view kEverybody = "all";

void enter_group(Reading& r, const toml::table& table)
{
    if (text_or(r, table, "name") == kEverybody) {
        r.problems.add(*r.get(table, "name"), "reserved-name",
                       "agents cannot be named 'all': events mean everybody by it");
        return;
    }
    add_name(r, r.groups, "group", table, 0);
}

/// `count`, or what the layout is for; reports where there is neither.
std::optional<std::uint64_t> read_count(Reading& r, const toml::table& table,
                                        std::string_view placement)
{
    if (table.contains("count")) {
        const auto count = to_whole(r.get(table, "count"));
        if (!count) return {};
        return static_cast<std::uint64_t>(*count);
    }
    if (r.layout_agents) return r.layout_agents;
    r.problems.add(table, "missing-key", fmt::format("[[agents]] with {} needs 'count'", placement),
                   "for example `count = 50`");
    return {};
}

void read_positions(AgentsPlan& agents, std::vector<Vec2> points)
{
    agents.positions = std::move(points);
    agents.count = agents.positions.size();
}

/// Two agents at one place are a slip that is cheaply found, however many there are.
void check_positions(Reading& r, const toml::node& node, std::vector<Vec2> points)
{
    if (r.scenario.world.overlapping_starts != OverlappingStarts::reject) return;
    std::sort(points.begin(), points.end(),
              [](Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    const auto twice = std::adjacent_find(points.begin(), points.end());
    if (twice == points.end()) return;
    r.problems.add(node, "overlapping-starts",
                   fmt::format("positions has the place {} twice", to_place(*twice)),
                   "two agents cannot stand at one place");
}

void read_places(Reading& r, const toml::table& table, AgentsPlan& agents)
{
    const toml::node* node = r.get(table, "places");
    if (node == nullptr) return;
    const auto index = find_name(r, r.places, "place set", node->as_string()->get(), *node);
    if (!index) return;
    const PlacesPlan& places = r.scenario.places[*index];
    agents.positions = places.positions;
    agents.level = places.level;
    check_level(r, table, fmt::format("places {} are", quote(places.name)), places.level);
    agents.count = read_count(r, table, "places").value_or(0);
    agents.choose = agents.count < agents.positions.size();
    if (agents.count > agents.positions.size()) {
        const toml::node* count = r.get(table, "count");
        r.problems.add(count != nullptr ? *count : *node, "too-many",
                       fmt::format("{} agents for {} places of {}", agents.count,
                                   agents.positions.size(), quote(places.name)),
                       "lower the count, or make the layout larger");
    }
}

void read_lattice(Reading& r, const toml::node& node, AgentsPlan& agents)
{
    const toml::table* table = node.as_table();
    if (table == nullptr) return;
    const auto whole = [&](std::string_view key) {
        const auto value = to_whole(r.get(*table, key));
        return value && *value >= 1 && *value <= static_cast<std::int64_t>(kMaxAgents)
                   ? static_cast<std::uint32_t>(*value)
                   : 1u;
    };
    agents.centre = to_point(r.get(*table, "centre")).value_or(Vec2{});
    agents.columns = whole("columns");
    agents.rows = whole("rows");
    agents.spacing = number_or(r, *table, "spacing", 1.0);
    agents.angle_deg = number_or(r, *table, "angle_deg", 0.0);
    agents.count = std::uint64_t{agents.columns} * agents.rows;
    const double half_width = 0.5 * agents.spacing * (agents.columns - 1.0);
    const double half_height = 0.5 * agents.spacing * (agents.rows - 1.0);
    const SinCos turn = sin_cos(agents.angle_deg * kDegree);
    std::vector<Vec2> corners;
    for (const double sx : {-1.0, 1.0}) {
        for (const double sy : {-1.0, 1.0}) {
            const Vec2 c{sx * half_width, sy * half_height};
            corners.push_back(agents.centre + Vec2{turn.cos * c.x - turn.sin * c.y,
                                                   turn.sin * c.x + turn.cos * c.y});
        }
    }
    add_extent(r, "the lattice", &node, corners);
}

void read_ring(Reading& r, const toml::table& agents_table, const toml::node& node,
               AgentsPlan& agents)
{
    const toml::table* table = node.as_table();
    if (table == nullptr) return;
    agents.centre = to_point(r.get(*table, "centre")).value_or(Vec2{});
    agents.ring_radius = number_or(r, *table, "radius", 1.0);
    agents.angle_deg = number_or(r, *table, "angle_deg", 0.0);
    agents.count = read_count(r, agents_table, "ring").value_or(0);
    add_extent(r, "the ring", &node, {&agents.centre, 1}, agents.ring_radius);
}

void read_placement(Reading& r, const toml::table& table, AgentsPlan& agents)
{
    using Placement = AgentsPlan::Placement;
    const auto fixed = [&] {
        if (table.contains("area") || table.contains("ring") || table.contains("places")) return;
        refuse(r, table, "count", "area, ring and places");
    };
    if (table.contains("position")) {
        const toml::node* position = r.get(table, "position");
        if (const auto point = to_point(position)) read_positions(agents, {*point});
        add_extent(r, "an agent", position, agents.positions);
        fixed();
    } else if (table.contains("positions")) {
        const toml::node* positions = r.get(table, "positions");
        read_positions(agents, to_points(positions));
        if (positions != nullptr) check_positions(r, *positions, agents.positions);
        add_extent(r, "an agent", positions, agents.positions);
        fixed();
    } else if (table.contains("area")) {
        agents.placement = Placement::area;
        agents.area = read_shape(r, table, "area", "the area of agents");
        agents.count = read_count(r, table, "area").value_or(0);
    } else if (const toml::node* lattice = r.get(table, "lattice")) {
        agents.placement = Placement::lattice;
        read_lattice(r, *lattice, agents);
        fixed();
    } else if (const toml::node* ring = r.get(table, "ring")) {
        agents.placement = Placement::ring;
        read_ring(r, table, *ring, agents);
    } else if (table.contains("places")) {
        read_places(r, table, agents);
    }
    if (!table.contains("area")) refuse(r, table, "gap", "area");
}

void read_velocity(Reading& r, const toml::table& table, AgentsPlan& agents)
{
    const toml::node* node = r.get(table, "velocity");
    if (node == nullptr) return;
    agents.starts_at_full_pace = node->is_string();
    agents.velocity = to_point(node).value_or(Vec2{});
}

/// The block of agents that a role is about.
std::optional<std::uint32_t> find_block(Reading& r, const toml::table& table, std::string_view key)
{
    const toml::node* node = r.get(table, key);
    const auto* name = node != nullptr ? node->as_string() : nullptr;
    if (name == nullptr || name->get().empty()) return {};
    if (r.groups.contains(name->get()) && !r.agent_blocks.contains(name->get())) {
        r.problems.add(
            *node, "unknown-name",
            fmt::format("{} names [[sources]]; roles are between [[agents]]", quote(name->get())),
            "ranks (`sidestep traits rank`) hold for newcomers too");
        return {};
    }
    const auto found = r.agent_blocks.find(name->get());
    if (found != r.agent_blocks.end()) return found->second;
    std::vector<std::string_view> known;
    for (const auto& [each, index] : r.agent_blocks) known.push_back(each);
    r.problems.add(*node, "unknown-name",
                   fmt::format("there are no agents named {}", quote(name->get())),
                   hint_names(name->get(), known, "names"));
    return {};
}

}  // namespace

Distribution read_pre_movement(const Reading& r, const toml::table& table, std::string_view of)
{
    for (const KeyInfo& row : scenario_table(of).keys) {
        if (row.name != "pre_movement") continue;
        return to_distribution(r.get(table, row.name), row.range).value_or(Distribution{});
    }
    return {};
}

void note_exits(Reading& r, std::uint32_t journey, const Kinds& kinds)
{
    const auto radius = [&](std::uint32_t profile) {
        return widest_radius(r, r.scenario.profiles[profile]);
    };
    std::uint32_t widest = kinds.mix.empty() ? kinds.profile : kinds.mix.front().profile;
    for (const MixPart& part : kinds.mix) {
        if (radius(part.profile) > radius(widest)) widest = part.profile;
    }
    for (const StagePlan& stage : r.scenario.journeys[journey].stages) {
        if (stage.kind != StagePlan::Kind::exit) continue;
        for (const std::uint32_t goal : stage.goals) {
            const auto [found, fresh] = r.widest_profile.emplace(goal, widest);
            if (!fresh && radius(widest) > radius(found->second)) found->second = widest;
        }
    }
}

void check_levels(Reading& r, const toml::table& table, std::uint32_t journey, std::uint16_t level)
{
    const toml::node* node = &table;
    for (const std::string_view key : {"exit", "goal", "journey"}) {
        if (table.contains(key)) node = table.get(key);
    }
    for (const StagePlan& stage : r.scenario.journeys[journey].stages) {
        const bool reachable =
            stage.goals.empty() ||
            std::any_of(stage.goals.begin(), stage.goals.end(),
                        [&](std::uint32_t goal) { return r.scenario.goals[goal].level == level; });
        if (reachable) continue;
        const GoalPlan& goal = r.scenario.goals[stage.goals[0]];
        r.problems.add(*node, "wrong-level",
                       fmt::format("goal {} is on level {}, the agents are on level {}",
                                   quote(goal.name), goal.level, level),
                       "nothing joins two levels");
        return;
    }
}

void read_agents(Reading& r)
{
    for_each_table(r, "agents", [&](const toml::table& table) {
        AgentsPlan agents;
        agents.name = text_or(r, table, "name");
        agents.level = level_of(r, table, "area");
        agents.at = place_of(table.source());
        read_placement(r, table, agents);
        agents.gap = number_or(r, table, "gap", agents.gap);
        Kinds kinds = kinds_of(r, table);
        agents.profile = kinds.profile;
        agents.journey = read_destination(r, table);
        agents.pre_movement = read_pre_movement(r, table, "agents");
        agents.velocity_jitter = number_or(r, table, "velocity_jitter", 0.0);
        read_velocity(r, table, agents);
        if (table.contains("heading_deg"))
            agents.heading_deg = number_or(r, table, "heading_deg", 0.0);
        note_exits(r, agents.journey, kinds);
        agents.mix = std::move(kinds.mix);
        check_levels(r, table, agents.journey, agents.level);
        enter_group(r, table);
        if (!agents.name.empty()) {
            r.agent_blocks.emplace(agents.name,
                                   static_cast<std::uint32_t>(r.scenario.agents.size()));
        }
        const toml::node* count = r.get(table, "count");
        count_agents(r, count != nullptr ? *count : table, agents.count);
        r.scenario.agents.push_back(std::move(agents));
    });
}

void read_roles(Reading& r)
{
    std::uint64_t pairs = 0;
    bool too_many = false;
    for_each_table(r, "roles", [&](const toml::table& table) {
        RolePlan role;
        role.at = place_of(table.source());
        const auto of = find_block(r, table, "of");
        const auto towards = find_block(r, table, "towards");
        for (const KeyInfo& row : scenario_table("roles").keys) {
            if (row.name != "share") continue;
            role.share = to_distribution(r.get(table, row.name), row.range).value_or(role.share);
        }
        if (!of || !towards) return;
        role.of = *of;
        role.towards = *towards;
        pairs += std::min(r.scenario.agents[*of].count, kMaxRolePairs + 1) *
                 std::min(r.scenario.agents[*towards].count, kMaxRolePairs + 1);
        if (pairs > kMaxRolePairs && !too_many) {
            too_many = true;
            r.problems.add(table, "too-many",
                           fmt::format("roles of more than {} pairs of agents", kMaxRolePairs),
                           "give the profiles a rank instead: `rank = 3`");
        }
        r.scenario.roles.push_back(std::move(role));
    });
}

void read_sources(Reading& r)
{
    for_each_table(r, "sources", [&](const toml::table& table) {
        SourcePlan source;
        source.name = text_or(r, table, "name");
        source.level = level_of(r, table, "area");
        source.at = place_of(table.source());
        source.area = read_shape(r, table, "area", "the area of a source");
        source.rate = number_or(r, table, "rate", 0.0);
        source.from = number_or(r, table, "from", 0.0);
        source.until = number_or(r, table, "until", source.until);
        source.count = static_cast<std::uint64_t>(to_whole(r.get(table, "count")).value_or(0));
        if (table.contains("schedule")) {
            for (const char* key : {"from", "until", "count"}) refuse(r, table, key, "rate");
        } else if (!(source.from < source.until)) {
            const toml::node* until = r.get(table, "until");
            r.problems.add(*until, "out-of-order",
                           fmt::format("until must be after from ({} s), got {} s", source.from,
                                       source.until));
        }
        const toml::node* schedule = r.get(table, "schedule");
        const toml::array* list = schedule != nullptr ? schedule->as_array() : nullptr;
        std::uint64_t total = 0;
        if (list != nullptr) {
            for (const toml::node& item : *list) {
                const toml::array* pair = item.as_array();
                if (pair == nullptr || pair->size() != 2) continue;
                const auto time = to_number(pair->get(0));
                const auto count = to_whole(pair->get(1));
                if (!time || !count || *count < 1) continue;
                source.schedule.emplace_back(*time, static_cast<std::uint64_t>(*count));
                total += std::min(static_cast<std::uint64_t>(*count), kMaxAgents + 1);
            }
        } else {
            const double end = std::min(source.until, r.scenario.world.duration);
            const double most = std::max(0.0, end - source.from) * source.rate + 1.0;
            total = static_cast<std::uint64_t>(std::min(most, 1e9));
            if (source.count > 0) total = std::min(total, source.count);
        }
        Kinds kinds = kinds_of(r, table);
        source.profile = kinds.profile;
        source.journey = read_destination(r, table);
        source.pre_movement = read_pre_movement(r, table, "sources");
        note_exits(r, source.journey, kinds);
        source.mix = std::move(kinds.mix);
        check_levels(r, table, source.journey, source.level);
        enter_group(r, table);
        if (!source.name.empty()) {
            r.source_blocks.emplace(source.name,
                                    static_cast<std::uint32_t>(r.scenario.sources.size()));
        }
        count_agents(r, schedule != nullptr ? *schedule : table, total);
        r.scenario.sources.push_back(std::move(source));
    });
}

}  // namespace sidestep
