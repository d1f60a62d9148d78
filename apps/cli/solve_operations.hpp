// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operations of `sidestep solve`, in families: each takes the `in` of a question and gives the
// `out` of its answer.

#include "solve_input.hpp"

#include <span>
#include <string_view>

namespace sidestep::cli {

struct Operation {
    std::string_view name;
    Json (*answer)(const Json& in);
};

/// Velocity obstacles as half-planes, and the program.
std::span<const Operation> line_operations();
/// Cones, and the choice among the velocities they leave.
std::span<const Operation> cone_operations();
/// What pushes a pedestrian.
std::span<const Operation> force_operations();
/// What an agent sees, can do and has done.
std::span<const Operation> agent_operations();
/// When and how an agent that must turn arrives.
std::span<const Operation> turning_operations();

}  // namespace sidestep::cli
