// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/check.hpp"
#include "scenario/reading.hpp"

// [populations.*], and who the agents of a table are.

namespace sidestep {
namespace {

/// Shares add up to 1 within this: 1/3 is written with a few digits.
constexpr double kSumSlack = 1e-6;

bool is_preset(std::string_view name)
{
    return std::any_of(presets().begin(), presets().end(),
                       [&](const PresetInfo& each) { return each.name == name; });
}

/// The parts of a table of shares that has been checked; empty where one of them is wrong.
std::vector<MixPart> read_shares(Reading& r, const toml::table& shares, std::string_view title)
{
    std::vector<std::pair<const toml::key*, const toml::node*>> rows;
    for (const auto& [name, item] : shares) rows.emplace_back(&name, &item);
    // In the order of the file: it decides who is rounded up among equals.
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.first->source().begin < b.first->source().begin;
    });
    std::vector<MixPart> mix;
    double sum = 0.0;
    bool good = true;
    for (const auto& row : rows) {
        const auto share = to_number(row.second);
        const auto profile = find_profile(r, row.first->str(), *row.second);
        if (!share || !profile || r.problems.is_marked(row.second)) {
            good = false;
            continue;
        }
        mix.push_back({*profile, *share});
        sum += *share;
    }
    if (!good) return {};
    if (std::fabs(sum - 1.0) > kSumSlack) {
        r.problems.add(shares, "bad-shares",
                       fmt::format("the shares of {} add up to {:.9g}, not to 1", title, sum),
                       sum < 1.0 ? fmt::format("the rest is {:.9g}", 1.0 - sum)
                                 : fmt::format("that is {:.9g} too much", sum - 1.0));
        return {};
    }
    for (MixPart& part : mix) part.share /= sum;
    return mix;
}

/// A shipped population; empty if there is none of that name.
std::vector<MixPart> take_shipped(Reading& r, std::string_view name, const toml::node& node)
{
    std::vector<MixPart> mix;
    for (const PopulationInfo& population : populations()) {
        if (population.name != name) continue;
        for (const PopulationInfo::Part& part : population.parts) {
            if (const auto profile = find_profile(r, part.preset, node)) {
                mix.push_back({*profile, as_written(part.share)});
            }
        }
    }
    return mix;
}

std::string hint_kinds(const Reading& r, std::string_view name)
{
    if (r.profiles.size() > kManyNames && r.problems.size() >= kHintsAmongManyNames) return {};
    std::vector<std::string_view> known;
    for (const auto& [each, index] : r.profiles) known.push_back(each);
    for (const auto& [each, mix] : r.populations) known.push_back(each);
    const auto add = [&](std::string_view each) {
        if (std::find(known.begin(), known.end(), each) == known.end()) known.push_back(each);
    };
    for (const PresetInfo& preset : presets()) add(preset.name);
    for (const PopulationInfo& population : populations()) add(population.name);
    return hint_names(name, known, "profiles, presets and populations");
}

}  // namespace

void read_populations(Reading& r)
{
    const toml::node* node = r.root.get("populations");
    const toml::table* map = node != nullptr ? node->as_table() : nullptr;
    if (map == nullptr || map->size() > kMaxTables) return;
    for (const auto& [name, item] : *map) {
        const toml::table* shares = item.as_table();
        if (shares == nullptr) continue;
        const std::string shown = quote(name.str());
        const std::string title =
            fmt::format("[populations.{}]", shown.substr(1, shown.size() - 2));
        if (is_preset(name.str()) || r.profiles.contains(name.str())) {
            r.problems.add(name.source(), "duplicate-name",
                           fmt::format("a population cannot be named {}, as a {} is", shown,
                                       is_preset(name.str()) ? "preset" : "profile"),
                           "give each a name of its own");
        }
        std::vector<MixPart> mix;
        if (check_shares(*shares, title, r.problems)) mix = read_shares(r, *shares, title);
        r.populations.emplace(name.str(), std::move(mix));
    }
}

Kinds kinds_of(Reading& r, const toml::table& table)
{
    const toml::node* node = r.get(table, "profile");
    if (node == nullptr) return {};
    if (const toml::table* shares = node->as_table()) {
        return {0, read_shares(r, *shares, "profile")};
    }
    const auto* text = node->as_string();
    if (text == nullptr || text->get().empty()) return {};
    const std::string& name = text->get();
    if (const auto own = r.populations.find(name); own != r.populations.end()) {
        return {0, own->second};
    }
    if (r.profiles.contains(name) || is_preset(name)) {
        return {find_profile(r, name, *node).value_or(0), {}};
    }
    if (auto mix = take_shipped(r, name, *node); !mix.empty()) return {0, std::move(mix)};
    r.problems.add(*node, "unknown-name",
                   fmt::format("there is no profile, preset or population {}", quote(name)),
                   hint_kinds(r, name));
    return {};
}

}  // namespace sidestep
