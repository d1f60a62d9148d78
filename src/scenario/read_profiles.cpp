// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "math/exp_log.hpp"
#include "scenario/check.hpp"
#include "scenario/distribution.hpp"
#include "scenario/reading.hpp"

// [profiles.*]

namespace sidestep {
namespace {

constexpr std::string_view kDefaultProfile = "default";
constexpr std::string_view kDefaultModel = "orca";

const ModelInfo* find_model(Reading& r, const toml::table& table)
{
    const std::string name = text_or(r, table, "model", kDefaultModel);
    std::vector<std::string_view> known;
    for (const ModelInfo& model : r.options.models) {
        if (model.name == name) return &model;
        known.push_back(model.name);
    }
    if (const toml::node* node = r.get(table, "model"); node != nullptr && node->is_string()) {
        r.problems.add(*node, "unknown-name", fmt::format("there is no model {}", quote(name)),
                       hint_names(name, known, "models"));
    }
    return nullptr;
}

/// A key that this model does not have may belong to another.
std::string hint_model(std::span<const ModelInfo> models, std::string_view key)
{
    for (const ModelInfo& model : models) {
        for (const ParamInfo& param : model.params) {
            if (param.name == key) {
                return fmt::format("'{}' is a parameter of the model '{}'", key, model.name);
            }
        }
    }
    return {};
}

/// Where the model is not known, neither are the keys: those of any model will do.
std::vector<KeyInfo> keys_of_any_model(std::span<const ModelInfo> models)
{
    std::vector<KeyInfo> keys = profile_keys(nullptr);
    for (const ModelInfo& model : models) {
        for (const KeyInfo& key : profile_keys(&model)) {
            const bool known = std::any_of(
                keys.begin(), keys.end(), [&](const KeyInfo& row) { return row.name == key.name; });
            if (!known) keys.push_back(key);
        }
    }
    return keys;
}

void read_profile(Reading& r, std::string_view name, const toml::table& table)
{
    const ModelInfo* model = find_model(r, table);
    const std::vector<KeyInfo> keys =
        model != nullptr ? profile_keys(model) : keys_of_any_model(r.options.models);
    TableContext context{fmt::format("[profiles.{}]", name), "profiles"};
    context.hint_unknown = [&](std::string_view key) { return hint_model(r.options.models, key); };
    check_table(table, keys, {}, context, r.problems);

    ProfilePlan profile;
    profile.name = name;
    profile.model = text_or(r, table, "model", kDefaultModel);
    profile.at = place_of(table.source());
    for (const KeyInfo& key : keys) {
        if (key.kind != ValueKind::drawn) continue;
        if (auto drawn = to_distribution(r.get(table, key.name), key.range)) {
            profile.values.emplace_back(key.name, std::move(*drawn));
        }
    }
    r.profiles.emplace(name, static_cast<std::uint32_t>(r.scenario.profiles.size()));
    r.scenario.profiles.push_back(std::move(profile));
}

}  // namespace

void read_profiles(Reading& r)
{
    const toml::node* node = r.root.get("profiles");
    const toml::table* map = node != nullptr ? node->as_table() : nullptr;
    const toml::node* first = map != nullptr ? map->get(kDefaultProfile) : nullptr;
    if (first != nullptr && first->is_table()) {
        read_profile(r, kDefaultProfile, *first->as_table());
    } else {
        r.profiles.emplace(kDefaultProfile, 0);
        r.scenario.profiles.push_back({.name = std::string(kDefaultProfile),
                                       .model = std::string(kDefaultModel),
                                       .values = {},
                                       .at = {}});
    }
    if (map == nullptr) return;
    for (const auto& [name, item] : *map) {
        if (name.str() == kDefaultProfile || !item.is_table()) continue;
        read_profile(r, name.str(), *item.as_table());
    }
}

std::uint32_t profile_of(Reading& r, const toml::table& table)
{
    const toml::node* node = r.get(table, "profile");
    if (node == nullptr || !node->is_string() || node->as_string()->get().empty()) return 0;
    return find_name(r, r.profiles, "profile", node->as_string()->get(), *node).value_or(0);
}

double widest_radius(const ProfilePlan& profile)
{
    for (const auto& [name, drawn] : profile.values) {
        if (name != "radius") continue;
        const double far = drawn.first + 3.0 * drawn.second;
        if (drawn.kind == Distribution::Kind::normal) return std::min(drawn.high, far);
        if (drawn.kind == Distribution::Kind::log_normal) {
            return std::min(drawn.high, portable_exp(far));
        }
        return largest(drawn);
    }
    for (const ParamInfo& trait : traits()) {
        if (trait.name == "radius") return trait.default_value;
    }
    return 0.0;
}

}  // namespace sidestep
