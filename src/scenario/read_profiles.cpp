// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "math/exp_log.hpp"
#include "scenario/check.hpp"
#include "scenario/distribution.hpp"
#include "scenario/reading.hpp"

// [profiles.*], and the presets where they are used

namespace sidestep {
namespace {

constexpr std::string_view kDefaultProfile = "default";
constexpr std::string_view kPlainProfile = "plain";
constexpr std::string_view kDefaultModel = "orca";

/// A key that this model does not have may belong to another.
std::string hint_model(std::span<const ModelInfo> models, std::string_view key)
{
    std::vector<std::string> names;
    for (const ModelInfo& model : models) {
        const bool has_it = std::any_of(model.params.begin(), model.params.end(),
                                        [&](const ParamInfo& param) { return param.name == key; });
        if (has_it) names.push_back(fmt::format("'{}'", model.name));
    }
    if (names.empty()) return {};
    if (names.size() == 1)
        return fmt::format("'{}' is a parameter of the model {}", key, names.front());
    const std::string last = std::move(names.back());
    names.pop_back();
    return fmt::format("'{}' is a parameter of the models {} and {}", key, fmt::join(names, ", "),
                       last);
}

/// A value of the profile; replaces one it has already.
void set_value(ProfilePlan& profile, std::string_view name, Distribution value)
{
    for (auto& [each, old] : profile.values) {
        if (each != name) continue;
        old = std::move(value);
        return;
    }
    profile.values.emplace_back(name, std::move(value));
}

/// The values of a preset, as the decimals of its table say.
void take_preset(ProfilePlan& profile, const PresetInfo& preset)
{
    profile.preset = preset.name;
    for (const TraitValue& own : preset.values) {
        Distribution constant;
        constant.first = as_written(own.value);
        set_value(profile, own.trait, std::move(constant));
    }
}

std::uint32_t add_profile(Reading& r, ProfilePlan profile)
{
    const auto index = static_cast<std::uint32_t>(r.scenario.profiles.size());
    r.profiles.emplace(profile.name, index);
    r.scenario.profiles.push_back(std::move(profile));
    return index;
}

/// The keys of a profile of this model; none: it is not known, and keys of any model will do. Where
/// all agents get another model its parameters come first, and those of the file's are still known.
std::vector<KeyInfo> keys_of(const Reading& r, const ModelInfo* model)
{
    if (model == nullptr) return profile_keys(r.options.models);
    std::vector<ModelInfo> both;
    for (const ModelInfo& other : r.options.models) {
        if (other.name == r.options.model) both.push_back(other);
    }
    both.push_back(*model);
    return profile_keys(both);
}

void read_profile(Reading& r, std::string_view name, const toml::table& table)
{
    // [profiles.default] is read first: its model is everybody's who names none.
    const std::string usual = r.scenario.profiles.empty() ? std::string(kDefaultModel)
                                                          : r.scenario.profiles.front().model;
    const ModelInfo* model =
        find_model(r, text_or(r, table, "model", usual), r.get(table, "model"));
    const std::vector<KeyInfo> keys = keys_of(r, model);
    TableContext context{fmt::format("[profiles.{}]", name), "profiles"};
    context.hint_unknown = [&](std::string_view key) { return hint_model(r.options.models, key); };
    check_table(table, keys, {}, context, r.problems);

    ProfilePlan profile;
    profile.name = name;
    profile.model = text_or(r, table, "model", usual);
    profile.at = place_of(table.source());
    const toml::node* preset = r.get(table, "preset");
    if (const std::string kind = text_or(r, table, "preset"); !kind.empty()) {
        if (const PresetInfo* found = find_preset(r, kind, *preset)) take_preset(profile, *found);
    }
    for (const KeyInfo& key : keys) {
        const toml::node* node = r.get(table, key.name);
        if (key.kind == ValueKind::drawn) {
            if (auto drawn = to_distribution(node, key.range)) {
                set_value(profile, key.name, std::move(*drawn));
            }
        } else if (const auto word = to_value(node, key)) {
            Distribution constant;
            constant.first = *word;
            set_value(profile, key.name, std::move(constant));
        }
    }
    add_profile(r, std::move(profile));
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
        // For who names no profile. It has no entry in r.profiles: whoever names `default` means
        // the preset.
        r.scenario.profiles.push_back({.name = std::string(kDefaultProfile),
                                       .model = std::string(kDefaultModel),
                                       .values = {},
                                       .preset = {},
                                       .at = {}});
    }
    if (map == nullptr) return;
    for (const auto& [name, item] : *map) {
        if (name.str() == kDefaultProfile || !item.is_table()) continue;
        read_profile(r, name.str(), *item.as_table());
    }
}

const ModelInfo* find_model(Reading& r, std::string_view name, const toml::node* node)
{
    std::vector<std::string_view> known;
    for (const ModelInfo& model : r.options.models) {
        if (model.name == name) return &model;
        known.push_back(model.name);
    }
    if (node != nullptr && node->is_string()) {
        r.problems.add(*node, "unknown-name", fmt::format("there is no model {}", quote(name)),
                       hint_names(name, known, "models"));
    }
    return nullptr;
}

const PresetInfo* find_preset(Reading& r, std::string_view name, const toml::node& node)
{
    std::vector<std::string_view> known;
    for (const PresetInfo& preset : presets()) {
        if (preset.name == name) return &preset;
        known.push_back(preset.name);
    }
    r.problems.add(node, "unknown-name", fmt::format("there is no preset {}", quote(name)),
                   hint_names(name, known, "presets"));
    return nullptr;
}

std::optional<double> to_value(const toml::node* node, const KeyInfo& key)
{
    if (node == nullptr) return {};
    if (key.kind == ValueKind::number || key.kind == ValueKind::whole) return to_number(node);
    const auto* text = node->as_string();
    if (key.kind != ValueKind::word || text == nullptr) return {};
    const auto word = std::find(key.words.begin(), key.words.end(), text->get());
    if (word == key.words.end()) return {};
    return static_cast<double>(word - key.words.begin());
}

std::optional<std::uint32_t> find_profile(Reading& r, std::string_view name, const toml::node& node)
{
    if (const auto found = r.profiles.find(name); found != r.profiles.end()) return found->second;
    for (const PresetInfo& preset : presets()) {
        if (preset.name != name) continue;
        // What [profiles.default] says of everybody, and then what makes this kind of person.
        ProfilePlan profile = r.scenario.profiles.front();
        profile.name = name;
        profile.at = place_of(node.source());
        take_preset(profile, preset);
        // Recordings tell the two apart.
        if (name == kDefaultProfile) r.scenario.profiles.front().name = kPlainProfile;
        return add_profile(r, std::move(profile));
    }
    if (r.populations.contains(name) ||
        std::any_of(populations().begin(), populations().end(),
                    [&](const PopulationInfo& each) { return each.name == name; })) {
        r.problems.add(
            node, "unknown-name",
            fmt::format("{} is a population; here stands a profile or preset", quote(name)));
        return {};
    }
    std::vector<std::string_view> known;
    for (const auto& [each, index] : r.profiles) known.push_back(each);
    for (const PresetInfo& preset : presets()) {
        if (!r.profiles.contains(preset.name)) known.push_back(preset.name);
    }
    const bool few = r.profiles.size() <= kManyNames || r.problems.size() < kHintsAmongManyNames;
    r.problems.add(node, "unknown-name",
                   fmt::format("there is no profile or preset {}", quote(name)),
                   few ? hint_names(name, known, "profiles and presets") : std::string{});
    return {};
}

double widest_radius(const Reading& r, const ProfilePlan& profile)
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
        if (trait.name != "radius") continue;
        for (const ModelInfo& model : r.options.models) {
            if (model.name == profile.model) return double{default_of(model, trait)};
        }
        return double{trait.default_value};
    }
    return 0.0;
}

}  // namespace sidestep
