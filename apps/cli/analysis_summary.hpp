// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/analysis.hpp>

#include <string>

namespace sidestep::cli {

/// For a person; several lines, with units.
std::string to_text(const Trajectories& trajectories, const Analysis& analysis);
/// For a machine: one JSON object on one line. Everything but the series, which are tables.
std::string to_json(const Trajectories& trajectories, const Analysis& analysis);

}  // namespace sidestep::cli
