// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "scenario/problem_list.hpp"
#include "scenario/toml.hpp"
#include "sidestep/scenario.hpp"

namespace sidestep {

/// Puts the values of `--set key=value` into a document. The new nodes carry the override's text as
/// their source, so that problems found later name it.
void apply_overrides(toml::table& root, std::span<const Override> overrides, ProblemList& problems);

/// "--set key=value".
std::string to_text(const Override& change);

}  // namespace sidestep
