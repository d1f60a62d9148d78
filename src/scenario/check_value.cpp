// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/check.hpp"
#include "scenario/distribution.hpp"
#include "scenario/limits.hpp"
#include "scenario/values.hpp"

namespace sidestep {
namespace {

/// Checks of one value; remembers whether all was right.
class ValueCheck {
public:
    ValueCheck(const KeyInfo& key, ProblemList& problems) : key_(key), problems_(problems) {}

    bool run(const toml::node& node);

private:
    bool fail_type(const toml::node& node);
    bool fail(const toml::node& node, std::string_view code, std::string message,
              std::string hint = {});
    bool number(const toml::node& node, const Range& range, std::string_view name,
                std::string_view unit);
    bool whole(const toml::node& node);
    bool text(const toml::node& node, std::size_t longest, bool may_be_empty);
    bool word(const toml::node& node);
    bool mix(const toml::node& node);
    bool velocity(const toml::node& node);
    bool values(const toml::node& node);
    bool names(const toml::node& node);
    bool point(const toml::node& node);
    bool points(const toml::node& node, std::size_t least, std::size_t most);
    bool rings(const toml::node& node);
    bool box(const toml::node& node);
    bool shape(const toml::node& node);
    bool schedule(const toml::node& node);
    bool drawn(const toml::node& node);
    bool distribution(const toml::table& table);
    bool cut_offs(const toml::table& table, const toml::array& pair, bool logarithm);
    bool choice(const toml::table& table, const toml::array& values);
    bool nested(const toml::node& node, const TableInfo& table);

