// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace sidestep {

/// One number that a profile sets and an agent may override. The tables of these drive the checks,
/// the command line and the docs; a value is allowed where min <= value <= max.
struct ParamInfo {
    std::string_view name;
    std::string_view unit;
    float default_value = 0.0f;
    float min = 0.0f;
    float max = 0.0f;
    std::string_view meaning;
    /// True where infinity is allowed although max is finite ("off", "never yields").
    bool may_be_infinite = false;
};

/// A model of avoidance as a user meets it.
struct ModelInfo {
    std::string_view name;
    std::string_view summary;
    std::span<const ParamInfo> params;  ///< its own, besides the traits every agent has
};

/// The traits every agent has, whatever its model.
std::span<const ParamInfo> traits();

/// All registered models.
std::span<const ModelInfo> models();

}  // namespace sidestep
