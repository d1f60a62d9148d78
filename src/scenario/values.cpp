// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/problem_list.hpp"

namespace sidestep {

std::optional<double> to_number(const toml::node* node)
{
    if (node == nullptr) return {};
    if (const auto* whole = node->as_integer()) return static_cast<double>(whole->get());
    if (const auto* number = node->as_floating_point()) return number->get();
    return {};
}

std::optional<std::int64_t> to_whole(const toml::node* node)
{
    if (node == nullptr) return {};
    if (const auto* whole = node->as_integer()) return whole->get();
    const auto number = to_number(node);
    // Above 2^53 a float does not say which whole number is meant.
    if (!number || !(std::fabs(*number) <= 9007199254740992.0)) return {};
    if (*number != std::floor(*number)) return {};
    return static_cast<std::int64_t>(*number);
}

std::optional<Vec2> to_point(const toml::node* node)
{
    const toml::array* list = node != nullptr ? node->as_array() : nullptr;
    if (list == nullptr || list->size() != 2) return {};
    const auto x = to_number(list->get(0));
    const auto y = to_number(list->get(1));
    if (!x || !y || !std::isfinite(*x) || !std::isfinite(*y)) return {};
    return Vec2{*x, *y};
}

std::vector<Vec2> to_points(const toml::node* node)
{
    std::vector<Vec2> points;
    const toml::array* list = node != nullptr ? node->as_array() : nullptr;
    if (list == nullptr) return points;
    points.reserve(list->size());
    for (const toml::node& item : *list) {
        const auto point = to_point(&item);
        if (!point) return {};
        points.push_back(*point);
    }
    return points;
}

std::vector<Vec2> to_ring(const toml::node* node)
{
    std::vector<Vec2> points = to_points(node);
    if (points.size() > 3 && points.front() == points.back()) points.pop_back();
    return points;
}

std::vector<std::vector<Vec2>> to_rings(const toml::node* node)
{
    std::vector<std::vector<Vec2>> rings;
    const toml::array* list = node != nullptr ? node->as_array() : nullptr;
    if (list == nullptr) return rings;
    for (const toml::node& item : *list) rings.push_back(to_ring(&item));
    return rings;
}

std::vector<double> to_numbers(const toml::node* node)
{
    std::vector<double> numbers;
    const toml::array* list = node != nullptr ? node->as_array() : nullptr;
    if (list == nullptr) return numbers;
    for (const toml::node& item : *list) {
        const auto number = to_number(&item);
        if (!number || !std::isfinite(*number)) return {};
        numbers.push_back(*number);
    }
    return numbers;
}

std::vector<std::string> to_names(const toml::node* node)
{
    std::vector<std::string> names;
    if (node == nullptr) return names;
    if (const auto* text = node->as_string()) return {text->get()};
    const toml::array* list = node->as_array();
    if (list == nullptr) return names;
    for (const toml::node& item : *list) {
        if (const auto* text = item.as_string()) names.push_back(text->get());
    }
    return names;
}

std::optional<Distribution> to_distribution(const toml::node* node, const Range& range)
{
    if (node == nullptr) return {};
    Distribution drawn;
    if (const auto number = to_number(node)) {
        drawn.first = *number;
        return drawn;
    }
    const toml::table* table = node->as_table();
    if (table == nullptr) return {};
    using Kind = Distribution::Kind;
    const auto read_pair = [&](const char* key, Kind kind) {
        const std::vector<double> pair = to_numbers(table->get(key));
        if (pair.size() != 2) return false;
        drawn.kind = kind;
        drawn.first = pair[0];
        drawn.second = pair[1];
        return true;
    };
    if (read_pair("uniform", Kind::uniform)) return drawn;
    if (read_pair("normal", Kind::normal) || read_pair("log_normal", Kind::log_normal)) {
        drawn.low = std::max(range.min, to_number(table->get("min")).value_or(range.min));
        drawn.high = std::min(range.max, to_number(table->get("max")).value_or(range.max));
        return drawn;
    }
    drawn.kind = Kind::choice;
    drawn.values = to_numbers(table->get("choice"));
    drawn.weights = to_numbers(table->get("weights"));
    if (drawn.values.empty()) return {};
    drawn.weights.resize(drawn.values.size(), drawn.weights.empty() ? 1.0 : 0.0);
    return drawn;
}

std::string to_text(double value)
{
    return fmt::format("{}", value);
}

std::string to_text(Vec2 point)
{
    return fmt::format("({}, {})", point.x, point.y);
}

std::string describe(const toml::node& node)
{
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
    if (const auto* number = node.as_floating_point()) return to_text(number->get());
    if (const auto* text = node.as_string()) return fmt::format("the text {}", quote(text->get()));
    if (const auto* list = node.as_array()) {
        if (list->empty()) return "an empty list";
        return fmt::format("a list of {} value{}", list->size(), list->size() == 1 ? "" : "s");
    }
    if (node.is_table()) return "a table";
    return "a date or time";
}

}  // namespace sidestep