    const KeyInfo& key_;
    ProblemList& problems_;
};

constexpr std::size_t kAnyNumber = static_cast<std::size_t>(-1);

bool contains(const Range& range, double value)
{
    if (range.may_be_infinite && value == std::numeric_limits<double>::infinity()) return true;
    return (range.open_min ? value > range.min : value >= range.min) && value <= range.max;
}

bool ValueCheck::fail(const toml::node& node, std::string_view code, std::string message,
                      std::string hint)
{
    problems_.add(node, std::string(code), std::move(message), std::move(hint));
    return false;
}

bool ValueCheck::fail_type(const toml::node& node)
{
    std::string hint;
    if (!key_.example.empty()) {
        hint = fmt::format("for example `{} = {}`", key_.name, key_.example);
    } else if (!key_.words.empty()) {
        hint = fmt::format("words: {}", fmt::join(key_.words, ", "));
    }
    return fail(node, "wrong-type",
                fmt::format("{} must be {}, got {}", key_.name, to_text(key_.kind), describe(node)),
                std::move(hint));
}

bool ValueCheck::number(const toml::node& node, const Range& range, std::string_view name,
                        std::string_view unit)
{
    const auto value = to_number(&node);
    if (!value) {
        return fail(node, "wrong-type",
                    fmt::format("{} must be a number, got {}", name, describe(node)));
    }
    const std::string unit_text = unit.empty() || unit == "1" ? "" : fmt::format(" {}", unit);
    const bool finite = std::isfinite(*value);
    if (contains(range, *value) && (finite || range.may_be_infinite)) return true;
    if (!finite && !(range.may_be_infinite && !std::isnan(*value))) {
        return fail(node, "not-finite",
                    fmt::format("{} must be a finite number, got {}", name, *value));
    }
    return fail(
        node, "out-of-range",
        fmt::format("{} must be {}, got {}{}", name, to_text(range, unit), *value, unit_text));
}

bool ValueCheck::whole(const toml::node& node)
{
    const auto number = to_number(&node);
    if (!number) return fail_type(node);
    if (!std::isfinite(*number)) {
        return fail(node, "not-finite",
                    fmt::format("{} must be a finite number, got {}", key_.name, *number));
    }
    if (*number != std::floor(*number) && !key_.is_whole) return fail_type(node);
    if (key_.range.min == key_.range.max && *number != key_.range.min) {
        return fail(node, "out-of-range",
                    fmt::format("{} must be {}, got {}", key_.name, key_.range.min, *number));
    }
    if (!contains(key_.range, *number) || !to_whole(&node)) {
        return fail(node, "out-of-range",
                    fmt::format("{} must be a whole number {}, got {}", key_.name,
                                to_text(key_.range, key_.unit), describe(node)));
    }
    return true;
}

bool ValueCheck::text(const toml::node& node, std::size_t longest, bool may_be_empty)
{
    const auto* value = node.as_string();
    if (value == nullptr) return fail_type(node);
    const std::string& content = value->get();
    if (content.empty() && !may_be_empty) {
        return fail(node, "empty", fmt::format("{} must not be empty", key_.name));
    }
    if (content.size() > longest) {
        return fail(node, "too-long",
                    fmt::format("{} has {} bytes, at most {}", key_.name, content.size(), longest));
    }
    const bool control = std::any_of(content.begin(), content.end(), [&](char c) {
        const auto byte = static_cast<unsigned char>(c);
        const bool layout = key_.kind == ValueKind::text && (c == '\n' || c == '\t' || c == '\r');
        return (byte < 0x20 && !layout) || byte == 0x7F;
    });
    if (control) {
        return fail(
            node, "control-character",
            fmt::format("{} must not hold control characters, got {}", key_.name, quote(content)));
    }
    return true;
}

bool ValueCheck::word(const toml::node& node)
{
    const auto* value = node.as_string();
    if (value == nullptr) return fail_type(node);
    if (key_.words.empty() ||
        std::find(key_.words.begin(), key_.words.end(), value->get()) != key_.words.end()) {
        return true;
    }
    const std::vector<std::string_view> words(key_.words.begin(), key_.words.end());
    std::string list;
    for (const std::string_view w : words) {
        list += fmt::format("{}\"{}\"", list.empty() ? "" : " or ", w);
    }
    return fail(node, "unknown-word",
                fmt::format("{} must be {}, got {}", key_.name, list, quote(value->get())),
                hint_names(value->get(), words, "words"));
}

/// Names and sums are looked at where the profiles are known.
bool ValueCheck::mix(const toml::node& node)
{
    if (node.is_string()) return text(node, kMaxNameBytes, false);
    const toml::table* shares = node.as_table();
    return shares != nullptr ? check_shares(*shares, key_.name, problems_) : fail_type(node);
}

bool ValueCheck::velocity(const toml::node& node)
{
    if (const auto* word = node.as_string()) {
        return word->get() == "preferred" || fail_type(node);
    }
    const toml::array* list = node.as_array();
    if (list == nullptr || list->size() != 2) return fail_type(node);
    bool good = true;
    for (const toml::node& item : *list) {
        good = number(item, {-kMaxSpeed, kMaxSpeed}, key_.name, "m/s") && good;
    }
    return good;
}

bool ValueCheck::values(const toml::node& node)
{
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail_type(node);
    if (!table->empty()) return true;
    return fail(node, "empty", fmt::format("{} must not be empty", key_.name),
                fmt::format("for example `{} = {}`", key_.name, key_.example));
}

bool ValueCheck::names(const toml::node& node)
{
    if (key_.kind == ValueKind::stay) {
        if (const auto* flag = node.as_boolean()) {
            if (flag->get()) return true;
            return fail(node, "wrong-type", "stay must be a goal or true, got false",
                        "leave the stage out");
        }
    }
    if (node.is_string()) return text(node, kMaxNameBytes, false);
    const toml::array* list = node.as_array();
    if (list == nullptr) return fail_type(node);
    if (list->empty()) {
        const bool named = key_.kind == ValueKind::names;
        return fail(node, "empty",
                    fmt::format("{} must name at least one{}", key_.name, named ? "" : " goal"));
    }
    bool good = true;
    for (const toml::node& item : *list) good = text(item, kMaxNameBytes, false) && good;
    return good;
}

bool ValueCheck::point(const toml::node& node)
{
    const toml::array* list = node.as_array();
    if (list == nullptr || list->size() != 2) {
        return fail(
            node, "wrong-type",
            fmt::format("{} must be {}, got {}", key_.name,
                        key_.kind == ValueKind::point ? "a point [x, y]" : "made of points [x, y]",
                        describe(node)));
    }
    bool good = true;
    for (const toml::node& item : *list) {
        good = number(item, {-kMaxCoordinate, kMaxCoordinate}, key_.name, "m") && good;
    }
    return good;
}

bool ValueCheck::points(const toml::node& node, std::size_t least, std::size_t most)
{
    const toml::array* list = node.as_array();
    if (list == nullptr) return fail_type(node);
    if (list->size() < least || list->size() > most) {
        return fail(node, "wrong-size",
                    fmt::format("{} needs {} {} point{}, got {}", key_.name,
                                most == least ? "exactly" : "at least", least,
                                least == 1 ? "" : "s", list->size()));
    }
    bool good = true;
    for (const toml::node& item : *list) {
        good = point(item) && good;
        if (!item.is_array()) break;  // [0, 0, 4, 0]: one slip, not four
    }
    return good;
}

bool ValueCheck::rings(const toml::node& node)
{
    const toml::array* list = node.as_array();
    if (list == nullptr) return fail_type(node);
    bool good = true;
    for (const toml::node& item : *list) good = points(item, 3, kAnyNumber) && good;
    return good;
}

bool ValueCheck::box(const toml::node& node)
{
    const toml::array* list = node.as_array();
    if (list == nullptr || list->size() != 4) return fail_type(node);
    bool good = true;
    for (const toml::node& item : *list) {
        good = number(item, {-kMaxCoordinate, kMaxCoordinate}, key_.name, "m") && good;
    }
    if (!good) return false;
    const std::vector<double> ends = to_numbers(&node);
    if (ends[0] < ends[2] && ends[1] < ends[3]) return true;
    return fail(node, "bad-box",
                fmt::format("{} [x0, y0, x1, y1] needs x0 < x1 and y0 < y1, got [{}]", key_.name,
                            fmt::join(ends, ", ")),
                "lower left corner first, then the upper right one");
}

bool ValueCheck::shape(const toml::node& node)
{
    if (node.is_string()) return text(node, kMaxNameBytes, false);
    if (node.is_array()) return points(node, 3, kAnyNumber);
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail_type(node);
    const TableInfo& info = scenario_table("shape");
    if (!nested(node, info)) return false;
    if (key_.kind != ValueKind::floor_shape && table->contains("polygon")) {
        return fail(*table->get("polygon"), "unknown-key",
                    fmt::format("{} takes no polygon with holes, only floors do", key_.name),
                    "write the ring without the table");
    }
    const auto only_with = [&](const char* key, const char* other) {
        if (!table->contains(key) || table->contains(other)) return true;
        return fail(*table->get(key), "pointless-key",
                    fmt::format("{} has a meaning only with {}", key, other));
    };
    const bool holes = only_with("holes", "polygon");
    return only_with("name", "file") && holes;
}

bool ValueCheck::schedule(const toml::node& node)
{
    const toml::array* list = node.as_array();
    if (list == nullptr) return fail_type(node);
    if (list->empty()) return fail(node, "empty", "schedule must not be empty");
    bool good = true;
    double last = 0.0;
    for (const toml::node& item : *list) {
        const toml::array* pair = item.as_array();
        if (pair == nullptr || pair->size() != 2) {
            good =
                fail(item, "wrong-type",
                     fmt::format("schedule must be made of [time, count], got {}", describe(item)));
            continue;
        }
        if (!number((*pair)[0], key_.range, "time in the schedule", "s")) {
            good = false;
            continue;
        }
        const double time = *to_number(pair->get(0));
        if (time < last) {
            good = fail((*pair)[0], "out-of-order",
                        fmt::format("time in the schedule must not go back, got {} s after {} s",
                                    time, last));
        }
        last = time;
        const auto count = to_whole(pair->get(1));
        if (!count || *count < 1 || *count > static_cast<std::int64_t>(kMaxAgents)) {
            good = fail((*pair)[1], "out-of-range",
                        fmt::format("count in the schedule must be a whole number in [1, {}], "
                                    "got {}",
                                    kMaxAgents, describe((*pair)[1])));
        }
    }
    return good;
}

bool ValueCheck::nested(const toml::node& node, const TableInfo& table)
{
    const toml::table* rows = node.as_table();
    if (rows == nullptr) return fail_type(node);
    const std::size_t before = problems_.size();
    check_table(*rows, table.keys, table.choices,
                {std::string(key_.kind == ValueKind::tables ? "a stage" : key_.name),
                 std::string(table.name)},
                problems_);
    return problems_.size() == before;
}

bool ValueCheck::drawn(const toml::node& node)
{
    if (to_number(&node))
        return key_.is_whole ? whole(node) : number(node, key_.range, key_.name, key_.unit);
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail_type(node);
    return nested(node, scenario_table("distribution")) && distribution(*table);
}

bool ValueCheck::distribution(const toml::table& table)
{
    const bool normal = table.contains("normal");
    const bool log_normal = table.contains("log_normal");
    for (const char* key : {"min", "max"}) {
        if (!table.contains(key) || normal || log_normal) continue;
        return fail(*table.get(key), "pointless-key",
                    fmt::format("{} has a meaning only with normal and log_normal", key));
    }
    if (table.contains("weights") && !table.contains("choice")) {
        return fail(*table.get("weights"), "pointless-key",
                    "weights has a meaning only with choice");
    }
    if (const toml::node* ends = table.get("uniform")) {
        const toml::array& pair = *ends->as_array();
        if (!number(pair[0], key_.range, key_.name, key_.unit)) return false;
        if (!number(pair[1], key_.range, key_.name, key_.unit)) return false;
        if (*to_number(pair.get(0)) <= *to_number(pair.get(1))) return true;
        return fail(*ends, "bad-distribution",
                    fmt::format("uniform [low, high] needs low <= high, got [{}, {}]",
                                *to_number(pair.get(0)), *to_number(pair.get(1))));
    }
    if (normal) return cut_offs(table, *table.get("normal")->as_array(), false);
    if (log_normal) return cut_offs(table, *table.get("log_normal")->as_array(), true);
    return choice(table, *table.get("choice")->as_array());
}

bool ValueCheck::cut_offs(const toml::table& table, const toml::array& pair, bool logarithm)
{
    const double deviation = *to_number(pair.get(1));
    if (!(deviation >= 0.0)) {
        return fail(pair[1], "bad-distribution",
                    fmt::format("the standard deviation must be >= 0, got {}", deviation));
    }
    for (const char* key : {"min", "max"}) {
        const toml::node* node = table.get(key);
        if (node != nullptr && !number(*node, key_.range, key, key_.unit)) return false;
    }
    const Distribution drawn = *to_distribution(&table, key_.range);
    if (!(drawn.low < drawn.high)) {
        return fail(*table.get(table.contains("min") ? "min" : "max"), "bad-distribution",
                    fmt::format("min must be less than max, got {} and {}", drawn.low, drawn.high));
    }
    if (part_within(drawn) < kLeastPartWithin) {
        return fail(pair[0], "bad-distribution",
                    fmt::format("{}: nearly all values would be outside [{}, {}]", key_.name,
                                drawn.low, drawn.high),
                    logarithm ? "log_normal takes mean and deviation of the logarithm"
                              : "normal takes mean and standard deviation");
    }
    return true;
}

bool ValueCheck::choice(const toml::table& table, const toml::array& values)
{
    bool good = true;
    for (const toml::node& item : values) {
        good =
            (key_.is_whole ? whole(item) : number(item, key_.range, key_.name, key_.unit)) && good;
    }
    const toml::node* weights = table.get("weights");
    if (!good || weights == nullptr) return good;
    const std::vector<double> given = to_numbers(weights);
    if (given.size() != values.size()) {
        return fail(*weights, "wrong-size",
                    fmt::format("weights needs {} numbers, one per value of the choice, got {}",
                                values.size(), given.size()));
    }
    double sum = 0.0;
    for (const double w : given) sum += w;
    if (sum > 0.0 && std::isfinite(sum)) return true;
    return fail(*weights, "bad-distribution", "at least one weight must be > 0");
}

bool ValueCheck::run(const toml::node& node)
{
    switch (key_.kind) {
        case ValueKind::flag: return node.is_boolean() || fail_type(node);
        case ValueKind::whole: return whole(node);
        case ValueKind::number:
            return to_number(&node) ? number(node, key_.range, key_.name, key_.unit)
                                    : fail_type(node);
        case ValueKind::drawn: return drawn(node);
        case ValueKind::pair:
        case ValueKind::numbers: {
            const toml::array* list = node.as_array();
            const bool pair = key_.kind == ValueKind::pair;
            if (list == nullptr || list->empty() || (pair && list->size() != 2)) {
                return fail_type(node);
            }
            bool good = true;
            for (const toml::node& item : *list) {
                good = number(item, key_.range, key_.name, {}) && good;
            }
            return good;
        }
        case ValueKind::text:
            return text(node, key_.name == "wkt" ? kMaxStringBytes : kMaxTextBytes,
                        key_.name != "wkt" && key_.name != "file");
        case ValueKind::name: return text(node, kMaxNameBytes, false);
        case ValueKind::word: return word(node);
        case ValueKind::mix: return mix(node);
        case ValueKind::velocity: return velocity(node);
        case ValueKind::values: return values(node);
        case ValueKind::names:
        case ValueKind::goals:
        case ValueKind::stay: return names(node);
        case ValueKind::point: return node.is_array() ? point(node) : fail_type(node);
        case ValueKind::points: return points(node, 1, kAnyNumber);
        case ValueKind::line: return points(node, 2, kAnyNumber);
        case ValueKind::segment: return points(node, 2, 2);
        case ValueKind::ring: return points(node, 3, kAnyNumber);
        case ValueKind::rings: return rings(node);
        case ValueKind::box: return box(node);
        case ValueKind::shape:
        case ValueKind::floor_shape: return shape(node);
        case ValueKind::schedule: return schedule(node);
        case ValueKind::table: return nested(node, *key_.nested);
        case ValueKind::tables: {
            const toml::array* list = node.as_array();
            if (list == nullptr) return fail_type(node);
            if (list->empty()) {
                return fail(node, "empty", fmt::format("{} must not be empty", key_.name));
            }
            if (list->size() > kMaxTables) {
                return fail(node, "too-many",
                            fmt::format("{} {}, at most {}", list->size(), key_.name, kMaxTables));
            }
            bool good = true;
            for (const toml::node& item : *list) {
                if (!item.is_table()) {
                    good = fail(item, "wrong-type",
                                fmt::format("{} must be made of tables {{ ... }}, got {}",
                                            key_.name, describe(item)));
                } else {
                    good = nested(item, *key_.nested) && good;
                }
            }
            return good;
        }
    }
    return true;
}

}  // namespace

bool check_shares(const toml::table& shares, std::string_view title, ProblemList& problems)
{
    if (shares.empty()) {
        problems.add(shares, "empty", fmt::format("{} must not be empty", title),
                     "profiles or presets and their shares: `hurried = 0.3`");
        return false;
    }
    bool good = true;
    for (const auto& [name, item] : shares) {
        const std::string key = fmt::format("the share of {}", quote(name.str()));
        const KeyInfo row{.name = key, .kind = ValueKind::number, .range = {0.0, 1.0, true}};
        if (check_value(item, row, problems)) continue;
        problems.mark(item);
        good = false;
    }
    return good;
}

bool check_value(const toml::node& node, const KeyInfo& key, ProblemList& problems)
{
    return ValueCheck(key, problems).run(node);
}

}  // namespace sidestep
