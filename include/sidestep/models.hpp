// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace sidestep {

/// One number that a profile sets and an agent may override. The tables of these drive the checks,
/// the command line and the docs; a value is allowed where min <= value <= max. A parameter with
/// `choices` is one of these words, kept as its place in the list.
struct ParamInfo {
    std::string_view name;
    std::string_view unit;
    float default_value = 0.0f;
    float min = 0.0f;
    float max = 0.0f;
    std::string_view meaning;
    /// True where infinity is allowed although max is finite ("off", "never yields").
    bool may_be_infinite = false;
    std::span<const std::string_view> choices{};
    bool whole = false;  ///< only whole numbers
};

/// A value of a trait, by name.
struct TraitValue {
    std::string_view trait;
    float value = 0.0f;
};

/// A model of avoidance as a user meets it.
struct ModelInfo {
    std::string_view name;
    std::string_view summary;
    std::span<const ParamInfo> params;             ///< its own, besides the traits every agent has
    std::span<const TraitValue> trait_defaults{};  ///< where they differ from those of the traits
};

/// A kind of person: a name for values of traits. A profile takes them before its own values.
struct PresetInfo {
    std::string_view name;
    std::string_view summary;
    std::span<const TraitValue> values;
};

/// A mix of presets, [CMSC425]: "10 % hurried, 20 % strolling, 70 % distracted".
struct PopulationInfo {
    struct Part {
        std::string_view preset;
        float share = 0.0f;  ///< of all; the shares of a population add up to 1
    };
    std::string_view name;
    std::string_view summary;
    std::span<const Part> parts;
};

/// The traits every agent has, whatever its model.
std::span<const ParamInfo> traits();

/// All registered models.
std::span<const ModelInfo> models();

/// The presets and populations that are shipped.
std::span<const PresetInfo> presets();
std::span<const PopulationInfo> populations();

/// The value a trait has in a profile of this model that does not set it.
float default_of(const ModelInfo& model, const ParamInfo& trait);

}  // namespace sidestep
