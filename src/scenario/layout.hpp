// SPDX-FileCopyrightText: 2026 The Sidestep authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sidestep/scenario.hpp"

namespace sidestep {

// Layouts are plans that a few numbers describe: an office of so many wings and columns, a stadium,
// a city. A layout fills in floors, walls, doors, areas, places, networks and goals of a Scenario;
// people, profiles and journeys are the file's.

/// A number of a layout: a ParamInfo, in double.
struct LayoutParam {
    std::string_view name;
    std::string_view unit;
    double default_value = 0.0;
    double min = 0.0;
    double max = 0.0;
    bool whole = false;  ///< a whole number
    std::string_view meaning;
};

struct LayoutInfo {
    std::string_view name;
    std::string_view summary;
    /// The first is always `agents`: how many people the plan is for. [[agents]] without a count
    /// take it, and plans that grow with the crowd use it.
    std::span<const LayoutParam> params;
    /// What the plan makes, for the docs: "areas: rooms; goals: exit-1, exit-2".
    std::string_view makes;
    /// Values are in the order of `params`, all in range. Adds to the scenario; returns what is
    /// wrong with the numbers together, or an empty text.
    std::string (*build)(std::span<const double> values, Scenario& scenario);
};

std::span<const LayoutInfo> layouts();

}  // namespace sidestep
