// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/overrides.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

#include "scenario/check_text.hpp"
#include "scenario/tables.hpp"
#include "scenario/values.hpp"

namespace sidestep {
namespace {

/// Splits at dots; parts in double quotes are kept whole. Empty: not a path.
std::vector<std::string> split_path(std::string_view path)
{
    std::vector<std::string> parts(1);
    bool quoted = false;
    for (const char c : path) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == '.' && !quoted) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    for (const std::string& part : parts) {
        if (part.empty()) return {};
    }
    return quoted ? std::vector<std::string>{} : parts;
}

/// Short forms: `seed` is world.seed, `agents` the size of the layout or of the first group.
std::vector<std::string> expand(std::vector<std::string> path, const toml::table& root)
{
    if (path.size() != 1) return path;
    if (path[0] == "agents") {
        if (root.contains("layout")) return {"layout", "agents"};
        return {"agents", "0", "count"};
    }
    for (const KeyInfo& row : scenario_table("world").keys) {
        if (row.name == path[0]) return {"world", path[0]};
    }
    return path;
}

bool is_bare_word(std::string_view value)
{
    return value.find_first_of("\"'\n\r\\#[]{}=,") == std::string_view::npos;
}

/// A document that holds the value under the key v, every node with `source` as its path.
std::optional<toml::table> parse_value(std::string_view value, const std::string& source)
{
    const std::string text = fmt::format("v = {}\n", value);
    if (find_text_fault(text)) return {};
    toml::parse_result parsed = toml::parse(text, source);
    // "1\nx = 2" would be two keys.
    if (parsed && parsed.table().size() == 1) return std::move(parsed).table();
    if (!is_bare_word(value) || value.empty()) return {};
    toml::parse_result word = toml::parse(fmt::format("v = \"{}\"\n", value), source);
    if (!word) return {};
    return std::move(word).table();
}

class Apply {
public:
    Apply(toml::table& root, const Override& change, ProblemList& problems)
        : root_(root), change_(change), source_(to_text(change)), problems_(problems)
    {}

    void run();

private:
    void fail(std::string code, std::string message, std::string hint = {})
    {
        problems_.add_override(source_, std::move(code), std::move(message), std::move(hint));
    }
    void put(toml::table& table, const std::string& key, toml::node& value)
    {
        const toml::source_region region{{1, 1}, {1, 1}, std::make_shared<std::string>(source_)};
        table.insert_or_assign(toml::key(key, region), std::move(value));
    }
    toml::node* step(toml::node& at, const std::string& key, bool next_is_number);

    toml::table& root_;
    const Override& change_;
    std::string source_;
    ProblemList& problems_;
};

std::optional<std::size_t> to_index(const std::string& part)
{
    std::size_t index = 0;
    const auto [end, fault] = std::from_chars(part.data(), part.data() + part.size(), index);
    if (fault != std::errc{} || end != part.data() + part.size()) return {};
    return index;
}

/// The node under a part of the path; a table that is missing on the way is made.
toml::node* Apply::step(toml::node& at, const std::string& key, bool next_is_number)
{
    if (toml::array* list = at.as_array()) {
        const auto index = to_index(key);
        if (index && *index < list->size()) return list->get(*index);
        fail("bad-override", fmt::format("{} is no place of this list", quote(key)),
             fmt::format("places count from 0, the list has {}", list->size()));
        return nullptr;
    }
    toml::table* table = at.as_table();
    if (table == nullptr) {
        fail("bad-override", fmt::format("there is nothing below {}", describe(at)));
        return nullptr;
    }
    if (!table->contains(key)) {
        if (next_is_number) {
            fail("bad-override", fmt::format("there is no list {}", quote(key)),
                 "only values and tables can be added, not entries of a list");
            return nullptr;
        }
        std::optional<toml::table> made = parse_value("{}", source_);
        put(*table, key, *made->get("v"));
    }
    return table->get(key);
}

void Apply::run()
{
    std::vector<std::string> path = split_path(change_.first);
    if (path.empty()) {
        fail("bad-override", fmt::format("{} is no path to a key", quote(change_.first)),
             "for example --set world.seed=7 or --set agents.0.count=50");
        return;
    }
    path = expand(std::move(path), root_);
    std::optional<toml::table> value = parse_value(change_.second, source_);
    if (!value) {
        fail("bad-override", fmt::format("{} is no TOML value", quote(change_.second)),
             "texts with special characters need quotes, lists brackets");
        return;
    }
    toml::node* at = &root_;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        at = step(*at, path[i], to_index(path[i + 1]).has_value());
        if (at == nullptr) return;
    }
    if (toml::table* table = at->as_table()) {
        put(*table, path.back(), *value->get("v"));
    } else if (toml::array* list = at->as_array()) {
        const auto index = to_index(path.back());
        if (index && *index < list->size()) {
            list->replace(list->cbegin() + static_cast<std::ptrdiff_t>(*index),
                          std::move(*value->get("v")));
        } else {
            fail("bad-override", fmt::format("{} is no place of this list", quote(path.back())),
                 fmt::format("places count from 0, the list has {}", list->size()));
        }
    } else {
        fail("bad-override", fmt::format("there is nothing below {}", describe(*at)));
    }
}

}  // namespace

std::string to_text(const Override& change)
{
    constexpr std::size_t kLongest = 200;
    std::string text = fmt::format("--set {}={}", change.first, change.second);
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    if (text.size() > kLongest) text = text.substr(0, kLongest - 3) + "...";
    return text;
}

void apply_overrides(toml::table& root, std::span<const Override> overrides, ProblemList& problems)
{
    for (const Override& change : overrides) Apply(root, change, problems).run();
}

}  // namespace sidestep
