// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/scenario.hpp>

#include <optional>
#include <string>
#include <vector>

namespace sidestep::cli {

/// The scenario that a user means: a file, or a shipped scene where there is no such file. `model`:
/// everybody's instead of the file's.
std::optional<Scenario> load(const std::string& what, const std::vector<Override>& overrides,
                             const std::optional<std::string>& model, Problems& problems);

/// Tells what is wrong with a scenario, as lines or as JSON, and returns the exit code.
int refuse(const Problems& problems, bool as_json);

/// Whether there is the model that --model names; else says so and answers kExitBadUsage.
int check_model(const std::string& name);

/// The same for --isa: whether it is in this build, and on this processor.
int check_isa(const std::string& name);

/// Splits the `key=value` of --set options; a problem for each that has no `=`.
std::vector<Override> split_overrides(const std::vector<std::string>& settings, Problems& problems);

}  // namespace sidestep::cli
