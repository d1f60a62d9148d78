// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "console.hpp"

#include <sidestep/models.hpp>

#include <nlohmann/json.hpp>

#include <span>
#include <string>

/// Traits and parameters of models as tables and as JSON.
namespace sidestep::cli {

/// A value as a file says it: the digits a person would write, or a word.
std::string value_text(const ParamInfo& param, float value);
nlohmann::ordered_json value_json(const ParamInfo& param, float value);

/// Name, unit, default, range or words, meaning.
Table table_of(std::span<const ParamInfo> params);
nlohmann::ordered_json params_json(std::span<const ParamInfo> params);

}  // namespace sidestep::cli
