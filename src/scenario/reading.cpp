// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/limits.hpp"

namespace sidestep {

void for_each_table(const Reading& r, std::string_view name,
                    const std::function<void(const toml::table&)>& read)
{
    const toml::node* node = r.root.get(name);
    const toml::array* list = node != nullptr ? node->as_array() : nullptr;
    if (list == nullptr || list->size() > kMaxTables) return;
    for (const toml::node& item : *list) {
        if (const toml::table* table = item.as_table()) read(*table);
    }
}

double number_or(const Reading& r, const toml::table& table, std::string_view key, double fallback)
{
    const auto number = to_number(r.get(table, key));
    return number && std::isfinite(*number) ? *number : fallback;
}

std::string text_or(const Reading& r, const toml::table& table, std::string_view key,
                    std::string_view fallback)
{
    const toml::node* node = r.get(table, key);
    const auto* text = node != nullptr ? node->as_string() : nullptr;
    return text != nullptr ? text->get() : std::string(fallback);
}

bool flag_or(const Reading& r, const toml::table& table, std::string_view key, bool fallback)
{
    const toml::node* node = r.get(table, key);
    const auto* flag = node != nullptr ? node->as_boolean() : nullptr;
    return flag != nullptr ? flag->get() : fallback;
}

std::uint16_t level_of(const Reading& r, const toml::table& table)
{
    const auto level = to_whole(r.get(table, "level"));
    return level && *level >= 0 && *level <= 65534 ? static_cast<std::uint16_t>(*level)
                                                   : std::uint16_t{0};
}

void check_level(Reading& r, const toml::table& table, std::string_view what, std::uint16_t level)
{
    const toml::node* node = r.get(table, "level");
    if (node == nullptr || level_of(r, table) == level) return;
    r.problems.add(*node, "wrong-level",
                   fmt::format("{} on level {}, not {}", what, level, level_of(r, table)),
                   "leave this level out");
}

std::uint16_t level_of(Reading& r, const toml::table& table, std::string_view key)
{
    const toml::node* node = r.get(table, key);
    const auto* name = node != nullptr ? node->as_string() : nullptr;
    const auto area = name != nullptr ? r.areas.find(name->get()) : r.areas.end();
    if (area == r.areas.end()) return level_of(r, table);
    const std::optional<std::uint16_t> level = r.area_levels[area->second];
    if (!level) return level_of(r, table);
    check_level(r, table, fmt::format("area {} is", quote(name->get())), *level);
    return *level;
}

void refuse(Reading& r, const toml::table& table, std::string_view key, std::string_view only)
{
    if (const toml::node* node = r.get(table, key)) {
        r.problems.add(*node, "pointless-key",
                       fmt::format("{} has a meaning only with {}", key, only));
    }
}

void add_name(Reading& r, NameMap& names, std::string_view kind, const toml::table& table,
              std::uint32_t index)
{
    const toml::node* node = r.get(table, "name");
    const std::string name = text_or(r, table, "name");
    if (node == nullptr || name.empty()) return;
    if (!names.emplace(name, index).second) {
        r.problems.add(*node, "duplicate-name",
                       fmt::format("there are two {}s named {}", kind, quote(name)),
                       "give each a name of its own");
    }
}

std::optional<std::uint32_t> find_name(Reading& r, const NameMap& names, std::string_view kind,
                                       std::string_view name, const toml::node& node)
{
    const auto found = names.find(name);
    if (found != names.end()) return found->second;
    std::string hint;
    if (names.size() <= kManyNames || r.problems.size() < kHintsAmongManyNames) {
        std::vector<std::string_view> known;
        for (const auto& [each, index] : names) known.push_back(each);
        hint = hint_names(name, known, fmt::format("{}s", kind));
    }
    r.problems.add(node, "unknown-name", fmt::format("there is no {} {}", kind, quote(name)),
                   std::move(hint));
    return {};
}

void count_vertices(Reading& r, const toml::node& node, std::size_t count)
{
    r.vertices += count;
    if (r.vertices <= kMaxVertices || r.too_many_vertices) return;
    r.too_many_vertices = true;
    r.problems.add(
        node, "too-many",
        fmt::format("more than {} vertices in all: {} with this shape", kMaxVertices, r.vertices));
}

void count_agents(Reading& r, const toml::node& node, std::uint64_t count)
{
    r.agents += std::min(count, kMaxAgents + 1);
    if (r.agents <= kMaxAgents || r.too_many_agents) return;
    r.too_many_agents = true;
    r.problems.add(node, "too-many", fmt::format("more than {} agents in all", kMaxAgents));
}

void add_extent(Reading& r, std::string what, const toml::node* node, std::span<const Vec2> points,
                double margin)
{
    if (points.empty()) return;
    Extent extent{points[0], points[0], std::move(what), node};
    for (const Vec2 p : points) {
        extent.low = {std::min(extent.low.x, p.x), std::min(extent.low.y, p.y)};
        extent.high = {std::max(extent.high.x, p.x), std::max(extent.high.y, p.y)};
    }
    extent.low = extent.low - Vec2{margin, margin};
    extent.high = extent.high + Vec2{margin, margin};
    r.extents.push_back(std::move(extent));
}

void add_extent(Reading& r, std::string what, const toml::node* node,
                std::span<const Polygon> polygons)
{
    std::vector<Vec2> corners;
    for (const Polygon& polygon : polygons) {
        corners.insert(corners.end(), polygon.shell.begin(), polygon.shell.end());
    }
    add_extent(r, std::move(what), node, corners);
}

std::string to_place(Vec2 point)
{
    const auto round = [](double v) {
        const double mm = std::floor(v * 1000.0 + 0.5) / 1000.0;
        return mm == 0.0 ? 0.0 : mm;  // no -0
    };
    return fmt::format("({}, {})", round(point.x), round(point.y));
}

}  // namespace sidestep
