// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sidestep/simulation.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sidestep::cli {

/// What `run` tells at the end.
struct RunResult {
    RunSummary summary;
    std::vector<ExpectResult> expect;
    std::string recording;     ///< its name; empty: none
    std::uint64_t frames = 0;  ///< in it
    bool interrupted = false;
    std::optional<StepReport::Fault> fault;
};

/// For a person; several lines. Colours mark expectations that are not met.
std::string to_text(const RunResult& result, bool colour);
/// For a machine: one JSON object on one line.
std::string to_json(const RunResult& result);

}  // namespace sidestep::cli
